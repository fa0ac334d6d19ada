"""Figures computed on a Dask cluster: two real worker processes, the same reports and errors as here."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec
import pytest

from diglot.figure_request import FigureRequest
from diglot.figures.execution.executors import DaskCalls, check_executor, connect
from diglot.figures.execution.workers import FigureWorkers
from diglot.figures.jobs import ExecutorTrouble, Limits
from diglot.figures.records import ComputedFigure, Script, WorkerReport
from diglot.figures.scripts.failures import FigureFailed
from tests.exactness.chips import chip
from tests.space import BARS, Space, errors, ran, told
from tests.waiting import HANG_S, wait_until

from .conftest import TITLE, only, seen

pytestmark = pytest.mark.skipif(
    find_spec("distributed") is None, reason="Dask is not installed: pip install 'diglot[dask]'"
)

CLUSTER = """
    import os, sys
    from distributed import LocalCluster
    if __name__ == "__main__":
        sizes = {"n_workers": 2, "threads_per_worker": 1}
        with LocalCluster(processes=True, dashboard_address=None, **sizes) as cluster:
            print(cluster.scheduler_address, flush=True)
            sys.stdin.read()
    """


class Cluster:
    """A scheduler and two workers, in processes of their own."""

    def __init__(self, folder: Path) -> None:
        program = folder / "cluster.py"
        program.write_text(textwrap.dedent(CLUSTER))
        environment = {
            **os.environ,
            "PYTHONPATH": str(Path(__file__).parents[2] / "src"),
            "ONLY_THERE": "yes",
        }
        self.process = subprocess.Popen(
            [sys.executable, str(program)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        self.executor = f"dask:{self.process.stdout.readline().strip()}"

    def kill(self) -> None:
        """Kill the scheduler and the workers, so that clients are not told."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@contextmanager
def running(folder: Path) -> Iterator[Cluster]:
    cluster = Cluster(folder)
    try:
        yield cluster
    finally:
        cluster.kill()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with running(tmp_path_factory.mktemp("cluster")) as started:
        yield started


@pytest.fixture(scope="module")
def workers(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FigureWorkers]:
    root = tmp_path_factory.mktemp("project")
    with FigureWorkers(
        root=root, cache=root / ".diglot", jobs=1, timeout_s=20, executor=cluster.executor
    ) as ready:
        yield ready


class Bench:
    """Computes scripts on the cluster (`there`), and on this machine (`here`)."""

    def __init__(self, there: FigureWorkers) -> None:
        self.root, self.there = there._root, there

    def script(self, name: str, text: str) -> Script:
        self.write(f"figures/{name}.py", TITLE + textwrap.dedent(text))
        return Script(figure_id=name, path=f"figures/{name}.py")

    def write(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def here(self, script: Script) -> WorkerReport | FigureFailed:
        with FigureWorkers(
            root=self.root, cache=self.root / ".here", points=self.root / ".here/p", jobs=2, timeout_s=20
        ) as w:
            return outcome(w, script)


def outcome(workers: FigureWorkers, script: Script) -> WorkerReport | FigureFailed:
    try:
        return workers.compute(script, FigureRequest.of(script.figure_id)).result(timeout=HANG_S)
    except FigureFailed as failure:
        return failure


@pytest.fixture
def bench(workers: FigureWorkers) -> Bench:
    return Bench(workers)


def data(report: WorkerReport | FigureFailed) -> dict:
    assert isinstance(report, WorkerReport), report
    return json.loads(msgspec.msgpack.decode(report.result, type=ComputedFigure).data)


def without_searches(report: WorkerReport) -> dict[tuple[str, str], str]:
    """The digests of observations but those of modules that were looked for outside of the project, in vain.

    A worker of Dask has loaded more libraries before, and does not look for these on PYTHONPATH.
    """
    return {
        (kind, name): digest
        for (kind, name), digest in seen(report.observed).items()
        if digest != "absent" or not (os.path.isabs(name) or name == "PYTHONPATH")
    }


def test_numbers_and_dependencies_are_those_of_a_computation_here(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("ONLY_HERE", "12")
    bench.write("figures/_there.py", "def half(x):\n    return x / 2\n")
    bench.write("content/there.csv", "4,5")
    script = bench.script(
        "there",
        """
        import os
        from _there import half
        from diglot.figures import env
        from diglot.hardware import load_catalogue

        def compute():
            return {
                "csv": open("content/there.csv").read(),
                "absent": os.path.exists("content/absent.csv"),
                "half": half(5),
                "env": [env("ONLY_HERE"), env("ONLY_THERE", "unset")],
                "chips": len(load_catalogue()),
            }
        """,
    )
    there, here = outcome(bench.there, script), bench.here(script)
    assert data(there)["env"] == ["12", "unset"]
    assert data(there) == data(here)
    assert without_searches(there) == without_searches(here)
    assert {("file", "content/absent.csv"), ("env", "ONLY_HERE"), ("file", "figures/_there.py")} <= set(
        seen(there.observed)
    )


def test_a_sweep_is_split_over_both_workers(bench: Bench):
    """Points wait until both workers have one."""
    at_work = bench.root / "__pycache__"  # files there are no dependencies
    at_work.mkdir()
    script = bench.script(
        "split",
        f"""
        import os, pathlib, time
        from diglot.figures import sweep

        AT_WORK = {str(at_work)!r}

        def point(m):
            pathlib.Path(AT_WORK, str(os.getppid())).touch()
            while len(os.listdir(AT_WORK)) < 2:
                time.sleep(0.01)
            return [os.getppid(), m]

        def compute():
            found = sweep(point, {{"m": range(10)}})
            return {{"parents": len(set(found[:, 0].tolist())), "order": found[:, 1]}}
        """,
    )
    assert data(outcome(bench.there, script)) == {"parents": 2, "order": list(range(10))}


def test_points_of_a_sweep_may_ask_for_variables(bench: Bench, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SCALE", "3")
    script = bench.script(
        "scaled",
        """
        from diglot.figures import env, sweep
        def point(m): return m * int(env("SCALE"))
        def compute(): return {"a": sweep(point, {"m": range(4)})}
        """,
    )
    there = outcome(bench.there, script)
    assert data(there) == {"a": [0, 3, 6, 9]}
    assert ("env", "SCALE") in seen(there.observed)


def test_rows_of_the_catalogue_are_compared_with_those_here(bench: Bench):
    bench.write("site/hardware/one.yaml", chip("one"))
    script = bench.script(
        "rows",
        """
        from diglot.figures import sweep
        from diglot.hardware import load_catalogue

        def point(m): return m * load_catalogue()["one"].memory_bandwidth_bytes_per_s
        def compute():
            return {"a": sweep(point, {"m": [1, 2]}), "b": load_catalogue()["h200-sxm"].year}
        """,
    )
    there = outcome(bench.there, script)
    assert data(there) == data(bench.here(script)) == {"a": [4.8e12, 9.6e12], "b": 2024}
    assert isinstance(there, WorkerReport)
    rows = {("row", f"diglot.hardware.chips.loading:digest_rows#chip:{id_}") for id_ in ("one", "h200-sxm")}
    assert rows <= seen(there.observed).keys()


@pytest.mark.parametrize(
    "body",
    [
        "return {'a': 1 / 0}",
        "return helper(0)",
        "return {'a': {1, 2}}",
        "import os; os._exit(3)",
        "return {'a': sweep(helper, {'x': [2, 1, 0]})}",
    ],
)
def test_errors_are_told_as_if_they_had_happened_here(bench: Bench, body: str):
    script = bench.script(
        "fails",
        f"""
        from diglot.figures import sweep

        def helper(x):
            return 1 / x

        def compute():
            {body}
        """,
    )
    there, here = outcome(bench.there, script), bench.here(script)
    assert isinstance(there, FigureFailed)
    assert isinstance(here, FigureFailed)
    assert there.diagnostics == here.diagnostics
    assert without_searches(there) == without_searches(here)


def test_an_endless_loop_there_is_stopped_with_its_line(cluster: Cluster, tmp_path: Path):
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures/a.py").write_text(TITLE + "def compute():\n    while True:\n        pass\n")
    with FigureWorkers(
        root=tmp_path, cache=tmp_path / ".diglot", jobs=1, timeout_s=1, executor=cluster.executor
    ) as workers:
        found = only(outcome(workers, Script(figure_id="a", path="figures/a.py")))
    assert found.rule == "figure-timeout"
    assert found.location.line in (3, 4)


def test_a_site_built_there_has_the_same_bytes(cluster: Cluster, tmp_path: Path):
    sites = []
    for name, options in (("here", {}), ("there", {"executor": cluster.executor})):
        space = Space(tmp_path / name)
        space.write("figures/bars.py", BARS)
        space.post("one", zh="```{figure} bars\n图\n```", en="```{figure} bars\nFigure\n```")
        assert told(space.build(**options)) == ""
        assert ran(space.build(**options)) == []
        sites.append(space.outputs())
    assert sites[0] == sites[1]


class TestTrouble:
    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("ray:tcp://h:1", '"ray:tcp://h:1" is not an executor'),
            ("dask", '"" is not the address of a Dask scheduler'),
            ("dask:h:8786", '"h:8786" is not the address of a Dask scheduler'),
            ("dask:tcp://", '"tcp://" is not the address'),
        ],
    )
    def test_an_executor_that_is_none_is_told(self, text: str, words: str):
        with pytest.raises(ExecutorTrouble) as trouble:
            check_executor(text)
        assert words in trouble.value.message
        assert "dask:tcp://host:8786" in trouble.value.fix

    def test_a_missing_extra_is_told(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr("diglot.figures.execution.executors.find_spec", lambda name: None)
        with pytest.raises(ExecutorTrouble) as trouble:
            check_executor("dask:tcp://h:1")
        assert trouble.value.fix == "install the extra: pip install 'diglot[dask]'."

    def test_a_scheduler_that_is_not_there_is_asked_once_and_the_rest_is_built(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr("diglot.figures.execution.executors.CONNECT_S", 1)
        asked: list[str] = []

        def connect_once(executor: str, **options: Any) -> DaskCalls:
            asked.append(executor)
            return connect(executor, **options)

        monkeypatch.setattr("diglot.figures.execution.workers.connect", connect_once)
        space = Space(tmp_path)
        space.write("figures/bars.py", BARS)
        space.write("figures/poles.py", BARS.replace("Two bars", "Poles"))
        space.post("one", zh="```{figure} bars\n图\n```\n\n```{figure} poles\n图\n```", en=None, only="zh")
        space.post("two", zh="二", en="Two")
        result = space.build(executor="dask:tcp://127.0.0.1:9")
        assert asked == ["dask:tcp://127.0.0.1:9"]
        found = errors(result)
        assert [one.rule for one in found] == ["figure-executor"] * 2
        assert "no Dask scheduler answers at tcp://127.0.0.1:9" in found[0].message
        assert "leave out --executor" in found[0].fix
        assert "article-page two:en" in ran(result)
        assert not errors(space.build())  # the failure is not remembered

    def test_a_scheduler_lost_in_the_middle_is_told_and_the_rest_is_built(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr("diglot.figures.execution.executors.CONNECT_S", 3)
        space = Space(tmp_path / "project")
        begun = tmp_path / "begun"
        slow = f"import signal\n    open({str(begun)!r}, 'w').close()\n    signal.pause()\n    return"
        space.write("figures/bars.py", BARS.replace("return {", f"{slow} {{", 1))
        space.post("one", zh="```{figure} bars\n图\n```", en=None, only="zh")
        space.post("two", zh="二", en="Two")
        with running(tmp_path) as cluster, space.site(executor=cluster.executor) as site:
            killer = threading.Thread(target=lambda: (wait_until(begun.exists), cluster.kill()))
            killer.start()
            result = site.build()
            killer.join()
        (found,) = errors(result)
        assert found.rule == "figure-executor"
        assert "the connection to the Dask scheduler" in found.message
        assert "was lost" in found.message
        assert "article-page two:en" in ran(result)

    def test_workers_that_see_other_files_are_told(self, bench: Bench, monkeypatch: pytest.MonkeyPatch):
        script = bench.script("stale", "def compute(): return {'a': open('content/stale.txt').read()}")
        bench.write("content/stale.txt", "new")
        monkeypatch.setattr(
            "diglot.figures.observation.current_state.digest_now",
            lambda kind, name, root: "another" if name == "content/stale.txt" else seen_now(kind, name, root),
        )
        found = only(outcome(bench.there, script))
        assert found.rule == "figure-executor"
        assert 'has a different "content/stale.txt" from the one on this machine' in found.message
        assert "at the same path, on a shared file system" in found.fix

    def test_workers_of_another_version_are_told(
        self, cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        from diglot.figures.observation import versions

        own = versions.versions()
        monkeypatch.setattr(versions, "versions", lambda: (("python", "2.7.18"), *own[1:]))
        (tmp_path / "figures").mkdir()
        (tmp_path / "figures/a.py").write_text(TITLE + "def compute(): return {}\n")
        with FigureWorkers(
            root=tmp_path, cache=tmp_path / ".diglot", jobs=1, executor=cluster.executor
        ) as workers:
            found = only(outcome(workers, Script(figure_id="a", path="figures/a.py")))
        assert "different versions: python is 2.7.18 here and" in found.message

    def test_workers_that_do_not_see_the_project_are_told(self, cluster: Cluster, tmp_path: Path):
        from diglot.figures.execution import dask_worker

        context = dask_worker.CallContext(
            root=str(tmp_path / "nowhere"),
            limits=Limits(timeout_s=1, memory_mb=4096),
            versions=dask_worker.versions(),
        )
        with pytest.raises(ExecutorTrouble) as trouble:
            dask_worker.call(msgspec.msgpack.encode(context), b"")
        assert "cannot see the project folder" in trouble.value.message


def seen_now(kind: str, name: str, root: Path) -> str:
    from diglot.figures.observation.observer import digest_now

    return digest_now(kind, name, root)
