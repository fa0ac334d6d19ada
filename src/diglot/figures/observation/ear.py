"""The observer, as the functions see it that report what a script looks at."""

from contextlib import AbstractContextManager
from typing import Protocol


class Ear(Protocol):
    """The observer, as this module uses it. Paths are absolute or relative to the current folder."""

    @property
    def listens(self) -> bool:
        """Whether the script is the cause of what happens now on this thread."""

    def unheard(self) -> AbstractContextManager[None]:
        """Record nothing on this thread for the length of a block."""

    def matters(self, path: str) -> bool:
        """Whether queries about a path are recorded."""

    def missing(self, path: str) -> None:
        """Record that there is nothing at a path."""

    def looked(self, path: str, *, content: bool) -> None:
        """Record a query about a path; `content` if it reveals something of the content, such as the size."""

    def opened(self, path: str, flags: int) -> None:
        """Record that a file is about to be opened. Raises Refused."""

    def database(self, path: str, flags: int) -> None:
        """Record that a file of a database is about to be opened, with flags as for `os.open`."""


class Hearing:
    """Which observer is reported to in this process: one, from when a worker begins its call."""

    def __init__(self) -> None:
        self.ear: Ear | None = None


hearing = Hearing()


def listening_ear() -> Ear | None:
    """The observer, if the script is the cause of what happens now on this thread."""
    return hearing.ear if hearing.ear is not None and hearing.ear.listens else None
