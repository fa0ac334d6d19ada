"""Databases, whose files C code opens: connections to SQLite, and the modules behind `dbm` and `shelve`."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit

from diglot.figures.observation.replacing import replace_everywhere

OPENED_BY_WRAPPING = ("sqlite3: ATTACH", "dbm.gnu.open", "dbm.ndbm.open")


class Ear(Protocol):
    """Who is told of databases that are opened."""

    @property
    def listens(self) -> bool:
        """Whether what happens now, on this thread, is the script's doing."""

    def database(self, path: str, flags: int) -> None:
        """A file of a database is about to be opened."""


def install(ear: Callable[[], Ear | None]) -> None:
    """Have told what C code opens. Changes the process, once."""
    _ear[:] = [ear]
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


_ear: list[Callable[[], Ear | None]] = []
_FACTORY = 5
"""The place of the argument that says of which class a connection is."""


def files_of_sqlite(database: Any) -> Iterator[str]:
    """The paths that the name of a database may mean: of a URI, both what it says and itself."""
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
    """Asks before it attaches another database, which raises no audit event."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if _ear[0]() is not None:
            self.set_authorizer(_authorize)


_Connection.__name__ = _Connection.__qualname__ = "Connection"


def _authorize(action: int, name: str | None, *_: object) -> int:
    """SQLite's question whether something is allowed."""
    ear = _ear[0]()
    if action != sqlite3.SQLITE_ATTACH or ear is None:
        return sqlite3.SQLITE_OK
    if name is None:  # a parameter of the statement: nobody knows which
        return sqlite3.SQLITE_DENY
    for path in files_of_sqlite(name):
        ear.database(path, os.O_RDWR)
    return sqlite3.SQLITE_OK


def _opened(real: Callable[..., Any]) -> Any:
    """Of `dbm`. The names of its files depend on how they were made."""

    def open(path: Any, flags: str = "r", *args: Any) -> Any:
        if (ear := _ear[0]()) is not None:
            for suffix in ("", ".db", ".dir", ".pag"):
                ear.database(os.fsdecode(path) + suffix, os.O_RDONLY if flags[:1] == "r" else os.O_RDWR)
        return real(path, flags, *args)

    return open
