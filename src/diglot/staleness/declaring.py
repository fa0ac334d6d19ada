"""Declares units to be in step: the entries that the file remembers from then on."""

import datetime
from collections.abc import Collection, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from diglot.languages import LANGUAGES, Language
from diglot.staleness.comparing import Comparison, Finding, Group, compare
from diglot.staleness.sync_file import Entry, Side
from diglot.staleness.units import Unit, Units


class Declared(NamedTuple):
    """The outcome of a declaration."""

    entries: tuple[Entry, ...]
    findings: tuple[Finding, ...]
    """What it settles."""


def declare(
    units: Units,
    entries: Sequence[Entry],
    comparison: Comparison,
    day: datetime.date,
    ids: Collection[str] | None = None,
) -> Declared:
    """The entries once some units, or all, are declared to be in step; the others stay as they were.

    An entry whose texts differ in nothing but typography stays as it is, so that nothing changes twice.
    """
    first = declared = _declared(units, entries, comparison, day, ids)
    for _ in range(_MOST_ROUNDS):
        # Texts that occur more than once may be found in another order once the entries are in theirs.
        again = _declared(units, declared.entries, compare(units, declared.entries), day, ids)
        if again.entries == declared.entries:
            break
        declared = again
    return Declared(declared.entries, first.findings)


_MOST_ROUNDS = 8


def _declared(
    units: Units,
    entries: Sequence[Entry],
    comparison: Comparison,
    day: datetime.date,
    ids: Collection[str] | None,
) -> Declared:
    kept: list[Entry] = []
    done: list[Finding] = []
    for group, finding in comparison.groups:
        known = None if group.entry is None else entries[group.entry]
        now = _now(units, group, day, apart=group in comparison.apart)
        if finding is not None and (ids is None or finding.id in ids):
            done.append(finding)
            known = now
        elif finding is None and known is not None:
            known = _current(known, now)
        if known is not None:
            kept.append(known)
    return Declared(tuple(kept), tuple(done))


def _current(known: Entry, now: Entry | None) -> Entry | None:
    """An entry that is in step: itself, unless the only half that has it changed it, or both dropped it."""
    if now is None or _digests(known) != _digests(now):
        return now
    return replace(known, anchor=now.anchor, apart=now.apart)


def _digests(entry: Entry) -> list[str | None]:
    return [side.digest if (side := entry.of(language)) else None for language in LANGUAGES]


def _now(units: Units, group: Group, day: datetime.date, *, apart: bool) -> Entry | None:
    sides: dict[Language, Unit] = {}
    for language in LANGUAGES:
        if (index := group.of(language)) is not None:
            sides[language] = units.of(language)[index]
    if not sides:
        return None
    unit = sides.get("en") or sides["zh"]
    return Entry(
        kind=unit.kind,
        anchor=next((one.anchor for one in (unit, *sides.values()) if one.anchor), None),
        day=day,
        zh=_said(sides.get("zh")),
        en=_said(sides.get("en")),
        apart=apart,
    )


def _said(unit: Unit | None) -> Side | None:
    return None if unit is None else Side(digest=unit.digest, text=unit.text)
