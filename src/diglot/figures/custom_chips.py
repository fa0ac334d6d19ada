"""The looks of chips that a project adds in `site/hardware/*.yaml`, so that any figure can draw them.

The files are read by the hardware library's own reader of YAML, so that a word is the same here and in the
catalogue. A look needs only id, short name, kind and year; what is wrong with the rest, the catalogue tells.
Hue is the kind, step the year; markers are triangles, one direction after another for the chips of a kind, by
file name and place in the file.
"""

import os
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from diglot.figures.chip_marks import ChipMark, fold_chip_id
from diglot.hardware.data.located_yaml import LocatedYamlError, Value, read_located_yaml

CUSTOM_CHIPS_FOLDER = Path("site", "hardware")
"""Relative to the project's root, in which figures are drawn."""
MARKERS = ("^", "v", ">", "<")
"""Of the first own chip of a kind, the second …; after the last the first again."""
FIRST_YEARS = ((2025, 4), (2024, 3), (2022, 2))
"""From which year on a chip has which step of its hue; before, the first. So the catalogue's chips fall."""


def read_own_marks() -> Mapping[str, ChipMark]:
    """Folded id to look of all custom chips; empty where there is no such folder.

    Folder and files are read at every call, so that whoever watches what is opened sees them as dependencies.
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
    """The chips of one file; none of a file that is no YAML or has another form."""
    try:
        document = read_located_yaml(text).value
    except LocatedYamlError:
        return
    chips = document["chips"].value if isinstance(document, dict) and "chips" in document else None
    for chip in chips if isinstance(chips, list) else ():
        if isinstance(chip.value, dict):
            yield {key: found.value for key, found in chip.value.items()}
