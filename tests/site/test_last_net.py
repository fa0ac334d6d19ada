"""An unforeseen exception in a task becomes a diagnostic that names the file; other tasks go on."""

import errno
import re
from collections.abc import Callable

import pytest

from diglot.content import document
from diglot.processes.worker_pool import WORTH_CALLS
from diglot.rules import halves
from diglot.rules.failures import DEBUG_VARIABLE
from tests.space import BARS, Space, errors

BAD = "content/posts/bad/en.md"


class Unpicklable(Exception):
    """An exception that cannot be pickled."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = lambda: what


class Unreadable(Exception):
    """An exception that can be pickled but not unpickled."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(f"{one} {other}")


def too_deep(n: int = 0) -> int:
    return too_deep(n + 1) + 1


def raising(error: Exception) -> Callable[[], None]:
    def fail() -> None:
        raise error

    return fail


FAULTS: dict[str, Callable[[], object]] = {
    "RecursionError": too_deep,
    "MemoryError": raising(MemoryError()),
    "ValueError": raising(ValueError("not\nas it should be")),
    "KeyError": raising(KeyError("x")),
    "AssertionError": raising(AssertionError()),
    "OSError": raising(OSError("broken data stream")),
    "UnicodeEncodeError": "\ud800".encode,
    "Unpicklable": raising(Unpicklable("with a function")),
    "Unreadable": raising(Unreadable("a", "b")),
    "StopIteration": raising(StopIteration("x")),
    "ChildProcessError": raising(ChildProcessError("of a task's own")),
}


@pytest.fixture
def fault(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Makes one of diglot's own functions fail for the article `bad`."""
    right = document.parse_text
    monkeypatch.delenv(DEBUG_VARIABLE, raising=False)

    def put(fail: Callable[[], object]) -> None:
        def parse(source_text: str, path: str, *more: object, **named: object) -> object:
            if path == BAD:
                fail()
            return right(source_text, path, *more, **named)

        monkeypatch.setattr(halves, "parse_text", parse)

    return put


FAULTS_IN_WORKERS = ("RecursionError", "MemoryError", "Unpicklable", "Unreadable")


@pytest.mark.parametrize(
    ("name", "articles"),
    [*((name, 2) for name in FAULTS), *((name, WORTH_CALLS) for name in FAULTS_IN_WORKERS)],
)
def test_a_fault_in_a_task_names_the_file_and_the_place(
    space: Space,
    fault: Callable[[Callable[[], object]], None],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    articles: int,
) -> None:
    """With few articles they are parsed by this process, with many by forked workers."""
    monkeypatch.setattr("threading.active_count", lambda: 1)  # other tests may have left threads behind
    for n in range(articles - 1):
        space.post(f"good-{n}", zh="好。", en="Good.")
    space.post("bad", zh="坏。", en="Bad.")
    fault(FAULTS[name])
    result = space.build(jobs=2)
    (told,) = errors(result)
    assert told.rule == "internal-error"
    assert str(told.location) == BAD
    assert told.message.startswith("diglot itself failed at this file: ")
    assert name in told.message
    assert "\n" not in told.message
    assert told.detail is not None
    assert 'while making the document of "bad:en"' in told.detail
    assert re.search(r", in rules/halves\.py, line \d+ \(", told.detail)
    assert told.fix is not None
    (kept,) = (space.root / ".diglot/failures").iterdir()
    assert kept.relative_to(space.root).as_posix() in told.fix
    assert name in kept.read_text("utf-8")
    assert ("RaisedInWorker" in kept.read_text("utf-8")) == (articles == WORTH_CALLS), "done by a worker"
    assert "test_last_net" in kept.read_text("utf-8"), "the whole traceback, also of a worker"
    assert result.published is None
    made = {str(run.key) for run in result.report.ran if run.outcome == "changed"}
    assert {"article-page good-0:zh", "article-page good-0:en"} <= made, "the others go on"


def test_what_failed_is_tried_again_and_the_rest_is_not(
    space: Space, fault: Callable[[Callable[[], object]], None]
) -> None:
    space.post("good", zh="好。", en="Good.")
    space.post("bad", zh="坏。", en="Bad.")
    fault(too_deep)
    first = space.build()
    again = space.build()
    assert errors(again) == errors(first)
    assert "document bad:en" in {str(run.key) for run in again.report.ran}
    assert "document good:en" not in {str(run.key) for run in again.report.ran}
    fault(lambda: None)
    mended = space.build()
    assert not errors(mended)
    assert "Bad." in space.page("en/posts/bad")
    assert not [run for run in space.build().report.ran if run.outcome != "unchanged"]


def test_who_mends_diglot_sees_the_exception_itself(
    space: Space, fault: Callable[[Callable[[], object]], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    space.post("bad", zh="坏。", en="Bad.")
    fault(too_deep)
    monkeypatch.setenv(DEBUG_VARIABLE, "1")
    with pytest.raises(RecursionError) as caught:
        space.build()
    assert caught.value.__notes__ == ["while running the task document bad:en"]


@pytest.mark.parametrize("fail", [KeyboardInterrupt, SystemExit])
def test_an_interrupt_ends_the_build(
    space: Space, fault: Callable[[Callable[[], object]], None], fail: type[BaseException]
) -> None:
    space.post("bad", zh="坏。", en="Bad.")

    def interrupt() -> None:
        raise fail

    fault(interrupt)
    with pytest.raises(fail):
        space.build()


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES, errno.EMFILE])
def test_what_the_machine_refuses_is_no_fault_of_a_file(
    space: Space, fault: Callable[[Callable[[], object]], None], code: int
) -> None:
    space.post("bad", zh="坏。", en="Bad.")
    fault(raising(OSError(code, "refused")))
    with pytest.raises(OSError, match="refused"):
        space.build()


def test_a_fault_at_a_figure_names_its_script(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    from diglot.rules import figures

    monkeypatch.delenv(DEBUG_VARIABLE, raising=False)
    space.write("figures/bars.py", BARS)
    space.post("a", zh="```{figure} bars\n柱\n```", en="```{figure} bars\nBars.\n```")
    space.build()
    wrong = raising(TypeError("no such thing"))
    monkeypatch.setattr(figures, "ComputedFigure", lambda *_, **__: wrong())
    space.change("figures/bars.py", "[3, 5]", "[3, 6]")
    found = errors(space.build())
    assert {one.rule for one in found} <= {"internal-error"}


def test_a_page_that_fails_names_its_half(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    from diglot.rules import pages

    monkeypatch.delenv(DEBUG_VARIABLE, raising=False)
    space.post("good", zh="好。", en="Good.")
    monkeypatch.setattr(pages, "render_article", raising(ZeroDivisionError("x")).__call__)
    found = errors(space.build())
    assert found
    assert {one.rule for one in found} == {"internal-error"}
    assert {str(one.location) for one in found} == {
        "content/posts/good/zh.md",
        "content/posts/good/en.md",
    }
