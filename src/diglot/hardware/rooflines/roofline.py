"""The roofline model: upper bounds on performance from peak arithmetic rate and memory bandwidth.

Source: S. Williams, A. Waterman, D. Patterson, "Roofline: An Insightful Visual Performance Model for
Multicore Architectures", Communications of the ACM 52(4), 2009.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from diglot.hardware.kernels.kernel import Kernel
from diglot.hardware.sizes import Real, check_rate, to_plain_float


@dataclass(frozen=True, slots=True, kw_only=True)
class Roofline:
    """A compute roof and a memory roof, with arithmetic and traffic perfectly overlapped."""

    peak_flops_per_s: float
    memory_bandwidth_bytes_per_s: float
    rated: "Roofline | None" = None
    """The chip's own roofs, where these are lowered to what kernels reach."""

    def __post_init__(self) -> None:
        for name in ("peak_flops_per_s", "memory_bandwidth_bytes_per_s"):
            object.__setattr__(self, name, check_rate(name, getattr(self, name)))

    @property
    def rated_peak_flops_per_s(self) -> float:
        """The chip's own peak, which shares of the peak such as MFU refer to."""
        return self.peak_flops_per_s if self.rated is None else self.rated.peak_flops_per_s

    @property
    def ridge_flops_per_byte(self) -> float:
        """Ridge point: intensity below which kernels are memory-bound, and from which compute-bound."""
        return self.peak_flops_per_s / self.memory_bandwidth_bytes_per_s

    def attainable_flops_per_s(self, intensity_flops_per_byte: Real) -> Real:
        """The lower of the two roofs at an arithmetic intensity, or at an array of them.

        Raises ValueError for an intensity that is not above zero and finite.
        """
        intensity = check_rate("intensity_flops_per_byte", intensity_flops_per_byte)
        return to_plain_float(
            np.minimum(self.peak_flops_per_s, intensity * self.memory_bandwidth_bytes_per_s)
        )

    def compute_time_s(self, kernel: Kernel) -> Real:
        """Least time for the arithmetic."""
        return kernel.flops / self.peak_flops_per_s

    def memory_time_s(self, kernel: Kernel) -> Real:
        """Least time for the memory traffic."""
        return kernel.memory_bytes / self.memory_bandwidth_bytes_per_s

    def time_s(self, kernel: Kernel) -> Real:
        """Least time of a kernel: the longer of the two. Ignores launch, latency and partial tiles."""
        return to_plain_float(np.maximum(self.compute_time_s(kernel), self.memory_time_s(kernel)))

    def kernel_flops_per_s(self, kernel: Kernel) -> Real:
        """Rate of a kernel in its least time."""
        return kernel.flops / self.time_s(kernel)

    def peak_fraction(self, kernel: Kernel) -> Real:
        """That rate as a share of the peak: 1 at the ridge point and beyond."""
        return self.kernel_flops_per_s(kernel) / self.peak_flops_per_s

    def bound_by(self, kernel: Kernel) -> str | npt.NDArray[np.str_]:
        """`compute` (also at the ridge point) or `memory`, or an array of these words."""
        memory = np.asarray(self.memory_time_s(kernel) > self.compute_time_s(kernel))
        words = np.where(memory, "memory", "compute")
        return str(words) if words.ndim == 0 else words
