"""What the browser is told: one state, handed to everyone who listens, whichever thread changes it."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The last build as the browser needs to know it."""

    build: int
    """Which output is served; a page that was served with another one reloads."""
    errors: str = ""
    """The diagnostics of a failed build as the terminal shows them; empty where the build is good."""


class Hub:
    """The current state and those who wait for the next."""

    def __init__(self) -> None:
        # Counted on from the clock: a tab left open over a restart must not meet its old number again.
        self.state = State(build=time.time_ns() // 1_000_000)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed: asyncio.Event | None = None
        self._closed = False

    def attach(self) -> None:
        """Take the running event loop as the one listeners live in."""
        self._loop = asyncio.get_running_loop()
        self._changed = asyncio.Event()

    def tell_built(self, *, changed: bool) -> None:
        """A build succeeded, and changed the output or not; may be called from any thread."""
        self._tell(State(build=self.state.build + int(changed)))

    def tell_errors(self, errors: str) -> None:
        """A build failed, and the output is what it was; may be called from any thread."""
        self._tell(replace(self.state, errors=errors))

    def close(self) -> None:
        """End every listener's stream, so that the server can stop."""
        self._closed = True
        self._wake()

    async def events(self) -> AsyncIterator[str]:
        """The state now and after every change, as server-sent events; who is slow gets the latest alone."""
        while not self._closed:
            assert self._changed is not None, "attach comes before the first listener"
            changed = self._changed  # before the state is looked at: no change is missed in between
            yield f"data: {json.dumps(asdict(self.state))}\n\n"
            await changed.wait()

    def _tell(self, state: State) -> None:
        self.state = state
        self._wake()

    def _wake(self) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._release)

    def _release(self) -> None:
        assert self._changed is not None
        self._changed.set()
        self._changed = asyncio.Event()
