"""The fork server: when it starts, what it costs the build, and that it always ends."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import diglot
from diglot.figure_request import FigureRequest
from diglot.figures.execution.workers import FigureWorkers
from diglot.figures.observation.versions import versions
from diglot.figures.records import Script
from diglot.figures.scripts.failures import FigureFailed
from tests.waiting import wait_until

from .conftest import TITLE, Workshop

SOURCE = str(Path(diglot.__file__).parent.parent)


def project(root: Path, code: str) -> Script:
    (root / "figures").mkdir()
    (root / "figures/a.py").write_text(TITLE + code)
    return Script(figure_id="a", path="figures/a.py")


def run(program: str, cwd: Path) -> str:
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": SOURCE}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_the_build_s_own_process_loads_neither_numpy_nor_matplotlib(tmp_path: Path):
    project(tmp_path, "def compute(): return {'a': 1}")
    loaded = run(
        "import sys; from pathlib import Path; from diglot.figures.execution.workers import *\n"
        "import diglot.figures.observation.versions as v; v.versions()\n"
        "with FigureWorkers(root=Path(), cache=Path('.diglot'), jobs=1) as w:\n"
        "    w.compute(Script(figure_id='a', path='figures/a.py'), FigureRequest.of('a')).result()\n"
        "print(*[m for m in ('numpy', 'matplotlib', 'PIL', 'multiprocessing') if m in sys.modules])",
        tmp_path,
    )
    assert loaded.split() == []


def test_nothing_is_started_before_the_first_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: pytest.fail("a process was started"))
    with FigureWorkers(root=tmp_path, cache=tmp_path / ".diglot", jobs=2):
        pass


def test_calls_run_side_by_side_but_no_more_than_asked_for(workshop: Workshop):
    script = workshop.script(
        "gated",
        """
        import os, pathlib, time
        def compute():
            pathlib.Path(f"gated_{os.getpid()}").touch()
            while not pathlib.Path("gate").exists():
                time.sleep(0.01)
            return {}
        """,
    )
    futures = [workshop.workers.compute(script, FigureRequest.of("gated")) for _ in range(4)]
    wait_until(lambda: len(list(workshop.root.glob("gated_*"))) == 2)
    assert [future.running() for future in futures] == [True, True, False, False]
    (workshop.root / "gate").touch()
    assert all(future.result().result for future in futures)


def test_closing_ends_what_still_runs(tmp_path: Path):
    script = project(
        tmp_path,
        "import os, signal\n"
        "def compute():\n"
        "    open('pid', 'w').write(str(os.getpid()))\n"
        "    signal.pause()\n",
    )
    workers = FigureWorkers(root=tmp_path, cache=tmp_path / ".diglot", jobs=1)
    future = workers.compute(script, FigureRequest.of("a"))
    wait_until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text())
    pid = int((tmp_path / "pid").read_text())
    workers.close()
    assert not alive(pid)
    assert future.exception() is not None


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_no_process_outlives_a_build_that_is_interrupted_or_killed(tmp_path: Path, end: signal.Signals):
    project(
        tmp_path,
        "import os, signal\ndef compute():\n"
        "    open('pids', 'w').write(f'{os.getpid()} {os.getppid()} ')\n    signal.pause()\n",
    )
    program = (
        "from pathlib import Path; from diglot.figures.execution.workers import *\n"
        "with FigureWorkers(root=Path(), cache=Path('.diglot'), jobs=1) as w:\n"
        "    w.compute(Script(figure_id='a', path='figures/a.py'), FigureRequest.of('a')).result()\n"
    )
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": SOURCE}
    build = subprocess.Popen(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, stderr=subprocess.DEVNULL
    )
    pids = tmp_path / "pids"
    wait_until(lambda: pids.exists() and pids.read_text().endswith(" "))
    build.send_signal(end)
    build.wait()
    worker, fork_server = map(int, pids.read_text().split())
    wait_until(lambda: not alive(worker) and not alive(fork_server))


def test_a_closed_pool_takes_no_calls(tmp_path: Path):
    workers = FigureWorkers(root=tmp_path, cache=tmp_path / ".diglot", jobs=1)
    workers.close()
    with pytest.raises(RuntimeError):
        workers.compute(Script(figure_id="a", path="a.py"), FigureRequest.of("a"))


@pytest.mark.usefixtures("real_processes")
def test_the_fork_server_is_replaced_when_it_is_killed(tmp_path: Path):
    script = project(tmp_path, "import os\ndef compute(): return {'parent': os.getppid()}")
    with FigureWorkers(root=tmp_path, cache=tmp_path / ".diglot", jobs=1) as workers:
        report = workers.compute(script, FigureRequest.of("a")).result()
        fork_server = int(report.result.partition(b'"parent":')[2].partition(b"}")[0])
        os.kill(fork_server, signal.SIGKILL)
        wait_until(lambda: not alive(fork_server))
        assert workers.compute(script, FigureRequest.of("a")).result().result


@pytest.mark.skipif(sys.platform != "linux", reason="the system's own means")
def test_no_worker_outlives_the_fork_server_and_the_call_is_made_again(tmp_path: Path):
    """A worker that loops must end with it, or the parent would wait for the worker for ever."""
    script = project(
        tmp_path,
        "import os, signal\nfrom pathlib import Path\ndef compute():\n"
        "    if not Path('pids').exists():\n"
        "        Path('pids').write_text(f'{os.getpid()} {os.getppid()} ')\n"
        "        signal.pause()\n"
        "    return {'a': 1}\n",
    )
    with FigureWorkers(root=tmp_path, cache=tmp_path / ".diglot", jobs=1) as workers:
        future = workers.compute(script, FigureRequest.of("a"))
        pids = tmp_path / "pids"
        wait_until(lambda: pids.exists() and pids.read_text().endswith(" "))
        worker, fork_server = map(int, pids.read_text().split())
        os.kill(fork_server, signal.SIGKILL)
        assert future.result().result
        assert not alive(worker)


@pytest.mark.usefixtures("real_processes")
def test_a_fork_server_that_ends_repeatedly_is_a_failure_with_a_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    script = project(tmp_path, "def compute(): return {}")
    monkeypatch.setattr("diglot.figures.execution.fork_server_process.sys.executable", "/bin/false")
    with FigureWorkers(root=tmp_path, cache=tmp_path / ".diglot", jobs=1) as workers:
        failure = workers.compute(script, FigureRequest.of("a")).exception()
    assert isinstance(failure, FigureFailed)
    assert failure.retry
    (found,) = failure.diagnostics
    assert (found.rule, str(found.location)) == ("figure-crash", "figures/a.py")


def test_a_worker_starts_without_what_figures_are_computed_from(workshop: Workshop):
    script = workshop.script(
        "clean",
        """
        import sys
        BEFORE = [name for name in sys.modules if name.startswith(("diglot.hardware", "diglot.engine"))]
        def compute(): return {"before": BEFORE}
        """,
    )
    assert workshop.compute(script).data == b'{"before":[]}'


def test_no_compiled_code_is_left_in_the_project(workshop: Workshop):
    workshop.write("figures/leaves_no_trace.py", "A = 1\n")
    workshop.compute(workshop.script("traceless", "import leaves_no_trace\ndef compute(): return {}"))
    assert not list(workshop.root.glob("figures/__pycache__/leaves_no_trace*"))


def test_the_versions_name_what_workers_have_loaded():
    found = dict(versions())
    libraries = {"numpy", "matplotlib", "PIL", "fontTools", "jinja2", "yaml"}
    assert set(found) == {"python", *libraries, "figures"}
    assert not {"none", "unknown"} & set(found.values())


def test_a_call_that_was_given_up_is_killed_and_the_next_one_runs(tmp_path: Path):
    script = project(
        tmp_path,
        "import pathlib, signal\n"
        "def compute():\n"
        "    if pathlib.Path('quick').exists(): return {'a': 1}\n"
        "    pathlib.Path('begun').touch()\n"
        "    signal.pause()\n",
    )
    with FigureWorkers(root=tmp_path, cache=tmp_path / "cache", jobs=1, timeout_s=300) as workers:
        looping = workers.compute(script, FigureRequest("a"))
        waiting = workers.compute(script, FigureRequest("a"))
        wait_until((tmp_path / "begun").exists)
        workers.stop(waiting)  # it had not begun
        (tmp_path / "quick").touch()
        workers.stop(looping)
        assert workers.compute(script, FigureRequest("a")).result().result
        assert waiting.cancelled()
        assert looping.done()


def test_a_report_says_how_long_the_work_took_not_how_long_it_waited(tmp_path: Path) -> None:
    # Time is the subject: one worker computes both figures, so their times add up to at most the time waited.
    slow = (
        'import time\nTITLE = {"zh": "图", "en": "Figure"}\ndef compute(): time.sleep(0.4); return {"x": 1}\n'
    )
    (tmp_path / "figures").mkdir()
    scripts = [Script(figure_id=name, path=f"figures/{name}.py") for name in ("one", "two", "three")]
    for script in scripts:
        (tmp_path / script.path).write_text(slow)
    with FigureWorkers(root=tmp_path, cache=tmp_path / ".diglot", jobs=1) as workers:
        workers.compute(scripts[0], FigureRequest.of("one")).result()  # starts the fork server
        began = time.monotonic()
        calls = [workers.compute(script, FigureRequest.of(script.figure_id)) for script in scripts[1:]]
        reports = [call.result() for call in calls]
        waited_s = time.monotonic() - began
    assert all(report.took_s >= 0.4 for report in reports)
    assert sum(report.took_s for report in reports) <= waited_s
