"""The preview in a real browser: a save shows, a mistake covers the page, mending it uncovers it."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.sites import CHECKOUT, LINE, article, pair, write, write_site
from tests.serve.test_serving import Serving

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Serving]:
    serving = Serving(write_site(tmp_path / "site", figure=True), "--port", "0")
    yield serving
    serving.end()


def test_a_save_shows_a_mistake_covers_and_mending_uncovers(page: "Page", serving: Serving) -> None:
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    root = serving.root

    # Opened before the first build has ended: the page appears by itself.
    page.goto(f"{serving.address}zh/posts/hello/")
    page.get_by_text("A paragraph.").wait_for()

    embed = "\n\n```{figure} line\nA caption.\n```"
    write(root, {"content/posts/hello/zh.md": article(f"Another paragraph.{embed}")})
    page.get_by_text("Another paragraph.").wait_for()

    write(root, {"figures/line.py": LINE.replace("int(slope)", "1 / 0")})
    overlay = page.get_by_role("alert")
    overlay.wait_for()
    assert "figures/line.py:8" in overlay.inner_text()
    assert "division by zero" in overlay.inner_text()
    assert "this page is the last good one" in overlay.inner_text()
    assert page.get_by_text("Another paragraph.").is_visible()

    page.goto(f"{serving.address}en/archive/")  # every page shows it, also one opened later
    overlay.wait_for()
    assert "this page is up to date" in overlay.inner_text()
    page.goto(f"{serving.address}en/posts/hello/")
    overlay.wait_for()

    write(root, {"figures/line.py": LINE})
    overlay.wait_for(state="detached")
    assert page.get_by_text("A paragraph.").is_visible()
    assert troubles == []


def test_a_tab_in_the_background_lets_go_and_catches_up(page: "Page", serving: Serving) -> None:
    page.goto(f"{serving.address}zh/posts/hello/")
    page.get_by_text("A paragraph.").wait_for()
    hide = (
        "hidden => { Object.defineProperty(document, 'hidden', {value: hidden, configurable: true});"
        "document.dispatchEvent(new Event('visibilitychange')); }"
    )
    page.evaluate(hide, True)
    write(serving.root, {"content/posts/hello/zh.md": article("While nobody looked.")})
    serving.wait_for("built in .* files? changed")
    serving.wait_for("built in .* files? changed") if "While" not in serving.get(
        "zh/posts/hello/"
    ).text else None
    assert page.get_by_text("A paragraph.").is_visible()
    page.evaluate(hide, False)
    page.get_by_text("While nobody looked.").wait_for()


_MARK = "document.querySelectorAll('*').forEach(one => { one.old = true }); window.kept = true"


def _embed(words: str) -> str:
    return f"{words}\n\n```{{figure}} line\nA caption.\n```\n\nThe end."


def test_a_saved_figure_script_swaps_the_drawing_and_leaves_the_page(page: "Page", serving: Serving) -> None:
    write(serving.root, {"content/posts/hello/zh.md": article(_embed("A paragraph."))})
    page.goto(f"{serving.address}zh/posts/hello/")
    page.get_by_text("The end.").wait_for()
    page.evaluate(_MARK)
    drawing = page.locator(".drawing svg").first
    before = drawing.inner_html()
    write(serving.root, {"figures/line.py": LINE.replace("[0, int(slope)]", "[0, int(slope), 0, 5]")})
    page.wait_for_function(
        "before => document.querySelector('.drawing svg').innerHTML !== before", arg=before
    )
    assert page.evaluate("kept")
    assert page.evaluate("document.querySelector('.drawing').old")
    assert not page.evaluate("document.querySelector('.drawing svg').old === true")


def test_a_saved_style_sheet_and_template_reach_the_page_without_a_reload(
    page: "Page", serving: Serving
) -> None:
    page.goto(f"{serving.address}zh/posts/hello/")
    page.get_by_text("A paragraph.").wait_for()
    page.evaluate(_MARK)
    sheet = (CHECKOUT / "templates/static/style.css").read_text("utf-8")
    write(serving.root, {"templates/static/style.css": f"{sheet}\nh1 {{ color: rgb(1, 2, 3); }}\n"})
    page.wait_for_function("getComputedStyle(document.querySelector('h1')).color === 'rgb(1, 2, 3)'")
    base = (CHECKOUT / "templates/base.html").read_text("utf-8")
    write(serving.root, {"templates/base.html": base.replace("</main>", "</main>\n<p>Below all.</p>")})
    page.get_by_text("Below all.").wait_for()
    assert page.evaluate("kept")
    assert page.evaluate("document.querySelector('h1').old")


def test_a_style_sheet_of_the_projects_own_comes_changes_and_goes_without_a_reload(
    page: "Page", serving: Serving
) -> None:
    page.goto(f"{serving.address}zh/posts/hello/")
    page.get_by_text("A paragraph.").wait_for()
    page.evaluate(_MARK)
    colour = "getComputedStyle(document.querySelector('h1')).color"
    before = page.evaluate(colour)
    for shade in (1, 2):
        write(serving.root, {"site/static/custom.css": f"h1 {{ color: rgb({shade}, 2, 3); }}\n"})
        page.wait_for_function(f"{colour} === 'rgb({shade}, 2, 3)'")
    (serving.root / "site/static/custom.css").unlink()
    page.wait_for_function(f"before => {colour} === before", arg=before)
    assert page.evaluate("kept")
    assert page.evaluate("document.querySelector('h1').old")


def test_language_and_theme_stay_and_the_twin_is_never_an_old_one(page: "Page", serving: Serving) -> None:
    page.goto(f"{serving.address}zh/posts/hello/")
    page.get_by_text("A paragraph.").wait_for()
    page.locator("button.theme").click()
    theme = page.evaluate("document.documentElement.dataset.theme")
    page.get_by_role("link", name="English").first.click()
    page.wait_for_url("**/en/posts/hello/")
    page.evaluate("window.kept = true")
    for number in (1, 2):  # the page was put there by the theme, then by the preview
        write(serving.root, {"content/posts/hello/en.md": article(f"English {number}.", title="hello en")})
        page.get_by_text(f"English {number}.").wait_for()
    for number in range(3):  # the page of the other language is fetched before, while, or after it is built
        write(serving.root, {"content/posts/hello/zh.md": article(f"Unseen {number}.", title="hello zh")})
        page.wait_for_timeout(150 * number)  # time is the subject: three moments of the build
        page.get_by_role("link", name="中文").first.click()
        page.get_by_text(f"Unseen {number}.").wait_for()
        page.get_by_role("link", name="English").first.click()
        page.get_by_text("English 2.").wait_for()
    assert page.evaluate("document.documentElement.dataset.theme") == theme
    assert page.evaluate("kept")


def test_drafts_and_articles_of_the_future_are_marked_on_their_pages_and_in_lists(
    page: "Page", serving: Serving
) -> None:
    later = {path: text.replace("2026-01-02", "2999-01-02") for path, text in pair("later").items()}
    write(serving.root, {**later, **pair("sketch", more="draft: true\n")})
    page.goto(f"{serving.address}en/")
    page.get_by_role("link", name="sketch en").wait_for()
    marks = {
        name: page.locator(".lead", has_text=f"{name} en").locator(".meta b")
        for name in ("later", "sketch", "hello")
    }
    assert marks["later"].inner_text() == "future"
    assert marks["sketch"].inner_text() == "draft"
    assert marks["hello"].count() == 0
    page.goto(f"{serving.address}zh/posts/later/")
    assert page.locator("article .meta b").inner_text() == "未到日期"
    page.goto(f"{serving.address}zh/posts/sketch/")
    assert page.locator("article .meta b").inner_text() == "草稿"


def test_halves_stand_level_and_scroll_together_side_by_side(page: "Page", serving: Serving) -> None:
    words = "\n\n".join("A long paragraph of words. " * (3 + n % 7) for n in range(20))
    write(
        serving.root,
        {"content/posts/hello/zh.md": article(words.replace("words", "字" * 20), title="hello zh")},
    )
    write(serving.root, {"content/posts/hello/en.md": article(words, title="hello en")})
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{serving.address}__diglot/")
    page.get_by_role("link", name="side by side").click()
    page.wait_for_url("**/zh/posts/hello/both/")
    page.wait_for_function("document.querySelectorAll('article .row').length > 20")
    tops = (
        "[...document.querySelectorAll('article .row')].map(row => [...row.querySelectorAll('.half')])"
        ".filter(row => row.length === 2).map(row => row.map(half => half.getBoundingClientRect().top))"
    )
    before = page.evaluate(tops)
    assert len(before) > 20
    assert all(zh == en for zh, en in before)
    page.mouse.move(1000, 400)
    page.mouse.wheel(0, 600)
    page.wait_for_function("scrollY >= 600")
    assert page.evaluate(tops) == [[zh - 600, en - 600] for zh, en in before]
