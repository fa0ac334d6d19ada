"""What native code reads is recorded, where it belongs, and watching it stops nothing.

`tests/hostile/native_reads.py` lists the ways of reading.
"""

import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from diglot.figure_request import FigureRequest
from diglot.figures.execution.workers import FigureWorkers
from diglot.figures.scripts.failures import FigureFailed
from tests.hostile.test_reads import shows_calls

from .conftest import Workshop, only, seen

pytestmark = pytest.mark.skipif(not shows_calls(), reason="this system does not show a worker's system calls")

_LIBRARY = """
import sys
from lxml import etree

DATASET = f"{__name__}:read_rows"

def read_rows():
    return {node.get("name"): node.text for node in etree.parse("content/rows.xml").getroot()}

def row(name):
    sys.audit("diglot.dataset.begin", DATASET)
    rows = read_rows()
    sys.audit("diglot.dataset.end", DATASET)
    sys.audit("diglot.dataset.row", DATASET, name, rows.get(name, ""), ("content/rows.xml",))
    return rows[name]
"""


@pytest.fixture
def rows(workshop: Workshop) -> Workshop:
    pytest.importorskip("lxml")
    workshop.write("content/rows.xml", "<r><p name='a'>1</p><p name='b'>2</p></r>")
    workshop.write("content/other.xml", "<r/>")
    workshop.write("figures/_native_rows.py", _LIBRARY)
    return workshop


def test_rows_stand_for_what_a_library_reads_between_begin_and_end(rows: Workshop):
    script = rows.script(
        "native_rows",
        """
        from lxml import etree
        from _native_rows import row
        def compute():
            before = etree.parse("content/other.xml")
            return {"a": row("a")}
        """,
    )
    observed = seen(rows.report(script).observed)
    assert ("row", "_native_rows:read_rows#a") in {key for key in observed if key[0] == "row"}
    assert ("file", "content/other.xml") in observed
    assert ("file", "content/rows.xml") not in observed


def test_what_a_library_reads_after_the_end_of_a_dataset_is_a_file(rows: Workshop):
    script = rows.script(
        "native_after",
        """
        from lxml import etree
        from _native_rows import row
        def compute():
            return {"a": row("a"), "n": len(etree.parse("content/rows.xml").getroot())}
        """,
    )
    assert ("file", "content/rows.xml") in seen(rows.report(script).observed)


def test_what_a_library_reads_for_a_point_and_for_a_drawing_is_recorded(rows: Workshop):
    text = """
        from lxml import etree
        from diglot.figures import sweep
        def at(x):
            return {"n": len(etree.parse("content/rows.xml").getroot()) * x}
        def compute(): return {"rows": sweep(at, [{"x": 1}, {"x": 2}])}
        def draw(figure, data, t): etree.parse("content/other.xml")
        def describe(data, t): return t(zh="一张图。", en="A picture.")
    """
    script = rows.script("native_points", text)
    assert ("file", "content/rows.xml") in seen(rows.report(script).observed)
    assert ("file", "content/other.xml") in seen(rows.draw_report(script).observed)


def test_a_file_that_a_library_writes_is_told(rows: Workshop):
    script = rows.script(
        "native_writer",
        """
        from lxml import etree
        def compute():
            etree.ElementTree(etree.fromstring("<a/>")).write("content/native-out.xml")
            return {}
        """,
    )
    report = rows.report(script)
    assert report.wrote == ("content/native-out.xml",)
    assert [one.rule for one in report.warnings] == ["figure-writes"]


def test_a_watched_script_depends_on_nothing_more_for_being_watched(rows: Workshop):
    body = """
        import sqlite3
        from _plain_helper import X
        def compute():
            c = sqlite3.connect("content/watched.db")
            x = c.execute("SELECT count(*) FROM sqlite_master").fetchall()
            open("content/other.xml").read()
            return {"x": x, "X": X}
    """
    rows.write("figures/_plain_helper.py", "X = 1\n")
    rows.report(rows.script("makes_the_database", body))
    plain = seen(rows.report(rows.script("not_watched", body)).observed)
    watched = seen(rows.report(rows.script("is_watched", "import ssl\n" + dedent(body))).observed)
    own = {"figures/not_watched.py", "figures/is_watched.py"}
    folder = ("entry", "content")  # SQLite asks whether it is a link
    assert {key for key in watched if key[1] not in own} - {folder} == {
        key for key in plain if key[1] not in own
    }


def test_a_watched_process_has_no_network_and_no_io_uring():
    code = (
        "import ctypes, os, socket\n"
        "from diglot.figures.observation.system_calls import filter_calls\n"
        "system = ctypes.CDLL(None, use_errno=True)\n"
        "local = socket.socket(socket.AF_UNIX)\n"
        "filter_calls()\n"  # nobody hears the listener: a call about a file would wait for ever
        "refused = [system.socket(kind, 1, 0) for kind in (2, 10)]\n"
        "other = socket.socket(socket.AF_UNIX).fileno()\n"
        "os._exit(7 if refused == [-1, -1] and other > 0 and system.syscall(425, 1, None) == -1"
        " and ctypes.get_errno() == 38 else 1)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=60, check=False).returncode == 7


def test_a_watched_script_that_never_ends_is_stopped(tmp_path: Path):
    with FigureWorkers(root=tmp_path, cache=tmp_path / ".diglot", jobs=1, timeout_s=2) as workers:
        endless = Workshop(tmp_path, workers)
        text = "import os, ssl\ndef compute():\n    while True: os.access('content/x', os.F_OK)\n"
        assert only(endless.failure(endless.script("endless", text))).rule == "figure-timeout"


def test_a_watched_script_that_crashes_ends_no_other(rows: Workshop):
    text = "import os, ssl\ndef compute():\n    os.kill(os.getpid(), 11)\n"
    crashing = rows.script("crashes_watched", text)
    fine = rows.script("fine_watched", "import ssl\ndef compute(): return {}\n")
    calls = [
        rows.workers.compute(script, FigureRequest.of(script.figure_id))
        for script in (crashing, fine, crashing, fine)
    ]
    for call in calls[::2]:
        with pytest.raises(FigureFailed):
            call.result()
    assert all(call.result() for call in calls[1::2])
