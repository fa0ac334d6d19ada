"""Finds all leftovers of a block."""

import re
from collections.abc import Iterator
from itertools import islice

from markdown_it import MarkdownIt
from markdown_it.utils import EnvType

from diglot.content.cjk import is_cjk
from diglot.content.inline_tokens import unjoined_inlines
from diglot.content.leftovers.addresses import bare_address
from diglot.content.leftovers.finding import LONGEST_SHOWN, Advice, Edit, Finding, Place
from diglot.content.leftovers.inlines import INLINES
from diglot.content.leftovers.lines import BULLETS, LINES, end_of_line
from diglot.content.leftovers.remainder import LINK_CLOSE, LINK_OPEN, NO_TEXT, Remainder, remainder
from diglot.content.leftovers.tables import table_leftovers
from diglot.content.mistakes import Mend
from diglot.content.twins import SPACE
from diglot.diagnostics import shortened
from diglot.web_addresses import without_space_in_host

_SIGN = re.compile(
    rf"[`｀＼{{｛＃＊＿＄$￥¥|｜＾＜［］【】]|\*\*|~~|～～|\]{SPACE}*[(（\[「《〈『〔]|['‘’]{{2}}|!\[|\[\^|[)）]\["
    r"|[&＆][a-z]|·[ -~]+·|##$|\+--"
    r"|\^\]|\^\[|[<‹《] ?[!！] ?[-—–]|[/／]{2}[a-z0-9]|:/[a-z0-9]|^\*|\*$|__ |\+\+[^\s+]|&#|\.\d{14}"
    r"|[A-Za-z)][~^][A-Za-z0-9+-]{1,12}[~^]|(?<![A-Za-z0-9_./@:-])www\.|´[!-~]+´| \\$|\\[A-Za-z]{2}|\]$"
    r"|==?[^\W\d_]|(?:^|[^\w~./-])~[^\W\d_]|[A-Za-z]~\d|\^\^|:[a-z]+-| \* \S|@[A-Za-z]"
    r"|\[[^\[\]\n]{0,80}[\^_=]|\[[ \t]+\^|://[^\x00-\x7f]|\\(?:\s|$)"
    r"|(?<![\w/.])_[^\W_]|[\u4e00-\u9fff]_[\u4e00-\u9fff]"
    r"| \*[^\W\d_]|__[^\x00-\x7f]|^__?(?![A-Za-z0-9_])|^[\[(<]\w+ ?=|< ?/? ?[a-z]+[^<>\n]*>"
)
_SIGN_AT_START = re.compile(
    rf"{SPACE}*(?:[#＃>＞》\-－*＋+{BULLETS}☐☑☒–—①-⑳：:\[]"
    r"|[(（]?(?:[0-9０-９]{1,3}|[A-Za-z]|[一二三四五六七八九十]{1,3})[)）、]"
    r"|(?:h[1-6]|bq)\. |\| |[0-9０-９]{1,9}[.．。](?![0-9])|[A-Za-z][.．] "
    r"|＝{3}|::|[！？]{3}|[•‧・´ˋ'‘’′\"“”~^]{3})"
)


_STAND_INS = re.compile(f"[{NO_TEXT}]+")

MOST_FINDINGS = 100
"""Findings in one block: more are not written by hand."""
_OF_LINES = ("mark-left-over",)
"""Rules of marks that are shown with the line that they begin."""


def has_sign(text: str, *, begins_line: bool) -> bool:
    """Whether a piece of text may hold a leftover: nearly no text of an article does."""
    return _SIGN.search(text) is not None or (begins_line and _SIGN_AT_START.match(text) is not None)


def leftovers(source: str, place: str, md: MarkdownIt, env: EnvType) -> list[Finding]:
    """The leftovers of a block, by line. It is parsed again, because what rendering has is less."""
    tokens = unjoined_inlines(md, source, env)
    left = remainder(tokens, source, place, env.get("references", ()))
    taken: list[tuple[int, int]] = []
    findings: list[Finding] = []
    for start, end, rule, advice in islice(_advised(left, taken), MOST_FINDINGS):
        taken.append((start, end))
        findings.append(_finding(left, start, end, rule, advice))
    return sorted(findings, key=lambda finding: finding.line)


def _advised(left: Remainder, taken: list[tuple[int, int]]) -> Iterator[tuple[int, int, str, Advice]]:
    is_block = left.place in ("paragraph", "item")
    if is_block and ("|" in left.ascii or "+--" in left.text):
        for start, end, advice in table_leftovers(left):
            rule = "table-left-over"
            yield start, end, advice.rule or rule, advice
            return
    for kinds in (LINES if is_block else (), INLINES):
        for kind in kinds:
            for match in kind.pattern.finditer(left.ascii):
                start, end = match.span()
                if any(start < taken_end and taken_start < end for taken_start, taken_end in taken):
                    continue
                if (found := kind.advise(Place(left, match))) is not None:
                    yield start, end, found.rule or kind.rule, found
    rule = "link-bare"
    position = 0
    while (span := bare_address(left.text, position)) is not None:
        start, position = span
        if any(start < end and begin < position for begin, end in taken) or _is_in_link(left, start):
            continue
        if left.ascii[:start].endswith(('="', "='")):  # in a tag, where HTML is text
            continue
        address = left.text[start:position]
        if (spaced := _SPACED.match(left.text, start - 1)) is not None:
            why = "a space ends an address in angle brackets"
            as_link = f"[{spaced['words']}]({address})"
            if (host := without_space_in_host(left.text[start : spaced.end() - 1])) is not None:
                why = "the name of a host has no space"
                yield start - 1, (position := spaced.end()), rule, Advice(why, f"write <{host}>.")
                continue
            encoded = f"<{'%20'.join((address, *spaced['words'].split()))}>"
            fix = f"write {encoded}, or {as_link}." if spaced["words"].isascii() else f"write {as_link}."
            yield start - 1, (position := spaced.end()), rule, Advice(why, fix, ())
            continue
        why = "it is not a link"
        fix = f"write <{address}>, or `code` if it should not be a link."
        if left.ascii[start - 1 : start] == "<":
            start -= 1
            is_closed = left.ascii[position : position + 1] == ">"
            position += is_closed
            why = "its angle brackets are full-width" if is_closed else "nothing closes its angle bracket"
        edits: tuple[Edit, ...] = (Edit(start, position, f"<{address}>"),)
        if left.text[position - 1] in "/=_" and is_cjk(left.text[position : position + 1] or "."):
            edits, fix = (), f"write <{address}…> around all of it, or put a space where it ends."
        yield start, position, rule, Advice(why, fix, edits)


_SPACED = re.compile(r"<https?://[^\s<>]+[ \t]+(?P<words>[^\s<>](?:[^<>\n]{0,60}[^\s<>])?)[ \t]*>")
"""An address with a space, or with words after it, in angle brackets."""


def _is_in_link(left: Remainder, start: int) -> bool:
    return left.text.count(LINK_OPEN, 0, start) > left.text.count(LINK_CLOSE, 0, start)


def _finding(left: Remainder, start: int, end: int, rule: str, advice: Advice) -> Finding:
    last = end_of_line(left, end) if rule in _OF_LINES else end
    shown = " ".join(left.written(start, last).split())
    line = left.line_of(start, end)
    mends = tuple(mend for edit in advice.edits if (mend := _mend(left, edit)) is not None)
    if len(mends) < len(advice.edits):
        mends = ()
    fix = _STAND_INS.sub("…", advice.fix)
    return Finding(rule, line, shortened(shown, LONGEST_SHOWN), advice.why, fix, mends)


def _mend(left: Remainder, edit: Edit) -> Mend | None:
    """An edit with the text around it, which makes its place in the line certain; None next to its text."""
    text, start, end = left.text, edit.start, edit.end
    if not left.is_text(start, end) or "\n" in text[start:end]:
        return None
    while start > 0 and text[start - 1] != "\n" and start - 1 not in left.markups:
        start -= 1
    while end < len(text) and text[end] != "\n" and end not in left.markups:
        end += 1
    new = text[start : edit.start] + edit.new + text[edit.end : end]
    return Mend(left.line_of(start, end), text[start:end], new)
