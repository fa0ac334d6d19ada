"""Keys, the names of values."""

from typing import NamedTuple


class Key(NamedTuple):
    """The name of one value, which is that of a task or of an input such as a file."""

    kind: str
    """The rule that makes it (`page`), or the kind of input (`file`). One word."""
    name: str = ""
    """Which value of its kind; empty if there is only one."""

    def __str__(self) -> str:
        return f"{self.kind} {self.name}" if self.name else self.kind

    @classmethod
    def parse(cls, text: str) -> "Key":
        """The key from the text that `str` made of it."""
        kind, _, name = text.partition(" ")
        return cls(kind, name)
