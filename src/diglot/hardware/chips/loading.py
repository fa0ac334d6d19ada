"""The catalogue as its files have it: `data/accelerators.yaml`, and a project's own.

A project adds chips of its own in files of the same schema, `site/hardware/*.yaml`.
"""

import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from diglot.hardware.chips.catalogue import Catalogue, fold_name
from diglot.hardware.chips.rows import CATALOGUE_PATH, digest_row, list_rows, reading, telling
from diglot.hardware.chips.schema import CatalogueData, read_catalogue_data
from diglot.hardware.data.located_yaml import LocatedYamlError, read_located_yaml
from diglot.hardware.data.tables import Problems, TableError

OWN_CHIPS_FOLDER = Path("site", "hardware")
"""Where a project keeps chips of its own, relative to the folder in which its figures are computed."""


class CatalogueError(ValueError):
    """A catalogue file is not what the schema says, or clashes with another; one line for each problem."""


def load_catalogue(
    *own_paths: str | os.PathLike[str], folder: str | os.PathLike[str] | None = OWN_CHIPS_FOLDER
) -> Catalogue:
    """The catalogue, and after its chips those of `folder`'s `*.yaml` files by name, then of `own_paths`.

    `folder` is relative to the current one, which for a figure script is the project's root; one that is not
    there holds no chips; None looks for none. Own files have the catalogue's schema and may name its sources.
    Folder and files are read at every call, so that whoever watches what is opened and listed sees them as
    dependencies, or (of the default files) is told which rows are used; the same texts are parsed once.

    Raises CatalogueError where a file breaks the schema, or where an id, a short name or a source stands
    already elsewhere (both places are named); OSError where one of `own_paths` cannot be read.
    """
    if own_paths or folder != OWN_CHIPS_FOLDER:
        return read_catalogue(*own_paths, folder=folder)
    with reading(_ROWS):
        plain = read_catalogue()
    use = telling(_ROWS, plain)
    use("valid")
    return Catalogue(chips=plain.chips, sources=plain.sources, places=plain.places, use=use)


def digest_rows() -> dict[str, str]:
    """The digests of all rows of the default files, as `load_catalogue` would tell of them now."""
    catalogue = read_catalogue()
    return {row: digest_row(catalogue, row) for row in list_rows(catalogue)}


_ROWS = f"{__name__}:{digest_rows.__name__}"
"""The rows of the default files, as a dataset."""


def read_catalogue(
    *own_paths: str | os.PathLike[str], folder: str | os.PathLike[str] | None = OWN_CHIPS_FOLDER
) -> Catalogue:
    """As `load_catalogue`, but does not tell which rows are used: who watches sees the files."""
    found = [] if folder is None else _list_own_files(Path(folder))
    texts = [(CATALOGUE_PATH.name, _read_text(CATALOGUE_PATH))]
    texts += [(path.as_posix(), _read_text(path)) for path in (*found, *map(Path, own_paths))]
    return _parse_catalogues_once(tuple(texts))


def parse_catalogue(
    text: str, *, path: str = "accelerators.yaml", base: Catalogue | None = None
) -> Catalogue:
    """The catalogue that `text` describes, after that of `base`; `path` is how problems name the file.

    Raises CatalogueError with every problem found: file, line, key, what is wrong.
    """
    problems = Problems()
    try:
        document = read_located_yaml(text)
    except LocatedYamlError as error:
        raise CatalogueError(f"{path}:{error.line}: {error.problem}") from error
    known = base or Catalogue(chips=(), sources={})
    data = read_catalogue_data(document, problems, known.sources)
    found = [*problems.found, *_find_clashes(data, known, path)]
    if found:
        found.sort(key=lambda problem: problem.line)
        # Once each: what is missing may be looked for twice.
        raise CatalogueError("\n".join(dict.fromkeys(f"{path}:{problem}" for problem in found)))
    lines = {**data.chip_lines, **{f"sources.{id_}": line for id_, line in data.source_lines.items()}}
    return Catalogue(
        chips=(*known.chips, *data.chips),
        sources={**known.sources, **{source.id: source for source in data.sources}},
        places={**known.places, **{name: f"{path}:{line}" for name, line in lines.items()}},
    )


def _list_own_files(folder: Path) -> list[Path]:
    try:
        names = os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [folder / name for name in sorted(names) if name.endswith(".yaml")]


def _read_text(path: Path) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


@lru_cache(maxsize=1)
def _parse_catalogues_once(texts: tuple[tuple[str, str], ...]) -> Catalogue:
    """All files as one catalogue; what is wrong in several is told at once."""
    (path, text), *own = texts
    catalogue, problems = _parse_once(text, path), []
    for path, text in own:
        try:
            catalogue = parse_catalogue(text, path=path, base=catalogue)
        except CatalogueError as error:
            problems.append(str(error))
    if problems:
        raise CatalogueError("\n".join(problems))
    return catalogue


@lru_cache(maxsize=1)
def _parse_once(text: str, path: str) -> Catalogue:
    """Of the large file, which stays the same while someone edits a small one."""
    return parse_catalogue(text, path=path)


def _find_clashes(data: CatalogueData, known: Catalogue, path: str) -> Iterator[TableError]:
    """Sources and chips that `known` has already. `find` takes ids and short names alike, so both count."""
    for id_, line in data.source_lines.items():
        if id_ in known.sources:
            yield TableError(
                line, f"sources.{id_}", f"is already defined in {known.places[f'sources.{id_}']}"
            )
    taken = {
        fold_name(name): (chip.id, known.places[chip.id])
        for chip in known.chips
        for name in (chip.id, chip.short_name)
    }
    for chip in data.chips:
        line, names = data.chip_lines[chip.id], {"id": chip.id, "short_name": chip.short_name}
        for key, name in names.items():
            other, place = taken.get(fold_name(name), (chip.id, f"{path}:{line}"))
            if other != chip.id or not place.startswith(
                f"{path}:"
            ):  # an id twice in a file is told elsewhere
                yield TableError(line, f"{chip.id}.{key}", f'"{name}" is already {other}, {place}')
        for name in names.values():
            taken.setdefault(fold_name(name), (chip.id, f"{path}:{line}"))
