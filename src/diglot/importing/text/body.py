"""The text of a half during conversion: the source line of each line, and which parts are code."""

import bisect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from markdown_it import MarkdownIt

from diglot.content.admonitions.kinds import begins_block
from diglot.importing.records import Finding

Replacement = tuple[int, int, str]
"""Where a piece of text begins and ends, and its replacement."""

_OPENING = re.compile(
    r"(?<![`\\])(?P<ticks>`+)(?!`)|<(?P<name>pre|script|style|textarea)\b|<!--", re.IGNORECASE
)


class Body:
    """Markdown that converters change piece by piece.

    Every line remembers its line in the source file, so that findings name the right line after any
    conversion. Code is left alone unless a converter asks for it.
    """

    def __init__(self, text: str, lines: Sequence[int], path: str) -> None:
        self.text = text
        self.path = path
        self.findings: list[Finding] = []
        self.included: set[str] = set()
        """Other files of the source whose text has been brought in."""
        self.count = 0
        """The letters and digits that were read from the source for it, and for its twin in the same file."""
        self._lines = [*lines] or [1]
        self._code: list[tuple[int, int]] | None = None

    @property
    def lines(self) -> tuple[int, ...]:
        """The source line of each line of the text."""
        return tuple(self._lines)

    def source_line(self, index: int) -> int:
        """The source line of a line of the text, counted from 0."""
        return self._lines[min(max(index, 0), len(self._lines) - 1)]

    def line_at(self, offset: int) -> int:
        """The source line of a position in the text."""
        return self.source_line(self.text.count("\n", 0, offset))

    def report(self, offset: int, message: str, fix: str) -> None:
        """Add a finding at a position, unless it is there already."""
        self.report_line(self.text.count("\n", 0, offset), message, fix)

    def report_line(self, index: int, message: str, fix: str) -> None:
        """Add a finding on a line of the text, counted from 0, unless it is there already."""
        finding = Finding(path=self.path, line=self.source_line(index), message=message, fix=fix)
        if finding not in self.findings:
            self.findings.append(finding)

    def substitute(
        self,
        pattern: re.Pattern[str],
        make: Callable[[re.Match[str]], str | None],
        *,
        in_code: bool = False,
    ) -> None:
        """Replace each match outside code by what `make` returns; a match for which it returns None stays."""
        changes = []
        for found in pattern.finditer(self.text):
            if not in_code and self.is_code(found.start()):
                continue
            new = make(found)
            if new is not None and new != found[0]:
                changes.append((found.start(), found.end(), new))
        self.replace(changes)

    def replace(self, changes: Iterable[Replacement]) -> None:
        """Replace pieces, which are in order; one that overlaps the one before it stays as it is."""
        pieces: list[str] = []
        lines = [self._lines[0]]
        position, at = 0, 0
        for start, end, new in changes:
            if start < position:
                continue
            kept = self.text[position:start]
            count = kept.count("\n")
            lines += self._lines[at + 1 : at + count + 1]
            at += count
            behind = at + self.text.count("\n", start, end)
            lines += [self._lines[min(at + n, behind)] for n in range(1, new.count("\n") + 1)]
            at = behind
            pieces += [kept, new]
            position = end
        if not pieces:
            return
        pieces.append(self.text[position:])
        lines += self._lines[at + 1 :]
        self.text, self._lines, self._code = "".join(pieces), lines, None

    def replace_lines(self, changes: Mapping[int, str]) -> None:
        """Replace whole lines, by their numbers from 0."""
        starts = line_starts(self.text)
        self.replace((starts[at], starts[at + 1] - 1, changes[at]) for at in sorted(changes))

    def is_code(self, offset: int) -> bool:
        """Whether a position is in code, in a comment, or in HTML that is not read as Markdown."""
        if self._code is None:
            self._code = code_ranges(self.text)
        index = bisect.bisect_right(self._code, (offset, len(self.text) + 1)) - 1
        return index >= 0 and offset < self._code[index][1]


_DIRECTIVE = re.compile(r"\{([\w:-]+)\}")
_OF_MARKDOWN = ("figure", "table", "list-table", "margin", "sidebar", "epigraph")
"""Directives with Markdown in them that are no admonitions, tabs or cards."""
_PARSER = MarkdownIt("commonmark", {"maxNesting": 40}).disable(["inline"], ignoreInvalid=True)


def line_starts(text: str) -> list[int]:
    """Where each line of a text begins, and where one more would."""
    return [0, *(found.end() for found in re.finditer("\n", text)), len(text) + 1]


def code_ranges(text: str) -> list[tuple[int, int]]:
    """The ranges of code in Markdown: fences, indented code, backticks, `<pre>`, scripts and comments.

    What is in a fence such as ```{note} is Markdown again, as MyST has it.
    """
    starts = line_starts(text)
    blocks: list[tuple[int, int]] = []
    for token in _PARSER.parse(text):
        if token.type not in ("fence", "code_block") or not token.map:
            continue
        first, last = (starts[min(line, len(starts) - 1)] for line in token.map)
        directive = _DIRECTIVE.match(token.info) if token.type == "fence" else None
        if directive is None or not (begins_block(directive[1]) or directive[1] in _OF_MARKDOWN):
            blocks.append((first, min(len(text), last)))
            continue
        inside = starts[token.map[0] + 1]
        inner = token.content if text.startswith(token.content, inside) else ""  # it may be indented
        blocks += [(inside + start, inside + end) for start, end in code_ranges(inner)]
    found_ranges = [*blocks]
    position = 0
    for start, end in [*blocks, (len(text), len(text))]:
        found_ranges += _inside(text, position, start)
        position = max(position, end)
    return _merged(found_ranges)


def _inside(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The ranges of raw HTML and backticked code in text without code blocks; what opens first counts."""
    ranges = []
    position = start
    while (opening := _OPENING.search(text, position, end)) is not None:
        position = opening.end()
        if opening["ticks"]:
            paragraph = text.find("\n\n", position, end)
            last = end if paragraph < 0 else paragraph
            closing = re.compile(rf"(?<!`){opening['ticks']}(?!`)").search(text, position, last)
        elif opening["name"]:
            closing = re.compile(rf"</{opening['name']}\s*>", re.IGNORECASE).search(text, position, end)
        else:
            closing = re.compile("-->").search(text, position, end)
        if closing is not None:
            ranges.append((opening.start(), closing.end()))
            position = closing.end()
    return ranges


def _merged(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif end > start:
            merged.append((start, end))
    return merged
