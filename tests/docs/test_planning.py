"""`docs/planning.md` is true: its command prints what is shown, its example runs, its reasons are all.

`python -m tests.docs.test_planning` writes what the command prints into the page, after a change of a model.
"""

import contextlib
import io

from diglot.cli.main import main
from diglot.hardware.planning.losses import MEANINGS
from tests.docs.pages import DOCS, code, examples, rows, section

PAGE = DOCS / "planning.md"
PLANNING = PAGE.read_text("utf-8")


def run_command() -> str:
    """What the command of the page prints."""
    (command,) = examples(PLANNING, "sh")
    words = command.text.split()
    assert words[0] == "diglot"
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        assert main(words[1:]) == 0
    return printed.getvalue()


def test_the_command_prints_what_is_shown() -> None:
    (shown,) = examples(PLANNING, "text")
    assert run_command() == shown.text, "`python -m tests.docs.test_planning` writes it again"


def test_the_example_runs(capsys) -> None:
    (example,) = examples(PLANNING, "python")
    exec(compile(example.text, "planning.md", "exec"), {})
    first, *losses = capsys.readouterr().out.splitlines()
    assert "batch" in first
    assert {line.split()[0] for line in losses} <= set(MEANINGS)


def test_every_reason_is_in_the_table() -> None:
    table = rows(section(PLANNING, "## Why candidates lose"))
    assert {code(row[0])[0]: row[1] for row in table} == dict(MEANINGS)


if __name__ == "__main__":
    (old,) = examples(PLANNING, "text")
    PAGE.write_text(PLANNING.replace(old.text, run_command()), "utf-8")
