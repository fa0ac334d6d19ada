"""Rules: how the tasks of each kind run."""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from functools import cached_property
from typing import Any

import msgspec

from diglot.engine.fetch import Fetch


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """How the tasks of one kind run."""

    run: Callable[[Fetch[Any], str], Awaitable[object]]
    """`async def run(fetch, name)` makes the value called `name`, and fetches all that can change it."""
    value_type: Any
    """The type of the value, as msgspec decodes it; `bytes` is stored as it is."""
    code: str
    """Digest of the code that makes the value. If it differs from the recorded one, the task runs."""
    keeps_last_good: bool = False
    """Whether a failed task keeps its last good value, in builds with `keep_last_good`."""


class LateRules(Mapping[str, Rule]):
    """Rules that are loaded when the first one is needed. A build in which nothing changed needs none."""

    def __init__(self, codes: Mapping[str, str], load: Callable[[], Mapping[str, Rule]]) -> None:
        """`codes` are digests of all code of the rules; their names may be anything."""
        self.codes = codes
        self._load = load

    @cached_property
    def _rules(self) -> Mapping[str, Rule]:
        return self._load()

    def __getitem__(self, kind: str) -> Rule:
        return self._rules[kind]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rules)

    def __len__(self) -> int:
        return len(self._rules)


def codes_of(rules: Mapping[str, Rule]) -> Mapping[str, str]:
    """Digests of the code of all rules. While they are the same, no rule's code has changed."""
    return rules.codes if isinstance(rules, LateRules) else {kind: rule.code for kind, rule in rules.items()}
