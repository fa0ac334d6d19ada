"""What browsers are told: one state, handed to everyone who listens, whichever thread changes it."""

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Collection

import msgspec
from msgspec.structs import replace

from diglot.invariants import certain, require
from diglot.serve.problems import Problem

_MOST_VISITED = 4
"""So many pages are brought up to date before all others."""
_MOST_NAMED = 256
"""Where more pages changed at once, they are not named: each browser then looks at its own."""
_MOST_REMEMBERED = 20_000
"""Files whose last change is remembered, for who comes back and asks what was missed."""
_RETRY_MS = 500


class State(msgspec.Struct, frozen=True, kw_only=True):
    """The last build as browsers need to know it."""

    build: int
    """Which output is served: counts up whenever it changes."""
    attempt: int
    """Counts up with every build, also with one that failed or changed nothing."""
    told: int
    """Counts up with all that the preview's own pages show: builds, and what is drawn for them alone."""
    problems: tuple[Problem, ...] = ()
    """What is wrong, where the last build failed, wholly or in part; empty where it is good."""


class Hub:
    """The current state and those who wait for the next."""

    def __init__(self) -> None:
        # Counted on from the clock: a tab left open over a restart must not meet its old number again.
        start = time.time_ns() // 1_000_000
        self.state = State(build=start, attempt=start, told=start)
        self._changed_in: dict[str, int] = {}
        """The build that changed a file last."""
        self.listeners = 0
        """How many browsers hold a stream."""
        self.visited: tuple[str, ...] = ()
        """The pages that were asked for last, as paths in the output, the latest first."""
        self._known_from = start
        self._telling = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed: asyncio.Event | None = None
        self._closed = False

    def attach(self) -> None:
        """Take the running event loop as the one listeners live in."""
        self._loop = asyncio.get_running_loop()
        self._changed = asyncio.Event()

    def visit(self, path: str) -> None:
        """Somebody looks at a page."""
        self.visited = (path, *(other for other in self.visited if other != path))[:_MOST_VISITED]

    def tell_built(self, changed: Collection[str], problems: tuple[Problem, ...] = ()) -> None:
        """A build changed these files of the output, and found these problems; from any thread."""
        with self._telling:
            state = self.state
            build = state.build + bool(changed)
            if len(self._changed_in) > _MOST_REMEMBERED:
                self._changed_in, self._known_from = {}, state.build
            self._changed_in = {**self._changed_in, **dict.fromkeys(changed, build)}  # a listener may read it
            self.state = State(build=build, attempt=state.attempt + 1, told=state.told + 1, problems=problems)
        self._wake()

    def tell_failed(self, problems: tuple[Problem, ...]) -> None:
        """A build failed, and the output is what it was; may be called from any thread."""
        require(bool(problems), "a build fails for a reason")
        self.tell_built((), problems)

    def tell_own(self) -> None:
        """The preview's own pages show something new; from any thread."""
        with self._telling:
            self.state = replace(self.state, told=self.state.told + 1)
        self._wake()

    def close(self) -> None:
        """End every listener's stream, so that the server can stop."""
        self._closed = True
        self._wake()

    async def events(self, since: int | None = None) -> AsyncIterator[str]:
        """The state now and after every change, as server-sent events; who is slow gets the latest alone.

        `since` is the build a listener has seen; each event names the files that changed after it.
        """
        self.listeners += 1
        try:
            while not self._closed:
                # Before the state is looked at: no change is missed in between.
                changed = certain(self._changed, "attach comes before the first listener")
                state = self.state
                yield f"id: {state.build}\nretry: {_RETRY_MS}\ndata: {self._message(state, since)}\n\n"
                since = state.build
                await changed.wait()
        finally:
            self.listeners -= 1

    def _message(self, state: State, since: int | None) -> str:
        pages, files = self._changes(since, state.build)
        told = {
            "build": state.build,
            "attempt": state.attempt,
            "own": state.told,
            "pages": pages,
            "files": files,
        }
        return json.dumps({**told, "problems": msgspec.to_builtins(state.problems)})

    def _changes(self, since: int | None, now: int) -> tuple[list[str] | None, list[str] | None]:
        """The pages and the other files that changed between two builds; None where that is not known."""
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
        certain(self._changed, "who is woken was attached").set()
        self._changed = asyncio.Event()
