"""A figure that a reader has turned gets the states of an edited script, and stays as it was turned."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.serve.conftest import Published
from tests.space import Space, told

pytestmark = pytest.mark.browser

SCRIPT = """\
from typing import Literal

TITLE = {"zh": "格", "en": "Cells"}


def compute(count: Literal["one", "two", "three"] = "one") -> dict:
    return {"count": ["one", "two", "three"].index(count) + 1, "apart": 30}


def draw(figure, data, t):
    figure.set_height_px(60)
    for cell in range(data["count"]):
        figure.text_px(20 + data["apart"] * cell, 30, str(cell))


def describe(data, t):
    return t(zh=f"共{data['count']}格。", en=f"{data['count']} cells.")
"""
ARTICLE = "There are {eval}`squares.count` cells.\n\n```{figure} squares\n:explore: count\n\nCells.\n```"


def files_of(space: Space) -> dict[str, str]:
    result = space.build()
    assert result.published is not None, told(result)
    kinds = (".html", ".css", ".js", ".json", ".svg")
    return {path: content.decode() for path, content in space.outputs().items() if path.endswith(kinds)}


def test_new_states_reach_an_open_page(
    published: Published, open_page: Callable[..., Any], tmp_path: Path
) -> None:
    space = Space(tmp_path / "project")
    space.write("figures/squares.py", SCRIPT)
    space.post("squares", zh=ARTICLE, en=ARTICLE)
    published.publish(files_of(space))
    page = open_page(f"{published.address}en/posts/squares/")
    page.get_by_role("radio", name="three").click()
    shown = "document.querySelector('.drawing').getAttribute('aria-label')"
    page.wait_for_function(f"{shown} === '3 cells.'")
    page.evaluate("window.kept = true")
    # The other states change and the first drawing stays; then all of them change.
    for old, new, said in (
        ('"apart": 30', '"apart": 30 if count == "one" else 40', "3 cells."),
        ('} cells.")', '} boxes.")', "3 boxes."),
    ):
        before = files_of(space)
        space.change("figures/squares.py", old, new)
        changed = dict(files_of(space).items() - before.items())
        published.publish(changed)
        page.wait_for_function(f"{shown} === '{said}'")
        page.wait_for_function(
            "[...document.querySelectorAll('.drawing svg')].find(one => one.checkVisibility())"
            ".querySelectorAll('text:not([display])').length === 3"
        )
        assert page.get_by_role("radio", name="three").is_checked()
        assert page.locator("[data-figure][data-value]").inner_text() == "3"
    assert page.evaluate("window.kept === true")
    open_page.complaints.clear()  # type: ignore[attr-defined]  # fonts are not published here
