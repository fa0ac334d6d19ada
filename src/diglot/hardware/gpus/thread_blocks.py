"""Which tiles of a matrix product the thread blocks of a GPU compute, and what narrow ones cost.

A matrix unit takes whole instructions: on Ampere 16 x 8 outputs, on Hopper 64 x 8 and wider. Either side of C
may lie along either side of the instruction (kernels swap A and B), so a tile may be as narrow as 8, and few
rows need not be padded to 64. Narrow tiles are fed worse, though: both operands of an instruction come from
shared memory, 128 bytes a cycle, and a tile of 8 x 128 reads 136 elements for 1,024 multiply-accumulates.

Sources: NVIDIA, "Parallel Thread Execution ISA" (`mma.m16n8k16`; `wgmma.mma_async` m64nNk16 with N from 8 to
256 in steps of 8; `wmma` m8n32k16 and m32n8k16 on Volta; `tcgen05.mma` 64 x N); NVIDIA, "CUDA C++ Programming
Guide", sections "Shared Memory" (32 banks of 32 bits a cycle) and "Thread Block Clusters" (8 blocks anywhere,
16 where a kernel asks for them); NVIDIA's white papers on V100, A100, H100 and Ada (multiply-accumulates of
an SM and cycle: 512, 1,024, 2,048, 512; Blackwell's follow from its peak).
"""

from dataclasses import dataclass

from diglot.hardware.chips.chip import Chip
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
        """Whether a side is below those of the libraries' general tiles."""
        return min(self.m_elements, self.n_elements) < LIBRARY_SIDE_ELEMENTS


TILES = tuple(
    Tile(m_elements=m, n_elements=n)
    for m, n in ((256, 128), (128, 256), (128, 128), (256, 64), (64, 256), (128, 64), (64, 128), (64, 64))
)
"""The sizes that NVIDIA's guide lists for its libraries, the most efficient first.

Source: NVIDIA, "Matrix Multiplication Background User's Guide", section "Tile Quantization".
"""


def _list_narrow_tiles(least: int) -> tuple[Tile, ...]:
    """Tiles with one side of 32, 16 … down to the instruction's narrowest, widest first."""
    sides = [side for side in (32, 16, 8) if side >= least]
    return tuple(
        Tile(m_elements=m, n_elements=n)
        for side in sides
        for other in (256, 128, 64)
        for m, n in ((side, other), (other, side))
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadBlocks:
    """What thread blocks may be on one architecture; the default: the guide's tiles, fed without limit."""

    tiles: tuple[Tile, ...] = TILES
    """To choose from, the most efficient first. Narrow ones serve products with a side below 64."""
    fed_side_elements: float = 0.0
    """Side of the smallest square tile that shared memory feeds at the peak: twice the multiply-accumulates
    that an SM does while one element arrives. The same in 16 and in 8 bits, as both rates double. 0: any."""
    cluster_tile_count: int = 1
    """Most thread blocks that one fetch from L2 may serve (TMA multicast in a cluster)."""

    def __post_init__(self) -> None:
        if not self.tiles:
            raise ValueError("tiles must hold at least one")
        check_amount("fed_side_elements", self.fed_side_elements)
        check_size("cluster_tile_count", self.cluster_tile_count)

    def feed_macs(self, tile_m_elements: Size, tile_n_elements: Size) -> Real:
        """Multiply-accumulates that pass at the peak while a tile's operands come from shared memory once.

        For each step along k. A tile is starved where this is more than its area.
        """
        m, n = check_size("tile_m_elements", tile_m_elements), check_size("tile_n_elements", tile_n_elements)
        return self.fed_side_elements / 2 * (to_float(m) + to_float(n))


LIBRARY_BLOCKS = ThreadBlocks()
"""Of a GPU about whose instructions nothing is known."""

_NARROW = (*TILES, *_list_narrow_tiles(8))
_SHARED_ELEMENTS_PER_CYCLE = 64
"""128 bytes in elements of 16 bits."""
_ARCHITECTURES = {
    name: ThreadBlocks(
        tiles=_NARROW,
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


def find_thread_blocks(chip: Chip) -> ThreadBlocks:
    """Those of the chip's architecture; the default where its instructions are not described here (AMD's)."""
    return _ARCHITECTURES.get(chip.architecture or "", LIBRARY_BLOCKS)
