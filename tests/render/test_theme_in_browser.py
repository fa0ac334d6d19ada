"""The theme in a browser: language switched within an article, dark, narrow, without JavaScript."""

import io
from collections.abc import Iterator

import pytest
from pypdf import PdfReader

from tests.browser import (
    axe_violations,
    has_no_horizontal_scroll,
    served,
    wait_until_loaded,
    wait_until_settled,
    wait_until_started,
)
from tests.render.sample import write_site

pytestmark = pytest.mark.browser

LIGHT_AND_WIDE, DARK_AND_NARROW = ("light", 1280), ("dark", 360)
# Each kind of page in one of the two, and articles in both: axe takes seconds for a long page.
LOOKED_AT = (
    *(("", LIGHT_AND_WIDE), ("zh/", DARK_AND_NARROW), ("en/", LIGHT_AND_WIDE)),
    *(("404.html", DARK_AND_NARROW), ("zh/tags/", LIGHT_AND_WIDE), ("en/tags/roofline/", DARK_AND_NARROW)),
    *(("zh/posts/only-zh/", LIGHT_AND_WIDE), ("zh/posts/roofline/", DARK_AND_NARROW)),
    *(("en/posts/roofline/", LIGHT_AND_WIDE), ("zh/posts/roofline/both/", LIGHT_AND_WIDE)),
    ("en/posts/roofline/both/", DARK_AND_NARROW),
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(write_site(tmp_path_factory.mktemp("site"))) as address:
        yield f"{address}/blog/"


def read_until(page, row: str, top: float = 280.4) -> float:
    """Scroll until a row is about a third down the window; return its exact position in pixels."""
    page.evaluate(
        f"scrollTo(0, scrollY + document.getElementById('{row}').getBoundingClientRect().top - {top})"
    )
    wait_until_settled(page)
    return top_of(page, row)


def top_of(page, row: str) -> float:
    return page.evaluate(f"document.getElementById('{row}').getBoundingClientRect().top")


def await_swap(page, act) -> None:
    page.evaluate(
        "() => { window.swaps = 0; document.addEventListener('diglot:swapped', () => { swaps += 1 }) }"
    )
    act()
    page.wait_for_function("window.swaps >= 1")


def choose(page, word: str) -> None:
    await_swap(page, lambda: page.click(f".langs [data-word={word}]"))


@pytest.mark.layout
@pytest.mark.parametrize("width", [360, 768, 1440])
@pytest.mark.parametrize("word", ["en", "both"])
def test_changing_the_language_in_the_middle_keeps_the_block_where_it_was(open_page, site, width, word):
    page = open_page(f"{site}zh/posts/roofline/", width=width)
    before = read_until(page, "stairs")
    choose(page, word)
    wait_until_settled(page)
    assert top_of(page, "stairs") == pytest.approx(before, abs=1)
    assert page.evaluate("scrollY") > 100


def test_the_page_is_swapped_whole(open_page, site):
    page = open_page(f"{site}zh/posts/roofline/")
    page.evaluate("window.sameDocument = true")
    read_until(page, "stairs")
    choose(page, "en")
    assert page.evaluate("window.sameDocument"), "swapped in place, not loaded"
    assert page.url == f"{site}en/posts/roofline/"
    assert page.title() == "Where the roof bends: past 206 · Both sides of the ridge"
    assert page.evaluate("document.documentElement.lang") == "en"
    assert page.get_attribute("link[rel=canonical]", "href").endswith("/en/posts/roofline/")
    assert page.locator("link[rel=canonical]").count() == 1
    assert page.text_content("header .name") == "Both sides of the ridge"
    assert page.text_content(".langs [data-word=both]") == "Both"
    assert page.get_attribute(".langs", "aria-label") == "Language"
    assert page.get_attribute(".langs [data-word=en]", "aria-current") == "true"
    assert page.get_attribute(".langs [data-word=zh]", "aria-current") is None
    assert page.text_content("#_announcement") == "Now in English"
    assert page.get_attribute("#_announcement", "lang") == "en"


def test_back_and_forward_keep_the_block_too(open_page, site):
    page = open_page(f"{site}zh/posts/roofline/")
    before = read_until(page, "stairs")
    choose(page, "en")
    choose(page, "both")
    for step, lang, view in (("back", "en", "en"), ("back", "zh-Hans", "zh"), ("forward", "en", "en")):
        page.evaluate(f"history.{step}()")
        page.wait_for_function(f"document.documentElement.dataset.view === '{view}'")
        wait_until_settled(page)
        assert page.evaluate("document.documentElement.lang") == lang
        assert top_of(page, "stairs") == pytest.approx(before, abs=1)


def test_at_the_top_the_title_stays_in_sight(open_page, site):
    page = open_page(f"{site}zh/posts/roofline/")
    choose(page, "en")
    assert page.evaluate("scrollY") == 0


def test_a_block_without_a_twin_hands_over_to_the_one_before_it(open_page, site):
    page = open_page(f"{site}en/posts/roofline/", height=500)
    read_until(page, "b-remark", 160)
    previous = page.evaluate("document.getElementById('b-remark').previousElementSibling.id")
    before = top_of(page, previous)
    choose(page, "zh")
    wait_until_settled(page)
    at_the_end = page.evaluate("scrollY + innerHeight >= document.documentElement.scrollHeight - 1")
    assert at_the_end or top_of(page, previous) == pytest.approx(before, abs=1)


def test_the_focus_stays_on_the_word_that_was_chosen(open_page, site):
    page = open_page(f"{site}zh/posts/roofline/")
    page.focus(".langs [data-word=en]")
    await_swap(page, lambda: page.keyboard.press("Enter"))
    assert page.evaluate("document.activeElement.dataset.word") == "en"


def test_where_the_twin_cannot_be_fetched_the_reader_is_led_to_the_block(open_page, site):
    page = open_page(f"{site}zh/posts/roofline/", width=700)  # where it is not fetched before it is asked for
    # Only the script's requests fail; the browser itself can still load the page.
    page.route(
        "**/both/",
        lambda route: route.abort() if route.request.resource_type == "fetch" else route.continue_(),
    )
    read_until(page, "stairs")
    page.click(".langs [data-word=both]")
    page.wait_for_url(f"{site}zh/posts/roofline/both/#stairs")
    open_page.complaints.clear()  # the console reports the failed fetch


def test_the_words_lead_to_the_block_under_the_eye(open_page, site):
    page = open_page(f"{site}zh/posts/roofline/")
    read_until(page, "stairs")
    assert page.get_attribute(".langs [data-word=en]", "href") == f"{site}en/posts/roofline/#stairs"


def test_the_address_keeps_what_it_names_and_all_is_there_before_it_is_asked_for(open_page, site):
    page = open_page("about:blank", locale="de")  # a profile without any font in its memory
    page.goto(f"{site}zh/posts/roofline/#stairs", wait_until="networkidle")
    both_is_there = "performance.getEntriesByName(`${location.href.split('#')[0]}both/`).length"
    before = top_of(page, "stairs")
    for word, path in (("en", "en/posts/roofline/"), ("both", "en/posts/roofline/both/")):
        page.wait_for_function(both_is_there)
        wait_until_settled(page)
        asked = []
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        choose(page, word)
        wait_until_settled(page)
        assert page.url == f"{site}{path}#stairs"
        assert abs(top_of(page, "stairs") - before) < 1
        assert [url for url in asked if url.endswith((path, ".woff2"))] == []


def test_on_a_first_visit_faces_come_after_the_first_paint_and_on_later_ones_before_it(open_page, site):
    page = open_page("about:blank")
    held, may_come = [], False
    page.route("**/*.woff2", lambda route: route.continue_() if may_come else held.append(route))
    with page.expect_request("**/*.woff2"):
        page.goto(f"{site}en/posts/roofline/", wait_until="domcontentloaded")
    page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length")
    assert page.evaluate("document.documentElement.dataset.faces") == "later"
    page.locator("button.theme").wait_for()  # shown by the script, which waits for no face
    may_come = True
    for route in held:
        route.continue_()
    wait_until_started(page)
    wait_until_loaded(page, "Diglot Serif")
    page.goto(f"{site}en/")
    asked = "[...document.head.querySelectorAll('[as=font], [rel=stylesheet]')].map(one => one.as || one.rel)"
    assert page.evaluate(asked) == ["font", "font", "font", "stylesheet", "stylesheet"]
    assert page.evaluate("document.documentElement.dataset.faces") is None


def test_an_open_disclosure_stays_open(open_page, site):
    page = open_page(f"{site}zh/posts/roofline/")
    page.click("#fig-roofline summary")
    choose(page, "en")
    assert page.locator("#fig-roofline details:not(.under)").get_attribute("open") is not None


def test_the_choice_is_remembered_and_never_redirects(open_page, site):
    page = open_page(f"{site}zh/posts/roofline/")
    choose(page, "en")
    page.goto(site)
    wait_until_started(page)
    assert page.url == site
    assert page.locator(".names .half").first.get_attribute("data-view-of") == "en"
    page.goto(f"{site}zh/posts/roofline/")
    assert page.evaluate("document.documentElement.lang") == "zh-Hans"


def test_without_a_script_the_toggle_leads_to_the_block_of_the_address_or_the_section(open_page, site):
    page = open_page(f"{site}zh/posts/roofline/", java_script_enabled=False)
    assert not page.locator("button.theme").is_visible()

    def click(word: str) -> str:
        box = page.locator(f".langs [data-word={word}]").bounding_box()
        with page.expect_navigation():
            page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        return page.url.removeprefix(site)

    assert click("en") == "en/posts/roofline/"
    page.evaluate("document.getElementById('stairs').scrollIntoView()")
    page.locator("#stairs a.twin").first.wait_for(state="visible")
    assert click("zh") == "zh/posts/roofline/#stairs"
    page.locator("#stairs a.twin").first.wait_for(state="visible")
    assert click("both") == "zh/posts/roofline/both/#stairs"
    page.locator("#stairs a.twin").first.wait_for(state="visible")
    assert click("en") == "en/posts/roofline/#stairs"
    page.goto(f"{site}en/posts/roofline/#fig-roofline")
    page.locator("#fig-roofline a.twin").first.wait_for(state="visible")
    assert click("zh") == "zh/posts/roofline/#fig-roofline"


def test_a_browser_without_anchors_shows_the_way_to_the_twin_at_the_section(open_page, site):
    page = open_page("about:blank", java_script_enabled=False)

    def older(route) -> None:
        answer = route.fetch()
        route.fulfill(
            response=answer, body=answer.text().replace("@supports (anchor", "@supports not (anchor")
        )

    page.route("**/*.css", older)
    page.goto(f"{site}zh/posts/roofline/")
    assert (
        page.locator("#stairs a.twin >> visible=true")
        .get_attribute("href")
        .endswith("en/posts/roofline/#stairs")
    )
    assert not page.locator("#fig-roofline a.twin").first.is_visible()
    page.goto(f"{site}en/posts/roofline/#fig-roofline")
    page.click("#fig-roofline a.twin >> visible=true")
    assert page.url == f"{site}zh/posts/roofline/#fig-roofline"


@pytest.mark.layout
@pytest.mark.parametrize("width", [1000, 1440])
def test_side_by_side_every_pair_starts_level(open_page, site, width):
    page = open_page(f"{site}zh/posts/roofline/both/", width=width)
    pairs = page.evaluate("""
        [...document.querySelectorAll('article .row:not(.once)')]
        .filter(row => row.children.length === 2)
        .map(row => [...row.children].map(half => half.querySelector('figcaption, .caption') ?? half))
        .map(halves => halves.map(half => half.getBoundingClientRect()))
        .map(([zh, en]) => [zh.top - en.top, en.left - zh.left, zh.width - en.width])
    """)
    assert len(pairs) > 15
    assert all(abs(level) < 1 and apart > 400 and abs(wider) < 1 for level, apart, wider in pairs)


@pytest.mark.layout
def test_side_by_side_numbers_and_code_stand_once_and_nothing_is_clipped(open_page, site):
    page = open_page(f"{site}en/posts/roofline/both/", width=1440)
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert page.locator("#fig-roofline details:not(.under)").count() == 1
    assert page.locator("#fig-roofline details th .second").count() > 0
    assert page.locator("[data-kind=code]").count() > 0
    assert page.locator("[data-kind=code] pre").count() == page.locator("[data-kind=code]").count()
    assert "padded" in page.inner_text("[data-kind=code] pre")
    assert "补齐" in page.inner_text("[data-kind=code] pre .second")
    boxes = "[...document.querySelectorAll('pre, .scroll, .eq')]"
    assert page.evaluate(f"{boxes}.filter(one => one.scrollWidth > one.clientWidth).length") == 0
    numbers = page.locator("#tab-roofline")
    assert numbers.locator("table").count() == 1
    assert numbers.locator("caption").inner_text().split("\n") == ["Table 1Two chips.", "表 1两块芯片。"]
    box = numbers.locator("table").bounding_box()
    assert box["x"] + box["width"] / 2 == pytest.approx(720, abs=1), "in the middle of both columns"


@pytest.mark.layout
def test_side_by_side_a_drawing_with_many_words_stands_in_each_column_and_another_once(open_page, site):
    page = open_page(f"{site}en/posts/roofline/both/", width=1440)
    drawings = page.locator("#fig-roofline svg >> visible=true")
    assert [one.get_attribute("id") for one in drawings.all()] == [
        *("roofline-narrow-zh", "roofline-narrow-en"),
    ]
    boxes = [one.bounding_box() for one in page.locator("#fig-roofline .drawing").all()]
    halves = [one.bounding_box() for one in page.locator("#ridges .half").all()]
    assert [(one["x"], one["width"]) for one in boxes] == [(one["x"], one["width"]) for one in halves]
    said = [one.get_attribute("aria-label")[:5] for one in page.locator("#fig-roofline [role=img]").all()]
    assert said == ["H200 ", "The r"]
    assert page.locator("#fig-generations svg >> visible=true").count() == 1


@pytest.mark.layout
def test_stacked_each_block_comes_in_chinese_and_then_in_english(open_page, site):
    page = open_page(f"{site}en/posts/roofline/both/", width=700)
    tops = page.evaluate("""
        [...document.querySelectorAll('#ridges .half, [id|=fig] :is(.drawing, .caption, figcaption)')]
        .map(one => [one.closest('[lang]').lang, one.className, one.getBoundingClientRect().top])
    """)
    in_order = [(lang, name) for lang, name, top in sorted(tops, key=lambda item: item[2])]
    assert in_order == [
        ("zh-Hans", "half"),
        ("en", "half"),
        *(("zh-Hans", "drawing"), ("zh-Hans", ""), ("en", "drawing"), ("en", "")),  # which has words
        *(("en", "drawing"), ("zh-Hans", "caption"), ("en", "")),
    ]


@pytest.mark.parametrize(("width", "shown"), [(360, "narrow"), (768, "column"), (1440, "wide")])
def test_each_width_has_its_own_drawing(open_page, site, width, shown):
    page = open_page(f"{site}en/posts/roofline/", width=width)
    visible = page.locator("#fig-generations svg >> visible=true")
    assert visible.count() == 1
    assert visible.get_attribute("id") == f"generations-{shown}-en"


def test_light_and_dark_follow_the_system_until_the_reader_decides(open_page, site):
    page = open_page(f"{site}en/", color_scheme="dark")
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    dark, light = "rgb(20, 23, 26)", "rgb(251, 251, 248)"
    assert page.evaluate(paper) == dark
    button = page.locator("button.theme")
    assert button.get_attribute("aria-label") == "Colour scheme: follows the system"
    button.click()
    assert page.evaluate(paper) == light
    assert button.get_attribute("aria-label") == "Colour scheme: light"
    page.goto(f"{site}zh/")
    assert page.evaluate(paper) == light, "remembered on the next page"
    button.click()
    assert page.evaluate(paper) == dark
    button.click()
    assert button.get_attribute("aria-label") == "明暗：跟随系统"
    assert page.evaluate("localStorage.getItem('diglot-theme')") is None


@pytest.mark.layout
@pytest.mark.parametrize(("path", "look"), LOOKED_AT)
def test_axe_finds_nothing_and_nothing_scrolls_sideways(open_page, site, path, look):
    scheme, width = look
    page = open_page(f"{site}{path}", width=width, color_scheme=scheme, reduced_motion="reduce")
    for summary in page.locator("main summary").all():
        summary.click()
    if (browse := page.locator(".browse > summary")).is_visible():
        browse.click()
    assert axe_violations(page) == []
    assert has_no_horizontal_scroll(page)


@pytest.mark.layout
@pytest.mark.parametrize(
    ("path", "width"), [("en/", 360), ("en/posts/roofline/", 360), ("en/posts/roofline/", 768)]
)
def test_the_name_of_the_site_is_whole_and_the_toggle_stays(open_page, site, path, width):
    page = open_page(f"{site}{path}", width=width, height=400)
    assert page.evaluate("(name => name.scrollWidth <= name.clientWidth)(document.querySelector('.name'))")
    page.evaluate("scrollTo(0, 300)")
    assert page.locator(".langs [data-word=en]").bounding_box()["y"] == 0
    assert has_no_horizontal_scroll(page)


@pytest.mark.layout
def test_the_words_of_the_toggle_stand_on_one_line_with_the_name_beside_them(open_page, site):
    for language in ("zh", "en"):
        page = open_page(f"{site}{language}/posts/roofline/")
        # Faces of systems differ in how high their letters stand; so do sizes of one face.
        page.add_style_tag(content=".langs [lang|=zh] { font-size: 20px }")
        lines = page.evaluate(
            """() => [...document.querySelectorAll(".bar .name, .langs a")].map(word => {
                 const [line, foot] = [0, 1].map(() => document.createElement("span"));
                 foot.style.display = "inline-block";
                 line.append(...word.childNodes, foot);
                 word.append(line);
                 return foot.getBoundingClientRect().bottom;
               })"""
        )
        assert len(lines) == 4
        assert len(set(lines)) == 1, language


@pytest.mark.layout
def test_on_a_touch_screen_the_word_to_copy_hides_no_code(open_page, site):
    page = open_page(f"{site}en/posts/roofline/", width=360, has_touch=True, is_mobile=True)
    page.wait_for_selector("article .half > .copied > .copy")
    button, code = page.evaluate(
        """() => {
          const box = document.querySelector("article .half > .copied");
          const code = document.createRange();
          code.selectNodeContents(box.querySelector("code"));
          return [box.querySelector(".copy"), code].map(one => one.getBoundingClientRect());
        }"""
    )
    assert button["bottom"] <= code["top"]


@pytest.mark.layout
def test_the_caption_of_a_table_is_no_wider_than_the_window(open_page, site):
    page = open_page(f"{site}en/posts/roofline/", width=360)
    page.evaluate("document.querySelector('#tab-roofline caption').append(' and many more words'.repeat(9))")
    page.evaluate("document.querySelector('#tab-roofline table').style.minWidth = '700px'")
    caption, scroll = (page.locator(f"#tab-roofline {one}") for one in ("caption", ".scroll"))
    scroll.evaluate("one => one.scrollTo(200, 0)")
    assert scroll.evaluate("one => one.scrollLeft") == 200
    box = caption.bounding_box()
    assert (box["x"], box["width"]) == (20, 320)


def test_what_scrolls_by_itself_is_in_reach_of_the_keyboard(open_page, site):
    page = open_page(f"{site}en/posts/roofline/", width=360)
    assert page.locator("pre").first.get_attribute("tabindex") == "0"
    page.set_viewport_size({"width": 1600, "height": 900})
    page.wait_for_function("document.querySelector('.eq').getAttribute('tabindex') === null")


def test_the_keyboard_reaches_text_bar_and_toggle_in_this_order(open_page, site):
    page = open_page(f"{site}zh/posts/roofline/")
    order = []
    for _ in range(9):
        page.keyboard.press("Tab")
        order.append(page.evaluate("(one => one.dataset.word || one.className)(document.activeElement)"))
    assert order[:2] == ["skip", "name"]
    # The place after the name is the word that opens the navigation.
    assert order[3:] == ["places-in", "zh", "en", "both", "sources", "theme"]
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


@pytest.mark.layout
def test_on_a_phone_chinese_is_ragged_and_no_formula_loses_its_mark(open_page, site):
    page = open_page(f"{site}zh/posts/roofline/", width=360)
    aligned = (
        "[...document.querySelectorAll('article .half > p')].map(one => getComputedStyle(one).textAlign)"
    )
    assert {*page.evaluate(aligned)} <= {"start", "left"}
    # A paragraph at every width that a phone may have: each formula stays on the line of its marks.
    torn = """() => {
      const formula = "<math><mi>x</mi><mo>=</mo><mn>12</mn></math>";
      const paragraph = document.querySelector("article .half > p");
      paragraph.innerHTML = `词语<span class="keep-start keep">（${formula}）</span>与` +
        `<span class="keep">${formula},</span> 词语`;
      let count = 0;
      for (let width = 90; width < 330; width++) {
        paragraph.style.inlineSize = `${width}px`;
        for (const one of paragraph.children) {
          const tops = [...one.childNodes].map(node => {
            const range = document.createRange();
            range.selectNode(node);
            return range.getBoundingClientRect();
          });
          if (tops.some(box => box.bottom < tops[0].top || box.top > tops[0].bottom)) count++;
        }
      }
      return count;
    }"""
    assert page.evaluate(torn) == 0


@pytest.mark.layout
def test_a_column_of_short_chinese_words_keeps_each_on_one_line_beside_long_texts(open_page, site):
    page = open_page(f"{site}zh/posts/roofline/", width=360)
    long = "这一栏是很长的说明，" * 12
    rows = "".join(f"<tr><td>{long}</td><td>{word}</td><td>{long}</td></tr>" for word in ("成立", "部分成立"))
    lines = page.evaluate(
        """rows => {
            const box = document.createElement("div");
            box.className = "scroll";
            box.innerHTML = `<table><tbody>${rows}</tbody></table>`;
            document.querySelector("article .half").append(box);
            return [...box.querySelectorAll("td:nth-child(2)")].map(cell => {
                const text = document.createRange();
                text.selectNodeContents(cell);
                return text.getClientRects().length;
            });
        }""",
        rows,
    )
    assert lines == [1, 1]


@pytest.mark.layout
@pytest.mark.parametrize(
    "style",
    [
        "",
        "table { letter-spacing: .4px }",  # one whose face is wider than those of this machine
    ],
)
@pytest.mark.parametrize(
    ("language", "width", "heads"),
    [
        ("zh", 360, ("芯片", "峰值bf16", "带宽", "脊点", "矩阵单元")),
        ("en", 390, ("Chip", "Peak bf16", "Bandwidth", "Ridge", "Matrix units")),
    ],
)
def test_a_table_of_five_narrow_columns_fits_a_phone(open_page, site, language, width, heads, style):
    page = open_page(f"{site}{language}/posts/roofline/", width=width)
    if style:
        page.add_style_tag(content=style)
        page.evaluate("document.fonts.ready")
    units, sides = ("", "TFLOP/s", "GB/s", "FLOP/B", ""), ("", "r", "r", "r", "")
    cells = ('<span class="chip tpu1 square">TPU v5p</span>', "2,307", "7,380", "166", "256\u00a0×\u00a0256")
    columns = list(zip(heads, units, cells, sides, strict=True))
    head = "".join(f'<th class="{side}">{word}<small>{unit}</small></th>' for word, unit, _, side in columns)
    row = "".join(f'<td class="{side}">{cell}</td>' for _, _, cell, side in columns)
    overflow_px = page.evaluate(
        """html => {
            const box = document.createElement("div");
            box.className = "scroll";
            box.innerHTML = html;
            document.querySelector("article .half").append(box);
            return box.scrollWidth - box.clientWidth;
        }""",
        f"<table><thead><tr>{head}</tr></thead><tbody><tr>{row}</tr></tbody></table>",
    )
    assert overflow_px == 0


@pytest.mark.layout
def test_printed_there_is_the_article_and_nothing_of_the_interface(open_page, site):
    page = open_page(f"{site}en/posts/roofline/", color_scheme="dark", width=1440)
    page.emulate_media(media="print", color_scheme="dark")
    assert not page.locator(".bar").is_visible()
    assert not page.locator("details").first.is_visible()
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
    assert page.locator("#fig-generations svg >> visible=true").get_attribute("id") == "generations-column-en"
    note, paragraph = page.locator("#note-en-1").bounding_box(), page.locator("#b-2 p").first.bounding_box()
    assert note["y"] >= paragraph["y"] + paragraph["height"]
    page.evaluate("document.querySelector('article p a').href = 'https://example.org/elsewhere'")
    sheets = [
        sheet.extract_text() for sheet in PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True))).pages
    ]
    assert len(sheets) > 1
    title = page.title()
    assert [title in " ".join(sheet.split()) for sheet in sheets] == [False, *[True] * (len(sheets) - 1)]
    assert all(f"{number} / {len(sheets)}" in sheet for number, sheet in enumerate(sheets, 1))
    assert "(https://example.org/elsewhere)" in "".join("".join(sheets).split())


def test_a_missing_page_proposes_the_nearest_articles(open_page, site):
    page = open_page(f"{site}zh/posts/rofline/")
    open_page.complaints.clear()  # the console reports the 404 itself
    assert page.locator("[data-slug]").first.get_attribute("data-slug") == "roofline"


def test_nothing_is_fetched_from_elsewhere(open_page, site):
    page = open_page("about:blank")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{site}zh/posts/roofline/", wait_until="networkidle")
    assert asked
    assert all(url.startswith((site, "data:")) for url in asked)
