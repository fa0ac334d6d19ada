"""The web application of the preview: the output folder, a reload script, and a stream of events.

Safe from the first day: it answers to this machine's names alone (against DNS rebinding), reads and never
writes, lists nothing, and hands out nothing from outside the output folder.
"""

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from diglot.serve.files import find_file, media_type
from diglot.serve.hub import Hub

OWN = "/__diglot"
_OWN_HOST = re.compile(r"(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]{1,5})?", re.IGNORECASE)
_NO_STORE = {"Cache-Control": "no-store"}
_NO_PAGE = b"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>diglot</title>
<body style="font: 16px/1.5 system-ui; margin: 3rem">
<p>There is no such page. If a build makes it, it appears here.</p>
</body></html>
"""


def make_app(
    *, output: Path, hub: Hub, base_path: Callable[[], str] = lambda: "/", reload: bool = True
) -> Starlette:
    """The application that serves `output` under a base path (`/` or `/blog/`), which may change.

    Without `reload`, pages are handed out as they are.
    """
    told = hub if reload else None
    script = files("diglot.serve").joinpath("reload.js").read_bytes()

    async def events(request: Request) -> Response:
        if request.method == "HEAD":
            return _content(request, b"", "text/event-stream")
        return StreamingResponse(hub.events(), media_type="text/event-stream", headers=_NO_STORE)

    async def reload_script(request: Request) -> Response:
        return _content(request, script, "text/javascript")

    async def site(request: Request) -> Response:
        base, path = base_path(), request.scope["path"]
        if not path.startswith(base):
            at_the_door = path in ("/", base.removesuffix("/"))
            return RedirectResponse(quote(base)) if at_the_door else _not_found(request, output, told)
        inside = path.removeprefix(base)
        found = find_file(output, inside)
        if found is not None and found.is_dir():
            if not path.endswith("/"):
                return RedirectResponse(quote(f"{path}/"))
            found = find_file(output, f"{inside}index.html")
        elif path.endswith("/"):
            found = None
        if found is None or not found.is_file():
            return _not_found(request, output, told)
        if found.suffix == ".html":
            return _page(request, found.read_bytes(), told)
        return _asset(request, found)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        hub.attach()
        yield

    return Starlette(
        routes=[
            Route(f"{OWN}/events", events),
            Route(f"{OWN}/reload.js", reload_script),
            Route("/{path:path}", site),
        ],
        lifespan=lifespan,
        middleware=[Middleware(_Guard)],
    )


def _content(request: Request, body: bytes, kind: str, status: int = 200) -> Response:
    """Something made for this answer; only its length where the head alone is asked for."""
    headers = {**_NO_STORE, "Content-Length": str(len(body))}
    return Response(b"" if request.method == "HEAD" else body, status, headers, media_type=kind)


def _page(request: Request, page: bytes, hub: Hub | None, status: int = 200) -> Response:
    """A page with the reload script put into it; as bytes, for a page may be in any encoding."""
    if hub is None:
        return _content(request, page, "text/html", status)
    tag = f'<script type="module" src="{OWN}/reload.js" data-build="{hub.state.build}"></script>'.encode()
    head, close, tail = page.rpartition(b"</body>")
    return _content(request, head + tag + close + tail if close else page + tag, "text/html", status)


def _not_found(request: Request, output: Path, hub: Hub | None) -> Response:
    """The site's own page for what is not there; it, too, reloads once that has been built."""
    own = find_file(output, "404.html")
    return _page(request, own.read_bytes() if own and own.is_file() else _NO_PAGE, hub, status=404)


def _asset(request: Request, file: Path) -> Response:
    """A file as it is; ranges are Starlette's."""
    response = FileResponse(file, media_type=media_type(file), stat_result=file.stat())
    known = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
    etag = response.headers["etag"]
    if etag in known or known == ["*"]:
        return Response(status_code=304, headers={"ETag": etag})
    return response


class _Guard:
    """Refuses requests under foreign names and every method but GET and HEAD; marks every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # the lifespan; the server has no websockets
            return await self._app(scope, receive, send)

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["X-Content-Type-Options"] = "nosniff"
                headers["Cross-Origin-Resource-Policy"] = "same-origin"  # a draft is no other site's picture
                headers.setdefault("Cache-Control", "no-cache")
            await send(message)

        refusal = _refusal(scope["method"], Headers(scope=scope).getlist("host"))
        return await (refusal or self._app)(scope, receive, marked)


def _refusal(method: str, hosts: list[str]) -> Response | None:
    if len(hosts) != 1 or not _OWN_HOST.fullmatch(hosts[0]):
        return PlainTextResponse("the preview answers to localhost, 127.0.0.1 and [::1] alone\n", 400)
    if method not in ("GET", "HEAD"):
        return PlainTextResponse("read only\n", 405, headers={"Allow": "GET, HEAD"})
    return None
