"""Writes a tree as Markdown that needs nothing else: values, references and addresses are filled in.

A block in which nothing is filled in keeps its author's lines. All others are written anew, in one spelling.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from html import escape
from itertools import groupby
from textwrap import indent
from typing import Any, NamedTuple

from diglot.content.code_cells import CELL
from diglot.content.extensions import may_be_extended
from diglot.content.labels import PART, Label
from diglot.content.records import Parts, Placeholder, PlaceholderKind
from diglot.content.tree.nodes import (
    NEW_LINE,
    Break,
    Captioned,
    Citation,
    Code,
    CodeBlock,
    Container,
    Directive,
    Display,
    Embed,
    Footnote,
    Formula,
    Heading,
    Item,
    Link,
    Mark,
    Node,
    Nodes,
    Paragraph,
    Picture,
    Raw,
    RawText,
    Rule,
    Styled,
    Table,
    TopBlock,
    Tree,
    Value,
    all_below,
)
from diglot.ignore_comments import MARK

_SPECIAL = re.compile(r"[\\`*\[\]$]|(?<!\w)_|_(?!\w)|<(?=[A-Za-z/!?])|&(?=#?\w+;)|~(?=~)|[!^](?=\[)|!$")
_AT_BEGINNING = re.compile(
    r"^(\d{1,9}(?=[.)](?:\s|$))|(?=(?:#{1,6}|[-+])(?:\s|$)|>|[-=]+$|:::))", re.MULTILINE
)
"""Where text would begin a block, up to the character that has to be escaped."""
_TICKS = re.compile("`+")
_PLAIN_ADDRESS = re.compile(r"[^\s()<>]*")
_STYLES = {"em": "*", "strong": "**", "s": "~~", "data": "", "span": ""}
_DIRECTIVES = {"tabs": "tab-set", "tab": "tab-item", "place": "grid-item"}
"""What MyST calls the directives that have another name here."""
_SIDES = {"": "---", "left": ":---", "center": ":---:", "right": "---:"}
_ADDRESS = "\0"
"""Is around each address on the site; no text of an article can have it."""

_ALWAYS_WRITTEN = (Value, Citation, Raw, Directive, Embed, Captioned)


class Filling(NamedTuple):
    """What is filled in."""

    resolve: Callable[[Placeholder], str]
    """The Markdown of a value, a reference, a citation or a label."""
    address: Callable[[str], str | None]
    """The whole address of a target on the site; None for a target elsewhere."""
    embeds: Mapping[int, str]
    """The Markdown of figures and tables of numbers, by the index of their block."""
    shown: Mapping[tuple[PlaceholderKind, str], str]
    """The Markdown of diagrams and of what code cells show, by kind and number."""


def on_site(address: str) -> str:
    """An address on the site, as Markdown for `pieces_of_markdown` has it."""
    return f"{_ADDRESS}{address}{_ADDRESS}"


def pieces_of_markdown(markdown: str) -> tuple[str, ...]:
    """Text and whole addresses on the site in turn."""
    return tuple(markdown.split(_ADDRESS))


def markdown_of_tree(tree: Tree, lines: Sequence[str], filling: Filling) -> str:
    """A half as Markdown. `lines` are those of its file; without them, all blocks are written anew."""
    return _MarkdownWriter(tree, lines, filling).text(tree)


class _MarkdownWriter:
    def __init__(self, tree: Tree, lines: Sequence[str], filling: Filling) -> None:
        self._lines, self._filling = lines, filling
        self._notes = {note.number: note for block in tree.blocks for note in block.notes}

    def text(self, tree: Tree) -> str:
        """Blocks and notes in the order of the file."""
        units: list[tuple[int, int, TopBlock | Footnote]] = [
            (block.line, index, block) for index, block in enumerate(tree.blocks)
        ]
        units += [(note.line, -1, note) for note in self._notes.values() if not _is_inline(note)]
        written, kept_until = [], 0
        for line, index, unit in sorted(units, key=lambda unit: unit[0]):
            if isinstance(unit, Footnote):
                if line > kept_until:  # else it is in the lines of a quotation or a list
                    written.append(self._note(unit))
                continue
            if (kept := self._kept(unit.nodes, unit.line, unit.last_line)) is not None:
                kept_until = unit.last_line
            embed = self._filling.embeds.get(index)
            written.append(embed or kept or self._blocks(unit.nodes))
        return "\n\n".join(filter(None, written))

    def _note(self, note: Footnote) -> str:
        kept = self._kept(note.children, note.line, note.last_line)
        begin = f"[^{note.label}]: "
        return kept or begin + _indented(self._blocks(note.children), 4)

    def _kept(self, nodes: Nodes, line: int, last_line: int) -> str | None:
        """The author's lines of a block; None where they are not all that it needs."""
        source = "\n".join(self._lines[line - 1 : last_line]).strip("\n")
        is_made = may_be_extended(source) or "[[" in source
        if MARK in source or is_made or self._is_filled(nodes, source):
            return None
        return source

    def _is_filled(self, nodes: Nodes, source: str) -> bool:
        return any(self._is_node_filled(node, source) for node in all_below(nodes))

    def _is_node_filled(self, node: Node, source: str) -> bool:
        match node:
            case Link(target=target) | Picture(target=target):
                # The address of `[text][label]` is in the definition of the label, which is no block.
                is_here = target in source
                return bool(node.attributes) or not is_here or self._filling.address(target) is not None
            case Mark() if (note := self._notes.get(node.number)) is not None and _is_inline(note):
                return self._is_filled(note.children, source)
            case Styled() | Code():
                return bool(node.attributes)
            case Heading():
                return source.endswith("}")  # its attributes
            case _:
                return isinstance(node, _ALWAYS_WRITTEN)

    # Blocks

    def _blocks(self, nodes: Nodes, between: str = "\n\n") -> str:
        written = []
        for is_block, group in groupby(nodes, lambda node: isinstance(node, _BLOCKS)):
            if is_block:
                written += [_BLOCK_WRITERS[type(node)](self, node) for node in group]
            else:
                written.append(self._inlines(tuple(group)).strip("\n"))
        return between.join(filter(None, written))

    def _paragraph(self, paragraph: Paragraph) -> str:
        return _AT_BEGINNING.sub(r"\1\\", self._inlines(paragraph.children).strip())

    def _heading(self, heading: Heading) -> str:
        return f"{'#' * heading.level} {self._in_line(heading.children)}"

    def _container(self, container: Container) -> str:
        match container.name:
            case "ul" | "ol":
                return self._list(container)
            case "blockquote":
                return indent(self._blocks(container.children), "> ", lambda _: True).replace("> \n", ">\n")
            case "dl":
                return self._blocks(container.children, "\n").strip("\n")
            case "dt":
                return f"\n{self._in_line(container.children)}"
            case _:
                return ": " + _indented(self._blocks(container.children), 2)

    def _list(self, container: Container) -> str:
        items = [item for item in container.children if isinstance(item, Item)]
        is_tight = all(
            child.is_hidden for item in items for child in item.children if isinstance(child, Paragraph)
        )
        between = "\n" if is_tight else "\n\n"
        number = int(container.attributes.get("start", "1"))
        written = []
        for index, item in enumerate(items):
            marker = "- " if container.name == "ul" else f"{number + index}. "
            task = "" if item.is_done is None else "[x] " if item.is_done else "[ ] "
            written.append(marker + _indented(task + self._blocks(item.children, between), len(marker)))
        return between.join(map(str.rstrip, written))

    def _table(self, table: Table) -> str:
        head, *rows = ([self._cell(cell) for cell in row] for row in table.rows)
        return "\n".join(map(_row, (head, [_SIDES[side] for side in table.sides], *rows)))

    def _cell(self, cell: Nodes) -> str:
        return self._in_line(cell).replace("|", "\\|")

    def _code_block(self, block: CodeBlock) -> str:
        mark = "'" if '"' in block.title else '"'
        options = (
            block.language,
            f"title={mark}{block.title}{mark}" if block.title else "",
            f"{{{','.join(map(str, block.marked))}}}" if block.marked else "",
            "" if block.first is None else f"linenums={block.first}",
        )
        return fenced(block.text.removesuffix("\n"), " ".join(filter(None, options)))

    def _directive(self, directive: Directive) -> str:
        inside = self._blocks(directive.children)
        match directive.name:
            case name if name == CELL:
                return inside
            case "card-header":
                return f"{inside}\n^^^"
            case "card-footer":
                return f"+++\n{inside}"
        colons = ":" * max([3, *(len(marks) + 1 for marks in re.findall("^:{3,}", inside, re.MULTILINE))])
        begin = f"{colons}{{{name_in_myst(directive)}}}"
        title = self._in_line(directive.title)
        fold = ":class: dropdown" if directive.fold else ""
        return "\n".join(filter(None, (f"{begin} {title}".strip(), fold, inside, colons)))

    def _captioned(self, captioned: Captioned) -> str:
        label = ""
        if captioned.name and captioned.of != PART:
            target = str(Label(captioned.of, captioned.name))
            label = self._resolved("label", target, captioned)
        caption = " ".join(filter(None, (label and f"**{label}**", self._inlines(captioned.caption))))
        return "\n\n".join(filter(None, (caption, self._blocks((captioned.picture,)))))

    # Inlines

    def _in_line(self, nodes: Nodes) -> str:
        return " ".join(self._inlines(nodes).split("\n")).strip()

    def _inlines(self, nodes: Nodes) -> str:
        return "".join(
            as_markdown(node) if isinstance(node, str) else _INLINE_WRITERS[type(node)](self, node)
            for node in nodes
        )

    def _styled(self, styled: Styled) -> str:
        inside = self._inlines(styled.children)
        if (mark := _STYLES.get(styled.name)) is not None:
            return f"{mark}{inside}{mark}"
        return f"<{styled.name}>{inside}</{styled.name}>"

    def _link(self, link: Link) -> str:
        if link.children == (link.target,) and "://" in link.target:
            return f"<{self._target(link.target)}>"
        return f"[{self._inlines(link.children)}]({self._address(link.target, link.title)})"

    def _picture(self, picture: Picture) -> str:
        alt = as_markdown(self._filled(picture.alt))
        return f"![{alt}]({self._address(picture.target, picture.title)})"

    def _address(self, target: str, title: Parts | None) -> str:
        address = self._target(target)
        if _PLAIN_ADDRESS.fullmatch(address) is None:
            address = f"<{address}>"
        if title is None:
            return address
        return f'{address} "{self._filled(title).replace(chr(34), chr(92) + chr(34))}"'

    def _target(self, target: str) -> str:
        address = self._filling.address(target)
        return target if address is None else on_site(address)

    def _value(self, value: Value) -> str:
        if (shown := self._filling.shown.get((value.kind, value.target))) is not None:
            return shown
        return self._resolved(value.kind, value.target, value)

    def _citation(self, citation: Citation) -> str:
        return self._resolved("cite", citation.target, citation)

    def _resolved(self, kind: PlaceholderKind, target: str, node: Value | Citation | Captioned) -> str:
        line = 0 if isinstance(node, Captioned) else node.line
        figures = node.figures if isinstance(node, Value) else ()
        placeholder = Placeholder(kind=kind, target=target, line=line, context="text", figures=figures)
        return self._filling.resolve(placeholder)

    def _mark(self, mark: Mark) -> str:
        note = self._notes[mark.number]
        return f"^[{self._in_line(note.children)}]" if _is_inline(note) else f"[^{note.label}]"

    def _raw(self, raw: Raw) -> str:
        begin = self._filled(raw.begin, in_html=True)
        has_blocks = any(isinstance(child, _BLOCKS) for child in raw.children)
        if has_blocks:  # Markdown in HTML begins behind an empty line
            return f"{begin}\n\n{self._blocks(raw.children)}\n\n{raw.end}"
        return f"{begin}{self._inlines(raw.children)}{raw.end}"

    def _filled(self, parts: Parts, *, in_html: bool = False) -> str:
        return "".join(
            part if isinstance(part, str) else self._placeholder(part, in_html=in_html) for part in parts
        )

    def _placeholder(self, placeholder: Placeholder, *, in_html: bool) -> str:
        if placeholder.kind == "picture-size":
            sides = (("width", placeholder.width), ("height", placeholder.height))
            return "".join(f' {name}="{side}"' for name, side in sides if side)
        if in_html:  # where there are only addresses else
            return escape(self._target(placeholder.target))
        return self._filling.resolve(placeholder)


def name_in_myst(directive: Directive) -> str:
    """The name that a directive is written with."""
    return _DIRECTIVES.get(directive.name, directive.name)


def fenced(text: str, info: str) -> str:
    """A block of code in Markdown; `info` begins with its language."""
    ticks = "`" * max([3, *(len(run) + 1 for run in _TICKS.findall(text))])
    return f"{ticks}{info}\n{text}\n{ticks}"


def table_row(cells: Sequence[str]) -> str:
    """A row of a table in Markdown, made of plain texts."""
    return _row([" ".join(cell.split()).replace("|", "\\|") for cell in cells])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _code(code: Code) -> str:
    ticks = "`" * (max(map(len, _TICKS.findall(code.text)), default=0) + 1)
    space = " " if code.text.startswith("`") or code.text.endswith("`") else ""
    return f"{ticks}{space}{code.text}{space}{ticks}"


def as_markdown(text: str) -> str:
    """Text in which nothing is Markdown, unless it begins a line."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def _is_inline(note: Footnote) -> bool:
    """Whether a note is written where its mark is."""
    return note.label.startswith("^")


def _indented(text: str, width: int) -> str:
    """A text whose first line is behind a marker."""
    return indent(text, " " * width).lstrip(" ")


_BLOCK_WRITERS: dict[type, Callable[[_MarkdownWriter, Any], str]] = {
    Paragraph: _MarkdownWriter._paragraph,
    Heading: _MarkdownWriter._heading,
    Container: _MarkdownWriter._container,
    Table: _MarkdownWriter._table,
    CodeBlock: _MarkdownWriter._code_block,
    Display: lambda writer, display: f"$$\n{display.latex.strip()}\n$$",
    Directive: _MarkdownWriter._directive,
    Captioned: _MarkdownWriter._captioned,
    Embed: lambda writer, embed: "",  # one of a block is in `embeds`
    Rule: lambda writer, rule: "---",
}
_BLOCKS = tuple(_BLOCK_WRITERS)
_INLINE_WRITERS: dict[type, Callable[[_MarkdownWriter, Any], str]] = {
    Break: lambda writer, line_break: "\\\n" if line_break.shows == NEW_LINE else "\n",
    Styled: _MarkdownWriter._styled,
    Code: lambda writer, code: _code(code),
    Formula: lambda writer, formula: f"${formula.latex}$",
    Link: _MarkdownWriter._link,
    Picture: _MarkdownWriter._picture,
    Value: _MarkdownWriter._value,
    Mark: _MarkdownWriter._mark,
    Citation: _MarkdownWriter._citation,
    Raw: _MarkdownWriter._raw,
    RawText: lambda writer, text: text.html,
}
