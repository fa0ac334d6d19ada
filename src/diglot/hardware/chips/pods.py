"""Many chips as one machine: the catalogue's figures of one chip times their number."""

from dataclasses import dataclass
from math import prod

from diglot.hardware.chips.chip import Chip
from diglot.hardware.chips.loading import find_chip
from diglot.hardware.dtypes import DType
from diglot.hardware.sizes import check_size


@dataclass(frozen=True, slots=True, kw_only=True)
class Pod:
    """Totals over all chips of a pod or slice."""

    chips_count: int
    tensor_cores_count: int | None
    """None where the catalogue has no figure for one chip."""
    peak_flops_per_s: float
    memory_bytes: float
    memory_bandwidth_bytes_per_s: float

    def hosts_count(self, chips_per_host: int) -> int:
        """Number of hosts for these chips. Raises ValueError where it is not whole."""
        if self.chips_count % int(check_size("chips_per_host", chips_per_host)):
            raise ValueError(f"{self.chips_count} chips do not fill hosts of {chips_per_host}")
        return self.chips_count // chips_per_host


def gather_pod(chip: Chip | str, sides: tuple[int, ...], *, dtype: DType = "bf16") -> Pod:
    """Totals of a pod or slice of a shape such as (16, 16). Raises ValueError for a side below 1."""
    chip = find_chip(chip)
    chips = prod(int(check_size("sides", side)) for side in sides)
    cores = int(chip.quantity("tensor_cores").value) if chip.has("tensor_cores") else None
    return Pod(
        chips_count=chips,
        tensor_cores_count=None if cores is None else chips * cores,
        peak_flops_per_s=chips * chip.peak_flops_per_s(dtype),
        memory_bytes=chips * chip.quantity("memory.capacity").value,
        memory_bandwidth_bytes_per_s=chips * chip.memory_bandwidth_bytes_per_s,
    )
