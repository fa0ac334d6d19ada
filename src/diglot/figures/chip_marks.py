"""A chip's look in figures, and the normal form in which chip ids are compared."""

from types import MappingProxyType

import msgspec

SHAPES = MappingProxyType(
    {
        **{"o": "circle", "s": "square", "D": "diamond"},
        **{"^": "triangle up", "v": "triangle down", ">": "triangle right", "<": "triangle left"},
    }
)
"""Matplotlib's marker codes to the class names that style sheets use."""


class ChipMark(msgspec.Struct, frozen=True, kw_only=True):
    """The look of one chip in every figure: hue shows the family, step the generation, marker the vendor."""

    chip_id: str
    """Id in the catalogue of chips."""
    label: str
    """Short name next to its line, the same in both languages."""
    token: str
    """Colour of lines, bars and marker edges."""
    text_token: str
    """Colour of its label: one step stronger than `token` if that is too weak for text."""
    marker: str
    """A key of `SHAPES`: `o` NVIDIA, `D` AMD, `s` TPU; `^`, `v`, `>` and `<` are for custom chips."""


FIRST_YEARS = ((2025, 4), (2024, 3), (2022, 2))
"""First year and step of the hue; step 1 for earlier years."""


def find_step(year: int) -> int:
    """The step of a chip's hue, by the year of its release."""
    return next((step for first, step in FIRST_YEARS if year >= first), 1)


def fold_chip_id(chip_id: str) -> str:
    """A chip's id or name normalised for comparison. Keys of a figure's data write `_` for `-`."""
    return chip_id.casefold().replace("_", "-").replace(" ", "-")
