"""Random edits of random graphs: an incremental build gives the same values as a clean one."""

import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from diglot.digests import digest_of
from diglot.engine import FILE, LISTING, BuildReport, Key, Target, UpstreamFailed
from tests.engine.workshop import Workshop, mistake, remark
from tests.hostile.profile import tries

NODES = range(7)

Node = tuple[str, tuple[int, ...]]
"""An operation, and the numbers of the nodes it is applied to: the content of a node's file."""

HOW = ("sum", "side by side", "parity", "guarded", "digest", "warn", "fail", "names", "elsewhere")

nodes = st.tuples(st.sampled_from(HOW), st.lists(st.sampled_from(NODES), max_size=3).map(tuple))
edits = st.lists(st.tuples(st.sampled_from(NODES), st.none() | nodes), min_size=1, max_size=4)


NODE: Target[str, int] = Target("node")


async def node(fetch: Any, name: str) -> int:
    """A value that depends on the node's own file, and on the lower nodes that the file names."""
    source = await fetch(FILE, f"nodes/{name}")
    if source is None:
        raise mistake(f"nodes/{name}", "is missing")
    how, below = eval(source)
    names = [str(n) for n in below if n < int(name)]
    match how:
        case "side by side":
            return int(name) + sum(await fetch.all(NODE, names))
        case "parity":
            return sum(await fetch.all(NODE, names)) % 2
        case "guarded":
            total = 0
            for below_it in names:
                try:
                    total += await fetch(NODE, below_it)
                except UpstreamFailed:
                    total -= 1
            return total
        case "digest":
            return sum(int(digest[:4], 16) for digest in await fetch.digests(map(NODE.key, names)))
        case "elsewhere":
            with ThreadPoolExecutor(1) as pool:
                return int(await fetch.wait(pool.submit(sum, await fetch.all(NODE, names))))
        case "names":
            return len(await fetch(LISTING, "nodes/*"))
        case "warn":
            fetch.report(remark(f"nodes/{name}"))
        case "fail":
            raise mistake(f"nodes/{name}")
    total = int(name)
    for below_it in names:
        value = await fetch(NODE, below_it)
        total += value
        if value > 20:  # what is fetched next may depend on a value
            break
    return total


TARGETS = tuple(f"node {n}" for n in NODES)


def outcome(report: BuildReport) -> Any:
    return report.values, report.diagnostics


def make_edits(workshop: Workshop, edited: list[tuple[int, Node | None]]) -> None:
    for n, edit in edited:
        if edit is not None:
            workshop.write(f"nodes/{n}", repr(edit))
        elif (workshop.root / f"nodes/{n}").exists():
            workshop.delete(f"nodes/{n}")


@settings(max_examples=tries(30, long=1000), deadline=None, suppress_health_check=[HealthCheck.too_slow])
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
            make_edits(workshop, edited)
            clean = workshop.build_clean(*TARGETS)
            assert outcome(workshop.build(*TARGETS)) == outcome(clean)
            again = workshop.build(*TARGETS)
            assert outcome(again) == outcome(clean)
            assert again.ran == (), "the build after a build runs nothing"


@settings(max_examples=tries(30, long=1000), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    first=st.lists(nodes, min_size=len(NODES), max_size=len(NODES)),
    rounds=st.lists(st.tuples(edits, st.sampled_from(("low", "high", "all"))), max_size=6),
)
def test_builds_of_several_targets_in_any_order_equal_clean_ones(
    first: list[Node], rounds: list[tuple[list[tuple[int, Node | None]], str]]
) -> None:
    """Each begins where the last one of its targets ended, and others have written traces since.

    After each, the traces of its tasks are those of its values, as what reads the store later relies on.
    """
    targets = {"low": TARGETS[:5], "high": TARGETS[4:], "all": TARGETS}
    with tempfile.TemporaryDirectory() as folder:
        workshop = Workshop(Path(folder))
        workshop.rule(node, value_type=int)
        for n, content in enumerate(first):
            workshop.write(f"nodes/{n}", repr(content))
        for edited, asked in rounds:
            make_edits(workshop, edited)
            clean = workshop.build_clean(*targets[asked])
            assert outcome(workshop.build(*targets[asked])) == outcome(clean)
            assert [workshop.explain(target).causes for target in targets[asked]] == [()] * len(
                targets[asked]
            )
            again = workshop.build(*targets[asked])
            assert outcome(again) == outcome(clean)
            assert again.ran == (), "the build after a build runs nothing"


@settings(max_examples=tries(20, long=1000), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(first=st.lists(nodes, min_size=len(NODES), max_size=len(NODES)), edited=edits)
def test_a_build_runs_what_the_explanation_predicts(
    first: list[Node], edited: list[tuple[int, Node | None]]
) -> None:
    """The first cause runs for the reason that was given, and tasks said to be up to date do not run."""
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


async def reaching(fetch: Any, name: str) -> tuple[int, ...]:
    """All nodes that a node reaches, itself included. Fails if they form a cycle."""
    below = eval(await fetch(FILE, f"nodes/{name}"))
    return tuple(sorted({int(name)}.union(*await fetch.all(Target("reaching"), [str(n) for n in below]))))


def reached(graph: dict[int, tuple[int, ...]], start: int, path: tuple[int, ...] = ()) -> set[int] | None:
    """The expected value of `reaching`, found by plain recursion; None for a cycle."""
    if start in path:
        return None
    below = [reached(graph, n, (*path, start)) for n in graph[start]]
    return None if None in below else {start}.union(*(b for b in below if b is not None))


graphs = st.lists(
    st.lists(st.sampled_from(NODES), max_size=2).map(tuple), min_size=len(NODES), max_size=len(NODES)
)


@settings(max_examples=tries(30, long=1000), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rounds=st.lists(graphs, min_size=1, max_size=4))
def test_cycles_break_the_tasks_that_reach_them_and_no_others(rounds: list[list[tuple[int, ...]]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        workshop = Workshop(Path(folder))
        workshop.rule(reaching, value_type=tuple[int, ...])
        for below in rounds:
            graph = dict(enumerate(below))
            for n in NODES:
                workshop.write(f"nodes/{n}", repr(graph[n]))
            report = workshop.build(*(f"reaching {n}" for n in NODES))
            broken = {n for n in NODES if report.values[Key("reaching", str(n))] is None}
            assert broken == {n for n in NODES if reached(graph, n) is None}
            assert bool(report.diagnostics) == bool(broken)
            for n in set(NODES) - broken:
                expected = msgspec.msgpack.encode(sorted(reached(graph, n) or ()))
                assert report.values[Key("reaching", str(n))] == digest_of(expected)
