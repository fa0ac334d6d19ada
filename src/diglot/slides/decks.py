"""Finds decks, and reads each kind of them."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from diglot.slides.archives import Archive
from diglot.slides.mistakes import missing, wrong_format
from diglot.slides.opendocument import read_opendocument
from diglot.slides.powerpoint import read_powerpoint
from diglot.slides.records import Deck
from diglot.slides.texts import read_picture, read_text

POWERPOINT = (".pptx", ".pptm", ".ppsx", ".ppsm", ".potx", ".potm")
OPENDOCUMENT = (".odp", ".otp")
TEXTS = (".md", ".markdown", ".qmd", ".html", ".htm", ".tex", ".typ")
PICTURES = (".svg", ".png", ".pdf")
_KNOWN = (*POWERPOINT, *OPENDOCUMENT, *TEXTS, *PICTURES)
_PASSED_OVER = ("node_modules", "__pycache__")


def find_decks(paths: Sequence[Path]) -> list[Path]:
    """The files themselves, and all decks, texts and pictures in folders. Hidden folders are passed over.

    Raises DiagnosticError for a path at which there is nothing, and for a file of another kind.
    """
    found: dict[Path, None] = {}
    for path in paths:
        if path.is_dir():
            found.update(dict.fromkeys(_in_folder(path)))
        elif not path.exists():
            raise missing(path)
        elif path.suffix.lower() not in _KNOWN:
            raise wrong_format(path, "is no deck that diglot reads", _fix_of(path.suffix.lower()))
        else:
            found[path] = None
    return [*found]


def read_deck(path: Path, root: Path) -> Deck:
    """What a file shows. `root` is the project, from which texts may name their pictures.

    Raises DiagnosticError for a file that is damaged, encrypted or too large.
    """
    ending = path.suffix.lower()
    if ending in TEXTS:
        return read_text(path, root)
    if ending in PICTURES:
        return read_picture(path)
    with path.open("rb") as file:
        archive = Archive(path, file)
        return read_powerpoint(archive) if ending in POWERPOINT else read_opendocument(archive)


def is_archive(path: Path) -> bool:
    """Whether pictures are inside of the file rather than next to it."""
    return path.suffix.lower() in (*POWERPOINT, *OPENDOCUMENT)


def _in_folder(folder: Path) -> Iterator[Path]:
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(one for one in folders if not one.startswith(".") and one not in _PASSED_OVER)
        for name in sorted(files):
            if Path(name).suffix.lower() in _KNOWN and not name.startswith((".", "~$")):
                yield Path(parent, name)


def _fix_of(ending: str) -> str:
    match ending:
        case ".ppt" | ".pps" | ".pot":
            return "save it as .pptx in PowerPoint."
        case ".key":
            return "export it as .pptx in Keynote."
        case _:
            return f"diglot reads {', '.join(_KNOWN)}, and folders."
