"""A clock that is ahead, used when `diglot check` makes a figure again, to reveal dates in its output.

Only `time` and `datetime` are changed. Code that reads the system's clock in other ways gets the real time,
which also differs from that of the first run.
"""

import datetime
import time
from typing import Any


def live_ahead(seconds: int) -> None:
    """Set this process's clock ahead. Call it once, before other modules import its functions by name."""
    real = time.time
    real_ns = time.time_ns
    time.time = lambda: real() + seconds
    time.time_ns = lambda: real_ns() + seconds * 10**9
    for name in ("localtime", "gmtime", "ctime"):
        setattr(time, name, _of_now(getattr(time, name)))
    strftime, asctime = time.strftime, time.asctime
    time.strftime = lambda form, of=None: strftime(form, of or time.localtime())
    time.asctime = lambda of=None: asctime(of or time.localtime())
    datetime.datetime = _Later  # type: ignore[misc]  # a subclass replaces it


def _of_now(tell: Any) -> Any:
    return lambda of=None: tell(time.time() if of is None else of)


class _IsDatetime(type):
    """Makes instances of the original `datetime` class instances of `_Later`, too."""

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, _DATETIME)

    def __subclasscheck__(cls, kind: type) -> bool:
        return issubclass(kind, _DATETIME)


_DATETIME = datetime.datetime


class _Later(_DATETIME, metaclass=_IsDatetime):
    """`datetime.datetime` with the clock of `time.time`, which is ahead."""

    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> Any:
        return cls.fromtimestamp(time.time(), tz)

    @classmethod
    def utcnow(cls) -> Any:
        return cls.fromtimestamp(time.time(), datetime.UTC).replace(tzinfo=None)


_Later.__name__ = _Later.__qualname__ = "datetime"
_Later.__module__ = "datetime"
