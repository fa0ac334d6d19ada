"""This project's own site, in a real browser and as files."""

import re
from pathlib import Path
from typing import Any

import pytest

from diglot.check.finished_site import FinishedSite
from diglot.check.pages import check_pages
from diglot.rules.building import Site
from diglot.rules.figures import draw_figure
from tests.browser import axe_violations, has_no_horizontal_scroll, wait_until_settled, wait_until_started
from tests.site.conftest import own_options
from tests.site_figures.scripts import DRAWN
from tests.site_figures.test_drawings import NOT_ON_PAGES

ARTICLE = "/{}/posts/gpu-vs-tpu/"
LIGHT_AND_WIDE, DARK_AND_NARROW = ("light", 1280), ("dark", 360)
# Each kind of page in both, but in one language each: axe takes seconds for a long page.
LOOKED_AT = (
    *(("/", LIGHT_AND_WIDE), ("/zh/", DARK_AND_NARROW), ("/en/", LIGHT_AND_WIDE)),
    *(("/404.html", DARK_AND_NARROW), ("/zh/tags/", LIGHT_AND_WIDE), ("/en/tags/gpu/", DARK_AND_NARROW)),
    *((ARTICLE.format("zh"), LIGHT_AND_WIDE), (ARTICLE.format("en"), DARK_AND_NARROW)),
    *((f"{ARTICLE.format('zh')}both/", DARK_AND_NARROW), (f"{ARTICLE.format('en')}both/", LIGHT_AND_WIDE)),
    *(("/", DARK_AND_NARROW), ("/zh/404.html", LIGHT_AND_WIDE), ("/zh/tags/", DARK_AND_NARROW)),
    *(("/zh/tags/gpu/", LIGHT_AND_WIDE), ("/zh/archive/", LIGHT_AND_WIDE), ("/en/archive/", DARK_AND_NARROW)),
    *(("/en/archive/2026/", LIGHT_AND_WIDE), ("/zh/archive/2026/", DARK_AND_NARROW)),
    *(("/en/figures/", DARK_AND_NARROW), ("/zh/figures/roofline/", DARK_AND_NARROW)),
    *(("/zh/hardware/", LIGHT_AND_WIDE), ("/en/hardware/", DARK_AND_NARROW)),
    *(("/en/hardware/h200-sxm/", LIGHT_AND_WIDE), ("/zh/hardware/h200-sxm/?with=v6e", DARK_AND_NARROW)),
    *(("/zh/talks/", LIGHT_AND_WIDE), ("/en/talks/", DARK_AND_NARROW)),
    *(("/en/talks/gpu-vs-tpu/", LIGHT_AND_WIDE), ("/zh/talks/gpu-vs-tpu/", DARK_AND_NARROW)),
    # On dark pages axe takes its ground, which is that of the page around its frame, for white.
    ("/figures/roofline/embed.en.html", LIGHT_AND_WIDE),
)

pytestmark = pytest.mark.browser


def row_in_the_middle(page: Any) -> tuple[str, float]:
    """The id of the row at a third of the window's height, and where its top is."""
    return tuple(
        page.evaluate(
            """() => {
              const at = innerHeight / 3;
              const row = [...document.querySelectorAll("main .row[id]")]
                .find(r => r.getBoundingClientRect().bottom > at);
              // The line lies in it, not in the gap above, where the row before may be nearer.
              scrollBy({ top: Math.max(row.getBoundingClientRect().top - at + 1, 0), behavior: "instant" });
              return [row.id, row.getBoundingClientRect().top];
            }"""
        )
    )


@pytest.mark.layout
@pytest.mark.parametrize("width", [360, 1440])
@pytest.mark.parametrize(
    ("language", "word"), [("zh", "English"), ("en", "中文"), ("zh", "对照"), ("en", "Both")]
)
def test_the_toggle_in_the_middle_of_the_article_stays_at_the_block(
    open_page: Any, own_address: str, language: str, word: str, width: int
) -> None:
    page = open_page(own_address + ARTICLE.format(language), width=width)
    page.evaluate("scrollTo(0, document.querySelector('main').scrollHeight / 2)")
    wait_until_settled(page)
    row, top = row_in_the_middle(page)
    page.locator(".bar").get_by_text(word, exact=True).click()
    page.wait_for_function("language => !location.pathname.endsWith(language)", arg=ARTICLE.format(language))
    wait_until_settled(page)
    assert abs(page.evaluate("id => document.getElementById(id).getBoundingClientRect().top", row) - top) <= 1


@pytest.mark.layout
@pytest.mark.parametrize("language", ["zh", "en"])
def test_nothing_moves_when_fonts_come_late(open_page: Any, own_address: str, language: str) -> None:
    page = open_page("about:blank", width=390, locale=language)  # a profile without any font in its memory
    held: list[Any] = []
    page.route("**/*.woff2", lambda route: route.continue_() if is_painted else held.append(route))
    is_painted = False
    with page.expect_request("**/*.woff2"):
        page.goto(own_address + ARTICLE.format(language), wait_until="domcontentloaded")
    page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length")
    is_painted = True
    for route in held:
        route.continue_()
    page.wait_for_load_state("networkidle")
    wait_until_started(page)
    wait_until_settled(page)
    moved = page.evaluate(
        """() => new Promise(done => {
          new PerformanceObserver(list => done(list.getEntries().reduce((sum, one) => sum + one.value, 0)))
            .observe({ type: "layout-shift", buffered: true });
          setTimeout(() => done(0), 500);
        })"""
    )
    assert moved <= 0.003


@pytest.mark.layout
@pytest.mark.parametrize(("path", "look"), LOOKED_AT)
def test_axe_finds_nothing_and_nothing_scrolls_sideways(
    open_page: Any, own_address: str, path: str, look: tuple[str, int]
) -> None:
    scheme, width = look
    page = open_page(own_address + path, width=width, color_scheme=scheme)
    assert axe_violations(page) == []
    assert has_no_horizontal_scroll(page)


def test_pages_show_every_choice_of_a_figure_but_those_that_are_looked_over_elsewhere(own_site: Path) -> None:
    with Site(own_options(own_site.parent)) as site:
        drawn = {str(one.request) for one in site.last_build.values(draw_figure)}
    choices = {str(one.request(choice)) for one in DRAWN.values() for choice in one.choices()}
    assert choices - drawn == NOT_ON_PAGES


def test_figures_follow_the_dark_theme(open_page: Any, own_address: str) -> None:
    colours = []
    for scheme in ("light", "dark"):
        page = open_page(own_address + ARTICLE.format("en"), color_scheme=scheme, width=1440)
        colours.append(
            page.evaluate(
                "getComputedStyle(document.querySelector('#fig-roofline svg:not([hidden]) text')).fill + "
                "getComputedStyle(document.documentElement).backgroundColor"
            )
        )
        open_page.leave()
    assert colours[0] != colours[1]


def test_chinese_is_set_in_a_face_that_the_theme_names(open_page: Any, own_address: str) -> None:
    """In the reader's own where the system has one of them, else in the bundled one; in no fallback."""
    page = open_page(own_address + ARTICLE.format("zh"))
    page.wait_for_load_state("networkidle")
    named = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--zh')")
    # The bundled subsets are called otherwise inside of their files.
    chinese = {name.strip().strip('"') for name in named.split(",")} - {"sans-serif"}
    assert "Diglot Sans SC" in chinese
    paragraph = page.locator("main p", has_text=re.compile("[\u4e00-\u9fff]{20}")).first
    used = faces_of(page, paragraph)
    assert used
    assert used <= chinese | {"Diglot Serif"}, f"set in {used}"
    assert used & (chinese - {"Diglot Sans"}), f"no Chinese face among {used}"


def faces_of(page: Any, element: Any) -> set[str]:
    """The families that the text of an element is drawn in."""
    element.evaluate("element => element.setAttribute('data-looked-at', '')")
    tools = page.context.new_cdp_session(page)
    for domain in ("DOM", "CSS"):
        tools.send(f"{domain}.enable")
    root = tools.send("DOM.getDocument")["root"]["nodeId"]
    node = tools.send("DOM.querySelector", {"nodeId": root, "selector": "[data-looked-at]"})["nodeId"]
    return {
        font["familyName"] for font in tools.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    }


def test_no_page_has_a_dead_link_an_id_twice_or_a_picture_without_words(own_site: Path) -> None:
    files = [path.relative_to(own_site).as_posix() for path in own_site.rglob("*") if path.is_file()]
    pages = {path: (own_site / path).read_text("utf-8") for path in files if path.endswith(".html")}
    assert check_pages(FinishedSite(pages, files, base_url="https://diglot.example/")) == ()


def test_at_least_five_figures_are_live_and_described(own_site: Path) -> None:
    page = (own_site / "en/posts/gpu-vs-tpu/index.html").read_text("utf-8")
    figures = set(re.findall(r'id="(fig-[a-z0-9-]+)"', page))
    assert len(figures) >= 5
    assert page.count('role="img"') >= len(figures)
    assert len(re.findall(r"<desc\b[^>]*>[^<]{40,}", page)) >= len(figures)
