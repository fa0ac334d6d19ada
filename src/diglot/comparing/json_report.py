"""The report of a comparison for programs."""

from typing import Any

import msgspec

from diglot.comparing.changes import Changes


def json_report(changes: Changes, name: str) -> dict[str, Any]:
    """The report as values of JSON. Of pictures it says only in which languages they differ."""
    found: dict[str, Any] = msgspec.to_builtins(changes)
    del found["mistakes"]
    for figure in found["figures"]:
        figure["pictures"] = [*figure["pictures"]]
    return {"against": name, "changed": not changes.is_empty, **found}
