"""Whatever a script reads is observed, so that builds notice changes; what cannot be observed is refused."""

import subprocess
import sys
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec
import pytest

from diglot.figure_request import FigureRequest
from diglot.figures.execution.workers import FigureWorkers
from diglot.figures.observation.observer import digest_now
from diglot.figures.records import ComputedFigure, Script, WorkerReport
from diglot.figures.scripts.failures import FigureFailed
from tests.hostile.conftest import Counted
from tests.hostile.native_reads import NATIVE_READS
from tests.hostile.profile import LONG, draws, tries
from tests.hostile.reads import READS, REFUSED, prepare

T = TypeVar("T")
_SCRIPT = 'TITLE = {{"zh": "读", "en": "Read"}}\n\n\ndef compute():\n{code}\n    return {{"x": x}}\n'


_REFUSALS = ("a figure script may not", "not authorized", "interpreter creation failed")
"""Words of the refusals of diglot, of SQLite, and of Python when it cannot create an interpreter."""


class Desk:
    """A project of scripts that each read something."""

    def __init__(self, root: Path, workers: FigureWorkers) -> None:
        self.root, self.workers = root, workers

    def script(self, number: int, code: str) -> Script:
        name = f"read_{number}"
        lines = textwrap.indent(
            f"x = None\nglobal y\n{code}" if "global" in code else f"x = None\n{code}", "    "
        )
        path = self.root / f"figures/{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(_SCRIPT.format(code=lines))
        return Script(figure_id=name, path=f"figures/{name}.py")

    def begin(self, script: Script):  # type: ignore[no-untyped-def]  (returns a Future)
        return self.workers.compute(script, FigureRequest.of(script.figure_id))

    def is_noticed(self, report: WorkerReport) -> bool:
        return any(digest_now(one.kind, one.name, self.root) != one.digest for one in report.observed)


def some(cases: Iterable[T], count: int) -> list[tuple[int, T]]:
    """A sample of `count` cases, with their indexes."""
    return sorted(draws("reads").sample([*enumerate(cases)], count), key=lambda one: one[0])


def data(report: WorkerReport) -> bytes:
    return msgspec.msgpack.decode(report.result, type=ComputedFigure).data


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    root = tmp_path_factory.mktemp("reads")
    with FigureWorkers(root=root, cache=root / ".diglot", jobs=2, timeout_s=60) as workers:
        yield Desk(root, workers)


def test_what_a_script_looked_at_is_noticed_when_it_changes(desk: Desk, tally: Counted) -> None:
    count = tally("reads")
    calls = []
    for number, read in some(READS, tries(24, long=len(READS))):
        folder = f"content/data/r{number}"
        prepare(read, desk.root / folder)
        code = read.code.replace("{d}", folder).replace("{folder}", f"r{number}")
        script = desk.script(number, code)
        calls.append((read, folder, script, desk.begin(script)))
    reports = []
    for read, folder, script, call in calls:
        try:
            reports.append((read, folder, script, call.result()))
        except FigureFailed as failure:
            count.through.append(f"{read.name}: {failure}")
    for read, folder, script, report in reports:
        count.tried += 1
        if desk.is_noticed(report):
            count.through.append(f"{read.name}: is out of date before anything changed")
            continue
        read.edit(desk.root / folder)
        if not desk.is_noticed(report):
            names = [f"{one.kind} {one.name}" for one in report.observed]
            count.through.append(f"{read.name}: not noticed; noted is {names}")
        elif LONG and data(desk.begin(script).result()) == data(report):
            count.through.append(f"{read.name}: the edit changes nothing, so that this tests nothing")


@pytest.mark.parametrize("library", sorted({read.library for read in NATIVE_READS}))
def test_what_a_library_reads_without_python_is_noticed(desk: Desk, tally: Counted, library: str) -> None:
    if not shows_calls():
        pytest.skip("this system does not let another process see a worker's system calls")
    pytest.importorskip(library)
    count = tally("reads, native")
    calls = []
    for number, read in enumerate(NATIVE_READS):
        if read.library != library:
            continue
        folder = f"content/data/n{number}"
        prepare(read, desk.root / folder)
        code = read.code.replace("{d}", folder).replace("{folder}", f"n{number}")
        script = desk.script(3000 + number, code)
        calls.append((read, folder, script, desk.begin(script)))
    for read, folder, script, call in calls:
        count.tried += 1
        report = call.result()
        if desk.is_noticed(report):
            count.through.append(f"{read.name}: is out of date before anything changed")
            continue
        read.edit(desk.root / folder)
        if not desk.is_noticed(report):
            names = [f"{one.kind} {one.name}" for one in report.observed]
            count.through.append(f"{read.name}: not noticed; noted is {names}")
        elif LONG and data(desk.begin(script).result()) == data(report):
            count.through.append(f"{read.name}: the edit changes nothing, so that this tests nothing")


def shows_calls() -> bool:
    """Whether a process of this system may have its calls watched: a child tries it."""
    code = "from diglot.figures.observation.system_calls import filter_calls; filter_calls()"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0


def test_what_nobody_could_follow_is_refused(desk: Desk, tally: Counted) -> None:
    count = tally("reads, refused")
    calls = [
        (name, desk.begin(desk.script(1000 + number, code)))
        for number, (name, code) in some(REFUSED.items(), tries(16, long=len(REFUSED)))
    ]
    for name, call in calls:
        count.tried += 1
        try:
            call.result()
        except FigureFailed as failure:
            told = str(failure.diagnostics[0])
            if not any(words in told for words in _REFUSALS):
                count.through.append(f"{name}: {told}")
        else:
            count.through.append(f"{name}: is not refused")
