"""Pairs as texts: parsed, aligned, compared with what they said, without a project."""

import datetime
from pathlib import Path

from diglot.content.document import parse_document
from diglot.content.pairs import pair_documents
from diglot.staleness.comparing import Comparison, Finding, compare
from diglot.staleness.declaring import declare
from diglot.staleness.sync_file import Entry
from diglot.staleness.units import Units, units_of

DAY = datetime.date(2026, 11, 23)
PUBLISHED = Path(__file__).parents[2] / "content"
ARTICLE, TALK = PUBLISHED / "posts" / "gpu-vs-tpu", PUBLISHED / "talks" / "gpu-vs-tpu"

FRONT = "---\ntitle: {title}\n---\n\n"


def units(zh: str, en: str) -> Units:
    """What is translated of a pair."""
    left, right = parse_document(zh, "zh.md", "zh"), parse_document(en, "en.md", "en")
    return units_of((left, zh), (right, en), pair_documents(left, right))


def compared(entries: tuple[Entry, ...], zh: str, en: str) -> Comparison:
    """A pair as it is now, compared with entries."""
    return compare(units(zh, en), entries)


def in_step(zh: str, en: str, entries: tuple[Entry, ...] = (), day: datetime.date = DAY) -> tuple[Entry, ...]:
    """The entries after a pair was declared to be in step."""
    now = units(zh, en)
    return declare(now, entries, compare(now, entries), day).entries


def findings(before: tuple[str, str], now: tuple[str, str]) -> tuple[Finding, ...]:
    """What is out of step in a pair that was in step before."""
    return compared(in_step(*before), *now).findings


def halves_of(folder: Path) -> tuple[str, str]:
    """The texts of a published pair."""
    return (folder / "zh.md").read_text("utf-8"), (folder / "en.md").read_text("utf-8")
