"""Installing, removing and changing packages makes the figures anew that looked for them, and no others.

All cases share an environment of their own, whose packages are made up, and two processes in it: one before
the packages change, and one after.
"""

# ruff: noqa: E501  (a table, whose lines are programs)

import json
import os
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import diglot
from diglot.figures.execution import executors
from tests.figures.conftest import Workshop
from tests.space import Space, ran, told

Edit = Callable[[Path], object]
"""Changes the environment, given the folder of its packages."""

_COMPUTES = """
import json, os, pathlib, sys
from diglot.figure_request import FigureRequest
from diglot.figures.execution.workers import FigureWorkers
from diglot.figures.observation.observer import digest_now
from diglot.figures.records import Observed, Script
from diglot.figures.scripts.failures import FigureFailed
root, earlier = pathlib.Path(sys.argv[1]), json.loads(sys.stdin.read())
found = {}
with FigureWorkers(root=root, cache=root / ".diglot", jobs=2, timeout_s=60) as workers:
    scripts = [Script(figure_id=path.stem, path=f"figures/{path.name}") for path in sorted(root.glob("figures/[a-z]*.py"))]
    for script, call in [(one, workers.compute(one, FigureRequest.of(one.figure_id))) for one in scripts]:
        try:
            report = call.result()
            result, observed = report.result.decode("latin-1"), report.observed
        except FigureFailed as failure:
            result, observed = str(failure.diagnostics[0].message), failure.observed
        kept = [(one.kind, one.name, one.digest) for one in observed]
        now = lambda all: [name for kind, name, digest in all if digest_now(kind, name, root) != digest]
        before = earlier.get(script.figure_id)
        found[script.figure_id] = [result, kept, now(kept), before and now(before[1])]
print(json.dumps(found))
"""


class Case(NamedTuple):
    name: str
    code: str
    """What stores its findings in `x`."""
    edit: Edit
    before: Edit = lambda _: None


def _install(module: str, version: str, *, value: int = 0, package: str = "") -> Edit:
    """Install a package with one module, as pip does: without the metadata of other versions."""

    def install(site: Path) -> None:
        name = package or module
        for old in site.glob(f"{name}-*.dist-info"):
            _remove(old)
        (site / module).mkdir(exist_ok=True)
        (site / module / "__init__.py").write_text(f"X = {value}\n")
        metadata = site / f"{name}-{version}.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        (metadata / "top_level.txt").write_text(f"{module}\n")

    return install


def _remove(folder: Path) -> None:
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()


def _uninstall(module: str, version: str) -> Edit:
    return lambda site: [_remove(site / module), _remove(site / f"{module}-{version}.dist-info")]


def _editable(module: str, value: int) -> Edit:
    """Install a package by a `.pth` file that leads to its source."""

    def install(site: Path) -> None:
        source = site.parent / f"source-of-{module}"
        source.mkdir()
        (source / f"{module}.py").write_text(f"X = {value}\n")
        (site / f"__editable__.{module}.pth").write_text(f"{source}\n")

    return install


def _file(name: str, text: str) -> Edit:
    return lambda site: (site / name).write_text(text)


_TRY = "try:\n    import {0}; x = {0}.X\nexcept ImportError: x = 0"

CASES = (
    Case("missing", "import one_a; x = one_a.X", _install("one_a", "1.0")),
    Case("missing_under_another_name", "import one_b; x = one_b.X", _install("one_b", "1.0", package="py-one-b")),
    Case("missing_file", "import one_c; x = one_c.X", _file("one_c.py", "X = 3\n")),
    Case("missing_part", "import one_d.part; x = 1", lambda s: (s / "one_d/part.py").write_text(""),
         lambda s: (s / "one_d").mkdir()),
    Case("missing_and_editable", "import one_e; x = one_e.X", _editable("one_e", 4)),
    Case("missing_in_a_helper", "from _helps import X; x = X", _install("one_f", "1.0", value=5)),
    Case("missing_in_a_library", "import two_a; x = two_a.X", _install("one_g", "1.0", value=6),
         lambda s: (_install("two_a", "1.0")(s), _file("two_a/__init__.py", _TRY.format("one_g").replace("x =", "X ="))(s))),
    Case("optional", _TRY.format("one_h"), _install("one_h", "1.0", value=7)),
    Case("optional_and_editable", _TRY.format("one_i"), _editable("one_i", 8)),
    Case("find_spec", "import importlib.util as u; x = u.find_spec('one_j') is None", _install("one_j", "1.0")),
    Case("find_spec_of_what_goes", "import importlib.util as u; x = u.find_spec('one_k') is None",
         _uninstall("one_k", "1.0"), _install("one_k", "1.0")),
    Case("newer", "import one_l; x = one_l.X", _install("one_l", "2.0", value=9), _install("one_l", "1.0")),
    Case("removed", _TRY.format("one_m"), _uninstall("one_m", "1.0"), _install("one_m", "1.0", value=1)),
    Case("version", "from importlib.metadata import version; x = version('one_n')",
         _install("one_n", "2.0"), _install("one_n", "1.0")),
    Case("no_version", "from importlib.metadata import version; x = version('one_o')", _install("one_o", "1.0")),
    Case("entry_points", "from importlib.metadata import entry_points as e; x = len(e(group='one'))",
         lambda s: (_install("one_p", "1.0")(s), _file("one_p-1.0.dist-info/entry_points.txt", "[one]\na = one_p:X\n")(s))),
    Case("import_module", "import importlib; x = importlib.import_module('one_q').X", _install("one_q", "1.0")),
    Case("beside", "import _beside; x = _beside.X", lambda s: (s.parents[3] / "site/figures/_beside.py").write_text("X = 1\n")),
)  # fmt: skip
UNMOVED = {
    "plain": "import json; x = 1",
    "numpy_alone": "import numpy; x = 1",
    "another": "import two_b; x = two_b.X",
}
"""Scripts that look for nothing that changes."""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], dict[str, Any]]:
    """What all scripts found before and after all packages changed."""
    root = tmp_path_factory.mktemp("environment")
    site = _environment(root)
    (root / "site/figures").mkdir(parents=True)
    (root / "site/figures/_helps.py").write_text("import one_f\nX = one_f.X\n")
    _install("two_b", "1.0")(site)
    scripts = UNMOVED | {case.name: case.code for case in CASES}
    for name, code in scripts.items():
        lines = "".join(f"    {line}\n" for line in code.splitlines())
        text = f'TITLE = {{"zh": "读", "en": "Read"}}\ndef compute():\n{lines}    return {{"x": x}}\n'
        (root / f"site/figures/{name}.py").write_text(text)
    for case in CASES:
        case.before(site)
    before = _run(root, {})
    for case in CASES:
        case.edit(site)
    return before, _run(root, before)


def _environment(root: Path) -> Path:
    """A virtual environment that has this one's packages, too. Returns the folder of its own."""
    venv.create(root / "env", symlinks=True)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    site = root / "env/lib" / version / "site-packages"
    source = Path(diglot.__file__).parents[1]
    (site / "these.pth").write_text(f"{source}\n{sysconfig.get_paths()['purelib']}\n")
    return site


def _run(root: Path, earlier: dict[str, Any]) -> dict[str, Any]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [root / "env/bin/python", "-c", _COMPUTES, root / "site"]
    ran = subprocess.run(
        command, input=json.dumps(earlier), capture_output=True, text=True, check=False, env=environment
    )
    assert ran.returncode == 0, ran.stderr
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_change_of_packages_is_noticed_by_who_looked_for_them(
    results: tuple[dict[str, Any], dict[str, Any]], case: Case
) -> None:
    before, after = results
    assert before[case.name][2] == [], "is out of date at once"
    assert after[case.name][0] != before[case.name][0], "the change changes nothing"
    assert after[case.name][3], "not noticed"


def test_another_environment_is_noticed_by_who_looked_for_packages(
    space: Space, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    title = 'TITLE = {"zh": "读", "en": "Read"}\n'
    space.write(
        "figures/looks.py", f"import iniconfig\n{title}def compute(): return {{'x': iniconfig.__name__}}\n"
    )
    space.write("figures/plain.py", f"{title}def compute(): return {{'x': 1}}\n")
    space.post("a", zh="{eval}`looks.x`{eval}`plain.x`", en=None, only="zh")
    assert told(space.build()) == ""
    assert ran(space.build()) == []
    monkeypatch.syspath_prepend(tmp_path / "site-packages")
    assert [task for task in ran(space.build()) if task.startswith("data ")] == ["data looks"]


def test_a_package_that_python_finds_by_a_path_file_is_there_for_workers_that_run(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    script = workshop.script("path_file", "import os\ndef compute(): return {'pid': os.getppid()}")
    before, again = workshop.compute(script).data, workshop.compute(script).data
    monkeypatch.setattr(executors, "path_files", lambda: (("x.pth", 1),))
    assert before == again != workshop.compute(script).data


@pytest.mark.parametrize("name", UNMOVED)
def test_a_change_of_packages_leaves_others_alone(
    results: tuple[dict[str, Any], dict[str, Any]], name: str
) -> None:
    assert results[1][name][3] == []
