"""The sentences of a half that quote values, and the values, each with what its expression names."""

from contextlib import suppress

from diglot.comparing.half_texts import HalfReader
from diglot.comparing.records import BoundValue
from diglot.expressions.numbers import paths_in
from diglot.expressions.parsing import ExpressionError
from diglot.render.provenance_materials import QuotedValue, Quotes, QuotingSentence

_TOP = "_top"
"""The id of the row with the title, which the description belongs to."""


def quotes_of(reader: HalfReader) -> Quotes:
    """The values that a half quotes, and the sentences in which it does. Those with mistakes are left out."""
    sentences = []
    found: dict[str, BoundValue] = {}
    blocks: dict[str, dict[str, None]] = {}
    for block in reader.read().blocks:
        row = _TOP if block.id in ("title", "description", "event") else block.seen_with or block.id
        for sentence in block.sentences:
            if not sentence.values:
                continue
            expressions = tuple(dict.fromkeys(one.expression for one in sentence.values))
            sentences.append(QuotingSentence(block=row, text=sentence.text, values=expressions))
            for one in sentence.values:
                found.setdefault(one.expression, one)
                blocks.setdefault(one.expression, {})[row] = None
    values = []
    for expression, bound in found.items():
        with suppress(ExpressionError):
            values.append(
                QuotedValue(
                    expression=expression,
                    text=bound.text,
                    value=bound.number,
                    unit="" if bound.dimension[:1] in ("%", ".") else bound.dimension,
                    figures=reader.values.requests_of(expression),
                    paths=paths_in(expression, reader.values.figures),
                    blocks=tuple(blocks[expression]),
                )
            )
    return Quotes(values=tuple(values), sentences=tuple(sentences))
