"""Cards: what a value rests on, with the word in the bar that marks values, and what a reference leads to."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser import axe_violations, has_no_horizontal_scroll, served
from tests.hardware.test_catalogue import SMALL
from tests.site.test_provenance import ROOFS
from tests.slides.making import png
from tests.space import SITE_YAML, Space, told

ZH = """\
脊点在{eval}`roofs.own.ridge | number(0)`，[相差{eval}`roofs.ratio | number(2)`倍](https://example.org/)。

| 芯片 | 脊点 |
| --- | --- |
| 自家 | {eval}`roofs.own.ridge \\| number(1)` |
"""
EN = ZH.replace("脊点在", "It bends at ").replace("，[相差", ", [a factor of ").replace("倍]", "]")
ONE = 'article [data-value="roofs.own.ridge | number(0)"]'
CARD = ".provenance:popover-open"
MARKED = "[data-sources] article [data-value][role=button]"


TALK = """\
---
title: {title}
description: "{{eval}}`roofs.ratio | number(2)`"
---

## One

- {{eval}}`roofs.own.bandwidth | si("B/s")`
- [link](/posts/a/)

## Two

Nothing.
"""

REFERRING = """\
@eq-r, @fig-hbm, @sec-bend, [@jouppi2017], [there](/posts/a/#there),
[ridge](/glossary/#term-ridge), [a](/posts/a/).

$$
R = P
$$ (eq-r)

![Eight stacks](hbm.png "The caption"){#fig-hbm}

## The bend {#sec-bend}

It bends here.
"""
SHOWN = {
    "Equation (1)": "R=P(1)",
    "Figure 1": "Figure 1The caption",
    "“The bend”": "The bend | It bends here.",
    "1": "[1] N. Jouppi, “TPU,” 2017.",
    "there": "Elsewhere | Another page.",
    "ridge": "ridge 脊点 Where roofs meet.",
}
"""Links by their words, and what the card of each shows."""


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Space:
    made = Space(tmp_path_factory.mktemp("cards"))
    made.write("figures/roofs.py", ROOFS)
    made.write("site/hardware/mine.yaml", SMALL)
    below = "\n## Elsewhere {#there}\n\nAnother page.\n"
    made.post("a", zh=ZH + below, en=EN + below)
    made.write("site/site.yaml", f"{SITE_YAML}glossary: true\n")
    made.write(
        "site/glossary.yaml", "ridge: {zh: 脊点, en: ridge, definition: {zh: 脊, en: Where roofs meet.}}\n"
    )
    made.write("site/references.bib", "@misc{jouppi2017, author={Norman Jouppi}, title={TPU}, year=2017}\n")
    made.post("b", zh=REFERRING, en=REFERRING)
    made.write("content/posts/b/hbm.png", png(""))
    for language, title in (("zh", "报告"), ("en", "Talk")):
        made.write(f"content/talks/t/{language}.md", TALK.format(title=title))
    assert told(made.build()) == ""
    return made


@pytest.fixture(scope="module")
def address(space: Space) -> Iterator[str]:
    with served(space.root / "public") as found:
        yield found


def ready(page: Any) -> Any:
    """The page, when it has fetched what it fetches unasked."""
    page.wait_for_function("performance.getEntriesByType('resource').some(one => one.name.includes('aids'))")
    return page


def fetched(page: Any) -> set[str]:
    """The files of provenance that a page has fetched."""
    names = page.evaluate("performance.getEntriesByType('resource').map(one => one.name)")
    return {name.rpartition("/")[2].partition(".")[0] for name in names} & {"values", "provenance"}


@pytest.mark.browser
def test_a_value_says_what_it_rests_on_when_it_is_asked(address: str, open_page) -> None:
    page = ready(open_page(f"{address}/zh/posts/a/", width=360))
    assert fetched(page) == set()
    page.locator(ONE).hover()
    card = page.wait_for_selector(CARD)
    assert [line for line in card.inner_text().splitlines() if line] == [
        "989.4\N{NO-BREAK SPACE}TFLOP/s",
        "One bf16 峰值",
        "÷",
        "≈ 4,800\N{NO-BREAK SPACE}GB/s",
        "One 带宽",
        "=",
        "206",
        "One",
        "bf16 峰值 989.4 TFLOP/s · Data sheet (2024-05)",
        "带宽 ≈ 4,800 GB/s · Data sheet (2024-05)",
        "来源不一致：带宽 4.8 TB/s (Data sheet)、4.9 TB/s (Another)；此处取 4.8 TB/s",
        "细节",
    ]
    card.evaluate("one => { one.querySelector('details').open = true; }")
    assert [line for line in card.inner_text().splitlines() if line][-5:] == [
        "图表：roofs · figures/roofs.py:17",
        '"ridge": catalogue[id_].ridge_flops_per_byte("bf16")',
        "参数：dtype = bf16",
        "roofs.own.ridge | number(0)",
        "全部出处（JSON）",
    ]
    card.evaluate("one => { one.querySelector('details').open = false; }")
    assert fetched(page) == {"values", "provenance"}
    assert has_no_horizontal_scroll(page)
    box = card.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
    page.mouse.move(180, 700)
    page.wait_for_selector(CARD, state="detached")
    page.locator(ONE).click()  # as a tap
    page.wait_for_selector(CARD)
    page.keyboard.press("Escape")
    page.wait_for_selector(CARD, state="detached")


@pytest.mark.browser
def test_a_reference_shows_what_it_leads_to(address: str, open_page) -> None:
    page = ready(open_page(f"{address}/en/posts/b/", width=360))
    assert not page.evaluate("'diglotCards' in globalThis")
    card = page.locator(".reference:popover-open")
    for words, shown in SHOWN.items():
        link = page.locator("article .row").nth(1).get_by_role("link", name=words, exact=True)
        link.hover(timeout=9000)
        card.wait_for(timeout=9000)
        texts = card.evaluate("card => [...card.children].map(part => part.textContent)")
        assert " | ".join(" ".join(text.split()) for text in texts) == shown, words
        assert card.get_attribute("aria-label") == words
        box = card.bounding_box()
        assert (box["x"] >= 0, box["x"] + box["width"] <= 360) == (True, True)
        assert has_no_horizontal_scroll(page)
        if words == "Figure 1":
            assert card.locator("img").is_visible()
            assert axe_violations(page) == []
        page.mouse.move(180, 700)
        card.wait_for(state="detached")
    page.get_by_role("link", name="Equation (1)").focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    card.wait_for()
    page.keyboard.press("Escape")
    card.wait_for(state="detached")
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#eq-r"


@pytest.mark.browser
def test_a_tap_on_a_reference_opens_its_card_and_the_next_one_follows_it(address: str, open_page) -> None:
    page = ready(open_page(f"{address}/en/posts/b/", width=360, has_touch=True))
    page.locator("h1").tap()
    page.wait_for_function("'diglotCards' in globalThis")
    link = page.get_by_role("link", name="Figure 1")
    link.tap()
    page.wait_for_selector(".reference:popover-open")
    assert page.evaluate("location.hash") == ""
    link.tap()
    page.wait_for_function("location.hash === '#fig-hbm'")
    page.locator("article .row").nth(1).get_by_role("link", name="a", exact=True).tap()
    page.wait_for_url("**/en/posts/a/")


@pytest.mark.browser
def test_a_word_in_the_bar_marks_the_values_for_the_keyboard_too(address: str, open_page) -> None:
    page = ready(open_page(f"{address}/en/posts/a/"))
    assert page.locator("article [tabindex]").count() == 0
    switch = page.get_by_role("button", name="Sources")
    switch.press("Enter")
    page.wait_for_selector(MARKED)
    assert switch.get_attribute("aria-pressed") == "true"
    assert page.locator(MARKED).count() == 2, "a value in a link is none of its own"
    page.keyboard.press("Tab")  # to light and dark
    page.locator("h1").click()
    page.keyboard.press("Tab")
    page.wait_for_selector(CARD)
    value = page.locator(ONE)
    assert value.get_attribute("aria-expanded") == "true"
    assert axe_violations(page) == []
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.provenance') !== null")
    page.keyboard.press("Escape")
    page.wait_for_selector(CARD, state="detached")
    assert value.evaluate("value => value === document.activeElement")
    assert value.get_attribute("aria-expanded") == "false"
    page.click('[data-word="zh"]')
    page.wait_for_selector("html[lang=zh-Hans][data-sources]")
    assert page.get_by_role("button", name="出处").get_attribute("aria-pressed") == "true"
    assert page.locator(MARKED).count() == 2
    page.goto(f"{address}/en/posts/a/both/")
    page.wait_for_selector(MARKED)
    assert page.locator(MARKED).count() == 4
    page.locator(f".half:lang(zh) {ONE.removeprefix('article ')}").click()
    assert page.wait_for_selector(CARD).inner_text().count("来源不一致") == 1
    page.emulate_media(media="print")
    assert not page.locator(".provenance").is_visible()
    page.emulate_media(media="screen")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Sources").click()
    page.wait_for_selector(":root:not([data-sources])")
    assert page.locator("article [data-value][tabindex]").count() == 0
    page.reload()
    ready(page)
    assert fetched(page) == set(), "the choice is remembered"


@pytest.mark.browser
def test_without_a_script_or_a_server_the_file_is_there(space: Space, address: str, open_page) -> None:
    plain = open_page(f"{address}/en/posts/a/", java_script_enabled=False)
    assert not plain.locator("button.marks").is_visible()
    assert plain.locator(ONE).inner_text() == "206"
    link = plain.get_by_role("link", name="Where the values here come from (JSON)")
    assert link.get_attribute("href") == "/en/posts/a/values.json"
    space.build(output="files", relative=True)
    page = open_page((space.root / "files/en/posts/a/index.html").as_uri())
    page.locator(ONE).click()
    assert "Sources disagree: Bandwidth" in page.wait_for_selector(CARD).inner_text()


@pytest.mark.browser
def test_values_on_slides_have_cards_once_a_reader_asks_for_them(address: str, open_page) -> None:
    page = open_page(f"{address}/en/talks/t/#/2", width=1280, height=720)
    value = page.locator(".slide[data-on=now] [data-value]")
    value.hover()
    assert fetched(page) == set(), "the switch is off"
    page.keyboard.press("v")
    page.wait_for_selector("[data-sources] .slide[data-on=now] [data-value][role=button]")
    switch = page.locator(".slide[data-on=now] button.marks")
    assert switch.get_attribute("aria-pressed") == "true"
    value.focus()
    page.keyboard.press("Enter")
    card = page.wait_for_selector(CARD)
    assert [line for line in card.inner_text().splitlines() if line][-4:] == [
        "One",
        "Bandwidth ≈ 4,800 GB/s · Data sheet (2024-05)",
        "Sources disagree: Bandwidth 4.8 TB/s (Data sheet), 4.9 TB/s (Another); used here: 4.8 TB/s",
        "Details",
    ]
    assert axe_violations(page) == []
    page.keyboard.press("Escape")
    page.wait_for_selector(CARD, state="detached")
    assert page.evaluate("location.hash") == "#/2", "the keys were the card's"
    value.click()
    page.wait_for_selector(CARD)
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(CARD, state="detached")
    assert page.evaluate("location.hash") == "#/3"
    assert not page.locator(".slide[data-on=now] button.marks").is_visible(), "no value stands there"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("l")
    page.locator(".slide[data-on=now] [data-value][role=button]").click()
    assert "来源不一致" in page.wait_for_selector(CARD).inner_text()
    page.emulate_media(media="print")
    assert page.locator(".slide button.marks:visible").count() == 0
    page.emulate_media(media="screen")
    page.goto(f"{address}/zh/posts/a/")
    page.wait_for_selector(MARKED)  # the choice is the same for articles
    page.get_by_role("button", name="出处").click()
