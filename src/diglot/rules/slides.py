"""Checks decks: what their pictures were drawn from, against what the project computes now."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec

from diglot.diagnostics import Diagnostic, DiagnosticError, did_you_mean
from diglot.engine import Progress
from diglot.figure_request import FigureRequest
from diglot.figures.records import ComputedFigure, Script
from diglot.rules.building import Site
from diglot.rules.figures import Scripts, compute_figure, find_scripts
from diglot.slides.decks import find_decks, read_deck
from diglot.slides.findings import Finding, Now, find_status, identify
from diglot.slides.kept import Kept, read_kept
from diglot.slides.records import Deck
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

    @property
    def is_stale(self) -> bool:
        """Whether it shows anything that is no longer so."""
        return any(one.status in ("stale", "gone") for one in self.findings)


class CheckedDecks(msgspec.Struct, frozen=True, kw_only=True):
    """The decks that could be read, and why the others could not."""

    decks: tuple[CheckedDeck, ...]
    mistakes: tuple[Diagnostic, ...]
    scripts: dict[str, Script]
    now: dict[FigureRequest, Now]


def check_decks(
    site: Site, paths: Sequence[Path], *, progress: Callable[[Progress], None] | None = None
) -> CheckedDecks:
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
    scripts, now = _current(site, requests, progress)
    return CheckedDecks(
        decks=tuple(
            CheckedDeck(path=path, read_at=at, deck=deck, findings=tuple(find_status(deck, kept, now)))
            for path, at, deck in read
        ),
        mistakes=tuple(mistakes),
        scripts=scripts,
        now=now,
    )


def _requests(decks: Iterable[Deck], kept: Kept) -> list[FigureRequest]:
    keys = (identify(picture, kept) for deck in decks for picture in deck.pictures)
    return [*dict.fromkeys(key.request for key in keys if key is not None)]


def _current(
    site: Site, requests: Sequence[FigureRequest], progress: Callable[[Progress], None] | None
) -> tuple[dict[str, Script], dict[FigureRequest, Now]]:
    """The scripts of these figures, and what they compute now."""
    if not requests:
        return {}, {}
    report, (encoded,) = site.bring_up([find_scripts.key(None)], progress=progress)
    if encoded is None:
        raise DiagnosticError(*report.diagnostics)
    found = msgspec.msgpack.decode(encoded, type=Scripts).scripts
    scripts = {script.figure_id: script for script in found}
    known = [request for request in requests if request.figure_id in scripts]
    _, values = site.bring_up([compute_figure.key(request) for request in known], progress=progress)
    now = {
        request: Now(gone=f'there is no figure "{request.figure_id}" any more; {_meant(request, scripts)}')
        for request in requests
    }
    for request, value in zip(known, values, strict=True):
        computed = None if value is None else msgspec.msgpack.decode(value, type=ComputedFigure)
        now[request] = _now(request, computed)
    return scripts, now


def _now(request: FigureRequest, computed: ComputedFigure | None) -> Now:
    if computed is None:
        return Now(trouble=f'the script of "{request.figure_id}" fails; `diglot build` says why')
    if computed.refusals:
        return Now(gone="; ".join(one.message for one in computed.refusals))
    if not computed.drawable:
        return Now(gone=f'"{request.figure_id}" computes numbers but draws nothing any more')
    return Now(computed=computed)


def _meant(request: FigureRequest, scripts: Iterable[str]) -> str:
    return did_you_mean(request.figure_id, scripts, otherwise="its script was renamed or removed")
