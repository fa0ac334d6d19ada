"""What is published on a package index: what the wheel and the sdist hold, and that they lead to the docs."""

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_string
from email.message import Message
from pathlib import Path

import pytest

from diglot import DOCS_URL, __version__
from tests.cli.sites import leave_two_states
from tests.waiting import HANG_S

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the sdist."""
    folder = tmp_path_factory.mktemp("packages")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--directory", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        timeout=HANG_S,
    )
    return folder


@pytest.fixture(scope="module")
def wheel(packages: Path) -> zipfile.ZipFile:
    (path,) = packages.glob("*.whl")
    return zipfile.ZipFile(path)


@pytest.fixture(scope="module")
def metadata(wheel: zipfile.ZipFile) -> Message:
    return message_from_string(wheel.read(f"diglot-{__version__}.dist-info/METADATA").decode())


def test_the_wheel_leads_to_its_home_docs_changes_and_issues(metadata: Message) -> None:
    urls = dict(entry.split(", ") for entry in metadata.get_all("Project-URL", []))
    assert urls.keys() == {"Homepage", "Documentation", "Changelog", "Issues"}
    assert urls["Documentation"] == DOCS_URL
    assert all(url.startswith(urls["Homepage"]) for url in urls.values())


def test_the_wheel_says_what_it_is(metadata: Message) -> None:
    assert metadata["License-Expression"] == "MIT AND OFL-1.1"
    classifiers = metadata.get_all("Classifier", [])
    lowest = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["requires-python"]
    versions = re.findall(r":: (3\.\d+)", " ".join(classifiers))
    assert f">={versions[0]}" == lowest
    assert {"Natural Language :: English", "Natural Language :: Chinese (Simplified)"} <= set(classifiers)


def test_the_wheel_has_the_theme_the_preview_and_the_files_of_new_sites(wheel: zipfile.ZipFile) -> None:
    names = set(wheel.namelist())
    here = {
        path.relative_to(ROOT / "src").as_posix()
        for path in (ROOT / "src/diglot").rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    theme = {
        f"diglot/theme/{path.relative_to(ROOT / 'templates').as_posix()}"
        for path in (ROOT / "templates").rglob("*")
        if path.is_file()
    }
    assert {"diglot/scaffold/workflows/github.yml", "diglot/theme/base.html"} <= here | theme <= names
    assert not [name for name in names if name.startswith(("tests/", "docs/", "content/"))]


def test_the_sdist_has_the_docs(packages: Path) -> None:
    (path,) = packages.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    docs = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*") if path.is_file()}
    assert docs | {"README.md", "CHANGELOG.md", "LICENSE"} <= names
    assert not [name for name in names if name.startswith(("tests/", "benchmarks/", ".diglot/", "public/"))]


def test_the_installed_wheel_makes_a_site_and_builds_it(packages: Path, tmp_path: Path) -> None:
    (wheel,) = packages.glob("*.whl")
    installing = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--compile"]
    subprocess.run(
        [*installing, "--target", str(tmp_path / "installed"), str(wheel)], check=True, timeout=240
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "installed")}

    def run(*words: str) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "diglot", *words],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=HANG_S,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr

    run("init", "blog", "--ci", "github")
    leave_two_states(tmp_path / "blog")
    run("-C", "blog", "build")
    assert (tmp_path / "blog/public/en/index.html").is_file()
    assert not list((tmp_path / "blog/figures").glob("__pycache__"))
