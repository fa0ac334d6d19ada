r"""Formulas as other tools write them: fences, `\[…\]`, `\begin{align}`, `\(…\)`, `` $`…`$ ``.

They make the tokens of `$…$` and `$$…$$ (name)`, which `formulas` has.
"""

import re
from typing import NamedTuple

from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

_FENCE = re.compile(r"(`{3,}|~{3,})[ \t]*(?:math|\{math\})[ \t]*$")
_OPTION = re.compile(r":([a-z]+):[ \t]*(.*)$")
_NAMES = ("label", "name")
_BRACKETS = re.compile(r"\\\[(.*)$")
_END_OF_BRACKETS = re.compile(r"\\\][ \t]*(?:\(([^()\s]+)\)[ \t]*)?$")
_ENVIRONMENT = re.compile(
    r"\\begin[ \t]*\{((?:equation|displaymath|math|align|flalign|gather|eqnarray|alignat)\*?)\}"
)
_LABEL = re.compile(r"[ \t]*\\label[ \t]*\{([^{}\s]+)\}[ \t]*\n?")
_SIGN = re.compile(r"\\[A-Za-z]|[\^_{}=+<>|/*]")
"""Something that prose in brackets does not have."""
_ROW = r" \\ "
_PLAIN = re.compile(r"(?:equation|displaymath|math)\*?")


def labelled(latex: str) -> tuple[str, str]:
    r"""A formula without its `\label`, and that label; several labels stay, to be refused."""
    labels = _LABEL.findall(latex)
    return (_LABEL.sub("", latex), labels[0]) if len(labels) == 1 else (latex, "")


def math_fence(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Block rule, before that of code: `math` of GitHub, `{math}` of MyST with its label."""
    if state.is_code_block(start):
        return False
    opening = _FENCE.match(_line(state, start))
    if opening is None:
        return False
    last = start + 1
    while last < end and not _closes(_line(state, last), opening[1]):
        last += 1
    if last == end:
        return False  # it is reported as a fence
    if silent:
        return True
    first, label = start + 1, ""
    while first < last and (option := _OPTION.match(_line(state, first))) is not None:
        label = option[2].strip() if option[1] in _NAMES else label
        first += 1
    text = "\n".join(_line(state, line).rstrip() for line in range(first, last)).strip("\n")
    rows = re.split(r"\n{2,}", text)  # formulas of their own, as in Sphinx
    latex = text if len(rows) == 1 else rf"\begin{{gathered}}{_ROW.join(rows)}\end{{gathered}}"
    latex, written = labelled(latex)
    _push(state, latex, label or written, start, last + 1)
    return True


def _closes(text: str, marks: str) -> bool:
    return text.startswith(marks) and not text.strip(f"{marks[0]} \t")


def bracket_formula(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    r"""Block rule: from `\[` at the start of a line to `\]` at the end of one, without blank lines."""
    opening = None if state.is_code_block(start) else _BRACKETS.match(_line(state, start))
    if opening is None:
        return False
    found = _read_to(_END_OF_BRACKETS, state, start, end, opening.start(1))
    if found is None:
        return False
    latex, label = labelled(found.latex)
    if not latex.strip() or not (latex.isascii() or _SIGN.search(latex)):
        return False
    if not silent:
        _push(state, latex, found.closing[1] or label, start, found.end)
    return True


def environment(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    r"""Block rule: an environment of formulas without dollars, from `\begin{…}` to its `\end{…}`."""
    opening = None if state.is_code_block(start) else _ENVIRONMENT.match(_line(state, start))
    if opening is None:
        return False
    closing = re.compile(rf"\\end[ \t]*\{{{re.escape(opening[1])}\}}[ \t]*$")
    found = _read_to(closing, state, start, end, opening.end())
    if found is None:
        return False
    if not silent:
        latex, label = labelled(found.latex)
        _push(state, _as_one(opening[1], latex), label, start, found.end)
    return True


class _Formula(NamedTuple):
    latex: str
    closing: re.Match[str]
    end: int
    """The line after it."""


def _read_to(
    closing: re.Pattern[str], state: StateBlock, start: int, end: int, first: int
) -> _Formula | None:
    """What is between the position `first` of a line and what closes it in the same paragraph."""
    # A search from a line above found no end in this paragraph, so there is none to find from here.
    searched = state.env.setdefault("unclosed_formulas", {})
    if start < searched.get(closing.pattern, -1):
        return None
    lines: list[str] = []
    for line in range(start, end):
        if state.isEmpty(line) or (line > start and state.sCount[line] < state.blkIndent):
            break
        text = _line(state, line)[first if line == start else 0 :]
        found = closing.search(text)
        lines.append(text if found is None else text[: found.start()])
        if found is not None:
            return _Formula("\n".join(lines), found, line + 1)
    searched[closing.pattern] = start + max(len(lines), 1)
    return None


def _as_one(name: str, latex: str) -> str:
    """The lines of an environment as one formula, which has one number."""
    if _PLAIN.fullmatch(name):
        return latex.strip("\n")
    if name.startswith("alignat"):
        latex = re.sub(r"^[ \t]*\{[0-9]+\}", "", latex)
    inner = "gathered" if name.startswith("gather") else "aligned"
    return f"\\begin{{{inner}}}{latex}\\end{{{inner}}}"


def _push(state: StateBlock, latex: str, label: str, start: int, end: int) -> None:
    token = state.push("display_formula", "", 0)
    token.content, token.info, token.map = latex, label, [start, end]
    state.line = end


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


_INLINE = re.compile(r"\\\(((?:[^\\\n]|\\(?![()])[^\n]){1,1000}?)\\\)")


def parenthesised_formula(state: StateInline, silent: bool) -> bool:
    r"""Inline rule, before that of escapes: `\(x^2\)`. Escaped parentheses in prose stay: `\(2017\)`."""
    if not state.src.startswith("\\(", state.pos):
        return False
    found = _INLINE.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    latex = found[1].strip()
    if _SIGN.search(latex) is None and not (len(latex) == 1 and latex.isascii() and latex.isalpha()):
        return False
    if not silent:
        state.push("formula", "", 0).content = latex
    state.pos = found.end()
    return True


_TICKS = re.compile(r"\$`([^`\n]{1,1000})`\$(?![0-9])")


def ticked_formula(state: StateInline, silent: bool) -> bool:
    """Inline rule, before that of `$…$`: GitHub's `` $`x^2`$ ``."""
    if not state.src.startswith("$`", state.pos):
        return False
    found = _TICKS.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        state.push("formula", "", 0).content = found[1].strip()
    state.pos = found.end()
    return True
