"""Optical circuit switches: slices of a pod from any cubes that work, and how much of a pod that saves.

Cubes of 4 x 4 x 4 chips are wired inside; fibres from their faces lead to optical switches, which join them
into tori of any multiple of 4 per axis, wherever the cubes are. Without such switches a slice is a fixed
block of neighbouring cubes, all of which have to work.

Source: N. Jouppi et al., "TPU v4: An Optically Reconfigurable Supercomputer", arXiv:2304.01433, sections 2.1
and 2.3.
"""

from dataclasses import dataclass
from math import comb

from diglot.hardware.sizes import check_share, check_size

CUBE_CHIPS = 64
CUBE_HOSTS = 16
"""Hosts of a cube, each with 4 chips; a cube works if all of them do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpticalPod:
    """A pod of cubes some of whose hosts are down. Raises ValueError for impossible sizes and shares."""

    chips_count: int = 4096
    host_availability_fraction: float = 0.995
    """Share of the time that a host works."""

    def __post_init__(self) -> None:
        chips = int(check_size("chips_count", self.chips_count))
        if chips % CUBE_CHIPS:
            raise ValueError(f"chips_count must be a multiple of {CUBE_CHIPS}, not {chips}")
        check_share("host_availability_fraction", self.host_availability_fraction, zero=False)
        object.__setattr__(self, "chips_count", chips)

    @property
    def cubes_count(self) -> int:
        """Cubes of the pod."""
        return self.chips_count // CUBE_CHIPS

    @property
    def cube_availability_fraction(self) -> float:
        """Share of the time that all hosts of a cube work."""
        return float(self.host_availability_fraction**CUBE_HOSTS)

    def find_goodput_fraction(self, slice_chips_count: int) -> float:
        """Share of the pod's chips in whole slices of that size, from any cubes that work, on average."""
        cubes, slice_cubes = self.cubes_count, self._count_slice_cubes(slice_chips_count)
        up = self.cube_availability_fraction
        slices = sum(
            comb(cubes, works) * up**works * (1 - up) ** (cubes - works) * (works // slice_cubes)
            for works in range(cubes + 1)
        )
        return slices * slice_cubes / cubes

    def find_fixed_goodput_fraction(self, slice_chips_count: int) -> float:
        """The same where slices are fixed blocks of cubes: each is usable while all of its cubes work."""
        slice_cubes = self._count_slice_cubes(slice_chips_count)
        blocks = self.cubes_count // slice_cubes
        return blocks * slice_cubes / self.cubes_count * self.cube_availability_fraction**slice_cubes

    def _count_slice_cubes(self, slice_chips_count: int) -> int:
        chips = int(check_size("slice_chips_count", slice_chips_count))
        if chips % CUBE_CHIPS or chips > self.chips_count:
            raise ValueError(
                f"slice_chips_count must be a multiple of {CUBE_CHIPS} and at most {self.chips_count}, "
                f"not {chips}"
            )
        return chips // CUBE_CHIPS
