"""Mends what is beyond doubt in the Markdown of a half: syntax that one wrong character has spoilt."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from diglot.content.document import read_document
from diglot.content.mistakes import Mend, Mistakes
from diglot.content.records import Document
from diglot.languages import Language

if TYPE_CHECKING:
    from diglot.project import HtmlPolicy

_MOST_ROUNDS = 30
"""A line is mended once in a round, and the half is read again after each."""


class Mended(NamedTuple):
    """A half after mending."""

    text: str
    done: tuple[Mend, ...]
    """Each changed line, whole. Mending adds and removes no lines."""


def mended(
    text: str,
    path: str,
    language: Language,
    html: "HtmlPolicy" = "all",
    *,
    leads_somewhere: Callable[[str], bool] = lambda _target: True,
) -> Mended:
    """A half with its text mended. What would cause an error, or is not once in its line, stays as it is.

    `leads_somewhere` says of the target of a new link or picture whether there is such a file or page.
    """
    lines = text.split("\n")
    refused: set[Mend] = set()
    document, mistakes = read_document(text, path, language, html)
    known = _targets_of(document)
    for _ in range(_MOST_ROUNDS):
        mends = {mend.line: mend for mend in reversed(mistakes.mends) if mend not in refused}
        if not mends:
            break
        chosen = [mends[line] for line in sorted(mends)]
        while chosen:
            new, applied = _applied(text, chosen)
            document, after = read_document(new, path, language, html) if applied else (document, mistakes)
            targets = _targets_of(document)
            if applied and _is_better(after, mistakes) and all(map(leads_somewhere, targets - known)):
                text, mistakes, known = new, after, targets
                break
            # One of them is wrong, so that they are tried in halves.
            refused.update(chosen if len(chosen) == 1 or not applied else ())
            chosen = chosen[: len(chosen) // 2] if applied else []
    changed = (
        Mend(number, old, new)
        for number, (old, new) in enumerate(zip(lines, text.split("\n"), strict=True), start=1)
        if old != new
    )
    return Mended(text, tuple(changed))


def _targets_of(document: Document) -> frozenset[str]:
    """What the links and pictures of a half lead to, as it is written."""
    return frozenset(link.target for link in document.links if link.kind in ("link", "image"))


def _is_better(after: Mistakes, before: Mistakes) -> bool:
    """Whether nothing more is wrong, and no fence has begun that swallows the rest of the half."""
    return (
        len(after.errors) <= len(before.errors)
        and len(after.warnings) <= len(before.warnings)
        and _unclosed(after) <= _unclosed(before)
    )


def _unclosed(mistakes: Mistakes) -> int:
    return sum(warning.rule == "fence-unclosed" for warning in mistakes.warnings)


def _applied(text: str, mends: list[Mend]) -> tuple[str, list[Mend]]:
    lines = text.split("\n")
    applied = []
    for mend in mends:
        if lines[mend.line - 1].count(mend.old) == 1:
            lines[mend.line - 1] = lines[mend.line - 1].replace(mend.old, mend.new)
            applied.append(mend)
    return "\n".join(lines), applied
