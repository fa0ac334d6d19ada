"""The looks of custom chips, which a project adds in `site/hardware/*.yaml` for use in any figure.

The hardware library's own YAML reader is used, so that a word means the same here and in the catalogue. A
look needs only id, short name, kind and year; the catalogue reports errors in everything else.
The kind decides the hue and the year the step. Markers are triangles: the chips of a kind take the directions
in turn, ordered by file name and then by position in the file.
"""

import os
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from diglot.figures.chip_marks import ChipMark, fold_chip_id
from diglot.hardware.data.located_yaml import LocatedYamlError, Value, read_located_yaml

CUSTOM_CHIPS_FOLDER = Path("site", "hardware")
"""Relative to the project's root, which is the current folder when figures are drawn."""
MARKERS = ("^", "v", ">", "<")
"""Markers for the custom chips of a kind, used in turn."""
FIRST_YEARS = ((2025, 4), (2024, 3), (2022, 2))
"""First year and step of the hue; step 1 for earlier years. Chosen to agree with the catalogue's chips."""


def read_own_marks() -> Mapping[str, ChipMark]:
    """The looks of all custom chips by folded id; empty if the folder does not exist.

    The folder and its files are read at every call, so that the observer records them as dependencies.
    """
    try:
        names = sorted(name for name in os.listdir(CUSTOM_CHIPS_FOLDER) if name.endswith(".yaml"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    return _find_marks(tuple((CUSTOM_CHIPS_FOLDER / name).read_text("utf-8") for name in names))


@lru_cache(maxsize=1)
def _find_marks(texts: tuple[str, ...]) -> Mapping[str, ChipMark]:
    found: dict[str, ChipMark] = {}
    counts = {"gpu": 0, "tpu": 0}
    for chip in (chip for text in texts for chip in _read_chips(text)):
        kind, id_, label = chip.get("kind"), chip.get("id"), chip.get("short_name")
        if not (isinstance(kind, str) and kind in counts and isinstance(id_, str)):
            continue
        if fold_chip_id(id_) in found:
            continue
        year = chip.get("year")
        step = next((step for first, step in FIRST_YEARS if isinstance(year, int) and year >= first), 1)
        found[fold_chip_id(id_)] = ChipMark(
            chip_id=id_,
            label=label if isinstance(label, str) else id_,
            token=f"{kind}{step}",
            text_token=f"{kind}{max(step, 2)}",
            marker=MARKERS[counts[kind] % len(MARKERS)],
        )
        counts[kind] += 1
    return found


def _read_chips(text: str) -> Iterator[dict[str, Value]]:
    """The chips of one file. Yields nothing if the file is not valid YAML or has another structure."""
    try:
        document = read_located_yaml(text).value
    except LocatedYamlError:
        return
    chips = document["chips"].value if isinstance(document, dict) and "chips" in document else None
    for chip in chips if isinstance(chips, list) else ():
        if isinstance(chip.value, dict):
            yield {key: found.value for key, found in chip.value.items()}
