r"""Formulas as other tools write them: fences, `\[…\]`, `\begin{align}`, `\(…\)`, `` $`…`$ ``.

They make the tokens of `$…$` and `$$…$$ (name)`, which `formulas` has.
"""

import re

from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

_FENCE = re.compile(r"(`{3,}|~{3,})[ \t]*(?:math|\{math\})[ \t]*$")
_OPTION = re.compile(r":([a-z]+):[ \t]*(.*)$")
_NAMES = ("label", "name")
_BRACKETS = re.compile(r"\\\[(.*)$")
_END_OF_BRACKETS = re.compile(r"(.*?)\\\][ \t]*(?:\(([^()\s]+)\)[ \t]*)?$")
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
    if state.is_code_block(start):
        return False
    opening = _BRACKETS.match(_line(state, start))
    if opening is None or start < state.env.get("unclosed_bracket", -1):
        return False
    lines: list[str] = []
    for line in range(start, end):
        if state.isEmpty(line) or (line > start and state.sCount[line] < state.blkIndent):
            break
        text = opening[1] if line == start else _line(state, line)
        closing = _END_OF_BRACKETS.match(text)
        lines.append(text if closing is None else closing[1])
        if closing is None:
            continue
        latex, label = labelled("\n".join(lines))
        if not latex.strip() or not (latex.isascii() or _SIGN.search(latex)):
            return False
        if not silent:
            _push(state, latex, closing[2] or label, start, line + 1)
        return True
    state.env["unclosed_bracket"] = start + max(len(lines), 1)
    return False


def environment(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    r"""Block rule: an environment of formulas without dollars, from `\begin{…}` to its `\end{…}`."""
    if state.is_code_block(start):
        return False
    opening = _ENVIRONMENT.match(_line(state, start))
    if opening is None or start < state.env.get("unclosed_environment", -1):
        return False
    name, closing = opening[1], re.compile(rf"\\end[ \t]*\{{{re.escape(opening[1])}\}}[ \t]*$")
    lines: list[str] = []
    for line in range(start, end):
        if state.isEmpty(line) or (line > start and state.sCount[line] < state.blkIndent):
            break
        text = _line(state, line)[opening.end() if line == start else 0 :]
        found = closing.search(text)
        lines.append(text if found is None else text[: found.start()])
        if found is None:
            continue
        if not silent:
            latex, label = labelled("\n".join(lines))
            _push(state, _as_one(name, latex), label, start, line + 1)
        return True
    state.env["unclosed_environment"] = start + max(len(lines), 1)
    return False


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
