"""markdown-it's two loops, asking at each place only the rules that can match there.

The library tries all its rules, one after the other, at every block and at every character that may mean
something: thirty calls to begin a paragraph. What begins with what is known, so that here a table decides.
The rules themselves, their order and what they make stay the library's, but for tables (`tables.py`);
`tests/content/test_dispatch.py` holds the tokens of both side by side.
"""

import functools
import re
from collections.abc import Callable, Mapping
from typing import Literal, TypeVar

from markdown_it import MarkdownIt
from markdown_it.common.utils import mdTrim
from markdown_it.parser_block import ParserBlock
from markdown_it.parser_inline import ParserInline
from markdown_it.ruler import Ruler
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType

from diglot.content.limits import (
    MOST_BLOCKS,
    MOST_LOOKS,
    MOST_LOOKS_A_LINE,
    MOST_STEPS,
    MOST_STEPS_A_CHARACTER,
    MOST_TOKENS,
    too_long,
    too_tangled,
)
from diglot.content.mistakes import TooMuch
from diglot.content.tables import TableRule
from diglot.invariants import require

_Rule = TypeVar("_Rule")

_DIGITS = "0123456789"

BLOCK_STARTS: Mapping[str, str] = {
    "display_formula": "$",
    "admonition": ":",
    "stray_colons": ":",
    "attributes": "{",
    "fence": "`~",
    "blockquote": ">",
    "hr": "*-_",
    "list": f"*+-{_DIGITS}",
    "footnote_def": "[",
    "reference": "[",
    "markdown_in_html": "<",
    "html_block": "<",
    "heading": "#",
}
"""The characters that a block of a rule begins with, after at most three spaces."""

INLINE_STARTS: Mapping[str, str] = {
    "newline": "\n",
    "formula": "$",
    "escape": "\\",
    "role": "{",
    "backticks": "`",
    "strikethrough": "~",
    "emphasis": "*_",
    "footnote_mark": "[",
    "link": "[",
    "span": "[",
    "image": "!",
    "autolink": "<",
    "html_inline": "<",
    "entity": "&",
    "attributes": "{",
}

_MEANS_SOMETHING = re.compile(f"[]{re.escape(''.join(sorted({*''.join(INLINE_STARTS.values())})))}]")
"""Where text stops: before what a rule begins with, and before `]`, which the library looks for in links."""

_ADDRESSES = 512
"""So many links' addresses are remembered as they are encoded."""

_BY_NEXT_LINE = ("table", "lheading", "deflist", "paragraph")
"""Rules for lines that begin with anything; the line below tells them apart."""


def quicken(md: MarkdownIt) -> MarkdownIt:
    """The parser with its rules in tables; to be called once all rules are there."""
    md.block = _Blocks(md.block)
    md.inline = _Inlines(md.inline)
    md.core.ruler.at("normalize", _normalize)
    md.core.ruler.at("inline", _inline)
    md.core.ruler.disable("text_join")  # done on the way
    # Each address is asked for twice, before a link is known to be one, and both halves have the same.
    remembered = functools.lru_cache(_ADDRESSES)(md.normalizeLink)
    md.normalizeLink = remembered  # type: ignore[method-assign]  # replaced on purpose, of this parser alone
    return md


def _normalize(state: StateCore) -> None:
    """As the library's, which looks for the ends of lines by an expression and makes them anew."""
    state.src = state.src.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\N{REPLACEMENT CHARACTER}")


def _arranged(starts: Mapping[str, str], rules: Mapping[str, _Rule]) -> dict[str, tuple[_Rule, ...]]:
    """By character, the rules that can begin with it, in their order."""
    return {
        character: tuple(rule for name, rule in rules.items() if character in starts.get(name, ""))
        for character in "".join(starts.values())
    }


class _Blocks(ParserBlock):
    """The block parser, with a table of rules by the first character of a line."""

    def __init__(self, plain: ParserBlock) -> None:
        self.ruler = plain.ruler
        rules = dict(zip(self.ruler.get_active_rules(), self.ruler.getRules(""), strict=True))
        require(rules.keys() == {*BLOCK_STARTS, *_BY_NEXT_LINE, "code"}, "each rule has its beginnings")
        starts = {**BLOCK_STARTS, "deflist": ":~"}  # not its term: the definition, which ends one before it
        ends = {name: rule for name, rule in rules.items() if rule in self.ruler.getRules("blockquote")}
        require(ends.keys() <= starts.keys(), "what ends a table begins with something")
        rules["table"] = TableRule(_arranged(starts, ends))
        self._all = tuple(rules.values())
        self._table, self._underlined, self._definitions = (rules[name] for name in _BY_NEXT_LINE[:3])
        ends = {name: rule for name, rule in rules.items() if rule in self.ruler.getRules("paragraph")}
        require(ends.keys() - BLOCK_STARTS.keys() == {"deflist"}, "this and tables begin with anything")
        self._by_character = _arranged(BLOCK_STARTS, rules)
        self._ends = _arranged(BLOCK_STARTS, ends)
        self.ruler = _Ends(plain.ruler)

    def parse(self, src: str, md: MarkdownIt, env: EnvType, outTokens: list[Token]) -> list[Token] | None:
        """As the library's, with a state that makes tokens faster."""
        if not src:
            return None
        state = _BlockState(src, md, env, outTokens)
        self.tokenize(state, state.line, state.lineMax)
        return state.tokens

    def tokenize(self, state: StateBlock, startLine: int, endLine: int) -> None:
        """As the library's."""
        line = startLine
        deepest = state.md.options.maxNesting
        had_empty_line = False
        blocks = 0
        while line < endLine:
            state.line = line = state.skipEmptyLines(line)
            if line >= endLine or state.sCount[line] < state.blkIndent:
                break
            if state.level >= deepest:
                state.line = endLine
                break
            blocks += 1
            if blocks > MOST_BLOCKS and state.level == 0:
                raise too_long(f"more than {MOST_BLOCKS:,} paragraphs and other blocks", line)
            if len(state.tokens) > MOST_TOKENS:
                raise too_long(f"more than {MOST_TOKENS:,} beginnings and ends of blocks", line)
            self._block(state, line, endLine)
            require(state.line > line, "a block has a line")
            state.tight = not had_empty_line
            line = state.line
            if line - 1 < endLine and state.isEmpty(line - 1):
                had_empty_line = True
            if line < endLine and state.isEmpty(line):
                had_empty_line = True
                line += 1
                state.line = line

    def _block(self, state: StateBlock, line: int, end: int) -> None:
        if state.is_code_block(line):
            for rule in self._all:
                if rule(state, line, end, False):
                    return
        if _may_be_ruled(state, line, end) and self._table(state, line, end, False):
            return
        for rule in self._by_character.get(state.src[state.bMarks[line] + state.tShift[line]], ()):
            if rule(state, line, end, False):
                return
        self._text(state, line, end)

    def _text(self, state: StateBlock, line: int, end: int) -> None:
        """A paragraph, a heading with a line under it, or terms and definitions."""
        last, may_be_heading = self._extent(state, line, end)
        if may_be_heading and self._underlined(state, line, end, False):
            return
        if _may_be_defined(state, line, end) and self._definitions(state, line, end, False):
            return
        state.line = last
        state.push("paragraph_open", "p", 1).map = [line, last]
        token = state.push("inline", "", 0)
        token.content = mdTrim(state.getLines(line, last, state.blkIndent, False))
        token.map = [line, last]
        token.children = []
        state.push("paragraph_close", "p", -1)

    def _extent(self, state: StateBlock, start: int, end: int) -> tuple[int, bool]:
        """The line behind a paragraph, and whether one of its lines may make it a heading."""
        parent, state.parentType = state.parentType, "paragraph"
        may_be_heading = False
        line = start + 1
        while line < end and not state.isEmpty(line):
            if 0 <= state.sCount[line] <= state.blkIndent + 3:
                character = _first_character(state, line)
                may_be_heading = may_be_heading or character in "-="
                if (
                    any(rule(state, line, end, True) for rule in self._ends.get(character, ()))
                    or (_may_be_ruled(state, line, end) and self._table(state, line, end, True))
                    or (state.ddIndent >= 0 and self._definitions(state, line, end, True))
                ):
                    break
            line += 1
        state.parentType = parent
        return line, may_be_heading


_BlockRule = Callable[[StateBlock, int, int, bool], bool]


class _Ends(Ruler[_BlockRule]):
    """The rules that the library looks for the ends of blocks with, and how often it does."""

    def __init__(self, plain: Ruler[_BlockRule]) -> None:
        super().__init__()
        self.__rules__ = plain.__rules__

    def getRules(self, chainName: str = "") -> list[_BlockRule]:
        """As the library's, with one more that matches nothing."""
        return [_count_look, *super().getRules(chainName)]


def _count_look(state: StateBlock, line: int, end: int, silent: bool) -> bool:
    """A rule that matches nothing. Raises TooMuch where lines are looked at again and again."""
    if isinstance(state, _BlockState):
        state.looks_left -= 1
        if state.looks_left < 0:
            raise too_tangled(line)
    return False


def _first_character(state: StateBlock, line: int) -> str:
    """The first character of a line that is no space; a line feed on an empty line."""
    at = state.bMarks[line] + state.tShift[line]
    return state.src[at : at + 1]


def _may_be_ruled(state: StateBlock, line: int, end: int) -> bool:
    """Whether the line below may be the rule between a table's head and body."""
    return line + 1 < end and _first_character(state, line + 1) in ("|", "-", ":")


def _may_be_defined(state: StateBlock, line: int, end: int) -> bool:
    """Whether a definition may begin on the next line, or behind an empty one."""
    below = line + 2 if line + 1 < end and state.isEmpty(line + 1) else line + 1
    return below < end and _first_character(state, below) in (":", "~")


class _BlockState(StateBlock):
    def __init__(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> None:
        super().__init__(src, md, env, tokens)
        self.looks_left = MOST_LOOKS + MOST_LOOKS_A_LINE * self.lineMax

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        token = _token(ttype, tag, nesting)
        token.block = True
        if nesting < 0:
            self.level -= 1
        token.level = self.level
        if nesting > 0:
            self.level += 1
        self.tokens.append(token)
        return token


def _token(kind: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
    """A token, made without the checks of its constructor, which take longer than most rules."""
    token = Token.__new__(Token)
    token.type, token.tag, token.nesting = kind, tag, nesting
    token.attrs, token.map, token.level, token.children = {}, None, 0, None
    token.content = token.markup = token.info = ""
    token.meta, token.block, token.hidden = {}, False, False
    return token


class _Inlines(ParserInline):
    """The inline parser, with a table of rules by character."""

    def __init__(self, plain: ParserInline) -> None:
        self.ruler, self.ruler2 = plain.ruler, plain.ruler2
        self.terminator_re = plain.terminator_re
        rules = dict(zip(self.ruler.get_active_rules(), self.ruler.getRules(""), strict=True))
        require(rules.keys() == {*INLINE_STARTS, "text"}, "each rule has its beginnings")
        self._by_character = _arranged(INLINE_STARTS, rules)
        self._pairing = tuple(self.ruler2.getRules(""))

    def parse(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> list[Token]:
        """As the library's; text that holds nothing for any rule is one token."""
        if _MEANS_SOMETHING.search(src) is None:
            if src:
                tokens.append(_text_token(src))
            return tokens
        state = _InlineState(src, md, env, tokens)
        self.tokenize(state)
        if "*" in src or "_" in src or "~" in src:
            for rule in self._pairing:
                rule(state)
        return state.tokens

    def tokenize(self, state: StateInline) -> None:
        """As the library's."""
        source, end = state.src, state.posMax
        may_nest = state.level < state.md.options.maxNesting
        last_bracket = state.last_bracket if isinstance(state, _InlineState) else end
        while (position := state.pos) < end:
            found = _MEANS_SOMETHING.search(source, position, end)
            stop = end if found is None else found.start()
            if stop > position:
                state.append_pending(source[position:stop])
                state.pos = stop
                if found is None:
                    break
            if may_nest and not (stop > last_bracket and source[stop] in "[!"):
                for rule in self._by_character.get(source[stop], ()):
                    if rule(state, False):
                        require(state.pos > stop, "a rule takes what it matches")
                        break
                else:
                    state.append_pending(source[stop])
                    state.pos = stop + 1
            else:
                state.append_pending(source[stop])
                state.pos = stop + 1
        if state.pending:
            state.pushPending()

    def skipToken(self, state: StateInline) -> None:
        """As the library's."""
        position, end = state.pos, state.posMax
        if position in state.cache:
            state.pos = state.cache[position]
            return
        if state.level >= state.md.options.maxNesting:
            state.pos = end
        else:
            found = _MEANS_SOMETHING.search(state.src, position, end)
            stop = end if found is None else found.start()
            if stop > position:
                state.pos = stop
            elif isinstance(state, _InlineState) and not state.may_begin(position):
                state.pos += 1
            else:
                state.level += 1
                matched = any(rule(state, True) for rule in self._by_character.get(state.src[position], ()))
                state.level -= 1
                state.pos += not matched
        state.cache[position] = state.pos


class _InlineState(StateInline):
    def __init__(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> None:
        super().__init__(src, md, env, tokens)
        self.last_bracket = src.rfind("]")
        """Behind it, no link and no picture begins: each would be looked through to the end."""
        self._steps_left = MOST_STEPS + MOST_STEPS_A_CHARACTER * len(src)

    def may_begin(self, position: int) -> bool:
        """Whether anything can begin there. Raises TooMuch where places are asked for again and again."""
        self._steps_left -= 1
        if self._steps_left < 0:
            raise too_tangled(None)
        return position <= self.last_bracket or self.src[position] not in "[!"

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        if self.pending:
            self.pushPending()
        token = _token(ttype, tag, nesting)
        inside = None
        if nesting < 0:
            self.level -= 1
            self.delimiters = self._prev_delimiters.pop()
        token.level = self.level
        if nesting > 0:
            self.level += 1
            self._prev_delimiters.append(self.delimiters)
            self.delimiters = []
            inside = {"delimiters": self.delimiters}
        self.pendingLevel = self.level
        self.tokens.append(token)
        self.tokens_meta.append(inside)
        return token

    def pushPending(self) -> Token:
        token = _text_token(self.pending)
        token.level = self.pendingLevel
        self.tokens.append(token)
        self.pending = ""
        return token


def _text_token(text: str) -> Token:
    token = _token("text", "", 0)
    token.content = text
    return token


def _inline(state: StateCore) -> None:
    """Core rule in place of the library's `inline` and `text_join`."""
    for token in state.tokens:
        if token.type == "inline":
            try:
                token.children = parse_inlines(state.md, token.content, state.env)
            except TooMuch as error:
                error.line = token.map[0] if token.map else None
                raise


def parse_inlines(md: MarkdownIt, text: str, env: EnvType) -> list[Token]:
    """The tokens of text inside a block, with the texts beside each other joined."""
    tokens = md.inline.parse(text, md, env, [])
    for token in tokens:
        if token.children:  # what is said of a picture; the library looks no deeper, nor does the rendering
            token.children = _joined(token.children)
    return _joined(tokens)


def _joined(tokens: list[Token]) -> list[Token]:
    """The tokens with neighbouring texts made one, those from escapes and entities too."""
    joined: list[Token] = []
    for token in tokens:
        if token.type == "text_special":
            token.type = "text"
        if token.type == "text" and joined and joined[-1].type == "text":
            joined[-1].content += token.content
        else:
            joined.append(token)
    return joined
