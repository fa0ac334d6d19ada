"""Checks decks: what their pictures were drawn from, against what the project computes now."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from diglot.diagnostics import Diagnostic, DiagnosticError, did_you_mean
from diglot.expressions.parsing import ExpressionError, figures_read_by
from diglot.figure_request import FigureRequest
from diglot.figures.records import ComputedFigure, Script
from diglot.render.values import Values
from diglot.rules.building import Site
from diglot.rules.figures import compute_figure, find_scripts
from diglot.slides.decks import find_decks, read_deck
from diglot.slides.findings import (
    Finding,
    Now,
    NumberFinding,
    ValueFinding,
    find_status,
    find_typed_numbers,
    identify,
)
from diglot.slides.kept import Kept, read_kept
from diglot.slides.records import BoundText, Deck
from diglot.slides.replacing import stamp

EXPORTS = "exports"
"""The folder of a project into which figures are exported if no other is named."""


class CheckedDeck(msgspec.Struct, frozen=True, kw_only=True):
    """A file with the status of its pictures."""

    path: Path
    read_at: tuple[int, int, int]
    """The file's stamp when it was read."""
    deck: Deck
    findings: tuple[Finding, ...]
    values: tuple[ValueFinding, ...]
    numbers: tuple[NumberFinding, ...]

    @property
    def is_stale(self) -> bool:
        """Whether it shows anything that is no longer so; numbers that a person typed do not count."""
        found = [*(one.status for one in self.findings), *(one.status for one in self.values)]
        return "stale" in found or "gone" in found


class CheckedDecks(msgspec.Struct, frozen=True, kw_only=True):
    """The decks that could be read, and why the others could not."""

    decks: tuple[CheckedDeck, ...]
    mistakes: tuple[Diagnostic, ...]
    scripts: dict[str, Script]
    now: dict[FigureRequest, Now]


def check_decks(site: Site, paths: Sequence[Path]) -> CheckedDecks:
    """The status of every picture in these files, and in all files of these folders.

    Raises DiagnosticError for a path that is nothing diglot reads.
    """
    root = site.options.root
    read: list[tuple[Path, tuple[int, int, int], Deck]] = []
    mistakes: list[Diagnostic] = []
    for path in find_decks(paths):
        try:
            read.append((path, stamp(path), read_deck(path, root)))
        except DiagnosticError as error:
            mistakes += error.diagnostics
    kept = read_kept([path for path, _, _ in read], root / EXPORTS)
    requests = _requests((deck for _, _, deck in read), kept)
    scripts, now = _current(site, requests)
    return CheckedDecks(
        decks=tuple(_checked(path, at, deck, kept, now) for path, at, deck in read),
        mistakes=tuple(mistakes),
        scripts=scripts,
        now=now,
    )


def _checked(
    path: Path, at: tuple[int, int, int], deck: Deck, kept: Kept, now: Mapping[FigureRequest, Now]
) -> CheckedDeck:
    findings = find_status(deck, kept, now)
    return CheckedDeck(
        path=path,
        read_at=at,
        deck=deck,
        findings=tuple(findings),
        values=tuple(_value(one, now) for one in deck.bound),
        numbers=tuple(find_typed_numbers(deck, findings, kept, now)),
    )


def _value(bound: BoundText, now: Mapping[FigureRequest, Now]) -> ValueFinding:
    """The status of a value that was written from an expression."""
    if not bound.shown:
        reason = "the text was changed by hand; the value is not in it any more"
        return ValueFinding(value=bound, status="unknown", reason=reason)
    requests = _requests_of(bound)
    if requests is None:
        return ValueFinding(value=bound, status="gone", reason="its expression cannot be read")
    figures = [now[request] for request in requests]
    if gone := [one.gone for one in figures if one.gone]:
        return ValueFinding(value=bound, status="gone", reason=gone[0])
    if trouble := [one.trouble for one in figures if one.trouble]:
        return ValueFinding(value=bound, status="unknown", reason=trouble[0])
    data = {
        str(request): one.computed.data
        for request, one in zip(requests, figures, strict=True)
        if one.computed is not None
    }
    try:
        text = Values("zh" if bound.language == "zh" else "en", data).text(bound.expression, path="", line=1)
    except DiagnosticError as error:
        return ValueFinding(value=bound, status="gone", reason=error.diagnostics[0].message)
    return ValueFinding(value=bound, status="current" if text == bound.text else "stale", now=text)


def _requests_of(bound: BoundText) -> tuple[FigureRequest, ...] | None:
    """The figures whose values an expression reads; None if it is no expression."""
    try:
        return tuple(figures_read_by(bound.expression))
    except ExpressionError:
        return None


def _requests(decks: Iterable[Deck], kept: Kept) -> list[FigureRequest]:
    found: dict[FigureRequest, None] = {}
    for deck in decks:
        keys = (identify(picture, kept) for picture in deck.pictures)
        found.update(dict.fromkeys(key.request for key in keys if key is not None))
        for one in deck.bound:
            found.update(dict.fromkeys(_requests_of(one) or ()))
    return [*found]


def _current(
    site: Site, requests: Sequence[FigureRequest]
) -> tuple[dict[str, Script], dict[FigureRequest, Now]]:
    """The scripts of these figures, and what they compute now."""
    if not requests:
        return {}, {}
    scripts = {script.figure_id: script for script in site.value(find_scripts, None).scripts}
    known = [request for request in requests if request.figure_id in scripts]
    values, _ = site.values_that_are(compute_figure, known)
    now = {
        request: Now(gone=f'there is no figure "{request.figure_id}" any more; {_meant(request, scripts)}')
        for request in requests
    }
    for request, computed in zip(known, values, strict=True):
        now[request] = _now(request, computed)
    return scripts, now


def _now(request: FigureRequest, computed: ComputedFigure | None) -> Now:
    if computed is None:
        return Now(trouble=f'the script of "{request.figure_id}" fails; `diglot build` says why')
    if computed.refusals:
        return Now(gone="; ".join(one.message for one in computed.refusals))
    return Now(computed=computed)


def _meant(request: FigureRequest, scripts: Iterable[str]) -> str:
    return did_you_mean(request.figure_id, scripts, otherwise="its script was renamed or removed")
