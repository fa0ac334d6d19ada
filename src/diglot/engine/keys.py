"""What values are called."""

from typing import NamedTuple


class Key(NamedTuple):
    """The name of one value: of a task, or of an input such as a file."""

    kind: str
    """Which rule makes it (`page`), or which input it is (`file`). One word."""
    name: str = ""
    """Which one of its kind; empty where there is only one."""

    def __str__(self) -> str:
        return f"{self.kind} {self.name}" if self.name else self.kind

    @classmethod
    def parse(cls, text: str) -> "Key":
        """The key that `str` wrote."""
        kind, _, name = text.partition(" ")
        return cls(kind, name)
