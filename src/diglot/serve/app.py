"""The web application of the preview: the output folder, a reload script and a stream of events.

It never writes, lists no folders, and serves nothing from outside of the output folder. `guard` decides which
requests are allowed.
"""

import asyncio
import errno
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from diglot.serve.assets import file_response
from diglot.serve.files import find_file, media_type
from diglot.serve.guard import Guard, connection_of
from diglot.serve.hub import Hub, Listener, State
from diglot.serve.injecting import OWN, browser_script, inject, theme_script
from diglot.site_map import INDEXES

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
    search: Callable[[str], bytes | None] = lambda _: None,
    reload: bool = True,
    follow: bool = False,
    say: Callable[[str], None] = lambda _: None,
) -> Starlette:
    """The application that serves `output` under a base path (`/` or `/blog/`), which may change.

    Without `reload`, pages are served unchanged. With `follow`, browsers follow saves unless their reader has
    chosen otherwise. `writers` makes one of the preview's own pages from the path below `/__diglot/`, or
    gives None; `search` does the same for files of the index below `pagefind/`. `say` receives messages about
    unexpected failures.
    """
    script = browser_script()
    own_pages, index = _OwnPages(writers), _OwnPages(search)

    async def events(request: Request) -> Response:
        if request.method == "HEAD":
            return _content(request, b"", "text/event-stream")
        since = request.headers.get("last-event-id") or request.query_params.get("since", "")
        build = int(since) if since.isascii() and since.isdigit() and len(since) < 20 else None
        listener = Listener(follows=request.query_params.get("follow") == "on")
        if (connection := connection_of(request.scope)) is not None:
            connection.listener = listener
        stream = hub.events(build, listener)
        return StreamingResponse(stream, media_type="text/event-stream", headers=_NO_STORE)

    async def reload_script(request: Request) -> Response:
        return _content(request, script, "text/javascript")

    async def own_theme(request: Request) -> Response:
        return _content(request, theme_script(), "text/javascript")

    async def own_page(request: Request) -> Response:
        state = hub.state
        name = request.path_params["name"]
        page = await own_pages.page(name)
        if page is None:
            return _content(request, b"no such page\n", "text/plain", 404)
        if reload:
            page = inject(page, state, base=base_path(), status=200, follow=follow, own=True)
        return _content(request, page, "text/html")

    async def site(request: Request) -> Response:
        base, path = base_path(), request.scope["path"]
        answer = _Pages(request, hub.state if reload else None, output, base, follow=follow)
        if not path.startswith(base):
            at_the_door = path in ("/", base.removesuffix("/"))
            return RedirectResponse(quote(base)) if at_the_door else answer.not_found()
        inside = path.removeprefix(base)
        found = find_file(output, inside)
        if found is not None and found.is_dir():
            if not path.endswith("/"):
                query = request.scope["query_string"].decode("ascii", "replace")
                return RedirectResponse(quote(f"{path}/") + (f"?{query}" if query else ""))
            found = find_file(output, f"{inside}index.html")
        elif path.endswith("/"):
            found = None
        if inside.startswith(INDEXES) and (file := await index.page(inside.removeprefix(INDEXES))):
            return _content(request, file, media_type(inside))
        if found is None or not found.is_file():
            return answer.not_found()
        try:
            if found.suffix != ".html":
                return file_response(request, found)
            page = answer.page(found)
        except OSError as error:
            if error.errno in (errno.EMFILE, errno.ENFILE):
                return PlainTextResponse("too many files are open, try again\n", 503, headers=_NO_STORE)
            return answer.not_found()  # removed since, or unreadable
        hub.visit(inside if inside.endswith(".html") else f"{inside}index.html")
        return page

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        hub.attach()
        yield

    return Starlette(
        routes=[
            Route(f"{OWN}/events", events),
            Route(f"{OWN}/reload.js", reload_script),
            Route(f"{OWN}/theme.js", own_theme),
            Route(OWN, lambda _: RedirectResponse(f"{OWN}/")),
            Route(f"{OWN}/{{name:path}}", own_page),
            Route("/{path:path}", site),
        ],
        lifespan=lifespan,
        middleware=[Middleware(Guard, say=say)],
    )


def _content(request: Request, body: bytes, kind: str, status: int = 200) -> Response:
    """A response made for this request; a HEAD request gets only its length."""
    headers = {**_NO_STORE, "Content-Length": str(len(body))}
    return Response(b"" if request.method == "HEAD" else body, status, headers, media_type=kind)


class _Pages:
    """Pages for one request. The state is read before the page is: see `inject`."""

    def __init__(
        self, request: Request, state: State | None, output: Path, base: str, *, follow: bool
    ) -> None:
        self._request = request
        self._state = state
        self._output = output
        self._base = base
        self._follow = follow

    def page(self, file: Path) -> Response:
        """A page as it was built, with the reload script added."""
        return self._served(file.read_bytes(), 200)

    def not_found(self) -> Response:
        """The site's own page for missing addresses; it is kept up to date, too."""
        own = find_file(self._output, "404.html")
        try:
            page = own.read_bytes() if own and own.is_file() else _NO_PAGE
        except OSError:
            page = _NO_PAGE
        return self._served(page, 404)

    def _served(self, page: bytes, status: int) -> Response:
        if self._state is not None:
            page = inject(page, self._state, base=self._base, status=status, follow=self._follow)
        return _content(self._request, page, "text/html", status)


class _OwnPages:
    """Makes the preview's own pages one at a time; requests for a page that has not been started share it."""

    def __init__(self, make: Callable[[str], bytes | None]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._due: dict[str, asyncio.Future[bytes | None]] = {}
        # A thread of its own, so that the end of the preview does not wait for a page.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="own-pages")

    async def page(self, name: str) -> bytes | None:
        """A page as it is now; None if there is none."""
        with self._lock:
            due = self._due.get(name)
            if due is None:
                due = asyncio.get_running_loop().run_in_executor(self._thread, self._begin, name)
                self._due[name] = due
        return await asyncio.shield(due)

    def _begin(self, name: str) -> bytes | None:
        with self._lock:
            del self._due[name]  # later requests get a page with what has changed meanwhile
        return self._make(name)
