"""`docs/publishing.md` is true: its workflows are those of new sites, and its commands work."""

import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from diglot.cli.parsing import parse_arguments
from diglot.project import Deployment, load_project
from diglot.rules.provenance import ValueChain
from tests.docs.pages import DOCS, code, examples, fields_of, rows, section
from tests.scaffold.hosts import run, site_outside

PUBLISHING = (DOCS / "publishing.md").read_text("utf-8")


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A site outside of diglot's checkout."""
    return site_outside(tmp_path)


def test_every_field_of_an_explained_value_is_described() -> None:
    table = rows(section(PUBLISHING, "### For programs"))
    described = [name for row in table for name in code(row[0])]
    assert sorted(described) == sorted(fields_of(ValueChain))


@pytest.mark.parametrize(
    ("heading", "name"), [("### GitHub Pages", "github"), ("### GitLab Pages", "gitlab")]
)
def test_a_workflow_is_the_one_that_new_sites_get(heading: str, name: str) -> None:
    (example,) = examples(section(PUBLISHING, heading), "yaml")
    assert example.text == (files("diglot.scaffold") / f"workflows/{name}.yml").read_text("utf-8")


def test_cloudflare_builds_with_these_commands(outside: Path) -> None:
    described = section(PUBLISHING, "### Cloudflare Pages")
    settings = {row[0]: code(row[1])[0] for row in rows(described)}
    run([settings["Build command"]], outside)
    assert (outside / settings["Build output directory"] / "index.html").is_file()
    (example,) = examples(described, "sh")
    run([example.text], outside, CF_PAGES_BRANCH="draft", CF_PAGES_URL="https://draft.blog.pages.dev")
    assert "https://draft.blog.pages.dev/" in (outside / "public/robots.txt").read_text("utf-8")
    run([example.text], outside, CF_PAGES_BRANCH="main", CF_PAGES_URL="https://1234.blog.pages.dev")
    assert "https://example.org/" in (outside / "public/robots.txt").read_text("utf-8")


def test_netlify_builds_with_these_commands(outside: Path) -> None:
    (example,) = examples(section(PUBLISHING, "### Netlify"), "toml")
    settings = tomllib.loads(example.text)
    run([settings["build"]["command"]], outside)
    assert (outside / settings["build"]["publish"] / "404.html").is_file()
    run(
        [settings["context"]["deploy-preview"]["command"]],
        outside,
        DEPLOY_PRIME_URL="https://pr-7--blog.netlify.app",
    )
    assert "https://pr-7--blog.netlify.app/" in (outside / "public/robots.txt").read_text("utf-8")


def test_the_commands_of_deploy_parse() -> None:
    for example in examples(section(PUBLISHING, "## diglot deploy"), "sh"):
        for line in example.text.splitlines():
            program, *words = line.split()
            assert program == "diglot"
            assert parse_arguments(words).command == "deploy"


def test_the_keys_of_deploy_are_those_of_the_configuration() -> None:
    described = section(PUBLISHING, "## diglot deploy")
    (example,) = examples(described, "yaml")
    project = load_project(f"title: x\nbase_url: https://example.org/\n{example.text}", "site.yaml")
    assert project.deploy == Deployment(cname="example.org")
    assert {code(row[0])[0] for row in rows(described)} == set(Deployment.__struct_fields__)
