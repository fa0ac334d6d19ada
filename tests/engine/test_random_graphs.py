"""Whatever is edited in whatever order: building on top of the old gives what building anew gives."""

import shutil
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from diglot.engine import BuildReport, Key, UpstreamFailed
from tests.engine.workshop import Workshop, mistake, remark

NODES = range(7)

Node = tuple[str, tuple[int, ...]]
"""What a node does with the nodes below it, and which these are: the content of its file."""

HOW = ("sum", "side by side", "parity", "guarded", "digest", "warn", "fail", "names")

nodes = st.tuples(st.sampled_from(HOW), st.lists(st.sampled_from(NODES), max_size=3).map(tuple))
edits = st.lists(st.tuples(st.sampled_from(NODES), st.none() | nodes), min_size=1, max_size=4)


async def node(fetch: Any, name: str) -> int:
    """A value that depends on the node's own file and, as that says, on nodes with lower numbers."""
    source = await fetch("file", f"nodes/{name}")
    if source is None:
        raise mistake(f"nodes/{name}", "is missing")
    how, below = eval(source)
    keys = [Key("node", str(n)) for n in below if n < int(name)]
    match how:
        case "side by side":
            return int(name) + sum(await fetch.all(keys))
        case "parity":
            return sum(await fetch.all(keys)) % 2
        case "guarded":
            total = 0
            for key in keys:
                try:
                    total += await fetch(*key)
                except UpstreamFailed:
                    total -= 1
            return total
        case "digest":
            return sum(int(digest[:4], 16) for digest in await fetch.digests(keys))
        case "names":
            return len(await fetch("listing", "nodes/*"))
        case "warn":
            fetch.warn(remark(f"nodes/{name}"))
        case "fail":
            raise mistake(f"nodes/{name}")
    total = int(name)
    for key in keys:
        value = await fetch(*key)
        total += value
        if value > 20:  # what is fetched next may hang on a value
            break
    return total


TARGETS = tuple(f"node {n}" for n in NODES)


def outcome(report: BuildReport) -> Any:
    return report.values, report.diagnostics


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(first=st.lists(nodes, min_size=len(NODES), max_size=len(NODES)), rounds=st.lists(edits, max_size=4))
def test_an_incremental_build_equals_a_clean_one(
    first: list[Node], rounds: list[list[tuple[int, Node | None]]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        workshop = Workshop(Path(folder))
        workshop.rule(node, value_type=int)
        for n, content in enumerate(first):
            workshop.write(f"nodes/{n}", repr(content))
        workshop.build(*TARGETS)
        for edited in rounds:
            for n, edit in edited:
                if edit is not None:
                    workshop.write(f"nodes/{n}", repr(edit))
                elif (workshop.root / f"nodes/{n}").exists():
                    workshop.delete(f"nodes/{n}")
            expected = {run.key for run in workshop.build(*TARGETS).ran}
            incremental = workshop.build(*TARGETS)
            assert incremental.ran == (), "the build after a build runs nothing"
            shutil.rmtree(workshop.root / ".diglot")
            clean = workshop.build(*TARGETS)
            assert outcome(incremental) == outcome(clean)
            assert expected <= {run.key for run in clean.ran}


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(first=st.lists(nodes, min_size=len(NODES), max_size=len(NODES)), edited=edits)
def test_what_an_explanation_foretells_is_what_the_build_does(
    first: list[Node], edited: list[tuple[int, Node | None]]
) -> None:
    """The first cause runs for the very reason told, and what is said to be up to date does not run."""
    with tempfile.TemporaryDirectory() as folder:
        workshop = Workshop(Path(folder))
        workshop.rule(node, value_type=int)
        for n, content in enumerate(first):
            workshop.write(f"nodes/{n}", repr(content))
        workshop.build(*TARGETS)
        for n, edit in edited:
            workshop.write(f"nodes/{n}", repr(edit or ("sum", ())))
        told = {target: workshop.explain(target).causes for target in TARGETS}
        reasons = {run.key: run.reason for run in workshop.build(*TARGETS).ran}
        for target, causes in told.items():
            if not causes:
                assert Key.parse(target) not in reasons
            else:
                key, reason = causes[-1]
                assert reasons[key] == reason
