"""The mark of a chip next to its name, drawn by the style sheet."""

from diglot.figures.chip_marks import SHAPES, ChipMark


def chip_classes(mark: ChipMark) -> str:
    """Class names for the shape and colour of a chip's mark: `chip circle gpu3`."""
    return f"chip {SHAPES[mark.marker]} {mark.token}"
