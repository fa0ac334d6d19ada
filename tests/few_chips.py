"""A catalogue of two chips, for tests that build pages of chips: to draw them all takes long."""

from collections.abc import Iterable

from diglot.hardware.chips.catalogue import Catalogue
from diglot.hardware.chips.loading import read_catalogue_texts


def two_chips(texts: Iterable[tuple[str, str]]) -> Catalogue:
    """The catalogue without all chips except `h200-sxm` and `one`, which a project adds.

    Put it in the place of `diglot.figures.catalogue_sheets.read_catalogue_texts`.
    """
    whole = read_catalogue_texts(texts)
    chips = tuple(chip for chip in whole.chips if chip.id in ("h200-sxm", "one"))
    return Catalogue(chips=chips, sources=whole.sources, places=whole.places)
