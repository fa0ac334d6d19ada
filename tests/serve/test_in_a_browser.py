"""The preview in a real browser: a save shows, a mistake covers the page, mending it uncovers it."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.sites import LINE, article, write, write_site
from tests.serve.test_serving import Serving

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


@pytest.fixture
def page() -> Iterator["Page"]:
    api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("there is no Chromium")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page()
        page.set_default_timeout(30_000)
        yield page
        browser.close()


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Serving]:
    serving = Serving(write_site(tmp_path / "site", figure=True), "--port", "0")
    yield serving
    serving.end()


def test_a_save_shows_a_mistake_covers_and_mending_uncovers(page: "Page", serving: Serving) -> None:
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    root = serving.root

    # Opened before anything is built: the page comes by itself.
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
    assert page.get_by_text("Another paragraph.").is_visible()

    page.goto(f"{serving.address}en/posts/hello/")  # every page shows it, also one opened later
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
