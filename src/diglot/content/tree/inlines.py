"""Builds inline nodes from tokens: text, links, pictures, values and marks of notes."""

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from functools import partial
from itertools import islice, pairwise, takewhile
from typing import Any, cast
from urllib.parse import unquote

from markdown_it.common.html_re import HTML_TAG_RE
from markdown_it.token import Token

from diglot.content.attributes import LINES_OF_ATTRIBUTES
from diglot.content.cjk import joins_without_space
from diglot.content.extensions import ENV, Extended
from diglot.content.foreign_syntax import warn_of_comment, warn_of_syntax
from diglot.content.formula_mistakes import slip_in
from diglot.content.formulas import formula_html
from diglot.content.highlighting import known_language
from diglot.content.html_names import (
    attribute_slip,
    element_meant,
    fix_of_element,
    is_attribute,
    is_element,
    value_slip,
)
from diglot.content.html_policy import clean_inlines
from diglot.content.html_slips import warn_of_tags
from diglot.content.inline_tokens import parse_inlines
from diglot.content.latex import FormulaError
from diglot.content.leftovers.addresses import looks_like_an_address
from diglot.content.leftovers.search import has_sign, leftovers
from diglot.content.limits import MOST_ADDED, MOST_LEFT_OVER
from diglot.content.mistakes import Mistakes, TooMuch
from diglot.content.parser import markdown_parser
from diglot.content.raw_html import (
    PictureSize,
    fix_of_open,
    is_pixels,
    pieces_of,
    update_open_elements,
)
from diglot.content.records import Parts, Placeholder, PlaceholderContext
from diglot.content.roles import ROLES, is_assertion, role_placeholder
from diglot.content.swallowed import warn_of_short_directive, warn_of_short_fence
from diglot.content.texts import text_with_values
from diglot.content.tree.html import HALF_EMPTY
from diglot.content.tree.joining import joined
from diglot.content.tree.nodes import (
    DEEPEST_TREE,
    NEW_LINE,
    NOTHING,
    SPACE,
    Attributes,
    Break,
    Citation,
    Code,
    Formula,
    Link,
    Mark,
    Node,
    Nodes,
    Picture,
    Styled,
    Value,
)
from diglot.content.tree.raw import Piece, paired, split_html
from diglot.content.twins import ODD_SPACES, as_ascii
from diglot.diagnostics import nearest, shortened
from diglot.html_tags import attributes_of, tags_of
from diglot.invariants import require
from diglot.languages import Language
from diglot.project import HtmlPolicy, is_as_strict
from diglot.web_addresses import is_elsewhere, mistake_in, mistake_in_picture

_KEPT_ENCODED = re.compile(r"(%23|%3F|%25)", re.IGNORECASE)
_AFTER_EMPHASIS, _GOES_ON = ("em_close", "strong_close"), tuple(".(0123456789")
"""Emphasis, and what shows behind it that it was meant as a name or a product: `__init__.py`, `2*3*4`."""
_SIGNS = "+-−±~≈$€£¥￥"
"""What a number may begin with."""
_SIZE = re.compile(
    r"(?:[0-9]{1,6}(?:\.[0-9]{1,6})?|\.[0-9]{1,6})(?:%|px|r?em|ex|ch|vw|vh|pt|pc|mm|cm|in)|auto"
    r"|(?:calc|min|max|clamp)\([^;{}]*\)",
    re.IGNORECASE,
)
"""A size in CSS that is no mere number."""
_DECORATIVE = "decorative"
"""The class of a picture that says nothing, and needs no alternative text."""
_INLINE_NOTE = "^"
"""Begins labels that no author can write."""

_LOOKED_THROUGH = frozenset(
    {
        "footnote_mark",
        "citation",
        *(f"{n}_{side}" for n in ("em", "strong", "s", "link", "span") for side in ("open", "close")),
    }
)


class InlineBuilding:
    """State that blocks and inlines share: the walk's position, and what it has collected."""

    def __init__(
        self,
        env: dict[str, Any],
        language: Language,
        first_line: int,
        mistakes: Mistakes,
        *,
        html: HtmlPolicy = "all",
    ) -> None:
        self.language = language
        self._html = html
        self._cleans_html = is_as_strict(html, "safe")
        self.mistakes = mistakes
        self.suspects: Set[int] = frozenset()
        """Lines that may contain the syntax of other tools."""
        self.note_definitions: dict[str, tuple[list[Token], int]] = {}
        """Tokens and line of each footnote, by label."""
        self._misspelt_notes: set[str] = set()
        self._env = env
        self._extended: Extended = env[ENV]
        self._parser = markdown_parser(html=html != "none")
        self._first_line = first_line
        self._line = first_line
        self._depth = 0
        self.open_elements: list[str] = []
        """Elements of raw HTML that are open around this text."""
        self._in_cell = False
        self._searched = 0
        """Characters that were searched for leftovers of syntax."""
        self._added = 0
        self._has_html = False
        """Whether there was any raw HTML so far."""
        self._numbers: dict[str, int] = {}
        self._pictures = 0
        """Number of pictures so far."""
        self._marks: dict[int, int] = {}
        self._waiting: list[tuple[int, str, int]] = []
        """Number, label and line of notes that have a mark but are not rendered yet."""

    def unused_notes(self) -> Iterable[tuple[str, int]]:
        """Label and line of footnotes without a mark."""
        return (
            (label, line) for label, (_, line) in self.note_definitions.items() if label not in self._numbers
        )

    @property
    def line(self) -> int:
        """The line of the file that the walk has reached."""
        return self._line

    def _refuse_id(self, token: Token) -> None:
        """Report ids inside a block: both halves may be on one page, where such ids would clash."""
        if (name := token.attrs.pop("id", None)) is None:
            return
        above = token.meta.get(LINES_OF_ATTRIBUTES, {}).get("id")
        if self._depth > (1 if token.nesting == 1 else 0) or not token.block:
            self.mistakes.error(
                "anchor-inside",
                f'the id "{name}" is inside a block; only whole blocks can have ids',
                self._line if above is None else self._first_line + above,
                "put it on the whole block: `{#" + str(name) + "}` on the line above it.",
            )

    def _inline(self, tokens: Sequence[Token], source: str, place: str = "inline") -> Nodes:
        """The nodes of a text's inline tokens; `place` says what kind of block it is in."""
        first_line, suspicious = self._line, False
        if self._cleans_html:
            tokens = clean_inlines(tokens, self._line, self.mistakes, self._html)
        if len(tokens) == 1 and tokens[0].type == "text":  # as most cells and many items are
            text, suspicious = self._text(tokens[0].content, tokens, 0, inside_link=0)
            if suspicious:
                self._report_leftovers(source, place, first_line)
            return (text,)
        elements: list[str] = []
        around: list[tuple[Callable[..., Node], list[Piece]]] = []
        """What is open here: what makes a node of it, and the nodes before it."""
        nodes: list[Piece] = []
        inside_link = 0
        for index, token in enumerate(tokens):
            kind = token.type
            if kind == "text":
                text, may_be_left_over = self._text(token.content, tokens, index, inside_link)
                nodes.append(text)
                suspicious = may_be_left_over or suspicious
            elif kind == "html_inline" and _is_address(tokens, index):
                nodes.append(token.content)
            elif kind == "html_inline":
                nodes += self._raw_html(token.content, elements)
                self._track_elements(token.content, elements)
                self._line += token.meta.get("line_breaks", token.content.count("\n"))
            elif token.nesting == 1:
                inside_link += kind == "link_open"
                if kind == "link_open" and (reference := self._reference(tokens, index)) is not None:
                    nodes.append(reference)
                    continue
                around.append((self._opened(tokens, index), nodes))
                nodes = []
                if len(around) > DEEPEST_TREE:
                    raise _too_deep()
            elif token.nesting == -1:
                inside_link -= kind == "link_close"
                if kind == "link_close" and tokens[index - 1].meta.get("refers"):
                    continue
                children = self.closed(nodes)
                make, nodes = around.pop()
                nodes.append(make(children=children))
            else:
                nodes.append(_INLINES[kind](self, tokens, index))
        if elements:
            name = elements[-1]
            fix = fix_of_open(elements, _fix_of_open(tokens, name))
            self.mistakes.error("html-unclosed", f"<{name}> is never closed", self._line, fix)
        if len(tokens) == 1 and tokens[0].type == "code_inline" and place == "paragraph":
            warn_of_short = warn_of_short_fence if "\n" in source else warn_of_short_directive
            warn_of_short(source, first_line, self.mistakes)
        if suspicious:
            self._report_leftovers(source, place, first_line)
        return self.closed(nodes)

    def _report_leftovers(self, source: str, place: str, first_line: int) -> None:
        self._searched += len(source)
        if self._searched > MOST_LEFT_OVER:
            if self._searched - len(source) <= MOST_LEFT_OVER:
                self.mistakes.warn(
                    "leftovers-many",
                    f"more than {MOST_LEFT_OVER:,} characters look like broken Markdown: "
                    "the text from here on is not checked",
                    first_line,
                    "correct what is above, or fence text that is data with ```.",
                )
            return
        for finding in leftovers(source, place, self._parser, self._env):
            line = first_line + finding.line
            message = f'"{finding.shown}" is shown as text: {finding.why}'
            mends = [mend._replace(line=first_line + mend.line) for mend in finding.mends]
            self.mistakes.warn(finding.rule, message, line, finding.fix, mends=mends)

    def _text(self, text: str, tokens: Sequence[Token], index: int, inside_link: int) -> tuple[str, bool]:
        """A text as readers see it, and whether it may hold syntax that was left over."""
        before = tokens[index - 1] if index else None
        if _precedes_assertion(tokens, index) or self._takes_space(tokens, index + 1):
            text = text.rstrip(" ")
        if self._follows_name(tokens, index) and _is_wide_after_space(text):
            text = text[1:]
        if self._line in self.suspects and not inside_link:
            warn_of_syntax(tokens, index, self._line, self.mistakes)
        if text[-1:] in "!！ \u3000" and index + 1 < len(tokens) and tokens[index + 1].type == "link_open":
            return text, True
        if before is not None and before.type in _AFTER_EMPHASIS and text[:1] in _GOES_ON:
            return text, True
        if text.endswith(ROLES) and index + 1 < len(tokens) and tokens[index + 1].type == "code_inline":
            return text, True
        begins_line = before is None or before.type in ("softbreak", "hardbreak")
        return text, has_sign(text, begins_line=begins_line)

    def _takes_space(self, tokens: Sequence[Token], index: int) -> bool:
        """Whether there is a citation in brackets in Chinese text: no space comes before its mark."""
        if self.language == "en" or index == len(tokens) or tokens[index].type != "citation":
            return False
        target = tokens[index].meta["target"]
        return target is not None and target.form == "p"

    def _follows_name(self, tokens: Sequence[Token], index: int) -> bool:
        """Whether Chinese text follows `@key`, which is often written with a space behind it."""
        return self.language == "zh" and index > 0 and tokens[index - 1].type == "citation"

    def _softbreak(self, tokens: Sequence[Token], index: int) -> Node:
        self._line += 1
        is_nothing = (
            _joins(tokens, index)
            or _precedes_assertion(tokens, index)
            or self._takes_space(tokens, index + 1)
        )
        return Break(shows=NOTHING if is_nothing else SPACE)

    def _hardbreak(self, tokens: Sequence[Token], index: int) -> Node:
        self._line += 1
        return Break(shows=NEW_LINE)

    def _code_inline(self, tokens: Sequence[Token], index: int) -> Node:
        token = tokens[index]
        if (marked := _MARKED_CODE.match(token.content)) is not None and known_language(marked[1]):
            fix = f"write `{shortened(token.content[marked.end() :], 80)}`: code in a line has no colours."
            message = f'"{marked[0].strip()}" is shown in the code'
            self.mistakes.warn("syntax-unsupported", message, self._line, fix)
        return Code(text=token.content, attributes=self._inline_attributes(token))

    def _formula_inline(self, tokens: Sequence[Token], index: int) -> Node:
        token = tokens[index]
        if token.markup == "$$":
            fix = "put $$ on a line of its own for a displayed formula, or use one $."
            self.mistakes.warn("formula-display-inside", "$$ is used inside a line", self._line, fix)
        if self._in_cell and "|" in token.content:  # which only \| can have brought there
            self.mistakes.warn(
                "formula-bar-in-cell",
                f'"{shortened(token.content, 80)}" has single bars: in tables, \\| is one, in formulas too',
                self._line,
                "write \\Vert for a double bar, and \\vert or \\mid for a single one.",
            )
        formula = Formula(latex=token.content, mathml=self._formula(token.content, display=False))
        self._line += token.content.count("\n")
        return formula

    def _formula(self, latex: str, *, display: bool) -> str:
        if (slip := slip_in(latex)) is not None:
            self.mistakes.warn("formula-slip", slip[0], self._line, slip[1])
        try:
            return formula_html(latex, display=display)
        except FormulaError as error:
            line = self._line + latex.count("\n", 0, error.offset)
            self.mistakes.error("formula-syntax", f"LaTeX: {error}", line, error.fix)
            return ""

    def _citation(self, tokens: Sequence[Token], index: int) -> Node:
        token = tokens[index]
        line, target = self._line, token.meta["target"]
        self._line += token.content.count("\n")
        if target is None:
            message = f'"{shortened(token.content, 80)}" names no work'
            fix = "write keys with commas between them: {cite}`jouppi2017, williams2009`."
            self.mistakes.error("cite-syntax", message, line, fix)
            return ""
        self._add(text := str(target))
        return Citation(target=text, line=line)

    def _role_placeholder(self, token: Token, context: PlaceholderContext) -> Placeholder | None:
        others = self._extended.roles
        return role_placeholder(token.info, token.content, self._line, context, self.mistakes, others=others)

    def _role(self, tokens: Sequence[Token], index: int) -> Node:
        token = tokens[index]
        placeholder = self._role_placeholder(token, "html")
        node: Node = ""
        if placeholder is not None:
            attributes = {} if is_assertion(token) else self._inline_attributes(token)
            node = Value(
                kind=placeholder.kind,
                target=placeholder.target,
                line=self._line,
                figures=placeholder.figures,
                attributes=attributes,
            )
        self._line += token.meta["line_breaks"]
        return node

    def _opened(self, tokens: Sequence[Token], index: int) -> Callable[..., Node]:
        """What makes a node of an opening token and of the nodes inside it."""
        token = tokens[index]
        if token.type != "link_open":
            require(bool(token.tag), f"no way to build a {token.type}")
            if not token.attrs:
                return _plain_style(token.tag)
            return partial(Styled, name=token.tag, attributes=self._inline_attributes(token))
        target = _decoded(str(token.attrs.pop("href", "")))
        if not target:
            fix = "write an address between the parentheses, or the words without brackets."
            self.mistakes.warn("link-empty", "this link leads nowhere: it has no address", self._line, fix)
        text = takewhile(
            lambda inside: inside.type != "link_close",
            (tokens[inside] for inside in range(index, len(tokens))),
        )
        line = self._line_behind(text)
        self._count_address(target, line)
        title = self._title(token)
        return partial(Link, target=target, line=line, title=title, attributes=self._inline_attributes(token))

    def _reference(self, tokens: Sequence[Token], index: int) -> Node | None:
        """What stands for a link without text that reads as what it leads to: `[](#roof)`, as a `{ref}`.

        Warns if a link without text does not.
        """
        token = tokens[index]
        inside = [*takewhile(lambda inside: inside.type != "link_close", islice(tokens, index + 1, None))]
        if any(
            token.type not in ("text", "softbreak") or not _UNSEEN.fullmatch(token.content)
            for token in inside
        ):
            return None
        target = _decoded(str(token.attrs.get("href", "")))
        if not inside and target.startswith("#") and len(target) > 1:
            token.meta["refers"] = True
            return Value(kind="ref", target=target[1:], line=self._line)
        self.mistakes.warn(
            "link-empty",
            f'the link to "{shortened(target, 80)}" has no text',
            self._line,
            "write what it leads to between the brackets: [the ridge](…).",
        )
        return None

    def _image(self, tokens: Sequence[Token], index: int) -> Node:
        token = tokens[index]
        target = _decoded(str(token.attrs.pop("src", "")))
        width, height = str(token.attrs.get("width", "")), str(token.attrs.get("height", ""))
        line, address_line = self._line, self._line_behind(token.children or [])
        self._count_address(target, address_line, is_picture=True)
        self._style_sides(token.attrs)
        token.attrs.pop("alt", None)
        if not token.content.strip() and _DECORATIVE not in str(token.attrs.get("class", "")).split():
            self.mistakes.warn(
                "image-text",
                f'the picture "{shortened(target, 80)}" has no alternative text',
                self._line,
                "write what it shows in the brackets, as in ![A package with eight stacks of HBM](…), or "
                f"after `:alt:`; if it is decoration, write {{.{_DECORATIVE}}}.",
            )
        if (theme := _OF_A_THEME.search(target)) is not None:
            message = f'"{theme[0]}" has no effect: the picture is shown in both colour schemes'
            fix = "show one picture, stack.png, and put stack.dark.png next to it for dark pages."
            self.mistakes.warn("syntax-unsupported", message, self._line, fix)
        if (sized := _SIZE_IN_TEXT.fullmatch(token.content)) is not None:
            fix = f"write ![{sized[1]}]({target}){{width={sized[2]}}}."
            message = f'"|{sized[2]}" is a part of the alternative text, and no size'
            self.mistakes.warn("syntax-unsupported", message, self._line, fix)
        alt = joined([*self._alt(token.children or [])])
        title = self._title(token)
        if self._pictures:  # the first one may be what readers see first
            token.attrs.setdefault("loading", "lazy")
        self._pictures += 1
        return Picture(
            target=target,
            line=line,
            address_line=address_line,
            alt=alt,
            title=title,
            attributes=self._inline_attributes(token),
            width=width,
            height=height,
        )

    def _count_address(self, target: str, line: int, *, is_picture: bool = False) -> None:
        self._add(target)
        if is_elsewhere(target):
            self._warn_of_address(target, line, is_picture=is_picture)

    def _line_behind(self, text: Iterable[Token]) -> int:
        """The line behind a text that is not rendered yet: that of a link's address."""
        return self._line + sum(token.type in ("softbreak", "hardbreak") for token in text)

    def _warn_of_address(self, target: str, line: int, *, is_picture: bool) -> None:
        mistake = mistake_in(target) or (mistake_in_picture(target) if is_picture else None)
        if mistake is not None:
            message = f'"{shortened(unquote(target), 80)}" {mistake.what}'
            self.mistakes.warn("address-mistyped", message, line, mistake.fix)

    def _style_sides(self, attributes: dict[str, str | int | float]) -> None:
        """Take width and height out of attributes; those with a unit go to `style`.

        Authors write `width="50%"`, but HTML allows only pixels there.
        """
        styled: list[str] = []
        has_width = False
        for key in ("width", "height"):
            value = str(attributes.pop(key, ""))
            if is_pixels(value):
                has_width = has_width or key == "width"
            elif value:
                if _SIZE.fullmatch(value) is None:
                    message = f'"{shortened(value, 80)}" cannot be the {key} of a picture'
                    fix = f"write a number of pixels, as in {{{key}=120}}, or a unit, as in {{{key}=50%}}."
                    self.mistakes.warn("attributes-broken", message, self._line, fix)
                else:
                    styled.append(f"{key}:{value}")
        if styled:
            if len(styled) == 1 and styled[0].startswith("height") and not has_width:
                styled.append("width:auto")  # else the width of the file would be kept
            attributes["style"] = ";".join(filter(None, (str(attributes.get("style", "")), *styled)))

    def _add(self, text: str) -> None:
        """Count an address or a title. Raises TooMuch where all of them together are too long."""
        self._added += len(text)
        if self._added > MOST_ADDED:
            message = f"addresses and titles in this half have more than {MOST_ADDED:,} characters in total"
            raise TooMuch(
                "addresses-too-long", message, "put pictures into files, and shorten the longest addresses."
            )

    def _title(self, token: Token) -> Parts | None:
        title = token.attrs.pop("title", None)
        if title is None:
            return None
        self._add(str(title))
        return text_with_values(str(title), self._line, self.mistakes)

    def _alt(self, tokens: Sequence[Token]) -> Iterable[str | Placeholder]:
        """An image's alternative text, which is the text between its brackets."""
        for index, token in enumerate(tokens):
            if token.type == "citation":
                fix = "cite it in the sentence before the picture."
                self.mistakes.error("role-misplaced", "a citation cannot be used here", self._line, fix)
            elif token.type == "role":
                placeholder = self._role_placeholder(token, "text")
                if placeholder is not None:
                    yield placeholder
            elif token.type in ("softbreak", "hardbreak"):
                self._line += 1
                if not (_joins(tokens, index) or _precedes_assertion(tokens, index)):
                    yield " "
            elif token.type == "image":
                yield from self._alt(token.children or [])
            elif token.type != "html_inline":
                text = token.content
                yield text.rstrip(" ") if _precedes_assertion(tokens, index) else text

    def _footnote_mark(self, tokens: Sequence[Token], index: int) -> Node:
        number = self._number_of_note(tokens, index)
        self._line += tokens[index].content.count("\n")
        self._marks[number] = self._marks.get(number, 0) + 1
        return Mark(
            number=number,
            nth=self._marks[number],
            is_tucked=_is_behind_a_wide_mark(tokens, index),
            is_spaced=_reads_on(tokens, index),
        )

    def _number_of_note(self, tokens: Sequence[Token], index: int) -> int:
        """The number of the note that a mark is of; 0, with a diagnostic, for one that there is not."""
        label = tokens[index].info or self._define_note(tokens[index].content)
        if label not in self.note_definitions:
            if label in self._misspelt_notes:
                return 0  # where the note itself is misspelt, its mistake has been reported
            if self.mistakes.has_told_all("footnote-unknown"):
                return 0
            message = f"there is no footnote [^{label}]"
            twins = (name for name in self.note_definitions if as_ascii(name) == as_ascii(label))
            close = next(twins, None) or nearest(label, self.note_definitions)
            fix = f"did you mean [^{close}]?" if close else f"add a line `[^{label}]: …`."
            begins_line = index == 0 or tokens[index - 1].type == "softbreak"
            follows = tokens[index + 1].content if index + 1 < len(tokens) else ""
            earlier = [error for error in self.mistakes.errors if error.message == message]
            is_note = begins_line and (follows.strip()[:1] in (":", "：") or (earlier and follows.strip()))
            if is_note:  # what refers to it is right
                fix = f"write an ASCII colon right after the bracket: `[^{label}]: …`."
                self._misspelt_notes.add(label)
                self.mistakes.errors[:] = [error for error in self.mistakes.errors if error not in earlier]
            elif begins_line and follows[:1] in (" ", "\u3000"):
                fix = f"if the note itself begins here, write a colon: `[^{label}]: …`."
            self.mistakes.error("footnote-unknown", message, self._line, fix)
            return 0
        if label not in self._numbers:
            self._numbers[label] = len(self._numbers) + 1
            self._waiting.append((self._numbers[label], label, self.note_definitions[label][1]))
        return self._numbers[label]

    def _define_note(self, text: str) -> str:
        """The label of a note that is written where its mark is."""
        label = f"{_INLINE_NOTE}{len(self.note_definitions) + 1}"
        note = Token("inline", "", 0, content=text)
        note.children = parse_inlines(self._parser, text, self._env)
        note.map = [self._line - self._first_line, self._line - self._first_line + text.count("\n") + 1]
        self.note_definitions[label] = [note], self._line
        return label

    def _warn_of_names(self, token: Token) -> None:
        """Warn of attributes in braces that are nearly others, and of values that they do not have."""
        for name, value in token.attrs.items():
            element = token.tag or "span"
            fix = attribute_slip(name, element, str(value))
            message = f'there is no attribute "{name}"'
            if fix is None and name not in ("id", "width", "height"):  # which are judged where they are used
                message, fix = value_slip(name, str(value), element) or ("", None)
            if fix is not None:
                line = token.meta.get(LINES_OF_ATTRIBUTES, {}).get(name)
                place = self._line if line is None else self._first_line + line
                self.mistakes.warn("attributes-broken", message, place, fix)

    def _inline_attributes(self, token: Token) -> Attributes:
        if not token.attrs:
            return {}
        self._warn_of_names(token)
        if "id" in token.attrs:
            self._refuse_id(token)
        return {key: str(value) for key, value in token.attrs.items()}

    def closed(self, pieces: list[Piece]) -> Nodes:
        """The nodes of a text that has ended, in which no tag of raw HTML waits for its other half."""
        return paired(pieces) if self._has_html else cast(Nodes, tuple(pieces))

    def _raw_html(self, html: str, open_elements: Sequence[str]) -> Iterator[Piece]:
        """The nodes of a piece of raw HTML, tag by tag: `paired` finds those that belong together."""
        if html.startswith(("<!--", "<?")):
            warn_of_comment(html, self._line, self.mistakes)
        is_inline = open_elements is not self.open_elements
        around = (*self.open_elements, *open_elements) if is_inline else open_elements
        warn_of_tags(html, around, self._line, self.mistakes, is_inside=self._depth > is_inline)
        self._has_html = True
        return split_html(html, self._addresses)

    def _addresses(self, tag: str, line: int) -> Parts:
        """A tag of raw HTML with its addresses as placeholders; `line` counts the lines of HTML above it."""
        parts: list[str | Placeholder] = []
        for piece in pieces_of(tag):
            if isinstance(piece, str):
                parts.append(piece)
            elif isinstance(piece, PictureSize):
                target, width, height = piece
                parts.append(
                    Placeholder(
                        kind="picture-size", target=target, line=self._line, width=width, height=height
                    )
                )
            else:
                place = self._line + line + tag.count("\n", 0, piece.start)
                self._count_address(piece.target, place, is_picture=piece.kind == "image")
                parts.append(
                    Placeholder(kind=piece.kind, target=piece.target, line=place, context=piece.context)
                )
        return joined(parts)

    def _track_elements(self, html: str, stack: list[str]) -> None:
        stray = update_open_elements(html, stack)
        if stray is not None:
            message = f"</{stray}> closes nothing here"
            fix = (
                fix_of_open(stack, f"write </{stack[-1]}> before it, or delete it.")
                if stack
                else "delete it."
            )
            if stray == element_meant(stack[-1] if stack else ""):
                fix = f"write <{stray}> for <{stack[-1]}>."
            elif (meant := element_meant(stray)) is not None and meant in stack:
                fix = f"write </{meant}>."
            if (beginning := self._spoilt_tag(stray)) is not None:
                message += f', because "{shortened(beginning, 80)}" begins no element'
                attributes = beginning[1:-1].strip().removeprefix(stray)
                separated = f" {attributes}" if attributes[:1].isalpha() else attributes
                fix = f"write <{stray}{separated}>."
                if HTML_TAG_RE.fullmatch(f"<{stray}{separated}>") is None:
                    fix = "correct the attributes of that tag."
            self.mistakes.error("html-stray", message, self._line, fix)
            stack.clear()

    def _spoilt_tag(self, name: str) -> str | None:
        """What was meant to begin an element whose end tag is on this line: `< i>`, `＜i＞`."""
        tag = rf"{re.escape(name)}(?:(?![\w-])|(?=[a-z-]+=))[^<>＜＞]{{0,200}}"
        beginning = re.compile(rf"(?:<[ \t]*|＜[ \t]*){tag}[>＞]", re.IGNORECASE)
        for line in reversed(self.mistakes.lines[max(0, self._line - _LINES_ABOVE) : self._line]):
            spoilt = [one for one in beginning.findall(line) if HTML_TAG_RE.fullmatch(one) is None]
            if spoilt:
                return str(spoilt[-1])
        return None


_LINES_ABOVE = 100
"""How many lines above an end tag are looked at for what was meant to begin its element."""


def _is_address(tokens: Sequence[Token], index: int) -> bool:
    """Whether a tag is the address of a link that is never closed: `[text](<a b.md>`."""
    before = tokens[index - 1] if index else None
    address = tokens[index].content[1:-1]
    return (
        before is not None
        and before.type == "text"
        and before.content.endswith("](")
        and "=" not in address
        and looks_like_an_address(address)
    )


_MARKED_CODE = re.compile(r"(?:#!|:::)([a-z][a-z0-9+-]*) ")
"""Code in a line with its language, as MkDocs has it; `#!/bin/sh` is another thing."""
_OF_A_THEME = re.compile(r"#(?:gh-(dark|light)-mode-only|only-(dark|light))$")
"""The end of a picture's address that is for one colour scheme, on GitHub and in MkDocs."""
_SIZE_IN_TEXT = re.compile(r"([^|]*)\|[ ]?(\d{2,4})(?:x\d+)?")
"""The text of a picture as Obsidian has it: `![what it shows|300](a.png)`."""


_UNSEEN = re.compile(f"[ \t{ODD_SPACES}]*")


@functools.cache
def _plain_style(name: str) -> Callable[..., Node]:
    return partial(Styled, name=name)


def _too_deep() -> TooMuch:
    return TooMuch(
        "nesting-too-deep",
        f"emphasis, links and attributes are nested more than {DEEPEST_TREE} deep here",
        "nest them less deeply; write \\* for an asterisk that is one.",
    )


_LONGEST_NAME = 60
_GENERIC = re.compile(r"[A-Za-z_][A-Za-z0-9_]*$")
_GENERIC_TAG = re.compile(r"<[A-Za-z][A-Za-z0-9]*>")


def _fix_of_open(tokens: Sequence[Token], name: str) -> str:
    """What to do about an element that is never closed: one that HTML lacks, behind a name, is a type."""
    for before, tag in pairwise(tokens):
        opening = next(tags_of(tag.content), None) if tag.type == "html_inline" else None
        if opening is None or opening.name != name or before.type != "text":
            continue
        attributes = attributes_of(opening)
        if attributes and not any("=" in one.source or is_attribute(one.name) for one in attributes):
            return f"for the sign, write &lt;, as in a &lt; b; for a tag, add </{name}>."
        named = _GENERIC.search(before.content[-_LONGEST_NAME:])
        if named is not None and not is_element(name) and _GENERIC_TAG.fullmatch(tag.content):
            code = f"{named[0]}{tag.content}"
            return f"write {code} as code: `{code}`"
    return fix_of_element(name, f"add </{name}> in the same paragraph.")


def _decoded(address: str) -> str:
    """An address as its author wrote it; markdown-it has encoded characters beyond ASCII."""
    if is_elsewhere(address) or "%" not in address:
        return address
    return "".join(
        part if _KEPT_ENCODED.fullmatch(part) else unquote(part) for part in _KEPT_ENCODED.split(address)
    )


def _is_wide_after_space(text: str) -> bool:
    """Whether a text begins with a space before a Chinese character or mark."""
    return text[:1] == " " and joins_without_space("文", text[1:2])


def _precedes_assertion(tokens: Sequence[Token], index: int) -> bool:
    """Whether an `{assert}` follows, which takes the space before it along: the one behind it is shown."""
    return index + 1 < len(tokens) and is_assertion(tokens[index + 1])


def _joins(tokens: Sequence[Token], index: int) -> bool:
    """Whether the line break at `index` adds no space."""
    is_behind_mark = index > 0 and tokens[index - 1].type == "citation"
    before = "文" if is_behind_mark else _visible((tokens[i] for i in range(index - 1, -1, -1)), -1)
    after = _visible((tokens[i] for i in range(index + 1, len(tokens))), 0)
    return before is not None and after is not None and joins_without_space(before, after)


def _is_behind_a_wide_mark(tokens: Sequence[Token], index: int) -> bool:
    """Whether the mark of a note follows a full-width one, in whose empty right half it is shown."""
    if index and tokens[index - 1].type == "footnote_mark":
        return False
    before = _visible((tokens[i] for i in range(index - 1, -1, -1)), -1)
    return before is not None and before in HALF_EMPTY


def _reads_on(tokens: Sequence[Token], index: int) -> bool:
    """Whether the mark of a note would read as part of what follows it: of a number, or of another mark."""
    for following in range(index + 1, len(tokens)):
        token = tokens[following]
        if token.type == "softbreak":
            if not _joins(tokens, following):
                return False
        elif token.type == "text":
            if token.content:
                return _reads_as_one(tokens, index, token.content)
        elif is_assertion(token):
            continue
        elif token.type == "footnote_mark" or token.type not in _LOOKED_THROUGH:
            return token.type in ("footnote_mark", "role", "formula", "code_inline")
    return False


def _reads_as_one(tokens: Sequence[Token], index: int, text: str) -> bool:
    """Whether text behind a mark begins with a number, or, in Chinese, with a Latin word."""
    if text.lstrip(_SIGNS)[:1].isdecimal():
        return True
    before = _visible((tokens[i] for i in range(index - 1, -1, -1)), -1)
    return text[0].isascii() and text[0].isalpha() and before is not None and not before.isascii()


def _visible(tokens: Iterable[Token], end: int) -> str | None:
    """The nearest character of text, skipping emphasis and links; None where anything else comes first."""
    beside_assertion = False
    for token in tokens:
        if token.type == "text":
            if text := token.content.rstrip(" ") if beside_assertion else token.content:
                return text[end]
        elif is_assertion(token):
            beside_assertion = True
        elif token.type not in _LOOKED_THROUGH and not (beside_assertion and token.type == "softbreak"):
            return None
    return None


_Handler = Callable[[InlineBuilding, Sequence[Token], int], Node]

_INLINES: dict[str, _Handler] = {
    "softbreak": InlineBuilding._softbreak,
    "hardbreak": InlineBuilding._hardbreak,
    "code_inline": InlineBuilding._code_inline,
    "formula": InlineBuilding._formula_inline,
    "role": InlineBuilding._role,
    "citation": InlineBuilding._citation,
    "image": InlineBuilding._image,
    "footnote_mark": InlineBuilding._footnote_mark,
}
