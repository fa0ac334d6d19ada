"""Loads the catalogue from its files: `data/accelerators.yaml`, and the custom chips of a project.

A project adds custom chips in files of the same schema, `site/hardware/*.yaml`.
"""

import os
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from diglot.hardware.chips.catalogue import Catalogue, fold_name
from diglot.hardware.chips.chip import KINDS, PROCESSOR_KINDS, Chip, Kind
from diglot.hardware.chips.row import Row, Use
from diglot.hardware.chips.rows import CATALOGUE_PATH, digest_row, list_rows, reading, telling
from diglot.hardware.chips.schema import CatalogueData, read_catalogue_data
from diglot.hardware.data import FOLDER, read_text
from diglot.hardware.data.located_yaml import LocatedYamlError, read_located_yaml
from diglot.hardware.data.tables import Problems, TableError

PROCESSORS_PATH = FOLDER / "processors.yaml"
Texts: TypeAlias = tuple[tuple[str, str], ...]
"""Path and text of each file of a catalogue, the default one first."""
OWN_CHIPS_FOLDER = Path("site", "hardware")
"""Folder of a project's custom chips, relative to the folder in which its figures are computed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueProblem:
    """One problem of a catalogue file."""

    path: str
    line: int
    """Counted from 1."""
    problem: str
    """The dotted key, and what is wrong with it."""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.problem}"


class CatalogueError(ValueError):
    """A catalogue file breaks the schema or clashes with another file; one line per problem."""

    def __init__(self, *problems: CatalogueProblem) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems

    def __reduce__(self) -> tuple[type["CatalogueError"], tuple[CatalogueProblem, ...]]:
        return type(self), self.problems


def load_catalogue(
    *own_paths: str | os.PathLike[str], folder: str | os.PathLike[str] | None = OWN_CHIPS_FOLDER
) -> Catalogue:
    """The catalogue, followed by the custom chips of `folder`'s `*.yaml` files by name, then of `own_paths`.

    `folder` is relative to the current folder, which for a figure script is the project's root. A missing
    folder holds no chips; with None no folder is read. Custom files have the catalogue's schema and may name
    its sources. Folder and files are read at every call, so that an observer of file access sees them as
    dependencies; for the default files it learns which rows are used. The same texts are parsed once.

    Raises CatalogueError where a file breaks the schema or defines an id, short name or source that exists
    elsewhere (the message names both places); OSError where one of `own_paths` cannot be read.
    """
    if own_paths or folder != OWN_CHIPS_FOLDER:
        return read_catalogue(*own_paths, folder=folder)
    with reading(_ROWS):
        texts = _read_texts(folder)
        _parse_catalogues_once(texts)
    catalogue, use = _telling_once(texts)
    use(Row("valid"))
    return catalogue


def find_chip(chip: Chip | str) -> Chip:
    """The chip itself, or the one of the catalogue with this id, short name or alias.

    Raises UnknownChipError, which suggests the nearest name, and TypeError for anything else.
    """
    if isinstance(chip, Chip):
        return chip
    if not isinstance(chip, str):
        raise TypeError(f"chip must be a Chip or the name of one, not {chip!r}")
    return load_catalogue().find(chip)


def digest_rows() -> dict[str, str]:
    """Current digests of all rows of the default files, as `load_catalogue` reports them."""
    catalogue = read_catalogue()
    return {row.name: digest_row(catalogue, row) for row in list_rows(catalogue)}


_ROWS = f"{__name__}:{digest_rows.__name__}"
"""Name of the dataset that the default files form."""


def read_catalogue(
    *own_paths: str | os.PathLike[str], folder: str | os.PathLike[str] | None = OWN_CHIPS_FOLDER
) -> Catalogue:
    """Like `load_catalogue`, but does not report rows: an observer sees the files as dependencies."""
    return _parse_catalogues_once(_read_texts(folder, *own_paths))


def _read_texts(folder: str | os.PathLike[str] | None, *own_paths: str | os.PathLike[str]) -> Texts:
    found = [] if folder is None else _list_own_files(Path(folder))
    own = [(path.as_posix(), read_text(path)) for path in (*found, *map(Path, own_paths))]
    return (CATALOGUE_PATH.name, read_text(CATALOGUE_PATH)), *own


def read_catalogue_texts(files: Iterable[tuple[str, str]]) -> Catalogue:
    """The default catalogue with the chips of custom files, given as path and text.

    Raises CatalogueError with the problems of all custom files.
    """
    return _parse_catalogues_once(((CATALOGUE_PATH.name, read_text(CATALOGUE_PATH)), *files))


def check_catalogue_files(files: Iterable[tuple[str, str]]) -> tuple[CatalogueProblem, ...]:
    """The problems of custom files, given as path and text: those that `load_catalogue` would raise."""
    try:
        read_catalogue_texts(files)
    except CatalogueError as error:
        return error.problems
    return ()


def load_processors() -> Catalogue:
    """Processors besides the accelerators, by id: a server's CPU (`cpu`) and a chip for the edge (`edge`).

    From `data/processors.yaml`, with sources as in the catalogue. Figures have no look for them.
    """
    return _parse_processors_once(read_text(PROCESSORS_PATH))


@lru_cache(maxsize=1)
def _parse_processors_once(text: str) -> Catalogue:
    return parse_catalogue(text, path=PROCESSORS_PATH.name, kinds=PROCESSOR_KINDS)


def parse_catalogue(
    text: str,
    *,
    path: str = "accelerators.yaml",
    base: Catalogue | None = None,
    kinds: Collection[Kind] = KINDS,
) -> Catalogue:
    """The catalogue `base` followed by what `text` describes; `path` names the file in error messages.

    Chips must be of one of the `kinds`.

    Raises CatalogueError with every problem found: file, line, key and problem.
    """
    read = Problems()
    try:
        document = read_located_yaml(text)
    except LocatedYamlError as error:
        problem = CatalogueProblem(path=path, line=error.line, problem=error.problem)
        raise CatalogueError(problem) from error
    known = base or Catalogue(chips=(), sources={})
    data = read_catalogue_data(document, read, known.sources, kinds)
    found = [*read.found, *_find_clashes(data, known, path)]
    if found:
        found.sort(key=lambda problem: problem.line)
        problems = (
            CatalogueProblem(path=path, line=one.line, problem=f"{one.key}: {one.problem}") for one in found
        )
        # Without duplicates: a missing key may be reported by two reads.
        raise CatalogueError(*dict.fromkeys(problems))
    lines = {**data.chip_lines, **{f"sources.{id_}": line for id_, line in data.source_lines.items()}}
    return Catalogue(
        chips=(*known.chips, *known.provisional, *data.chips),
        sources={**known.sources, **{source.id: source for source in data.sources}},
        watched=(*known.watched, *data.watched),
        places={**known.places, **{name: f"{path}:{line}" for name, line in lines.items()}},
    )


def _list_own_files(folder: Path) -> list[Path]:
    try:
        names = os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [folder / name for name in sorted(names) if name.endswith(".yaml")]


@lru_cache(maxsize=1)
def _parse_catalogues_once(texts: Texts) -> Catalogue:
    """All files as one catalogue. The error lists the problems of all custom files."""
    (path, text), *own = texts
    catalogue = _parse_once(text, path)
    problems: list[CatalogueProblem] = []
    for path, text in own:
        try:
            catalogue = parse_catalogue(text, path=path, base=catalogue)
        except CatalogueError as error:
            problems += error.problems
    if problems:
        raise CatalogueError(*problems)
    return catalogue


@lru_cache(maxsize=1)
def _telling_once(texts: Texts) -> tuple[Catalogue, Use]:
    """The catalogue that reports its rows, each once a process, which is what an observer needs."""
    plain = _parse_catalogues_once(texts)
    use = telling(_ROWS, plain)
    catalogue = Catalogue(
        chips=(*plain.chips, *plain.provisional),
        sources=plain.sources,
        watched=plain.watched,
        places=plain.places,
        use=use,
    )
    return catalogue, use


@lru_cache(maxsize=1)
def _parse_once(text: str, path: str) -> Catalogue:
    """Cache the large default file, which does not change while an author edits a custom one."""
    return parse_catalogue(text, path=path)


def _find_clashes(data: CatalogueData, known: Catalogue, path: str) -> Iterator[TableError]:
    """Sources and chips that `known` already has, by any of their names, since `find` accepts all."""
    for id_, line in data.source_lines.items():
        if id_ in known.sources:
            yield TableError(
                line, f"sources.{id_}", f"is already defined in {known.places[f'sources.{id_}']}"
            )
    taken = {
        fold_name(name): (chip.id, known.places[chip.id])
        for chip in (*known.chips, *known.provisional)
        for name in chip.names
    }
    for chip in data.chips:
        line = data.chip_lines[chip.id]
        for key, name in zip(("id", "short_name", *["aliases"] * len(chip.aliases)), chip.names, strict=True):
            other, place = taken.get(fold_name(name), (chip.id, f"{path}:{line}"))
            if other != chip.id or not place.startswith(
                f"{path}:"
            ):  # the schema reports ids repeated in one file
                yield TableError(line, f"{chip.id}.{key}", f'"{name}" is already {other}, {place}')
        for name in chip.names:
            taken.setdefault(fold_name(name), (chip.id, f"{path}:{line}"))
