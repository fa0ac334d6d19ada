"""A figure depends on exactly what its script looked at."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import diglot
from diglot.digests import ABSENT, digest_of, digest_of_names

from .conftest import TITLE, Workshop, only, seen


def test_the_script_itself_is_observed_with_its_content(workshop: Workshop):
    script = workshop.script("alone", "def compute(): return {}")
    content = (workshop.root / script.path).read_bytes()
    assert seen(workshop.report(script).observed) == {("file", "figures/alone.py"): digest_of(content)}


def test_a_fence_is_not_a_file_of_its_own(workshop: Workshop):
    from diglot.figures.records import Script

    script = Script(
        figure_id="fence", path="content/a.zh.md", first_line=3, source=TITLE + "def compute(): return {}"
    )
    assert seen(workshop.report(script).observed) == {}


def test_modules_beside_the_script_are_observed_with_what_they_import(workshop: Workshop):
    workshop.write("figures/first_helper.py", "import second_helper\nVALUE = second_helper.VALUE\n")
    workshop.write("figures/second_helper/__init__.py", "from .inner import VALUE\n")
    workshop.write("figures/second_helper/inner.py", "VALUE = 1\n")
    script = workshop.script(
        "importing", "def compute():\n    import first_helper\n    return {'a': first_helper.VALUE}"
    )
    for _ in range(2):  # compiled code must not replace the source
        observed = seen(workshop.report(script).observed)
        assert {name for (_, name), digest in observed.items() if digest != ABSENT} == {
            "figures/importing.py",
            "figures/first_helper.py",
            "figures/second_helper/__init__.py",
            "figures/second_helper/inner.py",
        }


def test_compiled_code_counts_as_its_source(workshop: Workshop):
    helper = workshop.write("figures/compiled_helper.py", "VALUE = 1\n")
    subprocess.run([sys.executable, "-m", "compileall", "-q", str(helper)], check=True)
    script = workshop.script("compiled", "import compiled_helper\ndef compute(): return {}")
    observed = seen(workshop.report(script).observed)
    assert observed["file", "figures/compiled_helper.py"] == digest_of(b"VALUE = 1\n")
    assert not [name for _, name in observed if "__pycache__" in name]


def test_a_module_that_could_be_put_in_front_is_observed_as_absent(workshop: Workshop):
    workshop.write("figures/common_words.py", "VALUE = 1\n")
    workshop.write("content/posts/b/figures/own.py", TITLE + "import common_words\ndef compute(): return {}")
    from diglot.figures.records import Script

    report = workshop.report(Script(figure_id="own", path="content/posts/b/figures/own.py"))
    observed = seen(report.observed)
    assert observed["file", "content/posts/b/figures/common_words.py"] == ABSENT
    assert observed["file", "figures/common_words.py"] != ABSENT


def test_a_module_that_is_missing_is_observed_so_that_creating_it_is_a_change(workshop: Workshop):
    script = workshop.script("too_early", "import not_yet_written\ndef compute(): return {}")
    observed = seen(workshop.failure(script).observed)
    assert observed["file", "figures/not_yet_written.py"] == ABSENT
    workshop.write("figures/not_yet_written.py", "")
    assert workshop.compute(script).data == b"{}"


def test_a_missing_part_of_a_package_is_observed(workshop: Workshop):
    workshop.write("figures/some_package/__init__.py", "")
    script = workshop.script("part_missing", "from some_package import part\ndef compute(): return {}")
    observed = seen(workshop.failure(script).observed)
    assert observed["file", "figures/some_package/part.py"] == ABSENT


def test_data_files_are_observed_and_named_as_provenance(workshop: Workshop):
    workshop.write("figures/data/measured.csv", "1,2\n")
    script = workshop.script(
        "reads",
        """
        from pathlib import Path
        def compute(): return {'a': Path('figures/data/measured.csv').read_text()}
        """,
    )
    report = workshop.report(script)
    assert seen(report.observed)["file", "figures/data/measured.csv"] == digest_of(b"1,2\n")
    assert workshop.compute(script).provenance == ("figures/data/measured.csv",)


@pytest.mark.parametrize(
    ("name", "asks"),
    [
        ("open", "try:\n        open('figures/later_open.csv')\n    except OSError: pass"),
        ("exists", "import pathlib; pathlib.Path('figures/later_exists.csv').exists()"),
        ("isfile", "import os.path; os.path.isfile('figures/later_isfile.csv')"),
    ],
)
def test_a_file_that_is_looked_for_in_vain_is_observed_as_absent(workshop: Workshop, name: str, asks: str):
    script = workshop.script(f"looks_{name}", f"def compute():\n    {asks}\n    return {{}}")
    assert seen(workshop.report(script).observed)["file", f"figures/later_{name}.csv"] == ABSENT


def test_creating_a_file_that_was_absent_changes_the_answer(workshop: Workshop):
    script = workshop.script(
        "optional",
        "from pathlib import Path\ndef compute(): return {'there': Path('figures/maybe.csv').exists()}",
    )
    assert workshop.compute(script).data == b'{"there":false}'
    content = workshop.write("figures/maybe.csv", "x").read_bytes()
    report = workshop.report(script)
    assert seen(report.observed)["file", "figures/maybe.csv"] == digest_of(content)
    assert workshop.compute(script).data == b'{"there":true}'


def test_a_folder_that_is_listed_is_observed_by_its_names(workshop: Workshop):
    for name in ("b.csv", "a.csv"):
        workshop.write(f"figures/many/{name}", "")
    script = workshop.script(
        "lists",
        """
        from pathlib import Path
        def compute(): return {'n': len(list(Path('figures/many').glob('*.csv')))}
        """,
    )
    assert seen(workshop.report(script).observed)["listing", "figures/many"] == digest_of_names(
        ["a.csv", "b.csv"]
    )


def test_a_variable_is_observed_when_it_is_asked_for_by_name(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
):
    script = workshop.script(
        "asks",
        """
        from diglot.figures import env
        def compute(): return {'a': env('NOT_SET_ANYWHERE', 'x'), 'b': env('PATH')}
        """,
    )
    observed = seen(workshop.report(script).observed)
    assert observed["env", "NOT_SET_ANYWHERE"] == ABSENT
    assert observed["env", "PATH"] != ABSENT


def test_other_ways_to_a_variable_find_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from diglot.figure_request import FigureRequest
    from diglot.figures.execution.workers import FigureWorkers
    from diglot.figures.records import Script

    monkeypatch.setenv("DIGLOT_TEST_SECRET", "42")
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures/peeks.py").write_text(
        TITLE + "import os\nfrom diglot.figures import env\n"
        "def compute(): return {'a': os.environ.get('DIGLOT_TEST_SECRET'), 'b': env('DIGLOT_TEST_SECRET')}"
    )
    with FigureWorkers(root=tmp_path, cache=tmp_path / ".diglot", jobs=1) as workers:
        script = Script(figure_id="peeks", path="figures/peeks.py")
        report = workers.compute(script, FigureRequest.of("peeks")).result()
    assert b'{"a":null,"b":"42"}' in report.result
    assert seen(report.observed)["env", "DIGLOT_TEST_SECRET"] == digest_of(b"42")


def test_python_and_installed_packages_are_left_to_the_versions(workshop: Workshop):
    script = workshop.script(
        "libraries", "import csv, decimal, numpy.linalg, matplotlib.tri, zoneinfo\ndef compute(): return {}"
    )
    found = {name for (_, name), digest in seen(workshop.report(script).observed).items() if digest != ABSENT}
    assert found == {"figures/libraries.py"}


def test_an_installed_package_that_not_every_figure_uses_is_observed_by_its_metadata(workshop: Workshop):
    script = workshop.script(
        "uses_package", "import iniconfig\ndef compute(): return {'a': iniconfig.__name__}"
    )
    names = {name for (_, name), digest in seen(workshop.report(script).observed).items() if digest != ABSENT}
    (metadata,) = names - {"figures/uses_package.py", ""}  # the folders of packages have no name
    assert Path(metadata).parent.name.lower().startswith("iniconfig-")
    assert Path(metadata).name == "METADATA"
    assert workshop.compute(script).provenance == ()


def test_a_failure_keeps_what_was_looked_at(workshop: Workshop):
    script = workshop.script("fails_late", "def compute():\n    open('figures/fails_lat.csv')")
    failed = workshop.failure(script)
    assert only(failed).fix == (
        'did you mean "figures/fails_late.py"? Paths in a script are relative to the project\'s root.'
    )
    assert {("file", "figures/fails_late.py"), ("file", "figures/fails_lat.csv")} <= set(
        seen(failed.observed)
    )


def test_drawing_observes_too(workshop: Workshop):
    workshop.write("figures/labels.txt", "label")
    script = workshop.drawing("draw_reads", "figure.text_px(0, 20, open('figures/labels.txt').read())")
    assert ("file", "figures/labels.txt") in seen(workshop.draw_report(script).observed)


def test_the_hardware_library_is_observed_at_its_real_place(tmp_path: Path):
    """Uses a copy of this package, with one module more."""
    copy = tmp_path / "lib"
    package = Path(diglot.__file__).parent
    shutil.copytree(package, copy / "diglot", ignore=shutil.ignore_patterns("__pycache__"))
    hardware = copy / "diglot/hardware"
    (hardware / "peaks.py").write_text(
        "from pathlib import Path\n"
        "def read_peak():\n    return float((Path(__file__).parent / 'peaks.csv').read_text())\n"
    )
    (hardware / "peaks.csv").write_text("989")
    project = tmp_path / "project"
    (project / "figures").mkdir(parents=True)
    (project / "figures/uses.py").write_text(
        TITLE
        + "def compute():\n    from diglot.hardware.peaks import read_peak\n    return {'peak': read_peak()}"
    )
    code = (
        "from pathlib import Path; from diglot.figures.execution.workers import *; import msgspec\n"
        "with FigureWorkers(root=Path(), cache=Path('.diglot'), jobs=1) as workers:\n"
        "    script = Script(figure_id='uses', path='figures/uses.py')\n"
        "    report = workers.compute(script, FigureRequest.of('uses')).result()\n"
        "    print(*[o.name for o in report.observed])\n"
        "    print(*msgspec.msgpack.decode(report.result, type=ComputedFigure).provenance)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=project,
        env={"PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        check=True,
    )
    files, provenance = done.stdout.splitlines()
    assert {str(hardware / name) for name in ("__init__.py", "peaks.py", "peaks.csv")} <= set(files.split())
    assert provenance == "diglot/hardware/peaks.csv"


def test_a_script_depends_on_the_modules_of_the_hardware_library_that_it_uses_and_on_no_others(
    workshop: Workshop,
):
    script = workshop.script(
        "door",
        "from diglot.hardware import count_gemm\ndef compute(): return {'a': count_gemm(1, 1, 1).flops}",
    )
    observed = seen(workshop.report(script).observed)
    names = {name for (kind, name), digest in observed.items() if kind == "file" and digest != ABSENT}
    hardware = Path(diglot.__file__).parent / "hardware"
    used = ("__init__.py", "kernels/__init__.py", "kernels/kernel.py", "dtypes.py", "sizes.py")
    assert names - {"figures/door.py"} == {str(hardware / name) for name in used}


LIBRARY = """\
import sys

DATASET = f"{__name__}:digest_rows"
ROWS = {"a": "1", "b": "2"}


def digest_rows():
    return ROWS


def read(name, broken=False):
    sys.audit("diglot.dataset.begin", DATASET)
    with open("figures/rows.txt") as file:
        file.read()
    if broken:
        raise ValueError("broken")
    sys.audit("diglot.dataset.end", DATASET)
    sys.audit("diglot.dataset.row", DATASET, name, ROWS.get(name, ""), ("figures/rows.txt",))
"""


class TestDatasets:
    """Rows of datasets that a library reports instead of the files it reads."""

    @pytest.fixture(autouse=True)
    def library(self, workshop: Workshop) -> None:
        workshop.write("figures/_rows.py", LIBRARY)
        workshop.write("figures/rows.txt", "rows")

    def observed(self, workshop: Workshop, name: str, body: str) -> set[tuple[str, str]]:
        script = workshop.script(name, f"import _rows\ndef compute():\n    {body}\n    return {{}}")
        observed = seen(workshop.report(script).observed)
        return {key for key in observed if observed[key] != ABSENT} - {("file", f"figures/{name}.py")}

    CODE = ("file", "figures/_rows.py")
    FILE = ("file", "figures/rows.txt")
    ROW = ("row", "_rows:digest_rows#a")

    def test_rows_stand_for_the_files_that_they_were_read_from(self, workshop: Workshop):
        assert self.observed(workshop, "rows", "_rows.read('a')") == {self.CODE, self.ROW}

    def test_the_files_of_rows_are_where_the_data_came_from(self, workshop: Workshop):
        script = workshop.script(
            "sources", "import _rows\ndef compute():\n    _rows.read('a')\n    return {}"
        )
        assert workshop.compute(script).provenance == ("figures/rows.txt",)

    def test_the_digest_of_a_row_is_that_of_the_dataset_when_it_is_read_again(self, workshop: Workshop):
        script = workshop.script("again", "import _rows\ndef compute():\n    _rows.read('a')\n    return {}")
        told = seen(workshop.report(script).observed)[self.ROW]
        kept = json.loads(workshop.workers.read_dataset("_rows:digest_rows").result().result)
        assert digest_of(kept["a"].encode()) == told

    def test_a_file_that_the_script_reads_itself_counts_as_well(self, workshop: Workshop):
        body = "_rows.read('a'); open('figures/rows.txt')"
        assert self.observed(workshop, "itself", body) == {self.CODE, self.ROW, self.FILE}

    def test_of_what_could_not_be_read_the_files_count(self, workshop: Workshop):
        body = "try: _rows.read('a', broken=True)\n    except ValueError: pass\n    _rows.read('a')"
        assert self.observed(workshop, "fails", body) == {self.CODE, self.ROW, self.FILE}

    def test_what_another_thread_reads_meanwhile_counts(self, workshop: Workshop):
        body = (
            "import sys, threading; sys.audit('diglot.dataset.begin', _rows.DATASET)\n"
            "    thread = threading.Thread(target=open, args=['figures/rows.txt'])\n"
            "    thread.start(); thread.join()\n"
            "    sys.audit('diglot.dataset.end', _rows.DATASET); _rows.read('a')"
        )
        assert self.observed(workshop, "threads", body) == {self.CODE, self.ROW, self.FILE}

    def test_code_that_is_loaded_meanwhile_counts(self, workshop: Workshop):
        workshop.write("figures/_late.py", "")
        body = (
            "import sys; sys.audit('diglot.dataset.begin', _rows.DATASET); import _late\n"
            "    sys.audit('diglot.dataset.end', _rows.DATASET); _rows.read('a')"
        )
        assert ("file", "figures/_late.py") in self.observed(workshop, "late", body)

    def test_where_all_rows_are_read_the_files_count(self, workshop: Workshop):
        """Rows that the library reports meanwhile do not count: else they would depend on themselves."""
        workshop.write(
            "figures/_all.py", "import _rows\ndef digests():\n    _rows.read('a')\n    return _rows.ROWS"
        )
        report = workshop.workers.read_dataset("_all:digests").result()
        assert self.FILE in seen(report.observed)
        assert self.ROW not in seen(report.observed)

    def test_a_dataset_that_nobody_could_read_later_is_refused(self, workshop: Workshop):
        script = workshop.script(
            "misnamed", "import _rows\n_rows.DATASET = '_rows:digests'\ndef compute(): return _rows.read('a')"
        )
        assert 'there is no such function: "_rows:digests"' in only(workshop.failure(script)).message


def test_compiled_modules_are_no_part_of_a_listing(workshop: Workshop) -> None:
    folder = workshop.root / "figures/listed"
    (folder / "__pycache__").mkdir(parents=True)
    (folder / "a.csv").touch()
    script = workshop.script(
        "listing",
        TITLE + "import os\n"
        "def compute():\n"
        '    scanned = [one.name for one in os.scandir("figures/listed")]\n'
        '    return {"listed": os.listdir("figures/listed"), "scanned": scanned}\n',
    )
    assert seen(workshop.report(script).observed)["listing", "figures/listed"] == digest_of_names(["a.csv"])
    assert json.loads(workshop.compute(script).data) == {"listed": ["a.csv"], "scanned": ["a.csv"]}
