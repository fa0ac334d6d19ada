"""Lets markdown-it call only the rules that can match at a position.

The library tries all its rules in turn at every block and at every character that may have a meaning: thirty
calls to begin a paragraph. It is known which characters each rule begins with, so a table selects the rules
here. The rules themselves, their order and their output stay the library's.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.ruler import Ruler
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType

from diglot.content.fast.tables import table
from diglot.content.guards import MARKS, search_mark
from diglot.content.tables import BlockRule, limited
from diglot.invariants import require

_Rule = TypeVar("_Rule")
_InlineRule = Callable[[StateInline, bool], bool]
_Named = tuple[str, _Rule]

BLOCK_STARTS: Mapping[str, str] = {
    "display_formula": "$",
    "math_fence": "`~",
    "bracket_formula": "\\",
    "environment": "\\",
    "extension_block": ":`~",
    "embedded_block": "!",
    "list_table": ":`~",
    "admonition": ":",
    "stray_colons": ":",
    "fenced_admonition": "`~",
    "indented_admonition": "!?=",
    "attributes": "{(",
    "fence": "`~",
    "blockquote": ">",
    "hr": "*-_",
    "list": "*+-0123456789",
    "footnote_def": "[",
    "reference": "[",
    "markdown_in_html": "<",
    "html_block": "<",
    "heading": "#",
}
"""The characters that blocks of a rule begin with, after indentation."""

_ANY_BLOCK = frozenset(("guard", "table", "code", "lheading", "deflist", "paragraph"))
"""Rules for lines with any first character."""

INLINE_STARTS: Mapping[str, str] = {
    "newline": "\n",
    "ticked_formula": "$",
    "formula": "$",
    "parenthesised_formula": "\\",
    "escape": "\\",
    "extension_role": "{",
    "role": "{",
    "ruby": "{",
    "backticks": "`",
    "below": "~",
    "strikethrough": "~",
    "emphasis": "*_",
    "footnote_mark": "[",
    "wikilink": "[!",
    "short_reference": "@[",
    "citation": "@[",
    "link": "[",
    "span": "[",
    "image": "!",
    "autolink": "<",
    "html_inline": "<",
    "entity": "&",
    "inline_note": "^",
    "above": "^",
    "marked": "=",
    "attributes": "{",
}


def quicken(md: MarkdownIt) -> MarkdownIt:
    """The parser with its rules in tables. Call it after all rules have been added."""
    blocks, inlines = md.block.ruler, md.inline.ruler
    require({*blocks.get_active_rules()} == {*BLOCK_STARTS, *_ANY_BLOCK}, "each rule has its beginnings")
    require({*inlines.get_active_rules()} == {*INLINE_STARTS, "guard", "text"}, "each rule has its marks")
    require({*"".join(INLINE_STARTS.values()), "]"} == MARKS, "text stops where a rule begins")
    blocks.at("table", limited(table), {"alt": ["paragraph", "reference"]})
    md.block.ruler = _Chains(blocks, _block_rule)
    md.inline = _Inlines(md.inline)
    return md


class _Chains(Ruler[_Rule]):
    """A ruler in which each chain is a single rule, which calls the rules that can match."""

    def __init__(self, plain: Ruler[_Rule], rule_of: Callable[[list[_Named[_Rule]]], _Rule]) -> None:
        super().__init__()
        self._plain, self._rule_of = plain, rule_of
        self._names = dict(zip(plain.getRules(""), plain.get_active_rules(), strict=True))
        self._chains: dict[str, list[_Rule]] = {}

    def getRules(self, chainName: str = "") -> list[_Rule]:
        """Like the library's: the rules for a block or a character, or those that end some block."""
        chain = self._chains.get(chainName)
        if chain is None:
            rules = [(self._names[rule], rule) for rule in self._plain.getRules(chainName)]
            chain = self._chains[chainName] = [self._rule_of(rules)]
        return chain

    def get_active_rules(self) -> list[str]:
        """Like the library's; markdown-it calls it to ask whether indented code is enabled."""
        return self._plain.get_active_rules()


def _by_start(
    rules: Iterable[_Named[_Rule]], starts: Mapping[str, str]
) -> tuple[dict[str, tuple[_Rule, ...]], tuple[_Rule, ...]]:
    """The rules for each first character, in their order, and the rules for all other characters."""
    characters = "".join(starts.values())
    return (
        {
            character: tuple(rule for name, rule in rules if character in starts.get(name, character))
            for character in characters
        },
        tuple(rule for name, rule in rules if name not in starts),
    )


def _block_rule(rules: list[_Named[BlockRule]]) -> BlockRule:
    by_start, others = _by_start(rules, BLOCK_STARTS)
    asked = by_start.get

    def ask(state: StateBlock, line: int, end: int, silent: bool) -> bool:
        at = state.bMarks[line] + state.tShift[line]
        for rule in asked(state.src[at : at + 1], others):  # noqa: SIM110  (a generator is slower)
            if rule(state, line, end, silent):
                return True
        return False

    return ask


def _inline_rule(rules: list[_Named[_InlineRule]]) -> _InlineRule:
    by_start, others = _by_start([one for one in rules if one[0] != "text"], INLINE_STARTS)
    asked = by_start.get

    def ask(state: StateInline, silent: bool) -> bool:
        source, position, end = state.src, state.pos, state.posMax
        found = search_mark(source, position, end)
        stop = end if found is None else found.start()
        if stop > position:
            if not silent:
                state.append_pending(source[position:stop])
            state.pos = stop
            return True
        for rule in asked(source[position], others):  # noqa: SIM110  (a generator is slower)
            if rule(state, silent):
                return True
        return False

    return ask


class _Inlines(ParserInline):
    """The inline parser, except that text without marks becomes one token at once."""

    def __init__(self, plain: ParserInline) -> None:
        super().__init__()
        self.ruler, self.ruler2 = _Chains(plain.ruler, _inline_rule), plain.ruler2

    def parse(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> list[Token]:
        """Like the library's."""
        if search_mark(src) is not None:
            return super().parse(src, md, env, tokens)
        if src:
            tokens.append(Token("text", "", 0, content=src))
        return tokens
