"""What the terminal shows, and where."""

import io
import os
from pathlib import Path

import pytest

from diglot.cli.terminal import Terminal
from diglot.diagnostics import Diagnostic, Location

ERROR = Diagnostic(rule="a", message="broken", location=Location(path="a.md", line=3), fix="mend it.")
WARNING = Diagnostic(rule="b", message="odd", severity="warning", location=Location(path="b.md"))


class Screen(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def _shown(
    stream: io.StringIO | None = None, **settings: object
) -> tuple[Terminal, io.StringIO, io.StringIO]:
    out, err = io.StringIO(), stream if stream is not None else io.StringIO()
    settings.setdefault("environment", {"TERM": "xterm"})
    return Terminal(out=out, err=err, **settings), out, err


def test_results_and_talk_go_to_different_streams() -> None:
    terminal, out, err = _shown()
    terminal.say("talk")
    terminal.result("result")
    terminal.diagnostics([ERROR])
    assert out.getvalue() == "result\n"
    assert err.getvalue() == "talk\na.md:3: error[a]: broken\n  fix: mend it.\n\n"


def test_quiet_leaves_errors_and_results() -> None:
    terminal, out, err = _shown(quiet=True)
    terminal.say("talk")
    terminal.result("result")
    terminal.diagnostics([WARNING, ERROR])
    assert out.getvalue() == "result\n"
    assert err.getvalue().startswith("a.md:3: error[a]: broken")


def test_quiet_and_strict_leave_the_warnings_that_fail_the_build() -> None:
    terminal, _, err = _shown(quiet=True, strict=True)
    terminal.diagnostics([WARNING])
    assert "b.md: warning[b]: odd" in err.getvalue()


def test_a_terminal_gets_colours_for_the_first_line_of_a_diagnostic() -> None:
    terminal, _, err = _shown(Screen())
    terminal.diagnostics([ERROR])
    assert err.getvalue() == "\x1b[31m\x1b[1ma.md:3: error[a]: broken\x1b[0m\n  fix: mend it.\n\n"


@pytest.mark.parametrize("plain", [{"NO_COLOR": "1"}, {"CI": "true"}, {"TERM": "dumb"}])
def test_colour_is_left_out_where_it_is_not_wanted(plain: dict[str, str]) -> None:
    terminal, _, err = _shown(Screen(), environment={"TERM": "xterm", **plain})
    terminal.diagnostics([ERROR])
    assert "\x1b" not in err.getvalue()


def test_an_empty_no_color_means_nothing() -> None:
    assert _shown(Screen(), environment={"TERM": "xterm", "NO_COLOR": ""})[0].colour


@pytest.mark.parametrize("where", ["file", "CI", "dumb", "quiet"])
def test_progress_is_for_terminals_alone(where: str) -> None:
    environment = {"CI": "1"} if where == "CI" else {"TERM": "dumb" if where == "dumb" else "xterm"}
    stream = io.StringIO() if where == "file" else Screen()
    terminal, _, err = _shown(stream, quiet=where == "quiet", environment=environment)
    terminal.progress(1, 2, "article hello:zh")
    assert err.getvalue() == ""


def test_a_pipe_gets_a_line_of_progress_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("diglot.cli.terminal.time.monotonic", lambda: now[0])
    terminal, _, err = _shown()
    silent, _, nothing = _shown(environment={"DIGLOT_PROGRESS": "0"})
    quiet, _, still = _shown(quiet=True)
    for count in range(31):
        now[0] = 100.0 + count
        for one in (terminal, silent, quiet):
            one.progress(count, 40, "article hello:zh")
    lines = ("10/40  article hello:zh", "20/40  article hello:zh", "30/40  article hello:zh")
    assert err.getvalue() == "".join(f"{line}\n" for line in lines)
    assert nothing.getvalue() == still.getvalue() == ""


def test_progress_without_colours_is_still_progress() -> None:
    terminal, _, err = _shown(Screen(), environment={"TERM": "xterm", "NO_COLOR": "1"})
    terminal.progress(1, 2, "article hello:zh")
    assert err.getvalue() == "\r\x1b[2K1/2  article hello:zh"


def test_progress_is_written_over_and_gone_before_anything_else_is_said() -> None:
    terminal, _, err = _shown(Screen(), environment={"TERM": "xterm", "NO_COLOR": "1"})
    terminal.progress(1, 2, "a")
    terminal.say("done")
    terminal.close()
    assert err.getvalue().endswith("a\r\x1b[2Kdone\n")


def test_progress_is_not_written_more_often_than_anyone_can_read() -> None:
    terminal, _, err = _shown(Screen())
    for count in range(100):
        terminal.progress(count, 100, "a")
    assert err.getvalue().count("\r") <= 2


def test_progress_never_wraps() -> None:
    master, slave = os.openpty()
    try:
        with os.fdopen(slave, "w", encoding="utf-8") as screen:
            terminal = Terminal(err=screen, environment={"TERM": "xterm", "NO_COLOR": "1"})
            terminal.progress(1, 2, "x" * 500)
        shown = os.read(master, 4096).decode()
    finally:
        os.close(master)
    assert len(shown.removeprefix("\r\x1b[2K")) < 80


def test_a_terminal_without_chinese_letters_gets_their_numbers(tmp_path: Path) -> None:
    with (tmp_path / "err").open("w", encoding="ascii") as err:
        Terminal(err=err, environment={}).say("站")
    assert (tmp_path / "err").read_text() == "\\u7ad9\n"
