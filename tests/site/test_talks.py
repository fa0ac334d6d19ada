"""Talks: their pages, what reruns, their PDF, and slides that overflow."""

import re

import pytest

from diglot.check.chromium import find_chromium
from diglot.cli import main
from tests.browser import axe_violations, served
from tests.site.test_controls import WAVE
from tests.space import BARS, SITE_YAML, Space, errors, ran, told

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360606060"
    "000000050001a5f645400000000049454e44ae426082"
)
TALK = """\
---
title: {title}
{shared}authors: [ada]
params: {{minutes: 20}}
---

:::{{notes}}
{welcome}
:::

{sentence}{{eval}}`wave.here | number(2)`.

## {bars} {{#bars}}

```{{figure}} bars
{source}
```

## {turned}

```{{figure}} wave
:explore: n = 0..2048 step 1024
```

- {{eval}}`wave.waves | number(0)`

:::{{notes}}
{say}
:::

## {steps}

{{.step}}
- {one}
- {two}
- H200

See {{ref}}`bars`, [this](/posts/one/).

***

| a | b |
| - | - |
| 1 | 2 |

---

![{pixel}](pixel.png)
"""
ZH = {
    **{
        "title": "一次报告",
        "welcome": "开场白。",
        "sentence": "这里是",
        "bars": "两根柱子",
        "source": "出处。",
    },
    **{
        "turned": "可以拨动",
        "say": "慢慢拨。",
        "steps": "一步一步",
        "one": "甲",
        "two": "乙",
        "pixel": "一个点",
    },
}
EN = {
    **{
        "title": "A talk",
        "welcome": "Welcome.",
        "sentence": "Here is ",
        "bars": "Two bars",
        "source": "From us.",
    },
    **{"turned": "To be turned", "say": "Slowly.", "steps": "Step by step", "one": "A", "two": "B"},
    "pixel": "A pixel",
}


def write(space: Space, shared: str = "") -> None:
    """A project with an article and a talk."""
    space.write("site/site.yaml", f"{SITE_YAML}authors: {{ada: {{name: {{zh: 阿达, en: Ada}}}}}}\n")
    space.write("figures/bars.py", BARS)
    space.write("figures/wave.py", WAVE)
    space.write("content/talks/first/pixel.png", PIXEL)
    space.write("content/talks/first/zh.md", TALK.format(**ZH, shared=shared))
    space.write("content/talks/first/en.md", TALK.format(**EN, shared=shared))
    space.post("one", zh="一。\n\n:::{notes}\n秘密\n:::", en="One.\n\n:::{notes}\nSecret\n:::")


FILE = "public/en/talks/first/first.en.html"
"""The English half as one file."""
ROOM = """(() => {
  const drawing = document.querySelector('.slide[data-on=now] .at-slide svg');
  const box = drawing.getBoundingClientRect();
  const [width, height] = drawing.classList[0].match(/\\d+/g);
  return [box.width - 1.75 * width, box.height - 1.75 * height];
})()"""
"""How much wider and higher the place of a drawing on a slide is than the room that it was made for."""
FOLLOWED = "document.querySelector('main [data-figure][data-value]').textContent === '2'"
"""Whether the value that follows a control shows its second state."""


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Space:
    """A built site with a talk."""
    space = Space(tmp_path_factory.mktemp("talk"))
    write(space)
    result = space.build()
    assert not told(result)
    assert ran(space.build()) == []
    return space


def slides(page: str) -> list[str]:
    """The slides of a page in its own language, by their class names."""
    return re.findall(r'<section class="(slide[^"]*)"', page.partition("<template data-digest")[0])


def test_a_talk_has_a_page_for_each_language(talk: Space) -> None:
    page = talk.page("en/talks/first")
    expected = ["cover", "statement", "figure", "points", "columns", "full"]
    assert slides(page) == [f"slide {one}" for one in expected]
    assert re.search(r'<img src="/assets/talks/first/pixel\.\w+\.png"', page)
    assert 'href="/en/posts/one/"' in page
    assert '<meta property="og:url" content="https://example.org/en/talks/first/">' in page
    assert '<a href="/en/talks/first/first.en.html" download>' in page
    assert "Welcome." in page
    assert "Slowly." in page
    assert "From us. " in page
    assert '<span class="second" lang="zh-Hans">出处。 </span><span>figures/bars.py' in page
    assert re.search(r'<p class="when">Ada</p>', page)
    assert talk.page("zh/talks/first").count('class="slide ') == page.count('class="slide ')


def test_a_talk_is_there_as_one_file_that_holds_everything(talk: Space) -> None:
    file = (talk.root / FILE).read_text("utf-8")
    assert slides(file) == slides(talk.page("en/talks/first"))
    assert 'src="data:image/png;base64,' in file
    assert 'url("data:font/woff2;base64,' in file
    assert "U+0391" not in file  # no letter of that face stands in it
    assert not re.search(r'<(?:script|link rel="stylesheet"|img)[^>]* (?:src|href)="(?!data:)', file)
    for address in re.findall(r' data-(?:frames|following-[\w-]+)="([^"]*)"', file):
        assert f'<script type="application/json" id="{address.removeprefix("#")}">' in file
    assert 'href="https://example.org/en/posts/one/"' in file
    assert "开场白" in file.partition("<template data-digest")[2]


def test_readers_and_search_engines_find_the_page_of_a_talk_and_not_its_file(talk: Space) -> None:
    file = (talk.root / FILE).read_text("utf-8")
    assert '<meta name="robots" content="noindex">' in file
    assert '<link rel="canonical" href="https://example.org/en/talks/first/">' in file
    assert 'rel="alternate"' not in file
    files = {"en/talks/first/first.en.html", "zh/talks/first/first.zh.html"}
    led = {path for path, text in talk.outputs().items() if b"first.en.html" in text} - files
    assert led == {"en/talks/first/index.html", "en/talks/index.html", "en/index.html"}


def test_talks_are_in_no_list_of_articles_and_articles_do_not_show_notes(talk: Space) -> None:
    for path in ("en/archive/2026", "zh/archive/2026", "en/posts/one"):
        assert "/talks/" not in talk.page(path)
    assert "Secret" not in talk.page("en/posts/one")
    sitemap = (talk.root / "public/sitemap.xml").read_text("utf-8")
    assert all(f"<loc>https://example.org/en/talks/{one}</loc>" in sitemap for one in ("", "first/"))
    assert not list(talk.root.glob("public/*/talks/first/both"))


def test_talks_have_a_list_of_their_own_and_lead_to_their_article(talk: Space, space: Space) -> None:
    entry = talk.page("en/talks")
    assert '<h2><a href="/en/talks/first/">A talk</a></h2>' in entry
    html = '<a href="/en/talks/first/first.en.html" download>HTML</a>'
    assert f'<p class="files">{html}</p>' in entry

    space.copied_from(talk)
    write(space, "date: 2026-11-20\narticle: one\n")
    space.write("content/talks/first/meta.yaml", "event: {zh: 讨论班, en: Seminar}\n")
    space.write("content/talks/first/first.en.pdf", b"%PDF")
    space.write("content/talks/first/first.zh.pptx", b"PK")
    space.write("content/talks/second/en.md", "---\ntitle: Second\nonly: en\n---\n\nText.\n")
    space.write(
        "site/site.yaml", f"{SITE_YAML}navigation: [{{label: {{zh: 演讲, en: Talks}}, path: /talks/}}]\n"
    )
    assert not errors(space.build())
    page = space.page("en/talks")
    assert page.index(">A talk</a>") < page.index(">Second</a>")  # those with a date come first
    assert '<time datetime="2026-11-20">20 November 2026</time>&nbsp;· Seminar</span>' in page
    about = 'Article: <a href="/en/posts/one/">Article one</a>'
    file = '<a href="/en/talks/first/first.en.pdf">PDF</a>'
    assert f'<p class="files">{html}&nbsp;· {file}&nbsp;· {about}</p>' in page
    assert (space.root / "public/en/talks/first/first.en.pdf").read_bytes() == b"%PDF"
    assert '<a href="/zh/talks/first/first.zh.pptx">PowerPoint</a>' in space.page("zh/talks")
    assert ">Second<" not in space.page("zh/talks")
    assert '<a href="/en/talks/" aria-current="page">Talks</a>' in page
    assert '<a class="article" href="/en/posts/one/">Article</a>' in space.page("en/talks/first")
    assert "Seminar" in space.page("en/talks/first")
    for path in ("zh/posts/one", "zh/posts/one/both"):
        assert '<p class="talk">幻灯片：<a href="/zh/talks/first/">一次报告</a></p>' in space.page(path)
    clean = space.build(output="clean", cache_folder=space.root / "other")
    assert not errors(clean)
    assert space.outputs() == space.outputs("clean")

    space.write("content/pages/talks/en.md", "---\ntitle: My talks\nonly: en\n---\n\nMy own list.\n")
    space.write("content/talks/first/meta.yaml", "article: onne\n")
    write(space)
    told_now = told(space.build())
    assert told_now == (
        'content/talks/first/meta.yaml:1:10: error[talk-article]: article: there is no article "onne"\n'
        "    article: onne\n             ^^^^\n"
        '  fix: did you mean "one"?'
    )
    space.write("content/talks/first/meta.yaml", "article: one\n")
    space.post("two", zh="二。", en="Two.")
    assert not errors(space.build())
    assert "My own list." in space.page("en/talks")


def test_an_edit_reruns_both_pages_of_the_talk_and_nothing_else(talk: Space, space: Space) -> None:
    space.copied_from(talk)
    space.change("content/talks/first/en.md", "Slowly.", "Slowly now.")
    result = space.build()
    assert not errors(result)
    kinds = {one.split()[0] for one in ran(result)}
    assert {"talk-page", "whole-talk"} <= kinds
    assert not kinds & {"slide-drawing", "slide-frames", "article-page", "home-page", "data"}
    assert "Slowly now." in space.page("en/talks/first")
    clean = space.build(output="clean", cache_folder=space.root / "other")
    assert not errors(clean)
    assert space.outputs() == space.outputs("clean")


def test_a_talk_in_a_browser(talk: Space, open_page) -> None:
    def on(page) -> str:
        return page.evaluate(
            "location.hash + ' ' + document.querySelector('.slide[data-on=now]').dataset.row"
        )

    with served(talk.root / "public") as address:
        page = open_page(f"{address}/en/talks/first/#/3", width=1280, height=720)
        assert on(page) == "#/3 bars"
        assert page.evaluate(ROOM) == pytest.approx([1, 1], abs=2)
        for key in ("ArrowRight", "PageDown", "ArrowRight", "ArrowRight"):
            page.keyboard.press(key)
        assert on(page).startswith("#/5 ")
        assert page.locator("main li:visible").all_inner_texts() == ["A", "B"]
        page.keyboard.press("ArrowLeft")
        assert page.locator("main li:visible").all_inner_texts() == ["A"]
        page.keyboard.press("l")
        page.wait_for_selector("html[lang=zh-Hans]")
        assert page.url.endswith("/zh/talks/first/#/5")
        assert page.locator("main h2:visible").inner_text() == "一步一步"
        page.keyboard.press("b")
        assert page.url.endswith("/zh/talks/first/?both#/5")
        assert page.locator("main header .second:visible").inner_text() == "Step by step"
        assert page.locator("main li:visible").all_inner_texts() == ["甲\nA"]
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        assert page.locator("main li:visible").all_inner_texts() == ["甲\nA", "乙\nB", "H200"]
        assert page.locator("main table .second:visible").count() == 0
        page.locator("main [data-both]:visible").click()
        assert page.locator("main .second:visible").count() == 0
        page.keyboard.press("?")
        assert page.evaluate("document.activeElement.className") == "keys", "and not its link"
        page.keyboard.press("?")
        page.keyboard.press("o")
        assert page.locator("main > .slide:visible").count() == 6
        assert not axe_violations(page)
        page.locator("main > .slide").nth(3).click()
        assert on(page).startswith("#/4 ")
        reveal = "one => one.dispatchEvent(new CustomEvent('diglot:reveal', { bubbles: true }))"
        page.locator("main #bars").evaluate(reveal)
        assert on(page) == "#/3 bars"  # as a preview does that follows the author
        page.keyboard.press("End")
        page.evaluate("location.hash = '#/4'")
        page.wait_for_function("document.querySelector('[data-on=now] input')")
        assert page.evaluate(ROOM) == pytest.approx([1, 1], abs=2)
        page.keyboard.press("l")
        page.locator(".slide[data-on] input[type=range]").focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_function(FOLLOWED)
        page.wait_for_function("location.hash === '#/4;fig-wave?n=2048'")  # written after the drawing
        with page.expect_popup() as opened:
            page.keyboard.press("s")
        speaker = opened.value
        speaker.wait_for_function("document.querySelector('.desk .said').textContent.trim() === 'Slowly.'")
        assert speaker.locator("main > .slide:visible").count() == 2
        speaker.wait_for_function(FOLLOWED)
        speaker.keyboard.press("PageUp")
        page.wait_for_function("location.hash.startsWith('#/3')")
        speaker.close()


def test_where_the_script_of_a_talk_does_not_come_it_is_read_as_a_document(talk: Space, browser) -> None:
    with served(talk.root / "public") as address:
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.route("**/deck.*.js", lambda route: route.abort())
        page.goto(f"{address}/en/talks/first/")
        page.wait_for_selector("html:not([data-mode])")
        assert page.locator("main > .slide:visible").count() == 6
        page.close()


def test_where_the_other_language_does_not_come_its_page_is_opened_at_the_same_slide(
    talk: Space, browser
) -> None:
    with served(talk.root / "public") as address:
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.route(
            "**/zh/talks/first/",
            lambda route: route.abort() if route.request.resource_type == "fetch" else route.continue_(),
        )
        page.goto(f"{address}/en/talks/first/?both#/3")
        page.wait_for_selector(".slide[data-on=now]")
        page.keyboard.press("l")
        page.wait_for_url("**/zh/talks/first/?both#/3")
        page.wait_for_selector(".slide[data-on=now]:lang(zh)")
        page.close()


def test_a_talk_works_from_a_file(talk: Space, browser) -> None:
    file = (talk.root / FILE).as_uri()
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"{file}#/4")
    page.locator(".slide[data-on] input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(FOLLOWED)
    page.keyboard.press("l")
    page.wait_for_selector("html[lang=zh-Hans]")
    page.close()
    assert not complaints


@pytest.mark.parametrize("path", ["en/talks/first/", "en/talks/first/first.en.html"])
def test_a_talk_can_be_read_without_a_script(talk: Space, browser, path: str) -> None:
    plain = browser.new_page(java_script_enabled=False, viewport={"width": 360, "height": 800})
    with served(talk.root / "public") as address:
        plain.goto(f"{address}/{path}")
        assert plain.locator("main > .slide:visible").count() == 6
        assert plain.locator("main .at-phone:visible").count() == 2
        plain.close()


@pytest.mark.skipif(find_chromium() is None, reason="no Chromium on this machine")
def test_slides_are_printed_and_measured(
    talk: Space, space: Space, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(space.root)
    space.copied_from(talk)
    assert main(["slides", "pdf", "first", "--lang", "en", "-o", "handouts"]) == 0
    assert capsys.readouterr().out == "handouts/first.en.pdf\n"
    pdf = (space.root / "handouts/first.en.pdf").read_bytes()
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 6
    assert main(["slides", "pdf", "first", "--lang", "en", "--both"]) == 0
    assert capsys.readouterr().out == "first.en-zh.pdf\n"
    assert main(["slides", "pdf", "frist"]) == 2
    assert 'there is no talk named "frist"\n  fix: did you mean "first"?' in capsys.readouterr().err
    assert main(["check", "--twice", "0"]) == 0
    assert "slide-overflow" not in capsys.readouterr().err

    space.change("content/talks/first/en.md", "- A\n", "- A line of text.\n" * 30)
    assert main(["check", "--twice", "0"]) == 0
    told = capsys.readouterr().err
    place = "content/talks/first/en.md:31"
    warning = rf"{place}: warning\[slide-overflow\]: slide 5 does not fit: it is \d+ px too high"
    assert re.search(rf"^{warning}\n  fix: say less, or make two slides of it\.$", told, re.MULTILINE)
    assert told.count("slide-overflow") == 2
    both = "does not fit with both languages: it is"
    assert re.findall(rf"(\w+)\.md:\d+: warning\[slide-overflow\]: slide 5 {both}", told) == ["zh"]


def test_a_figure_that_draws_nothing_is_an_error_of_the_talk_in_both_languages(space: Space) -> None:
    space.write(
        "figures/numbers.py",
        'TITLE = {"zh": "数", "en": "Numbers"}\n\n\ndef compute():\n    return {"a": 1}\n',
    )
    body = "---\n\n```{figure} numbers\n```\n\n## B\n\n```{table} numbers\n```\n"
    for language, title in (("zh", "报告"), ("en", "Talk")):
        space.write(f"content/talks/t/{language}.md", f"---\ntitle: {title}\ndate: 2026-11-01\n---\n\n{body}")
    assert sorted(one.rule for one in errors(space.build())) == [
        *["figure-missing"] * 2,
        *["table-missing"] * 2,
    ]
