"""Writes a tree as HTML in parts: literal text, with placeholders for what is known only on a page."""

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any, TypeAlias

from msgspec.structs import replace

from diglot.content.admonitions.kinds import KINDS
from diglot.content.code_cells import CELL
from diglot.content.code_options import CodeOptions, with_lines
from diglot.content.labels import Label
from diglot.content.raw_html import is_pixels
from diglot.content.records import (
    OF_TALKS,
    Block,
    FigureEmbed,
    Note,
    Parts,
    Placeholder,
    PlaceholderContext,
    PlaceholderKind,
    TableEmbed,
)
from diglot.content.tree.joining import joined
from diglot.content.tree.nodes import (
    NOTHING,
    SPACE,
    Attributes,
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
    Nodes,
    Paragraph,
    Picture,
    Raw,
    RawText,
    Rule,
    Styled,
    Table,
    TopBlock,
    Value,
)
from diglot.content.tree.text import text_of
from diglot.languages import Bilingual, Language

_TASK_WORDS = {True: Bilingual(zh="已完成", en="Done"), False: Bilingual(zh="未完成", en="To do")}
_CODE_WORD, _OUTPUT_WORD = Bilingual(zh="代码", en="Code"), Bilingual(zh="输出", en="Output")
_CLASSES_OF_SIDES = {"": "", "left": "", "center": ' class="c"', "right": ' class="r"'}
HALF_EMPTY = frozenset("，。；：、！？）》」』】")
"""Full-width marks whose right half is empty."""
_CLOSING = HALF_EMPTY | frozenset("”’,.;:!?)]}%-")
"""What must not begin a line behind a formula."""
_OPENING = frozenset("（《「『【〔“‘([{")
"""What must not end a line before a formula."""
_NO_BREAK = "\N{WORD JOINER}"
"""Keeps the mark of a note from beginning a line, where a full-width stop before it would allow a break."""
_ADDRESSES = ("link", "image", "file")

Highlighted: TypeAlias = Mapping[tuple[str, str], str]
"""The HTML of code, by code and language."""

NONE_HIGHLIGHTED: Highlighted = {}


class HtmlWriter:
    """Writes the blocks of one half in their order; its lists are complete once all are written."""

    def __init__(self, language: Language, highlighted: Highlighted) -> None:
        self._language = language
        self._highlighted = highlighted
        self._out: list[str | Placeholder] = []
        self._tabs_count = 0
        self.figures: list[FigureEmbed] = []
        self.tables: list[TableEmbed] = []
        self.links: list[Placeholder] = []
        """Every link and picture."""
        self.citations: list[Placeholder] = []

    def block(self, top: TopBlock) -> Block:
        """A block with its notes."""
        parts = self.parts(top.nodes)
        return Block(
            kind=top.kind,
            line=top.line,
            last_line=top.last_line,
            parts=parts,
            level=top.level,
            anchor=top.anchor,
            number=top.number,
            text=text_of(top.nodes),
            notes=tuple(map(self._note, top.notes)) if top.notes else (),
            classes=top.classes,
            markup=top.markup,
        )

    def _note(self, note: Footnote) -> Note:
        return Note(
            number=note.number,
            parts=self.parts(note.children),
            line=note.line,
            label=note.label,
            first_line=note.first_line,
            last_line=note.last_line,
        )

    def parts(self, nodes: Nodes) -> Parts:
        """Nodes as HTML."""
        out, self._out = self._out, []
        self._write(nodes)
        parts, self._out = joined(self._out), out
        return parts

    def _write(self, nodes: Nodes) -> None:
        if Formula in map(type, nodes):
            self._write_with_formulas(nodes)
            return
        out = self._out
        for node in nodes:
            if type(node) is str:
                out.append(escape(node, quote=False) if "&" in node or "<" in node or ">" in node else node)
            else:
                _WRITERS[type(node)](self, node)

    def _write_with_formulas(self, nodes: Nodes) -> None:
        for index, node in enumerate(nodes):
            if type(node) is str:
                self._text(node, nodes, index)
            elif type(node) is Formula:
                self._formula(node, nodes, index)
            elif type(node) is Mark:
                self._mark(node, ends_keep=index > 0 and _keeps_behind(nodes, index - 1))
            else:
                _WRITERS[type(node)](self, node)

    # Inlines

    def _text(self, text: str, nodes: Nodes, index: int) -> None:
        if index and _keeps_behind(nodes, index - 1):
            self._out.append(f"{text[0]}</span>")
            text = text[1:]
        if _keeps_before(nodes, index + 1):
            self._out += [escaped(text[:-1]), _keep(nodes, index + 1), text[-1]]
        else:
            self._out.append(escaped(text))

    def _formula(self, formula: Formula, nodes: Nodes, index: int) -> None:
        before, behind = _keeps_before(nodes, index), _keeps_behind(nodes, index)
        if behind and not before:
            self._out.append(_keep(nodes, index))
        self._out.append(formula.mathml)
        if before and not behind:
            self._out.append("</span>")

    def _mark(self, mark: Mark, *, ends_keep: bool = False) -> None:
        if mark.number:
            tucked = " tucked" if mark.is_tucked else ""
            again = f"-{mark.nth}" if mark.nth > 1 else ""
            id_ = f"{self._language}-{mark.number}"
            self._out.append(
                f'{_NO_BREAK}<sup class="mark{tucked}"><a href="#note-{id_}" '
                f'id="mark-{id_}{again}">{mark.number}</a></sup>'
            )
        if ends_keep:
            self._out.append("</span>")
        if mark.is_spaced:
            self._out.append(" ")

    def _break(self, line_break: Break) -> None:
        if line_break.shows != NOTHING:
            self._out.append("\n" if line_break.shows == SPACE else "<br>\n")

    def _styled(self, styled: Styled) -> None:
        self._element(styled.name, styled.attributes, styled.children)

    def _element(self, name: str, attributes: Attributes, children: Nodes) -> None:
        self._out.append(f"<{name}{attributes_html(attributes)}>" if attributes else f"<{name}>")
        self._write(children)
        self._out.append(f"</{name}>")

    def _code(self, code: Code) -> None:
        attributes = attributes_html(code.attributes) if code.attributes else ""
        self._out.append(f"<code{attributes}>{escaped(code.text)}</code>")

    def _link(self, link: Link) -> None:
        self._out.append('<a href="')
        self._address("link", link.target, link.line)
        self._out.append('"')
        self._title(link.title)
        self._out.append(f"{attributes_html(link.attributes)}>")
        self._write(link.children)
        self._out.append("</a>")

    def _picture(self, picture: Picture) -> None:
        around = Placeholder(
            kind="picture",
            target=picture.target,
            line=picture.line,
            width=picture.width,
            height=picture.height,
        )
        width, height = (side if is_pixels(side) else "" for side in (picture.width, picture.height))
        size = Placeholder(
            kind="picture-size", target=picture.target, line=picture.line, width=width, height=height
        )
        self._out += [around, '<img src="']
        self._address("image", picture.target, picture.address_line)
        self._out += ['"', size, ' alt="', *_in_attribute(picture.alt), '"']
        self._title(picture.title)
        self._out += [f"{attributes_html(picture.attributes)}>", replace(around, kind="picture-end")]

    def _address(
        self,
        kind: PlaceholderKind,
        target: str,
        line: int,
        context: PlaceholderContext = "attribute",
    ) -> None:
        placeholder = Placeholder(kind=kind, target=target, line=line, context=context)
        self.links.append(placeholder)
        self._out.append(placeholder)

    def _title(self, title: Parts | None) -> None:
        if title is not None:
            self._out += [' title="', *_in_attribute(title), '"']

    def _value(self, value: Value) -> None:
        placeholder = Placeholder(
            kind=value.kind, target=value.target, line=value.line, figures=value.figures
        )
        if value.attributes:
            self._out += [f"<span{attributes_html(value.attributes)}>", placeholder, "</span>"]
        else:
            self._out.append(placeholder)

    def _citation(self, citation: Citation) -> None:
        placeholder = Placeholder(kind="cite", target=citation.target, line=citation.line)
        self.citations.append(placeholder)
        id_ = f"cite-{self._language}-{len(self.citations)}"
        self._out += [f'<span class="citation" id="{id_}">', placeholder, "</span>"]

    def _raw(self, raw: Raw) -> None:
        self._out += raw.begin
        self.links += (
            part for part in raw.begin if isinstance(part, Placeholder) and part.kind in _ADDRESSES
        )
        self._write(raw.children)
        self._out.append(raw.end)

    # Blocks

    def _paragraph(self, paragraph: Paragraph) -> None:
        if paragraph.is_hidden:
            self._write(paragraph.children)
            return
        self._out.append(f"<p{attributes_html(paragraph.attributes)}>" if paragraph.attributes else "<p>")
        self._write(paragraph.children)
        self._out.append("</p>")

    def _heading(self, heading: Heading) -> None:
        self._element(f"h{heading.level}", heading.attributes, heading.children)

    def _container(self, container: Container) -> None:
        self._element(container.name, container.attributes, container.children)

    def _item(self, item: Item) -> None:
        if item.is_done is None:
            self._element("li", item.attributes, item.children)
            return
        label = _TASK_WORDS[item.is_done].of(self._language)
        mark = " checked" if item.is_done else ""
        self._out.append(f'<li class="task"><input type="checkbox" disabled{mark} aria-label="{label}"> ')
        self._write(item.children)
        self._out.append("</li>")

    def _table(self, table: Table, caption: Parts = ()) -> None:
        classes = [_CLASSES_OF_SIDES[side] for side in table.sides]
        self._out.append(f'<div class="scroll"><table{attributes_html(table.attributes)}>')
        self._out += ("<caption>", *caption, "</caption>") if caption else ()
        self._out.append("<thead>")
        self._row("th", classes, table.rows[0])
        self._out.append("</thead>")
        if len(table.rows) > 1:
            self._out.append("<tbody>")
            for row in table.rows[1:]:
                self._row("td", classes, row)
            self._out.append("</tbody>")
        self._out.append("</table></div>")

    def _row(self, name: str, classes: Sequence[str], cells: Sequence[Nodes]) -> None:
        out = self._out
        out.append("<tr>")
        for class_, cell in zip(classes, cells, strict=True):
            if not cell:  # an empty heading is none: readers who hear the table are told of a gap
                out.append(f"<td{class_}></td>")
                continue
            if len(cell) == 1 and type(text := cell[0]) is str:  # as most are
                out.append(f"<{name}{class_}>{escaped(text)}</{name}>")
                continue
            out.append(f"<{name}{class_}>")
            self._write(cell)
            out.append(f"</{name}>")
        out.append("</tr>")

    def _code_block(self, block: CodeBlock) -> None:
        code = self._highlighted[block.text, block.language]
        if block.marked or block.first is not None:
            code = with_lines(code, CodeOptions(marked=frozenset(block.marked), first=block.first))
        begin, end = around_code(block)
        self._out.append(f"{begin}{code}{end}")

    def _display(self, display: Display) -> None:
        label = f'<span class="number">({display.number})</span>' if display.number else ""
        names = escape(" ".join(filter(None, ("eq", display.classes))))
        self._out.append(f'<div class="{names}">{display.mathml}{label}</div>')

    def _directive(self, directive: Directive) -> None:
        if directive.name == CELL:
            self._cell(directive)
            return
        if directive.name in OF_TALKS:
            self._out.append(f'<div class="of-talk {directive.name}"><div>')
            self._write(directive.children)
            self._out.append("</div></div>")
            return
        if directive.name == "tabs":
            self._tabs(directive)
            return
        if directive.name in _LAYOUT:
            self._layout(directive)
            return
        around, heading = ("details", "summary") if directive.fold else ("div", "b")
        names = ("admonition", directive.name, directive.attributes.get("class", ""))
        others = {name: value for name, value in directive.attributes.items() if name != "class"}
        classes = escape(" ".join(filter(None, names)))
        is_open = " open" if directive.fold == "open" else ""
        self._out.append(f'<{around} class="{classes}"{attributes_html(others)}{is_open}><{heading}>')
        if directive.title:
            self._write(directive.title)
        elif directive.name in KINDS:
            self._out.append(KINDS[directive.name].title.of(self._language))
        self._out.append(f"</{heading}>")
        if directive.children or not directive.fold:
            self._out.append("<div>")
            self._write(directive.children)
            self._out.append("</div>")
        self._out.append(f"</{around}>")

    def _tabs(self, tabs: Directive) -> None:
        """Disclosures of which one is open at a time. Without their style they are one below the other."""
        self._tabs_count += 1
        name = f"tabs-{self._language}-{self._tabs_count}"
        inside = [tab for tab in tabs.children if isinstance(tab, Directive)]
        chosen = next((tab for tab in inside if tab.fold == "open"), inside[0] if inside else None)
        self._out.append(f'<div class="tabs"{attributes_html(tabs.attributes)}>')
        for tab in inside:
            is_open = " open" if tab is chosen else ""
            sync = tab.attributes.get("data-sync") or text_of(tab.title).strip()
            attributes = attributes_html({**tab.attributes, "data-sync": sync.translate(_UNQUOTED)})
            self._out.append(f'<details name="{name}"{attributes}{is_open}><summary>')
            self._write(tab.title)
            self._out.append("</summary><div>")
            self._write(tab.children)
            self._out.append("</div></details>")
        self._out.append("</div>")

    def _layout(self, part: Directive) -> None:
        """A grid; what is in it has the form of an admonition, and a card its look."""
        names = ("admonition card" if part.name == "card" else part.name, part.attributes.get("class", ""))
        others = {name: value for name, value in part.attributes.items() if name != "class"}
        classes = escape(" ".join(filter(None, names)))
        self._out.append(f'<div class="{classes}"{attributes_html(others)}>')
        if part.title:
            self._out.append("<b>")
            self._write(part.title)
            self._out.append("</b>")
        has_inside = part.name in ("card", "place")
        self._out.append("<div>" if has_inside else "")
        self._write(part.children)
        self._out.append("</div></div>" if has_inside else "</div>")

    def _cell(self, cell: Directive) -> None:
        asked = cell.attributes["class"].split()
        for child in cell.children:
            is_code = isinstance(child, CodeBlock)
            folds = {"folds_all", "folds_code" if is_code else "folds_output"} & {*asked}
            if not folds:
                self._write((child,))
                continue
            self._out.append("<details><summary>")
            if is_code and cell.title:
                self._write(cell.title)
            else:
                self._out.append((_CODE_WORD if is_code else _OUTPUT_WORD).of(self._language))
            self._out.append("</summary>")
            self._write((child,))
            self._out.append("</details>")

    def _captioned(self, captioned: Captioned) -> None:
        picture = captioned.picture
        line = picture.line if isinstance(picture, Picture | Value) else 0
        label = Placeholder(kind="label", target=str(Label(captioned.of, captioned.name)), line=line)
        if isinstance(picture, Table):
            self._table(picture, (label, *self.parts(captioned.caption)))
            return
        has_parts = isinstance(picture, Directive)
        attributes = {**captioned.attributes, "class": "parts"} if has_parts else captioned.attributes
        self._out.append(f"<figure{attributes_html(attributes)}>")
        self._out.append("" if has_parts else '<div class="drawing">')
        self._write((picture,))
        self._out += ["<figcaption>" if has_parts else "</div><figcaption>", label]
        self._write(captioned.caption)
        self._out.append("</figcaption></figure>")

    def _embed(self, embed: Embed) -> None:
        caption = self.parts(embed.caption)
        embeds: list[Any] = self.figures if embed.kind == "figure" else self.tables
        self._out.append(Placeholder(kind=embed.kind, target=str(len(embeds)), line=embed.line))
        if embed.kind == "figure":
            embeds.append(
                FigureEmbed(
                    figure_id=embed.figure_id,
                    name=embed.name,
                    parameters=embed.parameters,
                    caption=caption,
                    line=embed.line,
                    explored=embed.explored,
                    explored_line=embed.explored_line,
                )
            )
        else:
            embeds.append(
                TableEmbed(
                    figure_id=embed.figure_id,
                    name=embed.name,
                    parameters=embed.parameters,
                    caption=caption,
                    line=embed.line,
                )
            )


_UNQUOTED = str.maketrans("", "", '"\\')
"""Scripts look for tabs by a name in quotation marks."""
_LAYOUT = frozenset(("grid", "place", "card", "card-header", "card-footer"))

_WRITERS: dict[type, Callable[[HtmlWriter, Any], None]] = {
    Break: HtmlWriter._break,
    Citation: HtmlWriter._citation,
    Styled: HtmlWriter._styled,
    Code: HtmlWriter._code,
    Link: HtmlWriter._link,
    Mark: HtmlWriter._mark,
    Picture: HtmlWriter._picture,
    Value: HtmlWriter._value,
    Raw: HtmlWriter._raw,
    RawText: lambda writer, text: writer._out.append(text.html),
    Paragraph: HtmlWriter._paragraph,
    Heading: HtmlWriter._heading,
    Container: HtmlWriter._container,
    Item: HtmlWriter._item,
    Table: HtmlWriter._table,
    CodeBlock: HtmlWriter._code_block,
    Display: HtmlWriter._display,
    Directive: HtmlWriter._directive,
    Embed: HtmlWriter._embed,
    Captioned: HtmlWriter._captioned,
    Rule: lambda writer, _: writer._out.append("<hr>"),
}


def around_code(block: CodeBlock) -> tuple[str, str]:
    """What is written before and behind the lines of a block of code."""
    title = f'<p class="file">{escape(block.title)}</p>' if block.title else ""
    name = f' class="language-{escape(block.language)}"' if block.language else ""
    return f"{title}<pre{attributes_html(block.attributes)}><code{name}>", "</code></pre>"


def escaped(text: str) -> str:
    """Text between tags; most has nothing to escape."""
    return escape(text, quote=False) if "&" in text or "<" in text or ">" in text else text


def attributes_html(attributes: Mapping[str, object]) -> str:
    """Attributes as in a tag, each with a space before it."""
    if not attributes:
        return ""
    return "".join(f' {key}="{escape(str(value))}"' for key, value in attributes.items())


def _in_attribute(text: Parts) -> list[str | Placeholder]:
    return [escape(part) if isinstance(part, str) else replace(part, context="attribute") for part in text]


# Formulas and the marks next to them: browsers keep a mark with text before it, but not with a formula.


def _keeps_behind(nodes: Nodes, index: int) -> bool:
    """Whether a formula is followed by a mark that must not begin a line, or by the number of a note."""
    if type(nodes[index]) is not Formula or index + 1 == len(nodes):
        return False
    following = nodes[index + 1]
    return type(following) is Mark or (type(following) is str and following[:1] in _CLOSING)


def _keeps_before(nodes: Nodes, index: int) -> bool:
    """Whether there is a formula at `index`, behind a mark that must not end a line."""
    if index == 0 or index >= len(nodes) or type(nodes[index]) is not Formula:
        return False
    before = nodes[index - 1]
    return type(before) is str and before[-1:] in _OPENING


def _keep(nodes: Nodes, index: int) -> str:
    """The tag that keeps a formula with its marks; it says on which side there are some."""
    before, behind = _keeps_before(nodes, index), _keeps_behind(nodes, index)
    return f'<span class="{" ".join(("keep-start",) * before + ("keep",) * behind)}">'
