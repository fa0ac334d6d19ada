"""The looks of chips that a project adds in `site/hardware/*.yaml`, so that any figure can draw them.

The generator knows nothing of hardware, and a look needs little: id, short name, kind and year are read here
without judging the rest, whose mistakes the catalogue tells. Hue is the kind, step the year; markers are
triangles, one direction after another for the chips of a kind, by file name and place in the file.
"""

import os
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from diglot.figures.palette import ChipMark, fold_chip_id

OWN_CHIPS_FOLDER = Path("site", "hardware")
"""Relative to the project's root, in which figures are drawn."""
MARKERS = ("^", "v", ">", "<")
"""Of the first own chip of a kind, the second …; after the last the first again."""
FIRST_YEARS = ((2025, 4), (2024, 3), (2022, 2))
"""From which year on a chip has which step of its hue; before, the first. So the catalogue's chips fall."""


def read_own_marks() -> Mapping[str, ChipMark]:
    """Folded id to look of all own chips; empty where there is no such folder.

    Folder and files are read at every call, so that whoever watches what is opened sees them as dependencies.
    """
    try:
        names = sorted(name for name in os.listdir(OWN_CHIPS_FOLDER) if name.endswith(".yaml"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    return _find_marks(tuple((OWN_CHIPS_FOLDER / name).read_text("utf-8") for name in names))


@lru_cache(maxsize=1)
def _find_marks(texts: tuple[str, ...]) -> Mapping[str, ChipMark]:
    found: dict[str, ChipMark] = {}
    counts = {"gpu": 0, "tpu": 0}
    for chip in (chip for text in texts for chip in _read_chips(text)):
        kind, id_ = chip.get("kind"), chip.get("id")
        if kind not in counts or not isinstance(id_, str) or fold_chip_id(id_) in found:
            continue
        year = chip.get("year")
        step = next((step for first, step in FIRST_YEARS if isinstance(year, int) and year >= first), 1)
        found[fold_chip_id(id_)] = ChipMark(
            chip_id=id_,
            label=str(chip.get("short_name", id_)),
            token=f"{kind}{step}",
            text_token=f"{kind}{max(step, 2)}",
            marker=MARKERS[counts[kind] % len(MARKERS)],
        )
        counts[kind] += 1
    return found


def _read_chips(text: str) -> Iterator[dict[str, Any]]:
    """The chips of one file; none of a file that is no YAML or has another form."""
    import yaml  # only where a project has chips of its own

    try:
        document = yaml.safe_load(text)
    except yaml.YAMLError:
        return
    chips = document.get("chips") if isinstance(document, dict) else None
    yield from (chip for chip in chips or () if isinstance(chip, dict))
