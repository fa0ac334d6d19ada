"""What the browser is told: one state, handed to everyone who listens, whichever thread changes it."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The last build as the browser needs to know it."""

    build: int
    """Counts the builds that changed the output; a page that was served with a lower one reloads."""
    errors: str = ""
    """The diagnostics of a failed build as the terminal shows them; empty where the build is good."""


class Hub:
    """The current state and those who wait for the next."""

    def __init__(self) -> None:
        self.state = State(build=0)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed: asyncio.Event | None = None
        self._closed = False

    def attach(self) -> None:
        """Take the running event loop as the one listeners live in."""
        self._loop = asyncio.get_running_loop()
        self._changed = asyncio.Event()

    def tell(self, state: State) -> None:
        """Change the state; may be called from any thread."""
        self.state = state
        self._wake()

    def close(self) -> None:
        """End every listener's stream, so that the server can stop."""
        self._closed = True
        self._wake()

    async def events(self) -> AsyncIterator[str]:
        """The state now and after every change, as server-sent events."""
        while not self._closed:
            assert self._changed is not None, "attach comes before the first listener"
            waiting = self._changed
            yield f"data: {json.dumps(asdict(self.state))}\n\n"
            await waiting.wait()

    def _wake(self) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._release)

    def _release(self) -> None:
        assert self._changed is not None
        self._changed.set()
        self._changed = asyncio.Event()
