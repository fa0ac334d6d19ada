"""Results in sentences that are not what their other numbers make, with the values of figures filled in."""

from collections.abc import Callable, Iterator
from itertools import accumulate

from diglot.content.prose import BOUND, prose_of
from diglot.content.typed_numbers import SENTENCE, Half, texts_of
from diglot.diagnostics import Diagnostic, Location
from diglot.quantities.arithmetic import wrong_sums

_VALUE = "\u2063"
"""Stands before a value that is filled in: it has been rounded, and what is typed has not."""


def report_wrong_sums(half: Half, shown: Callable[[str], str | None]) -> Iterator[Diagnostic]:
    """A warning for each wrong result; `shown` gives the text of a value, None for one that has none."""

    def filled(expression: str) -> str:
        value = shown(expression)
        return BOUND if value is None else f"{_VALUE}{value}"

    for text in texts_of(half):
        prose = prose_of(text.nodes, filled)
        for sentence in SENTENCE.findall(prose):
            pieces = sentence.split(_VALUE)
            places = frozenset(accumulate(map(len, pieces[:-1])))
            for wrong in wrong_sums("".join(pieces), half.tree.language, rounded=places):
                yield Diagnostic(
                    rule="number-sum",
                    message=f"“{wrong.result}” in “{wrong.text}” is {wrong.right}",
                    severity="warning",
                    location=Location(path=half.tree.path, line=text.line),
                    fix=f"write {wrong.right}, or correct the numbers that it is made of.",
                )
