"""`docs/planning.md` is true: its command prints what is shown, its example runs, its reasons are all."""

from diglot.hardware.__main__ import main
from diglot.hardware.planning.losses import MEANINGS
from tests.docs.pages import DOCS, code, examples, rows, section

PLANNING = (DOCS / "planning.md").read_text("utf-8")


def test_the_command_prints_what_is_shown(capsys) -> None:
    (command,), (shown,) = examples(PLANNING, "sh"), examples(PLANNING, "text")
    words = command.text.split()
    assert words[:3] == ["python", "-m", "diglot.hardware"]
    assert main(words[3:]) == 0
    assert capsys.readouterr().out == shown.text


def test_the_example_runs(capsys) -> None:
    (example,) = examples(PLANNING, "python")
    exec(compile(example.text, "planning.md", "exec"), {})
    first, *losses = capsys.readouterr().out.splitlines()
    assert "batch" in first
    assert {line.split()[0] for line in losses} <= set(MEANINGS)


def test_every_reason_is_in_the_table() -> None:
    table = rows(section(PLANNING, "## Why candidates lose"))
    assert {code(row[0])[0]: row[1] for row in table} == dict(MEANINGS)
