"""The state that is sent to browsers: any thread may change it, and all listeners receive it."""

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Collection

import msgspec
from msgspec.structs import replace

from diglot.invariants import require
from diglot.serve.blocks import BlockPlace
from diglot.serve.outdated import OutdatedFigure
from diglot.serve.problems import Problem
from diglot.time_zones import DEFAULT_ZONE

_MOST_VISITED = 4
"""Recently visited pages that are updated before all others."""
_MOST_NAMED = 256
"""If more files changed at once, they are not named; each browser then checks its own page."""
_MOST_REMEMBERED = 20_000
"""Files whose last change is remembered, for browsers that reconnect and ask what they missed."""
_MOST_KEPT = 1000
"""If more pages than this stay as they were, they are not named."""
EVERYTHING = ("",)
"""Stands for all pages among those that stay as they were."""
_RETRY_MS = 500
_DISMISSED_RETRY_MS = 30_000
"""When a dismissed browser reconnects, in milliseconds; it does so sooner if its page gets the focus."""


class State(msgspec.Struct, frozen=True, kw_only=True):
    """The last build as browsers need to know it."""

    build: int
    """Number of the served output; it rises whenever the output changes."""
    attempt: int
    """Rises with every build after a save, even one that failed or changed nothing."""
    told: int
    """Rises whenever the preview's own pages change: with builds, and with figures drawn only for them."""
    problems: tuple[Problem, ...] = ()
    """The problems of the last build if it failed, wholly or in part; empty if it succeeded."""
    kept: tuple[str, ...] | None = ()
    """The pages that are still those of an earlier build, `EVERYTHING` for all; None if unknown."""
    saved: int = 0
    """Rises with every save that browsers can follow."""
    places: tuple[BlockPlace, ...] = ()
    """Where the pages show what that save changed, the best place first."""
    outdated: tuple[OutdatedFigure, ...] = ()
    """Figures that are being made again, and are shown as they were."""
    time_zone: str = DEFAULT_ZONE
    """The site's, in which the days of articles begin."""


class Listener:
    """A browser waiting for the next state. Lives on the event loop."""

    def __init__(self, *, follows: bool = False) -> None:
        self.follows = follows
        """Whether it jumps to where saves change something."""
        self.is_dismissed = False
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """Tell it that there is a new state."""
        self._woken.set()

    def dismiss(self) -> None:
        """Tell it to leave, because there is no room for it."""
        self.is_dismissed = True
        self.wake()

    async def wait(self) -> None:
        """Wait for a wake-up since the last wait."""
        await self._woken.wait()
        self._woken.clear()


class Hub:
    """The current state and the listeners waiting for the next one."""

    def __init__(self) -> None:
        # Numbers start at the clock, so that a tab left open over a restart never sees its old number again.
        start = time.time_ns() // 1_000_000
        self.state = State(build=start, attempt=start, told=start, saved=start)
        self._changed_in: dict[str, int] = {}
        """The build that last changed each file."""
        self._listening: set[Listener] = set()
        self.visited: tuple[str, ...] = ()
        """The pages requested last, as output paths, latest first."""
        self._known_from = start
        self._telling = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False

    def attach(self) -> None:
        """Use the running event loop for listeners."""
        self._loop = asyncio.get_running_loop()

    @property
    def listeners(self) -> int:
        """The number of browsers with an event stream."""
        return len(self._listening)

    @property
    def is_followed(self) -> bool:
        """Whether any browser jumps to where saves change something. From any thread."""
        return any(listener.follows for listener in tuple(self._listening))

    def visit(self, path: str) -> None:
        """Note that a browser requested a page."""
        self.visited = (path, *(other for other in self.visited if other != path))[:_MOST_VISITED]

    def tell_built(
        self,
        changed: Collection[str],
        problems: tuple[Problem, ...] = (),
        *,
        kept: Collection[str] | None = (),
        saved: bool = True,
    ) -> None:
        """Tell that a build changed these output files and found these problems. From any thread.

        The pages `kept` could not be made, and stay as they were; None if they are unknown. If nothing was
        `saved`, problems that were already announced are not announced again.
        """
        with self._telling:
            state = self.state
            build = state.build + bool(changed)
            if len(self._changed_in) > _MOST_REMEMBERED:
                self._changed_in, self._known_from = {}, state.build
            self._changed_in = {**self._changed_in, **dict.fromkeys(changed, build)}  # a listener may read it
            self.state = replace(
                state,
                build=build,
                attempt=state.attempt + (saved or problems != state.problems),
                told=state.told + 1,
                problems=problems,
                kept=None if kept is None or len(kept) > _MOST_KEPT else tuple(kept),
            )
        self._wake()

    def tell_failed(self, problems: tuple[Problem, ...]) -> None:
        """Tell that a build failed and the output is unchanged. From any thread."""
        require(bool(problems), "a build fails for a reason")
        self.tell_built((), problems, kept=EVERYTHING)

    def tell_own(self) -> None:
        """Tell that the preview's own pages have changed. From any thread."""
        with self._telling:
            self.state = replace(self.state, told=self.state.told + 1)
        self._wake()

    def tell_places(self, places: tuple[BlockPlace, ...]) -> None:
        """Tell where the pages show what a save changed. From any thread."""
        with self._telling:
            self.state = replace(self.state, saved=self.state.saved + 1, places=places)
        self._wake()

    def tell_outdated(self, figures: tuple[OutdatedFigure, ...]) -> None:
        """Tell which figures are shown as they were. From any thread."""
        with self._telling:
            if figures == self.state.outdated:
                return
            self.state = replace(self.state, outdated=figures)
        self._wake()

    def tell_time_zone(self, zone: str) -> None:
        """Tell the site's time zone to the browsers that load a page from now on. From any thread."""
        with self._telling:
            self.state = replace(self.state, time_zone=zone)

    def close(self) -> None:
        """End every listener's stream, so that the server can stop."""
        self._closed = True
        self._wake()

    async def events(self, since: int | None = None, listener: Listener | None = None) -> AsyncIterator[str]:
        """The state now and after every change, as server-sent events; slow listeners skip to the latest.

        `since` is the build that the listener has seen; each event names the files that changed after it.
        """
        listener = listener or Listener()
        self._listening.add(listener)
        try:
            while not self._closed:
                if listener.is_dismissed:
                    yield f"event: dismissed\nretry: {_DISMISSED_RETRY_MS}\ndata:\n\n"
                    return
                state = self.state
                yield f"id: {state.build}\nretry: {_RETRY_MS}\ndata: {self._message(state, since)}\n\n"
                since = state.build
                await listener.wait()
        finally:
            self._listening.discard(listener)

    def _message(self, state: State, since: int | None) -> str:
        pages, files = self._changes(since, state.build)
        told = {
            "build": state.build,
            "attempt": state.attempt,
            "own": state.told,
            "pages": pages,
            "files": files,
            "kept": state.kept,
            "saved": state.saved,
            "places": msgspec.to_builtins(state.places),
            "outdated": msgspec.to_builtins(state.outdated),
            "problems": msgspec.to_builtins(state.problems),
        }
        return json.dumps(told)

    def _changes(self, since: int | None, now: int) -> tuple[list[str] | None, list[str] | None]:
        """The pages and other files that changed between two builds; None where that is unknown."""
        if since is None or not self._known_from <= since <= now:
            return None, None
        names = [path for path, build in self._changed_in.items() if since < build <= now]
        pages = [path for path in names if path.endswith(".html")]
        files = [path for path in names if not path.endswith(".html")]
        return (pages if len(pages) <= _MOST_NAMED else None), (files if len(files) <= _MOST_NAMED else None)

    def _wake(self) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._release)

    def _release(self) -> None:
        for listener in self._listening:
            listener.wake()
