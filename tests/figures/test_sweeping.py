"""Sweeps: a function over a grid, split over workers, kept point by point, computed again where needed."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import numpy as np
import pytest

import diglot
from diglot.figure_request import FigureRequest
from diglot.figures import sweep
from diglot.figures.execution.point_store import Batch, PointStore, prune
from diglot.figures.execution.workers import FigureWorkers
from diglot.figures.records import ComputedFigure, Script, WorkerReport
from diglot.figures.scripts.failures import FigureFailed
from tests.cli.sites import processes_below
from tests.exactness.chips import chip
from tests.waiting import wait_until

from .conftest import TITLE, Workshop, only, seen

SQUARES = """
    from diglot.figures import sweep

    SIDES = range(6)

    def square(m):
        return m * m

    def compute():
        return {"squares": sweep(square, {"m": SIDES})}
    """


class Sweeps:
    """A project with one script, whose points may log when they are computed.

    The log is in a folder where files are no dependencies.
    """

    def __init__(self, shared: FigureWorkers, root: Path, name: str, log: Path) -> None:
        self._shared, self.root, self.name, self.log = shared, root, name, log
        log.parent.mkdir(exist_ok=True)

    def write(self, text: str, path: str = "") -> None:
        """Write the script, with its title on line 1, or another file."""
        file = self.root / (path or f"figures/{self.name}.py")
        file.parent.mkdir(parents=True, exist_ok=True)
        code = textwrap.dedent(text).replace("COUNTED", f"open({str(self.log)!r}, 'a').write('x')")
        file.write_text(code if path else TITLE + code)

    @contextmanager
    def workers(self, **options: object) -> Iterator[FigureWorkers]:
        """The workers that tests share, or new ones if there are options."""
        if not options:
            yield self._shared
            return
        chosen = {"jobs": 2, "timeout_s": 30.0, **options}
        with FigureWorkers(root=self.root, cache=self.root / ".diglot", **chosen) as workers:
            yield workers

    def report(self, **options: object) -> WorkerReport:
        with self.workers(**options) as workers:
            script = Script(figure_id=self.name, path=f"figures/{self.name}.py")
            return workers.compute(script, FigureRequest.of(self.name)).result()

    def data(self, **options: object) -> dict:
        return json.loads(msgspec.msgpack.decode(self.report(**options).result, type=ComputedFigure).data)

    def failure(self, **options: object) -> FigureFailed:
        with pytest.raises(FigureFailed) as failed:
            self.report(**options)
        return failed.value

    def computed(self) -> int:
        """The number of points computed since the last call."""
        if not self.log.exists():
            return 0
        count = len(self.log.read_text())
        self.log.unlink()
        return count


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FigureWorkers]:
    root = tmp_path_factory.mktemp("project")
    with FigureWorkers(root=root, cache=root / ".diglot", jobs=2, timeout_s=30) as workers:
        yield workers


@pytest.fixture
def sweeps(shared: FigureWorkers, request: pytest.FixtureRequest) -> Sweeps:
    name = f"a{abs(hash(request.node.nodeid))}"
    return Sweeps(shared, shared._root, name, shared._root / f"__pycache__/{name}.log")


@pytest.fixture
def alone(shared: FigureWorkers, tmp_path: Path) -> Sweeps:
    """A project that no other test uses, for tests that look into its store."""
    (tmp_path / "project").mkdir(parents=True)
    return Sweeps(shared, tmp_path / "project", "a", tmp_path / "project/__pycache__/log")


COUNTING = """
    from diglot.figures import sweep

    FACTOR = 1
    SIDES = range(20)

    def scaled(m):
        return m * FACTOR

    def point(m, n):
        COUNTED
        return scaled(m) + n

    def compute():
        return {"sum": int(sweep(point, {"m": SIDES, "n": [0, 100]}).sum())}
    """


class TestGrids:
    def test_a_product_gives_an_array_in_its_shape(self):
        array = sweep(lambda m, n: 10 * m + n, {"m": range(3), "n": [1, 2]})
        assert array.tolist() == [[1, 2], [11, 12], [21, 22]]

    def test_points_of_their_own_give_a_row(self):
        assert sweep(lambda m: m / 2, [{"m": 1}, {"m": 5}]).tolist() == [0.5, 2.5]

    def test_arrays_of_each_point_add_axes(self):
        array = sweep(lambda m: np.arange(3) * m, {"m": np.array([1, 2])})
        assert array.shape == (2, 3)
        assert array.dtype == np.int64

    def test_mappings_become_a_mapping_of_arrays(self):
        found = sweep(lambda m: {"time_s": m / 2, "bound": "memory"}, {"m": [1, 2]})
        assert found["time_s"].tolist() == [0.5, 1.0]
        assert found["bound"].tolist() == ["memory", "memory"]

    def test_what_is_no_number_is_an_object_at_its_place(self):
        array = sweep(lambda m: None if m else [1, 2], {"m": [0, 1]})
        assert array.shape == (2,)
        assert array.tolist() == [[1, 2], None]

    def test_points_may_be_infinite_or_no_number(self):
        array = sweep(lambda m: [float("nan"), float("inf")][m], {"m": [0, 1]})
        assert np.isnan(array[0])
        assert np.isinf(array[1])

    def test_no_points_are_no_trouble(self):
        assert sweep(lambda m: m, {"m": []}).shape == (0,)

    @pytest.mark.parametrize(
        ("grid", "words"),
        [
            ({"m": 5}, r'the values of "m" are not a list: 5; write a single value as \[5\]'),
            ({"m": "ab"}, "are not a list"),
            ({1: [2]}, "the names of parameters in a grid must be text, not 1"),
            ([3], "point 0 is not a mapping"),
            ("m", "a grid must be a mapping of names to values or a list of points"),
            ({"m": [{1, 2}]}, "a set has no order"),
        ],
    )
    def test_what_is_no_grid_is_told(self, grid, words):
        with pytest.raises((TypeError, ValueError), match=words):
            sweep(lambda m: m, grid)

    def test_too_many_points_are_told(self):
        with pytest.raises(ValueError, match="4,000,000 points; at most 1,000,000"):
            sweep(lambda m, n: m, {"m": range(2000), "n": range(2000)})


class TestPoints:
    def test_results_come_in_the_order_of_the_grid_however_they_were_split(self, alone: Sweeps):
        alone.write(SQUARES)
        one = alone.data(jobs=1)
        assert one == {"squares": [0, 1, 4, 9, 16, 25]}
        (alone.root / ".diglot/points.db").unlink()
        assert alone.data(jobs=2) == one

    def test_they_run_side_by_side(self, sweeps: Sweeps):
        sweeps.write(
            """
            import os, time
            from diglot.figures import sweep

            def point(m):
                time.sleep(1.2)
                return os.getpid()

            def compute():
                return {"pids": len(set(sweep(point, {"m": range(4)}).tolist()))}
            """
        )
        assert sweeps.data()["pids"] >= 2

    def test_a_thousand_points_make_few_processes(self, sweeps: Sweeps):
        sweeps.write(
            """
            import os
            from diglot.figures import sweep
            def point(m): return os.getpid()
            def compute(): return {"pids": len(set(sweep(point, {"m": range(1000)}).tolist()))}
            """
        )
        assert sweeps.data()["pids"] < 40

    def test_chance_begins_the_same_at_each(self, sweeps: Sweeps):
        sweeps.write(
            """
            import random
            import numpy as np
            from diglot.figures import sweep

            def point(m):
                return [random.random(), np.random.rand(), np.random.default_rng().random()]

            def compute():
                return {"kinds": len({tuple(row) for row in sweep(point, {"m": range(9)}).tolist()})}
            """
        )
        assert sweeps.data() == {"kinds": 1}

    def test_two_sweeps_and_a_parameter_of_the_figure(self, sweeps: Sweeps):
        sweeps.write(
            """
            from diglot.figures import sweep
            def point(m, by): return m * by
            def compute():
                first = sweep(point, {"m": [1, 2], "by": [10]})
                return {"all": sweep(point, {"m": first[:, 0], "by": [3]})[:, 0]}
            """
        )
        assert sweeps.data() == {"all": [30, 60]}

    def test_progress_counts_up_to_all_points(self, sweeps: Sweeps):
        sweeps.write(SQUARES)
        told = []
        sweeps.report(tell=lambda *one: told.append(one))
        assert told[0] == (sweeps.name, 0, 6)
        assert told[-1] == (sweeps.name, 6, 6)

    def test_a_function_inside_another_is_told_with_its_line(self, sweeps: Sweeps):
        sweeps.write(
            """
            from diglot.figures import sweep
            def compute():
                return {"a": sweep(lambda m: m, {"m": [1]})}
            """
        )
        found = only(sweeps.failure())
        assert found.location.line == 5
        assert (
            "a function defined at the top level of a script or module, which compute.<locals>.<lambda>"
            in str(found)
        )

    def test_draw_and_points_do_not_sweep(self, sweeps: Sweeps):
        sweeps.write(
            """
            from diglot.figures import sweep
            def inner(m): return m
            def outer(m): return sweep(inner, {"m": [m]}).tolist()
            def compute(): return {"a": sweep(outer, {"m": [1]})}
            """
        )
        assert "`sweep` can only be used in `compute`" in only(sweeps.failure()).message

    def test_warnings_and_prints_are_said_once_and_again_from_the_store(self, sweeps: Sweeps):
        sweeps.write(
            """
            import warnings
            from diglot.figures import sweep
            def point(m):
                print("point", m)
                warnings.warn("rough")
                return m
            def compute(): return {"a": sweep(point, {"m": range(30)})}
            """
        )
        for _ in range(2):
            assert [one.rule for one in sweeps.report().warnings] == ["figure-warning", "figure-printed"]


class TestKeeping:
    def test_points_are_computed_once(self, sweeps: Sweeps):
        sweeps.write(COUNTING)
        first = sweeps.data()
        assert sweeps.computed() == 40
        assert sweeps.data() == first
        assert sweeps.computed() == 0

    def test_a_larger_grid_computes_the_new_points(self, sweeps: Sweeps):
        sweeps.write(COUNTING)
        sweeps.data()
        sweeps.computed()
        sweeps.write(COUNTING.replace("range(20)", "range(25)"))
        sweeps.data()
        assert sweeps.computed() == 10

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("FACTOR = 1", "FACTOR = 2"),
            ("return m * FACTOR", "return m * FACTOR + 1"),
            ("return scaled(m) + n", "return scaled(m) - n"),
        ],
    )
    def test_a_change_of_what_the_function_uses_computes_all(self, sweeps: Sweeps, old: str, new: str):
        sweeps.write(COUNTING)
        before = sweeps.data()
        sweeps.computed()
        sweeps.write(COUNTING.replace(old, new))
        assert sweeps.data() != before
        assert sweeps.computed() == 40

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ('{"sum": int(', '{"total": int('),
            (
                "def compute",
                "def draw(figure, data, t): pass\ndef describe(data, t): return 'x'\ndef compute",
            ),
            ("FACTOR = 1", "# a comment\nFACTOR = 1"),
        ],
    )
    def test_a_change_of_anything_else_computes_none(self, sweeps: Sweeps, old: str, new: str):
        sweeps.write(textwrap.dedent(COUNTING))
        sweeps.data()
        sweeps.computed()
        sweeps.write(textwrap.dedent(COUNTING).replace(old, new))
        sweeps.data()
        assert sweeps.computed() == 0

    DATA = """
        import _model
        from diglot.figures import env, sweep

        def point(m):
            COUNTED
            return m * _model.factor() + int(env("OFFSET", "0"))

        def compute():
            return {"sum": int(sweep(point, {"m": range(10)}).sum())}
        """
    MODEL = """
        import functools, os

        @functools.cache
        def factor():
            if not os.path.exists("content/factor.txt"):
                return 1
            return int(open("content/factor.txt").read())
        """

    def test_modules_data_and_variables_that_a_point_looked_at_compute_it_again(
        self, sweeps: Sweeps, monkeypatch: pytest.MonkeyPatch
    ):
        sweeps.write(self.DATA)
        (sweeps.root / "content/factor.txt").unlink(missing_ok=True)
        sweeps.write(self.MODEL, "figures/_model.py")
        assert sweeps.data() == {"sum": 45}
        assert sweeps.computed() == 10
        sweeps.write("2", "content/factor.txt")  # the first run looked for it in vain
        assert sweeps.data() == {"sum": 90}
        sweeps.write("3", "content/factor.txt")
        assert sweeps.data() == {"sum": 135}
        monkeypatch.setenv("OFFSET", "1")
        assert sweeps.data(jobs=2) == {"sum": 145}
        sweeps.write(self.MODEL.replace("return int(", "return 10 * int("), "figures/_model.py")
        assert sweeps.data(jobs=2) == {"sum": 1360}
        assert sweeps.computed() == 40

    def test_a_row_of_the_catalogue_computes_the_points_that_read_it(self, sweeps: Sweeps):
        sweeps.write(chip("one"), "site/hardware/one.yaml")
        sweeps.write(chip("two"), "site/hardware/two.yaml")
        sweeps.write(
            """
            from diglot.figures import sweep
            from diglot.hardware import load_catalogue

            def point(m):
                COUNTED
                return m * load_catalogue()["one"].memory_bandwidth_bytes_per_s

            def compute(): return {"a": sweep(point, {"m": range(4)})}
            """
        )
        first = sweeps.data()
        assert sweeps.computed() == 4
        sweeps.write(chip("two", rate=6000), "site/hardware/two.yaml")
        assert sweeps.data() == first
        assert sweeps.computed() == 0
        sweeps.write(chip("one", rate=9600), "site/hardware/one.yaml")
        assert sweeps.data() == {"a": [2 * each for each in first["a"]]}
        assert sweeps.computed() == 4

    def test_what_points_looked_at_are_dependencies_of_the_figure_also_from_the_store(self, sweeps: Sweeps):
        sweeps.write(self.DATA)
        sweeps.write(self.MODEL, "figures/_model.py")
        for _ in range(2):
            names = seen(sweeps.report().observed)
            assert {
                ("file", f"figures/{sweeps.name}.py"),
                ("file", "figures/_model.py"),
                ("file", "content/factor.txt"),
                ("env", "OFFSET"),
            } <= set(names)

    def test_a_function_of_a_module_does_not_depend_on_the_script(self, sweeps: Sweeps):
        sweeps.write("def point(m):\n    COUNTED\n    return m\n", "figures/_points.py")
        script = """
            from _points import point
            from diglot.figures import sweep
            LIST = list(map(int, "12"))
            def compute(): return {"a": sweep(point, {"m": LIST})}
            """
        sweeps.write(script)
        sweeps.data()
        assert sweeps.computed() == 2
        sweeps.write(script.replace('"12"', '"13"'))
        sweeps.data()
        assert sweeps.computed() == 1
        sweeps.write("def point(m):\n    COUNTED\n    return m + 1\n", "figures/_points.py")
        assert sweeps.data() == {"a": [2, 4]}

    def test_a_damaged_store_is_thrown_away(self, alone: Sweeps):
        alone.write(COUNTING)
        first = alone.data(jobs=2)
        alone.computed()
        for leftover in (alone.root / ".diglot").glob("points.db-*"):
            leftover.unlink()
        (alone.root / ".diglot/points.db").write_bytes(b"not a database" * 1000)
        assert alone.data(jobs=2) == first
        assert alone.computed() == 40
        assert alone.data(jobs=2) == first
        assert alone.computed() == 0

    def test_old_points_and_too_many_bytes_are_pruned(self, alone: Sweeps):
        alone.write(COUNTING)
        alone.data(jobs=2)
        path = alone.root / ".diglot/points.db"

        def count() -> int:
            with sqlite3.connect(path) as connection:
                return connection.execute("SELECT count(*) FROM points").fetchone()[0]

        prune(path)
        assert count() == 40
        with sqlite3.connect(path) as connection:
            connection.execute("UPDATE batches SET used_s = used_s - 100 WHERE id = 1")
        prune(path, kept_s=50)
        assert 0 < count() < 40
        prune(path, most_bytes=1)
        assert count() == 0
        prune(path.with_name("absent.db"))
        assert not path.with_name("absent.db").exists()

    def test_a_store_that_cannot_be_written_is_done_without(self, sweeps: Sweeps, tmp_path: Path):
        sweeps.write(SQUARES)
        (tmp_path / "file").write_text("")
        assert sweeps.data(points=tmp_path / "file/points.db") == {"squares": [0, 1, 4, 9, 16, 25]}


class TestFailing:
    def test_the_first_point_that_fails_is_named_whatever_the_order(self, sweeps: Sweeps):
        sweeps.write(
            """
            from diglot.figures import sweep

            def point(m, kind):
                return [1 / (m - 7), kind]

            def compute():
                return {"a": sweep(point, {"m": range(50), "kind": ["x", "y"]})}
            """
        )
        failure = sweeps.failure()
        found = only(failure)
        assert found.rule == "figure-script"
        assert found.message.endswith(": ZeroDivisionError: division by zero (at m=7, kind='x')")
        assert found.location.line == 6
        assert ("file", f"figures/{sweeps.name}.py") in seen(failure.observed)

    def test_points_before_a_failure_are_kept(self, sweeps: Sweeps):
        script = """
            from diglot.figures import sweep
            LAST = 10

            def point(m):
                COUNTED
                if m == 10:
                    raise ValueError("no")
                return m

            def compute():
                return {"a": sweep(point, {"m": range(LAST)})}
            """
        sweeps.write(script.replace("LAST = 10", "LAST = 12"))
        assert "(at m=10)" in only(sweeps.failure()).message
        sweeps.computed()
        sweeps.write(script)
        sweeps.data()
        assert sweeps.computed() == 0

    def test_a_result_that_is_no_plain_data_is_told(self, sweeps: Sweeps):
        sweeps.write(
            """
            from diglot.figures import sweep
            def point(m): return {1, 2}
            def compute(): return {"a": sweep(point, {"m": [1]})}
            """
        )
        assert "result is a set" in only(sweeps.failure()).message

    @pytest.mark.parametrize(
        ("dies", "rule"),
        [
            ("os._exit(3)", "figure-crash"),
            ("os.kill(os.getpid(), 9)", "figure-crash"),
            ("spin()", "figure-timeout"),
        ],
    )
    def test_a_point_that_takes_its_process_along_is_named(self, sweeps: Sweeps, dies: str, rule: str):
        sweeps.write(
            f"""
            import os, time
            from diglot.figures import sweep

            def spin():
                while True:
                    time.sleep(1)

            def point(m):
                if m == 3:
                    {dies}
                return m

            def compute():
                return {{"a": sweep(point, {{"m": range(8)}})}}
            """
        )
        found = only(sweeps.failure(timeout_s=2.0))
        assert found.rule == rule
        assert found.message.endswith("(at m=3)")
        assert "a point of `sweep`" in found.message


# A point takes long enough that the process is interrupted between the first points and the last ones.
SLOW = """
    import time
    from diglot.figures import sweep

    def point(m):
        COUNTED
        time.sleep(0.25)
        return m

    def compute():
        return {"sum": int(sweep(point, {"m": range(24)}).sum())}
    """
PROGRAM = """
    import sys
    from pathlib import Path
    from diglot.figures.execution.workers import *
    with FigureWorkers(root=Path(), cache=Path(".diglot"), jobs=2, timeout_s=30) as workers:
        workers.compute(Script(figure_id="a", path="figures/a.py"), FigureRequest.of("a")).result()
    """


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_points_done_before_an_interruption_are_not_computed_again(alone: Sweeps, how: signal.Signals):
    alone.write(SLOW)
    environment = {**os.environ, "PYTHONPATH": str(Path(diglot.__file__).parent.parent)}
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(PROGRAM)],
        cwd=alone.root,
        env=environment,
        stderr=subprocess.DEVNULL,
    )
    store = alone.root / ".diglot/points.db"

    def kept() -> int:
        try:
            with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as connection:
                return connection.execute("SELECT count(*) FROM points").fetchone()[0]
        except sqlite3.OperationalError:
            return 0

    wait_until(lambda: kept() > 4)
    process.send_signal(how)
    process.wait()
    done = kept()
    assert 4 < done < 24
    # The workers of a killed process end by themselves, and a point under way may still be logged.
    wait_until(lambda: not processes_below(alone.root))
    alone.computed()
    assert alone.data(jobs=2) == {"sum": 276}
    assert alone.computed() == 24 - done


def test_a_closed_store_can_be_opened_by_another(tmp_path: Path):
    store = PointStore(tmp_path / "points.db")
    store.close()
    assert store.find("nothing", lambda _: True) == ()
    store.close()


def test_the_workshop_sweeps_in_a_fence_too(workshop: Workshop):
    source = TITLE + textwrap.dedent(SQUARES)
    workshop.write("content/posts/x/zh.md", "text")
    script = Script(figure_id="fenced", path="content/posts/x/zh.md", first_line=5, source=source)
    report = workshop.workers.compute(script, FigureRequest.of("fenced")).result()
    data = msgspec.msgpack.decode(report.result, type=ComputedFigure).data
    assert json.loads(data) == {"squares": [0, 1, 4, 9, 16, 25]}


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE points SET result = CAST('10' AS BLOB)",
        "UPDATE points SET arguments = arguments || 'x'",
        "DELETE FROM points WHERE arguments = (SELECT max(arguments) FROM points)",
        "UPDATE batches SET observed = x'90'",
        "UPDATE batches SET used_s = 'long ago'",
        "UPDATE batches SET bytes = 'many'",
        "UPDATE batches SET warnings = CAST(x'ff' AS TEXT)",
    ],
)
def test_points_that_are_not_what_was_written_are_not_believed(tmp_path: Path, statement: str):
    batch = Batch(results={b"1": b"1", b"2": b"4"}, observed=(), warnings=())
    store = PointStore(tmp_path / "points.db")
    store.add("square", batch)
    store.close()
    connection = sqlite3.connect(tmp_path / "points.db", isolation_level=None)
    assert connection.execute(statement).rowcount > 0
    connection.close()
    store = PointStore(tmp_path / "points.db")
    store.prune()
    assert store.find("square", lambda _: True) in ((), (batch,))
    store.add("square", batch)
    assert store.find("square", lambda _: True)[0] == batch
    store.close()


@pytest.mark.parametrize("kind", ["folder", "pipe", "link"])
def test_what_is_no_file_makes_way_for_points(tmp_path: Path, kind: str):
    path = tmp_path / "points.db"
    (tmp_path / "article.md").write_text("words")
    match kind:
        case "folder":
            (path / "in it").mkdir(parents=True)
        case "pipe":
            os.mkfifo(path)
        case _:
            path.symlink_to(tmp_path / "article.md")
    store = PointStore(path)
    batch = Batch(results={b"1": b"1"}, observed=(), warnings=())
    store.add("square", batch)
    assert store.find("square", lambda _: True) == (batch,)
    store.close()
    assert (tmp_path / "article.md").read_text() == "words"
