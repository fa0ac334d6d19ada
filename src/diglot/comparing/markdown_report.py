"""The report of a comparison as Markdown, for a comment on a pull request."""

from collections.abc import Iterable, Iterator
from html import escape

from diglot.comparing.changes import Changes
from diglot.comparing.wording import (
    SECTIONS,
    figure_facts,
    share_text,
    slide_facts,
    slide_name,
    summary,
    value_texts,
)
from diglot.figure_request import FigureRequest

MOST_CHARACTERS = 60_000
"""Length of a report; GitHub refuses comments of more than 65,536 characters."""
_LANGUAGES = {"zh": "中文", "en": "English"}


def markdown_report(changes: Changes, name: str) -> str:
    """The report. `name` is what the project is compared with. Cut where a comment could not hold it."""
    lines = [f"**diglot diff** against `{name}`: {summary(changes)}."]
    parts = {
        "doubts": _doubts(changes),
        "values": _table(
            ("value", "before → after", "", "where"),
            (
                (
                    _code(one.expression),
                    _plain(value_texts(one)),
                    f"**{share_text(one.share)}**" if one.is_large else share_text(one.share),
                    "<br>".join(map(_code, one.places)),
                )
                for one in changes.values
            ),
        ),
        "figures": _table(
            ("figure", "what", "shown in"),
            (
                (
                    _code(FigureRequest.parse(one.request).called),
                    _plain("; ".join(figure_facts(one))),
                    "<br>".join(map(_code, one.shown_in)),
                )
                for one in changes.figures
            ),
        ),
        "sentences": _sentences(changes),
        "slides": (f"- {_plain(slide_name(one))}: {_plain(slide_facts(one))}" for one in changes.slides),
        "inputs": _inputs(changes),
    }
    length = sum(map(len, lines))
    for key, found in parts.items():
        part = [*found]
        if not part:
            continue
        lines += ["", f"### {SECTIONS[key]}", ""]
        for line in part:
            length += len(line) + 1
            if length > MOST_CHARACTERS:
                return "\n".join([*lines, "", "There is more; `diglot diff --html` shows everything."])
            lines.append(line)
    return "\n".join(lines)


def _doubts(changes: Changes) -> Iterator[str]:
    for one in changes.doubts:
        yield f"- {_code(f'{one.path}:{one.line}')} {_with_code(one.message)}"
        if one.after:
            yield f"  <br>{_plain(one.after)}"


def _sentences(changes: Changes) -> Iterator[str]:
    for block in changes.blocks:
        for language, sentences in block.sentences.items():
            for one in sentences:
                yield f"- {_code(f'{one.path}:{one.line}')} {_LANGUAGES[language]}"
                if one.before:
                    yield f"  <br>− {_plain(one.before)}"
                if one.after:
                    yield f"  <br>+ {_plain(one.after)}"


def _inputs(changes: Changes) -> Iterator[str]:
    for one in changes.inputs:
        fields = "; ".join(f"{change.path}: {change.old} → {change.new}" for change in one.fields)
        kind = "" if one.kind == "changed" else f" {one.kind}"
        yield f"- {_code(one.path)}{kind}{f': {_plain(fields)}' if fields else ''}"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    cells = [*rows]
    if cells:
        yield f"| {' | '.join(head)} |"
        yield f"|{' --- |' * len(head)}"
        for row in cells:
            yield f"| {' | '.join(row)} |"


def _code(text: str) -> str:
    """Code as an element: a backtick or a bar in it would end a code span of Markdown, or a cell."""
    return f"<code>{_plain(text)}</code>"


def _with_code(message: str) -> str:
    """A message with its `code` as such."""
    pieces = message.split("`")
    return "".join(_code(piece) if n % 2 else _plain(piece) for n, piece in enumerate(pieces))


_SPECIAL = str.maketrans({**{one: f"\\{one}" for one in "\\`*_[]#|~"}, "@": "@\N{WORD JOINER}"})


def _plain(text: str) -> str:
    """A text whose characters mean nothing in Markdown, and that mentions nobody."""
    return escape(text, quote=False).translate(_SPECIAL)
