"""`diglot slides build`, `check` and `update`."""

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from diglot.cli.command import EXIT_DONE, EXIT_SITE_ERRORS
from diglot.cli.reports import Report, as_json, diagnostics_report
from diglot.cli.site import site_options
from diglot.cli.terminal import Terminal
from diglot.diagnostics import Diagnostic, counted
from diglot.rules.building import Site
from diglot.slides.changes import MOST_LISTED
from diglot.slides.findings import Finding, Status, ValueFinding
from diglot.slides.kept import write_file
from diglot.slides.mistakes import wrong
from diglot.use.slides import EXPORTS, CheckedDeck, check_decks
from diglot.use.slides_update import UpdatedDeck, update_decks
from diglot.use.talk_contents import find_talk

_MOST_SHOWN = 4
"""How many changes of a picture the terminal shows."""


def run_build(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Write a talk as a PowerPoint file in each language."""
    options = site_options(arguments, writes_elsewhere=True)
    try:
        from diglot.use.slides_build import build_talk  # noqa: PLC0415  (python-pptx is an extra)
    except ModuleNotFoundError as error:
        needed = "a PowerPoint file needs python-pptx, which is not installed"
        raise wrong("slides-extra", needed, "`pip install 'diglot[slides]'` brings python-pptx.") from error
    folder: Path = options.root / EXPORTS if arguments.output is None else arguments.output
    files: list[str] = []
    warnings: list[Diagnostic] = []
    with Site(options, progress=terminal.told) as site:
        for edition, half in find_talk(site, arguments.talk, arguments.lang):
            written = build_talk(
                site,
                half,
                template=arguments.template,
                theme=arguments.theme,
                charts=arguments.charts,
                data_folder=folder,
                edition=edition,
            )
            path = folder / f"{half.article.rpartition('/')[2]}.{edition}.pptx"
            folder.mkdir(parents=True, exist_ok=True)
            write_file(path, written.content)
            files.append(str(path))
            warnings += written.warnings
            if not arguments.json:
                terminal.diagnostics(written.warnings)
                terminal.result(str(path))
                if written.turned:
                    terminal.say(f"in their first state, without controls: {', '.join(written.turned)}")
    if arguments.json:
        terminal.result(as_json({**diagnostics_report(warnings, failed=False), "files": files}))
    return EXIT_DONE


def run_check(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Report the status of every figure in some decks."""
    options = site_options(arguments, writes_elsewhere=True)
    with Site(options, progress=terminal.told) as site:
        checked = check_decks(site, arguments.paths)
    failed = bool(checked.mistakes) or any(deck.is_stale for deck in checked.decks)
    if arguments.json:
        report = diagnostics_report(checked.mistakes, failed=failed)
        terminal.result(as_json({**report, "decks": [_deck_report(one) for one in checked.decks]}))
    else:
        for deck in checked.decks:
            for line in _told(deck, all_of_them=bool(terminal.verbose)):
                terminal.result(line)
        terminal.diagnostics(checked.mistakes)
        terminal.say(f"checked: {_counts(f for deck in checked.decks for f in deck.findings)}")
    return EXIT_SITE_ERRORS if failed else EXIT_DONE


def run_update(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Replace stale figures in some decks."""
    options = site_options(arguments, writes_elsewhere=True)
    with Site(options, progress=terminal.told) as site:
        checked = check_decks(site, arguments.paths)
        updated = []
        for deck, one in zip(checked.decks, update_decks(site, checked), strict=True):
            updated.append(one)
            if not arguments.json:
                for line in (*_done(one), *_typed(deck)):
                    terminal.result(line)
    left = any(one.left for one in updated)
    gone = [f for deck in checked.decks for f in deck.findings if f.status == "gone"]
    failed = bool(checked.mistakes) or left or bool(gone)
    if arguments.json:
        report = diagnostics_report(checked.mistakes, failed=failed)
        terminal.result(as_json({**report, "decks": [_update_report(one) for one in updated]}))
    else:
        for deck in checked.decks:
            for finding in deck.findings:
                if finding.status == "gone":
                    terminal.result(f"{deck.path}: {_head(finding)}")
                    terminal.result(f"    {finding.reason}")
        terminal.diagnostics(checked.mistakes)
        terminal.say(f"updated: {counted(sum(len(one.updated) for one in updated), 'picture')}")
    return EXIT_SITE_ERRORS if failed else EXIT_DONE


def _told(deck: CheckedDeck, *, all_of_them: bool) -> Iterator[str]:
    known = [one for one in deck.findings if one.key is not None or one.reason]
    if not known and not deck.values and not all_of_them:
        return
    yield f"{deck.path}: {_counts(deck.findings)}"
    for one in deck.findings:
        if one.status in ("stale", "gone") or one.reason or all_of_them:
            yield f"  {_head(one)}"
            yield from (f"    {line}" for line in _explained(one))
    for value in deck.values:
        if value.status != "current" or all_of_them:
            now = f" → {value.now}" if value.status == "stale" else f": {value.status}"
            yield f"  {value.value.place}: {value.value.text}{now}, {value.value.expression}"
            yield from ([f"    {value.reason}"] if value.reason else [])
    yield from _typed(deck)


def _typed(deck: CheckedDeck) -> Iterator[str]:
    """Numbers that a person typed, which nothing can change for them."""
    for typed in deck.numbers:
        number = typed.number
        if number.now is None:
            what = f"was {number.path}, which the figure does not compute any more"
        elif number.was:
            what = f"was {number.path}, which is {number.now} now"
        else:
            what = f"is near {number.path}, which is {number.now}"
        yield f'  {typed.place}: "{number.text}" {what}'


def _head(finding: Finding) -> str:
    picture = finding.picture
    shown = f" {finding.key.request}" if finding.key else ""
    name = (
        f' ("{picture.name}")'
        if picture.name and (not finding.key or picture.name != str(finding.key))
        else ""
    )
    return f"{picture.place}: {finding.status}{shown}{name}"


def _explained(finding: Finding) -> Iterator[str]:
    if finding.reason:
        yield finding.reason
    for change in finding.changes[:_MOST_SHOWN]:
        yield f"{change.path}: {change.old} → {change.new}"
    if (more := len(finding.changes) - _MOST_SHOWN) > 0:
        yield f"and {counted(more, 'more value')}"
    if finding.status == "stale" and not finding.data_kept:
        yield "the numbers that it was drawn from were not kept"


def _counts(findings: Iterable[Finding]) -> str:
    counts = Counter(one.status for one in findings)
    order: tuple[Status, ...] = ("stale", "gone", "current", "unknown")
    return ", ".join(f"{counts[one]} {one}" for one in order if counts[one]) or "no pictures"


def _done(deck: UpdatedDeck) -> Iterator[str]:
    counts = [(len(deck.updated), "picture"), (len(deck.values), "value")]
    if done := " and ".join(counted(count, what) for count, what in counts if count):
        kept = f"; the old one is {deck.backup.name}" if deck.backup else ""
        yield f"{deck.path}: {done} updated{kept}"
    if deck.signature_lost:
        yield "  its digital signature is not valid any more; sign it again"
    for finding in deck.updated:
        yield f"  {finding.picture.place}: {finding.key.request if finding.key else ''}"
    for value in deck.values:
        yield f"  {value.value.place}: {value.value.text} → {value.now}, {value.value.expression}"
    for finding, reason in deck.left:
        yield f"{deck.path}: {_head(finding)}"
        yield f"    not updated: {reason}"


def _deck_report(deck: CheckedDeck) -> Report:
    return {
        "path": str(deck.path),
        "slides": deck.deck.slides_count,
        "pictures": [_finding_report(one) for one in deck.findings],
        "values": [_value_report(one) for one in deck.values],
        "typed_numbers": [
            {
                "place": one.place.kind,
                "number": one.place.number,
                "text": one.number.text,
                "value": one.number.path,
                "was": one.number.was,
                "now": one.number.now,
            }
            for one in deck.numbers
        ],
    }


def _value_report(finding: ValueFinding) -> Report:
    value = finding.value
    return {
        "place": value.place.kind,
        "number": value.place.number,
        "status": finding.status,
        "expression": value.expression,
        "text": value.text,
        "now": finding.now or None,
        "reason": finding.reason or None,
    }


def _finding_report(finding: Finding) -> Report:
    picture, key = finding.picture, finding.key
    return {
        "place": picture.place.kind,
        "number": picture.place.number,
        "name": picture.name,
        "status": finding.status,
        "figure": str(key.request) if key else None,
        "language": key.language if key else None,
        "theme": key.theme if key else None,
        "data": key.digest if key else None,
        "data_now": finding.digest_now or None,
        "changes": [change._asdict() for change in finding.changes[:MOST_LISTED]],
        "changes_count": len(finding.changes),
        "reason": finding.reason or None,
    }


def _update_report(deck: UpdatedDeck) -> Report:
    return {
        "path": str(deck.path),
        "backup": str(deck.backup) if deck.backup else None,
        "signature_lost": deck.signature_lost,
        "updated": [_finding_report(one) for one in deck.updated],
        "values": [_value_report(one) for one in deck.values],
        "left": [{**_finding_report(one), "reason": reason} for one, reason in deck.left],
    }
