"""A figure that is being made again says so on the page, until its drawing is there."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from diglot.engine import BuildReport, Key
from diglot.engine.reasons import Reason
from diglot.engine.reports import TaskRun
from diglot.rules.building import SiteBuild
from diglot.rules.live import LiveSite
from diglot.rules.options import SiteOptions
from diglot.serve.blocks import SiteBlocks
from diglot.serve.outdated import outdated_figures
from tests.cli.sites import CONFIG, LINE, pair, write
from tests.serve.test_serving import Serving, serve

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["serve"]

WORDS = "It is {eval}`slow.y | last`.\n\n```{figure} slow\nA caption.\n```\n"
SLOW = '''\
"""Is computed and drawn when it may be."""
import pathlib
import time

from diglot.figures import make_table

TITLE = {"zh": "慢", "en": "Slow"}


def wait(name):
    while not pathlib.Path("GATES", name).exists():
        time.sleep(0.01)


def compute() -> dict:
    wait("computing")
    return {"y": [0, 1]}


def draw(figure, data, t):
    wait("drawing")
    from matplotlib.lines import Line2D  # without axes, which take most of the time of a drawing

    figure.add_artist(Line2D([0, 1], [0.1 + 0.1 * y for y in data["y"]]))


def describe(data, t):
    return t(zh=f"到{data['y'][1]}", en=f"To {data['y'][1]}")


def table(data, t):
    return make_table(("y",), [(y,) for y in data["y"]])
'''


def _unfinished(*keys: str) -> SiteBuild:
    runs = tuple(
        TaskRun(key=Key(*key.split()), reason=Reason(kind="new"), seconds=0.0, outcome="unfinished")
        for key in keys
    )
    report = BuildReport(
        ran=runs,
        verified=0,
        diagnostics=(),
        values={},
        visited=None,
        inputs=frozenset,
        input_digests=dict,
        seconds=0.0,
    )
    return SiteBuild(report=report, published=None, manifest=None)


def test_a_figure_is_found_on_every_page_that_shows_it(tmp_path: Path) -> None:
    fp8 = "```{figure} line\n:slope: 2\nA caption.\n```"
    write(tmp_path, {"site/site.yaml": CONFIG, "figures/line.py": LINE})
    write(tmp_path, {**pair("one", f"Words.\n\n{fp8}"), **pair("two", "```{figure} line\nA caption.\n```")})
    with LiveSite(SiteOptions(root=tmp_path, output=tmp_path / "public")) as site:
        site.refresh(())

        def found(*keys: str) -> list[str]:
            with site.last_build.records() as records:
                figures = outdated_figures(_unfinished(*keys), SiteBlocks(), records)
            return [f"{one.page} {one.row} {one.language} {one.stage}" for one in figures]

        assert found("data line?slope=2") == [
            "zh/posts/one/index.html fig-line zh computing",
            "zh/posts/one/both/index.html fig-line zh computing",
            "en/posts/one/both/index.html fig-line zh computing",
            "en/posts/one/index.html fig-line en computing",
            "en/posts/one/both/index.html fig-line en computing",
            "zh/posts/one/both/index.html fig-line en computing",
        ]
        assert found("drawing line@en", "download line@en.png") == [
            "en/posts/two/index.html fig-line en drawing",
            "en/posts/two/both/index.html fig-line en drawing",
            "zh/posts/two/both/index.html fig-line en drawing",
        ]
        assert found("data line", "drawing line@en")[0].endswith("computing")
        assert found("download line@en.png", "article-page one:zh") == []


@pytest.fixture
def gates(tmp_path: Path) -> Path:
    """A folder whose files let the figure be computed and drawn. No build depends on what is in it."""
    gates = tmp_path / "__pycache__"
    gates.mkdir()
    for name in ("computing", "drawing"):
        (gates / name).touch()
    script = SLOW.replace("GATES", str(gates))
    write(tmp_path, {"site/site.yaml": CONFIG, "figures/slow.py": script, **pair("hello", WORDS)})
    return gates


@pytest.mark.browser
def test_a_drawing_older_than_the_numbers_beside_it_says_so_until_it_is_redrawn(
    page: "Page", tmp_path: Path, gates: Path, serve: Callable[..., Serving]
) -> None:
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    serving = serve(tmp_path)
    page.goto(f"{serving.address}zh/posts/hello/")
    page.get_by_text("It is 1.").wait_for()
    serving.builds()
    page.evaluate("window.kept = true")
    note = page.locator("figure diglot-outdated")
    assert note.count() == 0

    def save(old: str, new: str) -> None:
        script = (tmp_path / "figures/slow.py").read_text("utf-8")
        write(tmp_path, {"figures/slow.py": script.replace(old, new), "site/static/saved.txt": new})

    (gates / "drawing").unlink()
    save("[0, 1]", "[0, 7]")
    page.get_by_text("It is 7.").wait_for()
    page.get_by_text("正在重绘：图还是上一版，数字已是最新").wait_for()
    assert page.locator(".drawing").get_attribute("aria-label") == "到1"
    twin = page.context.new_page()  # a page that is opened meanwhile says so, too
    twin.goto(f"{serving.address}en/posts/hello/")
    twin.get_by_text("Being redrawn: this is still the last drawing; the numbers are current").wait_for()
    twin.goto(f"{serving.address}en/posts/hello/both/")
    twin.get_by_text("正在重绘").wait_for()
    assert twin.locator("diglot-outdated").count() == 2
    assert "diglot-outdated" not in serving.get("zh/posts/hello/").text
    (gates / "drawing").touch()
    note.wait_for(state="detached")
    page.locator(".drawing[aria-label=到7]").first.wait_for()
    twin.locator("diglot-outdated").first.wait_for(state="detached")

    (gates / "computing").unlink()
    save("[0, 7]", "[0, 9]")
    page.get_by_text("正在重新计算：图和数字还是上一版").wait_for()
    assert page.get_by_text("It is 7.").is_visible()
    (gates / "computing").touch()
    page.get_by_text("It is 9.").wait_for()
    note.wait_for(state="detached")
    assert page.evaluate("kept")
    assert troubles == []


def test_new_code_that_draws_waits_for_its_new_numbers(
    tmp_path: Path, gates: Path, serve: Callable[..., Serving]
) -> None:
    serving = serve(tmp_path)
    serving.until("en/posts/hello/", "To 1")
    serving.builds()
    (gates / "computing").unlink()
    script = (tmp_path / "figures/slow.py").read_text("utf-8")
    script = script.replace('{"y": [0, 1]}', '{"y": [0, 1], "z": [5, 6]}').replace(
        'plot(data["y"])', 'plot(data["z"])'
    )
    write(tmp_path, {"figures/slow.py": script, **pair("hello", WORDS.replace("It is", "Now it is"))})
    for words in ("Now it is", "And now it is", "It still is"):  # several builds, while there are no numbers
        write(tmp_path, pair("hello", WORDS.replace("It is", words)))
        serving.until("en/posts/hello/", words)
    (gates / "computing").touch()
    serving.builds()
    said = "".join(serving.said)
    assert "KeyError" not in said
    assert "problem" not in said
