"""Blocks that articles have of each other, and the links of Obsidian between them."""

import re
from pathlib import Path

import pytest

from tests.space import BARS, SITE_YAML, Space, ran, told

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c636060606000000005000157a2ab440000000049454e44ae426082"
)
OPTIONS = "wikilinks: true\nmarkdown: true\n"


@pytest.fixture
def space(tmp_path: Path) -> Space:
    space = Space(tmp_path)
    space.write("site/site.yaml", SITE_YAML + "markdown: true\n")
    space.write("figures/bars.py", BARS)
    space.write("content/posts/b/own.png", PIXEL)
    space.write("content/posts/b/more.csv", "a\n1\n")
    space.post(
        "b",
        zh="## 存储 {#memory}\n\n字节在[表](more.csv)里。[^n]\n\n### 更细\n\n细节。\n\n## 尾\n\n完。"
        '\n\n![图](own.png "两个裸片"){#fig-dies}\n\n```{figure} bars\n:name: fig-b\n两根。\n```'
        "\n\n{#rates}\n| 甲 |\n| - |\n| 1 |\n\n$$\na = b\n$$ (eq:b)\n\n[^n]: 注里有[链接](own.png)。\n",
        en="## Memory {#memory}\n\nBytes are in [a table](more.csv).[^n]\n\n### Finer\n\nDetails."
        "\n\n## End\n\nDone."
        '\n\n![Picture](own.png "Two dies"){#fig-dies}\n\n```{figure} bars\n:name: fig-b\nTwo.\n```'
        "\n\n{#rates}\n| A |\n| - |\n| 1 |\n\n$$\na = b\n$$ (eq:b)\n\n[^n]: A note with [a link](own.png).\n",
    )
    return space


def page_of(space: Space, language: str = "en", name: str = "a") -> str:
    page = (space.root / f"public/{language}/posts/{name}/index.html").read_text("utf-8")
    return page[page.index("<article") : page.index("</article>")]


def test_a_block_of_another_article_is_a_part_of_this_one(space: Space) -> None:
    labels = ("fig-dies", "fig-b", "rates", "eq:b", "memory")
    for_zh = [f"![](/posts/b/#{label})" for label in labels]
    for_en = [f"```{{embed}} ../b/en.md#{label}\n```" for label in labels]
    refers = "\n\n{ref}`fig-b`, [](#eq:b)"
    zh, en = "\n\n".join(for_zh) + refers, "\n\n".join(for_en) + refers
    space.post("a", zh=f"## 甲 {{#first}}\n\n{zh}", en=f"## A {{#first}}\n\n{en}")
    with space.site() as site:
        assert told(site.build()) == ""
        zh, en = page_of(space, "zh"), page_of(space, "en")
        assert "两个裸片" in zh
        assert "Two dies" in en
        assert "图 2" in zh
        assert "Figure 2" in en
        for page in (zh, en):
            assert page.count('id="rates"') == page.count('id="eq:b"') == 1
            assert re.search(r'src="[^"]*own\.[0-9a-f]+\.(?:png|webp)"', page)
        assert "Details." in en
        assert "Done." not in en
        assert ">Memory" not in en
        assert "A note with" in en
        assert "注里有" in zh
        assert ran(site.build()) == []
        space.change("content/posts/b/en.md", "Two dies", "Four dies")
        site.build()
        assert "Four dies" in page_of(space)
    twin = (space.root / "public/en/posts/a/index.md").read_text("utf-8")
    assert "{embed}" not in twin
    assert "Bytes are in" in twin


def test_two_articles_may_have_parts_of_each_other(space: Space) -> None:
    space.post("a", zh="{#own}\n本文。\n\n![](/posts/b/#rates)", en="{#own}\nOwn.\n\n![](/posts/b/#rates)")
    for language in ("zh", "en"):
        text = (space.root / f"content/posts/b/{language}.md").read_text("utf-8")
        space.write(f"content/posts/b/{language}.md", text + "\n![](/posts/a/#own)\n")
    assert told(space.build()) == ""
    assert "Own." in page_of(space, name="b")


def test_a_row_of_parts_that_never_ends_is_an_error(space: Space) -> None:
    space.post("c", zh="## 甲 {#x}\n\n![](/posts/d/#x)", en="## A {#x}\n\n![](/posts/d/#x)")
    space.post("d", zh="## 甲 {#x}\n\n![](/posts/c/#x)", en="## A {#x}\n\n![](/posts/c/#x)")
    assert told(space.build()).count("error[embed-block]: a block is not shown twice in its own article") == 4


MISTAKES = {
    "![](/posts/b/#fig-dyes)": ('no block of "content/posts/b/en.md" is named "fig-dyes"', "fig-dies"),
    "![](/posts/bb/#x)": ('there is no article at "/posts/bb/"', "/posts/b/"),
    "![](../c/en.md#x)": ('there is no article at "../c/en.md"', "/posts/"),
    "![words](/posts/b/#rates)": ("has no words of its own", "![](/posts/b/#rates)"),
    "```{embed} /posts/b/\n```": ('"/posts/b/" names no block', "/posts/roofline/#fig-roofline"),
    "```{embed} /posts/b/#rates\n:width: 3\n```": ('{embed} has no option "width"', "delete the line"),
    "![](#own)": ("a block is not shown twice in its own article", "{ref}`own`"),
    "![](/posts/later/#x)": ("is of an article that is a draft", "publish it first"),
    "![](/posts/cells/#x)": ("what its code cells do", "figure script"),
}


@pytest.mark.parametrize("markdown", MISTAKES)
def test_what_cannot_be_shown_is_an_error(space: Space, markdown: str) -> None:
    space.post("a", zh="{#own}\n文。", en=f"{{#own}}\nText.\n\n{markdown}")
    space.post("later", zh="{#x}\n文。", en="{#x}\nText.", draft="true")
    cell = "```{code-cell} python\nn = 1\n```\n\n{#x}\n{eval}`cells.n`"
    space.post("cells", zh=cell, en=cell)
    said = told(space.build())
    message, fix = MISTAKES[markdown]
    assert re.search(r"content/posts/a/en\.md:\d+(?::\d+)?: error\[embed-block\]", said), said
    assert message in said
    assert fix in said


LINKED = {
    "[[b]]": ("Article b", "/en/posts/b/"),
    "[[Article b]]": ("Article b", "/en/posts/b/"),
    "[[article B|words]]": ("words", "/en/posts/b/"),
    "[[文章b|its title in Chinese]]": ("its title in Chinese", "/en/posts/b/"),
    "[[posts/b#Memory]]": ("Article b › Memory", "/en/posts/b/#memory"),
    "[[b#Memory#Finer|finer]]": ("finer", "/en/posts/b/#finer"),
    "[[b#^rates|rates]]": ("rates", "/en/posts/b/#rates"),
    "[[#Own words]]": ("Own words", "#own-words"),
    "[[About me]]": ("About me", "/en/about/"),
}


def test_links_of_obsidian_lead_where_they_say(space: Space) -> None:
    space.write("site/site.yaml", SITE_YAML + OPTIONS)
    for language, title in (("zh", "关于"), ("en", "About me")):
        space.write(f"content/pages/about/{language}.md", f"---\ntitle: {title}\n---\n\nx\n")
    body = (
        "## Own words\n\n" + "\n\n".join(LINKED) + "\n\n| x |\n| - |\n| [[b\\|cell]] |\n\n`[[b]]` and \\[[b]]"
    )
    space.post("a", zh=None, en=body, only="en")
    assert told(space.build()) == ""
    page = page_of(space)
    for words, address in LINKED.values():
        assert f'href="{address}">{words}</a>' in re.sub(r'href="(?:\.\./)+', 'href="/', page), (words, page)
    assert ">cell</a>" in page
    assert "<code>[[b]]</code> and [[b]]" in page
    twin = (space.root / "public/en/posts/a/index.md").read_text("utf-8")
    assert "[Article b](" in twin
    assert "`[[b]]`" in twin


def test_what_obsidian_embeds_is_shown(space: Space) -> None:
    space.write("site/site.yaml", SITE_YAML + OPTIONS)
    body = "![[b#Memory]]\n\n![[b#^rates]]\n\n![[own.png|A picture|40]]\n\n[[more.csv]]"
    space.post("a", zh="## 甲\n\n" + body.replace("Memory", "存储"), en=f"## A\n\n{body}")
    assert told(space.build()) == ""
    page = page_of(space)
    assert "Details." in page
    assert 'id="rates"' in page
    assert 'alt="A picture"' in page
    assert 'width="40"' in page
    assert ">more.csv</a>" in page
    assert "细节。" in page_of(space, "zh")


WRONG_LINKS = {
    "[[bb]]": 'there is no article "bb"',
    "[[b#Memry]]": 'is named "Memry"',
    "so ![[b#Memory]]": "is inside a paragraph",
    "![[nowhere.png]]": 'file not found: "nowhere.png"',
}


def test_links_of_obsidian_that_lead_nowhere_are_errors(space: Space) -> None:
    space.write("site/site.yaml", SITE_YAML + OPTIONS)
    space.post("a", zh="文", en="\n\n".join(WRONG_LINKS))
    said = told(space.build())
    for message in WRONG_LINKS.values():
        assert message in said
    assert said.count("error[link-missing]") == len(WRONG_LINKS)


def test_without_the_option_they_are_text_with_a_warning(space: Space) -> None:
    space.post("a", zh="[[b]]", en="[[b]]")
    said = told(space.build())
    assert said.count("warning[syntax-unsupported]") == 2
    assert "wikilinks: true" in said


def test_a_wrong_block_is_the_only_mistake_of_its_half(space: Space) -> None:
    body = "![](/posts/b/#rates)\n\n![](/posts/b/#rats)\n\n![](own.pgn)\n\n{ref}`rates`"
    space.post("a", zh=body, en=body)
    with space.site() as site:
        found = told(site.build())
    assert found.count("error[") == 4, found
    assert found.count("error[embed-block]") == 2
    assert found.count("error[image-missing]") == found.count('"own.pgn"') == 2
