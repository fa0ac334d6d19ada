"""Compares both halves with what their file remembers, and says which is behind."""

import datetime
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

import msgspec

from diglot.invariants import certain
from diglot.languages import LANGUAGES, Language, twin_of
from diglot.staleness.matching import Remembered, find_again, in_order
from diglot.staleness.sync_file import Entry
from diglot.staleness.units import FOOTNOTE, Twins, Unit, Units

Change = Literal["changed", "added", "removed", "moved", "both"]
"""What happened to one half and not to the other; `both`: to both, so that only their author knows which is
behind."""
_Side = Literal["same", "changed", "new", "gone", "none"]
"""What became of a unit in one half; `none`: it was not there, and still is not."""


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """One half of a unit that is not in step."""

    unit: Unit | None
    """As it is now; None if this half lacks it."""
    row: str | None
    """The id of the row on pages that shows it."""
    before: str | None
    """Its Markdown when both halves were in step; None if there was none."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A unit whose halves are not in step."""

    id: str
    """The id of its row, or of a footnote or a text of the front matter: see `Twins`."""
    change: Change
    behind: Language | None
    """The half that is behind; None where both changed."""
    kind: str
    since: datetime.date | None
    """The last day on which the halves were in step; None for a unit whose day nobody noted."""
    zh: Part
    en: Part
    after: Unit | None = None
    """Of a unit that the half behind lacks, the block of that half before it."""
    after_row: str | None = None
    """The id of that one's row on pages."""

    def of(self, language: Language) -> Part:
        """One half of it."""
        return self.zh if language == "zh" else self.en


class Group(NamedTuple):
    """A unit of each half, now and as remembered: what belongs together."""

    entry: int | None
    """Index of what is remembered; None for what is new."""
    zh: int | None
    """Index of the unit of the zh half, now."""
    en: int | None

    def of(self, language: Language) -> int | None:
        """The index of the unit of one half."""
        return self.zh if language == "zh" else self.en


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """All groups of an article, in reading order, each with what was found of it."""

    groups: tuple[tuple[Group, Finding | None], ...]
    apart: frozenset[Group]
    """The groups whose units are in different places in the two halves."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is not in step."""
        return tuple(finding for _, finding in self.groups if finding is not None)


def compare(units: Units, entries: Sequence[Entry]) -> Comparison:
    """What became of each unit since both halves were in step."""
    return _Comparing(units, entries).comparison()


class _Comparing:
    def __init__(self, units: Units, entries: Sequence[Entry]) -> None:
        self._units = units
        self._entries = entries
        self._known = {language: self._find_again(language) for language in LANGUAGES}
        """For each half, the index of its unit now by the index of the entry."""
        self._twins: dict[Language, dict[int, Twins]] = {"zh": {}, "en": {}}
        for twins in units.twins:
            if twins.zh is not None:
                self._twins["zh"][twins.zh] = twins
            if twins.en is not None:
                self._twins["en"][twins.en] = twins

    def comparison(self) -> Comparison:
        groups = self._in_reading_order(self._groups())
        apart = self._apart(groups)
        moved = self._moved(apart)
        return Comparison(
            groups=tuple((group, self._finding(group, groups, moved)) for group in groups), apart=apart
        )

    def _find_again(self, language: Language) -> dict[int, int]:
        remembered, entries = [], []
        for at, entry in enumerate(self._entries):
            if (side := entry.of(language)) is not None:
                remembered.append(
                    Remembered(kind=entry.kind, digest=side.digest, text=side.text, anchor=entry.anchor)
                )
                entries.append(at)
        found = find_again(self._units.of(language), remembered)
        return {entries[before]: now for now, before in found.items()}

    # Which units belong together

    def _groups(self) -> list[Group]:
        known_zh, known_en = self._known["zh"], self._known["en"]
        of_entries = {at: Group(at, known_zh.get(at), known_en.get(at)) for at in range(len(self._entries))}
        new: dict[Language, dict[int, None]] = {
            language: dict.fromkeys(
                sorted(set(range(len(self._units.of(language)))) - set(self._known[language].values()))
            )
            for language in LANGUAGES
        }
        # A unit that was written anew is where the old one was: next to its twin.
        for at, group in of_entries.items():
            if (group.zh is None) == (group.en is None):
                continue
            lacking: Language = "zh" if group.zh is None else "en"
            there = group.of(twin_of(lacking))
            twin = None if there is None else self._twin(twin_of(lacking), there)
            if twin is not None and twin in new[lacking]:
                del new[lacking][twin]
                of_entries[at] = group._replace(zh=twin) if lacking == "zh" else group._replace(en=twin)
        return [*of_entries.values(), *self._new_groups(new)]

    def _new_groups(self, new: dict[Language, dict[int, None]]) -> Iterator[Group]:
        """Groups of units that nothing remembers; those of one row are twins."""
        for zh in new["zh"]:
            en = self._twin("zh", zh)
            if en is not None and en in new["en"]:
                del new["en"][en]
                yield Group(None, zh, en)
            else:
                yield Group(None, zh, None)
        yield from (Group(None, None, en) for en in new["en"])

    def _twin(self, language: Language, index: int) -> int | None:
        twins = self._twins[language][index]
        return twins.en if language == "zh" else twins.zh

    def _in_reading_order(self, groups: Iterable[Group]) -> list[Group]:
        """In the order of the zh half; a unit that only the en half has follows the one before it."""
        of_zh = {group.zh: group for group in groups if group.zh is not None}
        of_en = {group.en: group for group in groups if group.en is not None}
        gone = [group for group in groups if group.zh is None and group.en is None]
        behind: dict[int | None, list[Group]] = {}
        last: int | None = None
        for en in range(len(self._units.en)):
            group = of_en[en]
            if group.zh is None:
                behind.setdefault(last, []).append(group)
            else:
                last = group.zh
        ordered = [*behind.get(None, ())]
        for zh in range(len(self._units.zh)):
            ordered += [of_zh[zh], *behind.get(zh, ())]
        return ordered + gone

    # What is behind

    def _apart(self, groups: Sequence[Group]) -> frozenset[Group]:
        """The groups whose units are in different places in the two halves.

        Those that were known to do so count first, so that the others stay in order whatever is chosen.
        """
        paired = [group for group in groups if group.zh is not None and group.en is not None]
        others = [group for group in paired if not self._is_known_apart(group)]
        stay = {others[at] for at in in_order([group.en or 0 for group in others])}
        for group in paired:
            if group not in stay and self._is_known_apart(group):
                order = [one.en or 0 for one in paired if one in stay or one == group]
                if order == sorted(order):
                    stay.add(group)
        return frozenset(paired) - stay

    def _is_known_apart(self, group: Group) -> bool:
        return group.entry is not None and self._entries[group.entry].apart

    def _moved(self, apart: Iterable[Group]) -> dict[Group, Language]:
        """The groups that came to be in different places, each with the half in which it was left."""
        moved = [one for one in apart if one.entry is not None and not self._is_known_apart(one)]
        if not moved:
            return {}
        in_place = {language: self._in_place(language) for language in LANGUAGES}
        # Of two neighbours that changed places, either may count as moved: the half without any is behind.
        whole = [one for one in LANGUAGES if len(in_place[one]) == len(self._known[one])]
        return {
            group: whole[0] if len(whole) == 1 else "zh" if group.entry in in_place["zh"] else "en"
            for group in moved
        }

    def _in_place(self, language: Language) -> frozenset[int]:
        """The entries that are in one half in the order in which they are remembered."""
        known = sorted((now, at) for at, now in self._known[language].items())
        return frozenset(known[n][1] for n in in_order([at for _, at in known]))

    def _side(self, language: Language, group: Group) -> _Side:
        entry = None if group.entry is None else self._entries[group.entry]
        before, now = entry.of(language) if entry else None, group.of(language)
        if before is None:
            return "none" if now is None else "new"
        if now is None:
            return "gone"
        return "same" if self._units.of(language)[now].digest == before.digest else "changed"

    def _finding(self, group: Group, groups: Sequence[Group], moved: dict[Group, Language]) -> Finding | None:
        zh, en = self._side("zh", group), self._side("en", group)
        change: Change
        behind: Language | None
        if zh in _STILL and en in _STILL:
            if group not in moved:
                return None
            change, behind = "moved", moved[group]
        elif zh in _STILL or en in _STILL:
            behind = "zh" if zh in _STILL else "en"
            still, other = (zh, en) if behind == "zh" else (en, zh)
            if other in ("changed", "gone") and still == "none":
                return None  # the only half that has it is free to change or drop it
            change = "added" if other == "new" else "removed" if other == "gone" else "changed"
            if change == "added" and still == "same":
                change, behind = "both", None  # the half that lacked it has it now
        elif zh == en == "gone":
            return None
        else:
            change, behind = "both", None
        return self._told(group, groups, change, behind)

    def _told(
        self, group: Group, groups: Sequence[Group], change: Change, behind: Language | None
    ) -> Finding:
        entry = None if group.entry is None else self._entries[group.entry]
        units = {language: self._now(language, group) for language in LANGUAGES}
        parts = {
            language: Part(
                unit=unit,
                row=twins.row if twins else None,
                before=side.text if entry and (side := entry.of(language)) else None,
            )
            for language, (unit, twins) in units.items()
        }
        newer = twin_of(behind) if behind else "en"
        unit, twins = units[newer] if group.of(newer) is not None else units[twin_of(newer)]
        unit = certain(unit, "what neither half has is in step")
        lacks = change == "added" and behind is not None
        after, before = self._block_before(group, groups, newer) if lacks else (None, None)
        return Finding(
            id=certain(twins, "each unit is somebody's twin").id,
            change=change,
            behind=behind,
            kind=unit.kind,
            since=entry.day if entry else None,
            zh=parts["zh"],
            en=parts["en"],
            after=after,
            after_row=before.row if before else None,
        )

    def _now(self, language: Language, group: Group) -> tuple[Unit | None, Twins | None]:
        index = group.of(language)
        if index is None:
            return None, None
        return self._units.of(language)[index], self._twins[language][index]

    def _block_before(
        self, group: Group, groups: Sequence[Group], newer: Language
    ) -> tuple[Unit | None, Twins | None]:
        """The last block of the half behind that is before a unit which only the newer half has."""
        behind = twin_of(newer)
        paired = {other.of(newer): other for other in groups if other.of(behind) is not None}
        for index in range((group.of(newer) or 0) - 1, -1, -1):
            if index in paired and self._units.of(newer)[index].kind != FOOTNOTE:
                return self._now(behind, paired[index])
        return None, None


_STILL = frozenset(("same", "none"))
