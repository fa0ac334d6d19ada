"""After a kill at any moment, published files are whole; the next build is right and leaves no debris."""

import os
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from diglot.rules.live import LiveSite
from diglot.rules.options import PREVIEW, SiteOptions
from tests.hostile.conftest import Counted
from tests.hostile.forked import (
    ForkedProcess,
    command,
    left_behind,
    load_what_builds_need,
    with_real_processes,
)
from tests.hostile.kills import SIGNALS, kill_some_descendant, throughout, while_publishing
from tests.hostile.profile import draws, tries
from tests.hostile.specimen import Files, Specimen, differences, published
from tests.hostile.test_damages import next_build

PUBLISHING = tries(3, long=120)
OTHERS = tries(2, long=200)

_LEFTOVERS = ("public/.diglot-new", ".diglot-removed", ".diglot/verify")

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")


def serving(root: Path) -> Callable[[], int]:
    """Run `diglot serve`, which runs until it is stopped."""
    return command("serve", "--port", "0")


def refreshed(specimen: Specimen) -> Callable[[], int]:
    """Do what `diglot serve` does when it starts."""
    options = SiteOptions(root=specimen.root, output=specimen.root / PREVIEW, drafts=True, future=True)

    def refresh() -> int:
        with LiveSite(options) as site:
            result = site.refresh(())
            while result.unfinished:
                result = site.refresh(())
        return int(result.failed(strict=False))

    return refresh


def torn(found: Files, before: Files, after: Files) -> list[str]:
    """Published files of neither the old nor the new version, and files of both sites that are missing."""
    changed = [path for path in found if found[path] not in (before.get(path), after.get(path))]
    return sorted({*changed, *((before.keys() & after.keys()) - found.keys())})


def afterwards(specimen: Specimen) -> str | None:
    """Report what is wrong after a kill, and after the next build."""
    if processes := left_behind(specimen.root, but=specimen.fork_server and specimen.fork_server.pid):
        return f"left behind: {processes}"
    ended = specimen.run(command("-q"))
    if ended.trouble() or ended.status or ended.errors:
        return f"the next build ended with {ended.status}: {ended.trouble() or ended.errors}"
    if wrong := differences(specimen.published(), specimen.clean()):
        return f"the next build made {wrong[:3]} wrong"
    left = [name for name in _LEFTOVERS if (specimen.root / name).exists()]
    left += [
        str(path) for path in (specimen.root / ".diglot").rglob("*") if path.suffix in (".tmp", ".lock-")
    ]
    left += [str(path) for path in (specimen.root / ".diglot/matplotlib").glob("*-lock*")]
    left += [str(path) for path in specimen.root.glob("public/**/.diglot*.tmp")]
    if left:
        return f"still there: {left}"
    return next_build(specimen)


@pytest.mark.timeout(120 + 20 * PUBLISHING)
def test_a_kill_at_any_call_of_a_publication_tears_no_file(tmp_path: Path, tally: Counted) -> None:
    """Kills at every call in turn, with edits that publish in different ways, up to the number of tries."""
    load_what_builds_need()
    chance, count = draws("kills while publishing"), tally("kills")
    specimen = Specimen(tmp_path, figures=False)
    try:
        assert specimen.run(command("-q")).status == 0
        edits = ("many", "words", "template")
        step = max(1, 60 // PUBLISHING)
        round_, call = 0, chance.randrange(1, step + 1)
        while count.tried < PUBLISHING:
            before, edit = specimen.clean(), edits[round_ % len(edits)]
            specimen.edit(edit)
            after = specimen.clean()
            is_after = bool(round_ // len(edits) % 2)
            work = while_publishing(command("-q"), call, afterwards=is_after)
            ended = specimen.run(work)
            if ended.status == 0:  # this publication has fewer calls
                round_, call = round_ + 1, chance.randrange(1, step + 1)
                continue
            count.tried += 1
            what = f"killed {'after' if is_after else 'before'} call {call} of publishing {edit}"
            call += step
            if ended.status != -signal.SIGKILL:
                count.through.append(f"{what}: {ended}")
                continue
            if lost := torn(specimen.published(), before, after):
                count.lost.append(f"{what}: torn {lost[:3]}")
            if trouble := afterwards(specimen):
                count.through.append(f"{what}: {trouble}")
    finally:
        specimen.close()


KINDS = (
    "build",
    "build with figures",
    "a figure's process",
    "a process of a worker pool",
    "serve",
    "clean",
    "clean --older-than",
    "verify",
    "export",
)


@pytest.mark.timeout(120 + 30 * OTHERS)
def test_a_kill_at_any_moment_costs_nothing_but_time(tmp_path: Path, tally: Counted) -> None:
    load_what_builds_need()
    chance, count = draws("kills"), tally("kills")
    plain, drawn = Specimen(tmp_path / "plain", figures=False), Specimen(tmp_path / "drawn")
    try:
        for one in (plain, drawn):
            assert one.run(command("-q")).status == 0
        kinds: list[str] = []
        while count.tried < OTHERS:
            if not kinds:
                kinds = [*KINDS]
                chance.shuffle(kinds)
            kind = kinds.pop()
            specimen = drawn if kind in ("build with figures", "a figure's process", "export") else plain
            trouble = kill(kind, specimen, chance)
            count.tried += 1
            if trouble:
                count.through.append(f"{kind}: {trouble}")
                specimen.run(command("clean"))
                specimen.run(command("-q"))
    finally:
        plain.close()
        drawn.close()


def kill(kind: str, specimen: Specimen, chance: random.Random) -> str | None:
    """Kill something. Returns what is wrong afterwards; None if all is well."""
    before = specimen.clean()
    specimen.edit("figure" if kind in ("build with figures", "a figure's process") else "many")
    after = specimen.clean()
    number = chance.choice(SIGNALS)
    what = f"by {number.name}"
    folder, later = specimen.root / "public", chance.random()
    match kind:
        case "build":
            process = ForkedProcess(specimen.with_shared_fork_server(command("-q")), cwd=specimen.root)
            _send(process, number, later * 0.5)
        case "build with figures":
            process = ForkedProcess(with_real_processes(command("-q")), cwd=specimen.root)
            _send(process, number, later * 3)
        case "a figure's process":
            process, number = (
                ForkedProcess(with_real_processes(command("-q")), cwd=specimen.root),
                signal.SIGKILL,
            )
            kill_some_descendant(process.pid, chance, 8)
        case "a process of a worker pool":
            process, number = ForkedProcess(command("-q", "--jobs", "3"), cwd=specimen.root), signal.SIGKILL
            kill_some_descendant(process.pid, chance, 0.5)
        case "serve":
            folder = specimen.root / PREVIEW
            before = {**published(folder)}
            process = ForkedProcess(
                specimen.with_shared_fork_server(serving(specimen.root)), cwd=specimen.root
            )
            _send(process, number, later * 3)
        case "clean":
            calls = chance.randrange(1, 40)
            process = ForkedProcess(
                throughout(command("clean"), calls, afterwards=later < 0.5), cwd=specimen.root
            )
            what, before, after = f"at call {calls}", {}, before
        case "clean --older-than":
            process = ForkedProcess(command("clean", "--older-than", "0d"), cwd=specimen.root)
            _send(process, number, later * 0.1)
            after = before
        case "verify":
            process = ForkedProcess(
                specimen.with_shared_fork_server(command("-q", "build", "--verify")), cwd=specimen.root
            )
            _send(process, number, later * 1.5)
        case _:
            process = ForkedProcess(
                command("-q", "figures", "export", "bars", "--output", "exported"), cwd=specimen.root
            )
            _send(process, number, later * 3)
            after = before
    ended = process.wait()
    if ended.hung or "Traceback" in ended.errors:
        return f"{what}: {ended.trouble()}"
    if ended.status < 0 and -ended.status not in (number, signal.SIGKILL):
        return f"{what}: ended by signal {-ended.status}"
    found = published(folder)
    if kind == "clean" or not before:  # a file may be gone, or not exist yet
        wrong = [path for path in found if found[path] != after.get(path)]
    else:
        wrong = torn(found, before, after)
    if wrong:
        return f"{what}: torn {wrong[:3]}"
    if kind == "serve":
        again = specimen.run(refreshed(specimen))
        if again.trouble() or again.status:
            return f"{what}: the next preview: {again}"
        if wrong := differences(published(folder), after):
            return f"{what}: the next preview has {wrong[:3]} wrong"
    trouble = afterwards(specimen)
    return None if trouble is None else f"{what}: {trouble}"


def _send(process: ForkedProcess, number: signal.Signals, after_s: float) -> None:
    time.sleep(after_s)  # at a random moment
    process.send(number)
    os.sched_yield()
