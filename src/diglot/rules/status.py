"""What `diglot status` says: which articles keep count, and what of them is behind."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias, TypeVar

import msgspec

from diglot.diagnostics import Diagnostic, DiagnosticError, did_you_mean
from diglot.engine import Key, Progress
from diglot.rules.building import Site
from diglot.rules.sources import PostFiles, Posts, find_posts
from diglot.rules.staleness import Staleness, find_staleness, list_units
from diglot.staleness.comparing import Finding
from diglot.staleness.units import Units

_T = TypeVar("_T")
Tell: TypeAlias = Callable[[Progress], None] | None


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
    mistakes: tuple[Diagnostic, ...]
    """Errors that kept articles from being compared."""


def find_pairs(site: Site, names: Sequence[str], progress: Tell = None) -> tuple[PostFiles, ...]:
    """The articles of these names, or all, as far as they have both halves.

    Raises DiagnosticError for a name that is no article's, or of one that has a single half.
    """
    report, (encoded,) = site.bring_up([find_posts.key(None)], progress=progress)
    if encoded is None:
        raise DiagnosticError(*_errors_of(report.diagnostics))
    articles = msgspec.msgpack.decode(encoded, type=Posts).articles
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


def find_status(site: Site, posts: Sequence[PostFiles], progress: Tell = None) -> Status:
    """What of these articles is not in step."""
    tracked = [post for post in posts if post.sync is not None]
    found, mistakes = _bring_up(
        site, [find_staleness.key(post.name) for post in tracked], Staleness, progress
    )
    return Status(
        articles=tuple(
            ArticleStatus(post=post, findings=None if one is None else one.findings)
            for post, one in zip(tracked, found, strict=True)
        ),
        untracked=tuple(post for post in posts if post.sync is None),
        mistakes=mistakes,
    )


def find_units(
    site: Site, posts: Sequence[PostFiles], progress: Tell = None
) -> tuple[tuple[Units | None, ...], tuple[Diagnostic, ...]]:
    """What is translated of these articles, and the errors that kept some from being read."""
    return _bring_up(site, [list_units.key(post.name) for post in posts], Units, progress)


def _bring_up(
    site: Site, keys: Sequence[Key], kind: type[_T], progress: Tell
) -> tuple[tuple[_T | None, ...], tuple[Diagnostic, ...]]:
    if not keys:
        return (), ()
    report, values = site.bring_up(keys, progress=progress)
    found = tuple(None if value is None else msgspec.msgpack.decode(value, type=kind) for value in values)
    return found, _errors_of(report.diagnostics) if None in found else ()


def _errors_of(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The errors; what else a build would say of these files is not the question here."""
    return tuple(one for one in diagnostics if one.severity == "error")
