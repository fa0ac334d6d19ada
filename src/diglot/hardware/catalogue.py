"""The catalogue of accelerators: sourced figures of chips, read from `data/accelerators.yaml`.

catalogue = load_catalogue()
catalogue["h200-sxm"].peak_flops_per_s("bf16")        # 9.894e14
catalogue["h200-sxm"].quantity("peak_dense.bf16")     # the same with source, date and doubts

A project adds chips of its own in files of the same schema, `site/hardware/*.yaml`.
"""

import difflib
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from diglot.hardware.catalogue_schema import CatalogueData, read_catalogue_data
from diglot.hardware.chips import Chip, Conflict, Quantity, Source
from diglot.hardware.located_yaml import LocatedYamlError, read_located_yaml
from diglot.hardware.tables import Problems, TableError

CATALOGUE_PATH = Path(__file__).parent / "data" / "accelerators.yaml"
OWN_CHIPS_FOLDER = Path("site", "hardware")
"""Where a project keeps chips of its own, relative to the folder in which its figures are computed."""


READ_EVENT = "diglot.hardware.catalogue.read"
"""The audit event around the reading of the default files: `begin`, and `end` where all is well with them."""

ROW_EVENT = "diglot.hardware.catalogue.row"
"""The audit event of a use of a catalogue: the row's name and its text, as `list_rows` has them, and the
files that it stands in. Who listens depends on these rows, not on the files: the figure of one chip is not
drawn anew for another's price."""


class CatalogueError(ValueError):
    """A catalogue file is not what the schema says, or clashes with another; one line for each problem."""


class UnknownChipError(KeyError):
    """No chip of that id; the message suggests the nearest."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Catalogue(Mapping[str, Chip]):
    """Chips by id, in the file's order, and the sources that their figures name."""

    chips: tuple[Chip, ...]
    sources: Mapping[str, Source]
    """By id."""
    places: Mapping[str, str] = field(default_factory=dict)
    """Where each chip is described, by id: `accelerators.yaml:60`; each source too, by `sources.` and id."""
    _by_id: dict[str, Chip] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_id", {chip.id: chip for chip in self.chips})

    def __getitem__(self, id_: str) -> Chip:
        """The chip of that id; raises UnknownChipError (a KeyError) with the nearest name."""
        if id_ not in self._by_id:
            raise UnknownChipError(self._describe_unknown(id_))
        return self._by_id[id_]

    def __contains__(self, id_: object) -> bool:
        return id_ in self._by_id

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_id)

    def __len__(self) -> int:
        return len(self._by_id)

    def find(self, name: str) -> Chip:
        """The chip that a person means: its id or its short name, in any case and spacing.

        Raises UnknownChipError.
        """
        wanted = _fold(name)
        for chip in self.chips:
            if wanted in (_fold(chip.id), _fold(chip.short_name)):
                return chip
        raise UnknownChipError(self._describe_unknown(name))

    def of_kind(self, kind: str) -> tuple[Chip, ...]:
        """All chips of a kind: `gpu` or `tpu`. TPUs come in the order of their generations."""
        return tuple(chip for chip in self.chips if chip.kind == kind)

    @property
    def tpu_generations(self) -> tuple[Chip, ...]:
        """TPU v1 to v7, oldest first; v5e before v5p, as they were released."""
        return tuple(sorted(self.of_kind("tpu"), key=lambda chip: (chip.year, chip.id)))

    @property
    def conflicts(self) -> tuple[tuple[Chip, Conflict], ...]:
        """Every disagreement between sources, with its chip."""
        return tuple((chip, conflict) for chip in self.chips for conflict in chip.conflicts)

    def source_of(self, quantity: Quantity) -> Source | None:
        """The publication that a figure is from; None where it is derived."""
        return None if quantity.source is None else self.sources[quantity.source]

    def _describe_unknown(self, name: str) -> str:
        names = {_fold(text): chip.id for chip in self.chips for text in (chip.short_name, chip.id)}
        near = difflib.get_close_matches(_fold(name), names, n=1, cutoff=0.5)
        hint = f'did you mean "{names[near[0]]}"?' if near else f"known: {', '.join(self)}"
        return f'there is no chip "{name}"; {hint}'


def load_catalogue(
    *own_paths: str | os.PathLike[str], folder: str | os.PathLike[str] | None = OWN_CHIPS_FOLDER
) -> Catalogue:
    """The catalogue, and after its chips those of `folder`'s `*.yaml` files by name, then of `own_paths`.

    `folder` is relative to the current one, which for a figure script is the project's root; one that is not
    there holds no chips; None looks for none. Own files have the catalogue's schema and may name its sources.
    Folder and files are read at every call, so that whoever watches what is opened and listed sees them as
    dependencies, or (of the default files) hears by `ROW_EVENT` which rows are used; the same texts are
    parsed once.

    Raises CatalogueError where a file breaks the schema, or where an id, a short name or a source stands
    already elsewhere (both places are named); OSError where one of `own_paths` cannot be read.
    """
    if own_paths or folder != OWN_CHIPS_FOLDER:
        return read_catalogue(*own_paths, folder=folder)
    sys.audit(READ_EVENT, "begin")
    catalogue = read_catalogue()
    sys.audit(READ_EVENT, "end")
    return _WatchedCatalogue(catalogue)


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


def list_rows(catalogue: Catalogue) -> dict[str, str]:
    """All that can be asked of a catalogue, by name, each as a text that changes when the answer does."""
    rows = ["valid", "names", "chips", "sources", "places"]
    rows += [f"chip:{chip.id}" for chip in catalogue.chips]
    rows += [f"source:{id_}" for id_ in catalogue.sources]
    return {row: _describe_row(catalogue, row) for row in rows}


def _describe_row(catalogue: Catalogue, row: str) -> str:
    """Empty for what is not there. The files are part of it: who quotes a row names its source."""
    text = _row_itself(catalogue, row)
    return f"{text}\n{files}" if text and (files := _files_of_row(catalogue, row)) else text


def _files_of_row(catalogue: Catalogue, row: str) -> tuple[str, ...]:
    """The files that a row stands in; of one that is about all chips, all files with something in them."""
    what, _, id_ = row.partition(":")
    match what:
        case "valid":
            return ()
        case "chip" | "source":
            place = catalogue.places.get(id_ if what == "chip" else f"sources.{id_}")
            places = [] if place is None else [place]
        case _:
            places = [*catalogue.places.values()]
    files = {place.rpartition(":")[0] for place in places}
    return tuple(sorted(str(CATALOGUE_PATH) if file == CATALOGUE_PATH.name else file for file in files))


def _row_itself(catalogue: Catalogue, row: str) -> str:
    what, _, id_ = row.partition(":")
    match what:
        case "valid":
            return "it could be read"
        case "names":
            return repr([(chip.id, chip.short_name, chip.kind) for chip in catalogue.chips])
        case "chip":
            return repr(catalogue[id_]) if id_ in catalogue else ""
        case "source":
            return repr(catalogue.sources.get(id_, ""))
        case "chips":
            return repr(catalogue.chips)
        case "sources":
            return repr(dict(catalogue.sources))
        case _:
            return repr(dict(catalogue.places))


class _WatchedCatalogue(Catalogue):
    """The same catalogue, telling by `ROW_EVENT` what it is asked for."""

    __slots__ = ("_plain", "_told")
    _plain: Catalogue
    _told: set[str]

    def __init__(self, plain: Catalogue) -> None:
        object.__setattr__(self, "_plain", plain)
        object.__setattr__(self, "_told", set())
        self._tell("valid")

    def _tell(self, row: str) -> Catalogue:
        if row not in self._told:
            self._told.add(row)
            text = _describe_row(self._plain, row)
            sys.audit(ROW_EVENT, row, text, _files_of_row(self._plain, row))
        return self._plain

    @property
    def chips(self) -> tuple[Chip, ...]:
        return self._tell("chips").chips

    @property
    def sources(self) -> Mapping[str, Source]:
        return self._tell("sources").sources

    @property
    def places(self) -> Mapping[str, str]:
        return self._tell("places").places

    def __getitem__(self, id_: str) -> Chip:
        return self._tell(f"chip:{id_}" if id_ in self._plain else "names")[id_]

    def __contains__(self, id_: object) -> bool:
        return id_ in self._tell(f"chip:{id_}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._tell("names"))

    def __len__(self) -> int:
        return len(self._tell("names"))

    def find(self, name: str) -> Chip:
        return self[self._tell("names").find(name).id]

    def of_kind(self, kind: str) -> tuple[Chip, ...]:
        return tuple(self[chip.id] for chip in self._tell("names").of_kind(kind))

    def source_of(self, quantity: Quantity) -> Source | None:
        return (
            None if quantity.source is None else self._tell(f"source:{quantity.source}").source_of(quantity)
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
        _fold(name): (chip.id, known.places[chip.id])
        for chip in known.chips
        for name in (chip.id, chip.short_name)
    }
    for chip in data.chips:
        line, names = data.chip_lines[chip.id], {"id": chip.id, "short_name": chip.short_name}
        for key, name in names.items():
            other, place = taken.get(_fold(name), (chip.id, f"{path}:{line}"))
            if other != chip.id or not place.startswith(
                f"{path}:"
            ):  # an id twice in a file is told elsewhere
                yield TableError(line, f"{chip.id}.{key}", f'"{name}" is already {other}, {place}')
        for name in names.values():
            taken.setdefault(_fold(name), (chip.id, f"{path}:{line}"))


def _fold(name: str) -> str:
    return "".join(character for character in name.casefold() if character.isalnum())
