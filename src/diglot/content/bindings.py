"""Typed numbers that a figure computes, with what to write instead."""

import msgspec


class Binding(msgspec.Struct, frozen=True, kw_only=True):
    """What to write instead of a typed number."""

    path: str
    line: int
    last_line: int
    """The lines of the file between which it is typed."""
    typed: str
    """The characters that the expression replaces."""
    expression: str
