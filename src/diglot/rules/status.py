"""What `diglot status` says: which articles keep count, and what of them is behind."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

import msgspec

from diglot.diagnostics import Diagnostic, DiagnosticError, did_you_mean
from diglot.rules.building import Site
from diglot.rules.earlier_figures import explain_numbers
from diglot.rules.sources import PostFiles, find_posts
from diglot.rules.staleness import find_staleness, list_units
from diglot.rules.tasks import Task
from diglot.rules.typed_numbers import find_typed_numbers
from diglot.staleness.comparing import Finding
from diglot.staleness.units import Units

_T = TypeVar("_T")


class ArticleStatus(msgspec.Struct, frozen=True, kw_only=True):
    """One article that keeps count."""

    post: PostFiles
    findings: tuple[Finding, ...] | None
    """What is not in step; None where a file has errors."""


class Status(msgspec.Struct, frozen=True, kw_only=True):
    """Some articles, compared."""

    articles: tuple[ArticleStatus, ...]
    untracked: tuple[PostFiles, ...]
    """Those without `sync.txt`."""
    outdated: tuple[Diagnostic, ...]
    """Numbers that were typed from figures, and that the figures no longer compute."""
    uncompared: tuple[PostFiles, ...]
    """Articles whose numbers were not compared, because a figure of theirs cannot be computed."""
    mistakes: tuple[Diagnostic, ...]
    """Errors that kept articles from being compared."""


def find_pairs(site: Site, names: Sequence[str]) -> tuple[PostFiles, ...]:
    """The articles of these names, or all, as far as they have both halves.

    Raises DiagnosticError for a name that is no article's, or of one that has a single half.
    """
    articles = site.value(find_posts, None).articles
    pairs = {name: post for name, post in articles.items() if len(post.languages) == 2}
    mistakes = [_no_pair(name, articles.get(name), pairs) for name in names if name not in pairs]
    if mistakes:
        raise DiagnosticError(*mistakes)
    return tuple(pairs[name] for name in dict.fromkeys(names)) if names else tuple(pairs.values())


def _no_pair(name: str, post: PostFiles | None, pairs: Iterable[str]) -> Diagnostic:
    if post is not None:
        fix = f"write {post.missing} first."
        return Diagnostic(rule="status-unknown", message=f'"{name}" has only one half', fix=fix)
    otherwise = "use the name of its folder, as in content/posts/NAME/; pages/NAME and talks/NAME are others."
    return Diagnostic(
        rule="status-unknown",
        message=f'there is no article "{name}"',
        fix=did_you_mean(name, pairs, otherwise=otherwise),
    )


def find_status(site: Site, posts: Sequence[PostFiles]) -> Status:
    """What of these articles is not in step."""
    tracked = [post for post in posts if post.sync is not None]
    found, mistakes = _values(site, find_staleness, tracked)
    outdated, uncompared = _outdated_numbers(site, posts)
    return Status(
        outdated=outdated,
        uncompared=uncompared,
        articles=tuple(
            ArticleStatus(post=post, findings=one) for post, one in zip(tracked, found, strict=True)
        ),
        untracked=tuple(post for post in posts if post.sync is None),
        mistakes=mistakes,
    )


def _outdated_numbers(
    site: Site, posts: Sequence[PostFiles]
) -> tuple[tuple[Diagnostic, ...], tuple[PostFiles, ...]]:
    """The outdated numbers of these articles, and the articles of which they are not known."""
    names = [post.name for post in posts]
    if not names:
        return (), ()
    explain_numbers(site, names)
    values, diagnostics = site.values_that_are(find_typed_numbers, names)
    return (
        tuple(one for one in diagnostics if one.rule == "number-outdated"),
        tuple(post for post, value in zip(posts, values, strict=True) if value is None),
    )


def find_units(site: Site, posts: Sequence[PostFiles]) -> tuple[list[Units | None], tuple[Diagnostic, ...]]:
    """What is translated of these articles, and the errors that kept some from being read."""
    return _values(site, list_units, posts)


def _values(
    site: Site, task: Task[str, _T], posts: Sequence[PostFiles]
) -> tuple[list[_T | None], tuple[Diagnostic, ...]]:
    """A value for each article, and the errors if there is none for some."""
    if not posts:
        return [], ()
    found, diagnostics = site.values_that_are(task, [post.name for post in posts])
    # What else a build would say of these files is not the question here.
    errors = (one for one in diagnostics if one.severity == "error")
    return found, tuple(errors) if None in found else ()
