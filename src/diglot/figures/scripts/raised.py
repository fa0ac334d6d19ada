"""What scripts raise and say, in a form that can be reported: scripts can define exceptions of any kind."""

import traceback
from collections.abc import Iterator

_DEEPEST = 20
"""How deep groups in groups are looked into."""


class Unreadable(Exception):
    """Stands for an exception whose own text cannot be had."""


def readable(error: BaseException) -> BaseException:
    """The exception, or one in its place whose text and attributes can be read."""
    try:
        str(error)
        if isinstance(error, SyntaxError):
            _ = f"{error.filename or ''}", (error.lineno or 0) + (error.offset or 0)
        "".join(traceback.format_exception_only(error))
    except BaseException as failure:
        name = type(error).__name__
        stands_in = Unreadable(
            f"{name}, whose text cannot be shown: {type(failure).__name__} in its `__str__`"
        )
        return stands_in.with_traceback(error.__traceback__)
    return error


def text_of(value: object) -> str:
    """`str(value)`, or what kind of value it is if that fails."""
    try:
        return str(value)
    except BaseException:
        return f"a {type(value).__name__} whose text cannot be shown"


def leaves_of(error: BaseException, depth: int = 0) -> Iterator[BaseException]:
    """The exceptions in a group and the groups in it, or the exception itself."""
    if isinstance(error, BaseExceptionGroup) and depth < _DEEPEST:
        for inner in error.exceptions:
            yield from leaves_of(inner, depth + 1)
    else:
        yield error
