"""What `diglot check` asks of every article besides its pages: whether its halves agree, and its numbers.

It imports no task, so that a check with nothing to do loads none.
"""

from collections.abc import Collection
from typing import TYPE_CHECKING

from diglot.engine import Key

if TYPE_CHECKING:
    from diglot.content.bindings import Binding
    from diglot.languages import Language
    from diglot.rules.building import Site

GUARDS = ("pairs", "numbers")
"""The parts of `diglot check` that look at articles, not at the finished site."""

DEFAULT_PARTS = ("site", "pairs")
PARTS = ("site", *GUARDS)
_OF_DEPLOYING = ("base-url-placeholder",)
_RULES_OF_NUMBERS = (
    "number-typed",
    "number-outdated",
    "number-differs",
    "number-unbound",
    "number-sum",
    "number-unit",
)


def unasked_rules(parts: Collection[str]) -> Collection[str]:
    """Rules of which nothing can be known when only these parts are checked, or that only `deploy` has."""
    return _OF_DEPLOYING if "numbers" in parts else (*_OF_DEPLOYING, *_RULES_OF_NUMBERS)


def guards_of(parts: Collection[str]) -> tuple[Key, ...]:
    """The tasks that look at all articles: `rules.guarding.guard_articles`."""
    return tuple(Key("guard", part) for part in GUARDS if part in parts)


def compute_for(parts: Collection[str], site: "Site") -> None:
    """Compute what the numbers of articles are compared with: their figures, as they are and were."""
    if "numbers" in parts:
        from diglot.rules.earlier_figures import explain_numbers  # noqa: PLC0415  (a check with nothing to do loads no task)
        from diglot.rules.sources import find_posts  # noqa: PLC0415  (a check with nothing to do loads no task)

        (posts,), _ = site.values_that_are(find_posts, [None])
        explain_numbers(site, () if posts is None else posts.names)


def find_half_files(site: "Site") -> "tuple[tuple[str, Language], ...]":
    """The file of each half of all articles, with its language."""
    from diglot.rules.sources import find_posts  # noqa: PLC0415  (a check with nothing to do loads no task)

    (posts,), _ = site.values_that_are(find_posts, [None])
    articles = () if posts is None else posts.articles.values()
    return tuple((article.path(language), language) for article in articles for language in article.languages)


def find_bindings(site: "Site") -> "tuple[Binding, ...]":
    """What to write for the typed numbers of all articles that figures compute."""
    from diglot.rules.sources import find_posts  # noqa: PLC0415  (a check with nothing to do loads no task)
    from diglot.rules.typed_numbers import find_typed_numbers  # noqa: PLC0415  (a check with nothing to do loads no task)

    (posts,), _ = site.values_that_are(find_posts, [None])
    found, _ = site.values_that_are(find_typed_numbers, () if posts is None else posts.names)
    return tuple(binding for one in found if one is not None for binding in one.bindings)
