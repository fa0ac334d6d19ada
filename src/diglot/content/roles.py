"""Roles in prose, such as `` {eval}`roofline.h200.ridge | number(0)` `` and `` {ref}`fig-roofline` ``."""

import re
from collections.abc import Collection, Iterator

from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from diglot.content.citations import ROLES as CITATIONS
from diglot.content.citations import push_citation, target_of_role
from diglot.content.mistakes import Mistakes
from diglot.content.records import Placeholder, PlaceholderContext, PlaceholderKind
from diglot.content.small_marks import STYLES
from diglot.content.twins import as_ascii
from diglot.diagnostics import did_you_mean, shortened
from diglot.expressions.parsing import ExpressionError, ExpressionTooLarge, figures_read_by
from diglot.figure_request import CELLS, FigureRequest

CITE_NUMBER = "cite-number"
"""The role of a number that a source bears out, whatever else is in its sentence."""
ROLES = ("eval", "assert", "control", "ref", CITE_NUMBER)

_MOST_SHOWN = 100
_FIXES = {
    **dict.fromkeys(("footcite", "footcitep", "footcitet"), "write {cite}`key`: its entry is in the margin."),
    "cite": "write {cite}`key`, or {cite:t}`key` where the author is a part of the sentence.",
    **dict.fromkeys(("figref", "tabref", "fig", "tab"), "write {ref}`fig-…`, or [formula 1](#eq:name)."),
    **dict.fromkeys(("doc", "download", "any", "xref"), "write a link: [text](../other-article/en.md)."),
    "formula": "write $…$.",
    **dict.fromkeys(("si", "quantity"), "write the number and its unit: 4.5 km."),
    **dict.fromkeys(("math:numref", "cite:numref"), "write {eq}`eq-name`."),
    **dict.fromkeys(
        ("code", "literal", "samp", "file", "command", "program", "py", "func"), "write `code` alone."
    ),
    "term": "write the word alone: terms are found by site/glossary.yaml.",
}
"""Roles of other tools, each with what to write instead."""
OPENING = re.compile(r"\{([A-Za-z][\w:-]*)\}(`+)")
_VALUE_FIX = "write a figure and the keys of a value, as in `roofline.h200.ridge | number(1)`."
_HYPHENATED = re.compile(r"[a-z][a-z0-9_]*(?:-[a-z][a-z0-9_]*)+(?=[.(\[])")
"""A figure's name with hyphens at the beginning of an expression, where it reads as a subtraction."""
_CONTROL = re.compile(r"(?:[a-z][a-z0-9_]*\.)?[a-z][a-z0-9_]*")


def role(state: StateInline, silent: bool) -> bool:
    """Inline rule: a name in braces directly followed by code, e.g. {eval}`x.y`."""
    if state.src[state.pos] != "{":
        return False
    found = OPENING.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    closing = closing_ticks(state.src, found.group(2), found.end(), state.posMax)
    if closing < 0:
        return False
    if not silent:
        content = state.src[found.end() : closing]
        if (push := STYLES.get(found.group(1))) is not None:
            push(state, content.strip())
        elif (form := CITATIONS.get(found.group(1))) is not None:
            push_citation(state, target_of_role(form, content), state.src[state.pos : closing + 1])
        elif found.group(1) in REFERENCES:
            _push_reference(state, content)
        elif found.group(1) != CITE_NUMBER or not _cite_number(state, content):
            lines = content.split("\n")
            token = state.push("role", "", 0)
            token.info = found.group(1)
            token.content = " ".join(lines).strip()
            token.meta["line_breaks"] = len(lines) - 1
    state.pos = closing + len(found.group(2))
    return True


def number_and_source(content: str) -> tuple[str, str] | None:
    """The number of a `{cite-number}`, and a note's label, an address or `@key`; None without both."""
    number, _, source = (part.strip() for part in content.rpartition("|"))
    return (number, source.removeprefix("^")) if number and source else None


REFERENCES = ("ref", "eq", "numref", "prf:ref")
_WITH_WORDS = re.compile(r"(.+?)\s*<([^<>\s]+)>\s*", re.DOTALL)
_NUMBER = re.compile(r"(?:(?:Fig(?:ure|\.)?|Table|Tab\.|Eq(?:uation|\.)?|图|表|公式)\s*)?(?:%s|\{number\})")
_NUMBER_ALONE = re.compile(r"\(?(?:[A-Za-z]+\.?|[\u4e00-\u9fff]{1,3})?\s*(?:%s|\{number\})\)?")
"""The words of `{numref}` that `{ref}` writes by itself: `Figure %s`, `图 {number}`."""
_SHORT = re.compile(
    r"(\[)?@((?:fig|tbl|tab|eq|sec|thm|lem|cor|prp|cnj|def|exm|exr|alg)-[A-Za-z0-9_-]*[A-Za-z0-9])(?(1)\])(?![A-Za-z0-9_])"
)


_WITH_NAME = "numref with {name}"


def _push_reference(state: StateInline, content: str) -> None:
    """Push a reference, or a link for one with words of its own: `` {ref}`the roofs <fig-roofline>` ``."""
    before, number, after, target = read_reference(content)
    if "{name}" in before + after:
        state.push("role", "", 0).info = _WITH_NAME
        state.tokens[-1].meta["line_breaks"] = content.count("\n")
        return
    if before and not number:
        state.push("link_open", "a", 1).attrs = {"href": f"#{target}"}
        _push_text(state, before)
        state.push("link_close", "a", -1)
        return
    _push_text(state, before)
    token = state.push("role", "", 0)
    token.info, token.content = "ref", target
    token.meta["line_breaks"] = content.count("\n") - before.count("\n") - after.count("\n")
    _push_text(state, after)


def read_reference(content: str) -> tuple[str, str, str, str]:
    """The words before the number of a reference, the number, those after it, and its target.

    Words without a number are the text of a link.
    """
    words = _WITH_WORDS.fullmatch(content)
    if words is None:
        return "", "", "", content.strip()
    if _NUMBER_ALONE.fullmatch(words[1].strip()) is not None:
        return "", "", "", words[2]
    return (*_partition(words[1]), words[2])


def short_references_in(text: str) -> Iterator[tuple[int, int, str]]:
    """References of Quarto in a text: where each begins and ends, and its target."""
    for found in _SHORT.finditer(text):
        if re.match(r"[A-Za-z0-9_./-]", text[found.start() - 1 : found.start()]) is None:
            yield found.start(), found.end(), found[2]


def _partition(words: str) -> tuple[str, str, str]:
    """Words before and after their number, which `{ref}` writes as `Figure 1`."""
    found = _NUMBER.search(words)
    return (words, "", "") if found is None else (words[: found.start()], found[0], words[found.end() :])


def _push_text(state: StateInline, text: str) -> None:
    for index, line in enumerate(text.split("\n")):
        if index:
            state.push("softbreak", "br", 0)
        if line:
            state.push("text", "", 0).content = line


def short_reference(state: StateInline, silent: bool) -> bool:
    """Inline rule: a reference of Quarto, `@fig-roofline` or `[@eq-roof]`."""
    found = _SHORT.match(state.src, state.pos, state.posMax)
    if found is None or re.match(r"[A-Za-z0-9_./-]", state.src[state.pos - 1 : state.pos]):
        return False
    if not silent:
        _push_reference(state, found[2])
    state.pos = found.end()
    return True


def _cite_number(state: StateInline, content: str) -> bool:
    """Push what `{cite-number}` shows; False without a source."""
    found = number_and_source(content)
    if found is None:
        return False
    number, source = found
    work = target_of_role("p", source) if source.startswith("@") else None
    if not state.md.validateLink(source) or (work is None and source.startswith("@")):
        return False
    state.push("span_open", "data", 1).attrs = {"class": CITE_NUMBER, "value": " ".join(number.split())}
    if "://" in source:
        state.push("link_open", "a", 1).attrs = {"href": state.md.normalizeLink(source)}
    for index, line in enumerate(number.split("\n")):
        if index:
            state.push("softbreak", "br", 0)
        state.push("text", "", 0).content = line.strip()
    if "://" in source:
        state.push("link_close", "a", -1)
    elif work is not None:
        state.push("text", "", 0).content = " "
        push_citation(state, work, source)
    else:
        state.push("footnote_mark", "", 0).info = source
    state.push("span_close", "data", -1)
    return True


def closing_ticks(text: str, ticks: str, start: int, end: int) -> int:
    """Position of the run of exactly these backticks that closes a role; -1 where there is none."""
    at = text.find(ticks, start, end)
    while at >= 0:
        after = at + len(ticks)
        while after < end and text[after] == "`":
            after += 1
        if after - at == len(ticks):
            return at
        at = text.find(ticks, after, end)
    return -1


def role_placeholder(
    name: str,
    content: str,
    line: int,
    context: PlaceholderContext,
    mistakes: Mistakes,
    *,
    others: Collection[str] = (),
) -> Placeholder | None:
    """The placeholder for a role; None, with a diagnostic, for an invalid one. `others` are of extensions."""
    if name == _WITH_NAME:
        fix = "write its words: {numref}`Figure {number}: Eight stacks <fig-hbm>`."
        mistakes.error("role-unknown", "a reference gives a number, and {name} is not filled in", line, fix)
        return None
    if name not in ROLES:
        fix = _FIXES.get(name.lower().partition(":")[0]) or did_you_mean(name, (*ROLES, *sorted(others)))
        mistakes.error("role-unknown", f'there is no role "{name}"', line, fix)
        return None
    if name == CITE_NUMBER:
        message = f'"{shortened(content, _MOST_SHOWN)}" names no source'
        fix = "write a footnote's label or an address after a bar: {cite-number}`4.8 TB/s|label`."
        mistakes.error("cite-number", message, line, fix)
        return None
    if name == "ref":
        if not content:
            mistakes.error("role-empty", "this reference is empty", line, "write {ref}`fig-<id>`.")
            return None
        return Placeholder(kind="ref", target=content, line=line, context=context)
    if name == "control":
        if _CONTROL.fullmatch(content) is None:
            message = f'"{shortened(content, _MOST_SHOWN)}" is not a parameter of a figure'
            fix = "write the figure and the parameter, {control}`wave.n`, or the parameter alone."
            mistakes.error("control-syntax", message, line, fix)
            return None
        return Placeholder(kind="control", target=content, line=line, context=context)
    try:
        figures = figures_read_by(content)
    except ExpressionTooLarge as error:
        message = f'"{shortened(content, _MOST_SHOWN)}" is not evaluated: {error}'
        mistakes.error("value-limit", message, line, "compute it in the figure.")
        return None
    except ExpressionError as error:
        message = f'"{shortened(content, _MOST_SHOWN)}" cannot be evaluated: {error}'
        twin = as_ascii(content)
        in_ascii = f"write {shortened(twin, _MOST_SHOWN)} in ASCII." if twin != content else None
        mistakes.error("eval-syntax", message, line, error.fix or in_ascii or _VALUE_FIX)
        return None
    if (hyphenated := _HYPHENATED.match(content)) is not None:
        message = f'"{hyphenated[0]}" is no name of a figure, and reads as a subtraction'
        meant = hyphenated[0].replace("-", "_") + content[hyphenated.end() :]
        mistakes.error("eval-syntax", message, line, f"write {shortened(meant, _MOST_SHOWN)}.")
        return None
    figures = tuple(
        FigureRequest.of_cells(mistakes.path) if one.figure_id == CELLS else one for one in figures
    )
    kind: PlaceholderKind = "assert" if name == "assert" else "eval"
    return Placeholder(
        kind=kind, target=content, line=line, context=context, figures=tuple(map(str, figures))
    )


def is_assertion(token: Token) -> bool:
    """Whether a token is an `{assert}`, which readers do not see."""
    return token.type == "role" and token.info == "assert"


def fix_of_role(name: str) -> str:
    """What to do about a role that is not written as one."""
    example = _EXAMPLES.get(name, "words")
    return f"write it with ASCII braces, backticks and no space: {{{name}}}`{example}`."


_EXAMPLES = {
    "eval": "name.key",
    "assert": "name.key > 1",
    "control": "wave.n",
    "ref": "fig-name",
    CITE_NUMBER: "4.8 TB/s|label",
}
