"""Reads which exported pictures a text refers to: decks in Markdown, HTML, LaTeX and Typst."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from diglot.slides.mistakes import damaged
from diglot.slides.records import Deck, Picture, Place
from diglot.slides.renditions import rendition

_REFERENCE = re.compile(
    r"""(?<=["'({<=\s])(?![a-z][a-z0-9+.-]*:)([^"'(){}<>\[\]\n]+?\.(?:svg|png|pdf|jpe?g))(?=[?#"')}>\s]|$)"""
)
_INCLUDED = re.compile(r"\\includegraphics\s*(?:<[^>]*>)?\s*(?:\[[^\]]*\])?\s*\{([^{}\n]+)\}")
_ENDINGS_OF_LATEX = (".pdf", ".png", ".jpg", ".jpeg")
_FOLDERS_OF_LATEX = re.compile(r"\\graphicspath\s*\{((?:\s*\{[^{}]*\})+)\s*\}")


def read_text(path: Path, root: Path) -> Deck:
    """The pictures that a text refers to and that are there: paths from its folder, or from the project."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise damaged(path, "it is not UTF-8 text") from error
    folders = [path.parent, root]
    for found in _FOLDERS_OF_LATEX.finditer(text):
        folders += [path.parent / one for one in re.findall(r"\{([^{}]*)\}", found[1])]
    pictures = []
    for number, line in enumerate(text.splitlines(), start=1):
        files = dict.fromkeys(one for name in _names(line) if (one := _file(name, folders)) is not None)
        pictures += [
            Picture(
                place=Place(kind="line", number=number),
                name=file.name,
                renditions=(rendition(str(file), file.read_bytes()),),
            )
            for file in files
        ]
    return Deck(pictures=tuple(pictures))


def read_picture(path: Path) -> Deck:
    """A picture by itself."""
    found = rendition(str(path), path.read_bytes())
    return Deck(pictures=(Picture(place=Place(kind="file"), name=path.name, renditions=(found,)),))


def _names(line: str) -> Iterator[str]:
    for found in _REFERENCE.finditer(f" {line}"):
        yield found[1].strip()
        yield found[1].split()[-1]
    for found in _INCLUDED.finditer(line):
        yield found[1].strip()
        yield from (found[1].strip() + ending for ending in _ENDINGS_OF_LATEX)


def _file(name: str, folders: list[Path]) -> Path | None:
    name = unquote(name)
    for folder in folders:
        try:
            if (found := folder / name.lstrip("/")).is_file():
                return found
        except (OSError, ValueError):  # too long a name, or no name of a file
            return None
    return None
