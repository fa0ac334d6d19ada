"""The Markdown parser of articles: CommonMark with the rules of this package, built once per process."""

import functools
import re

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_core import StateCore, normalize
from markdown_it.rules_inline import StateInline
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote.index import footnote_def

from diglot.content.admonitions.colons import admonition, stray_colons
from diglot.content.admonitions.fences import fenced_admonition
from diglot.content.admonitions.indented import indented_admonition
from diglot.content.admonitions.quotations import callouts
from diglot.content.admonitions.tabs import arrange_tabs
from diglot.content.attributes import block_attributes, inline_attributes, settle_attributes, span
from diglot.content.citations import citation
from diglot.content.cjk import emphasis, strikethrough
from diglot.content.code_fences import code_fences
from diglot.content.embeds import embedded_block, wikilink
from diglot.content.extensions import extension_block, extension_role
from diglot.content.fast import quick_parser
from diglot.content.formula_spellings import (
    bracket_formula,
    environment,
    math_fence,
    parenthesised_formula,
    ticked_formula,
)
from diglot.content.formulas import display_formula, inline_formula
from diglot.content.guards import add_guards
from diglot.content.inline_tokens import inline
from diglot.content.list_tables import list_table
from diglot.content.quotes import curl_quotes
from diglot.content.raw_html import markdown_in_html
from diglot.content.roles import role, short_reference
from diglot.content.small_marks import above, below, marked, ruby
from diglot.content.tables import limited, table
from diglot.web_addresses import ascii_address, keeps_its_signs

DEEPEST = 20
"""Depth of nested blocks. markdown-it drops deeper ones; rendering reports that."""

ENCODED = re.compile(r"(?:https?://[a-z0-9.-]+)?[A-Za-z0-9/._~#?=&+-]*")
"""Addresses that encoding leaves as they are: most. markdown-it would take each of them apart twice."""

_ANYWHERE: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}


class _Parser(MarkdownIt):
    def normalizeLink(self, url: str) -> str:
        """The address as it is published."""
        if ENCODED.fullmatch(url):
            return url
        return ascii_address(url) if keeps_its_signs(url) else super().normalizeLink(url)

    def validateLink(self, url: str) -> bool:
        """Whether an address may be a link; that of a file of one computer is reported as one."""
        return url.lower().startswith("file:") or super().validateLink(url)


@functools.cache
def markdown_parser(*, html: bool = True) -> MarkdownIt:
    """The parser of this process. Parsing leaves no state in it.

    Without `html`, HTML is text.
    """
    return quick_parser(plain_parser(html=html))


def plain_parser(*, html: bool = True) -> MarkdownIt:
    """The same parser, but markdown-it tries all rules everywhere, which is slower."""
    md = _Parser("commonmark", {"tasklists": True, "maxNesting": DEEPEST, "html": html})
    md.enable(["table", "strikethrough"])
    md.use(deflist_plugin)

    md.block.ruler.at("table", limited(table), {"alt": ["paragraph", "reference"]})
    md.block.ruler.before("fence", "display_formula", display_formula, _ANYWHERE)
    md.block.ruler.before("fence", "math_fence", math_fence, _ANYWHERE)
    md.block.ruler.before("fence", "bracket_formula", bracket_formula, _ANYWHERE)
    md.block.ruler.before("fence", "environment", environment, _ANYWHERE)
    md.block.ruler.before("fence", "extension_block", extension_block, _ANYWHERE)
    md.block.ruler.before("fence", "embedded_block", embedded_block)
    md.block.ruler.before("fence", "list_table", list_table, _ANYWHERE)
    md.block.ruler.before("fence", "admonition", admonition, _ANYWHERE)
    md.block.ruler.before("fence", "stray_colons", stray_colons, _ANYWHERE)
    md.block.ruler.before("fence", "fenced_admonition", fenced_admonition, _ANYWHERE)
    md.block.ruler.before("fence", "indented_admonition", indented_admonition)
    md.block.ruler.before("fence", "attributes", block_attributes)
    md.block.ruler.before("html_block", "markdown_in_html", markdown_in_html, _ANYWHERE)
    md.block.ruler.before("reference", "footnote_def", footnote_def, {"alt": ["paragraph", "reference"]})
    md.core.ruler.at("normalize", _normalize)
    md.core.ruler.after("block", "settle_attributes", settle_attributes)
    md.core.ruler.after("settle_attributes", "callouts", callouts)
    md.core.ruler.after("callouts", "arrange_tabs", arrange_tabs)
    md.core.ruler.after("arrange_tabs", "code_fences", code_fences)
    md.core.ruler.at("inline", inline)
    md.core.ruler.after("inline", "quotes", curl_quotes)

    md.inline.ruler.at("emphasis", emphasis)
    md.inline.ruler.at("strikethrough", strikethrough)
    md.inline.ruler.before("escape", "ticked_formula", ticked_formula)
    md.inline.ruler.before("escape", "formula", inline_formula)
    md.inline.ruler.before("escape", "parenthesised_formula", parenthesised_formula)
    md.inline.ruler.before("backticks", "extension_role", extension_role)
    md.inline.ruler.before("backticks", "role", role)
    md.inline.ruler.before("link", "footnote_mark", _footnote_mark)
    md.inline.ruler.after("link", "span", span)
    md.inline.ruler.before("strikethrough", "below", below)
    md.inline.ruler.before("link", "wikilink", wikilink)
    md.inline.ruler.before("link", "short_reference", short_reference)
    md.inline.ruler.before("link", "citation", citation)
    md.inline.ruler.push("inline_note", _inline_note)
    md.inline.ruler.push("above", above)
    md.inline.ruler.push("marked", marked)
    md.inline.ruler.push("ruby", ruby)
    md.inline.ruler.push("attributes", inline_attributes)
    add_guards(md)
    return md


def _normalize(state: StateCore) -> None:
    """Core rule in place of markdown-it's, which writes every text anew: few have anything to normalize."""
    if "\r" in state.src or "\0" in state.src:
        normalize(state)


# The length is bounded so that a row of brackets is not read to its end from each of them.
_MARK = re.compile(r"\[\^([^\s\[\]]{1,80})\]")


def _footnote_mark(state: StateInline, silent: bool) -> bool:
    """Inline rule: the mark of a footnote, `[^label]`; rendering reports marks without a definition."""
    if not state.src.startswith("[^", state.pos):
        return False
    found = _MARK.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        state.push("footnote_mark", "", 0).info = found.group(1)
    state.pos = found.end()
    return True


def _inline_note(state: StateInline, silent: bool) -> bool:
    """Inline rule: a footnote where its mark is, `^[text]`."""
    if not state.src.startswith("^[", state.pos):
        return False
    end = state.md.helpers.parseLinkLabel(state, state.pos + 1)
    text = state.src[state.pos + 2 : end]
    if end < 0 or not text.strip() or state.src[end + 1 : end + 2] == "^":  # `^[1]^` would be raised
        return False
    if not silent:
        token = state.push("footnote_mark", "", 0)
        token.content = text
    state.pos = end + 1
    return True
