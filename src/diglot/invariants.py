"""What holds whatever an author writes, checked under `python -O` too: no mistake of diglot's goes on."""

from typing import TypeVar

_T = TypeVar("_T")


def certain(value: _T | None, why: str) -> _T:
    """A value that is always there, for the reason given. Raises AssertionError where it is not."""
    if value is None:
        raise AssertionError(why)
    return value


def require(holds: bool, why: str) -> None:
    """Raise AssertionError with the reason where something does not hold that always does."""
    if not holds:
        raise AssertionError(why)
