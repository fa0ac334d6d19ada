"""What figures computed before their last change in Git, for typed numbers that no build can explain.

A build notes the numbers that it replaces. In a fresh checkout, or where nobody built before the change, only
Git knows them. So the figures of articles with unexplained numbers are computed once more as they were.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from diglot.cache_files import read_file, sealed, unsealed, write_file
from diglot.deploying.git import Git, GitFailed, GitMissing
from diglot.diagnostics import Refusal
from diglot.figure_request import FigureRequest
from diglot.rules.building import Site
from diglot.rules.earlier import earlier_project
from diglot.rules.earlier_numbers import FOLDER, note_earlier
from diglot.rules.figures import compute_figure
from diglot.rules.typed_numbers import find_typed_numbers

_ASKED = ".asked"
"""In the folder of earlier numbers: the commit whose figures were computed, and which."""
_PURPOSE = "asked figures 1"
_INPUTS = (".", ":(exclude)*.md")
"""All files but texts, in the words of Git."""


class _Asked(msgspec.Struct, frozen=True, kw_only=True):
    commit: str
    figures: tuple[str, ...]


def explain_numbers(site: Site, articles: Sequence[str]) -> None:
    """Compute what tells which typed numbers of these articles were right before: figures, now and before."""
    found, _ = site.values_that_are(find_typed_numbers, articles)
    figures = sorted({text for one in found if one is not None for text in one.unexplained_beside})
    if figures and (commit := _commit_before(site.options.root)) is not None:
        asked = _asked(site.options.cache)
        if asked is None or asked.commit != commit or not {*figures} <= {*asked.figures}:
            with suppress(Refusal):  # the project was not there then, or is no project of diglot's
                _compute_as_of(site, commit, map(FigureRequest.parse, figures))
            _note_asked(site.options.cache, _Asked(commit=commit, figures=tuple(figures)))


def _compute_as_of(site: Site, commit: str, requests: Iterable[FigureRequest]) -> None:
    with earlier_project(site, commit) as earlier:
        wanted = [*requests]
        with Site(earlier.options, progress=site.progress, pool=site.workers.pool) as before:
            values, _ = before.values_that_are(compute_figure, wanted)
        data = {request: one.data for request, one in zip(wanted, values, strict=True) if one is not None}
    note_earlier(site.options.cache, data)


def _commit_before(root: Path) -> str | None:
    """The last commit in which a file that is no text was other than it is now; None if there is none."""
    git = Git(root)
    try:
        if not git.answers("diff", "--quiet", "HEAD", "--", *_INPUTS):
            return git("rev-parse", "--verify", "--quiet", "HEAD")
        changed = git("log", "-1", "--format=%H", "--", *_INPUTS)
        return git("rev-parse", "--verify", "--quiet", f"{changed}^") if changed else None
    except (GitMissing, GitFailed):  # no repository, no commit yet, or the first one
        return None


def _asked(cache: Path) -> _Asked | None:
    inner = unsealed(read_file(cache / FOLDER / _ASKED), _PURPOSE)
    return None if inner is None else msgspec.msgpack.decode(inner, type=_Asked)


def _note_asked(cache: Path, asked: _Asked) -> None:
    write_file(cache / FOLDER / _ASKED, sealed(msgspec.msgpack.encode(asked), _PURPOSE))
