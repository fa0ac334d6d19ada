"""`diglot new page`: a pair that is in no list."""

import pytest

from tests.scaffold.conftest import Run
from tests.space import Space, outputs, told


@pytest.fixture
def blog(space: Space, run: Run, monkeypatch: pytest.MonkeyPatch) -> Space:
    """A site with a page, in whose folder commands run."""
    monkeypatch.chdir(space.root)
    for language in ("zh", "en"):
        space.write(f"content/pages/projects/talks/{language}.md", "---\ntitle: Talks\n---\n\nText.\n")
    space.post("hello", zh="一。", en="One.")
    return space


def test_a_page_is_made_from_two_titles(blog: Space, run: Run) -> None:
    assert run("new", "page", "关于", "About") == (
        0,
        "content/pages/about/zh.md\ncontent/pages/about/en.md\n",
        "",
    )
    assert (blog.root / "content/pages/about/zh.md").read_text("utf-8") == "---\ntitle: 关于\n---\n\n"
    assert told(blog.build(strict=True)) == ""
    assert "<h1>About</h1>" in blog.page("en/about")


@pytest.mark.parametrize(
    ("words", "files"),
    [
        (
            ["报告", "Talks", "--slug", "projects/slides", "--flat", "--draft"],
            {
                "slides.en.md": "---\ntitle: Talks\n---\n\n",
                "slides.meta.yaml": "draft: true\n",
                "slides.zh.md": "---\ntitle: 报告\n---\n\n",
            },
        ),
        (
            ["Hello", "--only", "en", "--slug", "projects/hello"],
            {"hello/en.md": "---\ntitle: Hello\nonly: en\n---\n\n"},
        ),
    ],
)
def test_a_page_has_the_form_that_is_asked_for(
    words: list[str], files: dict[str, str], blog: Space, run: Run
) -> None:
    said = run("new", "page", *words)
    assert said.code == 0, said.err
    found = outputs(blog.root / "content/pages/projects")
    assert {path: text.decode() for path, text in found.items() if "talks" not in path} == files
    assert told(blog.build(strict=True, drafts=True)) == ""


@pytest.mark.parametrize(
    ("words", "message", "fix"),
    [
        (
            ["报告", "Talks", "--slug", "projects/talks"],
            'there is a page at "projects/talks" already: content/pages/projects/talks/zh.md',
            "choose another address with --slug.",
        ),
        (
            ["标签", "Tags"],
            'a page cannot have the address "tags": diglot uses it itself',
            "choose another address with --slug.",
        ),
        (
            ["对照", "Both", "--slug", "projects/both"],
            'a page cannot have the address "projects/both": diglot uses it itself',
            "choose another address with --slug.",
        ),
        (
            ["关于", "About", "--slug", "/Über uns/"],
            '"Über uns" cannot be an address',
            'use "uber-uns".',
        ),
        (
            ["About"],
            "the Chinese title is missing",
            "write both titles, or add `--only en` for one language only, or `--draft` to write the other "
            "half later.",
        ),
    ],
)
def test_what_cannot_be_made_is_refused(
    words: list[str], message: str, fix: str, blog: Space, run: Run
) -> None:
    before = outputs(blog.root)
    assert run("new", "page", *words) == (2, "", f"diglot: {message}\n  fix: {fix}\n")
    assert outputs(blog.root) == before
