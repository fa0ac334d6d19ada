"""What `diglot check` asks of every article beside its pages: whether its halves agree, and its numbers.

It imports no task, so that a check with nothing to do loads none.
"""

from collections.abc import Collection
from typing import TYPE_CHECKING

from msgspec import msgpack

from diglot.engine import Key

if TYPE_CHECKING:
    from diglot.content.bindings import Binding
    from diglot.rules.building import Site

GUARDS = ("pairs", "numbers")
"""The parts of `diglot check` that look at articles, not at the finished site."""

DEFAULT_PARTS = ("site", "pairs")
PARTS = ("site", *GUARDS)
_RULES_OF_NUMBERS = ("number-typed", "number-differs", "number-unbound", "number-sum", "number-unit")


def unasked_rules(parts: Collection[str]) -> Collection[str]:
    """Rules of which nothing can be known when only these parts are checked."""
    return () if "numbers" in parts else _RULES_OF_NUMBERS


def guards_of(parts: Collection[str]) -> tuple[Key, ...]:
    """The tasks that look at all articles: `rules.guarding.guard_articles`."""
    return tuple(Key("guard", part) for part in GUARDS if part in parts)


def find_bindings(site: "Site") -> "tuple[Binding, ...]":
    """What to write for the typed numbers of all articles that figures compute."""
    from diglot.content.bindings import Binding  # noqa: PLC0415  (only `--fix` needs it)
    from diglot.rules.sources import Posts, find_posts  # noqa: PLC0415  (a check with nothing to do loads no task)
    from diglot.rules.typed_numbers import find_typed_numbers  # noqa: PLC0415  (a check with nothing to do loads no task)

    _, (posts,) = site.bring_up([find_posts.key(None)])
    names = () if posts is None else msgpack.decode(posts, type=Posts).names
    _, found = site.bring_up([find_typed_numbers.key(name) for name in names])
    return tuple(
        binding
        for encoded in found
        if encoded is not None
        for binding in msgpack.decode(encoded, type=tuple[Binding, ...])
    )
