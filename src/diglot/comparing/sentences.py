"""Cuts the text of a block into sentences, each with the values that it quotes."""

import re
from collections.abc import Callable, Iterator, Sequence

from markupsafe import Markup

from diglot.comparing.records import BoundValue, Sentence
from diglot.content.plain_formulas import plain_formula
from diglot.content.prose import Lines
from diglot.content.records import Parts, Placeholder
from diglot.content.tree.nodes import (
    Code,
    CodeBlock,
    Display,
    Embed,
    Formula,
    Nodes,
    Styled,
    Value,
    nodes_of,
)
from diglot.content.tree.text import OF_MACHINES
from diglot.render.parts import Resolver

# Control characters, which no text may contain: around a value's number, and at its end.
_BEGIN, _BEHIND_NUMBER, _END = "\x02", "\x03", "\x04"
_VALUE = re.compile(f"{_BEGIN}(\\d+){_BEHIND_NUMBER}([^{_END}]*){_END}")
_ASSERTED = "\x05"
"""Around the expression of an assertion, where it is."""
_ASSERTION = re.compile(f"{_ASSERTED}([^{_ASSERTED}]*){_ASSERTED}")
_SPACES = re.compile(r"[^\S\n\N{NO-BREAK SPACE}]+")
_STOP = re.compile(r"(?<=[。！？；])(?![”’」』）])|(?<=[。！？；][”’」』）])|(?<=[.!?])\s+(?=[A-Z“\x02])")
Bind = Callable[[Placeholder, str], BoundValue]
"""The value that a placeholder of kind `eval` stands for, and its text."""


def sentences_of(nodes: Nodes, resolver: Resolver, bind: Bind, line: int, *, is_code: bool) -> list[Sentence]:
    """The sentences of a block. `line` is where it begins in its file; `resolver` gives plain text."""
    lines = _Lines(resolver, bind)
    lines.write(nodes)
    text = "".join(lines.words)
    return [*cut(text if is_code else _SPACES.sub(" ", text), lines.bound, line, is_code=is_code)]


def cut(text: str, bound: Sequence[BoundValue], line: int, *, is_code: bool = False) -> Iterator[Sentence]:
    """The sentences of a text whose values and assertions are between marks; each line ends one, too."""
    for each in text.split("\n"):
        for marked in [each] if is_code else _STOP.split(each):
            asserts, piece = tuple(_ASSERTION.findall(marked)), _ASSERTION.sub("", marked)
            if not piece.strip():
                continue
            values = tuple(bound[int(found[1])] for found in _VALUE.finditer(piece))
            yield Sentence(
                text=_VALUE.sub(r"\2", piece).strip(),
                template=_VALUE.sub(lambda found: f"{{{bound[int(found[1])].expression}}}", piece).strip(),
                values=values,
                line=values[0].line if values else line,
                asserts=asserts,
            )


class _Lines(Lines):
    """Writes nodes as lines of text, with marks around values and assertions."""

    _stand_ins = dict.fromkeys(OF_MACHINES, "")

    def __init__(self, resolver: Resolver, bind: Bind) -> None:
        super().__init__(str)
        self.bound: list[BoundValue] = []
        self._resolver = resolver
        self._bind = bind

    def _cited(self) -> None:
        """A mark is no word."""

    def _styled(self, styled: Styled) -> None:
        self.write(styled.children)

    def _code(self, code: Code) -> None:
        self.words.append(code.text)

    def _code_block(self, block: CodeBlock) -> None:
        self.words += (block.title, "\n", block.text, "\n")

    def _formula(self, formula: Formula | Display) -> None:
        if formula.mathml:
            self.words.append(Markup(plain_formula(formula.mathml)).striptags())

    def _value(self, value: Value) -> None:
        placeholder = Placeholder(
            kind=value.kind, target=value.target, line=value.line, figures=value.figures
        )
        text = self._resolver(placeholder)
        if value.kind == "assert":
            text = f"{_ASSERTED}{value.target}{_ASSERTED}"
        elif value.kind == "eval":
            self.bound.append(self._bind(placeholder, text))
            text = f"{_BEGIN}{len(self.bound) - 1}{_BEHIND_NUMBER}{text}{_END}"
        self.words.append(text)

    def _said_of_picture(self, alt: Parts, title: Parts) -> None:
        self._line(nodes_of(alt))
        self._line(nodes_of(title))

    def _cells(self, cells: Sequence[Nodes]) -> None:
        for at, cell in enumerate(cells):
            self.words.append(" | " if at else "\n")
            self.write(cell)
        self.words.append("\n")

    def _embed(self, embed: Embed) -> None:
        """Its caption has a line of its own."""
