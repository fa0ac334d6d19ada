"""Browsers that follow saves: which block a save changed, and that visible tabs go there."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from diglot.rules.live import LiveSite
from diglot.rules.options import SiteOptions
from diglot.serve.blocks import SiteBlocks
from diglot.serve.following import Following, first_difference
from tests.browser import wait_until_settled
from tests.cli.sites import CONFIG, LINE, article, pair, write
from tests.serve.test_serving import Serving, serve
from tests.space import Space

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["serve"]

WORDS = "## One {#one}\n\nFirst.\n\nSecond.\n\n## Two {#two}\n\nThird.\n"
ZH, EN = "content/posts/hello/zh.md", "content/posts/hello/en.md"


class Saving:
    """A project whose saves are built and followed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.site = LiveSite(SiteOptions(root=root, output=root / "public", drafts=True, future=True))
        self.following = Following(self.site.last_build, SiteBlocks())

    def build(self, files: dict[str, str]) -> None:
        write(self.root, files)
        self.site.refresh(files)

    def save(self, files: dict[str, str]) -> list[str]:
        """Save, build, and return the places that are followed, as addresses."""
        self.following.before(files)
        self.build(files)
        return [
            f"/{place.page.removesuffix('index.html')}{'#' if place.row else ''}{place.row}"
            for place in self.following.after(files)
        ]


@pytest.fixture
def saving(tmp_path: Path) -> Iterator[Saving]:
    one = Saving(tmp_path)
    one.build({"site/site.yaml": CONFIG, **pair("hello", WORDS)})
    yield one
    one.site.close()


def test_a_changed_paragraph_is_shown_on_the_pages_of_its_half(saving: Saving) -> None:
    assert saving.save({EN: article(WORDS.replace("Second", "Other"), title="hello en")}) == [
        "/en/posts/hello/#one-2",
        "/en/posts/hello/both/#one-2",
        "/zh/posts/hello/both/#one-2",
    ]
    [first, *_] = saving.save({ZH: article(WORDS.replace("Third", "Other"), title="hello zh")})
    assert first == "/zh/posts/hello/#two-1"


def test_blocks_that_only_moved_did_not_change(saving: Saving) -> None:
    more = WORDS.replace("First.", "First.\n\nPut in, with {eval}`1 + 1`.")
    assert saving.save({EN: article(more, title="hello en")})[0] == "/en/posts/hello/#one-2"
    spaced = more.replace("\n\n", "\n\n\n\n")
    assert saving.save({EN: article(spaced, title="hello en")})[0] == "/en/posts/hello/"


def test_what_was_removed_is_shown_where_it_was(saving: Saving) -> None:
    second = "/en/posts/hello/#one-2"  # paired with the second paragraph of the other half
    assert saving.save({EN: article(WORDS.replace("First.", ""), title="hello en")})[0] == second
    assert saving.save({EN: article("## One {#one}\n\nSecond.", title="hello en")})[0] == second


def test_front_matter_is_shown_at_the_title(saving: Saving) -> None:
    assert saving.save({EN: article(WORDS, title="Another")})[0] == "/en/posts/hello/#_top"
    assert saving.save({"content/posts/hello/meta.yaml": "tags: [roofline]\n"}) == [
        "/zh/posts/hello/#_top",
        "/zh/posts/hello/both/#_top",
        "/en/posts/hello/both/#_top",
        "/en/posts/hello/#_top",
    ]


def test_a_broken_half_is_shown_and_once_mended_the_block_that_differs(saving: Saving) -> None:
    assert saving.save({EN: article("# No.\n", title="hello en")})[0] == "/en/posts/hello/"
    mended = WORDS.replace("Third", "Mended")
    assert saving.save({EN: article(mended, title="hello en")})[0] == "/en/posts/hello/#two-1"


def test_a_new_article_is_shown_from_its_beginning(saving: Saving) -> None:
    assert saving.save(pair("second"))[0] == "/zh/posts/second/"


def test_a_figure_is_shown_where_the_newest_article_first_shows_it(saving: Saving) -> None:
    embed = "Words.\n\n```{figure} line\nA caption.\n```\n\n```{figure} line\n:name: again\nTwice.\n```"
    newer = {path: text.replace("2026-01-02", "2026-01-03") for path, text in pair("newer", embed).items()}
    saving.build({"figures/line.py": LINE, **pair("older", embed), **newer})
    shown = saving.save({"figures/line.py": LINE.replace("A line", "The line")})
    assert shown[0] == "/zh/posts/newer/#fig-line"
    assert "/en/posts/newer/#fig-line" in shown
    assert shown.index("/zh/posts/older/#fig-line") > shown.index("/en/posts/newer/#fig-line")


def test_a_script_in_an_article_is_shown_at_its_figure(saving: Saving) -> None:
    words = f"Words.\n\n```{{figure-script}} own\n{LINE}```\n\nMore.\n\n```{{figure}} own\nA caption.\n```\n"
    saving.build({ZH: article(words, title="hello zh"), EN: article(words, title="hello en")})
    changed = words.replace("int(slope)", "2 * int(slope)")
    saving.following.before([ZH, EN])
    assert saving.save({ZH: article(changed, title="z"), EN: article(changed, title="e")})[0].endswith(
        "#_top"
    )
    words = changed.replace("2 *", "3 *")
    shown = saving.save({ZH: article(words, title="z"), EN: article(words, title="e")})
    assert shown[0] == "/zh/posts/hello/#fig-own"


@pytest.mark.parametrize(
    "files",
    [
        {"templates/strings/en.yaml": "draft: sketch\n"},
        {"site/static/custom.css": "p { color: red }"},
        {"figures/unused.py": LINE},
        {"content/posts/hello/data.csv": "1"},
        {**pair("second"), EN: article("Changed.", title="hello en")},
    ],
)
def test_what_no_block_shows_and_what_several_articles_show_is_not_followed(
    saving: Saving, files: dict[str, str]
) -> None:
    assert saving.save(files) == []


def test_an_article_that_is_gone_is_not_followed(saving: Saving) -> None:
    saving.build(pair("second"))
    saving.following.before([ZH, EN])
    for path in (ZH, EN):
        (saving.root / path).unlink()
    saving.site.refresh([ZH, EN])
    assert saving.following.after([ZH, EN]) == ()


def test_a_renamed_article_is_shown_at_its_new_address(saving: Saving) -> None:
    folders = ["content/posts/hello", "content/posts/greeting"]
    saving.following.before(folders)
    (saving.root / folders[0]).rename(saving.root / folders[1])
    saving.site.refresh(folders)
    assert saving.following.after(folders)[0].page == "zh/posts/greeting/index.html"


def test_the_first_difference_of_two_lists() -> None:
    def difference(before: str, now: str) -> int | None:
        return first_difference([(one,) for one in before], [(one,) for one in now])

    assert difference("abc", "abc") is None
    assert difference("abc", "axc") == 1
    assert difference("abc", "axbc") == 1
    assert difference("abc", "ac") == 1
    assert difference("abc", "ab") == 1
    assert difference("abc", "abcd") == 3
    assert difference("abc", "") is None
    assert difference("", "a") == 0


LONG = "\n\n".join(f"Paragraph {number}." for number in range(60))


@pytest.fixture
def long(tmp_path: Path, serve: Callable[..., Serving]) -> Serving:
    Space(tmp_path)
    write(tmp_path, {**pair("hello", LONG), **pair("second", LONG)})
    serving = serve(tmp_path, "--port", "0", "--follow")
    serving.wait_for("built in")
    return serving


def _changed(number: int, words: str = "Changed.") -> str:
    return article(LONG.replace(f"Paragraph {number}.", words), title="hello en")


_IN_VIEW = """words => {
  const block = [...document.querySelectorAll("article .row")].find(one => one.textContent.includes(words));
  const { top, bottom } = block?.getBoundingClientRect() ?? { top: -1 };
  return top >= 45 && bottom <= innerHeight;
}"""


def wait_until_followed(page: "Page") -> None:
    """Wait until the preview knows that this page follows: otherwise it finds no place for the next save."""
    page.evaluate(
        """() => new Promise(done => {
          new EventSource("/__diglot/events?follow=on").onmessage = () => done();
        })"""
    )


@pytest.mark.browser
def test_a_visible_tab_goes_to_the_page_and_block_that_a_save_changed(page: "Page", long: Serving) -> None:
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.goto(f"{long.address}en/")
    wait_until_followed(page)
    write(long.root, {EN: _changed(40)})
    page.wait_for_url("**/en/posts/hello/")
    page.wait_for_function(_IN_VIEW, arg="Changed.")
    page.evaluate("window.kept = true")
    wait_until_followed(page)
    write(long.root, {EN: _changed(5, "Changed above.")})
    page.wait_for_function(_IN_VIEW, arg="Changed above.")
    assert page.evaluate("kept")  # on the page itself there is nothing to load
    page.goto(f"{long.address}zh/posts/second/both/")
    wait_until_followed(page)
    write(long.root, {EN: _changed(5, "Changed above.").replace("Paragraph 50.", "Changed below.")})
    page.wait_for_url("**/zh/posts/hello/both/")  # a reader of both halves stays with both
    page.wait_for_function(_IN_VIEW, arg="Changed below.")
    assert troubles == []


@pytest.mark.browser
def test_the_block_is_highlighted_for_a_second_and_leaves_no_trace(page: "Page", long: Serving) -> None:
    page.goto(f"{long.address}en/posts/hello/")
    wait_until_followed(page)
    page.evaluate(
        "window.lit = []; const real = Element.prototype.animate;"
        "Element.prototype.animate = function (...all) {"
        "  lit.push([this.id, all[1].duration]); return real.apply(this, all); }; 0"
    )
    write(long.root, {EN: _changed(3)})
    page.wait_for_function("lit.length > 0")
    [[row, duration]] = page.evaluate("lit")
    assert page.locator(f"[id='{row}']").inner_text() == "Changed."
    assert duration == 1000
    page.wait_for_function("document.getAnimations().length === 0")
    assert page.locator(f"[id='{row}']").get_attribute("style") is None


@pytest.mark.browser
def test_nobody_is_moved_who_types_holds_the_mouse_looked_away_or_chose_not_to_follow(
    page: "Page", long: Serving
) -> None:
    home = f"{long.address}en/"

    def open_home() -> None:
        page.goto(home)
        page.evaluate(  # a second stream tells when a save has reached this page
            "window.heard = []; new EventSource('/__diglot/events?follow=on')"
            ".addEventListener('message', ({ data }) => heard.push(JSON.parse(data).saved)); 0"
        )

    open_home()
    page.get_by_role("link", name="hello en").wait_for()

    def stays(number: int) -> None:
        page.wait_for_function("heard.length > 0")
        before = page.evaluate("heard.at(-1)")
        write(long.root, {EN: _changed(number, f"Save {number}.")})
        page.wait_for_function("before => heard.at(-1) > before", arg=before)
        wait_until_settled(page)
        assert page.url == home

    page.evaluate(
        "document.body.append(Object.assign(document.createElement('textarea'), {id: 'comment'}));"
        "document.getElementById('comment').focus()"
    )
    stays(1)
    page.evaluate("document.getElementById('comment').remove()")
    page.mouse.move(600, 600)
    page.mouse.down()
    stays(2)
    page.mouse.up()
    hide = (
        "hidden => { Object.defineProperty(document, 'hidden', {value: hidden, configurable: true});"
        "document.dispatchEvent(new Event('visibilitychange')); }"
    )
    page.evaluate(hide, True)
    stays(3)
    page.evaluate(hide, False)
    wait_until_settled(page)
    assert page.url == home
    page.goto(f"{long.address}__diglot/")
    button = page.get_by_role("switch", name="Follow saves")
    assert (button.get_attribute("aria-checked"), button.inner_text()) == ("true", "Follow saves: on")
    button.click()
    assert (button.get_attribute("aria-checked"), button.inner_text()) == ("false", "Follow saves: off")
    page.reload()
    button.and_(page.get_by_text("Follow saves: off")).wait_for()  # this browser remembers it
    open_home()
    stays(4)
    page.goto(f"{long.address}__diglot/")
    button.click()
    page.goto(home)
    wait_until_followed(page)
    write(long.root, {EN: _changed(5, "Save 5.")})
    page.wait_for_url("**/en/posts/hello/")
