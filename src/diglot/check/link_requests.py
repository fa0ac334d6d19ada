"""Asks servers of other sites whether addresses still lead somewhere: in parallel, but each server slowly."""

import http.client
import re
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http import HTTPStatus
from typing import Any
from urllib.parse import quote, urljoin, urlsplit, urlunsplit

import msgspec

from diglot import DOCS_URL, __version__

_AGENT = f"Mozilla/5.0 (compatible; diglot/{__version__}; +{DOCS_URL})"
_MOST_AT_ONCE = 8
_MOST_HOPS = 10
_PERMANENT = frozenset((301, 308))
_HEAD_REFUSED = frozenset((400, 401, 403, 404, 405, 406, 501))
"""Answers that some servers give to HEAD, although they would answer GET."""
_LONGEST_WAIT_S = 10


NO_SERVER = "there is no server of this name"


class Pace(msgspec.Struct, frozen=True, kw_only=True):
    """How patiently servers are asked; all times in seconds."""

    between_s: float = 1.0
    """Between two requests to one server."""
    retries_s: tuple[float, ...] = (2.0, 5.0)
    """Before each further try, where a server cannot be reached or fails."""
    timeout_s: float = 15.0


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What became of an address."""

    status: int = 0
    """Of HTTP, after redirections; 0 where no server answered."""
    trouble: str = ""
    """Why no server answered; empty if one did."""
    moved_to: str = ""
    """Where it has moved for good; empty if it has not."""


def ask_all(
    addresses: Iterable[str],
    *,
    pace: Pace,
    told: Callable[[str, Answer], None] = lambda _address, _answer: None,
) -> dict[str, Answer]:
    """What became of each address. `told` is called with every answer, from several threads."""
    by_host: dict[str, list[str]] = {}
    for address in addresses:
        by_host.setdefault(urlsplit(address).netloc.lower(), []).append(address)
    answers: dict[str, Answer] = {}

    def ask_host(its: list[str]) -> None:
        for number, address in enumerate(its):
            if number:
                time.sleep(pace.between_s)
            answers[address] = ask(address, pace)
            told(address, answers[address])

    pool = ThreadPoolExecutor(_MOST_AT_ONCE)
    try:
        for done in [pool.submit(ask_host, its) for its in by_host.values()]:
            done.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)  # an interrupted command does not wait for servers
    return answers


def ask(address: str, pace: Pace) -> Answer:
    """What became of one address, asked again where a server fails."""
    for wait_s in (*pace.retries_s, None):
        answer, asked_to_wait_s = _follow(address, pace)
        if wait_s is None or not (answer.status in {0, 429} or answer.status >= 500):
            break
        if asked_to_wait_s > _LONGEST_WAIT_S or answer.trouble.startswith("it "):
            break
        time.sleep(max(wait_s, asked_to_wait_s))
    return answer


def _follow(address: str, pace: Pace) -> tuple[Answer, float]:
    """What became of an address, redirections included, and for how long its server asks to be left alone."""
    here, moved_to, is_permanent = address, "", True
    for _ in range(_MOST_HOPS):
        try:
            status, headers = _request(here, "HEAD", pace)
            if status in _HEAD_REFUSED:
                status, headers = _request(here, "GET", pace)
        except (OSError, http.client.HTTPException, ValueError) as error:
            return Answer(trouble=_reason(error)), 0
        location = headers.get("Location")
        if not (300 <= status < 400 and location):
            wait = headers.get("Retry-After", "")
            return Answer(status=status, moved_to=moved_to), float(wait) if re.fullmatch(
                r"\d{1,6}", wait
            ) else 0
        there = urljoin(here, location)
        if urlsplit(there).scheme not in ("http", "https"):
            return Answer(trouble=f"it leads on to {there}"), 0
        is_permanent = is_permanent and status in _PERMANENT
        here, moved_to = there, there if is_permanent else moved_to
    return Answer(trouble=f"it leads on more than {_MOST_HOPS} times"), 0


class _Unfollowed(urllib.request.HTTPRedirectHandler):
    """Leaves redirections to the caller, who wants to know of each."""

    def redirect_request(self, *_: Any, **_named: Any) -> None:
        """No request."""


_OPENER = urllib.request.build_opener(_Unfollowed)


def _request(address: str, method: str, pace: Pace) -> tuple[int, Any]:
    headers = {"User-Agent": _AGENT, "Accept": "text/html,*/*;q=0.8"}
    request = urllib.request.Request(encoded(address), method=method, headers=headers)
    try:
        with _OPENER.open(request, timeout=pace.timeout_s) as response:  # the body stays with the server
            return response.status, response.headers
    except urllib.error.HTTPError as error:
        with suppress(OSError):
            error.close()
        return error.code, error.headers


def encoded(address: str) -> str:
    """The address as HTTP knows it, in ASCII and without a fragment. Raises ValueError if it is none."""
    parts = urlsplit(address)
    host = parts.netloc
    if not host.isascii():
        host = host.encode("idna").decode()
    path, query = (
        quote(parts.path, safe="/%:@!$&'()*+,;=~-._"),
        quote(parts.query, safe="/?%:@!$&'()*+,;=~-._"),
    )
    return urlunsplit((parts.scheme, host, path or "/", query, ""))


def _reason(error: Exception) -> str:
    inner = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(inner, socket.gaierror):
        return NO_SERVER
    if isinstance(inner, TimeoutError):
        return "its server does not answer"
    said = getattr(inner, "strerror", None) or str(inner) or type(inner).__name__
    return f"its server cannot be reached ({said})"


def phrase_of(status: int) -> str:
    """A status with its name: `404 Not Found`."""
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)
