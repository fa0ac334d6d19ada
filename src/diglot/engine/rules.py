"""How the values of one kind are made."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from diglot.engine.fetch import Fetch


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """How the tasks of one kind run."""

    kind: str
    run: Callable[[Fetch, str], Awaitable[object]]
    """Makes the value called `name`: `async def run(fetch, name)`. What can change the value is fetched."""
    value_type: Any
    """What the value is, as msgspec decodes it; `bytes` is stored as it stands."""
    code: str
    """Digest of the code that makes the value: where it differs from the recorded one, the task runs."""
