"""The workflow files of a new site: their commands work in a project with nothing but an installed diglot."""

import re
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from diglot.cli.parsing import parse_arguments
from tests.scaffold.hosts import run

ROOT = Path(__file__).parents[2]
ACTION: dict[Any, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
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


def test_the_action_compares_pull_requests_and_deploys_others(outside: Path, tmp_path: Path) -> None:
    """Its steps as GitHub runs them: a pull request, which has no address, and then a push."""
    folder = tmp_path / "runner"
    folder.mkdir()
    comment = tmp_path / "bin/gh"
    comment.write_text('#!/bin/sh\necho "$*" > said; cat "$7" >> said\n', "utf-8")
    comment.chmod(0o755)
    author = "git -c user.name=Ada -c user.email=ada@ada.dev commit --quiet --all -m"
    more = {"GITHUB_STEP_SUMMARY": str(folder / "summary"), "RUNNER_TEMP": str(folder), "NUMBER": "7"}
    begin = "git init --quiet -b main; printf 'public/\\n.diglot/\\nsaid\\n' > .gitignore; git add --all"
    change = "sed -i 's/^title: .*/title: Changed/' content/posts/hello/en.md"
    run([f"{begin}; {author} one; {change}; {author} two"], outside)
    steps = {step["name"]: step["run"] for step in ACTION["runs"]["steps"] if "run" in step}
    assert list(steps) == ["Install", "Check", "Build", "Compare", "Deploy"]
    pull_request = [steps[name] for name in ("Install", "Check", "Build", "Compare")]
    run(pull_request, outside, DIGLOT_BASE_URL="", MAY_COMMENT="true", **more)
    assert 'href="/zh/posts/hello/"' in (outside / "public/en/posts/hello/index.html").read_text("utf-8")
    said = (outside / "said").read_text("utf-8")
    assert said.startswith("pr comment 7 --edit-last --create-if-none --body-file ")
    assert "Changed" in said
    assert said.endswith((folder / "summary").read_text("utf-8"))
    remote = (
        f"git init -q --bare {folder}/remote; git remote add origin {folder}/remote; git push -q origin main"
    )
    (environment,) = (step["env"] for step in ACTION["runs"]["steps"] if step.get("name") == "Deploy")
    run([remote, steps["Deploy"]], outside, **{**environment, "DIGLOT_BASE_URL": "https://ada.dev/"})
    run([f"git -C {folder}/remote cat-file -e gh-pages:en/posts/hello/index.html"], outside)


def test_hooks_and_the_image_name_what_is_there() -> None:
    for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")):
        program, command = hook["entry"].split()
        assert (program, parse_arguments([command]).command) == ("diglot", command)
    image = (ROOT / "Dockerfile").read_text("utf-8")
    extras = re.findall(r"/tmp/diglot\[([^]]+)\]", image)
    known = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert set(extras[0].split(",")) == set(known) - {"test", "fonts", "lsp"}, "an editor is elsewhere"
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines()[1:]}
    assert all((ROOT / path).exists() for path in kept)


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


def test_gitlab_checks_and_builds(outside: Path) -> None:
    assert GITLAB["check"]["script"] == GITLAB["pages"]["script"]
    run(GITLAB["pages"]["script"], outside, DIGLOT_BASE_URL="https://ada.gitlab.io/blog")
    assert (outside / "public/404.html").is_file()


def test_gitlab_keeps_the_cache_and_publishes_the_output_at_its_address() -> None:
    assert GITLAB["cache"]["paths"] == [".diglot/", ".cache/pip/"]
    assert GITLAB["pages"]["artifacts"]["paths"] == ["public"]
    assert GITLAB["pages"]["variables"] == {"DIGLOT_BASE_URL": "$CI_PAGES_URL"}


USES = re.compile(r"uses: ([\w./-]+)@(\S+)(?: # (v\d[\d.]*))?")


def test_actions_are_pinned_by_commit_with_their_version_beside_it() -> None:
    texts = [
        path.read_text("utf-8")
        for pattern in ("action.yml", "src/diglot/scaffold/workflows/*.yml", "docs/**/*.md", "README.md")
        for path in ROOT.glob(pattern)
    ]
    found = {(name, commit, version) for text in texts for name, commit, version in USES.findall(text)}
    assert len(found) >= 8
    assert not [one for one in found if not re.fullmatch(r"[0-9a-f]{40}", one[1]) or not one[2]]
    assert len({name for name, _, _ in found}) == len(found), "an action has the same version everywhere"
