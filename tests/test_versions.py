"""The bounds in pyproject.toml are held by runs of the tests, and CI's locked versions lie within them."""

import hashlib
import os
import re
import tomllib
import zipfile
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts import versions
from scripts.versions import locked_text, lowest_versions, with_hashes

ROOT = Path(__file__).parents[1]
PYPROJECT = (ROOT / "pyproject.toml").read_text("utf-8")
PROJECT = tomllib.loads(PYPROJECT)["project"]
REQUIREMENTS = [
    Requirement(text) for text in (*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["test"])
]
LOCKED = {
    canonicalize_name(name): pinned
    for name, pinned in re.findall(
        r"^([\w.-]+)==(\S+)$", (ROOT / ".ci/locked.txt").read_text("utf-8"), re.MULTILINE
    )
}
PRIVATE = {
    "jinja2": r"def _output_child_pre",
    "markdown-it-py": r"state\.delimiters\.append",
    "pygments": r"quick\._tokens",
    "matplotlib": r"rcParams\._set",
    "uvicorn": r"def handle_events",
}
"""Libraries of which the code uses private names."""


def named(requirement: Requirement) -> str:
    return requirement.name


@pytest.mark.parametrize("requirement", REQUIREMENTS, ids=named)
def test_a_locked_version_lies_within_the_bounds(requirement: Requirement) -> None:
    assert LOCKED[canonicalize_name(requirement.name)] in requirement.specifier


@pytest.mark.parametrize("requirement", REQUIREMENTS, ids=named)
def test_the_versions_at_work_lie_within_the_bounds(requirement: Requirement) -> None:
    assert version(requirement.name) in requirement.specifier


def test_every_library_has_a_lowest_version_that_is_tried() -> None:
    lowest = lowest_versions(PYPROJECT)
    assert lowest.keys() == {requirement.name for requirement in REQUIREMENTS}
    assert all(lowest[one.name] in one.specifier for one in REQUIREMENTS)
    with pytest.raises(ValueError, match="numpy has no lower bound"):
        lowest_versions('[project]\ndependencies = ["numpy"]\noptional-dependencies = {test = []}')


def test_a_library_has_an_upper_bound_where_its_private_names_are_used() -> None:
    code = "\n".join(path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py"))
    for name, use in PRIVATE.items():
        assert re.search(use, code), f"{use} is used no more"
        bounds = next(one for one in REQUIREMENTS if one.name == name).specifier
        assert any(bound.operator == "<" for bound in bounds), f"{name} has no upper bound"


def test_ci_runs_the_suite_with_locked_versions_and_a_part_of_it_with_the_lowest() -> None:
    script = (ROOT / ".ci/run").read_text("utf-8")
    assert re.search(r'cp \.ci/locked\.txt "(\S+)".*\nexport .*PIP_CONSTRAINT="\1/locked\.txt"', script)
    assert re.search(r"^  python scripts/versions\.py lowest .* tests/", script, re.MULTILINE)


def test_every_locked_version_has_the_digests_of_its_files() -> None:
    text = (ROOT / ".ci/locked.txt").read_text("utf-8")
    hashed = with_hashes(text)
    assert set(re.findall(r"^([\w.-]+==\S+)", hashed, re.MULTILINE)) == {
        line for line in text.splitlines() if "==" in line
    }
    assert not re.search(r"^(?!#)[^\n]*--hash", text, re.MULTILINE), "pip would verify the project itself"
    with pytest.raises(ValueError, match="without digests: b==2"):
        with_hashes("a==1\n#   --hash=sha256:00\nb==2\n")
    compiled = (
        "# by uv\na==1 \\\n    --hash=sha256:00 \\\n    --hash=sha256:11\nb==2 \\\n    --hash=sha256:22\n"
    )
    assert with_hashes(locked_text(compiled)) == compiled.partition("\n")[2]


def test_ci_installs_nothing_but_files_whose_digests_are_known() -> None:
    script = (ROOT / ".ci/run").read_text("utf-8")
    fetched = script.index('python scripts/versions.py fetch "$environment/files"')
    confined = script.index('export PIP_NO_INDEX=1 PIP_FIND_LINKS="$environment/files"')
    installed = [found.start() for found in re.finditer("^pip install", script, re.MULTILINE)]
    assert fetched < confined < installed[0] < installed[-1] < script.index("unset PIP_NO_INDEX")


@pytest.mark.skipif(find_spec("pip") is None, reason="this environment was made without pip")
def test_pip_verifies_what_it_fetches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "thing-1.0-py3-none-any.whl"
    with zipfile.ZipFile(tmp_path / name, "w") as wheel:
        wheel.writestr("thing-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: thing\nVersion: 1.0\n")
        wheel.writestr("thing-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr("thing-1.0.dist-info/RECORD", "")
    digest = hashlib.sha256((tmp_path / name).read_bytes()).hexdigest()
    locked = tmp_path / "locked.txt"
    monkeypatch.setattr(versions, "LOCKED", locked)
    monkeypatch.setattr(
        versions, "_variables", lambda: {**os.environ, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path)}
    )
    for known, is_right in ((digest, True), (64 * "0", False)):
        locked.write_text(f"thing==1.0\n#   --hash=sha256:{known}\n")
        folder = tmp_path / known
        assert (versions.fetch(folder) == 0) == is_right
        assert (folder / name).exists() == is_right


def test_the_metadata_names_the_licence_of_the_fonts() -> None:
    assert PROJECT["license"] == "MIT AND OFL-1.1"
    fonts = {path.name for path in (ROOT / "src").rglob("OFL-*.txt")}
    named = {path.name for pattern in PROJECT["license-files"] for path in ROOT.glob(pattern)}
    assert fonts < named
    assert "LICENSE" in named
