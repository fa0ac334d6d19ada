"""How values are made: a rule for each kind of task."""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from functools import cached_property
from typing import Any

import msgspec

from diglot.engine.fetch import Fetch


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """How the tasks of one kind run."""

    run: Callable[[Fetch[Any], str], Awaitable[object]]
    """Makes the value called `name`: `async def run(fetch, name)`. What can change the value is fetched."""
    value_type: Any
    """What the value is, as msgspec decodes it; `bytes` is stored as it stands."""
    code: str
    """Digest of the code that makes the value: where it differs from the recorded one, the task runs."""
    keeps_last_good: bool = False
    """Whether the last good value is used where the task fails, in builds that are told to do so."""


class LateRules(Mapping[str, Rule]):
    """Rules that are loaded when the first is asked for: a build in which nothing changed needs none."""

    def __init__(self, codes: Mapping[str, str], load: Callable[[], Mapping[str, Rule]]) -> None:
        """`codes` are the digests of all code that the rules have, under names of any kind."""
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
    """Digests of the code of all rules: while they are the same, none of it has changed."""
    return rules.codes if isinstance(rules, LateRules) else {kind: rule.code for kind, rule in rules.items()}
