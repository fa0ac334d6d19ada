"""Files that an article includes, as Markdown and as code."""

import re
from pathlib import Path

import pytest

from diglot.rules.status import find_pairs, find_units
from tests.space import Space, ran, told

SCRIPT = """# a script
def compute():
    # begin
    if True:
        return {"n": 1}
    # end
"""


@pytest.fixture
def space(tmp_path: Path) -> Space:
    space = Space(tmp_path)
    space.write("content/_shared.md", "---\ntitle: x\n---\nShared *words* and $x$.\n\n- an item\n")
    space.write("content/posts/a/run.py", SCRIPT)
    space.write("content/posts/a/notes.md.txt", "```\nx\n```")
    return space


def shown(space: Space, directive: str) -> str:
    space.post("a", zh=directive, en=directive)
    assert told(space.build()) == "", directive
    page = (space.root / "public/en/posts/a/index.html").read_text()
    return page[page.index("<article") : page.index("</article>")]


def test_what_is_included_is_as_if_it_were_there(space: Space) -> None:
    with space.site():
        for path in ("../../_shared.md", "/content/_shared.md"):
            for fence in ("```{include} %s\n```", ":::{include} %s\n:::"):
                page = shown(space, fence % path)
                assert "<p>Shared <em>words</em> and " in page
                assert "<ul><li>an item</li></ul>" in page
    assert ran(space.build()) == []
    space.change("content/_shared.md", "words", "texts")
    space.build()
    assert "<em>texts</em>" in (space.root / "public/zh/posts/a/index.html").read_text()


CODE = {
    "": ("language-py", "# a script", "# end"),
    ":lines: 2,4-5": ("def", "return", "</span>}"),
    ":start-after: begin\n:end-before: end\n:dedent:\n:lineno-match:": ("<code", 'data-n="4"', "True"),
    ":language: text\n:caption: run.py\n:emphasize-lines: 1\n:linenos:\n:name: lst-run": (
        '<p class="file">run.py</p>',
        '<span class="hll"><span class="linenos" data-n="1"></span># a script</span>',
        'id="lst-run"',
    ),
}


def test_code_is_quoted_with_its_lines(space: Space) -> None:
    for options, expected in CODE.items():
        page = shown(space, f"```{{literalinclude}} run.py\n{options}\n```")
        assert not [one for one in expected if one not in page], (options, page)
    page = shown(space, "```{literalinclude} notes.md.txt\n:lines: 1-3\n```")
    assert "```\nx\n```" in page


MISTAKES = {
    "```{include} nowhere.md\n```": 'there is no file "content/posts/a/nowhere.md"',
    "```{include}\n```": "{include} does not name a file",
    "```{include} ../../../../x.md\n```": '"../../../../x.md" is outside the project',
    "```{literalinclude} run.py\n:lines: 2-40\n```": "the file has lines 1 to 6, and not 2-40",
    "```{literalinclude} run.py\n:lines: two\n```": '"two" does not name lines',
    "```{literalinclude} run.py\n:start-at: nothing\n```": 'no line of the file has "nothing"',
    "```{literalinclude} run.py\n:langage: py\n```": '{literalinclude} has no option "langage"',
    "```{include} run.py\n:caption: x\n```": '{include} has no option "caption"',
}


def test_blocks_end_where_their_directive_does(space: Space) -> None:
    """However long the file is, and whatever it ends with: of it, `diglot sync` reads the article's lines."""
    for text in ("", "1\n\n\n", "1\n" * 90, "\n\n```\nx\n"):
        space.write("content/_out.txt", text)
        for name, directive in (("a", "literalinclude"), ("b", "include")):
            half = f"\n\n```{{{directive}}} ../../_out.txt\n```"
            space.post(name, zh=f"文字。{half}\n\n尾。", en=f"Text.{half}\n\nEnd.")
        with space.site() as site:
            found, mistakes = find_units(site, find_pairs(site, ()))
        assert not mistakes
        for units in found:
            assert units is not None
            assert units.en[-1].text == "End.", text
            assert all("End." not in unit.text for unit in units.en[:-1])


def test_mistakes_are_said_at_the_directive(space: Space) -> None:
    wrong = []
    with space.site() as site:
        for directive, expected in MISTAKES.items():
            space.post("a", zh="开头。", en=directive)
            said = told(site.build())
            if not re.match(
                rf"content/posts/a/en\.md:6(:\d+)?: error\[include-file\]: {re.escape(expected)}", said
            ):
                wrong.append((directive, said))
    assert not wrong


def test_a_file_that_includes_itself_ends(space: Space) -> None:
    space.write("content/_loop.md", "```{include} /content/_loop.md\n```\n")
    space.post("a", zh="```{include} /content/_loop.md\n```", en="Text.")
    assert "made by others, 5 deep" in told(space.build())
