"""What of a GPU the tiles of a product see."""

from dataclasses import dataclass
from typing import Any

from diglot.hardware.chips.chip import Chip
from diglot.hardware.chips.loading import find_chip
from diglot.hardware.dtypes import DType
from diglot.hardware.gpus.thread_blocks import LIBRARY_BLOCKS, ThreadBlocks
from diglot.hardware.gpus.traffic import L2Cache
from diglot.hardware.rooflines.roofline import Roofline
from diglot.hardware.sizes import Size, check_size


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GpuProcessors:
    """The processors of a GPU, or of an array of GPUs, with what feeds them.

    Raises ValueError for a number of processors that is below 1 or not whole.
    """

    roofline: Roofline
    """The chip's, in the format of the operands."""
    processor_count: Size
    """SMs or compute units (`Chip.processor_count`)."""
    blocks: ThreadBlocks = LIBRARY_BLOCKS
    """Tiles that kernels have, and how shared memory and clusters feed them (`find_thread_blocks(chip)`). By
    default tiles never starve or share fetches."""
    l2: L2Cache | None = None
    """Without one, operands cross the memory interface once."""

    @classmethod
    def of_chip(cls, chip: Chip | str, dtype: DType = "bf16", **more: Any) -> "GpuProcessors":
        """Those of a chip of the catalogue; `more` are other fields, such as `blocks`."""
        chip = find_chip(chip)
        return cls(roofline=chip.roofline(dtype), processor_count=chip.processor_count, **more)

    def __post_init__(self) -> None:
        object.__setattr__(self, "processor_count", check_size("processor_count", self.processor_count))
