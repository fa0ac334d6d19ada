"""Aids to reading in a browser: copying, sorting, enlarging, links to blocks, and no keys that surprise."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from tests.browser import axe_violations, has_no_horizontal_scroll, served
from tests.space import BARS, Space, told

pytestmark = pytest.mark.browser

CHIPS = (
    *(("H100", "3.35 TB/s", "70B"), ("L4", "300 GB/s", "7B"), ("H200", "4.8 TB/s", "405B")),
    *(("B200", "8 TB/s", "900M"), ("TPU v5e", "819 GB/s", "1.5B"), ("TPU v6e", "1,640 GB/s", "12")),
    *(("A100", "2,039 GB/s", "13"), ("V10", "—", "2"), ("V9", "900 GB/s", "−3")),
)
BY_BANDWIDTH = ["L4", "TPU v5e", "V9", "TPU v6e", "A100", "H100", "H200", "B200", "V10"]
TEXT = f"""\
A paragraph, **文字**, $\\sqrt{{x}}$.

## Code {{#code}}

```python title="train.py" {{2}} linenums
def f(x):
    return x  # 说明
```

| chip | bandwidth | model |
| --- | ---: | ---: |
{"".join(f"| {one} | {two} | {three} |" + chr(10) for one, two, three in CHIPS)}

| short | table |
| --- | --- |
| 1 | 2 |

```{{figure}} bars
A caption.
```

![A wide picture](wide.png)
"""
KEYS = "abcdefghijklmnopqrstuvwxyz0123456789/?.,;[]-=+!"


def write(folder: Path) -> Space:
    space = Space(folder)
    space.write("figures/bars.py", BARS)
    space.post("aids", zh=TEXT, en=TEXT)
    space.post("other", zh="二。", en="Two.")
    Image.new("RGB", (2000, 900), "#8890aa").save(space.root / "content/posts/aids/wide.png")
    return space


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    space = write(tmp_path_factory.mktemp("aids"))
    assert told(space.build()) == ""
    with served(space.root / "public") as address:
        yield f"{address}/"


def first_column(page, table: int = 0) -> list[str]:
    return page.evaluate(
        "at => [...document.querySelectorAll('article table')[at].tBodies[0].rows]"
        ".map(row => row.cells[0].textContent)",
        table,
    )


def test_long_tables_are_sorted_by_value_and_back(open_page, site) -> None:
    page = open_page(f"{site}en/posts/aids/")
    page.wait_for_selector("th > .sort")
    assert page.locator("th > .sort").count() == 3, "not those of the short table, and not of a figure's data"
    own = first_column(page)
    head = page.locator("th:has(> .sort)").nth(1)
    page.click("th:nth-child(2) > .sort")
    page.wait_for_selector("th[aria-sort=ascending]")
    assert (first_column(page), head.get_attribute("aria-sort")) == (BY_BANDWIDTH, "ascending")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert first_column(page) == own, "on paper as their author wrote them"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    assert first_column(page) == BY_BANDWIDTH
    page.focus("th:nth-child(2) > .sort")
    page.keyboard.press("Enter")
    assert first_column(page) == [*reversed(BY_BANDWIDTH[:-1]), "V10"], "what has no value stays last"
    assert head.get_attribute("aria-sort") == "descending"
    page.keyboard.press("Enter")
    assert (first_column(page), head.get_attribute("aria-sort")) == (own, None)
    page.click("th:nth-child(3) > .sort")
    assert first_column(page) == ["V9", "V10", "TPU v6e", "A100", "B200", "TPU v5e", "L4", "H100", "H200"]
    page.click("th:nth-child(1) > .sort")
    assert first_column(page) == ["A100", "B200", "H100", "H200", "L4", "TPU v5e", "TPU v6e", "V9", "V10"]


def test_side_by_side_the_twin_of_a_table_follows(open_page, site) -> None:
    page = open_page(f"{site}zh/posts/aids/both/")
    page.wait_for_selector("th > .sort")
    page.click("th:nth-child(2) > .sort")
    page.wait_for_selector("th[aria-sort]")
    assert first_column(page, 0) == first_column(page, 1) == BY_BANDWIDTH
    assert page.locator("th[aria-sort]").count() == 2


def test_code_and_citations_are_copied_as_they_are(open_page, site) -> None:
    page = open_page(f"{site}en/posts/aids/", permissions=["clipboard-read", "clipboard-write"])
    page.wait_for_selector(".copied > .copy", state="attached")
    page.click("[data-kind=code] .copy")
    code = "def f(x):\n    return x  # 说明"
    assert page.evaluate("navigator.clipboard.readText()") == code, "without the numbers of lines"
    assert page.text_content("[data-kind=code] .copy") == "Copied"
    page.click(".cite summary")
    page.click(".cite .copy >> nth=0")
    assert page.evaluate("navigator.clipboard.readText()") == (
        "Test site. “Article aids.” Test site, 1 November 2026. https://example.org/en/posts/aids/"
    )
    page.click(".cite .copy >> nth=1")
    assert page.evaluate("navigator.clipboard.readText()").startswith("@misc{aids-2026,\n")
    page.hover("#code-1")
    page.click(".here")
    assert page.url == f"{site}en/posts/aids/#code-1"
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    page.hover("#code")
    assert page.locator("#code .here").count() == 0, "headings have links of their own"


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 360)])
def test_figures_and_pictures_open_large(open_page, site, scheme, width) -> None:
    page = open_page(f"{site}zh/posts/aids/", width=width, color_scheme=scheme)
    page.wait_for_selector("figcaption .larger")
    page.wait_for_selector(".larger-box > .larger", state="attached")
    for opener in ("figcaption .larger", ".larger-box > .larger"):
        page.focus(opener)
        before = page.locator("article svg:visible, article img").last.bounding_box()["width"]
        page.keyboard.press("Enter")
        page.wait_for_selector("dialog.large[open]")
        after = page.locator("dialog.large :is(svg, img)").bounding_box()["width"]
        assert after > before
        assert axe_violations(page) == []
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog.large", state="detached")
        assert page.evaluate("document.activeElement.className") == "larger", "the focus returns"
    page.click(".larger-box img")  # a picture opens by itself, too
    page.wait_for_selector("dialog.large[open] img")
    page.keyboard.press("Escape")
    assert has_no_horizontal_scroll(page)
    assert axe_violations(page) == []


@pytest.mark.layout
def test_a_root_in_a_line_stands_on_it_and_takes_no_more_room_than_it_needs(open_page, site) -> None:
    page = open_page(f"{site}en/posts/aids/")
    boxes = "names => names.map(name => document.querySelector(`article ${name}`).getBoundingClientRect())"
    root, letter = page.evaluate(boxes, ["msqrt", "msqrt > mi"])
    em = page.evaluate("parseFloat(getComputedStyle(document.querySelector('msqrt')).fontSize)")
    assert root["right"] - letter["right"] < 0.1 * em
    assert root["bottom"] - letter["bottom"] < 0.4 * em


@pytest.mark.layout
def test_the_title_of_code_is_as_wide_as_the_code_and_has_the_word_to_copy_it(open_page, site) -> None:
    for language in ("zh", "en"):
        page = open_page(f"{site}{language}/posts/aids/", width=360)
        title, code = (page.locator(one).first.bounding_box() for one in ("article .file", "article pre"))
        assert (title["x"], title["width"]) == (code["x"], code["width"]) == (0, 360)
        page.wait_for_selector("article .copy", state="attached")
        button = page.locator("article .copy").first.bounding_box()
        assert title["y"] <= button["y"] < button["y"] + button["height"] <= code["y"], "it hides no code"


def test_what_sorts_and_enlarges_comes_with_the_first_click_or_the_next_one(open_page, site) -> None:
    page = open_page(f"{site}en/posts/aids/")
    page.wait_for_selector("th > .sort")
    page.wait_for_selector("figcaption .larger")
    scripts = (
        "[...document.scripts].filter(one => one.src).map(one => one.src.split('/').at(-1).split('.')[0])"
    )
    assert page.evaluate(scripts) == ["diglot", "aids"]
    page.route("**/sorting.*.js", lambda route: route.abort())
    page.click("th:nth-child(2) > .sort")
    page.wait_for_function("_announcement.textContent === 'This could not be loaded. Try again later.'")
    open_page.complaints.clear()  # the console reports the failed fetch
    page.unroute("**/sorting.*.js")
    # Twice before its script can come, which counts once.
    page.locator("th:nth-child(2) > .sort").evaluate("button => { button.click(); button.click(); }")
    page.wait_for_selector("th[aria-sort]")
    assert page.get_attribute("th[aria-sort]", "aria-sort") == "ascending"
    page.click("figcaption .larger")
    page.wait_for_selector("dialog.large[open]")
    assert page.evaluate(scripts) == ["diglot", "aids", "sorting", "sorting", "enlarging"]


def test_no_key_alone_does_anything(open_page, site) -> None:
    page = open_page(f"{site}en/posts/aids/")
    page.wait_for_selector("th > .sort")
    page.evaluate(
        "() => { window.taken = [];"
        " addEventListener('keydown', event => { if (event.defaultPrevented) taken.push(event.key); }); }"
    )
    before = page.evaluate("document.documentElement.outerHTML")
    for key in KEYS:
        page.keyboard.press(key)
    assert page.evaluate("window.taken") == []
    assert page.evaluate("document.documentElement.outerHTML") == before
    assert page.url == f"{site}en/posts/aids/"


def test_without_a_script_nothing_is_promised_and_all_is_there(open_page, site) -> None:
    page = open_page(f"{site}en/posts/aids/", java_script_enabled=False)
    assert page.locator(".copy, .sort, .larger, .here").count() == 0
    page.click(".cite summary")
    assert page.is_visible(".cite pre")
    assert page.text_content("p.file") == "train.py"
