"""What a whole build came to, with all its inputs: while none of those changed, nothing else is looked at.

A build without changes would find every trace to hold, one after the other: each rests on inputs alone, in
the end. So to compare the inputs is enough, and takes a fraction of the time. Any trace that is written takes
the snapshots away, and so does anything that no longer is as it was.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from diglot.engine.inputs import Inputs
from diglot.engine.keys import Key
from diglot.engine.rules import Rule


class Snapshot(NamedTuple):
    """A build of some targets."""

    codes: dict[str, str]
    """Of every rule, the digest of its code."""
    values: list[tuple[str, str, str | None]]
    """Kind and name of each target, and the digest of its value; None where it failed."""
    inputs: list[tuple[str, str, str]]
    """Kind, name and digest of each input that anything rests on."""
    diagnostics: str | None
    """All that was said, as `write_diagnostics` wrote it."""
    visited_count: int
    """How many tasks the targets rest on."""


def write_snapshot(snapshot: Snapshot) -> str:
    """The snapshot as one text."""
    return json.dumps(snapshot, ensure_ascii=False, separators=(",", ":"))


def read_snapshot(text: str) -> Snapshot:
    """The snapshot that `write_snapshot` wrote."""
    return Snapshot._make(json.loads(text))


def name_of(targets: Iterable[Key]) -> str:
    """What the snapshot of some targets is called."""
    return "\n".join(map(str, targets))


def holds(snapshot: Snapshot, rules: Mapping[str, Rule], inputs: Inputs) -> bool:
    """Whether everything is as it was."""
    return snapshot.codes == {kind: rule.code for kind, rule in rules.items()} and all(
        inputs.digest(Key(kind, name)) == digest for kind, name, digest in snapshot.inputs
    )
