"""Hierarchical roofline: each memory level and the network has its own roof, and each dtype its own ceiling.

A kernel has an arithmetic intensity at every level: its FLOPs over the bytes that cross that level. The level
with the longest time binds.

Sources: C. Yang, T. Kurth, S. Williams, "Hierarchical Roofline Analysis for GPUs", Concurrency and
Computation: Practice and Experience 32(20), 2020; S. Williams et al., CACM 52(4), 2009.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from diglot.hardware.dtypes import DTYPES, DType
from diglot.hardware.kernels.memory_levels import MEMORY, LayeredKernel
from diglot.hardware.rooflines.roofline import Roofline
from diglot.hardware.sizes import Real, check_choice, check_rate, check_share, to_plain_float


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """A slanted roof: the bandwidth of a memory level or of the network."""

    name: str
    bandwidth_bytes_per_s: float

    def __post_init__(self) -> None:
        rate = check_rate("bandwidth_bytes_per_s", self.bandwidth_bytes_per_s)
        object.__setattr__(self, "bandwidth_bytes_per_s", rate)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceiling:
    """A flat roof: the peak rate in one dtype."""

    dtype: DType
    peak_flops_per_s: float

    def __post_init__(self) -> None:
        check_choice("dtype", self.dtype, DTYPES)
        rate = check_rate("peak_flops_per_s", self.peak_flops_per_s)
        object.__setattr__(self, "peak_flops_per_s", rate)


@dataclass(frozen=True, slots=True, kw_only=True)
class HierarchicalRoofline:
    """Ceilings and levels of one chip, with arithmetic and the traffic of all levels perfectly overlapped.

    Raises ValueError where ceilings or levels are empty or a name is repeated.
    """

    ceilings: tuple[Ceiling, ...]
    levels: tuple[Level, ...]

    def __post_init__(self) -> None:
        for kind, names in (
            ("ceiling", [ceiling.dtype for ceiling in self.ceilings]),
            ("level", [level.name for level in self.levels]),
        ):
            if not names:
                raise ValueError(f"a roofline needs a {kind}")
            if len(set(names)) < len(names):
                raise ValueError(f"a {kind} is repeated: {', '.join(names)}")

    def level(self, name: str) -> Level:
        """The level of that name. Raises ValueError, which lists the known ones."""
        for level in self.levels:
            if level.name == name:
                return level
        known = ", ".join(level.name for level in self.levels)
        raise ValueError(f"no level {name!r}; known: {known}")

    def ceiling(self, dtype: DType) -> Ceiling:
        """The ceiling of a dtype. Raises ValueError, which lists the known ones."""
        for ceiling in self.ceilings:
            if ceiling.dtype == dtype:
                return ceiling
        known = ", ".join(ceiling.dtype for ceiling in self.ceilings)
        raise ValueError(f"no ceiling for {dtype!r}; known: {known}")

    def roofline(self, dtype: DType, level: str = MEMORY) -> Roofline:
        """Simple roofline of one ceiling and one level."""
        return Roofline(
            peak_flops_per_s=self.ceiling(dtype).peak_flops_per_s,
            memory_bandwidth_bytes_per_s=self.level(level).bandwidth_bytes_per_s,
        )

    def ridges_flops_per_byte(self, dtype: DType) -> dict[str, float]:
        """Level → ridge point: the intensity from which that level no longer binds."""
        return {level.name: self.roofline(dtype, level.name).ridge_flops_per_byte for level in self.levels}

    def times_s(self, kernel: LayeredKernel, dtype: DType) -> dict[str, Real]:
        """Least times: `compute` for the arithmetic, and one per level with traffic, by its name.

        Raises ValueError for traffic at an unknown level.
        """
        times: dict[str, Real] = {"compute": kernel.flops / self.ceiling(dtype).peak_flops_per_s}
        for name, level_bytes in kernel.level_bytes.items():
            times[name] = level_bytes / self.level(name).bandwidth_bytes_per_s
        return times

    def time_s(self, kernel: LayeredKernel, dtype: DType) -> Real:
        """Least time of a kernel: the longest of `times_s`."""
        longest: Real = 0.0
        for time_s in self.times_s(kernel, dtype).values():
            longest = np.maximum(longest, time_s)
        return to_plain_float(longest)

    def kernel_flops_per_s(self, kernel: LayeredKernel, dtype: DType) -> Real:
        """Rate of a kernel in its least time."""
        return kernel.flops / self.time_s(kernel, dtype)

    def bound_by(self, kernel: LayeredKernel, dtype: DType) -> str | npt.NDArray[np.str_]:
        """`compute` or the name of the binding level, or an array of these; on a tie the first one."""
        times = self.times_s(kernel, dtype)
        stacked = np.stack(np.broadcast_arrays(*(np.asarray(time) for time in times.values())))
        words = np.array(list(times))[np.argmax(stacked, axis=0)]
        return str(words) if np.ndim(words) == 0 else words

    def scale(
        self, *, compute_fraction: float = 1.0, level_fractions: Mapping[str, float] | None = None
    ) -> "HierarchicalRoofline":
        """The roofline with roofs lowered to these fractions: achievable instead of nominal.

        Raises ValueError for a fraction outside (0, 1], and for an unknown level.
        """
        fractions = dict(level_fractions or {})
        named = {"compute_fraction": compute_fraction}
        named |= {f"level_fractions of {name}": fraction for name, fraction in fractions.items()}
        for name, fraction in named.items():
            check_share(name, fraction, zero=False)
        for name in fractions:
            self.level(name)
        return HierarchicalRoofline(
            ceilings=tuple(
                Ceiling(dtype=ceiling.dtype, peak_flops_per_s=ceiling.peak_flops_per_s * compute_fraction)
                for ceiling in self.ceilings
            ),
            levels=tuple(
                Level(
                    name=level.name,
                    bandwidth_bytes_per_s=level.bandwidth_bytes_per_s * fractions.get(level.name, 1.0),
                )
                for level in self.levels
            ),
        )
