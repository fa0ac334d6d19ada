"""From the nodes of a half's blocks to paragraphs, tables and listings of a slide."""

from collections.abc import Iterable, Iterator, Mapping
from html import unescape
from typing import Any
from xml.etree.ElementTree import Element, fromstring, tostring

from msgspec.structs import replace

from diglot.content.admonitions.kinds import KINDS
from diglot.content.highlighting import pieces_of_code
from diglot.content.plain_formulas import formula_in_one_line
from diglot.content.records import Parts, Placeholder
from diglot.content.slides import STEP
from diglot.content.tree.nodes import (
    NEW_LINE,
    NOTHING,
    Break,
    Captioned,
    Citation,
    Code,
    CodeBlock,
    Container,
    Directive,
    Display,
    Formula,
    Heading,
    Item,
    Link,
    Mark,
    Node,
    Nodes,
    Picture,
    Raw,
    RawText,
    Rule,
    Styled,
    Table,
    Value,
    all_below,
    children_of,
)
from diglot.content.tree.nodes import (
    Paragraph as ParagraphNode,
)
from diglot.content.tree.text import OF_MACHINES
from diglot.languages import Language
from diglot.render.parts import Resolver, fill_text
from diglot.slides.contents import (
    BlockContents,
    CodeContents,
    FormulaContents,
    Paragraph,
    PictureContents,
    Run,
    Runs,
    Step,
    TableContents,
)

_LISTS = ("ul", "ol")
_MOVING = ("video", "audio", "iframe", "object", "embed", "canvas", "svg")
_DIVISIONS = ("p", "div", "section", "figure", "figcaption", "dl", "dt", "dd", "details", "summary")
_HEADINGS = ("h2", "h3", "h4", "h5", "h6")
_BLOCK_NAMES = frozenset((*_DIVISIONS, *_HEADINGS, *_LISTS, *OF_MACHINES, "hr", "blockquote", "table", "pre"))
"""Elements of raw HTML that begin a paragraph of a slide, or have a form of their own."""


def left_out_of(nodes: Nodes) -> Iterator[str]:
    """The elements of a block that no slide of a file can show, by name."""
    names = {node.name for node in all_below(nodes) if isinstance(node, Raw)}
    return (name for name in _MOVING if name in names)


def appearing(blocks: Iterable[BlockContents]) -> Iterator[BlockContents]:
    """Blocks that appear together at a click."""
    step: Step = "click"
    for block in blocks:
        yield replace(block, step=step)
        step = "along"


class SlideWriter:
    """Writes nodes as what a slide shows."""

    def __init__(self, language: Language, fill: Resolver, pictures: Mapping[str, str]) -> None:
        """`fill` gives the text of a placeholder, and `pictures` are the files of the project by address."""
        self._language = language
        self._fill = fill
        self._pictures = pictures

    def contents(self, nodes: Nodes) -> tuple[BlockContents, ...]:
        """What a block shows."""
        return tuple(self._blocks(nodes, 0))

    def runs(self, nodes: Nodes) -> Runs:
        """Text in a line, such as a title or a caption."""
        return _joined(self._runs(nodes, Run(text="")))

    # Blocks

    def _blocks(self, nodes: Nodes, level: int) -> Iterator[BlockContents]:
        inlines: list[Node] = []
        for node in _without_hidden(nodes):
            if isinstance(node, Picture) or (isinstance(node, Raw) and node.name == "img"):
                yield from self._paragraph(inlines, level)
                yield from self._picture(node)
            elif _is_block(node):
                yield from self._paragraph(inlines, level)
                blocks = self._block(node, level)
                yield from appearing(blocks) if _is_step(node) and not _is_list(node) else blocks
            else:
                inlines.append(node)
        yield from self._paragraph(inlines, level)

    def _paragraph(self, inlines: list[Node], level: int) -> Iterator[BlockContents]:
        runs = self.runs(tuple(inlines))
        inlines.clear()
        if runs:
            yield Paragraph(runs=runs, level=level)

    def _block(self, node: Node, level: int) -> Iterator[BlockContents]:
        match node:
            case Heading() | Raw(name="h2" | "h3" | "h4" | "h5" | "h6"):
                yield Paragraph(runs=_joined(self._runs(node.children, Run(text="", bold=True))))
            case Container(name="ul" | "ol") | Raw(name="ul" | "ol"):
                yield from self._list(node, level)
            case Container(name="blockquote") | Raw(name="blockquote"):
                for block in self._blocks(node.children, level):
                    yield replace(block, is_quoted=True) if isinstance(block, Paragraph) else block
            case Table():
                yield from self._table(node)
            case Raw(name="table"):
                yield from self._raw_table(node)
            case CodeBlock():
                if node.title:
                    yield Paragraph(runs=(Run(text=node.title),), level=level)
                yield _listing(_code_runs(node))
            case Raw(name="pre"):
                yield _listing(self._runs(node.children, Run(text="", code=True)))
            case Display():
                yield FormulaContents(mathml=node.mathml, text=formula_in_one_line(node.mathml))
            case Directive():
                yield from self._directive(node, level)
            case Captioned():
                yield from self._blocks((node.picture,), level)
                yield from self._paragraph([*node.caption], level)
            case ParagraphNode() | Container() | Raw() if _name_of(node) not in (*OF_MACHINES, "hr"):
                yield from self._blocks(node.children, level)

    def _list(self, node: Container | Raw, level: int) -> Iterator[BlockContents]:
        number = int(node.attributes.get("start", "1") or 1) - 1
        for entry in node.children:
            if isinstance(entry, Item) or (isinstance(entry, Raw) and entry.name == "li"):
                number += 1
                blocks = self._blocks(entry.children, level + 1)
                for at, block in enumerate(appearing(blocks) if _is_step(node) else blocks):
                    is_first = at == 0 and node.name == "ol" and isinstance(block, Paragraph)
                    yield replace(block, number=number) if is_first else block

    def _table(self, table: Table) -> Iterator[BlockContents]:
        yield TableContents(
            rows=tuple(tuple(_joined(self._runs(cell, Run(text=""))) for cell in row) for row in table.rows),
            has_head=True,
            right=tuple(side == "right" for side in table.sides),
        )

    def _raw_table(self, table: Raw) -> Iterator[BlockContents]:
        rows = [
            [cell for cell in node.children if isinstance(cell, Raw) and cell.name in ("td", "th")]
            for node in all_below(table.children)
            if isinstance(node, Raw) and node.name == "tr"
        ]
        width = max(map(len, rows), default=0)
        if not width:
            return
        empty: Runs = ()
        yield TableContents(
            rows=tuple(
                tuple(self.runs(row[at].children) if at < len(row) else empty for at in range(width))
                for row in rows
            ),
            has_head=any(cell.name == "th" for cell in rows[0]),
            right=tuple(
                any("r" in _classes(row[at]) for row in rows if at < len(row)) for at in range(width)
            ),
        )

    def _directive(self, directive: Directive, level: int) -> Iterator[BlockContents]:
        title = directive.title
        if not title and directive.name in KINDS:
            title = (KINDS[directive.name].title.of(self._language),)
        if runs := _joined(self._runs(title, Run(text="", bold=True))):
            yield Paragraph(runs=runs, level=level)
        yield from self._blocks(directive.children, level)

    def _picture(self, node: Picture | Raw) -> Iterator[BlockContents]:
        """A picture of the project; for one of another site, a link to it."""
        if isinstance(node, Picture):
            alt = fill_text(_as_attribute(node.alt), self._fill)
            address = self._fill(Placeholder(kind="image", target=node.target, line=node.address_line))
        else:
            address, alt = self._address_of(node, "src"), node.attributes.get("alt", "")
        if address in self._pictures:
            yield PictureContents(path=self._pictures[address], alt=alt)
        elif "://" in address:
            yield Paragraph(runs=(Run(text=alt or address, link=address),))

    def _address_of(self, raw: Raw, attribute: str) -> str:
        """The address in an element of raw HTML."""
        return next(map(self._fill, _addresses_in(raw.begin)), raw.attributes.get(attribute, ""))

    # Inlines

    def _runs(self, nodes: Nodes, style: Run) -> Iterator[Run]:
        for node in nodes:
            match node:
                case str():
                    yield replace(style, text=node)
                case Break():
                    if node.shows != NOTHING:
                        yield replace(style, text="\v" if node.shows == NEW_LINE else " ")
                case Code():
                    yield replace(style, text=node.text, code=True)
                case Formula() | Display():
                    yield from _formula_runs(node.mathml, style)
                case Value():
                    yield from self._value(node, style)
                case Citation():
                    mark = Placeholder(kind="cite", target=node.target, line=node.line, context="text")
                    yield replace(style, text=self._fill(mark))
                case Mark():
                    yield replace(style, text="\N{WORD JOINER}")
                    yield replace(style, text=str(node.number), shift="up")
                    yield replace(style, text=" " if node.is_spaced else "")
                case Link():
                    address = self._fill(Placeholder(kind="link", target=node.target, line=node.line))
                    link = address if "://" in address else style.link
                    yield from self._runs(node.children, replace(style, link=link))
                case Styled():
                    yield from self._runs(node.children, replace(style, **_STYLES.get(node.name, {})))
                case RawText():
                    yield replace(style, text=unescape(node.html))
                case Raw():
                    yield from self._raw_runs(node, style)
                case CodeBlock():
                    yield replace(style, text=node.text, code=True)
                case _:
                    for children in children_of(node):
                        yield from self._runs(children, style)

    def _raw_runs(self, raw: Raw, style: Run) -> Iterator[Run]:
        if raw.name == "math":
            yield from _formula_runs(tostring(_element(raw), "unicode"), style)
        elif raw.name == "br":
            yield replace(style, text="\v")
        elif raw.name not in OF_MACHINES:
            inner = replace(style, **_STYLES.get(raw.name, {}))
            if raw.name == "a":
                address = self._address_of(raw, "href")
                inner = replace(inner, link=address if "://" in address else style.link)
            yield from self._runs(raw.children, inner)

    def _value(self, value: Value, style: Run) -> Iterator[Run]:
        placeholder = Placeholder(
            kind=value.kind, target=value.target, line=value.line, context="text", figures=value.figures
        )
        if text := self._fill(placeholder):
            yield replace(style, text=text, expression=value.target if value.kind == "eval" else "")


_STYLES: dict[str, Mapping[str, Any]] = {
    **{name: {"bold": True} for name in ("strong", "b", "th")},
    **{name: {"italic": True} for name in ("em", "i")},
    **{name: {"code": True} for name in ("code", "kbd", "samp")},
    "sup": {"shift": "up"},
    "sub": {"shift": "down"},
}


def _without_hidden(nodes: Nodes) -> Iterator[Node]:
    """Nodes with the text of paragraphs without an element among them."""
    for node in nodes:
        if isinstance(node, ParagraphNode) and node.is_hidden:
            yield from node.children
        else:
            yield node


def _is_block(node: Node) -> bool:
    blocks = (ParagraphNode, Heading, Container, Item, Table, CodeBlock, Display, Directive, Captioned, Rule)
    return isinstance(node, blocks) or (isinstance(node, Raw) and node.name in _BLOCK_NAMES)


def _name_of(node: Node) -> str:
    return node.name if isinstance(node, Container | Raw) else ""


def _is_list(node: Node) -> bool:
    return _name_of(node) in _LISTS


def _classes(node: Node) -> list[str]:
    attributes: Mapping[str, str] = getattr(node, "attributes", {})
    return (node.classes if isinstance(node, Display) else attributes.get("class", "")).split()


def _is_step(node: Node) -> bool:
    return STEP in _classes(node)


def _as_attribute(text: Parts) -> Parts:
    return tuple(part if isinstance(part, str) else replace(part, context="attribute") for part in text)


def _addresses_in(parts: Parts) -> Iterator[Placeholder]:
    return (
        part
        for part in parts
        if isinstance(part, Placeholder) and part.kind in ("link", "image") and part.context == "attribute"
    )


def _element(raw: Raw) -> Element:
    """A formula that is written as MathML."""
    element = Element(raw.name if _is_name(raw.name) else "mrow")
    element.attrib.update({name: value for name, value in raw.attributes.items() if _is_name(name)})
    for node in raw.children:
        if isinstance(node, Raw) and node.name:
            element.append(_element(node))
        elif isinstance(node, RawText | str):
            text = node if isinstance(node, str) else unescape(node.html)
            if len(element):
                element[-1].tail = (element[-1].tail or "") + text
            else:
                element.text = (element.text or "") + text
    return element


def _is_name(name: str) -> bool:
    """Whether XML allows a name that HTML has, without a namespace."""
    return name[:1].isalpha() and name.isascii() and name.replace("-", "").isalnum()


def _code_runs(block: CodeBlock) -> Iterator[Run]:
    """Code with keywords in bold, and comments in a soft colour."""
    for kind, text in pieces_of_code(block.text, block.language):
        yield Run(text=text, code=True, bold=kind.startswith("k"), muted=kind.startswith("c"))


def _listing(runs: Iterable[Run]) -> CodeContents:
    lines: list[list[Run]] = [[]]
    for run in runs:
        for at, piece in enumerate(run.text.split("\n")):
            if at:
                lines.append([])
            if piece:
                lines[-1].append(replace(run, text=piece))
    while lines and not lines[-1]:
        lines.pop()
    return CodeContents(lines=tuple(_joined(line, strip=False) for line in lines))


def _formula_runs(mathml: str, style: Run) -> Iterator[Run]:
    if not mathml:
        return
    formula = fromstring(mathml)
    if is_plain(formula):
        yield from plain_runs(formula, style)
    else:
        yield replace(style, text=formula_in_one_line(mathml), mathml=mathml)


def _joined(runs: "Iterator[Run] | list[Run]", *, strip: bool = True) -> Runs:
    """Runs of the same style as one, with a line's white space as single spaces."""
    found: list[Run] = []
    for run in runs:
        text = run.text
        if strip and not run.mathml:
            text = _with_single_spaces(text)
            if found and not found[-1].mathml and found[-1].text[-1:] in (" ", "\v"):
                text = text.lstrip(" ")
        if not text and not run.mathml:
            continue
        last = found[-1] if found else None
        plain = last is not None and not (last.expression or last.mathml or run.expression or run.mathml)
        if last is not None and plain and replace(last, text="") == replace(run, text=""):
            found[-1] = replace(last, text=last.text + text)
        else:
            found.append(replace(run, text=text))
    if strip and found:
        found[0] = replace(found[0], text=found[0].text.lstrip(" "))
        found[-1] = replace(found[-1], text=found[-1].text.rstrip(" "))
    return tuple(run for run in found if run.text or run.mathml)


_TOKENS = ("mi", "mn", "mo", "mtext", "ms")
_ROWS = ("math", "mrow", "mstyle", "mpadded")
_SCRIPTS = ("msup", "msub")


def _tag(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def is_plain(element: Element, *, in_script: bool = False) -> bool:
    """Whether a formula is letters, numbers and signs with single exponents and indices: text in a line."""
    if _tag(element) in _TOKENS or _tag(element) == "mspace":
        return True
    inner = list(element)
    if _tag(element) in _SCRIPTS and not in_script:
        return len(inner) == 2 and all(is_plain(child, in_script=True) for child in inner)
    return _tag(element) in _ROWS and all(is_plain(child, in_script=in_script) for child in inner)


def plain_runs(element: Element, style: Run) -> Iterator[Run]:
    """A plain formula as text, with its exponents and indices."""
    if _tag(element) in _TOKENS:
        text = "".join(element.itertext()).translate(_INVISIBLE)
        spaced = f"\u00a0{text}\u00a0" if _tag(element) == "mo" and text in _WITH_SPACES else text
        yield replace(style, text=spaced, italic=_tag(element) == "mi" and len(text) == 1)
        return
    inner = list(element)
    if _tag(element) in _SCRIPTS:
        yield from plain_runs(inner[0], style)
        shifted = replace(style, shift="up" if _tag(element) == "msup" else "down")
        yield from plain_runs(inner[1], shifted)
        return
    for child in inner:
        yield from plain_runs(child, style)


_WITH_SPACES = frozenset("=≤≥<>≈×+−∈→")
_INVISIBLE = str.maketrans("", "", "\u2061\u2062\u2063\u2064")


def _with_single_spaces(text: str) -> str:
    """Text with runs of white space as single spaces; spaces that do not break stay."""
    out: list[str] = []
    for character in text:
        if character in " \t\n\r":
            if not out or out[-1] != " ":
                out.append(" ")
        else:
            out.append(character)
    return "".join(out)
