"""An open page is kept up to date: what changed is swapped, all else stays as it was."""

import datetime
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest

from diglot.serve.hub import EVERYTHING
from diglot.serve.problems import DetailLine, Problem
from tests.browser import wait_until_settled
from tests.serve.conftest import Published

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

SHEET = "p { margin: 0; height: 300px } .mark { color: rgb(1, 2, 3) }"
FIGURE = """<figure><div class="drawing"><svg viewBox="0 0 10 10" width="100" height="100">{}</svg></div>
<details><summary>Data</summary><p>Numbers.</p></details></figure>"""


def _page(
    *rows: str, title: str = "A page", sheet: str = "style.1.css", head: str = "", script: str = ""
) -> str:
    blocks = "\n".join(f'<div class="row" id="r-{number}">{row}</div>' for number, row in enumerate(rows))
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n{head}'
        f'<link rel="stylesheet" href="/{sheet}">\n{script}</head>\n'
        f'<body>\n<header class="bar"><b>Site</b></header>\n'
        f"<main>\n<article>\n{blocks}\n</article>\n</main>\n<footer>Foot</footer>\n</body>\n</html>\n"
    )


def _rows(**changed: str) -> list[str]:
    rows = {f"r{n}": f"<p>Paragraph {n}.</p>" for n in range(10)}
    return list((rows | changed).values())


def _open(open_page: Callable[..., Any], published: Published, files: dict[str, str]) -> "Page":
    published.publish({"style.1.css": SHEET, "favicon.ico": "", **files})
    page: Page = open_page(published.address)
    # The marks are lost with a reload of the page, or a swap of their element.
    page.evaluate("document.querySelectorAll('*').forEach(one => { one.old = true }); window.kept = true")
    return page


def _is_old(page: "Page", selector: str) -> bool:
    return bool(page.evaluate("selector => document.querySelector(selector).old === true", selector))


def _was_not_reloaded(page: "Page") -> bool:
    return bool(page.evaluate("window.kept === true"))


def test_only_the_block_that_changed_is_touched(published: Published, open_page: Callable[..., Any]) -> None:
    page = _open(open_page, published, {"index.html": _page(*_rows())})
    page.evaluate(
        "window.touched = []; new MutationObserver(all => all.forEach(one => touched.push("
        "(one.target.closest?.('[id]') ?? one.target.parentElement.closest('[id]')).id)))"
        ".observe(document.querySelector('main'), {childList: true, subtree: true, characterData: true})"
    )
    published.publish({"index.html": _page(*_rows(r4="<p>Another text.</p>"))})
    page.get_by_text("Another text.").wait_for()
    assert set(page.evaluate("touched")) == {"r-4"}
    assert _was_not_reloaded(page)


def test_a_block_put_in_leaves_the_others_alone_though_their_numbers_shift(
    published: Published, open_page: Callable[..., Any]
) -> None:
    page = _open(open_page, published, {"index.html": _page(*_rows())})
    page.locator("#r-7").evaluate("row => { row.seven = true }")
    rows = _rows()
    published.publish({"index.html": _page(*rows[:2], "<p>Put in.</p>", *rows[2:])})
    page.get_by_text("Put in.").wait_for()
    assert page.locator("#r-8").inner_text() == "Paragraph 7."
    assert page.evaluate("document.getElementById('r-8').seven") is True
    assert page.locator(".row").count() == 11
    published.publish({"index.html": _page(*rows[1:])})
    page.get_by_text("Put in.").wait_for(state="detached")
    assert page.evaluate("document.getElementById('r-6').seven") is True
    assert page.locator(".row").count() == 9


def test_the_page_becomes_what_a_reload_would_show(
    published: Published, open_page: Callable[..., Any]
) -> None:
    page = _open(open_page, published, {"index.html": _page(*_rows())})
    after = _page(
        "<p>New <em>first</em>.</p><ul><li>one</li></ul>",
        *reversed(_rows()[3:]),
        FIGURE.format("<circle r='4'/>"),
        title="Another title",
        head='<meta name="description" content="New.">\n',
    )
    after = after.replace('lang="en"', 'lang="zh-Hans" data-view="zh"').replace("Foot", "<b>Another foot</b>")
    published.publish({"index.html": after})
    page.get_by_text("Another foot").wait_for()
    assert _was_not_reloaded(page)
    shown = (
        "document.querySelectorAll('script').forEach(one => one.remove()), document.documentElement.outerHTML"
    )
    patched = page.evaluate(shown).split("<body>")
    page.reload()
    reloaded = page.evaluate(shown).split("<body>")
    assert patched[1] == reloaded[1]
    assert page.title() == "Another title"
    assert page.locator("html[lang=zh-Hans][data-view=zh]").count() == 1
    assert _tags(patched[0]) == _tags(reloaded[0])


def _tags(head: str) -> list[str]:
    return sorted(
        line for line in head.replace("><", ">\n<").split("\n") if line.startswith(("<meta", "<link"))
    )


def test_the_reader_stays_where_they_are_when_something_above_grows(
    published: Published, open_page: Callable[..., Any]
) -> None:
    page = _open(open_page, published, {"index.html": _page(*_rows())})
    page.evaluate("scrollTo(0, 1500)")
    top = page.locator("#r-6").evaluate("row => row.getBoundingClientRect().top")
    published.publish({"index.html": _page(*_rows(r1="<p>One.</p><p>Two.</p><p>Three, new.</p>"))})
    page.get_by_text("Three, new.").wait_for(state="attached")
    wait_until_settled(page)
    assert page.locator("#r-6").evaluate("row => row.getBoundingClientRect().top") == top
    assert page.evaluate("scrollY") == 2100


def test_open_disclosures_focus_and_what_scripts_did_stay(
    published: Published, open_page: Callable[..., Any]
) -> None:
    button = '<button id="b">Press</button> {} ' + FIGURE.format("<circle r='1'/>")
    page = _open(open_page, published, {"index.html": _page(*_rows(r2=button.format("before")))})
    page.evaluate(
        "document.querySelector('details').open = true; document.getElementById('b').focus();"
        "document.documentElement.dataset.theme = 'dark';"
        "document.querySelector('#r-2').style.marginTop = '7px'"
    )
    published.publish({"index.html": _page(*_rows(r2=button.format("after")))})
    page.get_by_text("after").wait_for()
    assert page.evaluate("document.querySelector('details').open")
    assert page.evaluate("document.activeElement.id") == "b"
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.evaluate("document.querySelector('#r-2').style.marginTop") == "7px"


def test_a_changed_figure_is_swapped_alone(published: Published, open_page: Callable[..., Any]) -> None:
    page = _open(open_page, published, {"index.html": _page(*_rows(r3=FIGURE.format("<circle r='1'/>")))})
    page.evaluate("document.querySelector('details').open = true")
    swapped = "window.swaps = 0; document.addEventListener('diglot:swapped', () => { swaps += 1 })"
    page.evaluate(swapped)
    published.publish({"index.html": _page(*_rows(r3=FIGURE.format("<circle r='3'/>")))})
    page.locator("circle[r='3']").wait_for(state="attached")
    assert not _is_old(page, "#r-3 svg")
    assert _is_old(page, "#r-3 figure")
    assert _is_old(page, "#r-3 .drawing")
    assert page.evaluate("document.querySelector('details').open")
    assert page.evaluate("swaps") == 1
    assert _was_not_reloaded(page)


def test_a_changed_style_sheet_is_swapped_without_a_reload(
    published: Published, open_page: Callable[..., Any]
) -> None:
    page = _open(open_page, published, {"index.html": _page(*_rows(r0='<p class="mark">Mark</p>'))})
    colour = "getComputedStyle(document.querySelector('.mark')).color"
    assert page.evaluate(colour) == "rgb(1, 2, 3)"
    # No frame without a sheet: the first paragraph always has the height that both sheets give it.
    page.evaluate(
        "window.heights = new Set(); const look = () => {"
        "heights.add(document.querySelector('p').offsetHeight); requestAnimationFrame(look) }; look()"
    )
    for number in (2, 3, 4):  # one after the other, faster than they load
        published.publish(
            {
                f"style.{number}.css": SHEET.replace("1, 2, 3", f"{number}, 0, 0"),
                "index.html": _page(*_rows(r0='<p class="mark">Mark</p>'), sheet=f"style.{number}.css"),
            }
        )
    page.wait_for_function(f"{colour} === 'rgb(4, 0, 0)'")
    sheets = (
        "[...document.querySelectorAll('link[rel=stylesheet]')].map(sheet => new URL(sheet.href).pathname)"
    )
    page.wait_for_function(f"`${{{sheets}}}` === '/style.4.css'")
    assert page.evaluate("[...heights]") == [300]
    assert _was_not_reloaded(page)
    assert _is_old(page, "#r-0")


def test_a_sheet_and_a_picture_that_keep_their_address_are_loaded_anew(
    published: Published, open_page: Callable[..., Any]
) -> None:
    picture = '<svg xmlns="http://www.w3.org/2000/svg" width="{}" height="10"/>'
    files = {
        "index.html": _page('<img src="/a.svg" alt=""><p class="mark">Mark</p>'),
        "a.svg": picture.format(20),
    }
    page = _open(open_page, published, files)
    published.publish({"a.svg": picture.format(40)})
    page.wait_for_function("document.querySelector('img').naturalWidth === 40")
    colour = "getComputedStyle(document.querySelector('.mark')).color"
    for number in (8, 9):
        published.publish({"style.1.css": SHEET.replace("1, 2, 3", f"{number}, 9, 9")})
        page.wait_for_function(f"{colour} === 'rgb({number}, 9, 9)'")
    after = files["index.html"].replace("style.1.css", "style.2.css")
    published.publish(
        {"style.2.css": SHEET, "index.html": after}
    )  # and then one of another name takes its place
    page.wait_for_function(f"{colour} === 'rgb(1, 2, 3)'")
    page.wait_for_function("document.querySelectorAll('link[rel=stylesheet]').length === 1")
    assert _was_not_reloaded(page)


LATER = '<template><script src="{}"></script></template>\n'
"""A script that another one starts, as on pages of the theme."""
START = "<script>document.head.append(document.querySelector('template').content)</script>\n"


@pytest.mark.parametrize("tag", ['<script src="{}" defer></script>\n', LATER + START])
def test_a_changed_script_reloads_the_page_where_the_reader_is(
    published: Published, open_page: Callable[..., Any], tag: str
) -> None:
    rows = _rows(r3=FIGURE.format("<circle r='1'/>"))
    files = {
        "a.1.js": "window.version = 1",
        "index.html": _page(*rows, script=tag.format("/a.1.js")),
    }
    page = _open(open_page, published, files)
    page.evaluate("scrollTo(0, 900); document.querySelector('details').open = true")
    published.publish(
        {
            "a.2.js": "window.version = 2",
            "index.html": _page(*rows, script=tag.format("/a.2.js")),
        }
    )
    page.wait_for_function("window.version === 2")
    page.wait_for_function("scrollY === 900")
    assert page.evaluate("document.querySelector('details').open")
    assert not _was_not_reloaded(page)


def test_a_build_that_changed_other_pages_asks_for_nothing(
    published: Published, open_page: Callable[..., Any]
) -> None:
    page = _open(open_page, published, {"index.html": _page(*_rows())})
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    built = "window.builds = 0; document.addEventListener('diglot:built', () => { builds += 1 })"
    page.evaluate(built)
    published.publish({"zh/index.html": _page("<p>Other.</p>")})
    page.wait_for_function("builds === 1")
    assert asked == []
    published.publish({"index.html": _page(*_rows(r9="<p>Mine.</p>"))})
    page.get_by_text("Mine.").wait_for()
    assert asked == [published.address]


def test_a_page_that_is_not_there_yet_appears_and_one_that_is_gone_leaves(
    published: Published, open_page: Callable[..., Any]
) -> None:
    published.write({"404.html": _page("<p>Nothing here.</p>"), "style.1.css": SHEET})
    page = open_page(f"{published.address}new/")
    open_page.complaints.clear()  # type: ignore[attr-defined]  # the 404 itself
    published.publish({"new/index.html": _page("<p>Here it is.</p>")})
    page.get_by_text("Here it is.").wait_for()
    (published.output / "new/index.html").unlink()
    published.hub.tell_built(["new/index.html"])
    page.get_by_text("Nothing here.").wait_for()
    open_page.complaints.clear()


_HIDE = (
    "hidden => { Object.defineProperty(document, 'hidden', {value: hidden, configurable: true});"
    "document.dispatchEvent(new Event('visibilitychange')); }"
)


def test_a_hidden_tab_lets_go_and_catches_up(published: Published, open_page: Callable[..., Any]) -> None:
    page = _open(open_page, published, {"index.html": _page(*_rows())})
    _until(page, lambda: published.hub.listeners == 1)
    page.evaluate(_HIDE, True)
    _until(page, lambda: published.hub.listeners == 0)
    published.publish({"index.html": _page(*_rows(r1="<p>While nobody looked.</p>"))})
    published.publish({"zh/index.html": _page("<p>Something else.</p>")})
    wait_until_settled(page)
    assert page.get_by_text("While nobody looked.").count() == 0
    page.evaluate(_HIDE, False)
    page.get_by_text("While nobody looked.").wait_for()
    assert _was_not_reloaded(page)


def test_what_was_built_while_the_connection_was_lost_is_caught_up(
    published: Published, open_page: Callable[..., Any], tmp_path: Any
) -> None:
    page = _open(open_page, published, {"index.html": _page(*_rows())})
    published.end()
    again = Published(published.output, port=published.port, begin=False)
    again.write({"index.html": _page(*_rows(r1="<p>By another preview.</p>"))})
    again.begin()
    try:
        page.get_by_text("By another preview.").wait_for()
        assert _was_not_reloaded(page)
        again.publish({"index.html": _page(*_rows(r1="<p>And once more.</p>"))})
        page.get_by_text("And once more.").wait_for()
        assert _was_not_reloaded(page)
    finally:
        again.end()
        open_page.complaints.clear()  # type: ignore[attr-defined]  # the refused connections


def _until(page: "Page", holds: Callable[[], bool]) -> None:
    # The page's events are handled only while Playwright waits, so `tests.waiting` cannot be used.
    for _ in range(2400):
        if holds():
            return
        page.wait_for_timeout(25)
    raise AssertionError("it did not come to hold")


def _problem(**facts: Any) -> Problem:
    return Problem(
        **{
            "severity": "error",
            "rule": "a-rule",
            "place": "",
            "source": ("", "", ""),
            "detail": (),
            "fix": "",
            "link": "",
        }
        | facts
    )


def test_problems_cover_the_last_good_page_until_they_are_mended(
    published: Published, open_page: Callable[..., Any]
) -> None:
    page = _open(open_page, published, {"index.html": _page(*_rows())})
    frames = (
        DetailLine(text="figures/a.py:3 in compute", link="vscode://file/p/figures/a.py:3:1"),
        DetailLine(text="    1 / 0"),
    )
    published.hub.tell_failed(
        (
            _problem(
                place="figures/a.py:3", message="ZeroDivisionError", source=("1 / 0", "", ""), detail=frames,
                fix="mend it.", link="vscode://file/p/figures/a.py:3:1",
            ),
            _problem(severity="warning", message="a label collides"),
        )
    )  # fmt: skip
    overlay = page.get_by_role("alert")
    overlay.wait_for()
    text = overlay.inner_text()
    for words in ("1 error, 1 warning", "figures/a.py:3", "ZeroDivisionError", "    1 / 0", "fix: mend it."):
        assert words in text
    assert text.index("ZeroDivisionError") < text.index("a label collides")
    assert page.get_by_role("link", name="figures/a.py:3", exact=True).get_attribute("href") == (
        "vscode://file/p/figures/a.py:3:1"
    )
    assert page.get_by_text("Paragraph 0.").is_visible()
    published.publish({"index.html": _page(*_rows(r0="<p>Mended.</p>"))})
    page.get_by_text("Mended.").wait_for()
    overlay.wait_for(state="detached")
    assert _was_not_reloaded(page)


@pytest.mark.parametrize("way", ["escape", "button"])
def test_the_overlay_closes_and_comes_back_with_the_next_build_that_fails(
    published: Published, open_page: Callable[..., Any], way: str
) -> None:
    page = _open(open_page, published, {"index.html": _page(*_rows())})
    published.hub.tell_failed((_problem(message="The first fault."),))
    page.get_by_text("The first fault.").wait_for()
    if way == "escape":
        page.keyboard.press("Escape")
    else:
        page.get_by_role("button", name="Close").click()
    page.get_by_role("alert").wait_for(state="detached")
    line = page.get_by_role("button", name="1 error · this page is the last good one")
    line.wait_for()
    page.evaluate(_HIDE, True)
    _until(page, lambda: published.hub.listeners == 0)
    page.evaluate(_HIDE, False)  # the same state, told again
    _until(page, lambda: published.hub.listeners == 1)
    wait_until_settled(page)
    assert page.get_by_role("alert").count() == 0
    published.hub.tell_built((), published.hub.state.problems, kept=EVERYTHING, saved=False)  # only a figure
    wait_until_settled(page)
    assert page.get_by_role("alert").count() == 0
    line.click()
    page.get_by_text("The first fault.").wait_for()
    page.keyboard.press("Escape")
    line.wait_for()
    published.hub.tell_failed((_problem(message="The first fault."),))
    page.get_by_text("The first fault.").wait_for()
    assert line.count() == 0


def test_ten_saves_that_fail_leave_one_overlay_with_the_last_problems(
    published: Published, open_page: Callable[..., Any]
) -> None:
    page = _open(open_page, published, {"index.html": _page(*_rows())})
    for number in range(10):
        published.hub.tell_failed((_problem(message=f"Fault {number}."), _problem(message="The same.")))
        page.get_by_text(f"Fault {number}.").wait_for()
        assert page.locator("diglot-overlay").count() == 1
    assert page.get_by_role("alert").locator("li").count() == 2


def test_a_page_tells_whether_the_errors_keep_it_as_it_was(
    published: Published, open_page: Callable[..., Any]
) -> None:
    pages = {"index.html": _page(*_rows()), "other/index.html": _page(*_rows())}
    page = _open(open_page, published, pages)
    overlay = page.get_by_role("alert")
    fault = _problem(message="A fault.")
    published.hub.tell_built((), (fault,), kept=("other/index.html",))
    page.get_by_text("this page is up to date").wait_for()
    published.hub.tell_built((), (fault,), kept=("index.html",))
    page.get_by_text("this page is the last good one").wait_for()
    published.hub.tell_built((), (fault,), kept=None)
    page.get_by_text("pages with errors stay as they were").wait_for()
    published.hub.tell_built((), (fault,), kept=[f"{number}/index.html" for number in range(5000)])
    wait_until_settled(page)
    assert "pages with errors stay as they were" in overlay.inner_text()
    page.goto(f"{published.address}nowhere/")
    overlay.wait_for()
    open_page.complaints.clear()  # type: ignore[attr-defined]  # the 404 itself
    assert "pages with errors stay as they were" in overlay.inner_text()


def test_nothing_in_a_diagnostic_becomes_html_or_runs(
    published: Published, open_page: Callable[..., Any]
) -> None:
    page = _open(open_page, published, {"index.html": _page(*_rows())})
    evil = "<img src=x onerror='window.owned = 1'><script>window.owned = 1</script></script>"
    bad = "javascript:window.owned=1"
    published.hub.tell_failed(
        (
            _problem(
                place=evil,
                message=evil,
                source=(evil, evil, evil),
                detail=(DetailLine(text=evil, link=bad),),
                fix=evil,
                link=bad,
            ),
        )
    )
    page.get_by_role("alert").wait_for()
    wait_until_settled(page)
    assert page.get_by_role("alert").inner_text().count("<img src=x") == 7
    assert page.get_by_role("alert").locator("a, img, script").count() == 0
    assert page.evaluate("window.owned") is None
    assert published.hub.state.problems[0].message == evil


def test_articles_of_the_future_are_marked_in_the_language_they_are_in(
    published: Published, open_page: Callable[..., Any]
) -> None:
    line = '<div class="entry" lang="{}"><p class="meta"><time datetime="{}">…</time></p></div>'
    rows = [
        line.format("en", "2999-01-01"),
        line.format("zh-Hans", "2999-01-01"),
        line.format("en", "2020-01-01"),
    ]
    page = _open(open_page, published, {"index.html": _page(*rows)})
    assert page.locator(".meta").all_inner_texts() == ["future\u00a0· …", "未到日期\u00a0· …", "…"]
    published.publish({"index.html": _page(rows[0].replace("2999", "2020"), *rows[1:])})
    page.wait_for_function("document.querySelectorAll('diglot-future').length === 1")


def test_today_is_that_of_the_time_zone_of_the_site(
    published: Published, open_page: Callable[..., Any]
) -> None:
    zones = {zone: datetime.datetime.now(ZoneInfo(zone)).date() for zone in ("Etc/GMT-14", "Etc/GMT+12")}
    late, early = zones.values()  # 26 hours lie between them, so that the days always differ
    line = '<div class="entry" lang="en"><p class="meta"><time datetime="{}">…</time></p></div>'
    for zone, today in zones.items():
        published.hub.tell_time_zone(zone)
        page = _open(open_page, published, {"index.html": _page(line.format(late), line.format(early))})
        marks = page.locator(".meta").all_inner_texts()
        assert marks == ["…" if day <= today else "future\u00a0· …" for day in (late, early)]


def _anything(random: Random, depth: int = 0) -> str:
    """A random piece of HTML, with ids that other pages use too."""
    if depth > 3 or random.random() < 0.3:
        return random.choice(
            ["word ", "and more ", " ", "\n", f"number {random.randrange(5)} ", "<!-- note -->"]
        )
    name = random.choice(["div", "p", "span", "ul", "section", "svg", "pre", "details"])
    marks = "".join(
        f' {key}="{random.randrange(6)}"' for key in ("id", "class", "title") if random.random() < 0.4
    )
    inside = "".join(_anything(random, depth + 1) for _ in range(random.randrange(5)))
    return f"<{name}{marks}>{inside}</{name}>"


def test_any_page_becomes_any_other(published: Published, open_page: Callable[..., Any]) -> None:
    random = Random(7)
    page = _open(open_page, published, {"index.html": _page("<p>Begin.</p>")})
    page.evaluate(
        "window.builds = 0; document.addEventListener('diglot:built', () => { window.builds += 1 })"
    )
    shown = (
        "async () => { const text = await (await fetch('/')).text();"
        " const page = new DOMParser().parseFromString(text, 'text/html');"
        " const html = one => { one.querySelectorAll('script').forEach(s => s.remove()); one.normalize();"
        " return one.innerHTML.trim() };"
        " return [html(document.body), html(page.body), window.kept] }"
    )
    for number in range(60):
        rows = [_anything(random) for _ in range(random.randrange(8))]
        published.publish({"index.html": _page(*rows)})
        page.wait_for_function(f"window.builds === {number + 1}")
        on_screen, served, kept = page.evaluate(shown)
        assert on_screen == served
        assert kept is True
