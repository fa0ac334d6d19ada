"""Tables of contents, and the signs beside headings: what pages hold, and what readers do with them."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from diglot.render.contents import heading_words
from tests.browser import axe_violations, served
from tests.space import Space, told

LONG = "One paragraph.\n\n" * 12
BODY = f"""\
{LONG}
## The roof {{#roof}}

{LONG}
### Where `it` bends[^1] {{#bend}}

{LONG}
#### Too deep {{#deep}}

{LONG}
## [Stairs](#roof) {{#stairs}}

{LONG}
## Conclusion {{#end}}

{LONG}{LONG}
[^1]: A note.
"""
CHINESE = (
    BODY.replace("The roof", "屋顶")
    .replace("Where", "在哪里")
    .replace("Stairs", "台阶")
    .replace("Concl", "结论")
)


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Space:
    made = Space(tmp_path_factory.mktemp("contents"))
    made.post("long", zh=CHINESE, en=BODY)
    made.post("off", zh=CHINESE, en=BODY, contents="false")
    made.post("short", zh=BODY, en="## One {#roof}\n\n### Two {#bend}\n\nText.")
    made.build()
    return made


@pytest.fixture(scope="module")
def address(space: Space) -> Iterator[str]:
    with served(space.root / "public") as found:
        yield found


def sections(page: str) -> list[str]:
    """The table of contents, as lines of links with the depth before them."""
    found = re.search(r'<nav class="contents".*?</nav>', page, re.DOTALL)
    lines, depth = [], 0
    for tag in re.findall(r"<ol>|</ol>|<a .*?</a>", found[0] if found else ""):
        depth += (tag == "<ol>") - (tag == "</ol>")
        if tag.startswith("<a"):
            lines.append(f"{depth} {tag}")
    return lines


def test_the_contents_are_the_sections_and_subsections_in_the_language_of_the_page(space: Space) -> None:
    assert sections(space.page("en/posts/long")) == [
        '1 <a href="#roof">The roof</a>',
        '2 <a href="#bend">Where <code>it</code> bends</a>',
        '1 <a href="#stairs">Stairs</a>',
        '1 <a href="#end">Conclusion</a>',
    ]
    assert sections(space.page("zh/posts/long"))[0] == '1 <a href="#roof">屋顶</a>'
    assert sections(space.page("zh/posts/long/both")) == sections(space.page("zh/posts/long"))


def test_no_page_of_an_article_has_contents_that_does_without_or_has_a_half_with_few_headings(
    space: Space,
) -> None:
    for path in ("en/posts/off", "zh/posts/short", "en/posts/short", "zh/posts/short/both", "zh"):
        assert "_contents" not in space.page(path)


def test_each_heading_has_an_address_beside_it_once_on_each_page(space: Space) -> None:
    for page in ("zh/posts/long", "en/posts/long", "zh/posts/long/both"):
        assert re.findall(r'class="anchor" href="(.*?)"', space.page(page)) == [
            *("#roof", "#bend", "#deep", "#stairs", "#end")
        ]
    assert 'aria-label="Link to “Where it bends”"' in space.page("en/posts/long")


def test_contents_must_agree_between_the_halves(space: Space, tmp_path: Path) -> None:
    other = Space(tmp_path)
    other.post("long", zh="一段。", en="A paragraph.", contents="false")
    other.change("content/posts/long/en.md", "contents: false\n", "")
    assert "contents is True here and False in content/posts/long/zh.md" in told(other.build())


def test_words_of_a_heading_have_no_links_marks_or_ids() -> None:
    mark = '\u2060<sup class="mark"><a href="#n" id="m">1</a></sup>'
    html = f'<h2>See <a href="#x">this</a> <em>now</em>{mark}</h2>'
    assert heading_words(html) == "See this <em>now</em>"
    assert heading_words("<p>No heading</p>") == ""


@pytest.mark.layout
@pytest.mark.browser
def test_the_contents_follow_the_reader_and_the_language(open_page, address: str) -> None:
    def marked() -> list[str]:
        return page.evaluate("[...document.querySelectorAll('.contents [aria-current]')].map(a => a.hash)")

    def scroll_to(row: str) -> None:
        page.evaluate(f"document.getElementById('{row}').scrollIntoView()")

    def wait_for(hash_: str) -> None:
        page.wait_for_function(
            f"document.querySelector('.contents [aria-current=location]')?.hash === '{hash_}'"
        )

    page = open_page(
        f"{address}/en/posts/long/", width=1440, permissions=["clipboard-write", "clipboard-read"]
    )
    assert page.locator(".contents").is_visible()
    assert not page.locator(".places-in").is_visible()
    boxes = [page.locator(one).bounding_box() for one in (".contents", "h1")]
    assert boxes[0]["x"] > 0
    assert boxes[0]["x"] + boxes[0]["width"] < boxes[1]["x"]
    assert marked() == []  # nobody is in a section yet
    scroll_to("end")  # past all others at once
    wait_for("#end")
    scroll_to("bend")
    wait_for("#bend")
    page.click(".langs [data-word=zh]")
    page.wait_for_function("document.querySelector('.contents a').textContent === '屋顶'")
    wait_for("#bend")
    scroll_to("stairs")
    wait_for("#stairs")

    page.focus('.anchor[href="#stairs"]')
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")  # the sign is seen by those who have no pointer, too
    assert page.evaluate("getComputedStyle(document.activeElement).opacity") == "1"
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('.anchor.said')?.textContent === '已复制'")
    assert page.evaluate("navigator.clipboard.readText()") == f"{address}/zh/posts/long/#stairs"
    assert page.evaluate("document.getElementById('_announcement').textContent") == "已复制"

    page.set_viewport_size({"width": 360, "height": 700})
    assert not page.locator(".contents").is_visible()
    page.click(".places-in")
    assert page.locator(".contents").is_visible()
    assert axe_violations(page) == []
    page.click('.contents a[href="#end"]')
    assert not page.locator(".contents").is_visible()
    assert page.evaluate("location.hash") == "#end"


@pytest.mark.browser
def test_the_contents_open_without_a_script(open_page, address: str) -> None:
    page = open_page(f"{address}/en/posts/long/", width=360, java_script_enabled=False)
    page.click(".places-in")
    page.click('.contents a[href="#end"]')
    assert page.url.endswith("#end")
