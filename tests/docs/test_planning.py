"""`docs/planning.md` is true: its command prints what is shown, its example runs, its reasons are all.

`python -m tests.docs.test_planning` writes what the command prints into the page, after a change of a model.
"""

import contextlib
import io
import re

from diglot.cli.main import main
from diglot.hardware.planning.losses import MEANINGS
from tests.docs.pages import DOCS, code, examples, rows, section

PAGE = DOCS / "planning.md"
PLANNING = PAGE.read_text("utf-8")
_LINES = r"((?:(?!```).*\n)*)"
_ANSWERED = re.compile(rf"^```(sh|python)\n{_LINES}```\n\n```text\n{_LINES}```$", re.MULTILINE)
CUT = "…\n"
"""What is shown may end before what is printed does."""


def answer(language: str, text: str) -> str:
    """What a command or an example of the page prints."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        if language == "sh":
            program, *words = text.split()
            assert program == "diglot"
            assert main(words) == 0
        else:
            assert sum(bool(line.strip()) for line in text.splitlines()) <= 11
            exec(compile(text, PAGE.name, "exec"), {})
    return printed.getvalue()


def cut_as(shown: str, printed: str) -> str:
    """As many lines of what is printed as are shown."""
    if not shown.endswith(CUT):
        return printed
    return "".join(printed.splitlines(keepends=True)[: shown.count("\n") - 1]) + CUT


def test_commands_and_examples_print_what_is_shown() -> None:
    answered = _ANSWERED.findall(PLANNING)
    assert len(answered) == 2 + 15, "two examples, and the answers of fifteen questions"
    for language, text, shown in answered:
        printed = cut_as(shown, answer(language, text))
        assert printed == shown, "`python -m tests.docs.test_planning` writes it again"


def test_the_example_runs(capsys) -> None:
    example = examples(PLANNING, "python")[0]
    exec(compile(example.text, "planning.md", "exec"), {})
    first, *losses = capsys.readouterr().out.splitlines()
    assert "batch" in first
    assert {line.split()[0] for line in losses} <= set(MEANINGS)


def test_every_reason_is_in_the_table() -> None:
    table = rows(section(PLANNING, "## Why candidates lose"))
    assert {code(row[0])[0]: row[1] for row in table} == dict(MEANINGS)


if __name__ == "__main__":

    def write_again(found: re.Match[str]) -> str:
        """The same with what is printed now."""
        printed = cut_as(found[3], answer(found[1], found[2]))
        return f"{found[0].removesuffix(f'{found[3]}```')}{printed}```"

    PAGE.write_text(_ANSWERED.sub(write_again, PLANNING), "utf-8")
