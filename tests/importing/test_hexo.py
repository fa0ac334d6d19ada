"""Hexo: what becomes of posts, asset folders, tag plugins and old addresses."""

from pathlib import Path

import pytest

from tests.importing.sources import HALF, HEXO, PNG, converted, imported


def test_language_folders_are_a_pair_with_old_addresses(tmp_path: Path) -> None:
    site = imported(
        "hexo",
        tmp_path,
        {
            "_config.yml": "title: 站\nurl: https://old.example/blog\nlanguage: [zh-CN, en]\n"
            "permalink: :lang/:title/\ntheme: next\n",
            "_config.next.yml": "menu:\n  home: / || home\n  about: /about/ || user\n"
            "  tags: /tags/ || tags\n",
            "source/_posts/zh-CN/roof.md": "---\ntitle: 屋顶\nlang: zh-CN\ndate: 2020-02-03 21:48:59\n"
            "categories:\n- [硬件, 芯片]\n---\n第一段。\n<!-- more -->\n\n第二段。\n",
            "source/_posts/en/roof.md": "---\ntitle: Roof\nlang: en\ndate: 2020-02-03 21:48:59\n"
            "categories:\n- [hardware, chips]\n---\nFirst.\n\n<!-- more -->\n\nSecond.\n",
            "source/about/index.md": "---\ntitle: 关于\n---\n关于我的几句话。\n",
        },
    )
    assert site.text("content/posts/roof/meta.yaml") == "date: 2020-02-03\ncategories: [hardware, chips]\n"
    assert site.matter("content/posts/roof/zh.md") == (
        "title: 屋顶\ndescription: 第一段。\naliases:\n  - /zh-CN/roof/\n"
    )
    assert site.body("content/posts/roof/zh.md") == "第一段。\n\n第二段。"
    assert "  - /en/roof/\n" in site.matter("content/posts/roof/en.md")
    assert "content/pages/about/zh.md" in site.files()
    assert site.text("site/site.yaml").endswith("navigation:\n  - label: About\n    path: /about/\n")
    site.build()


@pytest.mark.parametrize(
    ("tag", "markdown"),
    [
        ("{% asset_img stack.png A stack %}", '![A stack](stack.png "A stack")'),
        ('{% asset_img stack.png 300 200 "Title" "Alt" %}', '![Alt](stack.png "Title"){width=300}'),
        ("![a](stack.png)", "![a](stack.png)"),
        (
            "{% post_link other %} and {% post_link other 'The other' %}",
            "[other](/posts/other/) and [The other](/posts/other/)",
        ),
        ("{% codeblock lang:js a.js %}\nlet x;\n{% endcodeblock %}", '```js title="a.js"\nlet x;\n```'),
        ("{% note warning %}\nMind.\n{% endnote %}", ":::{warning}\nMind.\n:::"),
        ("{% note info 标题 %}\nMind.\n{% endnote %}", ":::{note} 标题\nMind.\n:::"),
        ("{% raw %}<b>{{ x }}</b>{% endraw %}", "<b>{{ x }}</b>"),
        ("{% blockquote Ada %}\nWords.\n{% endblockquote %}", "> Words.\n>\n> — Ada"),
        ("{% link Site https://a.example/ %}", "[Site](https://a.example/)"),
        ("```js a.js\nlet x;\n```", '```js title="a.js"\nlet x;\n```'),
        ("[TOC]\n\n##标题\n\nText.", "## 标题\n\nText."),
        ("![a](https://a.example/b.png =300x200)", "![a](https://a.example/b.png){width=300 height=200}"),
    ],
)
def test_tags_are_written_as_diglot_does(tmp_path: Path, tag: str, markdown: str) -> None:
    other = "---\ntitle: Other\ndate: 2020-01-01\n---\nText in English.\n"
    more = {"source/_posts/other.md": other, "source/_posts/x/stack.png": PNG}
    site = converted("hexo", tmp_path, tag, more)
    assert site.body(HALF) == markdown
    assert "content/posts/x/stack.png" in site.files()
    site.build()


def test_paths_on_a_page_begin_in_its_folder(tmp_path: Path) -> None:
    text = "Text in English, see [b](b.html#part), [c](../c/) and [gone](gone.html).\n\n## Part\n"
    page = f"---\ntitle: {{}}\n---\n{text}"
    site = imported(
        "hexo",
        tmp_path,
        {
            **HEXO,
            "source/docs/a.md": page.format("A"),
            "source/docs/b.md": page.format("B"),
            "source/c/index.md": page.format("C"),
        },
    )
    assert "[b](/docs/b/#part), [c](/c/) and [gone](https://old.example/docs/gone.html)." in site.body(
        "content/pages/docs/a/en.md"
    )
    assert "[b](https://old.example/c/b.html#part)" in site.body("content/pages/c/en.md")
    site.build()


def test_links_to_lists_of_a_tag_lead_to_its_page(tmp_path: Path) -> None:
    post = "---\ntitle: {}\nlang: {}\ndate: 2020-02-03\ntags: [Go Web, 'C++']\ncategories: [{}]\n---\n{}\n"
    links = "[a](/tags/Go-Web/) [b](https://old.example/tags/go-web/) [c](/categories/x/) [d](/tags/none/)"
    site = imported(
        "hexo",
        tmp_path,
        {
            **HEXO,
            "source/_posts/a.md": post.format("A", "en", "x", links),
            "source/_posts/b.md": post.format("乙", "zh", "y", "[c](/categories/x/)"),
        },
    )
    assert site.body("content/posts/a/en.md") == (
        "[a](/tags/go-web/) [b](/tags/go-web/) [c](/categories/x/) [d](https://old.example/tags/none/)"
    )
    assert site.body("content/posts/b/zh.md") == "[c](/en/categories/x/)"
    site.build()


def test_front_matter_without_its_first_line_and_broken_dates(tmp_path: Path) -> None:
    site = imported(
        "hexo",
        tmp_path,
        {
            **HEXO,
            "source/_posts/a.md": "title: A\ndate: 2020-02-03\ntags: one, two\n---\nText in English.\n",
            "source/_posts/c.md": "---\ntitle: C\ndate: 2020-02-04\n\nText in English.\n",
            "source/_posts/d.md": "---\ntitle: D\ndate: 2020-02-05\n\nText above.\n\n---\n\nText below.\n",
            "source/_posts/b.md": "---\ntitle: B: a tale\ndate: soon\n---\nText in English.\n",
        },
    )
    assert site.matter("content/posts/a/en.md").startswith("title: A\ndate: 2020-02-03\ntags: [one, two]\n")
    assert site.matter("content/posts/c/en.md").startswith("title: C\ndate: 2020-02-04\n")
    assert (site.body("content/posts/c/en.md"), site.body("content/posts/d/en.md")) == (
        "Text in English.",
        "Text above.\n\n---\n\nText below.",
    )
    told = site.told()
    never = "the front matter is never closed; the text is taken to begin at this line"
    assert {f"source/_posts/{name}.md:4: {never}" for name in "cd"} <= set(told)
    assert any(one.startswith("source/_posts/b.md:1: the front matter is broken") for one in told)
    assert 'source/_posts/b.md:3: the date "soon" cannot be read' in told
    site.build()


def test_a_single_post_brings_no_other_files(tmp_path: Path) -> None:
    post = "---\ntitle: A\ndate: 2020-02-03\n---\nText ![a](/img/a.png).\n"
    files = {
        **HEXO,
        "source/_posts/a.md": post,
        "source/_posts/b.md": post,
        "source/img/a.png": PNG,
        "source/img/b.png": PNG,
    }
    site = imported("hexo", tmp_path, files, only="source/_posts/a.md")
    assert site.files() == ["content/posts/a/a.png", "content/posts/a/en.md", "site/site.yaml"]
    site.build()
