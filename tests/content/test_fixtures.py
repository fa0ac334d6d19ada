"""All rules of the Markdown as cases that authors can read.

A fixture file contains cases: a sentence, a line with a dot, the Markdown, a dot, the HTML, a dot. In
`mistakes-*.md` the last part is the messages to the author instead. Links and images have their targets as
addresses; other placeholders are shown as ⟦kind: target⟧. UPDATE_FIXTURES=1 rewrites the last parts; review
them before committing.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from diglot.content.document import read_document
from diglot.content.records import Document, Note
from diglot.diagnostics import Diagnostic, sorted_diagnostics
from diglot.languages import Language
from tests.content.html_text import filled, html_of

FOLDER = Path(__file__).parent / "fixtures"


class Case(NamedTuple):
    file: str
    name: str
    markdown: str
    expected: str


def read_cases(path: Path) -> Iterator[Case]:
    parts = re.split(r"^\.\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    for name, markdown, expected in zip(parts[0::3], parts[1::3], parts[2::3], strict=False):
        yield Case(path.name, name.strip(), markdown, expected)


def write_cases(path: Path, cases: list[Case]) -> None:
    text = "\n".join(f"{case.name}\n.\n{case.markdown}.\n{case.expected}.\n" for case in cases)
    path.write_text(text, encoding="utf-8")


def language_of(case: Case) -> Language:
    return "en" if case.name.startswith("English:") else "zh"


def shown(document: Document) -> str:
    """The HTML, one block per line, with the anchor before and the notes after it."""
    lines = []
    for block in document.blocks:
        anchor = f"#{block.anchor} " if block.anchor else ""
        lines.append(anchor + html_of([block]).strip("\n"))
        lines += [f"  note {note.number}: {show_note(note)}" for note in block.notes]
    lines += [
        f"  {kind} {embed.figure_id} {dict(embed.parameters)}: {''.join(map(filled, embed.caption))}"
        for kind, embeds in (("figure", document.figures), ("table", document.tables))
        for embed in embeds
    ]
    lines += [f"  script {s.figure_id}, line {s.line}: {s.source!r}" for s in document.scripts]
    return "".join(f"{line}\n" for line in lines)


def show_note(note: Note) -> str:
    return "".join(map(filled, note.parts))


def told(diagnostics: list[Diagnostic]) -> str:
    return "".join(f"{d}\n" for d in sorted_diagnostics(diagnostics))


def result_of(case: Case) -> str:
    document, mistakes = read_document(case.markdown, "zh.md", language_of(case))
    diagnostics = told(mistakes.errors + mistakes.warnings)
    return diagnostics if case.file.startswith("mistakes") else shown(document) + diagnostics


def all_cases() -> list[Case]:
    files = sorted(FOLDER.glob("*.md"))
    if os.environ.get("UPDATE_FIXTURES"):
        for path in files:
            write_cases(path, [case._replace(expected=result_of(case)) for case in read_cases(path)])
    return [case for path in files for case in read_cases(path)]


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: f"{case.file}: {case.name}")
def test_fixture(case: Case) -> None:
    assert result_of(case) == case.expected


def test_every_rule_name_has_a_case() -> None:
    """A rule without a case has a message that nobody has reviewed."""
    source = "".join(
        path.read_text(encoding="utf-8")
        for path in (FOLDER.parents[2] / "src/diglot/content").rglob("*.py")
        if path.name not in ("front_matter.py", "pairs.py")
    )
    raised = set(re.findall(r'(?:error|warn)\(\s*"([a-z0-9-]+)"', source))
    shown_rules = {
        rule
        for case in all_cases()
        for rule in re.findall(r"^\S+ (?:error|warning)\[([a-z0-9-]+)\]", case.expected, re.M)
    }
    # Texts too long for a fixture (see test_limits.py), a policy that fixtures do not have, and notes of a
    # talk (see test_slides.py).
    assert raised - shown_rules == {"code-too-long", "leftovers-many", "html-unsafe", "notes-nested"}
