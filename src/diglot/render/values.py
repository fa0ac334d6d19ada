"""Values of figures in prose: evaluates `{eval}` expressions and formats them for the language.

The names in an expression are figures; a path after a name leads into the data that the figure computed; a
filter after a bar formats the value:

    roofline.h200.ridge | number(0)              206
    roofline(dtype="fp8").h200.peak | si("FLOP/s")
    mxu["128"].utilisation | percent             97%

Nothing is guessed and nothing false is shown: an unknown name is a diagnostic with the nearest known one, a
value that is not a number cannot be formatted as one, and a number other than 0 is not shown as 0.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from diglot.characters import code_of, forbidden_in
from diglot.content.expressions import (
    ExpressionError,
    ExpressionTooLarge,
    figures_read_by,
    parse_expression,
)
from diglot.diagnostics import Diagnostic, DiagnosticError, Location, did_you_mean
from diglot.figure_request import FigureRequest
from diglot.languages import LANGUAGES, Language
from diglot.render.evaluation import Evaluation
from diglot.render.figure_values import Figure
from diglot.render.filters import filters_for, plain_text, text_checked
from diglot.render.value_mistakes import ValueMistake, no_such_format, no_such_value, shortened

_NO_BREAK = "\N{NO-BREAK SPACE}"
_MOST_SHOWN = 200
"""Characters of an expression that a diagnostic shows, at most."""

_FILTERS = {language: filters_for(language) for language in LANGUAGES}


class Values:
    """The values that prose in one language may use."""

    def __init__(self, language: Language, data: Mapping[str, bytes]) -> None:
        """`data` is the canonical JSON of figures' data, by the text of the `FigureRequest`."""
        self._filters = _FILTERS[language]
        requests: dict[str, dict[str, bytes]] = {}
        for text, encoded in data.items():
            requests.setdefault(FigureRequest.parse(text).figure_id, {})[text] = encoded
        self._figures = {name: Figure(name, own) for name, own in requests.items()}

    def text(self, expression: str, *, path: str, line: int) -> str:
        """The value of an expression as plain text; a number without a format has all its digits.

        Raises DiagnosticError with the given path and line.
        """
        try:
            return self._evaluated(expression)
        except ValueMistake as problem:
            rule, message, fix = problem.rule, problem.message, problem.fix
        except ExpressionTooLarge as problem:
            rule, message, fix = (
                "value-limit",
                f"{_quoted(expression)}: {problem}",
                "compute it in the figure.",
            )
        except ExpressionError as problem:
            rule, message = "value-syntax", f"{_quoted(expression)} cannot be read: {problem}"
            fix = (
                "write a figure's name, a path into its data and a format: `roofline.h200.ridge | number(0)`."
            )
        raise DiagnosticError(
            Diagnostic(
                rule=rule,
                message=message,
                location=Location(path=path, line=line),
                source_line=shortened(f"{{eval}}`{expression}`", _MOST_SHOWN),
                fix=fix,
            )
        )

    def _evaluated(self, expression: str) -> str:
        for name in _names_in(expression):
            if name not in self._figures:
                raise no_such_value(
                    f'there is no figure named "{shortened(name)}"',
                    did_you_mean(
                        name, self._figures, otherwise="begin the value with the name of a figure's script."
                    ),
                )
        value = Evaluation(self._figures, self._filters).value(parse_expression(expression))
        text = text_checked(plain_text(value, _quoted(expression)))
        if (character := forbidden_in(text)) is not None:
            raise no_such_format(
                f"{_quoted(expression)} contains the character {code_of(character)}, which is "
                "not allowed on a page",
                "correct the figure.",
            )
        return text


# Cached because the four pages of an article contain the same expressions.
@lru_cache(maxsize=4096)
def _names_in(expression: str) -> frozenset[str]:
    return frozenset(request.figure_id for request in figures_read_by(expression))


def _quoted(expression: str) -> str:
    return f"`{shortened(expression)}`"


_QUANTITY = re.compile(rf"[−\d.,]+(?:{_NO_BREAK}×{_NO_BREAK}10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?(?:%|{_NO_BREAK}\S+)?")


def is_quantity(text: str) -> bool:
    """Whether a text is a number, with or without a unit; set unbroken, in digits of equal width."""
    return _QUANTITY.fullmatch(text) is not None
