"""The text that an expression stands for, in prose or in a figure's message."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from diglot.characters import code_of, forbidden_in
from diglot.expressions.evaluation import Evaluation
from diglot.expressions.filters import filters_for, plain_text, text_checked
from diglot.expressions.mistakes import ValueMistake, no_such_format, shortened
from diglot.expressions.parsing import ExpressionError, ExpressionTooLarge, figures_read_by, parse_expression
from diglot.languages import LANGUAGES, Language

if TYPE_CHECKING:
    from jinja2 import nodes

FILTERS = {language: filters_for(language) for language in LANGUAGES}


def text_of(
    expression: str,
    values: Mapping[str, Any],
    language: Language,
    *,
    unknown: Callable[[str], ValueMistake],
    syntax: str,
) -> str:
    """The value of an expression as plain text; a number without a format has all its digits.

    `values` are what names stand for, `unknown` is the mistake of a name that is not among them, and `syntax`
    the fix for an expression that cannot be read. Raises ValueMistake.
    """
    value, _ = evaluated(expression, values, language, unknown=unknown, syntax=syntax)
    text = text_checked(plain_text(value, _quoted(expression)))
    if (character := forbidden_in(text)) is not None:
        raise no_such_format(
            f"{_quoted(expression)} contains the character {code_of(character)}, which is "
            "not allowed on a page",
            "correct the figure.",
        )
    return text


def evaluated(
    expression: str,
    values: Mapping[str, Any],
    language: Language,
    *,
    unknown: Callable[[str], ValueMistake],
    syntax: str,
) -> tuple[Any, "nodes.Expr"]:
    """The value of an expression, and its syntax tree. The parameters are those of `text_of`.

    Raises ValueMistake.
    """
    try:
        for name in _names_in(expression):
            if name not in values:
                raise unknown(name)
        tree = parse_expression(expression)
        return Evaluation(values, FILTERS[language]).value(tree), tree
    except ExpressionTooLarge as problem:
        message = f"{_quoted(expression)}: {problem}"
        raise ValueMistake("value-limit", message, "compute it in the figure.") from None
    except ExpressionError as problem:
        message = f"{_quoted(expression)} cannot be read: {problem}"
        raise ValueMistake("value-syntax", message, problem.fix or syntax) from None


# Cached because the four pages of an article contain the same expressions.
@lru_cache(maxsize=4096)
def _names_in(expression: str) -> frozenset[str]:
    return frozenset(request.figure_id for request in figures_read_by(expression))


def _quoted(expression: str) -> str:
    return f"`{shortened(expression)}`"
