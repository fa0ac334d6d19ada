"""How the values of one kind are made."""

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from diglot.engine.fetch import Fetch


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """How the tasks of one kind run."""

    kind: str
    run: Callable[[Fetch, str], Awaitable[object]]
    """Makes the value called `name`: `async def run(fetch, name)`. What can change the value is fetched."""
    value_type: Callable[[], Any]
    """Gives what the value is, as msgspec decodes it; `bytes` is stored as it stands. A function, so that a
    rule can be named without importing what it makes."""
    code: str
    """Digest of the code that makes the value: where it differs from the recorded one, the task runs."""
