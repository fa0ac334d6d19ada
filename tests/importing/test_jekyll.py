"""Jekyll: what becomes of posts, Liquid, kramdown and old addresses."""

from pathlib import Path

import pytest

from tests.importing.sources import HALF, JEKYLL, PNG, converted, imported


def test_two_files_of_one_name_are_a_pair_with_their_dates_and_old_addresses(tmp_path: Path) -> None:
    site = imported(
        "jekyll",
        tmp_path,
        {
            **JEKYLL,
            "_posts/2019-05-01-roof-zh.md": "---\nlayout: post\ntitle: 屋顶\nlang: zh\ntags: [硬件, gpu]\n"
            "categories: hw\nheader-img: img/a.png\n---\n正文在这里。\n",
            "_posts/2019-05-01-roof-en.md": "---\nlayout: post\ntitle: 'Roof: a start'\nlang: en\n"
            "tags: [hardware, gpu]\ncategories: hw\n"
            "last_modified_at: 2019-06-02 10:00:00 +0800\n---\nText.\n",
        },
    )
    assert site.text("content/posts/roof/meta.yaml") == (
        "date: 2019-05-01\nupdated: 2019-06-02\ntags: [hardware, gpu]\ncategories: [hw]\n"
    )
    assert site.text("content/posts/roof/zh.md") == (
        "---\ntitle: 屋顶\naliases:\n  - /hw/2019/05/01/roof/\n"
        '# header-img: "img/a.png"\n---\n\n正文在这里。\n'
    )
    assert 'title: "Roof: a start"' in site.text("content/posts/roof/en.md")
    assert "  - /en/hw/2019/05/01/roof/\n" in site.text("content/posts/roof/en.md")
    assert 'hardware: {zh: "硬件", en: "hardware"}' in site.text("site/site.yaml")
    built = site.build()
    assert not built.diagnostics


BLOCKS = """\
---
layout: post
title: 中文 · English
title_zh: 中文
title_en: English
date: 2021-03-04
---
<style>.lang-en { display: none }</style>
<div class="lang-switcher">
  <button onclick="switchLang('zh')">中文</button>
  <button onclick="switchLang('en')">English</button>
</div>

![图](/img/shared.png)

<div class="lang-zh" markdown="1">
## 引言

中文的一段，`<div class="lang-en">` 是代码。
</div>

<div class="lang-en" markdown="1">
  ## Introduction

  An English paragraph.
</div>

<script>function switchLang(l) { document.querySelector('.lang-' + l) }</script>
"""


def test_a_post_with_both_languages_is_split_and_its_switcher_goes(tmp_path: Path) -> None:
    site = imported("jekyll", tmp_path, {**JEKYLL, "_posts/2021-03-04-two.md": BLOCKS, "img/shared.png": PNG})
    zh, en = site.body("content/posts/two/zh.md"), site.body("content/posts/two/en.md")
    assert zh.split() == [
        "![图](shared.png)",
        "##",
        "引言",
        "中文的一段，`<div",
        'class="lang-en">`',
        "是代码。",
    ]
    assert en.split() == ["![图](shared.png)", "##", "Introduction", "An", "English", "paragraph."]
    assert "title: 中文\n" in site.text("content/posts/two/zh.md")
    assert "title: English\n" in site.text("content/posts/two/en.md")
    assert "content/posts/two/shared.png" in site.files()
    assert any("that switched the language are left out (from line 8)" in one for one in site.told())
    assert not [one for one in site.build().diagnostics if one.rule.startswith("halves")]


def test_captured_includes_of_both_languages_are_a_pair(tmp_path: Path) -> None:
    def part(code: str) -> str:
        return (
            f'<div class="{code} post-container">\n'
            f"    {{% capture about_{code} %}}{{% include posts/one/{code}.md %}}{{% endcapture %}}\n"
            f"    {{{{ about_{code} | markdownify }}}}\n</div>\n"
        )

    site = imported(
        "jekyll",
        tmp_path,
        {
            **JEKYLL,
            "_posts/2017-07-12-one.md": f"---\ntitle: 一\nmultilingual: true\n---\n\n"
            f"{part('zh')}\n{part('en')}",
            "_includes/posts/one/zh.md": "## 甲\n\n中文。\n",
            "_includes/posts/one/en.md": "## A\n\nEnglish.\n",
        },
    )
    assert site.body("content/posts/one/zh.md") == "## 甲\n\n中文。"
    assert site.body("content/posts/one/en.md") == "## A\n\nEnglish."


def test_blocks_with_lang_are_halves_but_words_with_lang_are_not(tmp_path: Path) -> None:
    body = '<section lang="zh-CN" markdown="1">\n中文，<span lang="en">term</span>。\n</section>\n\n'
    site = imported(
        "jekyll",
        tmp_path,
        {
            **JEKYLL,
            "_posts/2020-01-01-a.md": f"---\ntitle: A\n---\n"
            f'{body}<section lang="en" markdown="1">\nText.\n</section>\n',
        },
    )
    assert site.body("content/posts/a/zh.md") == '中文，<span lang="en">term</span>。'
    assert site.body("content/posts/a/en.md") == "Text."


@pytest.mark.parametrize(
    ("liquid", "markdown"),
    [
        ("{% highlight python linenos %}\nx = 1\n{% endhighlight %}", "```python linenums\nx = 1\n```"),
        ("{% raw %}{{ x }}{% endraw %} shown", "{{ x }} shown"),
        ("```\n{% raw %}{% if x %}{% endraw %}\n```", "```\n{% if x %}\n```"),
        ("See [other]({% post_url 2020-01-02-other %}).", "See [other](/posts/other/)."),
        (
            "See [other]({{ site.baseurl }}{% link _posts/2020-01-02-other.md %}).",
            "See [other](/posts/other/).",
        ),
        ("See [other]({{ site.url }}/2020/01/02/other/).", "See [other](/posts/other/)."),
        ("See [other]({{ '/2020/01/02/other/' | relative_url }}#part).", "See [other](/posts/other/#part)."),
        ('![a]({{ "/img/a b.png" | prepend: site.baseurl }})', "![a](a-b.png)"),
        ('<img src="{{ site.baseurl }}/img/a b.png" alt="a">', '<img src="a-b.png" alt="a">'),
        ('{% include figure.html src="/img/a b.png" caption="A chip" %}', "![A chip](a-b.png)\n\nA chip"),
        ("A paragraph.\n{: .lead #first}", "{.lead #first}\nA paragraph."),
        ("## Head\n{: #top}\n\nText.", "{#top}\n## Head\n\nText."),
        ('[a](https://a.example/){:target="_blank"}', '[a](https://a.example/){target="_blank"}'),
        ("* TOC\n{:toc}\n\n## Head", "## Head"),
        ("{% comment %}hidden{% endcomment %}\n\nText.", "<!--hidden-->\n\nText."),
        ("Inline $$x_1 + 2$$ formula.", "Inline $x_1 + 2$ formula."),
        ("##Tight", "## Tight"),
        ("# X\n\nText.", "Text."),
        ("# One\n\n## Two\n\nThree\n---\n\nText.", "## One\n\n### Two\n\n### Three\n\nText."),
        ("`{{ site.baseurl }}` is code.", "`{{ site.baseurl }}` is code."),
    ],
)
def test_liquid_and_kramdown_are_written_as_diglot_does(tmp_path: Path, liquid: str, markdown: str) -> None:
    other = "---\ntitle: Other\nlang: en\n---\n\n## Part\n\nText.\n"
    site = converted("jekyll", tmp_path, liquid, {"_posts/2020-01-02-other.md": other, "img/a b.png": PNG})
    assert site.body(HALF) == markdown
    site.build()


def test_liquid_that_would_have_to_run_stays_and_is_told_with_its_line(tmp_path: Path) -> None:
    site = converted("jekyll", tmp_path, "One.\n\n{% for a in site.posts %}{{ a.title }}{% endfor %}")
    assert "{% for a in site.posts %}{{ a.title }}{% endfor %}" in site.body(HALF)
    assert (
        "_posts/2020-02-03-x.md:9: {% for a in site.posts %} is Liquid, which is not run; "
        "it stays in the text" in site.told()
    )
    site.build()


def test_drafts_pages_people_and_menus(tmp_path: Path) -> None:
    site = imported(
        "jekyll",
        tmp_path,
        {
            **JEKYLL,
            "_drafts/later.md": "---\ntitle: Later\nauthor: ada\ndate: 2020-01-01\n---\n"
            "Text in English here.\n",
            "about.md": "---\ntitle: About\nlayout: page\n---\nAbout the author in English.\n",
            "_data/authors.yml": "ada:\n  name: Ada Lovelace\n  web: https://ada.example/\n",
            "_data/navigation.yml": "main:\n  - {title: About, url: /about/}\n"
            "  - {title: Shop, url: /shop/}\n",
            "README.md": "Not a page.\n",
            "CNAME": "blog.example\n",
        },
    )
    assert site.matter("content/posts/later/en.md") == (
        "title: Later\ndate: 2020-01-01\ndraft: true\nauthors: [ada]\nonly: en\n"
        "aliases:\n  - /2020/01/01/later/\n"
    )
    assert site.matter("content/pages/about/en.md") == "title: About\nonly: en\naliases:\n  - /about/\n"
    configuration = site.text("site/site.yaml")
    assert "authors:\n  ada:\n    name: Ada Lovelace\n    url: https://ada.example/\n" in configuration
    assert "navigation:\n  - label: About\n    path: /about/\n" in configuration
    assert '_data/navigation.yml: the menu\'s "Shop" is left out: nothing is at /shop/' in site.told()
    assert "site/static/CNAME" in site.files()
    site.build()


@pytest.mark.parametrize(
    ("style", "address"),
    [
        ("date", "/hw/2020/02/03/x.html"),
        ("none", "/hw/x.html"),
        ("ordinal", "/hw/2020/034/x.html"),
        ("/blog/:year/:i_month/:title", "/blog/2020/2/x/"),
    ],
)
def test_addresses_follow_the_permalink_style(tmp_path: Path, style: str, address: str) -> None:
    site = imported(
        "jekyll",
        tmp_path,
        {
            "_config.yml": f"title: T\nurl: https://old.example\npermalink: {style}\n",
            "_posts/2020-02-03-x.md": "---\ntitle: X\ncategories: [hw]\n---\nText in English.\n",
        },
    )
    assert f"aliases:\n  - {address}\n" in site.matter(HALF)
    site.build()


def test_tags_and_categories_in_one_text_are_several(tmp_path: Path) -> None:
    post = "---\ntitle: X\nlang: en\ntags: gpu tpu\ncategories: hard ware\n---\nText.\n"
    site = imported("jekyll", tmp_path, {**JEKYLL, "_posts/2020-02-03-x.md": post})
    assert "tags: [gpu, tpu]\ncategories: [hard, ware]\n" in site.text("content/posts/x/en.md")


@pytest.mark.parametrize(
    ("path", "body", "page"),
    [
        ("about.md", "About us.", "about"),
        ("page2/index.md", "Page two text.", "page2"),
        ("docs/index.markdown", "How to {{ x }}.", "docs"),
        ("zh/docs/index.md", "怎么用。", "docs"),
        ("search.md", "How to search.", "search"),
        ("tags.md", "How I tag.", "tags-page"),
    ],
)
def test_a_page_with_text_of_its_own_is_one_whatever_its_name(
    tmp_path: Path, path: str, body: str, page: str
) -> None:
    post = "---\ntitle: X\nlang: en\n---\nText.\n"
    files = {path: f"---\ntitle: A\n---\n{body}\n", "_posts/2020-02-03-x.md": post}
    site = imported("jekyll", tmp_path, {**JEKYLL, **files})
    (half,) = (one for one in site.files() if one.startswith(f"content/pages/{page}/"))
    assert site.body(half) == body
    site.build()


_HOME = "it is the home page with 8 letters and digits of text and is not imported"
_THEME = "it is a page of the theme, which diglot makes itself, with 8 letters and digits of text and is not "


@pytest.mark.parametrize(
    ("path", "body", "told"),
    [
        ("index.md", "Home text", _HOME),
        ("en/index.md", "Home text\n{% for post in site.posts %}{{ post.title }}{% endfor %}", _HOME),
        ("404.md", "Not found", f"{_THEME}imported"),
        ("blog/index.md", "{% for a in paginator.posts %}\nx{% endfor %}All posts", f"{_THEME}imported"),
        ("index.md", '{% include head.html %}\n<div class="list"></div>', ""),
        ("blog/page2/index.md", "{% for a in paginator.posts %}{{ a.title }}{% endfor %}", ""),
        ("blog/page2/index.html", "{% for a in paginator.posts %}{{ a.title }}{% endfor %}", ""),
    ],
)
def test_a_page_that_diglot_makes_itself_is_left_out_and_told_if_it_has_text(
    tmp_path: Path, path: str, body: str, told: str
) -> None:
    post = "---\ntitle: X\nlang: en\n---\nText.\n"
    files = {path: f"---\nlayout: home\n---\n{body}\n", "_posts/2020-02-03-x.md": post}
    site = imported("jekyll", tmp_path, {**JEKYLL, **files})
    assert not [one for one in site.files() if one.startswith("content/pages/")]
    assert [one for one in site.told() if one.startswith(path)] == ([f"{path}: {told}"] if told else [])
    (left,) = (one for one in site.result.ledger.left if one.path == path)
    assert "is not a post or page" not in left.reason
