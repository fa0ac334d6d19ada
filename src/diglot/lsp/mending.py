"""What an editor can do about a diagnostic, and where it shows it."""

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from lsprotocol.types import (
    CodeAction,
    CodeActionKind,
    CodeDescription,
    DiagnosticSeverity,
    Range,
    TextEdit,
    WorkspaceEdit,
)
from lsprotocol.types import Diagnostic as Shown

from diglot import DOCS_URL
from diglot.content.mistakes import Mend
from diglot.diagnostics import Diagnostic, DiagnosticError, quoted_in, shortened
from diglot.languages import Language
from diglot.lsp.asked import Asked
from diglot.lsp.places import Text, uri_of
from diglot.lsp.twins import twin_command, twin_place
from diglot.project import HtmlPolicy
from diglot.scaffold.mending import mended_half

_SEVERITIES = {"error": DiagnosticSeverity.Error, "warning": DiagnosticSeverity.Warning}
_MEANT = re.compile(r"did you mean \"([^\"]+)\"\?")
_MOST_SHOWN = 60
FIX_ALL = CodeActionKind("source.fixAll")


def shown(one: Diagnostic, text: Text) -> Shown:
    """A diagnostic as editors show it, with the place of what its message quotes."""
    return Shown(
        range=range_of(one, text),
        severity=_SEVERITIES[one.severity],
        code=one.rule,
        code_description=CodeDescription(href=f"{DOCS_URL}/authoring.md#diagnostics"),
        source="diglot",
        message="\n".join(filter(None, (one.message, one.detail, f"fix: {one.fix}" if one.fix else None))),
    )


def range_of(one: Diagnostic, text: Text) -> Range:
    """Where a diagnostic is: what its message quotes, or the line without the space around it."""
    place = one.location
    number = (place.line if place is not None and place.line is not None else 1) - 1
    if place is None or place.column is None:
        return text.whole_line(number)
    line, at = text.line(number), place.column - 1
    start = text.start_of(number) + min(at, len(line))
    quoted = quoted_in(one.message)
    if quoted and line.startswith(quoted, at):
        return text.range(start, start + len(quoted))
    word = re.match(r"\w+|\W", line[at:])
    return text.range(start, start + (len(word[0]) if word is not None else 0))


def actions(asked: Asked, diagnostics: Iterable[Diagnostic], lines: range) -> list[CodeAction]:
    """What can be done about lines, from 0: what `check --fix` does, a name that was meant, the twin."""
    own = [one for one in diagnostics if _line_of(one) in lines]
    mends = {mend.line - 1: mend for mend in _mends_of(asked)}
    found = [action for one in own for action in _meant(asked, one)]
    for number in sorted({_line_of(one) for one in own} & mends.keys()):
        mend = mends[number]
        title = f"Write {shortened(mend.new.strip(), _MOST_SHOWN)}"
        about = [shown(one, asked.text) for one in own if _line_of(one) == number]
        edits = [_edit(asked.text, mend)]
        found.append(_action(asked, title, edits, CodeActionKind.QuickFix, about, preferred=True))
    if mends:
        edits = [_edit(asked.text, mend) for mend in mends.values()]
        found.append(_action(asked, "Correct what is beyond doubt in this half", edits, FIX_ALL, []))
    if twin_place(asked) is not None:
        title = "Show the twin block"
        found.append(CodeAction(title=title, kind=CodeActionKind.Empty, command=twin_command(asked, title)))
    return found


def _line_of(one: Diagnostic) -> int:
    return (one.location.line or 1) - 1 if one.location is not None else 0


def _meant(asked: Asked, one: Diagnostic) -> Iterable[CodeAction]:
    """The replacement of a name by the one that was probably meant."""
    meant, quoted = _MEANT.search(one.fix or ""), quoted_in(one.message)
    number = _line_of(one)
    if meant is None or not quoted:
        return
    line = asked.text.line(number)
    places = [found.start() for found in re.finditer(rf"(?<!\w){re.escape(quoted)}(?!\w)", line)]
    column = one.location.column if one.location is not None else None
    if column is not None and line.startswith(quoted, column - 1):
        places = [column - 1]
    if len(places) != 1:
        return
    start = asked.text.start_of(number) + places[0]
    edit = TextEdit(range=asked.text.range(start, start + len(quoted)), new_text=meant[1])
    about = [shown(one, asked.text)]
    yield _action(asked, f"Write {meant[1]}", [edit], CodeActionKind.QuickFix, about, preferred=True)


def _edit(text: Text, mend: Mend) -> TextEdit:
    number = mend.line - 1
    start = text.start_of(number)
    return TextEdit(range=text.range(start, start + len(text.line(number))), new_text=mend.new)


def _action(
    asked: Asked,
    title: str,
    edits: list[TextEdit],
    kind: CodeActionKind,
    about: list[Shown],
    *,
    preferred: bool = False,
) -> CodeAction:
    edit = WorkspaceEdit(changes={uri_of(asked.root, asked.path): edits})
    return CodeAction(
        title=title, kind=kind, edit=edit, diagnostics=about or None, is_preferred=preferred or None
    )


def _mends_of(asked: Asked) -> tuple[Mend, ...]:
    if asked.half is None:
        return ()
    project = asked.known.project
    html = project.html if project is not None else "all"
    return _mends(asked.root, asked.text.text, asked.path, asked.half.language, html)


@lru_cache(4)
def _mends(root: Path, text: str, path: str, language: Language, html: HtmlPolicy) -> tuple[Mend, ...]:
    try:
        return mended_half(root, text.replace("\r\n", "\n"), path, language, html).done
    except DiagnosticError:
        return ()
