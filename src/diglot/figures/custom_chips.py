"""The looks of custom chips, which a project adds in `site/hardware/*.yaml` for use in any figure.

The hardware library's own YAML reader is used, so that a word means the same here and in the catalogue. A
look needs only id, short name, kind and year; the catalogue reports errors in everything else.
The kind decides the hue, that of GPUs for all but TPUs, and the year the step. Markers are triangles: the
chips of a kind take the directions in turn, ordered by file name and then by position in the file.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from diglot.diagnostics import Diagnostic, Location, split_suggestion
from diglot.figures.chip_marks import ChipMark, find_step, fold_chip_id
from diglot.hardware.data.located_yaml import LocatedYamlError, Value, read_located_yaml


class ChipProblem(Protocol):
    """A problem of a file of chips, as the hardware library reports it."""

    @property
    def path(self) -> str:
        """The file, relative to the project's root."""

    @property
    def line(self) -> int:
        """Counted from 1."""

    @property
    def problem(self) -> str:
        """What is wrong, with the key."""


CUSTOM_CHIPS_FOLDER = Path("site", "hardware")
"""Relative to the project's root, which is the current folder when figures are drawn."""
MARKERS = ("^", "v", ">", "<")
"""Markers for the custom chips of a kind, used in turn."""


def read_own_marks() -> Mapping[str, ChipMark]:
    """The looks of all custom chips by folded id; empty if the folder does not exist.

    The folder and its files are read at every call, so that the observer records them as dependencies.
    """
    try:
        names = sorted(name for name in os.listdir(CUSTOM_CHIPS_FOLDER) if name.endswith(".yaml"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    return find_marks(tuple((CUSTOM_CHIPS_FOLDER / name).read_text("utf-8") for name in names))


@lru_cache(maxsize=1)
def find_marks(texts: tuple[str, ...]) -> Mapping[str, ChipMark]:
    """The looks of the chips in the texts of files, by folded id."""
    found: dict[str, ChipMark] = {}
    counts = {"gpu": 0, "tpu": 0}
    for chip in (chip for text in texts for chip in _read_chips(text)):
        kind, id_, label = chip.get("kind"), chip.get("id"), chip.get("short_name")
        if not (isinstance(kind, str) and isinstance(id_, str)):
            continue
        kind = kind if kind in counts else "gpu"
        if fold_chip_id(id_) in found:
            continue
        year = chip.get("year")
        step = find_step(year if isinstance(year, int) else 0)
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


def read_chip_entries(text: str) -> dict[str, dict[str, Any]]:
    """The chips that a file describes, by id, as its author wrote them. Empty if it cannot be read."""
    return {str(chip["id"]): _plain(chip) for chip in _read_chips(text) if "id" in chip}


def _plain(value: Any) -> Any:
    """A value without the places of its parts in the file."""
    if isinstance(value, dict):
        return {key: _plain(getattr(one, "value", one)) for key, one in value.items()}
    if isinstance(value, list):
        return [_plain(getattr(one, "value", one)) for one in value]
    return value


def check_chip_files(files: Iterable[tuple[str, str]]) -> tuple[Diagnostic, ...]:
    """The mistakes in a project's files of chips, which are given as path and text."""
    from diglot.hardware.chips.loading import check_catalogue_files  # noqa: PLC0415  (only projects with such files need it)

    texts = dict(files)
    return diagnose_chips(check_catalogue_files(texts.items()), lambda path: texts.get(path, ""))


def diagnose_chips(problems: Iterable[ChipProblem], text_of: Callable[[str], str]) -> tuple[Diagnostic, ...]:
    """Problems of files of chips as diagnostics; `text_of` gives the text of a file."""
    found = []
    for one in problems:
        message, fix = split_suggestion(one.problem)
        lines = text_of(one.path).splitlines()
        found.append(
            Diagnostic(
                rule="chip-file",
                message=message,
                location=Location(path=one.path, line=one.line),
                source_line=lines[one.line - 1] if one.line <= len(lines) else None,
                fix=fix or _FIXES.get(message.rpartition(": ")[2]) or _fix_of(message),
            )
        )
    return tuple(found)


def _fix_of(message: str) -> str:
    if message.endswith("is missing"):
        return "add it; the guide for figures has a complete example."
    if "is already" in message:
        return "choose another name."
    if ": " not in message:  # the reader of YAML names no key
        return "correct the YAML of this line or of the one above it."
    return "correct this value."


_FIXES = {
    "mapping values are not allowed in this context": "put quotes around a text that contains `: `.",
    "found a tab character that violates indentation": "indent with spaces.",
    "found character '\\t' that cannot start any token": "indent with spaces.",
}
