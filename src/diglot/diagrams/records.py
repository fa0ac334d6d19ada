"""What is drawn, and what may be wrong with it."""

from typing import Literal

import msgspec

from diglot.languages import Language

DiagramKind = Literal["mermaid", "dot"]


class Sketch(msgspec.Struct, frozen=True, kw_only=True):
    """A diagram as its author describes it."""

    kind: DiagramKind
    source: str
    language: Language
    """Of its labels: it says which font comes first."""
    name: str
    """Begins its ids, and is the only one of its kind on any page."""
    alt: str


class Slip(msgspec.Struct, frozen=True, kw_only=True):
    """What is wrong with a diagram. Lines count from 1, the first one of its source."""

    message: str
    fix: str
    line: int = 1


class Drawing(msgspec.Struct, frozen=True, kw_only=True):
    """A diagram as an SVG element, or why it cannot be drawn."""

    svg: str = ""
    slip: Slip | None = None
    warnings: tuple[Slip, ...] = ()


class DiagramFailed(Exception):
    """A diagram cannot be drawn."""

    def __init__(self, message: str, fix: str, line: int = 1, *, retry: bool = False) -> None:
        """With `retry`, the program failed and not the diagram: another build may draw it."""
        super().__init__(message)
        self.retry = retry
        self.slip = Slip(message=message, fix=fix, line=line)
