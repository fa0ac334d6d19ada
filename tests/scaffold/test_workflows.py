"""The workflow files of a new site: their commands work in a project with nothing but an installed diglot."""

import os
import stat
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.sites import environment, write_site

WORKFLOWS = files("diglot.scaffold") / "workflows"
GITHUB: dict[Any, Any] = yaml.safe_load((WORKFLOWS / "github.yml").read_text("utf-8"))
GITLAB: dict[Any, Any] = yaml.safe_load((WORKFLOWS / "gitlab.yml").read_text("utf-8"))


def github_commands() -> list[str]:
    """The shell steps of GitHub's workflow, in order."""
    return [step["run"] for job in GITHUB["jobs"].values() for step in job["steps"] if "run" in step]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A site outside of diglot's checkout, with `diglot` on the path, and a `pip` that installs nothing."""
    root = write_site(tmp_path / "blog")
    (root / "requirements.txt").write_text("diglot\n", "utf-8")
    for name, text in (
        ("diglot", f'#!/bin/sh\nexec {sys.executable} -m diglot "$@"\n'),
        ("pip", '#!/bin/sh\n[ "$*" = "install -r requirements.txt" ] && [ -f requirements.txt ]\n'),
    ):
        program = tmp_path / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(text, "utf-8")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return root


def run(commands: list[str], project: Path, **variables: str) -> None:
    """Run shell commands one after another, as a host does."""
    path = f"{project.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
    for command in commands:
        done = subprocess.run(
            ["bash", "-e", "-c", command],
            cwd=project,
            env=environment(PATH=path, CI="true", **variables),
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"


def test_github_checks_and_builds_at_the_address_it_publishes_to(project: Path) -> None:
    steps = [step for step in GITHUB["jobs"]["build"]["steps"] if step.get("run", "").startswith("diglot")]
    assert {step["env"]["DIGLOT_BASE_URL"] for step in steps} == {"${{ steps.pages.outputs.base_url }}"}
    run(github_commands(), project, DIGLOT_BASE_URL="https://ada.github.io/blog")
    assert 'href="/blog/zh/posts/hello/"' in (project / "public/en/posts/hello/index.html").read_text("utf-8")


def test_github_builds_a_pull_request_which_has_no_address(project: Path) -> None:
    run(github_commands(), project, DIGLOT_BASE_URL="")
    assert 'href="/zh/posts/hello/"' in (project / "public/en/posts/hello/index.html").read_text("utf-8")


def test_github_keeps_the_cache_and_publishes_the_output_of_other_events_than_pull_requests() -> None:
    steps = GITHUB["jobs"]["build"]["steps"]
    paths = {
        step["uses"].partition("@")[0]: step["with"]["path"]
        for step in steps
        if "path" in step.get("with", {})
    }
    assert paths == {"actions/cache": ".diglot", "actions/upload-pages-artifact": "public"}
    publishing = [step for step in steps if "pages" in step.get("uses", "")] + [GITHUB["jobs"]["publish"]]
    assert {one["if"] for one in publishing} == {"github.event_name != 'pull_request'"}


@pytest.mark.parametrize("job", ["check", "pages"])
def test_gitlab_checks_and_builds(job: str, project: Path) -> None:
    run(GITLAB[job]["script"], project, DIGLOT_BASE_URL="https://ada.gitlab.io/blog")
    assert (project / "public/404.html").is_file()


def test_gitlab_keeps_the_cache_and_publishes_the_output_at_its_address() -> None:
    assert GITLAB["cache"]["paths"] == [".diglot/", ".cache/pip/"]
    assert GITLAB["pages"]["artifacts"]["paths"] == ["public"]
    assert GITLAB["pages"]["variables"] == {"DIGLOT_BASE_URL": "$CI_PAGES_URL"}
