"""Every author's error: place, message, fix; all are reported at once, and the last good site stays."""

import re
from urllib.parse import unquote

import pytest

from tests.space import BARS, Space, errors, told

GOOD = {"zh": "好。", "en": "Good."}


def mistake(space: Space, **options: object) -> str:
    """The one error a build finds, as the terminal shows it."""
    found = errors(space.build(**options))
    assert len(found) == 1, "\n\n".join(map(str, found))
    assert found[0].fix, found[0]
    return str(found[0])


def test_broken_yaml_names_the_line_and_the_fix(space: Space) -> None:
    space.post("a", **GOOD)
    space.change("content/posts/a/en.md", "title: Article a", "title: GPU: the sequel")
    text = mistake(space)
    assert text.startswith("content/posts/a/en.md:2")
    assert 'title: "GPU: the sequel"' in text


@pytest.mark.parametrize(
    ("name", "text", "rule"),
    [
        ("glossary.yaml", "deep: [a", "yaml-syntax"),
        ("words.yaml", "leave: [a", "yaml-syntax"),
        ("words.yaml", "leve: [JAX]", "field-unknown"),
        ("hant.yaml", "软件: [a", "yaml-syntax"),
    ],
)
def test_a_list_that_only_checks_use_is_read_by_a_build_too(
    space: Space, name: str, text: str, rule: str
) -> None:
    space.post("a", **GOOD)
    space.write(f"site/{name}", text)
    first = mistake(space)
    assert first.startswith(f"site/{name}:1")
    assert f"error[{rule}]" in first


def test_a_missing_twin_names_the_file_to_write(space: Space) -> None:
    space.post("a", zh="独自一人。", en=None)
    text = mistake(space)
    assert text.startswith(
        "content/posts/a/zh.md:1: error[pair-missing]: the en half of this article is missing"
    )
    assert "content/posts/a/en.md" in text
    assert "only: zh" in text


def test_a_draft_may_lack_its_twin_and_says_so_where_it_is_shown(space: Space) -> None:
    space.post("a", zh="写了一半。", en=None, draft="true")
    space.post("b", **GOOD)
    assert told(space.build(strict=True)) == ""
    result = space.build(drafts=True, strict=True)
    assert result.published is not None
    assert told(result) == (
        "content/posts/a/zh.md:1: warning[draft-half-missing]: the en half of this draft is missing\n"
        "  fix: write content/posts/a/en.md, or add `only: zh` to the front matter."
    )


def test_a_link_to_an_article_with_a_mistake_is_no_mistake(space: Space) -> None:
    space.post("a", zh="坏。", en="Broken.", date="2026-13-01")
    space.post("b", zh="[甲](/posts/a/)", en="[a](/en/posts/a/), [a file](../a/zh.md)")
    found = errors(space.build())
    assert [(one.rule, str(one.location)) for one in found] == [
        ("yaml-date", f"content/posts/a/{language}.md:3:7") for language in ("en", "zh")
    ]


def test_an_unknown_figure_suggests_the_nearest(space: Space) -> None:
    space.write("figures/bars.py", BARS)
    space.post("a", zh="```{figure} bras\n柱\n```", en="Good.")
    text = mistake(space)
    assert text.startswith(
        'content/posts/a/zh.md:6:13: error[figure-unknown]: there is no figure named "bras"'
    )
    assert "```{figure} bras" in text
    assert 'did you mean "bars"?' in text


def test_an_unknown_figure_in_a_value_is_found_too(space: Space) -> None:
    space.write("figures/bars.py", BARS)
    space.post("a", zh="好。", en="The value {eval}`barz.values[0]`.")
    text = mistake(space)
    assert text.startswith(
        'content/posts/a/en.md:6:18: error[figure-unknown]: there is no figure named "barz"'
    )


def test_an_unknown_value_names_what_there_is(space: Space) -> None:
    space.write("figures/bars.py", BARS)
    space.post("a", zh="好。", en="The value {eval}`bars.vales[0]`.")
    text = mistake(space)
    assert text.startswith("content/posts/a/en.md:6:23: error[value-unknown]: ")
    assert "vales" in text
    assert 'did you mean "values"?' in text


def test_a_value_in_a_title_is_checked_at_its_line(space: Space) -> None:
    space.write("figures/bars.py", BARS)
    space.post("a", **GOOD)
    space.change("content/posts/a/en.md", "title: Article a", 'title: "{eval}`bars.nothing` bars"')
    text = mistake(space)
    assert text.startswith("content/posts/a/en.md:2:21: error[value-unknown]: ")
    assert "nothing" in text


@pytest.mark.parametrize(
    ("broken", "line", "expected"),
    [
        ('raise RuntimeError("no such chip")', 7, "RuntimeError: no such chip"),
        ("return {'values': [1 / 0]}", 7, "ZeroDivisionError"),
        ("import sys; sys.exit(3)", 7, "sys.exit"),
    ],
)
def test_a_script_that_raises_is_shown_at_its_line(
    space: Space, broken: str, line: int, expected: str
) -> None:
    space.write("figures/bars.py", BARS.replace('return {"values": [3, 5]}', broken))
    space.post("a", zh="```{figure} bars\n柱\n```", en="```{figure} bars\nBars\n```")
    text = mistake(space)
    assert text.startswith(f"figures/bars.py:{line}: ")
    assert expected in text


def test_a_script_that_loops_for_ever_is_stopped(space: Space) -> None:
    space.change("site/site.yaml", "base_url:", "figure_timeout_s: 1\nbase_url:")
    space.write("figures/bars.py", BARS.replace('return {"values": [3, 5]}', "while True: pass"))
    space.post("a", zh="```{figure} bars\n柱\n```", en="```{figure} bars\nBars\n```")
    text = mistake(space)
    assert text.startswith("figures/bars.py:7: ")
    assert "1 s" in text


def test_a_script_that_prints_garbage_is_warned_of_and_used(space: Space) -> None:
    noisy = BARS.replace(
        "def compute():", 'import os\nos.write(1, b"\\x00\\xff{]garbage\\n")\n\n\ndef compute():'
    )
    space.write("figures/bars.py", noisy)
    space.post("a", zh="```{figure} bars\n柱\n```", en="```{figure} bars\nBars\n```")
    result = space.build()
    assert not errors(result), told(result)
    assert "garbage" in told(result)


def test_a_script_that_returns_garbage_says_where_in_the_data(space: Space) -> None:
    space.write("figures/bars.py", BARS.replace("[3, 5]", "[3, object()]"))
    space.post("a", zh="```{figure} bars\n柱\n```", en="```{figure} bars\nBars\n```")
    text = mistake(space)
    assert text.startswith("figures/bars.py")
    assert "values" in text


def test_a_missing_glyph_names_character_figure_and_language(space: Space) -> None:
    space.write("figures/bars.py", BARS.replace('zh="甲 ', 'zh="龘 '))
    space.post("a", zh="```{figure} bars\n柱\n```", en="```{figure} bars\nBars\n```")
    (found,) = space.build().diagnostics  # pages have it in a font of their reader
    assert str(found).startswith("figures/bars.py:14: warning[figure-glyph]: no bundled font has 龘 (U+9F98)")
    assert 'in figure "bars" (zh)' in found.message


def test_two_articles_with_one_address_are_both_named(space: Space) -> None:
    space.post("first", **GOOD)
    space.post("second", **GOOD, slug="first")
    text = mistake(space)
    assert text.startswith(
        'content/posts/second/zh.md:4:7: error[slug-clash]: the address "first" is already used by '
        "content/posts/first/zh.md"
    )


def test_a_half_that_stands_twice_is_named_with_both_files(space: Space) -> None:
    space.post("a", **GOOD)
    space.write("content/posts/a.zh.md", "---\ntitle: A\ndate: 2026-01-01\n---\n")
    text = mistake(space)
    assert "content/posts/a.zh.md" in text
    assert "content/posts/a/zh.md" in text


def test_halves_that_disagree_on_a_shared_key_are_told_where_to_say_it_once(space: Space) -> None:
    space.post("a", **GOOD)
    space.change("content/posts/a/en.md", "date: 2026-11-01", "date: 2026-11-02")
    text = mistake(space)
    assert text.startswith(
        "content/posts/a/en.md:3: error[pair-differs]: date is 2026-11-02 here and 2026-11-01"
    )
    assert "content/posts/a/meta.yaml" in text


def test_an_error_in_a_template_names_the_template_and_the_line(space: Space) -> None:
    space.post("a", **GOOD)
    space.write("templates/term.html", "<p>\n{{ nothing_like_it }}\n")
    space.change("content/posts/a/zh.md", "date:", "tags: [roofline]\ndate:")
    space.change("content/posts/a/en.md", "date:", "tags: [roofline]\ndate:")
    text = mistake(space)
    assert text.startswith("templates/term.html:2:4: ")
    assert "nothing_like_it" in text


def test_a_broken_template_names_the_line(space: Space) -> None:
    space.post("a", **GOOD)
    space.write("templates/article.html", "<p>\n{% if %}\n")
    text = mistake(space)
    assert text.startswith("templates/article.html:2: ")


def test_a_file_that_is_not_text_names_the_line_and_the_byte(space: Space) -> None:
    space.post("a", **GOOD)
    space.write(
        "content/posts/a/zh.md", "---\ntitle: 标题\ndate: 2026-01-01\n---\n\n".encode() + b"\xb1\xea\n"
    )
    text = mistake(space)
    assert text.startswith("content/posts/a/zh.md:6: ")
    assert "UTF-8" in text


def test_a_picture_that_is_not_there_suggests_the_nearest(space: Space) -> None:
    space.write("content/posts/a/roofline.svg", "<svg/>")
    space.post("a", zh="![屋顶线](rofline.svg)", en="Good.")
    text = mistake(space)
    assert text.startswith(
        'content/posts/a/zh.md:6:8: error[image-missing]: picture not found: "rofline.svg"'
    )
    assert 'did you mean "roofline.svg"?' in text


def test_a_link_to_an_article_that_is_not_there_is_found(space: Space) -> None:
    space.post("a", zh="[那篇](../b/zh.md)", en="Good.")
    assert mistake(space).startswith(
        'content/posts/a/zh.md:6:6: error[link-missing]: link not found: "../b/zh.md"'
    )


@pytest.mark.parametrize(
    ("target", "files", "fix"),
    [
        ("a#1.svg", ["a#1.svg"], 'write "a%231.svg".'),
        ("a#1.svg", ["a#1.svg", "sub/a.svg"], 'write "a%231.svg".'),
        ("q?.svg", ["q?.svg"], 'write "q%3F.svg".'),
        ("sub\\\\a.svg", ["sub/a.svg"], 'write "sub/a.svg".'),
        (
            "é.svg",
            ["e\u0301.svg"],
            'rename the file to "é.svg": its name spells accents as characters of their own.',
        ),
        ("sub", ["sub/a.svg"], 'it is a folder: write the name of a file in it, as in "sub/…".'),
        ("www.example.org/a.svg", [], 'write "https://www.example.org/a.svg".'),
        ("a%2523.svg", ["a#.svg"], 'did you mean "a%23.svg"?'),
    ],
)
def test_what_to_write_for_a_picture_is_another_name_that_works(
    space: Space, target: str, files: list[str], fix: str
) -> None:
    for name in files:
        space.write(f"content/posts/a/{name}", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>')
    space.post("a", zh=f"![图]({target})", en="Good.")
    (found,) = errors(space.build())
    assert (found.rule, found.fix) == ("image-missing", fix)
    if files and '"' in fix and not fix.startswith("it is"):
        if fix.startswith("rename"):
            (space.root / f"content/posts/a/{files[0]}").rename(space.root / "content/posts/a/é.svg")
        else:
            space.post("a", zh=f"![图]({fix.split(chr(34))[1]})", en="Good.")
        assert errors(space.build()) == []
        (address,) = re.findall(r'<img src="/([^"?#]*)"', space.page("zh/posts/a"))
        assert unquote(address) in space.outputs()


@pytest.mark.parametrize(
    ("target", "fix"),
    [("../B/zh.md", 'did you mean "../b/zh.md"?'), ("../bet/zh.md", 'did you mean "../beta/zh.md"?')],
)
def test_a_link_suggests_the_half_of_another_article_never_its_own(
    space: Space, target: str, fix: str
) -> None:
    space.post("b", **GOOD)
    space.post("beta", **GOOD)
    space.post("a", zh=f"[乙]({target})", en="Good.")
    assert [one.fix for one in errors(space.build())] == [fix]
    space.post("a", zh="[己](Zh.md)", en="Good.")
    (found,) = errors(space.build())
    assert found.fix != 'did you mean "zh.md"?'


def test_a_link_to_a_block_that_is_not_there_is_found(space: Space) -> None:
    space.post("a", zh="## 屋顶 {#roof}\n\n[上面](#rof)", en="## Roof {#roof}\n\n[above](#roof)")
    text = mistake(space)
    assert text.startswith("content/posts/a/zh.md:8:6: error[link-fragment]: ")
    assert 'did you mean "#roof"?' in text


def test_an_unknown_reference_is_found(space: Space) -> None:
    space.post("a", zh="见{ref}`fig-roofline`。", en="Good.")
    assert mistake(space).startswith(
        'content/posts/a/zh.md:6:8: error[ref-unknown]: nothing in this article is named "fig-roofline"'
    )


def test_an_unknown_key_gets_a_suggestion(space: Space) -> None:
    space.post("a", **GOOD)
    space.change("content/posts/a/en.md", "date:", "updatd: 2026-11-02\ndate:")
    text = mistake(space)
    assert text.startswith("content/posts/a/en.md:3:1: error[field-unknown]: ")
    assert 'did you mean "updated"?' in text


def test_a_parameter_that_a_figure_does_not_have_is_found_at_the_line_that_asks(space: Space) -> None:
    space.write("figures/bars.py", BARS)
    space.post("a", zh="```{figure} bars\n:dtype: fp9\n柱\n```", en="Good.")
    result = space.build()
    assert "content/posts/a/zh.md:6: " in told(result)
    assert "dtype" in told(result)


def test_all_mistakes_are_collected_before_failing(space: Space) -> None:
    space.write("figures/bars.py", BARS.replace("[3, 5]", "[1 / 0]"))
    space.post("yaml", **GOOD)
    space.change("content/posts/yaml/en.md", "title: Article yaml", "title: a: b")
    space.post("maths", zh="$\\nothing$", en="Good.")
    space.post("figure", zh="```{figure} bars\n柱\n```", en="```{figure} brs\nBars\n```")
    space.post("picture", zh="![x](no.png)", en="{eval}`bars.x`")
    text = told(space.build())
    for place in (
        "content/posts/yaml/en.md:2",
        "content/posts/maths/zh.md:6",
        "figures/bars.py:7",
        "content/posts/figure/en.md:6",
        "content/posts/picture/zh.md:6",
    ):
        assert place in text, text


def test_the_last_good_site_stays_and_comes_back_when_the_mistake_is_mended(space: Space) -> None:
    space.post("a", **GOOD)
    space.build()
    good = space.outputs()
    space.change("content/posts/a/zh.md", "好。", "{eval}`nowhere.x`")
    assert space.build().published is None
    assert space.outputs() == good
    space.change("content/posts/a/zh.md", "{eval}`nowhere.x`", "好。")
    assert not errors(space.build())
    assert space.outputs() == good


def test_a_mistake_is_told_again_by_a_build_that_runs_nothing(space: Space) -> None:
    space.post("a", zh="![x](no.png)", en="Good.")
    first = told(space.build())
    result = space.build()
    assert result.report.ran == ()
    assert told(result) == first


def test_strict_makes_errors_of_warnings(space: Space) -> None:
    space.post("a", **GOOD, tags="[nobody-knows]")
    assert space.build().published is not None
    result = space.build(strict=True, output="elsewhere")
    assert result.published is None
    assert "nobody-knows" in told(result)


def test_style_sheets_that_name_each_other_are_told_each_with_its_way_round(space: Space) -> None:
    space.write("templates/static/a.css", "p {}\n@import url(sub/b.css);\n")
    space.write("templates/static/sub/b.css", "@import url(../a.css);\n")
    space.write("templates/static/own.css", "@import url(a.css);\n@import url(own.css);\n")
    result = space.build()
    assert [str(one).splitlines()[:2] for one in errors(result)] == [
        [
            "templates/static/a.css:2: error[asset-circle]: this style sheet refers to itself: a.css → "
            "sub/b.css → a.css",
            "    @import url(sub/b.css);",
        ],
        [
            "templates/static/sub/b.css:1: error[asset-circle]: this style sheet refers to itself: "
            "sub/b.css → a.css → sub/b.css",
            "    @import url(../a.css);",
        ],
    ]
    space.write("templates/static/a.css", "p {}\n")
    assert mistake(space).startswith(
        "templates/static/own.css:2: error[asset-circle]: this style sheet refers to itself: own.css → "
        "own.css"
    )


def test_a_style_sheet_that_is_not_utf_8_names_the_byte(space: Space) -> None:
    space.write("templates/static/own.css", b"p {}\n/* caf\xe9 */\n")
    assert mistake(space).startswith(
        "templates/static/own.css:2: error[file-encoding]: this file is not UTF-8: this line contains "
        "the byte 0xe9"
    )


@pytest.mark.parametrize("target", ["../base.html", ".hidden.png", "x.png~", "a/../../base.html", "folder"])
def test_a_style_sheet_may_name_only_what_is_published(space: Space, target: str) -> None:
    for name in ("base.html", "static/.hidden.png", "static/x.png~", "static/folder/x.png"):
        space.write(f"templates/{name}", "Words.")
    space.write("templates/static/own.css", f"\np {{ background: url({target}) }}\n")
    text = mistake(space)
    assert text.startswith("templates/static/own.css:2:")
    assert "error[asset-missing]: the theme has no static file" in text


@pytest.mark.parametrize(
    "target", ["../*/zh.md", "../b*/en.md", "../?/zh.md", "../[ab]/en.md", "/posts/*/", "../*"]
)
def test_a_link_is_no_pattern(space: Space, target: str) -> None:
    space.post("a", zh="好。", en=f"See [it](<{target}>).")
    space.post("b", **GOOD)
    assert mistake(space).startswith(
        f'content/posts/a/en.md:6:11: error[link-missing]: link not found: "{target}"'
    )


def test_a_link_to_an_article_that_is_not_there_suggests_the_nearest_address(space: Space) -> None:
    space.post("roofline", **GOOD)
    space.post("a", zh="[看](/zh/posts/roofine/)", en="[See](/posts/rofline/).")
    assert [one.fix for one in errors(space.build())] == [
        'did you mean "/posts/roofline/"?',
        'did you mean "/zh/posts/roofline/"?',
    ]


def test_the_name_of_another_article_is_no_address(space: Space) -> None:
    space.post("b", **GOOD)
    space.post("a", zh="[乙](b) [乙](../b/index.md)", en="[B](./b/) [B](../b)")
    assert [one.fix for one in errors(space.build())][:2] == ['write "/posts/b/".'] * 2


def test_options_of_other_tools_say_what_to_do(space: Space) -> None:
    space.write("figures/bars.py", BARS)
    figure = "```{figure} bars\n:caption: A\n:width: 50%\n:zzz: 1\n```"
    space.post("a", zh=figure.replace("bars", "bars\n:name: fig-b"), en="x")
    assert [one.fix for one in errors(space.build())] == [
        "write the caption as text below the options.",
        "delete it: the script says how large the figure is.",
        "delete it: the figure has no parameters.",
    ]


@pytest.mark.parametrize(
    "mistake", ["title: A\nzzz: 1", "title: [A]", 'title: A\nfoo: "http://x.example/"'], ids=str
)
def test_an_alias_that_is_taken_is_told_of_beside_other_mistakes(space: Space, mistake: str) -> None:
    space.post("b", zh="乙。", en="B.")
    space.post("a", zh="甲。", en="A.")
    space.change(
        "content/posts/a/en.md", "title: Article a", f'{mistake}\naliases: [/en/, /old/, "http://x.y/"]'
    )
    found = [(one.rule, one.message) for one in errors(space.build())]
    assert ("alias-clash", 'the alias "/en/" of a is the address of a page that diglot generates') in found
    assert ("field-value", 'the alias "http://x.y/" is not a path') in found
    assert len([rule for rule, _ in found if rule == "alias-clash"]) == 1


def test_a_list_that_only_one_language_has_is_named_in_that_language(space: Space) -> None:
    space.change("site/site.yaml", "tags:\n", "tags:\n  t1: {zh: 甲, en: A}\n")
    space.post("a", zh="好。", en=None, only="zh", tags="[t1]")
    space.post(
        "b", zh="[甲](/tags/t1/)", en="[A](/tags/t1/) [A](/en/tags/t1/) [A](/zh/tags/t1/) [B](/en/tags/t2/)"
    )
    fixes = [mistake.fix or "" for mistake in errors(space.build())]
    assert fixes[:2] == ['this page exists only in Chinese: write "/zh/tags/t1/".'] * 2
    assert fixes[2:] == ['did you mean "/en/tags/"?']


@pytest.mark.parametrize(
    ("expression", "written"),
    [
        ("bars.values[0] | si(s)", 'si("s")'),
        ("bars.values[0] | si(B/s, 2)", 'si("B/s")'),
        ("bars.values[0] | unit(GiB)", 'unit("GiB")'),
    ],
)
def test_a_unit_without_quotes_is_shown_with_them(expression: str, written: str, space: Space) -> None:
    space.write("figures/bars.py", BARS)
    space.post("a", zh="好。", en=f"The value {{eval}}`{expression}`.")
    (found,) = errors(space.build())
    assert found.rule == "eval-syntax"
    assert found.message == f'"{expression}" cannot be evaluated: quotes are missing'
    assert found.fix == f"write {written}."


OBVIOUS = {
    "/tag/": 'did you mean "/tags/"?',
    "/tags/gpus/": 'did you mean "/tags/gpu/"?',
    "/categorie/": 'did you mean "/categories/"?',
    "/archives/": 'did you mean "/archive/"?',
    "/en/tag/": 'did you mean "/en/tags/"?',
    "/posts/b/index.html": 'write "/posts/b/".',
    "/posts/b.html#x": 'write "/posts/b/#x".',
    "/en/posts/b/index.html": 'write "/en/posts/b/".',
    "/tags/index.html": 'write "/tags/".',
    "/static/x.pdf": 'write "/x.pdf".',
    "/assets/x.pdf": 'write "/x.pdf".',
    "/site/static/x.pdf": 'write "/x.pdf".',
    "files/x.pdf": 'did you mean "/x.pdf"?',
    "b.md": 'write "/posts/b/".',
    "/b/": 'write "/posts/b/".',
    "../b/zh.html": 'write "/posts/b/".',
    "../posts/b/index.md": 'write "/posts/b/".',
    "posts/b#x": 'write "/posts/b/#x".',
    "x.org/x": 'write "https://x.org/x".',
}


def test_links_with_an_obvious_answer_are_given_it(space: Space) -> None:
    space.write("site/static/x.pdf", "PDF")
    space.post("b", zh="乙。", en="B.", date="2026-01-01", tags="[gpu]", categories="[hw]")
    answers = [fix.split('"')[1] for fix in OBVIOUS.values()]
    for links, fixes in ((OBVIOUS, OBVIOUS), (answers, {})):
        text = "\n\n".join(f"[x]({link})" for link in links)
        space.post("a", zh=text, en=text)
        found = [one for one in errors(space.build()) if one.rule == "link-missing"]
        told = [(one.message.split('"')[1], one.fix) for one in found]
        assert sorted(told) == sorted([*fixes.items()] * 2)


def test_what_other_generators_call_feeds_and_made_files_is_known(space: Space) -> None:
    meant = {
        **dict.fromkeys(("/rss.xml", "/feed", "/atom.xml", "/index.xml", "feed.xml"), "/feed.xml"),
        **dict.fromkeys(("/en/feed", "/en/feed/", "/en/rss", "/en/feed.xm"), "/en/feed.xml"),
        **{"/en/feed.jsn": "/en/feed.json", "/en/posts": "/en/", "/home": "/"},
        **dict.fromkeys(("/sitemap", "/sitemap.xml"), "https://example.org/sitemap.xml"),
        "/robots": "https://example.org/robots.txt",
    }
    for links in (meant, meant.values()):
        space.post("a", zh="".join(f"[x]({link}) " for link in links), tags="[roofline]")
        told = {link: f'write "{right}".' for link, right in meant.items()} if links is meant else {}
        found = [one for one in errors(space.build()) if one.rule == "link-missing"]
        assert {one.message.split('"')[1]: one.fix for one in found} == told


WHOLE = """
[甲](https://example.org/zh/posts/nope/) [乙](//example.org/en/abuot/) ![丙](https://example.org/nope.png)
[丁](https://Example.org/gone/) <img src="https://example.org/a/b.png" alt="x"> [戊](http://example.org/en/x.pdf)
<video src="https://example.org/x.mp4"></video> [己](https://example.org/posts/b/#no)

[丁](https://example.org/zh/posts/b/) [戊](https://example.org/zh/) [己](https://example.org/zh/tags/)
[庚](https://example.org) [辛](https://example.org/zh/posts/b/both/) [壬](https://example.org/sitemap.xml)
[子](https://example.org/en/posts/b/index.md) ![丑](https://example.org/figures/a/a.zh.svg)
[寅](https://example.org/b.txt) ![卯](https://example.org/c.png) [辰](https://example.org.net/gone/)
"""


def test_a_whole_address_of_the_site_is_read_as_its_path(space: Space) -> None:
    space.write("site/static/b.txt", "")
    space.write("site/static/c.png", "")
    space.write("site/static/a/d.txt", "")
    space.post("b", tags="[roofline]")
    space.post("aa", zh=WHOLE)
    result = space.build()
    found = [(one.rule, one.severity, one.message.split('"')[-2]) for one in result.diagnostics]
    links, pictures = ("/zh/posts/nope/", "/en/abuot/", "/en/x.pdf"), ("/nope.png", "/a/b.png")
    expected = [
        *(("link-missing", link) for link in links),
        *(("image-missing", picture) for picture in pictures),
        ("link-missing", "/x.mp4"),
        ("link-fragment", "no"),
    ]
    assert result.published is not None, "nothing else than warnings"
    assert sorted(found) == sorted((rule, "warning", target) for rule, target in expected)


def test_an_article_is_not_led_to_itself(space: Space) -> None:
    space.post("roofline", zh="[甲](/posts/rooflines/) [乙](../rooflin/zh.md)")
    assert "did you mean" not in told(space.build())
