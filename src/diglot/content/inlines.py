"""Renders inline tokens as HTML in parts: text, links, images, values and marks of notes."""

import re
from collections.abc import Callable, Iterable, Sequence, Set
from html import escape
from itertools import pairwise, takewhile
from typing import Any
from urllib.parse import unquote

from markdown_it.token import Token
from msgspec.structs import replace

from diglot.content.cjk import joins_without_space
from diglot.content.foreign_syntax import warn_of_comment, warn_of_syntax
from diglot.content.formulas import formula_html
from diglot.content.html_policy import KNOWN_TAGS, clean_inlines
from diglot.content.latex import FormulaError
from diglot.content.leftovers.addresses import looks_like_an_address
from diglot.content.leftovers.search import has_sign, leftovers
from diglot.content.limits import MOST_ADDED, MOST_LEFT_OVER
from diglot.content.mistakes import Mistakes, TooMuch
from diglot.content.parser import markdown_parser
from diglot.content.raw_html import Elsewhere, PictureSize, is_pixels, pieces_of, update_open_elements
from diglot.content.records import Parts, Placeholder, PlaceholderContext, PlaceholderKind
from diglot.content.roles import ROLES, is_assertion, role_placeholder
from diglot.content.swallowed import warn_of_attributes, warn_of_short_fence
from diglot.content.texts import text_with_values
from diglot.content.twins import as_ascii
from diglot.diagnostics import nearest, shortened
from diglot.invariants import require
from diglot.languages import Language
from diglot.project import HtmlPolicy, is_as_strict
from diglot.web_addresses import is_elsewhere, mistake_in

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
_HALF_EMPTY = frozenset("，。；：、！？）》」』】")
_CLOSING = _HALF_EMPTY | frozenset("”’,.;:!?)]}%-")
"""What must not begin a line behind a formula."""
_OPENING = frozenset("（《「『【〔“‘([{")
"""What must not end a line before a formula."""
_NO_BREAK = "\N{WORD JOINER}"
"""Keeps the mark of a note from beginning a line, where a full-width stop before it would allow a break."""

_LOOKED_THROUGH = frozenset(
    {
        "footnote_mark",
        *(f"{n}_{side}" for n in ("em", "strong", "s", "link", "span") for side in ("open", "close")),
    }
)


class InlineRendering:
    """State that blocks and inlines share: the walk's position, its output, and what it has collected."""

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
        self.links: list[Placeholder] = []
        self.suspects: Set[int] = frozenset()
        """Lines that may contain the syntax of other tools."""
        self.note_definitions: dict[str, tuple[list[Token], int]] = {}
        """Tokens and line of each footnote, by label."""
        self._env = env
        self._parser = markdown_parser(html=html != "none")
        self._first_line = first_line
        self._line = first_line
        self._out: list[str | Placeholder] = []
        self._words: list[str] = []
        self._depth = 0
        self._in_cell = False
        self._searched = 0
        """Characters that were searched for leftovers of syntax."""
        self._added = 0
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

    def _captured(self, work: Callable[[], None]) -> tuple[Parts, str]:
        out, words = self._out, self._words
        self._out, self._words = [], []
        work()
        parts, text = _joined(self._out), "".join(self._words).strip()
        self._out, self._words = out, words
        if "\n" in text:  # one line each, without empty lines or spaces around them
            text = "\n".join(filter(None, [line.strip(" ") for line in text.split("\n")]))
        return parts, text

    def _refuse_id(self, token: Token) -> None:
        """Report ids inside a block: both halves may be on one page, where such ids would clash."""
        if (name := token.attrs.pop("id", None)) is None:
            return
        if self._depth > (1 if token.nesting == 1 else 0) or not token.block:
            self.mistakes.error(
                "anchor-inside",
                f'the id "{name}" is inside a block; only whole blocks can have ids',
                self._line,
                "put it on the whole block: `{#" + str(name) + "}` on the line above it.",
            )

    def _inline(self, tokens: Sequence[Token], source: str, place: str = "inline") -> None:
        """Render the inline tokens of a text; `place` says what kind of block it is in."""
        first_line, suspicious = self._line, False
        if self._cleans_html:
            tokens = clean_inlines(tokens, self._line, self.mistakes, self._html)
        elements: list[str] = []
        inside_link = 0
        for index, token in enumerate(tokens):
            kind = token.type
            if kind == "text":
                suspicious = self._text(token.content, tokens, index, inside_link) or suspicious
                continue
            if kind == "html_inline" and _is_address(tokens, index):
                self._out.append(escape(token.content, quote=False))
                self._words.append(token.content)
                continue
            if kind == "html_inline":
                self._raw_html(token.content)
                self._track_elements(token.content, elements)
                self._line += token.meta.get("line_breaks", token.content.count("\n"))
                continue
            if kind == "link_open":
                inside_link += 1
            elif kind == "link_close":
                inside_link -= 1
            handler = _INLINES.get(kind)
            if handler is not None:
                handler(self, tokens, index)
            else:
                require(bool(token.tag), f"no way to render a {kind}")
                self._out.append(
                    f"</{token.tag}>"
                    if token.nesting == -1
                    else f"<{token.tag}{self._inline_attributes(token)}>"
                )
        if elements:
            name = elements[-1]
            fix = _fix_of_open(tokens, name)
            self.mistakes.error("html-unclosed", f"<{name}> is never closed", self._line, fix)
        if "\n" in source and len(tokens) == 1 and tokens[0].type == "code_inline" and place == "paragraph":
            warn_of_short_fence(source, first_line, self.mistakes)
        if suspicious:
            self._report_leftovers(source, place, first_line)

    def _report_leftovers(self, source: str, place: str, first_line: int) -> None:
        self._searched += len(source)
        if self._searched > MOST_LEFT_OVER:
            if self._searched - len(source) <= MOST_LEFT_OVER:
                self.mistakes.warn(
                    "leftovers-many",
                    f"more than {MOST_LEFT_OVER:,} characters look like Markdown that is spoilt: "
                    "the text from here on is not looked at",
                    first_line,
                    "mend what is above, or fence text that is data with ```.",
                )
            return
        for finding in leftovers(source, place, self._parser, self._env):
            line = first_line + finding.line
            message = f'"{finding.shown}" is shown as text: {finding.why}'
            mends = [mend._replace(line=first_line + mend.line) for mend in finding.mends]
            self.mistakes.warn(finding.rule, message, line, finding.fix, mends=mends)

    def _text(self, text: str, tokens: Sequence[Token], index: int, inside_link: int) -> bool:
        """Write a text. Returns whether it may hold syntax that was left over."""
        before = tokens[index - 1] if index else None
        if _precedes_assertion(tokens, index):
            text = text.rstrip(" ")
        shown = text
        if before is not None and _keeps_mark_behind(tokens, index - 1):
            self._out.append(f"{text[0]}</span>")
            shown = text[1:]
        if _keeps_mark_before(tokens, index + 1):
            self._out += [escape(shown[:-1], quote=False), _keep(tokens, index + 1), shown[-1]]
        else:
            self._out.append(escape(shown, quote=False))
        self._words.append(text)
        if self._line in self.suspects and not inside_link:
            warn_of_syntax(tokens, index, self._line, self.mistakes)
        if text[-1:] in "!！ \u3000" and index + 1 < len(tokens) and tokens[index + 1].type == "link_open":
            return True
        if before is not None and before.type in _AFTER_EMPHASIS and text[:1] in _GOES_ON:
            return True
        if text.endswith(ROLES) and index + 1 < len(tokens) and tokens[index + 1].type == "code_inline":
            return True
        return has_sign(text, begins_line=before is None or before.type in ("softbreak", "hardbreak"))

    def _softbreak(self, tokens: Sequence[Token], index: int) -> None:
        self._line += 1
        if _joins(tokens, index) or _precedes_assertion(tokens, index):
            return
        self._out.append("\n")
        self._words.append(" ")

    def _hardbreak(self, tokens: Sequence[Token], index: int) -> None:
        self._line += 1
        self._out.append("<br>\n")
        self._words.append(" ")

    def _code_inline(self, tokens: Sequence[Token], index: int) -> None:
        token = tokens[index]
        self._out.append(f"<code{self._inline_attributes(token)}>{escape(token.content, quote=False)}</code>")
        self._words.append(token.content)

    def _formula_inline(self, tokens: Sequence[Token], index: int) -> None:
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
        if len(token.content) > 1 and token.content[0] == token.content[-1] == "`":
            fix = f"write ${token.content.strip('`')}$."
            shown = f"${token.content}$"
            self.mistakes.warn("formula-left-over", f'"{shown}" is shown with its backticks', self._line, fix)
        keeps_before, keeps_behind = _keeps_mark_before(tokens, index), _keeps_mark_behind(tokens, index)
        if keeps_behind and not keeps_before:
            self._out.append(_keep(tokens, index))
        self._out.append(self._formula(token.content, display=False))
        if keeps_before and not keeps_behind:
            self._out.append("</span>")
        self._words.append(token.content)
        self._line += token.content.count("\n")

    def _formula(self, latex: str, *, display: bool) -> str:
        try:
            return formula_html(latex, display=display)
        except FormulaError as error:
            line = self._line + latex.count("\n", 0, error.offset)
            self.mistakes.error("formula-syntax", f"LaTeX: {error}", line, error.fix)
            return ""

    def _role(self, tokens: Sequence[Token], index: int) -> None:
        token = tokens[index]
        placeholder = role_placeholder(token.info, token.content, self._line, "html", self.mistakes)
        if placeholder is not None:
            attributes = "" if is_assertion(token) else self._inline_attributes(token)
            self._out += [f"<span{attributes}>", placeholder, "</span>"] if attributes else [placeholder]
        self._line += token.meta["line_breaks"]

    def _link_open(self, tokens: Sequence[Token], index: int) -> None:
        token = tokens[index]
        target = _decoded(str(token.attrs.pop("href", "")))
        if tokens[index + 1].type == "link_close" and self._stands_alone(token, target):
            return
        if not target:
            fix = "write an address between the parentheses, or the words without brackets."
            self.mistakes.warn("link-empty", "this link leads nowhere: it has no address", self._line, fix)
        self._out.append('<a href="')
        text = takewhile(lambda inside: inside.type != "link_close", tokens[index:])
        self._address("link", target, self._line_behind(text))
        self._out.append('"')
        self._title(token)
        self._out.append(f"{self._inline_attributes(token)}>")

    def _stands_alone(self, token: Token, target: str) -> bool:
        """Whether a link without text reads as what it leads to: `[](#roof)` does, as a `{ref}`.

        Warns if it does not.
        """
        if target.startswith("#") and len(target) > 1:
            token.meta["refers"] = True
            self._out.append(Placeholder(kind="ref", target=target[1:], line=self._line, context="html"))
            return True
        self.mistakes.warn(
            "link-empty",
            f'the link to "{shortened(target, 80)}" has no text',
            self._line,
            "write what it leads to between the brackets: [the ridge](…).",
        )
        return False

    def _link_close(self, tokens: Sequence[Token], index: int) -> None:
        if not tokens[index - 1].meta.get("refers"):
            self._out.append("</a>")

    def _image(self, tokens: Sequence[Token], index: int) -> None:
        token = tokens[index]
        target = _decoded(str(token.attrs.pop("src", "")))
        width, height = str(token.attrs.get("width", "")), str(token.attrs.get("height", ""))
        around = Placeholder(kind="picture", target=target, line=self._line, width=width, height=height)
        self._out += [around, '<img src="']
        self._address("image", target, self._line_behind(token.children or []))
        self._out.append('"')
        self._picture_size(target, *self._sides_in_pixels(token.attrs))
        self._out.append(' alt="')
        token.attrs.pop("alt", None)
        if not token.content.strip() and _DECORATIVE not in str(token.attrs.get("class", "")).split():
            self.mistakes.warn(
                "image-text",
                f'the picture "{shortened(target, 80)}" has no alternative text',
                self._line,
                f"write what it shows between the brackets, as in ![A package with eight stacks of HBM](…); "
                f"after a picture that is only decoration, write {{.{_DECORATIVE}}}.",
            )
        if (sized := _SIZE_IN_TEXT.fullmatch(token.content)) is not None:
            fix = f"write ![{sized[1]}]({target}){{width={sized[2]}}}."
            message = f'"|{sized[2]}" is a part of the alternative text, and no size'
            self.mistakes.warn("syntax-unsupported", message, self._line, fix)
        self._alt(token.children or [])
        self._out.append('"')
        self._title(token)
        if self._pictures:  # the first one may be what readers see first
            token.attrs.setdefault("loading", "lazy")
        self._pictures += 1
        self._out += [f"{self._inline_attributes(token)}>", replace(around, kind="picture-end")]

    def _address(
        self, kind: PlaceholderKind, target: str, line: int, context: PlaceholderContext = "attribute"
    ) -> None:
        self._add(target)
        if is_elsewhere(target):
            self._warn_of_address(target, line)
        placeholder = Placeholder(kind=kind, target=target, line=line, context=context)
        self.links.append(placeholder)
        self._out.append(placeholder)

    def _line_behind(self, text: Iterable[Token]) -> int:
        """The line behind a text that is not rendered yet: that of a link's address."""
        return self._line + sum(token.type in ("softbreak", "hardbreak") for token in text)

    def _warn_of_address(self, target: str, line: int) -> None:
        if (mistake := mistake_in(target)) is not None:
            message = f'"{shortened(unquote(target), 80)}" {mistake.what}'
            self.mistakes.warn("address-mistyped", message, line, mistake.fix)

    def _sides_in_pixels(self, attributes: dict[str, str | int | float]) -> tuple[str, str]:
        """Take width and height out of attributes, and return those in pixels.

        Sizes with a unit go to `style`: authors write `width="50%"`, but HTML allows only pixels there.
        """
        styled, sides = [], []
        for key in ("width", "height"):
            value = str(attributes.pop(key, ""))
            sides.append(value if is_pixels(value) else "")
            if value and not is_pixels(value):
                if _SIZE.fullmatch(value) is None:
                    message = f'"{shortened(value, 80)}" is no {key} of a picture'
                    fix = f"write a number of pixels, as in {{{key}=120}}, or a unit, as in {{{key}=50%}}."
                    self.mistakes.warn("attributes-broken", message, self._line, fix)
                else:
                    styled.append(f"{key}:{value}")
        if styled:
            if len(styled) == 1 and styled[0].startswith("height") and not sides[0]:
                styled.append("width:auto")  # else the width of the file would be kept
            attributes["style"] = ";".join(filter(None, (str(attributes.get("style", "")), *styled)))
        return sides[0], sides[1]

    def _picture_size(self, target: str, width: str, height: str) -> None:
        self._out.append(
            Placeholder(kind="picture-size", target=target, line=self._line, width=width, height=height)
        )

    def _add(self, text: str) -> None:
        """Count an address or a title. Raises TooMuch where all of them together are too long."""
        self._added += len(text)
        if self._added > MOST_ADDED:
            message = f"addresses and titles in this half have more than {MOST_ADDED:,} characters in total"
            raise TooMuch(
                "addresses-too-long", message, "put pictures into files, and shorten the longest addresses."
            )

    def _title(self, token: Token) -> None:
        title = token.attrs.pop("title", None)
        if title is None:
            return
        self._add(str(title))
        self._out.append(' title="')
        for part in text_with_values(str(title), self._line, self.mistakes):
            self._out.append(escape(part) if isinstance(part, str) else replace(part, context="attribute"))
        self._out.append('"')

    def _alt(self, tokens: Sequence[Token]) -> None:
        """Append an image's alternative text, which is the text between its brackets."""
        for index, token in enumerate(tokens):
            if token.type == "role":
                placeholder = role_placeholder(
                    token.info, token.content, self._line, "attribute", self.mistakes
                )
                if placeholder is not None:
                    self._out.append(placeholder)
            elif token.type in ("softbreak", "hardbreak"):
                self._line += 1
                if not (_joins(tokens, index) or _precedes_assertion(tokens, index)):
                    self._out.append(" ")
            elif token.type == "image":
                self._alt(token.children or [])
            elif token.type != "html_inline":
                text = token.content
                self._out.append(escape(text.rstrip(" ") if _precedes_assertion(tokens, index) else text))

    def _footnote_mark(self, tokens: Sequence[Token], index: int) -> None:
        self._write_mark(tokens, index)
        if index and _keeps_mark_behind(tokens, index - 1):
            self._out.append("</span>")
        if _reads_on(tokens, index):
            self._out.append(" ")

    def _write_mark(self, tokens: Sequence[Token], index: int) -> None:
        label = tokens[index].info
        if label not in self.note_definitions:
            if self.mistakes.has_told_all("footnote-unknown"):
                return
            twins = (name for name in self.note_definitions if as_ascii(name) == as_ascii(label))
            close = next(twins, None) or nearest(label, self.note_definitions)
            fix = f"did you mean [^{close}]?" if close else f"add a line `[^{label}]: …`."
            begins_line = index == 0 or tokens[index - 1].type == "softbreak"
            follows = tokens[index + 1].content if index + 1 < len(tokens) else ""
            if begins_line and follows.strip()[:1] in (":", "："):
                fix = f"write an ASCII colon right behind the bracket: `[^{label}]: …`."
            elif begins_line and follows[:1] in (" ", "\u3000"):
                fix = f"if the note itself begins here, write a colon: `[^{label}]: …`."
            self.mistakes.error("footnote-unknown", f"there is no footnote [^{label}]", self._line, fix)
            return
        if label not in self._numbers:
            self._numbers[label] = len(self._numbers) + 1
            self._waiting.append((self._numbers[label], label, self.note_definitions[label][1]))
        number = self._numbers[label]
        self._marks[number] = self._marks.get(number, 0) + 1
        again = f"-{self._marks[number]}" if self._marks[number] > 1 else ""
        tucked = " tucked" if _is_behind_a_wide_mark(tokens, index) else ""
        self._out.append(
            f'{_NO_BREAK}<sup class="mark{tucked}"><a href="#note-{self.language}-{number}" '
            f'id="mark-{self.language}-{number}{again}">{number}</a></sup>'
        )

    def _inline_attributes(self, token: Token) -> str:
        if "id" in token.attrs:
            self._refuse_id(token)
        return attributes_html(token.attrs)

    def _raw_html(self, html: str) -> None:
        if html.startswith(("<!--", "<?")):
            warn_of_comment(html, self._line, self.mistakes)
        if "=" not in html and "url(" not in html:
            self._out.append(html)
            return
        warn_of_attributes(html, self._line, self.mistakes)
        for piece in pieces_of(html):
            if isinstance(piece, str):
                self._out.append(piece)
            elif isinstance(piece, PictureSize):
                self._picture_size(*piece)
            elif isinstance(piece, Elsewhere):
                self._warn_of_address(piece.target, self._line + html.count("\n", 0, piece.start))
            else:
                line = self._line + html.count("\n", 0, piece.start)
                self._address(piece.kind, piece.target, line, piece.context)

    def _track_elements(self, html: str, stack: list[str]) -> None:
        stray = update_open_elements(html, stack)
        if stray is not None:
            expected = f"write </{stack[-1]}> before it, or delete it." if stack else "delete it."
            self.mistakes.error("html-stray", f"</{stray}> closes nothing here", self._line, expected)
            stack.clear()


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


_SIZE_IN_TEXT = re.compile(r"([^|]*)\|[ ]?(\d{2,4})(?:x\d+)?")
"""The text of a picture as Obsidian has it: `![what it shows|300](a.png)`."""
_LONGEST_NAME = 60
_GENERIC = re.compile(r"[A-Za-z_][A-Za-z0-9_]*$")
_GENERIC_TAG = re.compile(r"<[A-Za-z][A-Za-z0-9]*>")


def _fix_of_open(tokens: Sequence[Token], name: str) -> str:
    """What to do about an element that is never closed: one that HTML lacks, behind a name, is a type."""
    for before, tag in pairwise(tokens):
        if tag.type != "html_inline" or tag.content.lower() != f"<{name}>" or before.type != "text":
            continue
        named = _GENERIC.search(before.content[-_LONGEST_NAME:])
        if named is not None and name not in KNOWN_TAGS and _GENERIC_TAG.fullmatch(tag.content):
            code = f"{named[0]}{tag.content}"
            return f"write {code} as code: `{code}`"
    return f"add </{name}> in the same paragraph."


def _keeps_mark_behind(tokens: Sequence[Token], index: int) -> bool:
    """Whether a formula is followed by a mark that must not begin a line, or by the number of a note.

    Browsers keep such a mark together with text before it, but not with a formula.
    """
    if tokens[index].type != "formula" or index + 1 == len(tokens):
        return False
    following = tokens[index + 1]
    return following.type == "footnote_mark" or (
        following.type == "text" and following.content[:1] in _CLOSING
    )


def _keeps_mark_before(tokens: Sequence[Token], index: int) -> bool:
    """Whether there is a formula at `index`, behind a mark that must not end a line."""
    if index == 0 or index >= len(tokens) or tokens[index].type != "formula":
        return False
    before = tokens[index - 1]
    return before.type == "text" and before.content[-1:] in _OPENING


def _keep(tokens: Sequence[Token], index: int) -> str:
    """The tag that keeps a formula with its marks; it says on which side there are some."""
    before, behind = _keeps_mark_before(tokens, index), _keeps_mark_behind(tokens, index)
    names = ("keep-start",) * before + ("keep",) * behind
    return f'<span class="{" ".join(names)}">'


def attributes_html(attributes: dict[str, str | int | float]) -> str:
    """Attributes as in a tag, each with a space before it."""
    if not attributes:
        return ""
    return "".join(f' {key}="{escape(str(value))}"' for key, value in attributes.items())


def _decoded(address: str) -> str:
    """An address as its author wrote it; markdown-it has encoded characters beyond ASCII."""
    if is_elsewhere(address) or "%" not in address:
        return address
    return "".join(
        part if _KEPT_ENCODED.fullmatch(part) else unquote(part) for part in _KEPT_ENCODED.split(address)
    )


def _precedes_assertion(tokens: Sequence[Token], index: int) -> bool:
    """Whether an `{assert}` follows, which takes the space before it along: the one behind it is shown."""
    return index + 1 < len(tokens) and is_assertion(tokens[index + 1])


def _joins(tokens: Sequence[Token], index: int) -> bool:
    """Whether the line break at `index` adds no space."""
    before = _visible((tokens[i] for i in range(index - 1, -1, -1)), -1)
    after = _visible((tokens[i] for i in range(index + 1, len(tokens))), 0)
    return before is not None and after is not None and joins_without_space(before, after)


def _is_behind_a_wide_mark(tokens: Sequence[Token], index: int) -> bool:
    """Whether the mark of a note follows a full-width one, in whose empty right half it is shown."""
    if index and tokens[index - 1].type == "footnote_mark":
        return False
    before = _visible((tokens[i] for i in range(index - 1, -1, -1)), -1)
    return before is not None and before in _HALF_EMPTY


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


def _joined(parts: Sequence[str | Placeholder]) -> Parts:
    """Parts with adjacent literals joined."""
    joined: list[str | Placeholder] = []
    run: list[str] = []
    for part in parts:
        if isinstance(part, str):
            run.append(part)
            continue
        if text := "".join(run):
            joined.append(text)
        run.clear()
        joined.append(part)
    if text := "".join(run):
        joined.append(text)
    return tuple(joined)


_Handler = Callable[[InlineRendering, Sequence[Token], int], None]

_INLINES: dict[str, _Handler] = {
    "softbreak": InlineRendering._softbreak,
    "hardbreak": InlineRendering._hardbreak,
    "code_inline": InlineRendering._code_inline,
    "formula": InlineRendering._formula_inline,
    "role": InlineRendering._role,
    "link_open": InlineRendering._link_open,
    "link_close": InlineRendering._link_close,
    "image": InlineRendering._image,
    "footnote_mark": InlineRendering._footnote_mark,
}
