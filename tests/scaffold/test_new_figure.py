"""`diglot new figure`: scripts that already compute and draw, in every size and both languages."""

import ast
import json
import re
from pathlib import Path

import pytest

from diglot.cli import creating
from diglot.scaffold.figures import KINDS
from tests.scaffold.conftest import Run
from tests.space import Space, outputs, told


@pytest.fixture
def blog(space: Space, run: Run, monkeypatch: pytest.MonkeyPatch) -> Space:
    """A site in whose folder commands run."""
    monkeypatch.chdir(space.root)
    return space


def test_the_kinds_of_the_command_are_those_there_are() -> None:
    assert creating.FIGURES == KINDS
    folder = Path(creating.__file__).parents[2] / "scaffold/templates/figures"
    scripts = {path.stem: path.read_text("utf-8") for path in folder.glob("*.py")}
    assert sorted(scripts) == sorted(KINDS)
    for script in scripts.values():
        functions = [node for node in ast.parse(script).body if isinstance(node, ast.FunctionDef)]
        short = [node for node in functions if node.name in ("compute", "draw")]
        assert sum((node.end_lineno or 0) - node.lineno for node in short) <= 15


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_figure_is_shown_without_a_warning(kind: str, blog: Space, run: Run) -> None:
    directive = "table" if kind == "table" else "figure"
    said = run("new", "figure", "peaks", "--kind", kind)
    assert said == (
        0,
        "figures/peaks.py\n",
        f"show it in both halves of an article:\n\n```{{{directive}}} peaks\nWhat readers see.\n```\n",
    )
    fence = re.sub(r"^.*\n\n", "", said.err)
    blog.post("shown", zh=f"文。\n\n{fence}", en=f"Text.\n\n{fence}")
    result = blog.build(strict=True)
    assert told(result) == ""
    pages = {language: blog.page(f"{language}/posts/shown") for language in ("zh", "en")}
    if kind == "table":
        assert all("<td" in page and "H200" in page for page in pages.values())
    else:
        assert all(page.count("<svg") >= 2 for page in pages.values())
        exported = run("figures", "export", "peaks", "--json")
        assert exported.code == 0, exported.err
        assert json.loads(exported.out)["diagnostics"] == []


def test_a_figure_may_belong_to_an_article(blog: Space, run: Run) -> None:
    blog.post("batch-size", zh="一。", en="One.")
    assert run("new", "figure", "decode_time", "--post", "batch-size", "--json").out == (
        '{\n  "ok": true,\n  "created": [\n    "content/posts/batch-size/figures/decode_time.py"\n  ]\n}\n'
    )
    blog.write(
        "content/posts/flat.en.md",
        "---\ntitle: F\ndate: 2026-01-01\nonly: en\n---\n\n```{figure} own\nC\n```\n",
    )
    assert run("new", "figure", "own.py", "--kind", "bars", "--post", "flat").out == (
        "content/posts/flat/figures/own.py\n"
    )
    assert told(blog.build(strict=True)) == ""


@pytest.mark.parametrize(
    ("words", "message", "fix"),
    [
        (["taken"], 'there is a figure "taken" already: figures/taken.py', "choose another name."),
        (
            ["fenced"],
            'there is a figure "fenced" already: content/posts/batch-size/zh.md',
            "choose another name.",
        ),
        (["Peak rates"], '"Peak rates" cannot be the name of a figure', 'use "peak_rates".'),
        (
            ["2nd"],
            '"2nd" cannot be the name of a figure',
            "use lower-case ASCII letters, digits and underscores, beginning with a letter.",
        ),
        (["x", "--post", "batchsize"], 'there is no article "batchsize"', 'did you mean "batch-size"?'),
    ],
)
def test_what_cannot_be_made_is_refused(
    words: list[str], message: str, fix: str, blog: Space, run: Run
) -> None:
    blog.write("figures/taken.py", "")
    blog.post("batch-size", zh="```{figure-script} fenced\n```", en="One.")
    before = outputs(blog.root)
    assert run("new", "figure", *words) == (2, "", f"diglot: {message}\n  fix: {fix}\n")
    assert outputs(blog.root) == before
