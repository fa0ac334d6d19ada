"""What browsers are told: one state, handed to everyone who listens, whichever thread changes it."""

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Collection

import msgspec
from msgspec.structs import replace

from diglot.invariants import require
from diglot.serve.problems import Problem

_MOST_VISITED = 4
"""So many pages are brought up to date before all others."""
_MOST_NAMED = 256
"""Where more pages changed at once, they are not named: each browser then looks at its own."""
_MOST_REMEMBERED = 20_000
"""Files whose last change is remembered, for who comes back and asks what was missed."""
_RETRY_MS = 500
_DISMISSED_RETRY_MS = 30_000
"""When somebody comes back for whom there was no room; sooner where the page is looked at."""


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


class Listener:
    """One who waits for the next state. Lives on the event loop."""

    def __init__(self) -> None:
        self.is_dismissed = False
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """There is something to hear."""
        self._woken.set()

    def dismiss(self) -> None:
        """There is no room for it."""
        self.is_dismissed = True
        self.wake()

    async def wait(self) -> None:
        """Wait until there is something to hear that was not there at the last wait."""
        await self._woken.wait()
        self._woken.clear()


class Hub:
    """The current state and those who wait for the next."""

    def __init__(self) -> None:
        # Counted on from the clock: a tab left open over a restart must not meet its old number again.
        start = time.time_ns() // 1_000_000
        self.state = State(build=start, attempt=start, told=start)
        self._changed_in: dict[str, int] = {}
        """The build that changed a file last."""
        self._listening: set[Listener] = set()
        self.visited: tuple[str, ...] = ()
        """The pages that were asked for last, as paths in the output, the latest first."""
        self._known_from = start
        self._telling = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False

    def attach(self) -> None:
        """Take the running event loop as the one listeners live in."""
        self._loop = asyncio.get_running_loop()

    @property
    def listeners(self) -> int:
        """How many browsers hold a stream."""
        return len(self._listening)

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

    async def events(self, since: int | None = None, listener: Listener | None = None) -> AsyncIterator[str]:
        """The state now and after every change, as server-sent events; who is slow gets the latest alone.

        `since` is the build a listener has seen; each event names the files that changed after it.
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
        for listener in self._listening:
            listener.wake()
