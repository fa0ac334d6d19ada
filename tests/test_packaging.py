"""What is published on a package index: what the wheel and the sdist hold, and that they lead to the docs."""

import hashlib
import json
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
from packaging.requirements import Requirement

from diglot import DOCS_URL, __version__
from scripts.sbom import FONTS, bill_of_materials
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
        if path.is_file() and "__pycache__" not in path.parts
    }
    theme = {
        f"diglot/theme/{path.relative_to(ROOT / 'templates').as_posix()}"
        for path in (ROOT / "templates").rglob("*")
        if path.is_file()
    }
    assert {"diglot/scaffold/workflows/github.yml", "diglot/theme/base.html"} <= here | theme <= names
    assert not [name for name in names if name.startswith(("tests/", "docs/", "content/"))]


def test_the_wheel_says_what_of_others_is_in_it(wheel: zipfile.ZipFile) -> None:
    bill = json.loads(wheel.read(f"diglot-{__version__}.dist-info/sboms/diglot.cdx.json"))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert bill["metadata"]["component"]["version"] == __version__
    fonts = [one for one in bill["components"] if one["type"] == "data"]
    assert {one["licenses"][0]["license"]["id"] for one in fonts} == {"OFL-1.1"}
    digests = {file["name"]: file["hashes"][0]["content"] for font in fonts for file in font["components"]}
    bundled = {name for name in wheel.namelist() if name.endswith((".ttf", ".otf", ".woff", ".woff2"))}
    assert {name: hashlib.sha256(wheel.read(name)).hexdigest() for name in bundled} == digests
    licences = {name.rpartition("/")[2] for name in wheel.namelist()}
    assert all(one["description"].split()[-1].removesuffix(".") in licences for one in fonts)
    required = [one["properties"][0]["value"] for one in bill["components"] if one["type"] == "library"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert sorted(map(Requirement, required), key=str) == sorted(
        map(Requirement, project["dependencies"]), key=str
    )
    refs = [one["bom-ref"] for one in bill["components"]]
    assert bill["dependencies"][0]["dependsOn"] == refs
    assert len(set(refs)) == len(refs)


def test_a_font_that_no_entry_has_stops_the_build(tmp_path: Path) -> None:
    folder = tmp_path / "templates/static/fonts"
    folder.mkdir(parents=True)
    (folder / "other.woff2").write_bytes(b"font")
    with pytest.raises(ValueError, match="has diglot/theme/static/fonts/other"):
        bill_of_materials(tmp_path, version="1", dependencies=())


def test_fonts_are_those_that_they_are_made_from() -> None:
    made = (ROOT / "scripts/make_fonts.py").read_text("utf-8")
    assert re.findall('sha256="([0-9a-f]{64})"', made) == [font.sha256 for font in FONTS]
    assert re.findall('licence_as="([^"]+)"', made) == [font.licence_file for font in FONTS]
    packed = set(re.findall(r"@[\w-]+/[\w.-]+@[\d.]+\d", made))
    assert {f"@{font.package.partition('%40')[2]}" for font in FONTS} == packed


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
