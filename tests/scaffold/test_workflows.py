"""The workflow files of a new site: their commands work in a project with nothing but an installed diglot."""

import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.scaffold.hosts import run

WORKFLOWS = files("diglot.scaffold") / "workflows"
GITHUB: dict[Any, Any] = yaml.safe_load((WORKFLOWS / "github.yml").read_text("utf-8"))
GITLAB: dict[Any, Any] = yaml.safe_load((WORKFLOWS / "gitlab.yml").read_text("utf-8"))


def github_commands() -> list[str]:
    """The shell steps of GitHub's workflow, in order."""
    return [step["run"] for job in GITHUB["jobs"].values() for step in job["steps"] if "run" in step]


def test_github_checks_and_builds_at_the_address_it_publishes_to(outside: Path) -> None:
    steps = [step for step in GITHUB["jobs"]["build"]["steps"] if step.get("run", "").startswith("diglot")]
    assert {step["env"]["DIGLOT_BASE_URL"] for step in steps} == {"${{ steps.pages.outputs.base_url }}"}
    run(github_commands(), outside, DIGLOT_BASE_URL="https://ada.github.io/blog")
    assert 'href="/blog/zh/posts/hello/"' in (outside / "public/en/posts/hello/index.html").read_text("utf-8")


def test_github_builds_a_pull_request_which_has_no_address(outside: Path) -> None:
    run(github_commands(), outside, DIGLOT_BASE_URL="")
    assert 'href="/zh/posts/hello/"' in (outside / "public/en/posts/hello/index.html").read_text("utf-8")


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
def test_gitlab_checks_and_builds(job: str, outside: Path) -> None:
    run(GITLAB[job]["script"], outside, DIGLOT_BASE_URL="https://ada.gitlab.io/blog")
    assert (outside / "public/404.html").is_file()


def test_gitlab_keeps_the_cache_and_publishes_the_output_at_its_address() -> None:
    assert GITLAB["cache"]["paths"] == [".diglot/", ".cache/pip/"]
    assert GITLAB["pages"]["artifacts"]["paths"] == ["public"]
    assert GITLAB["pages"]["variables"] == {"DIGLOT_BASE_URL": "$CI_PAGES_URL"}


ROOT = Path(__file__).parents[2]
USES = re.compile(r"uses: ([\w./-]+)@(\S+)(?: # (v\d[\d.]*))?")


def test_actions_are_pinned_by_commit_with_their_version_beside_it() -> None:
    texts = [
        path.read_text("utf-8")
        for pattern in ("src/diglot/scaffold/workflows/*.yml", "docs/**/*.md", "README.md")
        for path in ROOT.glob(pattern)
    ]
    found = {(name, commit, version) for text in texts for name, commit, version in USES.findall(text)}
    assert len(found) >= 8
    assert not [one for one in found if not re.fullmatch(r"[0-9a-f]{40}", one[1]) or not one[2]]
    assert len({name for name, _, _ in found}) == len(found), "an action has the same version everywhere"
