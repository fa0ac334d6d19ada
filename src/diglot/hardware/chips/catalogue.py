"""The catalogue of accelerators: chips by id, with a source for every figure.

catalogue = load_catalogue()
catalogue["h200-sxm"].peak_flops_per_s("bf16")        # 9.894e14
catalogue["h200-sxm"].quantity("peak_dense.bf16")     # the same with source, date and notes

`loading` reads it from files. It reports each row used (`rows`), so that a figure depends on these alone.
"""

import difflib
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from diglot.hardware.chips.chip import Chip, Conflict, Quantity, Source, WatchedChip
from diglot.hardware.chips.row import Row, Use

_SIZED = re.compile(r"(?P<name>.+?)[\s_-]+(?P<gb>[1-9]\d{0,3})\s*gi?b\s*", re.IGNORECASE)
SIZE_TOLERANCE = 0.1
"""By how much a capacity in a chip's name may differ from its memory: a GiB is 7% more than a GB."""


class UnknownChipError(KeyError):
    """No chip has that name; the message suggests the nearest."""

    def __str__(self) -> str:
        return str(self.args[0])


class UnmodelledChipError(UnknownChipError):
    """A chip whose name is known, but not its figures."""


class Catalogue(Mapping[str, Chip]):
    """Chips by id, in the order of the files, and the sources that their figures name."""

    __slots__ = ("_by_id", "_handed", "_places", "_sources", "_use", "_watched")

    def __init__(
        self,
        *,
        chips: tuple[Chip, ...],
        sources: Mapping[str, Source],
        watched: tuple[WatchedChip, ...] = (),
        places: Mapping[str, str] = MappingProxyType({}),
        use: Use = lambda _row: None,
    ) -> None:
        """`use` is called with each row that is read."""
        self._sources, self._places, self._use = sources, places, use
        self._watched = watched
        self._by_id = {chip.id: chip for chip in chips}
        self._handed: dict[str, Chip] = {}

    @property
    def chips(self) -> tuple[Chip, ...]:
        """All chips but provisional ones, in the order of the files."""
        return tuple(self.values())

    @property
    def provisional(self) -> tuple[Chip, ...]:
        """Chips whose figures are announced or reported ones: found by name, and in no list of all chips."""
        self._use(Row("names"))
        return tuple(self[chip.id] for chip in self._by_id.values() if chip.provisional is not None)

    @property
    def watched(self) -> tuple[WatchedChip, ...]:
        """Chips that are known but not modelled."""
        self._use(Row("names"))
        return self._watched

    @property
    def sources(self) -> Mapping[str, Source]:
        """All sources by id."""
        self._use(Row("sources"))
        return self._sources

    @property
    def places(self) -> Mapping[str, str]:
        """File and line (`accelerators.yaml:60`) of each chip by id and of each source by `sources.` + id."""
        self._use(Row("places"))
        return self._places

    def __getitem__(self, id_: str) -> Chip:
        """The chip with that id. Raises UnknownChipError (a KeyError), which suggests the nearest name."""
        if id_ not in self._by_id:
            self._use(Row("names"))
            raise self._make_unknown(id_)
        self._use(Row("chip", id_))
        if id_ not in self._handed:
            self._handed[id_] = self._by_id[id_].reporting(self._use)
        return self._handed[id_]

    def __contains__(self, id_: object) -> bool:
        self._use(Row("chip", str(id_)))
        return id_ in self._by_id

    def __iter__(self) -> Iterator[str]:
        """Ids of all chips but provisional ones, so that no comparison has these unless it asks for them."""
        self._use(Row("names"))
        return (chip.id for chip in self._by_id.values() if chip.provisional is None)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def find(self, name: str) -> Chip:
        """The chip with that id, short name or alias, with its vendor before it or without.

        The capacity of its memory may follow: `H100 80GB`. Case, spaces and punctuation do not matter. Raises
        UnknownChipError, which suggests the nearest name.
        """
        self._use(Row("names"))
        if (chip := self._named(name)) is not None:
            return self[chip.id]
        sized = _SIZED.fullmatch(name)
        chip = None if sized is None else self._named(sized["name"])
        if sized is not None and chip is not None and _has(self[chip.id], int(sized["gb"])):
            return self[chip.id]
        raise self._make_unknown(name)

    def _named(self, name: str) -> Chip | None:
        folded = fold_name(name)
        for chip in self._by_id.values():
            names = {fold_name(each) for each in chip.names}
            if folded in names or folded.removeprefix(fold_name(chip.vendor)) in names:
                return chip
        return None

    def of_kind(self, kind: str) -> tuple[Chip, ...]:
        """All chips of a kind, `gpu` or `tpu`, in file order; the default file lists TPUs by generation."""
        self._use(Row("names"))
        return tuple(chip for chip in self.chips if chip.kind == kind)

    @property
    def tpu_generations(self) -> tuple[Chip, ...]:
        """TPU v1 to v7, oldest first; v5e before v5p, as they were released."""
        return tuple(sorted(self.of_kind("tpu"), key=lambda chip: (chip.year, chip.id)))

    @property
    def conflicts(self) -> tuple[tuple[Chip, Conflict], ...]:
        """Every recorded disagreement between sources, with its chip."""
        return tuple((chip, conflict) for chip in self.chips for conflict in chip.conflicts)

    def source_of(self, quantity: Quantity) -> Source | None:
        """The publication that a figure comes from; None where it is derived."""
        if quantity.source is None:
            return None
        self._use(Row("source", quantity.source))
        return self._sources[quantity.source]

    def _make_unknown(self, name: str) -> UnknownChipError:
        watched = {fold_name(text): chip for chip in self._watched for text in (*chip.aliases, chip.id)}
        if (chip := watched.get(fold_name(name))) is not None:
            words = f'"{name}" is known, but not modelled: {chip.note}'
            hint = "If you know its figures, describe it in site/hardware/NAME.yaml."
            return UnmodelledChipError(f"{words} {hint}")
        names = {folded: chip.id for folded, chip in watched.items()}
        names |= {fold_name(text): chip.id for chip in self._by_id.values() for text in reversed(chip.names)}
        near = difflib.get_close_matches(fold_name(name), names, n=1, cutoff=0.5)
        hint = f'did you mean "{names[near[0]]}"?' if near else f"known: {', '.join(self._by_id)}"
        return UnknownChipError(f'there is no chip "{name}"; {hint}')


def _has(chip: Chip, memory_gb: int) -> bool:
    return abs(chip.memory_bytes / 1e9 / memory_gb - 1) < SIZE_TOLERANCE


def fold_name(name: str) -> str:
    """A name normalised for comparison: lower case, letters and digits only."""
    return "".join(character for character in name.casefold() if character.isalnum())
