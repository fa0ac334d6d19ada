"""Results in sentences that are not what their other numbers make, with the values of figures filled in."""

from collections.abc import Callable, Iterator
from html import escape
from itertools import accumulate

from diglot.content.prose import prose_of
from diglot.content.records import Placeholder
from diglot.content.typed_numbers import SENTENCE, Half, texts_of
from diglot.diagnostics import Diagnostic, Location
from diglot.quantities.arithmetic import wrong_sums

_VALUE = "\u2063"
"""Stands before a value that is filled in: it has been rounded, and what is typed has not."""


def report_wrong_sums(half: Half, shown: Callable[[str], str | None]) -> Iterator[Diagnostic]:
    """A warning for each wrong result; `shown` gives the text of a value, None for one that has none."""
    for text in texts_of(half):
        prose = prose_of(tuple(_filled(part, shown) for part in text.parts))
        for sentence in SENTENCE.findall(prose):
            pieces = sentence.split(_VALUE)
            places = frozenset(accumulate(map(len, pieces[:-1])))
            for wrong in wrong_sums("".join(pieces), half.document.language, rounded=places):
                yield Diagnostic(
                    rule="number-sum",
                    message=f"“{wrong.result}” in “{wrong.text}” is {wrong.right}",
                    severity="warning",
                    location=Location(path=half.document.path, line=text.line),
                    fix=f"write {wrong.right}, or correct the numbers that it is made of.",
                )


def _filled(part: str | Placeholder, shown: Callable[[str], str | None]) -> str | Placeholder:
    if isinstance(part, str) or part.kind != "eval":
        return part
    text = shown(part.target)
    return part if text is None else f"{_VALUE}{escape(text, quote=False)}"
