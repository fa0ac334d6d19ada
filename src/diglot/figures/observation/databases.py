"""Observes databases, whose files C code opens: SQLite, and the modules behind `dbm` and `shelve`."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import unquote, urlsplit

from diglot.figures.observation.ear import listening_ear
from diglot.figures.observation.replacing import replace_everywhere

OPENED_BY_WRAPPING = ("sqlite3: ATTACH", "dbm.gnu.open", "dbm.ndbm.open")


def install() -> None:
    """Report database files to the observer. Changes the process: call it once."""
    connect, connection = sqlite3.connect, sqlite3.Connection

    def connect_watched(*args: Any, **options: Any) -> Any:
        if len(args) <= _FACTORY:
            options.setdefault("factory", _Connection)
        return connect(*args, **options)

    replace_everywhere(connect, connect_watched)
    replace_everywhere(connection, _Connection)
    for module in ("_gdbm", "_dbm"):
        try:
            database = __import__(module)
        except ImportError:
            continue
        replace_everywhere(database.open, _opened(database.open))


_FACTORY = 5
"""Position of the `factory` argument of `sqlite3.connect`, the class of the connection."""


def files_of_sqlite(database: Any) -> Iterator[str]:
    """The paths that a database's name may mean. A URI yields both its path and itself as a file name."""
    if not isinstance(database, str | bytes | os.PathLike):
        return
    text = os.fsdecode(database)
    paths = [text]
    if text.startswith("file:"):
        parts = urlsplit(text)
        if "mode=memory" in parts.query:
            return
        paths.append(unquote(parts.path))
    yield from (path for path in paths if path not in ("", ":memory:"))


class _Connection(sqlite3.Connection):
    """A connection with an authorizer, which reports ATTACH: that raises no audit event."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if listening_ear() is not None:
            self.set_authorizer(_authorize)


_Connection.__name__ = _Connection.__qualname__ = "Connection"


def _authorize(action: int, name: str | None, *_: object) -> int:
    """SQLite's authorizer callback: reports attached databases, and denies those with an unknown name."""
    ear = listening_ear()
    if action != sqlite3.SQLITE_ATTACH or ear is None:
        return sqlite3.SQLITE_OK
    if name is None:  # the name is a parameter of the statement, whose value is not known here
        return sqlite3.SQLITE_DENY
    for path in files_of_sqlite(name):
        ear.database(path, os.O_RDWR)
    return sqlite3.SQLITE_OK


def _opened(real: Callable[..., Any]) -> Any:
    """A `dbm` module's `open` that reports the files. Their suffixes depend on the library that made them."""

    def open(path: Any, flags: str = "r", *args: Any) -> Any:
        if (ear := listening_ear()) is not None:
            for suffix in ("", ".db", ".dir", ".pag"):
                ear.database(os.fsdecode(path) + suffix, os.O_RDONLY if flags[:1] == "r" else os.O_RDWR)
        return real(path, flags, *args)

    return open
