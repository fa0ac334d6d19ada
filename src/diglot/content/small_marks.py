"""Marks for a few characters: `==marked==`, `H~2~O`, `x^2^`, and roles that are elements of HTML."""

import re
from collections.abc import Callable, Mapping

from markdown_it.rules_inline import StateInline

from diglot.languages import HAN

_MARKED = re.compile(r"==(?=[^\s=])([^=\n]{0,300}?[^\s=])==(?![=A-Za-z0-9_])")
_BELOW = re.compile(r"~([0-9]{1,3}[+-]?|[a-z])~(?!~)")
_ABOVE = re.compile(r"\^([0-9A-Za-z+-]{1,8})\^(?![\^A-Za-z0-9])")
_WORD_BEFORE = re.compile(r"[A-Za-z)\]]")
_ABBREVIATION = re.compile(r"(.*?)[ \t]*\(([^()]+)\)[ \t]*$", re.DOTALL)


def marked(state: StateInline, silent: bool) -> bool:
    """Inline rule: `==text==` is highlighted; signs next to letters, as in `a==b`, are none."""
    found = _MARKED.match(state.src, state.pos, state.posMax)
    if found is None or re.match(r"[=A-Za-z0-9_!<>]", _before(state)):
        return False
    if not silent:
        start, end = state.pos, state.posMax
        state.push("mark_open", "mark", 1)
        state.pos, state.posMax = found.start(1), found.end(1)
        state.md.inline.tokenize(state)
        state.pos, state.posMax = start, end
        state.push("mark_close", "mark", -1)
    state.pos = found.end()
    return True


def below(state: StateInline, silent: bool) -> bool:
    """Inline rule: a subscript of one letter or of digits, as chemists write it; `3~5` is a range."""
    return _shifted(state, silent, _BELOW, "sub")


def above(state: StateInline, silent: bool) -> bool:
    """Inline rule: a superscript without spaces."""
    return _shifted(state, silent, _ABOVE, "sup")


def _shifted(state: StateInline, silent: bool, pattern: re.Pattern[str], tag: str) -> bool:
    found = pattern.match(state.src, state.pos, state.posMax)
    before = _before(state)
    if found is None or not (_WORD_BEFORE.match(before) or (tag == "sup" and before.isdigit())):
        return False
    if not silent:
        push_element(state, tag, found[1])
    state.pos = found.end()
    return True


_RUBY = re.compile(rf"\{{([{HAN}]{{1,20}})\}}\(([^()\n]{{1,80}})\)")


def ruby(state: StateInline, silent: bool) -> bool:
    """Inline rule: `{漢字}(hàn zì)`, characters with their reading above; in parentheses elsewhere."""
    found = _RUBY.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        state.push("ruby_open", "ruby", 1)
        state.push("text", "", 0).content = found[1]
        for tag, text in (("rp", "("), ("rt", found[2].strip()), ("rp", ")")):
            push_element(state, tag, text)
        state.push("ruby_close", "ruby", -1)
    state.pos = found.end()
    return True


_LINK = re.compile(r"([^<>]+)<([^<>\s]+)>")
"""Words and their address, as roles of MyST have them."""
_DOI = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:)")


def _before(state: StateInline) -> str:
    return state.src[state.pos - 1 : state.pos]


def push_element(state: StateInline, tag: str, text: str, **attributes: str) -> None:
    """Push the tokens of an element with plain text."""
    state.push(f"{tag}_open", tag, 1).attrs.update(attributes)
    for index, line in enumerate(text.split("\n")):
        if index:
            state.push("softbreak", "br", 0)
        state.push("text", "", 0).content = line
    state.push(f"{tag}_close", tag, -1)


def _push_abbreviation(state: StateInline, content: str) -> None:
    found = _ABBREVIATION.fullmatch(content)
    if found is None:
        push_element(state, "abbr", content)
    else:
        push_element(state, "abbr", found[1], title=" ".join(found[2].split()))


def _push_formula(state: StateInline, content: str) -> None:
    state.push("formula", "", 0).content = content


def _push_link(state: StateInline, content: str) -> None:
    found = _LINK.fullmatch(content)
    words, address = (found[1], found[2]) if found is not None else (content, content)
    push_element(state, "link", words.strip(), href=state.md.normalizeLink(address.strip()))


def _push_doi(state: StateInline, content: str) -> None:
    found = _LINK.fullmatch(content)
    words, doi = (found[1].strip(), found[2]) if found is not None else ("", content)
    doi = _DOI.sub("", doi.strip())
    push_element(state, "link", words or f"doi:{doi}", href=state.md.normalizeLink(f"https://doi.org/{doi}"))


def _push(tag: str) -> Callable[[StateInline, str], None]:
    return lambda state, content: push_element(state, tag, content)


STYLES: Mapping[str, Callable[[StateInline, str], None]] = {
    **{name: _push(name) for name in ("kbd", "sub", "sup")},
    **dict.fromkeys(("subscript",), _push("sub")),
    **dict.fromkeys(("superscript",), _push("sup")),
    **dict.fromkeys(("del", "strike"), _push("s")),
    **dict.fromkeys(("abbr", "abbreviation"), _push_abbreviation),
    **dict.fromkeys(("math",), _push_formula),
    **dict.fromkeys(("u", "underline"), _push("u")),
    "keyboard": _push("kbd"),
    "delete": _push("s"),
    "button": _push_link,
    "doi": _push_doi,
}
"""Roles that only say how their text looks, as MyST has them."""
