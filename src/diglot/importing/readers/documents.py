"""Finds the documents of MyST, Jupyter Book and Quarto projects, of vaults of Obsidian, and notebooks."""

import posixpath
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from diglot.content.notebooks import notebook_text
from diglot.diagnostics import DiagnosticError
from diglot.importing.readers.file_names import is_imported, read_file_name
from diglot.importing.readers.reading import Reading
from diglot.importing.readers.settings import Settings, read_configuration
from diglot.importing.readers.source_files import MARKDOWN, split_matter
from diglot.importing.records import Half, SiteSettings, SourceSite
from diglot.importing.source_folder import SourceFolder
from diglot.importing.words import words

NOTEBOOK = ".ipynb"
_MOST_FOLDERS = 200
_FIRST = ("index", "intro")
"""Names of files that are called by their folder."""


class Kind(NamedTuple):
    """What one tool's documents are."""

    endings: tuple[str, ...]
    configurations: tuple[str, ...] = ()
    """The files of its configuration; the first that is there counts."""
    finds_by_name: bool = False
    """Whether links name files in any folder."""


KINDS: Mapping[str, Kind] = {
    "myst": Kind((*MARKDOWN, NOTEBOOK), ("myst.yml", "_config.yml")),
    "quarto": Kind((".qmd", *MARKDOWN, NOTEBOOK), ("_quarto.yml", "_quarto.yaml")),
    "notebook": Kind((NOTEBOOK,)),
    "obsidian": Kind(MARKDOWN, finds_by_name=True),
}
_NOT_TEXTS = words("documents, not articles")


def read_documents(system: str, folder: SourceFolder, files: list[str] | None = None) -> SourceSite:
    """Read a project; with `files`, only these documents of it."""
    kind, reading = KINDS[system], Reading(folder)
    configuration = read_configuration(reading, kind.configurations, optional=True)
    everywhere = tuple(sorted(one.rstrip("/") for one in reading.folders))[:_MOST_FOLDERS]
    halves: list[Half] = []
    for path in reading.files if files is None else files:
        if not path.lower().endswith(kind.endings):
            continue
        if files is None and any(part.startswith("_") for part in path.split("/")[:-1]):
            reading.left[path] = "is in a folder of files for pages, not of documents"
            continue
        if files is None and posixpath.basename(path).lower() in _NOT_TEXTS:
            reading.left[path] = "is about the project, and no document"
            continue
        if (text := _text(reading, path)) is None:
            continue
        matter = split_matter(text)
        at = read_file_name(
            path.split("/"), matter, language_keys=("lang", "language"), deepest_language_folder=2
        )
        if not is_imported(path, at.code, matter, reading):
            continue
        place = "/".join(filter(None, (*at.rest, at.name)))
        own = (posixpath.dirname(path), "")
        halves.append(
            Half(
                source=path,
                matter=matter,
                key=matter.text("ref") or place.lower(),
                name=at.name if at.name not in _FIRST else (at.rest[-1] if at.rest else "welcome"),
                language=at.language,
                date=at.date,
                folders=tuple(dict.fromkeys((*own, *(everywhere if kind.finds_by_name else ())))),
            )
        )
    return SourceSite(
        folder=folder,
        files=frozenset(reading.files),
        halves=tuple(halves),
        settings=_settings(configuration) if configuration else None,
        statics={},
        references=tuple(path for path in reading.files if path.lower().endswith(".bib")),
        findings=tuple(reading.findings),
        configurations=frozenset(reading.configurations),
        left=reading.left,
    )


def _text(reading: Reading, path: str) -> str | None:
    """The text of a document; None if it cannot be read, which is said."""
    text = reading.text(path)
    if text is None or not path.lower().endswith(NOTEBOOK):
        return text
    try:
        text, warnings = notebook_text(text, path)
    except DiagnosticError as error:
        reading.leave(path, f"cannot be read: {error.diagnostics[0].message}", error.diagnostics[0].fix or "")
        return None
    for one in warnings:
        reading.findings.tell(path, one.message, one.fix or "")
    return "\n".join(_without_gaps(text))


_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")


def _without_gaps(text: str) -> Iterator[str]:
    """The lines, with one empty line where the file of a notebook has something else."""
    fence, is_empty = "", True
    for line in text.split("\n"):
        marks = _FENCE.match(line)
        if marks is not None and not fence:
            fence = marks[1]
        elif marks is not None and marks[1].startswith(fence) and not line.strip().strip(fence[0]):
            fence = ""
        if line.strip() or fence or not is_empty:
            yield line
        is_empty = not line.strip()


def _settings(configuration: Settings) -> SiteSettings:
    """Title, address and the like, wherever MyST, Jupyter Book and Quarto have them."""
    places = [configuration, *map(configuration.inside, ("project", "site", "website", "book", "html"))]
    named = (place for place in places if (place.bilingual("title") is not None))
    title = next(named, configuration)
    address = next(filter(None, (place.text("site-url", "baseurl", "url") for place in places)), "")
    return SiteSettings(
        title=title.bilingual("title"),
        description=title.bilingual("description") or title.bilingual("subtitle"),
        base_url=address,
        author=next(filter(None, (", ".join(place.texts("author")) for place in places)), ""),
    )
