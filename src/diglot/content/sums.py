"""Results in sentences that are not what their other numbers make, with the values of figures filled in."""

from collections.abc import Callable, Iterator
from html import escape

from diglot.content.prose import prose_of
from diglot.content.records import Parts, Placeholder
from diglot.content.typed_numbers import SENTENCE, Half, texts_of
from diglot.diagnostics import Diagnostic, Location
from diglot.quantities.arithmetic import wrong_sums


def report_wrong_sums(half: Half, shown: Callable[[str], str | None]) -> Iterator[Diagnostic]:
    """A warning for each wrong result; `shown` gives the text of a value, None for one that has none."""
    for text in texts_of(half):
        parts = _filled(text.parts, shown)
        rounded = any(part is not filled for part, filled in zip(text.parts, parts, strict=True))
        for sentence in SENTENCE.findall(prose_of(parts)):
            for wrong in wrong_sums(sentence, half.document.language, rounded=rounded):
                yield Diagnostic(
                    rule="number-sum",
                    message=f"“{wrong.result}” in “{wrong.text}” is {wrong.right}",
                    severity="warning",
                    location=Location(path=half.document.path, line=text.line),
                    fix=f"write {wrong.right}, or correct the numbers that it is made of.",
                )


def _filled(parts: Parts, shown: Callable[[str], str | None]) -> Parts:
    return tuple(_text_of(part, shown) or part for part in parts)


def _text_of(part: str | Placeholder, shown: Callable[[str], str | None]) -> str | None:
    if isinstance(part, str) or part.kind != "eval":
        return None
    text = shown(part.target)
    return None if text is None else escape(text, quote=False)
