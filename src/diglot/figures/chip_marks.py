"""What a chip looks like in figures, and how its id is compared."""

from types import MappingProxyType

import msgspec

SHAPES = MappingProxyType(
    {
        **{"o": "circle", "s": "square", "D": "diamond"},
        **{"^": "triangle up", "v": "triangle down", ">": "triangle right", "<": "triangle left"},
    }
)
"""Markers, as matplotlib writes them, to the class names that style sheets know them by."""


class ChipMark(msgspec.Struct, frozen=True, kw_only=True):
    """How one chip looks in every figure: hue is family, step is generation, marker is vendor."""

    chip_id: str
    """As the catalogue of chips names it."""
    label: str
    """The short name written beside its line, the same in both languages."""
    token: str
    """Colour of lines, bars and marker edges."""
    text_token: str
    """Colour of its label: one step stronger where the line's would be too weak for text."""
    marker: str
    """One of `SHAPES`: `o` NVIDIA, `D` AMD, `s` TPU; `^`, `v`, `>` and `<` a project's own."""


def fold_chip_id(chip_id: str) -> str:
    """An id as it is compared: keys of data write `_` for `-`."""
    return chip_id.casefold().replace("_", "-")
