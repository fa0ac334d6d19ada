"""Links to other sites: which there are, what is known of them, and what is wrong with them."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urldefrag, urlsplit

import msgspec

from diglot.cache_files import read_file, sealed, unsealed, write_file
from diglot.check.finished_site import FinishedSite
from diglot.check.link_requests import NO_SERVER, Answer, Pace, ask_all, phrase_of
from diglot.diagnostics import Diagnostic, shortened

_FILE = "external-links"
_SEAL = "answers of other sites, 1"
_REFUSED = frozenset((401, 402, 403, 407, 429, 451, 999))
"""Answers of servers that turn programs away: they say nothing about the address."""
_NEVER_KEPT_LONGER_S = 3600.0
"""For how long it is remembered that a link is broken: its author may have mended it on the other site."""


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """An answer that was kept."""

    answer: Answer
    asked_at_s: float
    """In seconds since 1970."""


class Place(NamedTuple):
    """Where an address is first written."""

    page: str
    line: int
    written: str


class Asked(NamedTuple):
    """What is known of the links to other sites."""

    answers: dict[str, Answer]
    unknown: int
    """How many addresses nothing is known of, because no server was to be asked, or none could be."""


def external_links(site: FinishedSite) -> dict[str, Place]:
    """The addresses of other sites that pages link to or show pictures of, without fragments, in order.

    Pages with an author's text come first, so that an address is found where its author wrote it.
    """
    found: dict[str, Place] = {}
    for path in sorted(site.pages, key=lambda path: (path not in site.sources, path)):
        for target, line in site.parsed(path).links_out:
            try:
                whole = site.address.whole(target, path)
                parts = urlsplit(whole)
            except ValueError:
                continue  # reported as a broken link
            if (
                parts.scheme in ("http", "https")
                and f"{parts.scheme}://{parts.netloc}" != site.address.origin
            ):
                found.setdefault(urldefrag(whole).url, Place(path, line, target))
    return found


def ask_about(
    addresses: Iterable[str],
    cache: Path,
    *,
    max_age_s: float,
    pace: Pace | None,
    told: Callable[[str], None] = lambda _: None,
) -> Asked:
    """What became of the addresses. Answers are kept in the folder `cache`, and believed for `max_age_s`.

    Without a pace nobody is asked, and an answer of any age counts. `told` is called with each address that
    was asked about.
    """
    addresses = list(addresses)
    known = _read(cache / _FILE)
    now_s = time.time()
    if pace is None:
        answers = {address: known[address].answer for address in addresses if address in known}
        return Asked(answers, len(addresses) - len(answers))
    fresh = {
        address: known[address].answer
        for address in addresses
        if address in known and now_s - known[address].asked_at_s < _kept_s(known[address].answer, max_age_s)
    }
    got: dict[str, Answer] = {}

    def take(address: str, answer: Answer) -> None:
        got[address] = answer
        told(address)

    try:
        ask_all([one for one in addresses if one not in fresh], pace=pace, told=take)
        if (unknown := len(got) if _are_out_of_reach(got) else 0) > 0:
            got.clear()
    finally:  # what was asked is kept, even if the command is interrupted
        if got:
            news = {address: Known(answer=answer, asked_at_s=now_s) for address, answer in [*got.items()]}
            kept = {address: one for address, one in known.items() if address in set(addresses)}
            content = msgspec.json.encode({**kept, **news})
            write_file(cache / _FILE, sealed(content, _SEAL))
    return Asked({**fresh, **got}, unknown)


def _are_out_of_reach(answers: Mapping[str, Answer]) -> bool:
    """Whether this machine is offline: it finds none of several servers."""
    servers = {urlsplit(address).netloc for address in answers}
    return len(servers) > 1 and all(answer.trouble == NO_SERVER for answer in answers.values())


def check_external(
    site: FinishedSite, links: Mapping[str, Place], answers: Mapping[str, Answer]
) -> Iterator[Diagnostic]:
    """What is wrong with links to other sites."""
    for address, place in links.items():
        if (answer := answers.get(address)) is None:
            continue
        report = site.reporter(place.page)
        shown = shortened(place.written, 120)
        if answer.trouble:
            message, fix = f'"{shown}" is a broken link: {answer.trouble}', "correct or delete it."
            yield report("link-external", message, place.line, place.written, fix, severity="warning")
        elif answer.status in _REFUSED:
            message = f'"{shown}" was not checked: its server refuses programs ({phrase_of(answer.status)})'
            fix = "open it in a browser."
            yield report("link-refused", message, place.line, place.written, fix, severity="warning")
        elif answer.status >= 400 or not answer.status:
            message = f'"{shown}" is a broken link: its server answers {phrase_of(answer.status)}'
            fix = f"correct or delete it; an old copy may be at https://web.archive.org/web/{address}."
            yield report("link-external", message, place.line, place.written, fix, severity="warning")
        elif answer.moved_to and answer.moved_to != address:
            message = f'"{shown}" has moved'
            fix = f"write {_with_fragment(answer.moved_to, place.written)}."
            yield report("link-moved", message, place.line, place.written, fix, severity="warning")


def _with_fragment(address: str, written: str) -> str:
    fragment = urldefrag(written).fragment
    return address if not fragment or "#" in address else f"{address}#{fragment}"


def _kept_s(answer: Answer, max_age_s: float) -> float:
    is_fine = not answer.trouble and (200 <= answer.status < 400 or answer.status in _REFUSED)
    return max_age_s if is_fine else min(max_age_s, _NEVER_KEPT_LONGER_S)


def _read(path: Path) -> dict[str, Known]:
    content = unsealed(read_file(path), _SEAL)
    return {} if content is None else msgspec.json.decode(content, type=dict[str, Known])
