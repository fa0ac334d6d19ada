"""The catalogue of accelerators: sourced figures of chips, read from `data/accelerators.yaml`.

catalogue = load_catalogue()
catalogue["h200-sxm"].peak_flops_per_s("bf16")        # 9.894e14
catalogue["h200-sxm"].quantity("peak_dense.bf16")     # the same with source, date and doubts
"""

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from diglot.hardware.catalogue_schema import read_catalogue_data
from diglot.hardware.chips import Chip, Conflict, Quantity, Source
from diglot.hardware.located_yaml import LocatedYamlError, read_located_yaml
from diglot.hardware.tables import Problems

CATALOGUE_PATH = Path(__file__).parent / "data" / "accelerators.yaml"


class CatalogueError(ValueError):
    """The catalogue file is not what the schema says; one line for each problem."""


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
        return f'no chip "{name}"; {hint}'


def load_catalogue() -> Catalogue:
    """The project's catalogue.

    The file is read at every call, so that whoever watches opened files sees it as a dependency; the same
    text is parsed once. Raises CatalogueError where the file breaks its schema.
    """
    with open(CATALOGUE_PATH, encoding="utf-8") as file:
        text = file.read()
    return _parse_catalogue_once(text)


def parse_catalogue(text: str, *, path: str = "accelerators.yaml") -> Catalogue:
    """The catalogue that `text` describes; `path` is how problems name the file.

    Raises CatalogueError with every problem found: file, line, key, what is wrong.
    """
    problems = Problems()
    try:
        document = read_located_yaml(text)
    except LocatedYamlError as error:
        raise CatalogueError(f"{path}:{error.line}: {error.problem}") from error
    data = read_catalogue_data(document, problems)
    if problems.found:
        found = sorted(problems.found, key=lambda problem: problem.line)
        # Once each: what is missing may be looked for twice.
        raise CatalogueError("\n".join(dict.fromkeys(f"{path}:{problem}" for problem in found)))
    return Catalogue(chips=data.chips, sources={source.id: source for source in data.sources})


@lru_cache(maxsize=1)
def _parse_catalogue_once(text: str) -> Catalogue:
    return parse_catalogue(text, path=CATALOGUE_PATH.name)


def _fold(name: str) -> str:
    return "".join(character for character in name.casefold() if character.isalnum())
