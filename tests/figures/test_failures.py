"""Scripts that go wrong: the author learns where, in their own file, and the build goes on."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from diglot.figure_request import FigureRequest
from diglot.figures.execution.workers import FigureWorkers
from diglot.figures.records import Script
from diglot.figures.scripts.failures import FigureFailed

from .conftest import TITLE, Workshop, only, seen


def test_an_exception_points_at_the_line_of_the_script_and_shows_the_way_there(workshop: Workshop):
    script = workshop.script(
        "raises",
        """\
        def share(part, whole):
            return part / whole

        def compute():
            return {"share": share(1, 0)}
        """,
    )
    found = only(workshop.failure(script))
    assert str(found) == (
        'figures/raises.py:3: error[figure-script]: figure "raises": ZeroDivisionError: division by zero\n'
        "    return part / whole\n"
        "    figures/raises.py:6 in compute\n"
        '        return {"share": share(1, 0)}\n'
        "    figures/raises.py:3 in share\n"
        "        return part / whole\n"
        "  fix: divide by another number, or leave the value out where the divisor is 0."
    )


def test_a_syntax_error_points_at_its_line(workshop: Workshop):
    found = only(workshop.failure(workshop.script("syntax", "def compute(:\n    return {}\n")))
    assert found.rule == "figure-syntax"
    assert (found.location.path, found.location.line) == ("figures/syntax.py", 2)
    assert found.source_line == "def compute(:"


def test_lines_of_a_fence_are_lines_of_its_article(workshop: Workshop):
    article = workshop.write(
        "content/posts/a/zh.md",
        """\
        # 标题

        ```{figure-script} fenced
        TITLE = {"zh": "图", "en": "Figure"}

        def compute():
            return {"a": 1 / 0}
        ```
        """,
    )
    source = "".join(article.read_text().splitlines(keepends=True)[3:7])
    script = Script(figure_id="fenced", path="content/posts/a/zh.md", first_line=4, source=source)
    found = only(workshop.failure(script))
    assert (found.location.path, found.location.line) == ("content/posts/a/zh.md", 7)
    assert found.source_line.strip() == 'return {"a": 1 / 0}'


def test_what_is_wrong_in_a_module_beside_the_script_is_shown_with_the_script_s_own_line(workshop: Workshop):
    workshop.write("figures/shared_wrong.py", "def half(n):\n    return n.half\n")
    script = workshop.script(
        "calls", "from shared_wrong import half\ndef compute():\n    return {'a': half(1)}"
    )
    found = only(workshop.failure(script))
    assert (found.location.path, found.location.line) == ("figures/calls.py", 4)
    assert "figures/shared_wrong.py:2 in half" in found.detail


def test_a_module_that_is_not_there_is_named(workshop: Workshop):
    found = only(workshop.failure(workshop.script("imports", "import nowhere_to_be_found")))
    assert 'there is no module "nowhere_to_be_found"' in found.fix


def test_a_key_that_data_lacks_gets_the_nearest(workshop: Workshop):
    script = workshop.drawing("lacks", "data['h200']['ridg']", compute="return {'h200': {'ridge': 1}}")
    found = only(workshop.drawing_failure(script))
    assert found.message == "figure \"lacks\": KeyError: 'ridg'"
    assert 'did you mean "ridge"?' in found.fix


def test_a_column_that_a_reader_of_csv_calls_otherwise_is_named(workshop: Workshop):
    fixes = {
        "\\ufeffname": 'open it with encoding="utf-8-sig"',
        "name;x": "read it with delimiter=';'",
        "name ": "delete the spaces",
    }
    for number, (head, fix) in enumerate(fixes.items()):
        script = workshop.script(
            f"csv_{number}", f'def compute():\n    row = {{"{head}": "a"}}\n    return row["name"]'
        )
        assert fix in (only(workshop.failure(script)).fix or "")


def test_sys_exit_is_a_mistake_and_not_an_end(workshop: Workshop):
    found = only(workshop.failure(workshop.script("exits", "import sys\ndef compute():\n    sys.exit(3)")))
    assert "the script called sys.exit(3)" in found.message
    assert found.location.line == 4


def test_data_that_is_not_finite_is_refused_with_its_place(workshop: Workshop):
    script = workshop.script("infinite", "def compute():\n    return {'a': [1.0, float('inf')], 's': {1}}")
    found, other = workshop.failure(script).diagnostics
    assert (other.location.line, other.location.column) == (3, 39)
    assert "data['a'][1] is inf, not a finite number" in found.message
    assert found.location.line == 3


def test_leaving_the_process_is_told_from_an_answer(workshop: Workshop):
    for status in (0, 3):
        script = workshop.script(f"leaves_{status}", f"import os\ndef compute():\n    os._exit({status})")
        failed = workshop.failure(script)
        assert only(failed).rule == "figure-crash"
        assert f"ended during compute with status {status}" in only(failed).message
        assert not failed.retry


def test_a_crash_of_compiled_code_points_at_the_line(workshop: Workshop):
    script = workshop.script("crashes", "import ctypes\ndef compute():\n    ctypes.string_at(0)")
    failed = workshop.failure(script)
    assert "killed by signal 11 during compute" in only(failed).message
    assert only(failed).location.line == 4
    assert failed.retry, "the machine may be at fault"


def test_a_script_that_does_not_end_is_stopped_and_its_line_shown(tmp_path):
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures/loops.py").write_text(TITLE + "def compute():\n    while True:\n        pass\n")
    script = Script(figure_id="loops", path="figures/loops.py")
    with FigureWorkers(root=tmp_path, cache=tmp_path / ".diglot", jobs=1, timeout_s=3) as workers:
        with pytest.raises(FigureFailed) as failed:
            workers.compute(script, FigureRequest.of("loops")).result()
        found = only(failed.value)
        assert found.rule == "figure-timeout"
        assert "did not finish within 3 s" in found.message
        assert found.location.line in (3, 4)
        assert failed.value.retry
        (tmp_path / "figures/loops.py").write_text(TITLE + "def compute(): return {}\n")
        assert workers.compute(script, FigureRequest.of("loops")).result().result, "others still work"


@pytest.fixture
def crowded() -> Iterator[None]:
    """One processor, which three other processes want as well."""
    if not Path("/proc/self/schedstat").exists():
        pytest.skip("this system does not tell how long a process waits for a processor")
    processors = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(processors)})
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(3)]
    yield
    for other in others:
        other.kill()
        other.wait()
    os.sched_setaffinity(0, processors)


def test_the_time_in_which_a_script_waits_for_a_processor_is_not_its_own(tmp_path, crowded):
    (tmp_path / "figures").mkdir()
    works = "import time\ndef compute():\n    while time.process_time() < 1.2:\n        pass\n    return {}\n"
    (tmp_path / "figures/works.py").write_text(TITLE + works)
    script = Script(figure_id="works", path="figures/works.py")
    with FigureWorkers(root=tmp_path, cache=tmp_path / ".diglot", jobs=1, timeout_s=2) as workers:
        assert workers.compute(script, FigureRequest.of("works")).result().result


def test_what_a_script_prints_does_not_break_the_answer_and_is_shown(workshop: Workshop):
    script = workshop.script(
        "prints",
        r"""
        import os, sys
        print("loading")
        def compute():
            os.write(1, b"\x00\xff garbage " * 1000)
            print("to err", file=sys.stderr)
            return {"a": 1}
        """,
    )
    report = workshop.report(script)
    (warning,) = report.warnings
    assert warning.rule == "figure-printed"
    assert warning.severity == "warning"
    assert "loading" in warning.detail
    assert "to err" in warning.detail
    assert workshop.compute(script).data == b'{"a":1}'


def test_printing_without_end_does_not_fill_the_disk(workshop: Workshop):
    script = workshop.script("floods", "def compute():\n    while True:\n        print('x' * 100_000)")
    assert "more than the 16 MB that a figure may" in workshop.failure(script).diagnostics[0].message


def test_a_warning_of_numpy_is_shown_with_its_line(workshop: Workshop):
    script = workshop.script(
        "warns", "import numpy as np\ndef compute():\n    return {'a': np.nan_to_num(np.log(np.zeros(1)))}"
    )
    (warning,) = workshop.report(script).warnings
    assert "divide by zero" in warning.message
    assert warning.location.line == 4


def test_a_script_that_is_not_there_says_so(workshop: Workshop):
    failed = workshop.failure(Script(figure_id="gone", path="figures/gone.py"))
    assert only(failed).rule == "figure-missing"
    assert seen(failed.observed)["file", "figures/gone.py"] == "absent"


@pytest.mark.parametrize(
    ("name", "code", "what"),
    [
        ("network", "import socket; socket.create_connection(('127.0.0.1', 9))", "use the network"),
        ("program", "import subprocess; subprocess.run(['true'])", "start a program"),
        ("shell", "import os; os.system('true')", "start a program"),
        ("process", "import os; os.fork()", "start a process"),
    ],
)
def test_what_no_digest_can_follow_is_refused(workshop: Workshop, name: str, code: str, what: str):
    found = only(workshop.failure(workshop.script(f"refused_{name}", f"def compute():\n    {code}\n")))
    assert f"a figure script may not {what}" in found.message
    assert found.location.line == 3


def test_a_failure_survives_being_sent_to_another_process(workshop: Workshop):
    import pickle

    failed = workshop.failure(workshop.script("pickled", "def compute(): return 1 / 0"))
    again = pickle.loads(pickle.dumps(failed))
    assert (again.diagnostics, again.observed, again.retry) == (
        failed.diagnostics,
        failed.observed,
        failed.retry,
    )


def test_python_s_own_frames_are_left_out(workshop: Workshop):
    script = workshop.script("json_fails", "import json\ndef compute():\n    return json.loads('{')")
    found = only(workshop.failure(script))
    assert found.location.line == 4
    assert os.sep + "json" not in (found.detail or "")
