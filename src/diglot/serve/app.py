"""The web application of the preview: the output folder, a reload script, and a stream of events.

Safe from the first day: it answers to this machine's names alone (against DNS rebinding), reads and never
writes, lists nothing, and hands out nothing from outside the output folder. Conditional requests, ranges and
the path checks are Starlette's.
"""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path

from starlette.applications import Starlette
from starlette.datastructures import URL, MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from diglot.serve.hub import Hub

OWN = "/__diglot"
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def make_app(*, output: Path, base_path: str, hub: Hub, hosts: tuple[str, ...] = LOOPBACK) -> Starlette:
    """The application that serves `output` under `base_path` (`/` or `/blog/`)."""

    async def events(_request: Request) -> Response:
        return StreamingResponse(
            hub.events(), media_type="text/event-stream", headers={"Cache-Control": "no-store"}
        )

    async def script(_request: Request) -> Response:
        text = files("diglot.serve").joinpath("reload.js").read_text("utf-8")
        return Response(text, media_type="text/javascript", headers={"Cache-Control": "no-store"})

    async def to_base(_request: Request) -> Response:
        return RedirectResponse(URL(base_path), status_code=307)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        hub.attach()
        yield

    routes: list[Route | Mount] = [Route(f"{OWN}/events", events), Route(f"{OWN}/reload.js", script)]
    if base_path != "/":
        routes.append(Route("/", to_base))
    routes.append(Mount(base_path.rstrip("/") or "/", _Pages(output, hub)))
    names = [f"[{host}]" if ":" in host else host for host in hosts]
    return Starlette(
        routes=routes,
        lifespan=lifespan,
        middleware=[
            Middleware(TrustedHostMiddleware, allowed_hosts=[*names, *hosts], www_redirect=False),
            Middleware(_ReadOnly),
        ],
    )


class _ReadOnly:
    """Refuses every method but GET and HEAD, and paths that no page has; marks every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["X-Content-Type-Options"] = "nosniff"
                headers.setdefault("Cache-Control", "no-cache")
            await send(message)

        if scope["method"] not in ("GET", "HEAD"):
            answer: Response = PlainTextResponse("read only\n", 405, headers={"Allow": "GET, HEAD"})
            return await answer(scope, receive, marked)
        if "\\" in scope["path"] or "\0" in scope["path"] or ".." in scope["path"].split("/"):
            return await PlainTextResponse("no such page\n", 404)(scope, receive, marked)
        return await self._app(scope, receive, marked)


class _Pages(StaticFiles):
    """The output folder, with the reload script put into its pages."""

    def __init__(self, output: Path, hub: Hub) -> None:
        super().__init__(directory=output, html=True, check_dir=False)
        self._hub = hub

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        if not str(full_path).endswith(".html"):
            return super().file_response(full_path, stat_result, scope, status_code)
        page = Path(full_path).read_text("utf-8")
        tag = f'<script type="module" src="{OWN}/reload.js" data-build="{self._hub.state.build}"></script>'
        head, close, tail = page.rpartition("</body>")
        return Response(
            f"{head}{tag}{close}{tail}" if close else page + tag,
            status_code,
            media_type="text/html",
            headers={"Cache-Control": "no-store"},
        )
