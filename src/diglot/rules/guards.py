"""What `diglot check` asks of every article beside its pages: whether its halves agree, and its numbers."""

from collections.abc import Collection, Mapping
from typing import Any

from msgspec import msgpack

from diglot.content.bindings import Binding
from diglot.diagnostics import Diagnostic
from diglot.engine import BuildReport
from diglot.rules.agreement import compare_article
from diglot.rules.building import Site
from diglot.rules.sources import Posts, find_posts
from diglot.rules.tasks import Task
from diglot.rules.typed_numbers import find_typed_numbers

GUARDS: Mapping[str, Task[str, Any]] = {"pairs": compare_article, "numbers": find_typed_numbers}
"""The tasks of each part of `diglot check` that looks at articles, not at the finished site."""

DEFAULT_PARTS = ("site", "pairs")
PARTS = ("site", *GUARDS)
_RULES_OF_NUMBERS = ("number-typed", "number-differs", "number-unbound")


def unasked_rules(parts: Collection[str]) -> Collection[str]:
    """Rules of which nothing can be known when only these parts are checked."""
    return () if "numbers" in parts else _RULES_OF_NUMBERS


def guard(site: Site, parts: Collection[str]) -> tuple[Diagnostic, ...]:
    """What is wrong with the articles of a site, and what keeps them from being looked at."""
    tasks = [GUARDS[part] for part in parts if part in GUARDS]
    report, names = _articles(site)
    if tasks and names is not None:
        report, _ = site.bring_up([one.key(name) for one in tasks for name in names])
    return report.diagnostics if tasks else ()


def find_bindings(site: Site) -> tuple[Binding, ...]:
    """What to write for the typed numbers of all articles that figures compute."""
    _, names = _articles(site)
    _, found = site.bring_up([find_typed_numbers.key(name) for name in names or ()])
    return tuple(
        binding
        for encoded in found
        if encoded is not None
        for binding in msgpack.decode(encoded, type=tuple[Binding, ...])
    )


def _articles(site: Site) -> tuple[BuildReport, tuple[str, ...] | None]:
    report, (posts,) = site.bring_up([find_posts.key(None)])
    return report, None if posts is None else msgpack.decode(posts, type=Posts).names
