"""Builds the blocks of a tree from tokens: one walk over a half, which also collects notes and mistakes."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Literal, cast

from markdown_it.common.utils import unescapeAll
from markdown_it.token import Token
from msgspec.structs import replace

from diglot.content.admonitions.kinds import (
    KINDS,
    LOOKS,
    PICTURES,
    SETS_OF_TABS,
    TABLE,
    TABS,
    kind_named,
    layout_named,
)
from diglot.content.admonitions.mistakes import report_unknown, warn_of_options
from diglot.content.admonitions.reading import CARD_PARTS
from diglot.content.code_cells import CELL, is_cell, read_cell
from diglot.content.code_options import NONE as NO_OPTIONS
from diglot.content.code_options import CodeOptions, read_code_options
from diglot.content.diagrams import diagram_kind, read_diagram
from diglot.content.directives import (
    DIRECTIVES,
    FIXES,
    directive_argument,
    directive_name,
    read_directive,
    read_figure_id,
)
from diglot.content.extensions import MADE
from diglot.content.highlighting import COMMON_LANGUAGES, highlighted, is_too_long, known_language
from diglot.content.inline_tokens import parse_inlines
from diglot.content.labels import NUMBERED_KINDS, PART, Label
from diglot.content.leftovers.search import has_sign
from diglot.content.limits import LONGEST_CODE, LONGEST_CODE_LINE
from diglot.content.mistakes import Mistakes
from diglot.content.parser import DEEPEST
from diglot.content.records import OF_TALKS, CodeCell, Diagram, FencedScript
from diglot.content.roles import is_assertion
from diglot.content.swallowed import (
    report_text_behind,
    warn_of_annotations,
    warn_of_cells,
    warn_of_dashes,
    warn_of_html_block,
    warn_of_indented,
    warn_of_numbers,
    warn_of_underline,
)
from diglot.content.tree.html import NONE_HIGHLIGHTED
from diglot.content.tree.inlines import InlineBuilding
from diglot.content.tree.nodes import (
    Attributes,
    Captioned,
    CodeBlock,
    Container,
    Directive,
    Display,
    Embed,
    Footnote,
    Heading,
    Item,
    Node,
    Nodes,
    Paragraph,
    Picture,
    Raw,
    Rule,
    Table,
    Value,
    nodes_of,
)
from diglot.content.tree.pictures import FIGURE, name_of_file, names_picture, read_picture
from diglot.content.tree.raw import LooseTag, Piece
from diglot.content.tree.text import line_of, text_of
from diglot.diagnostics import did_you_mean, shortened
from diglot.dollars import has_lone_dollar
from diglot.figure_request import FigureRequest
from diglot.html_tags import END_MAY_BE_LEFT_OUT, VOID, unfinished_tag
from diglot.invariants import certain
from diglot.languages import Language
from diglot.project import HtmlPolicy

_LANGUAGE = re.compile(r"([^\s{]*)\s*(.*)", re.DOTALL)
_PLAIN = ("", "text", "plain", "txt")
_PLAIN_CELL = re.compile("[0-9A-Za-z\u4e00-\u9fff .,%/+-]*")
"""Text without Markdown or HTML characters, and without anything that causes a warning."""


class Building(InlineBuilding):
    """The walk over one half; its lists are complete once all blocks are built."""

    def __init__(
        self,
        env: dict[str, Any],
        language: Language,
        first_line: int,
        mistakes: Mistakes,
        html: HtmlPolicy = "all",
    ) -> None:
        super().__init__(env, language, first_line, mistakes, html=html)
        self.embeds: list[Embed] = []
        """Figures and tables of numbers."""
        self.scripts: list[FencedScript] = []
        self.cells: list[CodeCell] = []
        self.diagrams: list[Diagram] = []
        self.names: dict[str, int] = {}
        """Names and anchors so far, with the lines that define them."""
        self.never_closed: list[int] = []
        """Lines of admonitions and elements around blocks that never end."""
        self.code_made = NONE_HIGHLIGHTED
        """Code that need not be highlighted again."""
        self.highlighted: dict[tuple[str, str], str] = {}
        """The HTML of all code, for the writer: it is made here, where the place of a mistake is known."""
        self.own_id = ""
        """The id of the block, if it has one, above it or in a picture that it is."""
        self._pictures_named: Counter[str] = Counter()
        self._tables_named = 0
        self._in_pictures = 0
        """1 inside a figure of several pictures, else 0."""
        self._captions_in_brackets = False
        """Whether the text in a picture's brackets is its caption, as in figures of Quarto."""
        self.equations = 0
        """Number of numbered formulas so far."""

    def build_block(self, tokens: Sequence[Token]) -> tuple[list[Piece], tuple[Footnote, ...]]:
        """The pieces of one top-level block, and the notes that it refers to first."""
        return self._blocks(tokens), self._notes()

    def line_of(self, token: Token) -> int:
        """The line of the file on which a block's token begins."""
        return self._first_line + token.map[0] if token.map else self._line

    def last_line_of(self, token: Token) -> int:
        """The line on which it ends; blank lines may be before that."""
        return self._first_line + token.map[1] - 1 if token.map else 0

    def give_name(self, name: str, line: int) -> None:
        """Record that a name is taken; report a mistake where it already was."""
        if name in self.names:
            self.mistakes.error(
                "anchor-duplicate",
                f'the name "{name}" is already used on line {self.names[name]}',
                line,
                "give this one another name, with `:name:` or `{#…}`.",
            )
        self.names.setdefault(name, line)

    def _notes(self) -> tuple[Footnote, ...]:
        notes = []
        while self._waiting:  # a note may refer to another one, which is then shown next to the same block
            number, label, line = self._waiting.pop(0)
            tokens, first_line = self.note_definitions[label]
            last_line = max(map(self.last_line_of, tokens), default=first_line)
            if len(tokens) == 3 and tokens[0].type == "paragraph_open":
                tokens = tokens[1:2]
            self._depth += 1  # a note is inside the block that it is shown beside
            children = self.closed(self._blocks(tokens))
            self._depth -= 1
            notes.append(
                Footnote(
                    number=number,
                    children=children,
                    line=line,
                    label=label,
                    first_line=first_line,
                    last_line=last_line,
                )
            )
        return tuple(notes)

    # Blocks

    def _blocks(self, tokens: Sequence[Token]) -> list[Piece]:
        around: list[tuple[Callable[..., Node], list[Piece]]] = []
        """What is open here: what makes a node of it, and the nodes before it."""
        nodes: list[Piece] = []
        done = -1
        for index, token in enumerate(tokens):
            if index <= done:
                continue
            if token.map:
                self._line = self._first_line + token.map[0]
            if token.attrs:
                self._warn_of_names(token)
            if token.type == "paragraph_open":  # as most are: its text and its end are behind it
                make, text = self._paragraph_open(tokens, index), tokens[index + 1]
                inlines = text.children or []
                if self._depth == 1 + self._in_pictures and _are_pictures(inlines, self._in_pictures):
                    nodes += (
                        self._picture_alone(make, _with_image(text, image))
                        for image in inlines
                        if image.type == "image"
                    )
                else:
                    nodes.append(
                        make(children=self._inline(inlines, text.content, _place(tokens, index + 1)))
                    )
                self._depth -= 1
                done = index + 2
            elif token.type == "inline":
                nodes += self._inline(token.children or [], token.content, _place(tokens, index))
            elif token.nesting == 1:
                around.append((_OPENED.get(token.type, Building._open)(self, tokens, index), nodes))
                nodes = []
            elif token.nesting == -1:
                self._depth -= 1
                make, before = around.pop()
                if token.type == "html_close":
                    make = partial(make, end=token.content)
                before.append(make(children=self.closed(nodes)))
                nodes = before
            else:
                nodes += _LEAVES[token.type](self, tokens, index)
        return nodes

    def _picture_alone(self, make: Callable[..., Node], text: Token) -> Node:
        """A picture that is a paragraph of its own: a figure, if it has a caption."""
        image = certain(text.children, "a paragraph has a text")[0]
        own_id = str(image.attrs.pop("id", ""))
        self.own_id = own_id or ("" if self._in_pictures else self.own_id)
        caption: Nodes = ()
        if (own_id.startswith(FIGURE) or self._captions_in_brackets) and not image.attrs.get("title"):
            line = self._line
            caption = self._inline(image.children or [], image.content)
            self._line = line
            if (words := image.attrs.pop("fig-alt", None)) is not None:
                image.content, image.children = str(words), [Token("text", "", 0, content=str(words))]
        nodes = self._inline([image], text.content)
        paragraph = cast(Paragraph, make(children=nodes))
        if len(nodes) != 1 or not isinstance(picture := nodes[0], Picture):
            return paragraph
        if picture.title:
            caption, picture = nodes_of(picture.title), replace(picture, title=None)
        return self._captioned(picture, caption, paragraph.attributes) if caption else paragraph

    def _captioned(self, picture: Picture, caption: Nodes, attributes: Attributes) -> Captioned:
        name = self.own_id or name_of_file(picture.target)
        if self._in_pictures:
            return Captioned(picture=picture, caption=caption, name=self.own_id, attributes=attributes)
        self._pictures_named[name] += 1
        if (count := self._pictures_named[name]) > 1 and not self.own_id:
            name = f"{name}-{count}"  # the same file again
        return Captioned(picture=picture, caption=caption, name=name, attributes=attributes)

    def _picture(self, token: Token, name: str, line: int) -> Node:
        """The picture of a `{figure}` or an `{image}`."""
        if name == "figure":
            self._refuse_nested_picture(line)
        directive = read_picture(token, line, self.mistakes)
        options = directive.options
        self.own_id = options.pop("name", "") or ("" if self._in_pictures else self.own_id)
        self._line = directive.caption_line
        caption = self._paragraph(directive.caption)
        words = options.pop("alt", "") or text_of(caption)
        image = Token("image", "img", 0, content=words, children=[Token("text", "", 0, content=words)])
        image.attrs = {"src": self._parser.normalizeLink(directive.path), **options}
        self._line = line
        nodes = self._inline([image], directive.path)
        attributes = self._attributes(token)
        if name == "figure" and nodes and isinstance(picture := nodes[0], Picture):
            return self._captioned(picture, caption, attributes)
        if directive.caption:
            fix = "write ```{figure} for a picture with a caption, or delete the text."
            self.mistakes.error("option-broken", "an {image} has no caption", directive.caption_line, fix)
        return Paragraph(children=nodes, attributes=attributes)

    def _refuse_nested_picture(self, line: int) -> None:
        if self._depth > self._in_pictures or self.open_elements:
            self._refuse_nested("figure", line)

    def _pictures_open(self, token: Token) -> Callable[..., Node]:
        """Pictures side by side: the parts of one figure, if they have a name or a caption together."""
        line, name, attributes = self._line, self.own_id, self._attributes(token)
        self._refuse_nested_picture(line)
        self._enter(token)
        self._in_pictures += 1
        self._captions_in_brackets = bool(name) and str(token.meta.get("bare", ""))[:1] == "{"
        return partial(self._group, attributes=attributes, name=name, line=line)

    def _group(self, children: Nodes, attributes: Attributes, name: str, line: int) -> Node:
        self._in_pictures -= 1
        self._captions_in_brackets = False
        if not children:
            fix = "write the name of its script without .py: ```{figure} roofline"
            self.mistakes.error("figure-id", "{figure} does not name a figure", line, fix)
            return Paragraph(children=())
        *above, last = children
        caption = last.children if isinstance(last, Paragraph) and not _is_shown_alone(last) else ()
        shown = above if caption else children
        if not shown or not all(isinstance(one, Captioned) or _is_shown_alone(one) for one in shown):
            fix = "keep pictures and diagrams in it, and the caption as the last paragraph."
            self.mistakes.error(
                "figure-content", "a figure of several pictures holds something else", line, fix
            )
            return Paragraph(children=())
        pictures = [*map(_picture_in, shown)]
        name = name or (_name_of_picture(pictures) if caption else "")
        self.own_id = name
        parts: list[Node] = []
        for index, (one, picture) in enumerate(zip(shown, pictures, strict=True)):
            own = one.name if isinstance(one, Captioned) else ""
            if own:
                self.give_name(own, line)
            if name:
                words = one.caption if isinstance(one, Captioned) else ()
                own = own or f"{name}-{chr(ord('a') + index)}"
                parts.append(Captioned(picture=picture, caption=words, name=own, of=PART))
            elif isinstance(one, Captioned):
                parts.append(replace(one, name=own or _name_of_picture([picture])))
            else:
                parts.append(one)
        classes = {"class": attributes["class"]} if attributes.get("class") else {}
        grid = Directive(name="grid", children=tuple(parts), attributes=classes)
        return Captioned(picture=grid, caption=caption, name=name) if name else grid

    def _captioned_table(self, children: Nodes, caption: Nodes, name: str, line: int) -> Node:
        if len(children) != 1 or not isinstance(table := children[0], Table):
            fix = "put one table of | between cells into it, or name a script in one word."
            self.mistakes.error("table-content", "a {table} with a caption holds one table", line, fix)
            return Paragraph(children=())
        self.own_id = name
        return Captioned(picture=table, caption=caption, name=name, of="table")

    def _refuse_nested(self, kind: str, line: int) -> None:
        self.mistakes.error(
            f"{kind}-nested",
            f"a {kind} cannot be inside a list, a quotation, an admonition, a footnote or HTML",
            line,
            "put it between blocks, not indented.",
        )

    def _paragraph(self, markdown: str) -> Nodes:
        """The inlines of Markdown that is not a block: a caption or a title."""
        nodes: Nodes = ()
        for token in self._parser.parseInline(markdown, self._env):
            nodes += self._inline(token.children or [], token.content)
        return nodes

    def _enter(self, token: Token) -> None:
        self._depth += 1
        if token.level == DEEPEST - 1:
            fix = "nest lists and quotations less deeply."
            self.mistakes.error(
                "nesting-too-deep",
                "blocks are nested too deeply here, and the inner ones are left out",
                self._line,
                fix,
            )

    def _open(self, tokens: Sequence[Token], index: int) -> Callable[..., Node]:
        token = tokens[index]
        self._enter(token)
        return partial(Container, name=token.tag, attributes=self._attributes(token))

    def _attributes(self, token: Token) -> Attributes:
        self._refuse_id(token)
        return {key: str(value) for key, value in token.attrs.items()}

    def _paragraph_open(self, tokens: Sequence[Token], index: int) -> Callable[..., Node]:
        token = tokens[index]
        inlines = tokens[index + 1].children or ()
        self._enter(token)
        if inlines and all(is_assertion(one) or one.type == "softbreak" for one in inlines):
            return _HIDDEN_PARAGRAPH  # readers see nothing of it
        if token.hidden:
            return _HIDDEN_PARAGRAPH
        return partial(Paragraph, attributes=self._attributes(token)) if token.attrs else Paragraph

    def _heading_open(self, tokens: Sequence[Token], index: int) -> Callable[..., Node]:
        warn_of_underline(tokens[index], tokens[index + 1].content, self._line, self.mistakes)
        if tokens[index].tag == "h1":
            self.mistakes.error(
                "heading-level-1",
                "a level-1 heading in the text",
                self._line,
                "the title is in the front matter; begin headings in the text with ##.",
            )
        self._enter(tokens[index])
        level = int(tokens[index].tag[1])
        return partial(Heading, level=level, attributes=self._attributes(tokens[index]))

    def _item_open(self, tokens: Sequence[Token], index: int) -> Callable[..., Node]:
        token = tokens[index]
        self._enter(token)
        if not token.attrs and not token.meta:
            return Item
        attributes = {key: str(value) for key, value in token.attrs.items()}
        return partial(Item, attributes=attributes, is_done=token.meta.get("checked"))

    def _list_open(self, tokens: Sequence[Token], index: int) -> Callable[..., Node]:
        token = tokens[index]
        if "contains-task-list" in str(token.attrs.get("class", "")):
            token.attrs["class"] = str(token.attrs["class"]).replace("contains-task-list", "tasks")
        warn_of_numbers(tokens, index, self._first_line, self.mistakes)
        return self._open(tokens, index)

    def _table(self, tokens: Sequence[Token], index: int) -> Iterable[Piece]:
        token = tokens[index]
        self._refuse_id(token)
        self._enter(token)
        rows: list[list[str]] = token.meta["rows"]
        line = self._line
        built = [self._row(rows[0])]
        for at in range(1, len(rows)):
            if MADE not in token.meta:  # else its rows have no lines of their own in the file
                self._line = line + at + 1
                warn_of_cells(rows[at], self._line, self.mistakes)
            built.append(self._row(rows[at]))
        self._warn_of_headings(rows, line)
        self._depth -= 1
        attributes = {key: str(value) for key, value in token.attrs.items()}
        table = Table(sides=tuple(token.meta["sides"]), rows=tuple(built), attributes=attributes)
        if (caption := token.meta.get("caption")) is None:
            yield table
            return
        if self._depth or self.open_elements:
            self._refuse_nested("table", line)
        self._line = self._first_line + token.meta["caption line"]
        yield self._captioned_table((table,), self._paragraph(caption), self._name_of_table(), line)

    def _name_of_table(self) -> str:
        self._tables_named += 1
        return self.own_id or f"tbl-{self._tables_named}"

    def _warn_of_headings(self, rows: Sequence[Sequence[str]], line: int) -> None:
        """Warn of columns without a heading, next to columns that have one.

        The first may do without: it names the rows. A table in which no column has one has no headings.
        """
        head = rows[0]
        for at in range(1, len(head) if any(head) else 0):
            if not head[at] and (filled := next((row[at] for row in rows[1:] if row[at]), "")):
                message = f'column {at + 1} of this table has no heading: "{shortened(filled, 40)}" is in it'
                self.mistakes.warn("table-heading", message, line, "write what is in it in the first line.")

    def _row(self, cells: Sequence[str]) -> tuple[Nodes, ...]:
        return tuple(map(self._cell, cells))

    def _cell(self, text: str) -> Nodes:
        if _PLAIN_CELL.fullmatch(text) and not has_sign(text, begins_line=False):
            return (text,) if text else ()
        if text.count("$") % 2 and "\\$" not in text and has_lone_dollar(text):
            self.mistakes.warn(
                "formula-cut-by-cell",
                "a single $ in a table cell: the | in a formula ended the cell",
                self._line,
                "write \\vert or \\mid for the bar in a formula, and \\$ for a dollar sign.",
            )
        self._in_cell = True
        nodes = self._inline(parse_inlines(self._parser, text, self._env), text)
        self._in_cell = False
        return nodes

    def _rule(self, _tokens: Sequence[Token], _index: int) -> Iterable[Piece]:
        warn_of_dashes(self._line, self.mistakes)
        return (Rule(),)

    def _code_block(self, tokens: Sequence[Token], index: int) -> Iterable[Piece]:
        warn_of_indented(tokens[index].content, self._line, self.mistakes)
        yield self._code(tokens[index], "")

    def _fence(self, tokens: Sequence[Token], index: int) -> Iterable[Piece]:
        token = tokens[index]
        line = self._line
        info = unescapeAll(token.info).strip()
        name = directive_name(info)
        report = self.mistakes.warn if name is None else self.mistakes.error
        inside = token.content.count("\n") + (token.content[-1:] not in ("", "\n"))
        is_closed = not token.map or token.meta.get("lines", token.map[1] - token.map[0]) >= inside + 2
        is_whole = not report_text_behind(token, line, report, is_closed=is_closed)
        if is_whole and not is_closed:
            fix = f"close it with {token.markup}."
            if token.markup[0] == "~" and (deleted := _DELETED.fullmatch(info)) is not None:
                fix, info = f"for deleted text, write ~~{deleted[1]}~~.", ""
            report("fence-unclosed", "this fence is never closed", line, fix)
            is_whole = False
        if name is not None and not is_whole:
            return  # what it has swallowed would be reported as its options and its caption
        language, rest = certain(_LANGUAGE.match(info), "the expression matches all texts").groups()
        if (kind := diagram_kind(name, language)) is not None:
            yield self._diagram(token, kind, rest if name is None else directive_argument(info), line)
        elif name is None:
            warn_of_annotations(token.content, line, self.mistakes)
            options = NO_OPTIONS
            if rest and language not in DIRECTIVES:
                lines = token.content.removesuffix("\n").count("\n") + 1
                options = read_code_options(rest, lines, line, self.mistakes)
            if language and (token.content, language) not in self.code_made and not known_language(language):
                self.mistakes.warn(
                    "code-language-unknown",
                    f'no highlighting is available for "{language}"',
                    line,
                    _fix_of_language(language),
                )
            if language not in _PLAIN and is_too_long(token.content):
                self.mistakes.warn(
                    "code-too-long",
                    f"this code is too long to be highlighted: more than {LONGEST_CODE:,} "
                    f"characters, or {LONGEST_CODE_LINE:,} in a line",
                    line,
                    "break its lines, show a part of it, or use `text`.",
                )
            yield self._code(token, language, options)
        elif name == "figure-script":
            self._script(token, line)
        elif is_cell(name):
            yield self._code_cell(token, info, line)
        elif name == "image" and not directive_argument(info):
            fix = "write its path: ```{image} package.png."
            self.mistakes.error("figure-id", "{image} does not name a picture", line, fix)
        elif name == "image" or (name == "figure" and names_picture(directive_argument(info))):
            yield self._picture(token, name, line)
        elif name in DIRECTIVES:
            kind_of_embed: Literal["figure", "table"] = "figure" if name == "figure" else "table"
            if (embed := self._embed(token, kind_of_embed, line)) is not None:
                yield embed
        else:
            known = ", ".join(f"{{{n}}}" for n in DIRECTIVES)
            code = "for code, write the language without braces, as in ```python"
            names = (*DIRECTIVES, *sorted(self._extended.directives))
            fix = FIXES.get(name) or did_you_mean(name, names, otherwise=f"use {known}; {code}.")
            if known_language(name):
                fix = f"write ```{name} without braces: code in articles is shown, and only Python runs."
            self.mistakes.error("directive-unknown", f'there is no directive "{name}"', line, fix)

    def _code(self, token: Token, language: str, options: CodeOptions = NO_OPTIONS) -> CodeBlock:
        attributes = self._attributes(token)
        key = (token.content, language)
        self.highlighted[key] = self.code_made.get(key) or highlighted(*key)
        return CodeBlock(
            text=token.content,
            language=language,
            attributes=attributes,
            title=options.title,
            marked=tuple(sorted(options.marked)),
            first=options.first,
        )

    def _code_cell(self, token: Token, info: str, line: int) -> Directive | CodeBlock:
        cell, options = read_cell(token.content, info.partition("}")[2], line, self.mistakes)
        attributes = self._attributes(token)
        code = CodeBlock(text=cell.source, language="python", attributes=attributes)
        self.highlighted[cell.source, "python"] = self.code_made.get((cell.source, "python")) or highlighted(
            cell.source, "python"
        )
        if not options.is_run:
            return code
        request = str(FigureRequest.of_cells(self.mistakes.path))
        value = Value(kind="cell", target=str(len(self.cells)), line=line, figures=(request,))
        shown: Node = value
        if options.caption and options.shows_output:
            name = self.own_id = options.label or f"{FIGURE}cell-{len(self.cells) + 1}"
            caption = self._paragraph(options.caption)
            self._refuse_nested_picture(line)
            shown = Captioned(picture=value, caption=caption, name=name, attributes={})
        self.cells.append(cell)
        return Directive(
            name=CELL,
            children=((code,) if options.shows_code else ()) + ((shown,) if options.shows_output else ()),
            title=(options.summary,) if options.summary else (),
            attributes={"id": options.label, "class": " ".join(sorted(options.asked))},
        )

    def _diagram(self, token: Token, kind: str, argument: str, line: int) -> Node:
        fence = read_diagram(token, kind, argument, line, self.mistakes)
        if not (fence.alt or fence.caption):
            self.mistakes.warn(
                "image-text",
                "this diagram has no alternative text",
                line,
                "write what it shows in a line `:alt: …` above it, or behind the name of the fence: "
                f'```{kind} alt="…".',
            )
        self.own_id = fence.name or self.own_id
        self._line = fence.caption_line
        caption = self._paragraph(fence.caption)
        self._line = line
        value = Value(kind="diagram", target=str(len(self.diagrams)), line=line)
        self.diagrams.append(
            Diagram(
                kind=kind,
                source=fence.source,
                line=fence.line,
                fence_line=line,
                alt=fence.alt or text_of(caption),
                caption=line_of(caption),
            )
        )
        attributes = self._attributes(token)
        if not caption:
            return Paragraph(children=(value,), is_hidden=True)
        self._refuse_nested_picture(line)
        name = self.own_id or f"{FIGURE}{kind}-{len(self.diagrams)}"
        return Captioned(picture=value, caption=caption, name=name, attributes=attributes)

    def _script(self, token: Token, line: int) -> None:
        figure_id = read_figure_id(token, "figure-script", line, self.mistakes)
        if figure_id is None:
            return
        earlier = next((s for s in self.scripts if s.figure_id == figure_id), None)
        if earlier is not None:
            self.mistakes.error(
                "figure-script-duplicate",
                f'the script "{figure_id}" is already defined on line {earlier.line - 1}',
                line,
                "give one of them another id.",
            )
        self.scripts.append(FencedScript(figure_id=figure_id, source=token.content, line=line + 1))

    def _embed(self, token: Token, kind: Literal["figure", "table"], line: int) -> Embed | None:
        directive = read_directive(token, kind, line, self.mistakes)
        if self._depth or self.open_elements:
            self._refuse_nested(kind, line)
        if directive is None:
            return None
        self._line = directive.caption_line
        caption = self._paragraph(directive.caption)
        prefix = "fig" if kind == "figure" else "tab"
        name = directive.name or str(
            token.attrs.get("id") or f"{prefix}-{directive.figure_id.replace('_', '-')}"
        )
        self.give_name(name, line)
        embed = Embed(
            kind=kind,
            figure_id=directive.figure_id,
            name=name,
            parameters=directive.parameters,
            caption=caption,
            line=line,
            explored=directive.explored,
            explored_line=directive.explored_line,
        )
        self.embeds.append(embed)
        return embed

    def _display_formula(self, tokens: Sequence[Token], index: int) -> Iterable[Piece]:
        token = tokens[index]
        line = self._line
        if token.info:
            if self._depth:
                fix = "put the formula between blocks, not indented."
                self.mistakes.error(
                    "formula-nested", "a numbered formula cannot be inside another block", line, fix
                )
            self.equations += 1
        yield Display(
            latex=token.content,
            mathml=self._formula(token.content, display=True),
            number=self.equations if token.info else 0,
            classes=str(token.attrs.get("class", "")),
        )

    def _admonition_open(self, tokens: Sequence[Token], index: int) -> Callable[..., Node]:
        token = tokens[index]
        line = self._line
        if not token.meta["closed"]:
            fix = f"close it with a line of {token.meta['closed_by']}"
            self.mistakes.error("admonition-unclosed", "this admonition is never closed", line, fix)
            self.never_closed.append(line)
        if token.info in OF_TALKS:
            if self._depth:
                message = f":::{{{token.info}}} cannot be inside another block"
                self.mistakes.error("notes-nested", message, line, "put it between blocks, not indented.")
            self._enter(token)
            return partial(Directive, name=token.info, attributes=self._attributes(token))
        if token.info == PICTURES:
            return self._pictures_open(token)
        if token.info == TABLE:
            if self._depth or self.open_elements:
                self._refuse_nested("table", line)
            self._attributes(token)
            name, caption = self._name_of_table(), self._paragraph(token.content)
            self._enter(token)
            return partial(self._captioned_table, caption=caption, name=name, line=line)
        kind = kind_named(token.info)
        name = token.info.removeprefix(".")
        if name in SETS_OF_TABS or name in TABS:
            return self._tabs_open(tokens, index)
        if (part := token.info if token.info in CARD_PARTS else layout_named(name)) is not None:
            return self._layout_open(token, part)
        if kind is None:
            report_unknown(token, line, self.mistakes, self._extended.directives)
        warn_of_options(tokens, index, line, self.mistakes)
        numbered = kind if kind in NUMBERED_KINDS and self.own_id and not self._depth else None
        self._enter(token)
        attributes = self._attributes(token)
        title = self._paragraph(token.content) if token.content else ()
        if numbered is not None:
            label = Value(kind="label", target=str(Label(numbered, self.own_id)), line=line)
            begins, ends = ("（", "）") if self.language == "zh" else (" (", ")")
            title = (label, begins, *title, ends) if title else (label,)
        if kind is not None and not title and kind not in LOOKS:
            title = (KINDS[kind].title.of(self.language),)
        look = token.info if kind is None else KINDS[kind].look
        return partial(Directive, name=look, title=title, attributes=attributes, fold=token.meta["fold"])

    def _tabs_open(self, tokens: Sequence[Token], index: int) -> Callable[..., Node]:
        """A set of tabs, or one of them."""
        token = tokens[index]
        is_set = token.info.removeprefix(".") in SETS_OF_TABS
        if is_set and not _holds_tabs_alone(tokens, index):
            fix = "begin each tab with a line `:::{tab-item} Name`, and close it with :::."
            self.mistakes.error("tabs-content", "a set of tabs holds tabs, and nothing else", self._line, fix)
        self._enter(token)
        name = "tabs" if is_set else "tab"
        title = self._paragraph(token.content) if token.content and not is_set else ()
        fold = "" if is_set else token.meta["fold"]
        return partial(Directive, name=name, title=title, attributes=self._attributes(token), fold=fold)

    def _layout_open(self, token: Token, part: str) -> Callable[..., Node]:
        """A grid, a place in it, a card or its header or footer."""
        self._enter(token)
        attributes = self._attributes(token)
        title, link = token.content, attributes.pop("data-link", "")
        if part == "grid":
            if max((count for count in title.split() if count.isdecimal()), default="") == "2":
                attributes["class"] = f"{attributes.get('class', '')} two".strip()
            title = ""
        elif link:
            if title:
                title = f"[{title}]({link})"
            else:
                message = f'the card leads to "{shortened(link, 80)}", but has no title to click on'
                self.mistakes.error("card-link", message, self._line, "write a title behind the braces.")
        inlines = self._paragraph(title) if title else ()
        attributes.pop("width", None)  # places are as wide as there is room
        above, below = (
            self._card_part(f"card-{end}", attributes.pop(f"data-{end}", "")) for end in ("header", "footer")
        )
        return lambda children: Directive(
            name=part, title=inlines, attributes=attributes, children=(*above, *children, *below)
        )

    def _card_part(self, name: str, markdown: str) -> Nodes:
        if not markdown:
            return ()
        return (Directive(name=name, children=(Paragraph(children=self._paragraph(markdown)),)),)

    def _stray_colons(self, tokens: Sequence[Token], index: int) -> Iterable[Piece]:
        self.mistakes.error(
            "admonition-stray",
            "there is no open admonition to close here",
            self._line,
            "delete it, or open one with :::{note}.",
        )
        return ()

    def _html_block(self, tokens: Sequence[Token], index: int) -> Iterable[Piece]:
        content = tokens[index].content
        warn_of_html_block(content, self._line, self.mistakes)
        yield from self._raw_html(content, self.open_elements)
        self._track_elements(content, self.open_elements)
        if (unfinished := unfinished_tag(content)) is not None:
            self._unfinished_tag(*unfinished, content)

    def _unfinished_tag(self, name: str, start: int, content: str) -> None:
        line = self._line + content.count("\n", 0, start)
        written = content[start:].partition("\n")[0]
        opens = max(written.count('"'), written.count("'")) % 2
        fix = "close the quotation mark that it opens" if opens else "end it with >"
        message = f'the tag "{shortened(written, 80)}" never ends, so that browsers drop what follows'
        self.mistakes.error("html-unclosed", message, line, f"{fix}.")
        if name.isalnum() and name not in END_MAY_BE_LEFT_OUT and name not in VOID:
            self.open_elements.append(name)  # its end tag is no mistake of its own

    def _html_open(self, tokens: Sequence[Token], index: int) -> Callable[..., Node]:
        token = tokens[index]
        if not token.meta["closed"]:
            self.mistakes.error(
                "html-unclosed",
                f"<{token.info}> is never closed",
                self._line,
                f"put </{token.info}> at the beginning of a line of its own.",
            )
            self.never_closed.append(self._line)
        elif token.meta["rest"]:
            self.mistakes.error(
                "html-markdown-line",
                f"there is text after <{token.info} markdown> on the same line",
                self._line,
                "put the tag on a line of its own, or the whole element on one line.",
            )
        self._enter(token)
        pieces = [
            piece.raw if isinstance(piece, LooseTag) else piece
            for piece in self._raw_html(token.content, self.open_elements)
        ]
        if len(pieces) == 1 and isinstance(tag := pieces[0], Raw):
            return partial(Raw, begin=tag.begin, name=tag.name, attributes=tag.attributes)
        return partial(Raw, begin=(token.content,) if token.content else ())  # its tag has been removed

    def _unused_attributes(self, tokens: Sequence[Token], index: int) -> Iterable[Piece]:
        self.mistakes.warn(
            "attributes-unused",
            "these attributes have no block below them",
            self._line,
            "put them on the line above a block, or delete them.",
        )
        return ()


def _holds_tabs_alone(tokens: Sequence[Token], index: int) -> bool:
    """Whether there are tabs between a token and the one that closes it, and nothing else."""
    depth, has_tab = 0, False
    for token in tokens[index + 1 :]:
        if depth == 0 and token.nesting == -1:
            return has_tab
        is_tab = token.type == "admonition_open" and token.info in TABS
        if depth == 0 and not is_tab:
            return False
        has_tab = has_tab or is_tab
        depth += token.nesting
    return has_tab


_TITLED = re.compile(r"([\w+#-]+)(?::|\()([^()]+?)\)?")


def _fix_of_language(language: str) -> str:
    """What to do about a language that is none: other tools draw, or have the file's name after it."""
    if language in DIRECTIVES:
        return f"write the name in braces, with the script after it: ```{{{language}}} roofline"
    titled = _TITLED.fullmatch(language)
    if titled is not None and known_language(titled[1]):
        return f'write ```{titled[1]} title="{titled[2]}".'
    usual = "see pygments.org/languages for the names, or use `text`."
    return FIXES.get(language) or did_you_mean(language.lower(), COMMON_LANGUAGES, otherwise=usual)


def _place(tokens: Sequence[Token], index: int) -> str:
    """What kind of block an inline token is the text of: see `leftovers.remainder`."""
    above = tokens[index - 1].type if index else "paragraph_open"
    if above == "heading_open":
        return "heading"
    return "item" if index > 1 and tokens[index - 2].type == "list_item_open" else "paragraph"


def _are_pictures(inlines: Sequence[Token], are_several: int) -> bool:
    """Whether a paragraph is a picture alone, or several where several may be."""
    if len(inlines) == 1:
        return inlines[0].type == "image"
    return bool(are_several) and all(one.type in ("image", "softbreak") for one in inlines)


def _with_image(text: Token, image: Token) -> Token:
    """A paragraph's text of which one picture is left."""
    return text if len(text.children or ()) == 1 else text.copy(children=[image], content=image.content)


def _is_shown_alone(node: Node) -> bool:
    """Whether a paragraph is a picture or a diagram, and no text."""
    return (
        isinstance(node, Paragraph)
        and len(node.children) == 1
        and isinstance(node.children[0], Picture | Value)
    )


def _picture_in(node: Node) -> Picture | Value:
    shown = node.picture if isinstance(node, Captioned) else cast(Paragraph, node).children[0]
    return cast(Picture | Value, shown)


def _name_of_picture(pictures: Sequence[Picture | Value]) -> str:
    """The name of a figure that its author gives none: that of the file of its first picture."""
    first = pictures[0]
    return name_of_file(first.target) if isinstance(first, Picture) else f"{FIGURE}{first.kind}-{first.line}"


_HIDDEN_PARAGRAPH = partial(Paragraph, is_hidden=True)

_OPENED: dict[str, Callable[[Building, Sequence[Token], int], Callable[..., Node]]] = {
    "heading_open": Building._heading_open,
    "list_item_open": Building._item_open,
    "bullet_list_open": Building._list_open,
    "ordered_list_open": Building._list_open,
    "admonition_open": Building._admonition_open,
    "html_open": Building._html_open,
}
_LEAVES: dict[str, Callable[[Building, Sequence[Token], int], Iterable[Piece]]] = {
    "table": Building._table,
    "code_block": Building._code_block,
    "fence": Building._fence,
    "display_formula": Building._display_formula,
    "stray_colons": Building._stray_colons,
    "html_block": Building._html_block,
    "attributes": Building._unused_attributes,
    "hr": Building._rule,
}


_DELETED = re.compile(r"([^~]+)~~.*")
"""Deleted text with too many tildes before it, as the rest of a line that begins a fence."""
