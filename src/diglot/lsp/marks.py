"""What a half refers to, and the names that it gives, with their places in its text.

The document tree knows the lines of these, and editors need columns, also in a text that is being typed and
cannot be parsed yet. So they are looked up in the Markdown, with the patterns of the parser's own rules.
"""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from diglot.bibliography.works import CitationTarget
from diglot.content.citations import ROLES as CITING
from diglot.content.citations import citations_in, target_of_role
from diglot.content.directives import directive_argument, directive_name
from diglot.content.roles import (
    REFERENCES,
    closing_ticks,
    number_and_source,
    read_reference,
    short_references_in,
)

MarkKind = Literal["value", "control", "reference", "label", "citation", "figure", "link"]
"""value: an expression; control: a parameter; reference: a label in this article; label: a name that is
given; citation: a key; figure: the id in a fence; link: a target as written."""
_CODE_DIRECTIVES = frozenset(
    (
        *("figure-script", "code-cell", "code", "code-block", "mermaid", "dot", "math", "include"),
        *("literalinclude", "raw"),
    )
)
_EMBEDS = ("figure", "table")
_FENCE = re.compile(r"(?P<indent>[ >\t]*)(?P<ticks>`{3,}|~{3,})(?P<info>[^`\n]*)")
_NAME_OPTION = re.compile(r"[ \t>]*:(?:name|label):[ \t]+(?P<name>\S+)")
_TICKS = re.compile(r"(?:\{(?P<role>[A-Za-z][\w:-]*)\})?(?P<ticks>`+)")
_ATTRIBUTE = re.compile(r"\{[^{}`\n]*?#(?P<name>[A-Za-z][\w:.-]*)[^{}`\n]*\}")
_FORMULA_LABEL = re.compile(r"\$\$[ \t]*\((?P<name>[A-Za-z][\w:.-]*)\)")
_LATEX_LABEL = re.compile(r"\\label\{(?P<name>[^{}\n]+)\}")
_LINK = re.compile(r"\]\([ \t]*<?(?P<target>[^)\s<>]+)|\bhref=\"(?P<href>[^\"\n]+)\"")


class Mark(NamedTuple):
    """A name in a text, with the characters that it is between."""

    kind: MarkKind
    text: str
    start: int
    end: int


class Fence(NamedTuple):
    """A fenced block, by its lines, from 0; the last one is the closing fence or the end of the text."""

    first: int
    last: int
    name: str | None
    """The directive in braces; None for code."""
    argument: str

    @property
    def is_code(self) -> bool:
        """Whether what is in it is no prose."""
        return self.name is None or self.name in _CODE_DIRECTIVES


def front_matter_end(lines: list[str]) -> int:
    """The line, from 0, at which the body of a half begins; 0 without front matter."""
    if not lines or lines[0].rstrip() != "---":
        return 0
    return next((at + 1 for at, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), len(lines))


def fences_in(lines: list[str]) -> list[Fence]:
    """The fenced blocks of a body; those inside another one are a part of it."""
    found: list[Fence] = []
    at = front_matter_end(lines)
    while at < len(lines):
        opening = _FENCE.match(lines[at])
        if opening is None:
            at += 1
            continue
        closing = re.compile(rf"[ >\t]*{opening['ticks'][0]}{{{len(opening['ticks'])},}}[ \t]*")
        last = next((n for n in range(at + 1, len(lines)) if closing.fullmatch(lines[n])), len(lines) - 1)
        info = opening["info"].strip()
        found.append(Fence(at, last, directive_name(info), directive_argument(info)))
        at = last + 1
    return found


def marks_in(text: str) -> list[Mark]:
    """All marks of a half, in the order of its text."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    marks: list[Mark] = []
    prose_from = starts[front_matter_end(lines)] if lines else 0
    for fence in fences_in(lines):
        marks += _in_prose(text, prose_from, starts[fence.first])
        marks += _of_fence(lines, starts, fence)
        if not fence.is_code:
            marks += _in_prose(text, starts[fence.first + 1], starts[fence.last])
        prose_from = min(starts[fence.last + 1], len(text))
    marks += _in_prose(text, prose_from, len(text))
    return sorted(marks, key=lambda mark: (mark.start, mark.end))


def mark_at(text: str, offset: int) -> Mark | None:
    """The innermost mark at a character, or directly before it."""
    around = [mark for mark in marks_in(text) if mark.start <= offset <= mark.end]
    return min(around, key=lambda mark: mark.end - mark.start, default=None)


def _of_fence(lines: list[str], starts: list[int], fence: Fence) -> Iterator[Mark]:
    opening = lines[fence.first]
    if fence.name in _EMBEDS and fence.argument:
        start = starts[fence.first] + opening.rfind(fence.argument)
        yield Mark("figure", fence.argument, start, start + len(fence.argument))
    if fence.is_code and fence.name is not None:
        for number in range(fence.first + 1, fence.last):
            option = _NAME_OPTION.match(lines[number])
            if option is None:
                break
            yield _named(option, starts[number])


def _named(found: re.Match[str], start: int = 0) -> Mark:
    return Mark("label", found["name"], start + found.start("name"), start + found.end("name"))


def _in_prose(text: str, start: int, end: int) -> Iterator[Mark]:
    """The marks between two characters. Code in a line ends with its paragraph."""
    for paragraph in re.finditer(r"(?:[^\n]*\S[^\n]*(?:\n|$))+", text[start:end]):
        yield from _in_paragraph(paragraph[0], start + paragraph.start())


def _in_paragraph(text: str, start: int) -> Iterator[Mark]:
    plain = list(text)
    at = 0
    while (found := _TICKS.search(text, at)) is not None:
        closing = closing_ticks(text, found["ticks"], found.end(), len(text))
        at = found.end()
        if closing < 0:
            continue
        at = closing + len(found["ticks"])
        if found["role"] is not None and text[found.start() - 1 : found.start()] != "\\":
            yield from _of_role(found["role"], text[found.end() : closing], start + found.end())
        for index in range(found.start(), at):  # what is inside is no Markdown
            plain[index] = "\n" if text[index] == "\n" else " "
    rest = "".join(plain)
    for begin, end, target in short_references_in(rest):
        name_at = rest.index(target, begin, end)
        yield Mark("reference", target, start + name_at, start + name_at + len(target))
    short = {begin for begin, _, _ in short_references_in(rest)}
    for begin, end, cited in citations_in(rest):
        if begin not in short:
            yield from _keys(cited, rest[begin:end], start + begin)
    for pattern in (_ATTRIBUTE, _FORMULA_LABEL, _LATEX_LABEL):
        yield from (_named(name, start) for name in pattern.finditer(rest))
    for line in re.finditer(r"(?m)^.*$", rest):
        if (option := _NAME_OPTION.match(line[0])) is not None:
            yield _named(option, start + line.start())
    for link in _LINK.finditer(rest):
        group = "target" if link["target"] is not None else "href"
        yield Mark("link", link[group], start + link.start(group), start + link.end(group))


def _of_role(role: str, content: str, start: int) -> Iterator[Mark]:
    if role in ("eval", "assert"):
        expression = content.replace("\\|", " |")  # as cells of tables write a bar: of the same length
        yield Mark("value", expression, start, start + len(content))
    elif role == "control":
        yield Mark("control", content, start, start + len(content))
    elif role in REFERENCES:
        target = read_reference(content)[3]
        if target:
            at = start + content.rindex(target)
            yield Mark("reference", target, at, at + len(target))
    elif (form := CITING.get(role)) is not None:
        if (cited := target_of_role(form, content)) is not None:
            yield from _keys(cited, content, start)
    elif role == "cite-number" and (source := number_and_source(content)) is not None:
        key = source[1].removeprefix("@")
        if key != source[1]:
            at = start + content.rindex(key)
            yield Mark("citation", key, at, at + len(key))


def _keys(cited: CitationTarget, source: str, start: int) -> Iterator[Mark]:
    at = 0
    for key in cited.keys:
        at = source.index(key, at)
        yield Mark("citation", key, start + at, start + at + len(key))
        at += len(key)
