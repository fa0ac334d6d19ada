"""Declares the halves of articles to be in step: what `sync.txt` next to a pair remembers from then on."""

from collections.abc import Collection
from pathlib import Path

import msgspec

from diglot.diagnostics import Diagnostic, DiagnosticError, did_you_mean
from diglot.rules.building import Site
from diglot.rules.reading import decode_text
from diglot.rules.sources import PostFiles
from diglot.rules.status import find_units
from diglot.scaffold.files import replace_text
from diglot.staleness.comparing import Comparison, Finding, compare
from diglot.staleness.declaring import declare
from diglot.staleness.sync_file import Entry, read_sync_file, written
from diglot.staleness.units import Units


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """An article as its files are now, and what its `sync.txt` remembers."""

    post: PostFiles
    units: Units
    entries: tuple[Entry, ...]
    comparison: Comparison
    remembered: str | None
    """The text of `sync.txt`; None where there is none."""


class Synced(msgspec.Struct, frozen=True, kw_only=True):
    """An article that was declared to be in step, or some blocks of it."""

    post: PostFiles
    began: bool
    """Whether it had no `sync.txt` before."""
    findings: tuple[Finding, ...]
    """What is in step by that."""
    left: int
    """How many blocks still are not."""


def compare_pairs(site: Site, posts: Collection[PostFiles]) -> tuple[Compared, ...]:
    """The articles as their files are now. Raises DiagnosticError with the errors in any of them."""
    found, errors = find_units(site, [*posts])
    mistakes = [*errors]
    compared = []
    for post, units in zip(posts, found, strict=True):
        try:
            text = _text(site.options.root, post.sync_path)
            entries = () if text is None else read_sync_file(text, post.sync_path)
        except DiagnosticError as error:
            mistakes += error.diagnostics
            continue
        if units is not None:
            comparison = compare(units, entries)
            compared.append(
                Compared(post=post, units=units, entries=entries, comparison=comparison, remembered=text)
            )
    if mistakes:
        raise DiagnosticError(*mistakes)
    return tuple(compared)


def _text(root: Path, path: str) -> str | None:
    file = root / path
    return decode_text(file.read_bytes(), path) if file.is_file() else None


def sync(site: Site, one: Compared, ids: Collection[str] | None = None) -> Synced:
    """Declare an article to be in step, or only the blocks of some ids."""
    declared = declare(one.units, one.entries, one.comparison, site.options.day, ids)
    text = written(declared.entries)
    if text != one.remembered:
        replace_text(site.options.root / one.post.sync_path, text)
    return Synced(
        post=one.post,
        began=one.remembered is None,
        findings=declared.findings,
        left=len(one.comparison.findings) - len(declared.findings),
    )


def check_ids(one: Compared, ids: Collection[str]) -> None:
    """Raise DiagnosticError for ids that no block of the article has."""
    known = {twins.id for twins in one.units.twins}
    if unknown := [name for name in ids if name not in known]:
        raise DiagnosticError(
            *(
                Diagnostic(
                    rule="status-unknown",
                    message=f'no block of {one.post.name} is called "{name}"',
                    fix=did_you_mean(name, known, otherwise="`diglot status` prints the names of blocks."),
                )
                for name in unknown
            )
        )
