"""What an editor asks about: a place in an open file, and what is known of its site."""

from collections.abc import Callable
from functools import cached_property
from pathlib import Path

import msgspec
from lsprotocol.types import Position

from diglot.lsp.knowledge import HalfFile, Known
from diglot.lsp.marks import Mark, mark_at
from diglot.lsp.places import Text
from diglot.lsp.yaml_keys import kind_of, yaml_lines
from diglot.scaffold.schemas import Kind


class Asked(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A place in a file."""

    root: Path
    config: str
    """The path of the configuration."""
    path: str
    text: Text
    position: Position
    known: Known
    read: Callable[[str], str]
    """The text of another file, as the editor shows it or as it was saved; empty if it is not there."""

    @cached_property
    def offset(self) -> int:
        """The character in the text."""
        return self.text.offset(self.position)

    @property
    def line(self) -> str:
        """The whole line."""
        return self.text.line(self.position.line)

    @property
    def before(self) -> str:
        """What is before the place on its line."""
        return self.line[: self.column]

    @property
    def column(self) -> int:
        """Characters before the place on its line."""
        return self.offset - self.text.start_of(self.position.line)

    @cached_property
    def lines(self) -> list[str]:
        """All lines."""
        return [self.text.line(number) for number in range(self.text.line_count)]

    @cached_property
    def half(self) -> HalfFile | None:
        """The half that the file is."""
        return self.known.half_at(self.path)

    @cached_property
    def mark(self) -> Mark | None:
        """What the half refers to at this place, or the name that it gives."""
        return mark_at(self.text.text, self.offset) if self.half is not None and not self.is_yaml else None

    @cached_property
    def yaml_kind(self) -> Kind | None:
        """The schema of the file."""
        return kind_of(self.path, self.config)

    @cached_property
    def is_yaml(self) -> bool:
        """Whether the place is in YAML that has a schema: a file of settings, or front matter."""
        kind = self.yaml_kind
        return kind is not None and self.position.line in yaml_lines(kind, self.lines)
