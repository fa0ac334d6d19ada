"""Mistakes with values in expressions, raised where the location is not known yet."""

from diglot import diagnostics

_MOST_SHOWN = 60


class ValueMistake(Exception):
    """A value that does not exist, or cannot be shown as requested."""

    def __init__(self, rule: str, message: str, fix: str) -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message
        self.fix = fix


def no_such_value(message: str, fix: str) -> ValueMistake:
    """The mistake of a path in an expression that leads nowhere."""
    return ValueMistake("value-unknown", message, fix)


def no_such_format(message: str, fix: str) -> ValueMistake:
    """The mistake of a value that cannot be computed, or not be shown as requested."""
    return ValueMistake("value-format", message, fix)


def too_much(message: str, fix: str = "compute it in the figure.") -> ValueMistake:
    """The mistake of a value that is larger, longer or costlier than allowed."""
    return ValueMistake("value-limit", message, fix)


def shown(value: object) -> str:
    """A value for a message, cut where it is long; lists and mappings by their path."""
    if (path := getattr(value, "path", None)) is not None:
        return shortened(str(path))
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and abs(value) >= 10**_MOST_SHOWN:
        return "a number of many digits"
    return shortened(repr(value))


def shortened(text: str, most: int = _MOST_SHOWN) -> str:
    """A text for a message, cut where it is long."""
    return diagnostics.shortened(text, most)
