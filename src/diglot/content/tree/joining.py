"""Parts whose literals are joined."""

from collections.abc import Sequence
from typing import cast

from diglot.content.records import Parts, Placeholder


def joined(parts: Sequence[str | Placeholder]) -> Parts:
    """Parts with adjacent literals joined."""
    if Placeholder not in map(type, parts):  # as in most blocks
        text = "".join(cast(Sequence[str], parts))
        return (text,) if text else ()
    joined: list[str | Placeholder] = []
    run: list[str] = []
    for part in parts:
        if isinstance(part, str):
            run.append(part)
            continue
        if text := "".join(run):
            joined.append(text)
        run.clear()
        joined.append(part)
    if text := "".join(run):
        joined.append(text)
    return tuple(joined)
