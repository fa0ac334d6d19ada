"""What the terminal is told of a preview's builds: every problem once, and nothing that is not news."""

from collections.abc import Callable
from pathlib import Path

from diglot.diagnostics import Diagnostic, Location
from diglot.engine import BuildReport, Key
from diglot.engine.reasons import Reason
from diglot.engine.reports import TaskRun
from diglot.rules.building import SiteBuild
from diglot.serve.reports import BuildReports
from tests.cli.sites import CONFIG, article, pair, write
from tests.serve.conftest import Silent
from tests.serve.test_serving import Serving, serve
from tests.waiting import wait_until

__all__ = ["serve"]

KEPT = "the last good site is still served"


def _problem(message: str, line: int = 3) -> Diagnostic:
    return Diagnostic(
        rule="link-missing", message=message, location=Location(path="a.md", line=line), severity="warning"
    )


def _build(*messages: str | Diagnostic, waiting: tuple[str, ...] = ()) -> SiteBuild:
    runs = tuple(
        TaskRun(key=Key(kind, name), reason=Reason(kind="new"), seconds=0.0, outcome="unfinished")
        for kind, name in (one.split() for one in waiting)
    )
    diagnostics = tuple(_problem(one) if isinstance(one, str) else one for one in messages)
    report = BuildReport(
        ran=runs,
        verified=0,
        diagnostics=diagnostics,
        values={},
        visited=None,
        inputs=frozenset,
        input_digests=dict,
        seconds=0.25,
    )
    return SiteBuild(report=report, published=None, manifest=None)


def _teller() -> Callable[..., list[str]]:
    """Reports a build, and returns the lines that this printed."""
    terminal = Silent()
    reports = BuildReports(terminal)

    def told(result: SiteBuild, changed: int = 0, *, saved: bool = True) -> list[str]:
        terminal.said.clear()
        reports.built(result, changed=changed, failed=False, saved=saved)
        return [*terminal.said]

    return told


def test_the_first_report_is_complete_and_later_ones_have_only_the_news() -> None:
    told = _teller()
    assert told(_build("one", "two"), 9) == [
        "a.md:3: warning[link-missing]: one",
        "a.md:3: warning[link-missing]: two",
        "built in 0.25 s, 9 files changed",
    ]
    assert told(_build("one", "three"), 1) == [
        "a.md:3: warning[link-missing]: three",
        "built in 0.25 s, 1 file changed; 1 new problem, 1 mended, 1 as before",
    ]
    assert told(_build("one", "three")) == ["built in 0.25 s, nothing changed; 2 problems as before"]
    assert told(_build()) == ["built in 0.25 s, nothing changed; 2 problems mended"]
    assert told(_build()) == ["built in 0.25 s, nothing changed"]


def test_a_problem_that_moved_to_another_line_is_the_same_and_a_second_one_like_it_is_new() -> None:
    told = _teller()
    told(_build("one"))
    assert told(_build(_problem("one", line=8))) == ["built in 0.25 s, nothing changed; 1 problem as before"]
    assert told(_build(_problem("one", line=8), _problem("one", line=9))) == [
        "a.md:9: warning[link-missing]: one",
        "built in 0.25 s, nothing changed; 1 new problem, 1 as before",
    ]


def test_builds_for_a_slow_figure_are_told_only_when_a_figure_is_done_or_a_problem_comes() -> None:
    told = _teller()
    waiting = (
        "data roofline",
        "dataset chips:rows",
        "drawing bars?dtype=fp8@zh",
        "drawing bars?dtype=fp8@en",
    )
    told(_build("one"), 5)
    assert told(_build("one", waiting=waiting)) == [
        "built in 0.25 s, nothing changed; 1 problem as before; "
        "still being computed: bars?dtype=fp8, roofline"
    ]
    assert told(_build("one", waiting=waiting), saved=False) == []
    assert told(_build("one", waiting=waiting[:3]), 2, saved=False) == []
    assert told(_build("one", waiting=waiting[2:]), saved=False) == [
        "built in 0.25 s, nothing changed; 1 problem as before; still being computed: bars?dtype=fp8"
    ]
    [first, *_] = told(_build("one", "two", waiting=waiting[2:]), saved=False)
    assert first == "a.md:3: warning[link-missing]: two"
    assert told(_build("one", "two"), 3, saved=False) == [
        "built in 0.25 s, 3 files changed; 2 problems as before"
    ]
    assert told(_build("one", "two"), saved=False) == []


def test_of_many_figures_at_work_the_first_are_named() -> None:
    told = _teller()
    [line] = told(_build(waiting=tuple(f"data f{number}" for number in range(7))))
    assert line.endswith("; still being computed: f0, f1, f2, f3 and 3 more")


def test_what_keeps_a_build_from_being_made_does_not_count_as_mended_problems() -> None:
    terminal = Silent()
    reports = BuildReports(terminal)
    reports.built(_build("one"), changed=1, failed=False, saved=True)
    terminal.said.clear()
    for _ in range(3):
        reports.refused((_problem("no title"),), saved=False)
    assert terminal.said == ["a.md:3: warning[link-missing]: no title", f"not published; {KEPT}"]
    terminal.said.clear()
    reports.built(_build("one"), changed=0, failed=False, saved=True)
    assert terminal.said == ["built in 0.25 s, nothing changed; 1 problem mended, 1 as before"]


SLOW = '''\
"""Takes a moment."""
import time

TITLE = {"zh": "慢", "en": "Slow"}


def compute() -> dict:
    time.sleep(1 + NUMBER / 4)
    return {"y": [0, 1]}


def draw(figure, data, t):
    figure.set_height_px(100)


def describe(data, t):
    return t(zh="慢", en="Slow")
'''


def test_a_preview_with_slow_figures_prints_each_problem_once(
    tmp_path: Path, serve: Callable[..., Serving]
) -> None:
    embeds = "\n\n".join(f"```{{figure}} slow_{n}\nA caption.\n```" for n in range(4))
    scripts = {f"figures/slow_{n}.py": SLOW.replace("NUMBER", str(n)) for n in range(4)}
    broken = article("See [nothing](nowhere.md).")
    write(
        tmp_path,
        {
            "site/site.yaml": CONFIG,
            **pair("slow", embeds),
            **pair("broken"),
            "content/posts/broken/zh.md": broken,
            **scripts,
        },
    )
    serving = serve(tmp_path)
    wait_until(lambda: serving.get("en/posts/slow/").status_code == 200)
    serving.builds()
    printed = "".join(serving.said)
    assert printed.count('link not found: "nowhere.md"') == 1
    assert printed.count("still being computed") <= 5  # one line for each set of figures
