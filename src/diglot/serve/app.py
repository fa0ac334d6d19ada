"""The web application of the preview: the output folder, a reload script, and a stream of events.

Safe from the first day: it answers to this machine's names alone (against DNS rebinding), reads and never
writes, lists nothing, and hands out nothing from outside the output folder.
"""

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from diglot.serve.files import find_file, media_type
from diglot.serve.hub import Hub, State
from diglot.serve.injecting import OWN, browser_script, inject

_OWN_HOST = re.compile(r"(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]{1,5})?", re.IGNORECASE)
_NO_STORE = {"Cache-Control": "no-store"}
_NO_PAGE = b"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>diglot</title>
<body style="font: 16px/1.5 system-ui; margin: 3rem">
<p>There is no such page. If a build makes it, it appears here.</p>
</body></html>
"""


def make_app(
    *,
    output: Path,
    hub: Hub,
    base_path: Callable[[], str] = lambda: "/",
    writers: Callable[[str], bytes | None] = lambda _: None,
    reload: bool = True,
) -> Starlette:
    """The application that serves `output` under a base path (`/` or `/blog/`), which may change.

    Without `reload`, pages are handed out as they are. `writers` makes the preview's own pages: one by what
    stands behind `/__diglot/`, None for no page.
    """
    script = browser_script()

    async def events(request: Request) -> Response:
        if request.method == "HEAD":
            return _content(request, b"", "text/event-stream")
        since = request.headers.get("last-event-id") or request.query_params.get("since", "")
        stream = hub.events(int(since) if since.isascii() and since.isdigit() and len(since) < 20 else None)
        return StreamingResponse(stream, media_type="text/event-stream", headers=_NO_STORE)

    async def reload_script(request: Request) -> Response:
        return _content(request, script, "text/javascript")

    async def own_page(request: Request) -> Response:
        state = hub.state
        name = request.path_params["name"]
        page = await run_in_threadpool(writers, name)
        if page is None:
            return _content(request, b"no such page\n", "text/plain", 404)
        if reload:
            page = inject(page, state, base=base_path(), status=200, own=True)
        return _content(request, page, "text/html")

    async def site(request: Request) -> Response:
        base, path = base_path(), request.scope["path"]
        answer = _Pages(request, hub.state if reload else None, output, base)
        if not path.startswith(base):
            at_the_door = path in ("/", base.removesuffix("/"))
            return RedirectResponse(quote(base)) if at_the_door else answer.not_found()
        inside = path.removeprefix(base)
        found = find_file(output, inside)
        if found is not None and found.is_dir():
            if not path.endswith("/"):
                query = request.url.query
                return RedirectResponse(quote(f"{path}/") + (f"?{query}" if query else ""))
            found = find_file(output, f"{inside}index.html")
        elif path.endswith("/"):
            found = None
        if found is None or not found.is_file():
            return answer.not_found()
        if found.suffix == ".html":
            hub.visit(found.relative_to(output).as_posix())
            return answer.page(found)
        return _asset(request, found)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        hub.attach()
        yield

    return Starlette(
        routes=[
            Route(f"{OWN}/events", events),
            Route(f"{OWN}/reload.js", reload_script),
            Route(OWN, lambda _: RedirectResponse(f"{OWN}/")),
            Route(f"{OWN}/{{name:path}}", own_page),
            Route("/{path:path}", site),
        ],
        lifespan=lifespan,
        middleware=[Middleware(_Guard)],
    )


def _content(request: Request, body: bytes, kind: str, status: int = 200) -> Response:
    """Something made for this answer; only its length where the head alone is asked for."""
    headers = {**_NO_STORE, "Content-Length": str(len(body))}
    return Response(b"" if request.method == "HEAD" else body, status, headers, media_type=kind)


class _Pages:
    """Pages in answer to one request; what is served at its time is known before the page is read."""

    def __init__(self, request: Request, state: State | None, output: Path, base: str) -> None:
        self._request = request
        self._state = state
        self._output = output
        self._base = base

    def page(self, file: Path, status: int = 200) -> Response:
        """A page as it was built, but for the script."""
        return self._served(file.read_bytes(), status)

    def not_found(self) -> Response:
        """The site's own page for what is not there; it, too, is kept up to date."""
        own = find_file(self._output, "404.html")
        return self.page(own, 404) if own and own.is_file() else self._served(_NO_PAGE, 404)

    def _served(self, page: bytes, status: int) -> Response:
        if self._state is not None:
            page = inject(page, self._state, base=self._base, status=status)
        return _content(self._request, page, "text/html", status)


def _asset(request: Request, file: Path) -> Response:
    """A file as it is; ranges are Starlette's, but for those in other units, which are to be ignored."""
    if not request.headers.get("range", "bytes=").lower().startswith("bytes="):
        request.scope["headers"] = [pair for pair in request.scope["headers"] if pair[0] != b"range"]
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
