"""Decides which requests the preview answers: local host names, its own pages, and reading only.

Any site that the browser shows can send requests to a port of this machine. The guard stops such a site from
reading drafts under its own host name (DNS rebinding), showing the preview's pages in a frame, having figures
drawn, and holding event streams open.
"""

import re
from collections.abc import Callable
from contextlib import nullcontext
from urllib.parse import unquote

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from diglot.serve.connections import Connection
from diglot.serve.injecting import OWN

_OWN_HOST = re.compile(r"(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]{1,5})?", re.IGNORECASE)
_WHOLE_ADDRESS = re.compile(rb"http://([^/?#]*)(/.*)?", re.IGNORECASE | re.DOTALL)
"""A request target in the form that proxies get, with the host in it."""
_MOST_ADDRESS_BYTES = 8 * 1024
_MOST_HEADER_BYTES = 16 * 1024
_MOST_HEADERS = 100
_OWN_HEADERS = {
    # Drawings carry styles in their elements. Scripts are the preview's own files; no page contains inline
    # scripts.
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
"""Headers of the preview's own pages. The site's pages are the author's, and may be shown in any way."""


class Guard:
    """Refuses requests that no reader of the preview needs, and adds headers to every response."""

    def __init__(self, app: ASGIApp, *, say: Callable[[str], None]) -> None:
        self._app = app
        self._say = say
        self._said: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it to the application."""
        if scope["type"] != "http":  # lifespan events; the server has no websockets
            return await self._app(scope, receive, send)
        scope = _with_a_path(scope)
        is_own = scope["path"] == OWN or scope["path"].startswith(f"{OWN}/")
        has_content = _has_content(scope)
        started = False
        connection = connection_of(scope)

        async def marked(message: Message) -> None:
            nonlocal started
            if connection is not None and connection.transport.is_closing():
                return  # invalid data came after the request and was answered with an error
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                headers["X-Content-Type-Options"] = "nosniff"
                headers["Cross-Origin-Resource-Policy"] = "same-origin"  # other sites must not embed drafts
                headers.setdefault("Cache-Control", "no-cache")
                if is_own:
                    headers.update(_OWN_HEADERS)
                if has_content:  # the rest of the body is not read
                    headers["Connection"] = "close"
            await send(message)

        with nullcontext() if connection is None else connection.answering():
            try:
                await (_refusal(scope, is_own=is_own) or self._app)(scope, receive, marked)
            except Exception as error:  # an error of ours must not end the preview
                self._tell(error)
                if not started:
                    await PlainTextResponse("the preview failed\n", 500)(scope, receive, marked)
                # Otherwise the server ends the connection, as fewer bytes were sent than announced.

    def _tell(self, error: Exception) -> None:
        """Report each kind of error once: a browser asks again and again."""
        text = f"the preview failed to answer: {type(error).__name__}: {error}"
        if len(self._said) < 10 and text not in self._said:
            self._said.add(text)
            self._say(text)


def connection_of(scope: Scope) -> Connection | None:
    """The connection of a request; None in tests without a server."""
    found: Connection | None = scope.get("state", {}).get("connection")
    return found


def _with_a_path(scope: Scope) -> Scope:
    """The request, its target reduced to a path; an empty path if its host is not ours."""
    whole = _WHOLE_ADDRESS.fullmatch(scope["raw_path"]) if not scope["path"].startswith("/") else None
    if whole is None:
        return scope
    is_own = _OWN_HOST.fullmatch(whole[1].decode("ascii", "replace")) is not None
    raw = (whole[2] or b"/") if is_own else b""
    return {**scope, "raw_path": raw, "path": unquote(raw.decode("ascii", "replace"))}


def _has_content(scope: Scope) -> bool:
    return any(
        name == b"transfer-encoding" or (name == b"content-length" and value.strip(b"0"))
        for name, value in scope["headers"]
    )


def _refusal(scope: Scope, *, is_own: bool) -> Response | None:
    headers = Headers(scope=scope)
    hosts = headers.getlist("host")
    if len(hosts) != 1 or not _OWN_HOST.fullmatch(hosts[0]):
        return _refused("the preview only answers to localhost, 127.0.0.1 and [::1]", 400)
    if scope["method"] not in ("GET", "HEAD"):
        return PlainTextResponse("read only\n", 405, headers={"Allow": "GET, HEAD"})
    if not scope["path"].startswith("/"):
        return _refused("this is not an address of the preview", 400)
    if len(scope["raw_path"]) + len(scope["query_string"]) > _MOST_ADDRESS_BYTES:
        return _refused("the address is too long", 414)
    pairs = scope["headers"]
    if (
        len(pairs) > _MOST_HEADERS
        or sum(len(name) + len(value) for name, value in pairs) > _MOST_HEADER_BYTES
    ):
        return _refused("there are too many headers", 431)
    if _has_content(scope):
        return _refused("the preview does not accept request bodies", 413)
    if not all(_is_same(origin, hosts[0]) for origin in headers.getlist("origin")):
        return _refused("the preview only answers to its own pages", 403)
    if is_own and headers.get("sec-fetch-site") in ("cross-site", "same-site") and not _is_opened(headers):
        return _refused("the preview's own pages cannot be requested by other sites", 403)
    return None


def _refused(why: str, status: int) -> Response:
    return PlainTextResponse(f"{why}\n", status)


def _is_same(origin: str, host: str) -> bool:
    """Whether a request's origin, as the browser sends it, is this preview."""
    scheme, _, rest = origin.lower().partition("://")
    return scheme in ("http", "https") and rest == host.lower()


def _is_opened(headers: Headers) -> bool:
    """Whether a person followed a link and sees the page in its own window."""
    return headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
