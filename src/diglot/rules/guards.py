"""What `diglot check` asks of every article beside its pages: whether its halves agree, and its numbers."""

from collections.abc import Collection, Mapping

from msgspec import msgpack

from diglot.diagnostics import Diagnostic
from diglot.rules.agreement import compare_article
from diglot.rules.building import Site
from diglot.rules.sources import Posts, find_posts
from diglot.rules.tasks import Task
from diglot.rules.typed_numbers import find_typed_numbers

GUARDS: Mapping[str, Task[str, int]] = {"pairs": compare_article, "numbers": find_typed_numbers}
"""The tasks of each part of `diglot check` that looks at articles, not at the finished site."""

DEFAULT_PARTS = ("site", "pairs")
PARTS = ("site", *GUARDS)
_RULES_OF_NUMBERS = ("number-typed", "number-differs", "number-unbound")


def unasked_rules(parts: Collection[str]) -> Collection[str]:
    """Rules of which nothing can be known when only these parts are checked."""
    return () if "numbers" in parts else _RULES_OF_NUMBERS


def guard(site: Site, parts: Collection[str]) -> tuple[Diagnostic, ...]:
    """What is wrong with the articles of a site, and what keeps them from being looked at."""
    report, (posts,) = site.bring_up([find_posts.key(None)])
    if posts is None:
        return report.diagnostics
    names = msgpack.decode(posts, type=Posts).names
    keys = [GUARDS[part].key(name) for part in parts if part in GUARDS for name in names]
    report, _ = site.bring_up(keys)
    return report.diagnostics
