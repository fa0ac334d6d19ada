"""Diagnostics as traces keep them: JSON, and nothing at all for the many tasks that have none."""

from collections.abc import Iterable
from dataclasses import asdict

from diglot.diagnostics import Diagnostic, Location


def write_diagnostics(diagnostics: Iterable[Diagnostic]) -> str | None:
    """The diagnostics as one text; None where there are none."""
    records = [asdict(diagnostic) for diagnostic in diagnostics]
    if not records:
        return None
    import json

    return json.dumps(records, ensure_ascii=False)


def read_diagnostics(text: str) -> list[Diagnostic]:
    """The diagnostics that `write_diagnostics` wrote."""
    import json

    diagnostics = []
    for record in json.loads(text):
        location = record.pop("location")
        diagnostics.append(Diagnostic(**record, location=location and Location(**location)))
    return diagnostics
