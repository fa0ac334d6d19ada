"""The comment box in a browser: in the language of the page, in its light or dark, and nothing without it."""

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from diglot.services import Giscus
from tests.browser import served
from tests.render.sample import PROJECT, write_site

pytestmark = pytest.mark.browser

GISCUS = Giscus(repo="a/b", repo_id="R", category="C", category_id="D")
CLIENT = """
{
  const { dataset } = document.currentScript;
  const frame = Object.assign(document.createElement("iframe"), { className: "giscus-frame" });
  document.querySelector(".giscus").replaceChildren(frame);
  const note = ({ giscus }, to) => { window.told = [...(window.told ?? []), [giscus.setConfig.theme, to]]; };
  frame.contentWindow.postMessage = note;
  window.asked = [...(window.asked ?? []), { ...dataset }];
}
"""
"""Stands for giscus: notes what it is asked for, and what its frame is told."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    project = replace(PROJECT, comments=GISCUS)
    with served(write_site(tmp_path_factory.mktemp("site"), project)) as address:
        yield f"{address}/blog/"


@pytest.fixture
def page(open_page: Any, site: str) -> Any:
    """An article whose comments are loaded."""
    page = open_page(f"{site}zh/")
    headers = {"Access-Control-Allow-Origin": "*", "Content-Type": "text/javascript"}
    page.route("https://giscus.app/*", lambda route: route.fulfill(body=CLIENT, headers=headers))
    page.goto(f"{site}zh/posts/roofline/")
    page.wait_for_function("window.asked?.length === 1")
    return page


def test_the_box_is_in_the_language_of_the_page_also_when_that_changes(page: Any) -> None:
    asked = page.evaluate("asked[0]")
    assert (asked["repo"], asked["mapping"], asked["term"]) == ("a/b", "specific", "posts/roofline")
    assert (asked["lang"], asked["theme"]) == ("zh-CN", "preferred_color_scheme")
    page.click(".langs [data-word=en]")
    page.wait_for_function("window.asked.length === 2")
    assert page.evaluate("[asked[1].lang, asked[1].term]") == ["en", "posts/roofline"]
    assert page.evaluate("document.querySelectorAll('iframe.giscus-frame').length") == 1


def test_the_box_is_light_or_dark_with_the_page(page: Any) -> None:
    page.click("button.theme")
    page.wait_for_function("window.told?.length === 1")
    assert page.evaluate("told[0]") == ["dark", "https://giscus.app"]
    page.click(".langs [data-word=en]")
    page.wait_for_function("window.asked.length === 2")
    assert page.evaluate("asked[1].theme") == "dark"
