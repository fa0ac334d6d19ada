"""Diagnostics as they are stored in traces: as JSON, or None for the many tasks that have none."""

from collections.abc import Sequence

import msgspec

from diglot.diagnostics import Diagnostic

_DECODER = msgspec.json.Decoder(list[Diagnostic])


def write_diagnostics(diagnostics: Sequence[Diagnostic]) -> str | None:
    """The diagnostics as one text; None if there are none."""
    return msgspec.json.encode(diagnostics).decode() if diagnostics else None


def read_diagnostics(text: str) -> list[Diagnostic]:
    """The diagnostics that `write_diagnostics` wrote."""
    return _DECODER.decode(text)
