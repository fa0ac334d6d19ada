"""Values of figures in prose: evaluates `{eval}` expressions and formats them for the language; `{assert}`.

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

from diglot.diagnostics import Diagnostic, DiagnosticError, Location, did_you_mean
from diglot.expressions.assertions import check_assertion
from diglot.expressions.figure_values import Figure
from diglot.expressions.mistakes import ValueMistake, no_such_value, shortened
from diglot.expressions.numbers import number_of
from diglot.expressions.parsing import figures_read_by
from diglot.expressions.texts import text_of
from diglot.figure_request import FigureRequest
from diglot.languages import Language

_NO_BREAK = "\N{NO-BREAK SPACE}"
_MOST_SHOWN = 200
"""Characters of an expression that a diagnostic shows, at most."""
_SYNTAX = "write a figure's name, a path into its data and a format: `roofline.h200.ridge | number(0)`."


class Values:
    """The values that prose in one language may use."""

    def __init__(self, language: Language, data: Mapping[str, bytes]) -> None:
        """`data` is the canonical JSON of figures' data, by the text of the `FigureRequest`."""
        self._language: Language = language
        requests: dict[str, dict[str, bytes]] = {}
        for text, encoded in data.items():
            requests.setdefault(FigureRequest.parse(text).figure_id, {})[text] = encoded
        self.figures = {name: Figure(name, own) for name, own in requests.items()}
        """What the names in an expression stand for."""

    def text(self, expression: str, *, path: str, line: int) -> str:
        """The value of an expression as plain text; a number without a format has all its digits.

        Raises DiagnosticError with the given path and line.
        """
        try:
            return text_of(
                expression, self.figures, self._language, unknown=self._no_such_figure, syntax=_SYNTAX
            )
        except ValueMistake as problem:
            raise _located(problem, "eval", expression, path, line) from None

    def check(self, expression: str, *, path: str, line: int) -> None:
        """Raise DiagnosticError, with the given path and line, if an assertion is not true."""
        try:
            check_assertion(expression, self.figures, unknown=self._no_such_figure, syntax=_SYNTAX)
        except ValueMistake as problem:
            raise _located(problem, "assert", expression, path, line) from None

    def requests_of(self, expression: str) -> tuple[str, ...]:
        """The figures that an expression reads, each as text of its request. Raises ExpressionError."""
        asked = figures_read_by(expression)
        return tuple(
            self.figures[one.figure_id].known_as(one) if one.figure_id in self.figures else str(one)
            for one in asked
        )

    def number(self, expression: str) -> tuple[float | None, str]:
        """The number behind an expression, and its dimension, as `expressions.numbers` gives them."""
        return number_of(expression, self.figures)

    def _no_such_figure(self, name: str) -> ValueMistake:
        hint = "begin the value with the name of a figure's script."
        return no_such_value(
            f'there is no figure named "{shortened(name)}"',
            did_you_mean(name, self.figures, otherwise=hint),
        )


def _located(problem: ValueMistake, role: str, expression: str, path: str, line: int) -> DiagnosticError:
    return DiagnosticError(
        Diagnostic(
            rule=problem.rule,
            message=problem.message,
            location=Location(path=path, line=line),
            source_line=shortened(f"{{{role}}}`{expression}`", _MOST_SHOWN),
            fix=problem.fix,
        )
    )


_QUANTITY = re.compile(rf"[−\d.,]+(?:{_NO_BREAK}×{_NO_BREAK}10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?(?:%|{_NO_BREAK}\S+)?")


def is_quantity(text: str) -> bool:
    """Whether a text is a number, with or without a unit; set unbroken, in digits of equal width."""
    return _QUANTITY.fullmatch(text) is not None
