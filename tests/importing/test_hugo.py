"""Hugo: what becomes of bundles, languages, shortcodes, menus and old addresses."""

from pathlib import Path

import pytest

from tests.importing.sources import HALF, HUGO, PNG, converted, imported


def test_a_bundle_with_language_suffixes_is_a_pair_with_all_its_files(tmp_path: Path) -> None:
    site = imported(
        "hugo",
        tmp_path,
        {
            **HUGO,
            "content/posts/Roof Lines/index.zh.md": '+++\ntitle = "屋顶"\ndate = 2020-02-03T10:00:00+08:00\n'
            'tags = ["推理", "gpu"]\nweight = 3\n+++\n见 ![图](images/stack one.png)。\n',
            "content/posts/Roof Lines/index.en.md": '+++\ntitle = "Roof"\ndate = 2020-02-03T10:00:00+08:00\n'
            'tags = ["inference", "gpu"]\n+++\nSee ![a](images/stack%20one.png).\n',
            "content/posts/Roof Lines/images/stack one.png": PNG,
            "content/posts/Roof Lines/data.csv": "a,b\n",
            "content/posts/_index.md": "---\ntitle: All\n---\n",
        },
    )
    assert site.files() == [
        "content/posts/roof-lines/data.csv",
        "content/posts/roof-lines/en.md",
        "content/posts/roof-lines/images/stack-one.png",
        "content/posts/roof-lines/meta.yaml",
        "content/posts/roof-lines/zh.md",
        "site/site.yaml",
    ]
    assert site.body("content/posts/roof-lines/zh.md") == "见 ![图](images/stack-one.png)。"
    assert site.text("content/posts/roof-lines/meta.yaml") == "date: 2020-02-03\ntags: [inference, gpu]\n"
    assert "  - /posts/roof-lines/\n" in site.matter("content/posts/roof-lines/zh.md")
    assert 'title: {zh: "站", en: "Site"}' in site.text("site/site.yaml")
    assert "# weight: 3" in site.matter("content/posts/roof-lines/zh.md")
    site.build()


def test_a_series_is_kept_with_the_place_in_it(tmp_path: Path) -> None:
    def post(language: str, series: str, part: str) -> str:
        return f"---\ntitle: A\nlang: {language}\ndate: 2020-02-03\nseries: {series}\n{part}---\n正文 text.\n"

    site = imported(
        "hugo",
        tmp_path,
        {
            **HUGO,
            "content/posts/a.zh.md": post("zh", '["屋顶线"]', "series_order: 2\n"),
            "content/posts/a.en.md": post("en", '["Rooflines"]', "series_order: 2\n"),
            "content/posts/b.en.md": post("en", '["Rooflines", "Chips"]', "series_order: later\n"),
        },
    )
    assert site.text("content/posts/a/meta.yaml") == "date: 2020-02-03\nseries: rooflines\npart: 2\n"
    assert "series: rooflines\nonly: en\n" in site.matter("content/posts/b/en.md")
    assert 'series:\n  rooflines: {zh: "屋顶线", en: "Rooflines"}\n' in site.text("site/site.yaml")
    assert '# series_order: "later"' in site.matter("content/posts/b/en.md")
    several, order = (one for one in site.told() if "series" in one)
    assert several == 'content/posts/b.en.md:5: the article is in 2 series, and only "Rooflines" is kept'
    assert order.startswith("content/posts/b.en.md:6: `series_order` has no counterpart")
    site.build()


def test_language_folders_with_other_names_are_joined_by_their_key(tmp_path: Path) -> None:
    site = imported(
        "hugo",
        tmp_path,
        {
            "config/_default/hugo.yaml": "baseURL: https://old.example/blog/\ndefaultContentLanguage: en\n"
            "permalinks:\n  posts: /:year/:month/:slug/\n",
            "config/_default/languages.yaml": "en: {contentDir: content/en, title: Site}\n"
            "zh: {contentDir: content/zh, title: 站}\n",
            "config/_default/menus.en.yaml": "main:\n  - {name: Posts, url: /posts/, weight: 2}\n"
            "  - {name: Tags, url: /tags/, weight: 1}\n  - {name: About, pageRef: /about, weight: 3}\n",
            "config/_default/menus.zh.yaml": "main:\n  - {name: 标签, url: tags}\n"
            "  - {name: 关于, url: /about}\n",
            "content/en/posts/start.md": "---\ntitle: Start\ndate: 2020-02-03\ntranslationKey: s\ntags: [a]\n"
            "aliases: [/very/old/]\n---\nSee [us](/blog/about/).\n",
            "content/zh/posts/kaishi.md": "---\ntitle: 开始\ndate: 2020-02-03\n"
            "translationKey: s\n---\n正文。\n",
            "content/en/about.md": "---\ntitle: About\n---\nUs.\n",
            "content/zh/about.md": "---\ntitle: 关于\n---\n我们。\n",
        },
    )
    assert site.body("content/posts/start/zh.md") == "正文。"
    assert site.matter("content/posts/start/en.md").endswith(
        "aliases:\n  - /2020/02/start/\n  - /very/old/\n"
    )
    assert site.matter("content/posts/start/zh.md").endswith("aliases:\n  - /zh/2020/02/开始/\n")
    assert site.body("content/posts/start/en.md") == "See [us](/about/)."
    assert site.matter("content/pages/about/zh.md") == "title: 关于\n"
    assert site.text("site/site.yaml").endswith(
        'navigation:\n  - label: {zh: "标签", en: "Tags"}\n    path: /tags/\n'
        '  - label: {zh: "关于", en: "About"}\n    path: /about/\n'
    )
    assert "base_url: https://old.example/blog/\nlanguages:\n  first: en\n" in site.text("site/site.yaml")
    site.build()


@pytest.mark.parametrize(
    ("shortcode", "markdown"),
    [
        ('{{< figure src="/images/a.png" alt="A" caption="The *stack*" >}}', "![A](a.png)\n\nThe *stack*"),
        ('{{< figure src="/images/a.png" title="T" width="50%" >}}', "![T](a.png){width=50%}\n\nT"),
        ('{{< highlight go "linenos=table" >}}\nx := 1\n{{< /highlight >}}', "```go linenums\nx := 1\n```"),
        ('See [other]({{< ref "/posts/other.md" >}}).', "See [other](/posts/other/)."),
        ('See [other]({{% relref "other.md#a-part" %}}).', "See [other](/posts/other/#a-part)."),
        ("{{% notice warning %}}\nMind *this*.\n{{% /notice %}}", ":::{warning}\nMind *this*.\n:::"),
        (
            '{{< admonition tip "Do" >}}\nOne.\n{{< notice note >}}\nTwo.\n{{< /notice >}}\n'
            "{{< /admonition >}}",
            "::::{tip} Do\nOne.\n\n:::{note}\nTwo.\n:::\n::::",
        ),
        ("`{{</* figure */>}}` is shown.", "`{{< figure >}}` is shown."),
        ("{{< youtube abc-1 >}}", "<https://www.youtube.com/watch?v=abc-1>"),
        ("Costs \\\\(O(n^2)\\\\) steps.", "Costs $O(n^2)$ steps."),
        (
            "$$\\begin{align}a &= b \\\\\\\\ c &= d\\end{align}$$",
            "$$\\begin{aligned}a &= b \\\\ c &= d\\end{aligned}$$",
        ),
        ("$$\na = 中文\\label{eq:a}\n$$", "$$a = \\text{中文}$$"),
        ("From $5 to $6 it costs.", "From $5 to $6 it costs."),
        ("```python {linenos=true}\nx\n```", "```python linenums\nx\n```"),
        ("```{r, echo=FALSE}\nx\n```", "```r\nx\n```"),
        ("[a](#a-head)\n\n## A head", "[a](#a-head)\n\n## A head {#a-head}"),
        ("[a](#nothing)", "a"),
        ("![a](/images/gone.png)", "![a](https://old.example/images/gone.png)"),
        ("[a](/gone/?x=1)", "[a](https://old.example/gone/)"),
        ("[a](https://old.example/posts/other/)", "[a](/posts/other/)"),
        ("[a]: /posts/other/\n\nSee [a].", "[a]: /posts/other/\n\nSee [a]."),
    ],
)
def test_shortcodes_formulas_and_links_are_written_as_diglot_does(
    tmp_path: Path, shortcode: str, markdown: str
) -> None:
    other = "---\ntitle: Other\ndate: 2020-01-01\n---\n\n## A part\n\nText.\n"
    site = converted(
        "hugo", tmp_path, shortcode, {"content/posts/other.en.md": other, "static/images/a.png": PNG}
    )
    assert site.body(HALF) == markdown
    site.build()


def test_an_unknown_shortcode_stays_and_is_told_with_its_line(tmp_path: Path) -> None:
    site = converted("hugo", tmp_path, 'One.\n\n{{<gallery dir="a">}}\n\nTwo <b>words</b>.')
    assert site.body(HALF) == 'One.\n\n{{\\<gallery dir="a">}}\n\nTwo <b>words</b>.'
    assert (
        'content/posts/x.en.md:9: {{<gallery dir="a">}} is a shortcode without a counterpart; '
        "it stays in the text" in site.told()
    )
    site.build()


@pytest.mark.parametrize(
    ("body", "markdown", "told"),
    [
        ("A <font color=red>word.", "A <!-- <font color=red> -->word.", "<font> is never closed"),
        ("A vector<int> of 2.", "A vector\\<int> of 2.", "<int> is never closed"),
        ("Text.</div>", "Text.<!-- </div> -->", "</div> closes nothing here"),
        ("A note.[^1]", "A note.\\[^1]", "there is no footnote [^1]"),
        ("It is $\\frob{x}$.", "It is `$\\frob{x}$`.", "LaTeX: "),
        (
            "- a {#x}\n\nc ![b](/images/a.png){#y}",
            "- a {#x}\n\nc ![b](a.png)",
            'the id "y" is inside a block',
        ),
        ("See {term}`x`.", "See \\{term}`x`.", 'there is no role "term"'),
        (":::\nText.", "\\:::\nText.", "there is no open admonition to close here"),
        ("One\x08 two.", "One two.", "the character U+0008 is left out"),
        (
            '<base href="//x.example/">',
            '<base href="//x.example/">',
            '<base href="//x.example/"> changes where',
        ),
        (
            "<a href=' JavaScript:go()'>x</a>",
            "<a href=' JavaScript:go()'>x</a>",
            '"JavaScript:go()" runs a script',
        ),
    ],
)
def test_what_the_parser_refuses_is_kept_as_text_and_told(
    tmp_path: Path, body: str, markdown: str, told: str
) -> None:
    site = converted("hugo", tmp_path, body, {"static/images/a.png": PNG})
    assert site.body(HALF) == markdown
    assert any((told in one and "content/posts/x.en.md:7" in one) or told in one for one in site.told())
    site.build()


def test_halves_that_agree_not_on_a_draft_keep_both(tmp_path: Path) -> None:
    site = imported(
        "hugo",
        tmp_path,
        {
            **HUGO,
            "content/posts/a.zh.md": "---\ntitle: 甲\ndate: 2020-01-02\n---\n正文。\n",
            "content/posts/a.en.md": "---\ntitle: A\ndate: 2020-01-03\ndraft: true\n---\nNot done.\n",
        },
    )
    assert site.files() == ["content/posts/a/_en.md", "content/posts/a/zh.md", "site/site.yaml"]
    assert "only: zh\n" in site.matter("content/posts/a/zh.md")
    assert (
        "content/posts/a.en.md:4: only this half is a draft; it is kept as _en.md, which is not read"
        in site.told()
    )
    site.build()


def test_other_languages_and_formats_are_told(tmp_path: Path) -> None:
    site = imported(
        "hugo",
        tmp_path,
        {
            **HUGO,
            "content/posts/a.zh.md": "---\ntitle: 甲\ndate: 2020-01-02\n---\n正文。\n",
            "content/posts/a.ja.md": "---\ntitle: あ\n---\n",
            "content/posts/b.org": "* B\n",
        },
    )
    assert 'content/posts/a.ja.md: it is in the language "ja" and is not imported' in site.told()
    assert "content/posts/b.org: a page in .org is not imported" in site.told()


def test_a_chinese_name_without_pinyin_gives_an_address_from_the_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("diglot.importing.names._pinyin_library", lambda: None)
    site = imported(
        "hugo",
        tmp_path,
        {
            **HUGO,
            "content/posts/做自己.zh.md": "---\ntitle: 做自己\ndate: 2020-01-02\ntags: [微信]\n---\n正文。\n",
        },
    )
    assert "content/posts/2020-01-02/zh.md" in site.files()
    assert "  - /posts/做自己/\n" in site.matter("content/posts/2020-01-02/zh.md")
    assert (
        'content/posts/做自己.zh.md: its name has no Latin letters: its address is made from "2020-01-02"'
        in site.told()
    )
    assert (
        'content/posts/做自己.zh.md:4: "微信" gets the id u5fae-u4fe1, as ids are in Latin letters'
        in site.told()
    )
    assert "  u5fae-u4fe1: 微信\n" in site.text("site/site.yaml")
    assert not site.build().diagnostics


@pytest.mark.parametrize(
    ("start", "told"),
    [
        ('{"title": "A", "date": "2020-01-02"}', False),
        ('{\n  "title": "A",\n  "date": "2020-01-02"\n}', False),
        ('---json\n{"title": "A",\n "date": "2020-01-02"}\n---', False),
        ('--- json\n{\n"title": "A",\n"date": "2020-01-02"\n}\n---', False),
        ('---toml\ntitle = "A"\ndate = 2020-01-02\n---', False),
        ('{\n  "title": "A",\n  "date": "2020-01-02",\n}', True),
        ('---json\n{\n  "title": "A",\n  "date": "2020-01-02",\n}\n---', True),
    ],
)
def test_front_matter_in_json_is_no_part_of_the_text(tmp_path: Path, start: str, told: bool) -> None:
    site = imported("hugo", tmp_path, {**HUGO, "content/posts/a.en.md": f"{start}\nText of {{1}}.\n"})
    assert site.matter("content/posts/a/en.md").startswith("title: A\ndate: 2020-01-02\n")
    assert site.body("content/posts/a/en.md") == "Text of {1}."
    assert any("the front matter is broken" in one for one in site.told()) == told


@pytest.mark.parametrize("body", ['{"a": 1} is JSON.', '{"a": 1, is none.', "{a: b}"])
def test_braces_in_the_first_line_of_a_text_stay(tmp_path: Path, body: str) -> None:
    site = imported("hugo", tmp_path, {**HUGO, "content/posts/a.en.md": f"{body}\n"})
    assert site.body("content/posts/a/en.md") == body
