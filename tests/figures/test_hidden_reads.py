"""Where nobody may watch system calls, a library that reads files on its own needs a declaration."""

import json
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from diglot.figures.execution.fork_server_process import environment_of_workers
from diglot.figures.observation.native_code import may_read

_FORBIDS_WATCHING = """
import ctypes, platform, struct, sys
number, arch = {"x86_64": (317, 0xC000003E), "aarch64": (277, 0xC00000B7)}[platform.machine()]
steps = [(0x20, 0, 0, 0), (0x15, 0, 1, number), (0x06, 0, 0, 0x00050001), (0x06, 0, 0, 0x7FFF0000)]
program = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in steps))
system = ctypes.CDLL(None)
assert system.prctl(38, 1, 0, 0, 0) == 0
filter_ = ctypes.create_string_buffer(struct.pack("@HP", len(steps), ctypes.addressof(program)))
assert system.prctl(22, 2, filter_, 0, 0) == 0  # seccomp() is not permitted from now on
"""
_COMPUTES = """
import json, pathlib
from diglot.figure_request import FigureRequest
from diglot.figures.execution.workers import FigureWorkers
from diglot.figures.records import Script
from diglot.figures.scripts.failures import FigureFailed
root = pathlib.Path(sys.argv[1])
answers = []
with FigureWorkers(root=root, cache=root / ".diglot", jobs=2, timeout_s=60) as workers:
    names = json.loads(sys.argv[2])
    scripts = [Script(figure_id=name, path=f"figures/{name}.py") for name in names]
    for call in [workers.compute(script, FigureRequest.of(script.figure_id)) for script in scripts]:
        try:
            report = call.result()
            told, observed = report.warnings, report.observed
        except FigureFailed as failure:
            told, observed = failure.diagnostics, failure.observed
        answers.append([[str(one) for one in told], [one.name for one in observed]])
print(json.dumps(answers))
"""

_PARSE = "lxml.etree.parse('content/a.xml').getroot().text"


class Case(NamedTuple):
    name: str
    top: str
    compute: str
    says: str
    """What the only message says; empty for none."""
    observes: str = ""
    fix: str = ""


CASES = (
    Case(
        "loads",
        "import lxml.etree",
        "return {}",
        ':1: error[figure-hidden-reads]: figure "f0": "lxml" reads files',
    ),
    Case("loads_late", "", f"import lxml.etree; return {{'x': {_PARSE}}}", ":4: error[figure-hidden-reads]"),
    Case("by_a_helper", "import _helper", "return {}", "figures/_helper.py:1: error[figure-hidden-reads]"),
    Case(
        "names_the_path",
        "import lxml.etree",
        f"return {{'x': {_PARSE}}}",
        ":1: error[figure-hidden-reads]",
        fix='call `reads("content/a.xml")` first',
    ),
    Case(
        "declares",
        "import lxml.etree; from diglot.figures import reads",
        f"reads('content/a.xml'); return {{'x': {_PARSE}}}",
        "",
        observes="content/a.xml",
    ),
    Case(
        "declares_a_folder",
        "import lxml.etree; from diglot.figures import reads",
        f"reads('content'); return {{'x': {_PARSE}}}",
        "",
        observes="content/sub/b.xml",
    ),
    Case(
        "declares_a_pattern",
        "import lxml.etree; from diglot.figures import reads",
        f"reads('content/**/*.xml'); return {{'x': {_PARSE}}}",
        "",
        observes="content/sub/b.xml",
    ),
    Case("declares_nothing", "import lxml.etree; from diglot.figures import reads", "reads(); return {}", ""),
    Case(
        "declares_what_is_not_there",
        "import lxml.etree; from diglot.figures import reads",
        "reads('content/none.xml'); return {}",
        "error[figure-script]",
        observes="content/none.xml",
    ),
    Case(
        "may_read",
        "import nh3",
        "return {}",
        ':1: warning[figure-hidden-reads]: figure "f9": "nh3" may read files',
    ),
    Case("python_alone", "import json, sqlite3, numpy, PIL.Image, zipfile", "return {}", ""),
    Case("fails_anyway", "import lxml.etree", "return 1 / 0", "error[figure-script]"),
)


@pytest.mark.skipif(
    sys.platform != "linux", reason="elsewhere nobody may watch, and nothing has to be forbidden"
)
def test_a_library_that_nobody_may_watch_says_what_it_reads(tmp_path: Path) -> None:
    pytest.importorskip("lxml")
    (tmp_path / "figures").mkdir()
    (tmp_path / "content/sub").mkdir(parents=True)
    (tmp_path / "content/a.xml").write_text("<a>1</a>")
    (tmp_path / "content/sub/b.xml").write_text("<a>2</a>")
    (tmp_path / "figures/_helper.py").write_text("import lxml.etree\n")
    for number, case in enumerate(CASES):
        text = f'{case.top}\nTITLE = {{"zh": "读", "en": "Read"}}\ndef compute():\n    {case.compute}\n'
        (tmp_path / f"figures/f{number}.py").write_text(text)
    wrong = []
    for number, (case, (told, observed)) in enumerate(zip(CASES, _answers(tmp_path), strict=True)):
        is_right = len(told) == 1 and case.says in told[0] and case.fix in told[0] if case.says else not told
        if not is_right or (case.observes and case.observes not in observed):
            wrong.append(f"f{number} {case.name}: {told} {observed}")
    assert not wrong, "\n".join(wrong)


def _answers(root: Path) -> list[Any]:
    names = json.dumps([f"f{number}" for number in range(len(CASES))])
    code = textwrap.dedent(_FORBIDS_WATCHING + _COMPUTES)
    ran = subprocess.run(
        [sys.executable, "-c", code, root, names], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    answers: list[Any] = json.loads(ran.stdout)
    return answers


_LOADS = """
import json, sys
from diglot.figures.execution import fork_server
from diglot.figures.scripts.environment import seal
seal()
fork_server.make_alike(0)
fork_server.preload()
loaded = [(name, getattr(module, "__file__", None) or "") for name, module in sys.modules.items()]
print(json.dumps([(name, file) for name, file in loaded if file.endswith(".so")]))
"""


def test_what_every_worker_has_loaded_reads_no_file_on_its_own(tmp_path: Path) -> None:
    """Otherwise it would read in workers that are not watched."""
    environment = environment_of_workers(tmp_path)
    shown = subprocess.run(
        [sys.executable, "-P", "-c", _LOADS], capture_output=True, text=True, check=True, env=environment
    )
    compiled = json.loads(shown.stdout)
    assert [module for module, file in compiled if may_read(module, file)] == []
    assert "numpy._core._multiarray_umath" in [module for module, _ in compiled]
