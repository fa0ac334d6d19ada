"""What can be wrong with a value in prose, before its place is known."""

from diglot import diagnostics

_MOST_SHOWN = 60


class ValueMistake(Exception):
    """A value cannot be had, or cannot be shown as asked for."""

    def __init__(self, rule: str, message: str, fix: str) -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message
        self.fix = fix


def no_such_value(message: str, fix: str) -> ValueMistake:
    """A path in an expression leads nowhere."""
    return ValueMistake("value-unknown", message, fix)


def no_such_format(message: str, fix: str) -> ValueMistake:
    """A value cannot be shown in the way asked for, or not be computed."""
    return ValueMistake("value-format", message, fix)


def too_much(message: str, fix: str = "compute it in the figure.") -> ValueMistake:
    """A value is larger, longer or more work than is allowed."""
    return ValueMistake("value-limit", message, fix)


def shown(value: object) -> str:
    """A value in a message, cut where it is long; data with more than one value by its path."""
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
    """A text, cut where it is long."""
    return diagnostics.shortened(text, most)
