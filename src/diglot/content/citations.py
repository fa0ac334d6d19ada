"""Citations in prose: `` {cite}`key` `` as in MyST, `[@key, p. 3; @other]` and `@key` as in Pandoc."""

import re
from collections.abc import Iterable, Iterator
from html import unescape

from markdown_it.rules_inline import StateInline

from diglot.bibliography.works import CitationTarget, CitedWork, Form

ROLES: dict[str, Form] = {
    **dict.fromkeys(("cite", "cite:p", "cite:ps", "citep", "cite:parenthetical"), "p"),
    **dict.fromkeys(("cite:t", "cite:ts", "citet", "cite:textual"), "t"),
}
"""Roles that cite, with the form of their marks."""

_KEY = r"[A-Za-z0-9_](?:[A-Za-z0-9_]|[:.#$%&+?<>~/-](?=[A-Za-z0-9_]))*"
_WITH_YEAR = r"[A-Za-z][A-Za-z_:-]{1,40}(?:19|20)\d\d(?:[A-Za-z0-9_:-]{0,40}[A-Za-z0-9])?"
"""A key that nobody takes for a name: outside brackets, `@ada` is one."""
_BRACKETS = re.compile(r"\[([^\[\]@]{0,100}@[^\[\]]{1,1000})\](?!\(|\[(?!-?@)|\{\s*(?:[.#]|[\w-]+=))")
"""Not the text of a link, or of a span with attributes; a role or another citation may follow."""
_IN_BRACKETS = re.compile(rf"\s*(?:([^@]*?)\s+)?(-?)@(?:({_KEY})|\{{({_KEY})\}})(.*)", re.DOTALL)
_BARE = re.compile(
    rf"@({_WITH_YEAR})(?![A-Za-z0-9_@/]|\.\w)"
    r"(?: \[((?:pp?|chs?|chap|secs?|figs?|tabs?|eqs?)\.? ?[^\[\]\n]{1,60}|[§第][^\[\]\n]{1,60})\](?!\())?"
)
_JOINED_TO = re.compile(r"[A-Za-z0-9_@./\\-]")
_IN_ROLE = re.compile(rf"\s*(?:\{{([^{{}}]*)\}}\s*)?@?({_KEY})\s*(?:\{{([^{{}}]*)\}})?\s*")
_RANGE = re.compile(r"(?<=\d)-{1,2}(?=\d)")


def citation(state: StateInline, silent: bool) -> bool:
    """Inline rule: citations as Pandoc writes them. Inside a link they are text."""
    found = None if state.linkLevel else _citation_at(state.src, state.pos, state.posMax)
    if found is None:
        return False
    target, end = found
    if not silent:
        push_citation(state, target, state.src[state.pos : end])
    state.pos = end
    return True


def citations_in(text: str) -> Iterator[tuple[int, int, CitationTarget]]:
    """The citations in a text without code, other than roles: where each begins and ends, and its target."""
    end = 0
    for mark in re.finditer(r"[\[@]", text):
        if mark.start() >= end and (found := _citation_at(text, mark.start(), len(text))) is not None:
            target, end = found
            yield mark.start(), end, target


def _citation_at(text: str, start: int, end: int) -> tuple[CitationTarget, int] | None:
    if text[start] == "[":
        found = _BRACKETS.match(text, start, end)
        # At the beginning of a line, `[@key]: …` defines a link; elsewhere its colon is one of the sentence.
        if found and text[found.end() : found.end() + 1] == ":" and text[start - 1 : start] in ("", "\n"):
            return None
        target = None if found is None else _target_in_brackets(found[1])
        return None if found is None or target is None else (target, found.end())
    found = _BARE.match(text, start, end)
    if found is None or _JOINED_TO.match(text[start - 1 : start]):
        return None
    cited = CitedWork(key=found[1], locator=_plain(found[2] or ""))
    return CitationTarget(form="t" if found[2] else "bare", works=(cited,)), found.end()


def push_citation(state: StateInline, target: CitationTarget | None, source: str) -> None:
    """Push the token of a citation; one without works is a mistake that the building of the tree reports."""
    token = state.push("citation", "", 0)
    token.content = source
    token.meta["target"] = target


def target_of_role(form: Form, content: str) -> CitationTarget | None:
    """What a role cites: keys with commas between them; None where it is not written so."""
    found = [_IN_ROLE.fullmatch(part) for part in re.split(r"[,;，；]", content)]
    works = [
        CitedWork(key=one[2], before=_plain(one[1] or ""), locator=_plain(one[3] or ""))
        for one in found
        if one is not None
    ]
    return _with_works(form, works) if len(works) == len(found) else None


def _target_in_brackets(content: str) -> CitationTarget | None:
    works = []
    for part in re.split(r"[;；]", content):
        found = _IN_BRACKETS.fullmatch(part)
        if found is None or (found[1] and re.fullmatch(_WITH_YEAR, found[3] or "") is None):
            return None
        key, behind = found[3] or found[4], found[5]
        if behind[:1] not in ("", ",", "，", " ", "\n", "{"):
            return None
        locator = re.sub(r"^[\s,，]+", "", behind).removeprefix("{").removesuffix("}")
        works.append(
            CitedWork(
                key=key, before=_plain(found[1] or ""), locator=_plain(locator), hides_author=bool(found[2])
            )
        )
    return _with_works("p", works)


def _with_works(form: Form, works: Iterable[CitedWork]) -> CitationTarget | None:
    kept = tuple(works)
    return CitationTarget(form=form, works=kept) if kept else None


def _plain(text: str) -> str:
    return _RANGE.sub("–", " ".join(unescape(text).split(" ")).replace("\n", " ").strip())
