"""Tiles of a matrix product that the thread blocks of a GPU compute, and the cost of narrow ones.

A matrix unit executes whole instructions: 16 x 8 outputs on Ampere, 64 x 8 and wider on Hopper. Either side
of C may map to either side of the instruction (kernels swap A and B), so a tile may be as narrow as 8, and
few rows need not be padded to 64. But narrow tiles are starved by shared memory, which supplies both operands
of an instruction at 128 bytes per cycle: an 8 x 128 tile reads 136 elements for 1,024 multiply-accumulates.

Sources: NVIDIA, "Parallel Thread Execution ISA" (`mma.m16n8k16`; `wgmma.mma_async` m64nNk16 with N from 8 to
256 in steps of 8; `wmma` m8n32k16 and m32n8k16 on Volta; `tcgen05.mma` 64 x N); NVIDIA, "CUDA C++ Programming
Guide", sections "Shared Memory" (32 banks of 32 bits per cycle) and "Thread Block Clusters" (8 blocks
portably, 16 where a kernel requests it); NVIDIA's white papers on V100, A100, H100 and Ada
(multiply-accumulates per SM and cycle: 512, 1,024, 2,048, 512; Blackwell's follow from its peak).
"""

from dataclasses import dataclass

from diglot.hardware.chips.chip import Chip
from diglot.hardware.chips.loading import find_chip
from diglot.hardware.sizes import Real, Size, check_amount, check_size, to_float

LIBRARY_SIDE_ELEMENTS = 64
"""Narrowest side of the tiles that NVIDIA's guide lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """The part of C that one thread block computes."""

    m_elements: int
    n_elements: int

    def __post_init__(self) -> None:
        check_size("m_elements", self.m_elements)
        check_size("n_elements", self.n_elements)

    @property
    def is_narrow(self) -> bool:
        """Whether a side is shorter than those of the libraries' general tiles."""
        return min(self.m_elements, self.n_elements) < LIBRARY_SIDE_ELEMENTS


TILES = tuple(
    Tile(m_elements=m, n_elements=n)
    for m, n in ((256, 128), (128, 256), (128, 128), (256, 64), (64, 256), (128, 64), (64, 128), (64, 64))
)
"""Tile sizes that NVIDIA's guide lists for its libraries, the most efficient first.

Source: NVIDIA, "Matrix Multiplication Background User's Guide", section "Tile Quantization".
"""


def _list_narrow_tiles(least: int) -> tuple[Tile, ...]:
    """Tiles with one side of 32, 16 or 8 elements, at least `least`, the widest first."""
    sides = [side for side in (32, 16, 8) if side >= least]
    return tuple(
        Tile(m_elements=m, n_elements=n)
        for side in sides
        for other in (256, 128, 64)
        for m, n in ((side, other), (other, side))
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadBlocks:
    """Thread blocks of one architecture. The default has the guide's tiles and unlimited shared memory."""

    tiles: tuple[Tile, ...] = TILES
    """Tiles to choose from, the most efficient first. Narrow tiles are for products with a side below 64."""
    fed_side_elements: float = 0.0
    """Side of the smallest square tile that shared memory feeds at the peak rate: twice the
    multiply-accumulates of an SM in the time of one element read. The same for 16 and 8 bits, since both
    rates double. 0: no limit."""
    cluster_tile_count: int = 1
    """Maximum number of thread blocks that one fetch from L2 serves (TMA multicast in a cluster)."""

    def __post_init__(self) -> None:
        if not self.tiles:
            raise ValueError("tiles must hold at least one")
        check_amount("fed_side_elements", self.fed_side_elements)
        check_size("cluster_tile_count", self.cluster_tile_count)

    def feed_macs(self, tile_m_elements: Size, tile_n_elements: Size) -> Real:
        """Multiply-accumulates possible at the peak rate while shared memory delivers a tile's operands once.

        Counted per step along k. A tile is starved where this exceeds its area.
        """
        m, n = check_size("tile_m_elements", tile_m_elements), check_size("tile_n_elements", tile_n_elements)
        return self.fed_side_elements / 2 * (to_float(m) + to_float(n))


LIBRARY_BLOCKS = ThreadBlocks()
"""Thread blocks of a GPU with unknown instructions."""

WIDE_TILES = tuple(
    Tile(m_elements=m, n_elements=n)
    for side, other in ((256, 192), (256, 160), (128, 224), (128, 192), (128, 160), (256, 96), (128, 96))
    for m, n in ((side, other), (other, side))
)
"""Tiles with the other widths that instructions have on Blackwell (N in steps of 16 up to 256).

Without them some products on a B200 are 1 to 2% quicker than the ideal: 256 x 10240 x 8192 fills two waves of
128 x 128, but one of 128 x 160. Hopper has them too, but libraries there seem not to use them:
no measured product beats the ideal without them, and predictions are no better with them.
"""

_NARROW = (*TILES, *_list_narrow_tiles(8))
_ANY_WIDTH = (*TILES, *WIDE_TILES, *_list_narrow_tiles(8))
_SHARED_ELEMENTS_PER_CYCLE = 64
"""128 bytes per cycle, in 16-bit elements."""
_ARCHITECTURES = {
    name: ThreadBlocks(
        tiles=_ANY_WIDTH if name.startswith("Blackwell") else _NARROW,
        fed_side_elements=2 * macs_per_cycle / _SHARED_ELEMENTS_PER_CYCLE,
        cluster_tile_count=cluster,
    )
    for name, macs_per_cycle, cluster in (
        ("Volta", 512, 1),
        ("Ampere", 1024, 1),
        ("Ada Lovelace", 512, 1),
        ("Hopper", 2048, 16),
        ("Blackwell", 4096, 16),
        ("Blackwell Ultra", 4096, 16),
    )
}


def find_thread_blocks(chip: Chip | str) -> ThreadBlocks:
    """Thread blocks of the chip's architecture; the default where it is not described here (AMD's)."""
    chip = find_chip(chip)
    return _ARCHITECTURES.get(chip.architecture or "", LIBRARY_BLOCKS)
