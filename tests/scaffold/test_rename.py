"""`diglot rename post`: files, links and addresses follow, and the old address redirects."""

import json
import re
from collections.abc import Callable

import pytest

from diglot.diagnostics import Refusal
from diglot.scaffold import renaming
from diglot.scaffold.yaml_edits import with_items, with_text
from tests.scaffold.conftest import Run
from tests.space import Space, outputs, told

LINKS = """\
See [a](/posts/roof/), [b](/posts/roof), [c](/zh/posts/roof/#roof-1 "the roof"), [d](../roof/zh.md#roof-1),
[e](../roof/), [f](/en/posts/roof/) and [g][roof]; not the roof, roof/ or /posts/roof/ itself, and not
[h](/posts/roofing/), [i](/) and [j](/zh/).

[roof]: /posts/roof/#roof-1

<a href="/posts/roof/">in HTML</a>

![stack](../roof/stack.svg)

```text
[code](/posts/roof/)
```

Inline `[code](/posts/roof/)`, and a note.[^1]

[^1]: See [the note](/posts/roof/).
"""
MENDED = """\
See [a](/posts/bend/), [b](/posts/bend), [c](/zh/posts/bend/#roof-1 "the roof"), [d](../bend/zh.md#roof-1),
[e](../bend/), [f](/en/posts/bend/) and [g][roof]; not the roof, roof/ or /posts/roof/ itself, and not
[h](/posts/roofing/), [i](/) and [j](/zh/).

[roof]: /posts/bend/#roof-1

<a href="/posts/bend/">in HTML</a>

![stack](../bend/stack.svg)

```text
[code](/posts/roof/)
```

Inline `[code](/posts/roof/)`, and a note.[^1]

[^1]: See [the note](/posts/bend/).
"""
HALF = """\
---
title: Roof # the title
---

## Roof {#roof}

See [myself](../roof/en.md), [again](/posts/roof/#roof) and [the other](../other/en.md). ![s](stack.svg)
"""
META = """\
# What both halves share.
date: 2026-11-01 # the day

tags:
  - roofline
"""
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'


@pytest.fixture
def blog(space: Space, run: Run, monkeypatch: pytest.MonkeyPatch) -> Space:
    """An article, and another one that links to it in every way, in the folder in which commands run."""
    monkeypatch.chdir(space.root)
    for language in ("zh", "en"):
        space.write(f"content/posts/roof/{language}.md", HALF)
    space.write("content/posts/roof/meta.yaml", META)
    space.write("content/posts/roof/stack.svg", SVG)
    space.post("other", zh=LINKS, en=LINKS)
    space.post("roofing", zh="一。", en="One.")
    navigation = (
        "navigation:\n  - {label: Home, path: /}\n  - label: Roof\n    path: /posts/roof/ # the best\n"
    )
    space.write("site/site.yaml", (space.root / "site/site.yaml").read_text("utf-8") + navigation)
    return space


def read(blog: Space, path: str) -> str:
    return (blog.root / path).read_text("utf-8")


def test_files_links_navigation_and_address_follow(blog: Space, run: Run) -> None:
    assert told(blog.build(strict=True)) == ""
    before = outputs(blog.root / "content")
    said = run("rename", "post", "roof", "bend")
    assert said == (
        0,
        "content/posts/roof -> content/posts/bend\n"
        "content/posts/other/en.md: 10 links\ncontent/posts/other/zh.md: 10 links\n"
        "content/posts/roof/en.md: 2 links\n"
        "content/posts/roof/meta.yaml: alias /zh/posts/roof/, alias /en/posts/roof/\n"
        "content/posts/roof/zh.md: 2 links\nsite/site.yaml: navigation\n",
        "",
    )
    after = outputs(blog.root / "content")
    assert set(after) == {path.replace("/roof/", "/bend/") for path in before}
    for language in ("zh", "en"):
        other = f"posts/other/{language}.md"
        assert after[other].decode() == before[other].decode().replace(LINKS, MENDED)
        half = HALF.replace("../roof/en.md", "../bend/en.md").replace("/posts/roof/#", "/posts/bend/#")
        assert after[f"posts/bend/{language}.md"].decode() == half
    assert after["posts/bend/meta.yaml"].decode() == f"{META}aliases: [/zh/posts/roof/, /en/posts/roof/]\n"
    assert "    path: /posts/bend/ # the best\n" in (blog.root / "site/site.yaml").read_text("utf-8")
    assert told(blog.build(strict=True)) == ""
    for language in ("zh", "en"):
        assert f'<a href="/{language}/posts/bend/">' in blog.page(f"{language}/posts/roof")
    assert run("check", "--strict").code == 0


def test_a_talk_about_it_follows(blog: Space, run: Run) -> None:
    for language in ("zh", "en"):
        blog.write(f"content/talks/roof/{language}.md", "---\ntitle: A talk\n---\n\n## A slide\n")
    blog.write("content/talks/roof/meta.yaml", "# Given twice.\narticle: roof # the best\n")
    assert "content/talks/roof/meta.yaml: article\n" in run("rename", "post", "roof", "bend").out
    assert read(blog, "content/talks/roof/meta.yaml") == "# Given twice.\narticle: bend # the best\n"


def test_there_and_back_again(blog: Space, run: Run) -> None:
    run("rename", "post", "roof", "bend")
    once = outputs(blog.root / "content")
    run("rename", "post", "bend", "roof")
    assert (blog.root / "content/posts/roof/meta.yaml").read_text("utf-8") == (
        f"{META}aliases: [/zh/posts/bend/, /en/posts/bend/]\n"
    )
    assert told(blog.build(strict=True)) == ""
    run("rename", "post", "roof", "bend")
    assert outputs(blog.root / "content") == once


def test_a_dry_run_says_the_same_and_changes_nothing(blog: Space, run: Run) -> None:
    before = outputs(blog.root)
    said = run("rename", "post", "roof", "bend", "--dry-run")
    assert outputs(blog.root) == before
    assert said.err == "nothing was changed (--dry-run)\n"
    assert said.out == run("rename", "post", "roof", "bend").out


def test_json_names_what_moved_and_changed(blog: Space, run: Run) -> None:
    report = json.loads(run("rename", "post", "roof", "bend", "--json").out)
    assert report["moved"] == {"content/posts/roof": "content/posts/bend"}
    assert "content/posts/other/zh.md" in report["changed"]
    assert (report["ok"], report["left"]) == (True, [])


FLAT = "---\ntitle: Roof\n{more}---\n\nText, [myself](roof.en.md).\n"


def test_a_flat_article_moves_file_by_file(blog: Space, run: Run) -> None:
    blog.remove("content/posts/roof")
    for language in ("zh", "en"):
        blog.write(f"content/posts/roof.{language}.md", FLAT.format(more=""))
    blog.write("content/posts/roof.meta.yaml", "date: 2026-11-01\naliases:\n  - /old/ # older\n\n# end\n")
    blog.write("content/posts/roof.sync.txt", "diglot sync 1\n")
    blog.write("content/posts/roof/figures/roof.py", "")
    blog.remove("content/posts/other")
    blog.post("other", zh="[a](../roof.zh.md), [b](../roof/)", en="[a](../roof.en.md)")
    run("rename", "post", "roof", "bend")
    paths = [path for path in outputs(blog.root / "content/posts") if "bend" in path or "roof." in path]
    halves = ["bend.en.md", "bend.meta.yaml", "bend.sync.txt", "bend.zh.md"]
    assert paths == ["bend/figures/roof.py", *halves]
    assert "[a](../bend.zh.md), [b](../bend/)" in (blog.root / "content/posts/other/zh.md").read_text("utf-8")
    assert "[myself](bend.en.md)" in (blog.root / "content/posts/bend.zh.md").read_text("utf-8")
    assert (blog.root / "content/posts/bend.meta.yaml").read_text("utf-8") == (
        "date: 2026-11-01\naliases:\n  - /old/ # older\n  - /zh/posts/roof/\n  - /en/posts/roof/\n\n# end\n"
    )
    blog.remove("content/posts/bend")
    assert told(blog.build(strict=True)) == ""


def test_without_a_shared_file_each_half_keeps_its_own_old_address(blog: Space, run: Run) -> None:
    blog.remove("content/posts/roof/meta.yaml")
    for language in ("zh", "en"):
        text = HALF.replace("title: Roof # the title", "title: Roof\ndate: 2026-11-01")
        blog.write(f"content/posts/roof/{language}.md", text.replace("\n", "\r\n").encode())
    run("rename", "post", "roof", "bend")
    for language in ("zh", "en"):
        text = (blog.root / f"content/posts/bend/{language}.md").read_bytes().decode()
        assert f"date: 2026-11-01\r\naliases: [/{language}/posts/roof/]\r\n---\r\n" in text
        assert "\n" not in text.replace("\r\n", "")
    assert told(blog.build(strict=True)) == ""


def test_a_slug_is_renamed_where_it_stands(blog: Space, run: Run) -> None:
    blog.write("content/posts/roof/meta.yaml", f"{META}slug: 'where' # for ever\n")
    blog.change("site/site.yaml", "/posts/roof/", "/posts/where/")
    blog.remove("content/posts/other")
    blog.post("other", zh="[a](/posts/where/), [b](../roof/zh.md)", en="[a](/posts/where/)")
    for language in ("zh", "en"):
        blog.change(f"content/posts/roof/{language}.md", "[again](/posts/roof/#roof)", "again")
    run("rename", "post", "where", "bend")
    assert (blog.root / "content/posts/roof/meta.yaml").read_text("utf-8") == (
        f"{META}slug: bend # for ever\naliases: [/zh/posts/where/, /en/posts/where/]\n"
    )
    assert "[a](/posts/bend/), [b](../roof/zh.md)" in (blog.root / "content/posts/other/zh.md").read_text(
        "utf-8"
    )
    assert told(blog.build(strict=True)) == ""
    # The name of the folder is no address here: only the folder moves.
    assert (
        run("rename", "post", "roof", "moved").out.splitlines()[0]
        == "content/posts/roof -> content/posts/moved"
    )
    assert "/posts/roof/" not in (blog.root / "content/posts/moved/meta.yaml").read_text("utf-8")
    assert "[b](../moved/zh.md)" in (blog.root / "content/posts/other/zh.md").read_text("utf-8")
    assert told(blog.build(strict=True)) == ""


def test_an_article_in_a_folder_for_each_language_moves_in_both(blog: Space, run: Run) -> None:
    blog.remove("content/posts/roof")
    blog.remove("content/posts/other")
    for language in ("zh", "en"):
        blog.write(f"content/{language}/posts/roof.md", "---\ntitle: R\ndate: 2026-11-01\n---\n\nText.\n")
    blog.post("other", zh="[a](../../zh/posts/roof.md)", en="[a](../../en/posts/roof.md)")
    said = run("rename", "post", "roof", "bend")
    assert "content/zh/posts/roof.md -> content/zh/posts/bend.md\n" in said.out
    assert "[a](../../en/posts/bend.md)" in (blog.root / "content/posts/other/en.md").read_text("utf-8")
    assert told(blog.build(strict=True)) == ""


@pytest.mark.parametrize(
    ("words", "message", "fix"),
    [
        (["rof", "bend"], 'there is no article "rof"', 'did you mean "roof"?'),
        (
            ["roof", "other"],
            'there is an article at "other" already: content/posts/other/zh.md',
            "choose another name.",
        ),
        (
            ["roof", "roof"],
            'there is an article at "roof" already: content/posts/roof/zh.md',
            "choose another name.",
        ),
        (["roof", "Where it bends"], '"Where it bends" cannot be an address', 'use "where-it-bends".'),
        (["roof", "pictures"], "content/posts/pictures already exists", "move it away first."),
        (
            ["bad", "good"],
            "content/posts/bad/en.md has no front matter",
            "run `diglot check`, and correct it first.",
        ),
        (
            ["odd", "good"],
            "`aliases` in content/posts/odd/meta.yaml is written in a way that cannot be changed here",
            "simplify it first.",
        ),
    ],
)
def test_what_cannot_be_renamed_stays_as_it_is(
    words: list[str], message: str, fix: str, blog: Space, run: Run
) -> None:
    blog.write("content/posts/pictures/a.txt", "")
    blog.post("bad", zh="一。", en="One.")
    blog.write("content/posts/bad/en.md", "Text.")
    blog.write("content/posts/bad/meta.yaml", "date: 2026-01-01")
    blog.post("odd", zh="一。", en="One.")
    blog.write("content/posts/odd/meta.yaml", "{date: 2026-11-01}\n")
    before = outputs(blog.root)
    assert run("rename", "post", *words) == (2, "", f"diglot: {message}\n  fix: {fix}\n")
    assert outputs(blog.root) == before


@pytest.mark.parametrize("step", ["replace_text", "rename"])
def test_a_renaming_that_is_interrupted_is_undone(
    step: str, blog: Space, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = outputs(blog.root)
    calls = 0

    def interrupted(real: Callable[..., None]) -> Callable[..., None]:
        def call(*arguments: object) -> None:
            nonlocal calls
            calls += 1
            real(*arguments)
            if calls == (3 if step == "replace_text" else 1):
                raise KeyboardInterrupt

        return call

    owner = renaming if step == "replace_text" else renaming.os
    with monkeypatch.context() as patched:
        patched.setattr(owner, step, interrupted(getattr(owner, step)))
        assert run("rename", "post", "roof", "bend").code == 130
    assert outputs(blog.root) == before


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "aliases: [/a/]\n"),
        ("# nothing\n", "# nothing\naliases: [/a/]\n"),
        ("date: 2026-01-01", "date: 2026-01-01\naliases: [/a/]\n"),
        ("aliases: [] # none\n", "aliases: [/a/] # none\n"),
        ("aliases:\ndraft: true\n", "aliases: [/a/]\ndraft: true\n"),
        ("aliases: /b/ # one\n", "aliases: [/b/, /a/] # one\n"),
        ('aliases: ["/b/", /c/,] # two\n', 'aliases: ["/b/", /c/, /a/,] # two\n'),
        (
            "aliases: [\n  /b/, # one\n  /c/ # two\n]\nx: 1\n",
            "aliases: [\n  /b/, # one\n  /c/, /a/ # two\n]\nx: 1\n",
        ),
        ("aliases:\n- /b/ # one\n\n# then\nx: 1\n", "aliases:\n- /b/ # one\n- /a/\n\n# then\nx: 1\n"),
        ("aliases:\n    - /b/", "aliases:\n    - /b/\n    - /a/"),
    ],
)
def test_an_item_is_added_to_a_list_as_it_is_written(before: str, after: str) -> None:
    assert with_items(before, "aliases", ["/a/"], "meta.yaml") == after


def test_a_text_is_replaced_where_it_stands() -> None:
    text = "a:\n  - {b: 'old', c: 1} # kept\n"
    assert with_text(text, ["a", 0, "b"], "new: er", "x.yaml") == 'a:\n  - {b: "new: er", c: 1} # kept\n'
    with pytest.raises(Refusal, match="has a mistake"):
        with_text("a: [", ["a"], "b", "x.yaml")


def test_every_mention_that_is_left_is_no_link(blog: Space, run: Run) -> None:
    run("rename", "post", "roof", "bend")
    left = re.findall(r"\S*/roof\b\S*", read(blog, "content/posts/other/en.md"))
    assert left == ["/posts/roof/", "[code](/posts/roof/)", "`[code](/posts/roof/)`,"]


def test_a_link_that_cannot_be_mended_is_told(blog: Space, run: Run) -> None:
    blog.change("content/posts/other/en.md", "[a](/posts/roof/)", "[a](/posts/%72oof/)")
    assert told(blog.build(strict=True)) == ""
    said = run("rename", "post", "roof", "bend")
    assert said.err == (
        "content/posts/other/en.md has links that you must update yourself; `diglot check` names them\n"
    )
