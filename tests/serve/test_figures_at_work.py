"""Edits of text are shown while figures are still computed, and figures once they are done."""

import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.sites import CONFIG, LINE, LOOPING, article, pair, processes_below, write
from tests.serve.test_serving import Serving, serve, site
from tests.waiting import wait_until

__all__ = ["serve", "site"]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")

EMBED = "\n\n```{figure} line\nA caption.\n```"
WAITING = '''\
"""Is done when it may be."""
import pathlib
import time

TITLE = {"zh": "线", "en": "A line"}


def compute() -> dict:
    number = int(pathlib.Path("figures/number.txt").read_text())
    with open("begun", "a") as file:
        file.write("x")
    while not pathlib.Path("GATE").exists():
        time.sleep(0.01)
    return {"y": [0, number]}


def draw(figure, data, t):
    from matplotlib.lines import Line2D  # without axes, which take most of the time of a drawing

    figure.add_artist(Line2D([0, 1], [0.1 + 0.1 * y for y in data["y"]]))


def describe(data, t):
    return t(zh=f"到{data['y'][1]}的线", en=f"A line to {data['y'][1]}")
'''


def _half(words: str) -> dict[str, str]:
    return {"content/posts/hello/en.md": article(f"{words}{EMBED}")}


@pytest.fixture
def drawn(site: Path) -> Path:
    write(site, {"figures/line.py": LINE, **pair("hello", f"A paragraph.{EMBED}")})
    return site


def test_text_comes_through_beside_a_figure_that_never_ends(
    drawn: Path, serve: Callable[..., Serving]
) -> None:
    serving = serve(drawn)
    serving.wait_for("built in")
    write(drawn, {"figures/line.py": LOOPING})
    wait_until((drawn / "looping").exists)
    write(drawn, {**_half("Other words."), **pair("second", "A second article.")})
    wait_until(lambda: "Other words." in serving.get("en/posts/hello/").text)
    assert serving.get("zh/posts/second/").status_code == 200
    assert "<svg" in serving.get("en/posts/hello/").text  # the figure as it was
    write(drawn, {"figures/line.py": LINE.replace("A line", "A mended line")})
    wait_until(lambda: "A mended line" in serving.get("en/posts/hello/").text)


def test_mending_a_figure_that_never_ends_stops_it(drawn: Path, serve: Callable[..., Serving]) -> None:
    serving = serve(drawn)
    serving.wait_for("built in")
    write(drawn, {"figures/line.py": LOOPING})
    wait_until((drawn / "looping").exists)
    assert len(processes_below(drawn)) == 4  # the server, its watchdog, the fork server, and the loop
    write(drawn, {"figures/line.py": LINE.replace("A line", "A mended line")})
    wait_until(lambda: "A mended line" in serving.get("en/posts/hello/").text)
    wait_until(lambda: len(processes_below(drawn)) == 3)


def test_a_new_figure_that_never_ends_keeps_back_its_own_page_alone_until_its_time_is_over(
    drawn: Path, serve: Callable[..., Serving]
) -> None:
    write(drawn, {"site/site.yaml": f"{CONFIG}figure_timeout_s: 6\n"})
    serving = serve(drawn)
    serving.wait_for("built in")
    write(
        drawn,
        {
            "figures/looping.py": LOOPING,
            **pair("slow", "```{figure} looping\nA caption.\n```"),
            "content/posts/hello/zh.md": article(f"While it loops.{EMBED}"),
        },
    )
    wait_until(lambda: "While it loops." in serving.get("zh/posts/hello/").text)
    assert serving.get("zh/posts/slow/").status_code == 404
    serving.wait_for("looping.*did not finish within 6 s and was stopped")
    write(drawn, _half("After its time."))
    wait_until(lambda: "After its time." in serving.get("en/posts/hello/").text)
    write(drawn, {"figures/looping.py": LINE})
    wait_until(lambda: serving.get("zh/posts/slow/").status_code == 200)


def test_more_time_for_figures_is_given_at_once(
    drawn: Path, gate: Path, serve: Callable[..., Serving]
) -> None:
    write(drawn, {"site/site.yaml": f"{CONFIG}figure_timeout_s: 1\n"})
    (drawn / "waiting.txt").rename(drawn / "figures/line.py")
    serving = serve(drawn)
    serving.wait_for("did not finish within 1 s")
    write(drawn, {"site/site.yaml": f"{CONFIG}figure_timeout_s: 300\n"})
    wait_until(lambda: (drawn / "begun").read_text() == "xx")
    time.sleep(1.5)  # time is the subject: longer than the first limit
    gate.touch()
    wait_until(lambda: "A line to 5" in serving.get("en/posts/hello/").text)


@pytest.fixture
def gate(drawn: Path) -> Path:
    """A file until which the site's figure computes. It is in a folder where files are no dependencies."""
    gate = drawn / "__pycache__/gate"
    gate.parent.mkdir()
    write(drawn, {"waiting.txt": WAITING.replace("GATE", str(gate)), "figures/number.txt": "5"})
    return gate


def test_the_work_on_a_figure_goes_on_through_edits_of_text_and_is_used(
    drawn: Path, gate: Path, serve: Callable[..., Serving]
) -> None:
    serving = serve(drawn)
    serving.wait_for("built in")
    (drawn / "waiting.txt").rename(drawn / "figures/line.py")
    wait_until((drawn / "begun").exists)
    for number in range(3):
        write(drawn, _half(f"Edit {number}."))
        wait_until(lambda number=number: f"Edit {number}." in serving.get("en/posts/hello/").text)  # type: ignore[misc]  (a default)
    gate.touch()
    wait_until(lambda: "A line to 5" in serving.get("en/posts/hello/").text)
    assert (drawn / "begun").read_text() == "x"


def test_a_result_that_rests_on_a_file_that_changed_meanwhile_is_not_used(
    drawn: Path, gate: Path, serve: Callable[..., Serving]
) -> None:
    serving = serve(drawn)
    serving.wait_for("built in")
    (drawn / "waiting.txt").rename(drawn / "figures/line.py")
    wait_until((drawn / "begun").exists)
    write(drawn, _half("So that the build goes on."))
    wait_until(lambda: "So that the build" in serving.get("en/posts/hello/").text)
    write(drawn, {"figures/number.txt": "6"})  # the script has read 5
    gate.touch()
    wait_until(lambda: "A line to 6" in serving.get("en/posts/hello/").text)
    assert (drawn / "begun").read_text() == "xx"
