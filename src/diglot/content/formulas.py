"""Formulas `$…$` and `$$…$$ (eq:label)`: LaTeX in Markdown, MathML in HTML.

The only module that knows math-core. It avoids three pitfalls: a bare `%` would comment out the rest, each
bare Han character would become a variable, and three accents come as combining characters that browsers put
next to their letter.
"""

import functools
import re

from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

from diglot.characters import code_of, forbidden_in
from diglot.content.formula_mistakes import explained
from diglot.content.formula_spellings import labelled
from diglot.content.latex import FormulaError, rewritten, words_in
from diglot.content.limits import DEEPEST_FORMULA, LONGEST_FORMULA, MOST_UNCLOSED
from diglot.content.twins import as_ascii
from diglot.dollars import formula_at
from diglot.invariants import certain
from diglot.languages import HAN

_COMMENT = re.compile(r"(?<!\\)(?:\\\\)*(%)")
_BARE_WORDS = rf"[{HAN}\u3000-\u303f\uff00-\uffef]+"  # compiled at the first formula: 1 ms
_ENDS_OF_SENTENCES = ",.;:!?"
_CJK_MARKS = re.compile(r"[\u3000-\u303f\uff00-\uffef]")
_LATEX = re.compile(r"\\[A-Za-z]|[\^_{}=<>≤≥≠≈≡∈∉⊂⊆→⇒×÷·±∑∏∫√∞∀∃]")
_NUMBERED = re.compile(r"\\begin\{(equation|align|gather|multline)\}|\\(tag|label)\b")
_NESTING = re.compile(
    r"(?P<opens>\\(?:begin|left)(?![a-zA-Z])|(?<!\\)(?:\\\\)*\{)|\\(?:end|right)(?![a-zA-Z])|(?<!\\)(?:\\\\)*\}"
)
_ERROR = re.compile(r"(?:(\d+): )?(.*)", re.DOTALL)


@functools.lru_cache(maxsize=4096)
def formula_html(latex: str, *, display: bool) -> str:
    """A formula as a `<math>` element. Raises FormulaError."""
    if len(latex) > LONGEST_FORMULA:  # before any other check reads it
        raise FormulaError(
            f"the formula has {len(latex):,} characters", fix="split it into several formulas."
        )
    if (character := forbidden_in(latex)) is not None:
        message = f"the formula contains the character {code_of(character)}, which is not allowed on pages"
        raise FormulaError(message, latex.index(character), "delete it.")
    if found := _COMMENT.search(latex):
        raise FormulaError("a bare % begins a comment in LaTeX", found.start(1), "write \\%.")
    if not latex.isascii() and (found := _bare_words(latex)):
        fix = f"write \\text{{{found.group()}}}."
        if _LATEX.search(latex) is None:  # more likely the text between two prices
            money = "write \\$ for each dollar sign."
            has_marks = _CJK_MARKS.search(found.group()) is not None
            fix = money if has_marks else f"{fix[:-1]}; for money, {money}"
        twin = as_ascii(latex)
        if re.search(_BARE_WORDS, twin) is None and twin[-1] not in _ENDS_OF_SENTENCES:
            twin = re.sub(r"(?<=[0-9]),(?=[0-9]{3}(?![0-9]))", "{,}", twin)
            fix = f"write {twin} in ASCII." if twin.isascii() else f"write {twin} with ASCII marks."
        raise FormulaError(f'"{found.group()}" would be typeset as variables', found.start(), fix)
    if found := _NUMBERED.search(latex):
        if found[2]:
            fix = "leave it out, and write the name after the formula, as in $$ … $$ (eq:name)."
            raise FormulaError(f"{found.group()} has no effect here", found.start(), fix)
        fix = "use aligned or gathered, and number the formula as in $$ … $$ (eq:name)."
        raise FormulaError(f"{found.group()} numbers its lines itself", found.start(), fix)
    _refuse_deep(latex)
    _refuse_unclosed(latex)
    if not latex.strip():
        raise FormulaError("the formula is empty")
    import math_core  # noqa: PLC0415  (only articles with formulas need it)

    converter, obeyed = _converter(), rewritten(latex)
    try:
        mathml = converter.convert_with_local_state(obeyed, displaystyle=display)
    except math_core.LatexError as error:
        parts = certain(_ERROR.fullmatch(str(error)), "math-core says where a mistake is")
        offset = int(parts.group(1) or 0)
        message, fix = explained(parts.group(2).rstrip("."), obeyed, offset)
        raise FormulaError(message, offset, fix) from None
    return _without_styles(_with_spacing_accents(mathml)).replace("</msqrt>", f"{_STRUT}</msqrt>")


def _bare_words(latex: str) -> re.Match[str] | None:
    """The first words beyond ASCII that are not marked as words."""
    spans = [*words_in(latex)]
    for found in re.finditer(_BARE_WORDS, latex):
        if not any(start <= found.start() < end for start, end in spans):
            return found
    return None


_STRUT = '<mspace height="0.75em" depth="0.2em"/>'
"""As high as a line, in a root: else Chromium hangs the sign from the letter, far below the line. It is
last, where it changes no sign in front of a number."""


def _refuse_deep(latex: str) -> None:
    """Raise FormulaError where braces, brackets and environments are nested too deeply."""
    opening = latex.count("{") + latex.count("\\left") + latex.count("\\begin")
    if opening <= DEEPEST_FORMULA:
        return
    depth = 0
    for found in _NESTING.finditer(latex):
        depth = depth + 1 if found["opens"] else max(0, depth - 1)
        if depth > DEEPEST_FORMULA:
            message = f"more than {DEEPEST_FORMULA} nested braces, brackets and environments"
            raise FormulaError(message, found.start(), "close the open ones, or nest fewer.")


_FENCE_NAMES = (
    "brace|brack|paren|angle|ang|vert|Vert|floor|ceil|group|moustache|Brace|Brack|bracket|Angle|corner"
)
_FENCES = re.compile(
    rf"(?P<opens>\\\{{|\\(?:l|ll|ul)(?:{_FENCE_NAMES})(?![a-zA-Z])|[(\[⟨⌈⌊⟦⟪⌜⌞])"
    rf"|(?P<closes>\\\}}|\\(?:r|rr|lr|ur)(?:{_FENCE_NAMES})(?![a-zA-Z])|[)\]⟩⌉⌋⟧⟫⌝⌟])"
    r"|(?P<begins>\{)|(?P<ends>\})|\\[a-zA-Z]+|\\."
)


def _refuse_unclosed(latex: str) -> None:
    """Raise FormulaError where too many parentheses are not closed inside their own braces."""
    inside, unclosed = [0], 0
    for found in _FENCES.finditer(latex):
        match found.lastgroup:
            case "opens":
                inside[-1] += 1
            case "closes":
                inside[-1] = max(0, inside[-1] - 1)
            case "begins":
                inside.append(0)
            case "ends" if len(inside) > 1:
                unclosed += inside.pop()
        if unclosed + sum(inside) > DEEPEST_FORMULA or unclosed > MOST_UNCLOSED:
            break
    if unclosed + sum(inside) > MOST_UNCLOSED:
        message = f"more than {MOST_UNCLOSED} parentheses or brackets are never closed"
        raise FormulaError(message, fix="close them, or split the formula.")


@functools.cache
def _converter():  # type: ignore[no-untyped-def]  # math-core is a compiled module
    import math_core  # noqa: PLC0415  (only articles with formulas need it)

    return math_core.LatexToMathML(fancy_error=False)


def _with_spacing_accents(mathml: str) -> str:
    """Replace combining arrows and lines by the stretching characters that MathML expects.

    The one named character is replaced, too: feeds are XML, which does not know its name.
    """
    mathml = mathml.replace("&ApplyFunction;", "\u2061")
    if "\u20d7" not in mathml and "\u0332" not in mathml:
        return mathml
    mathml = mathml.replace("\u20d7", "→")
    mathml = re.sub("\u0332(</mo></mover>)", r"‾\1", mathml)
    return mathml.replace("\u0332", "_")


_STYLE = re.compile(r'(?<= )style="([^"]*)"')
_COLOUR = re.compile(r"color:(#\w+)")
_SIDES = ("left", "right", "top", "bottom")
_CLASSES = {
    **dict.fromkeys(("text-align:left", "justify-items:start"), "left"),
    **dict.fromkeys(("text-align:right", "justify-items:end"), "right"),
    **{f"padding-{side}:0": f"tight-{side}" for side in _SIDES},
    **{f"padding-{side}:0.1em": f"near-{side}" for side in ("left", "right")},
    **{"padding-left:1em": "far-left", "padding-top:0.1667em": "low"},
    **{f"border-{side}:0.05em solid currentcolor": f"line-{side}" for side in _SIDES},
    **{f"border-{side}:0.05em dashed currentcolor": f"dashes-{side}" for side in _SIDES},
}
"""What math-core writes into `style`, which a page's policy may forbid, and the theme's classes for it."""


def _without_styles(mathml: str) -> str:
    return _STYLE.sub(_as_classes, mathml) if ' style="' in mathml else mathml


def _as_classes(style: re.Match[str]) -> str:
    declared = [re.sub(r"\s*:\s*", ":", one.strip()) for one in style[1].split(";") if one.strip()]
    if len(declared) == 1 and (colour := _COLOUR.fullmatch(declared[0])):
        return f'mathcolor="{colour[1]}"'
    if not all(one in _CLASSES for one in declared):
        return style[0]
    return f'class="{" ".join(dict.fromkeys(_CLASSES[one] for one in declared))}"'


def inline_formula(state: StateInline, silent: bool) -> bool:
    """Inline rule: `$…$`, unless the signs are those of money, as in `$5 和 $6`.

    `$$…$$` inside a line is accepted, too, with a warning.
    """
    text, start, end = state.src, state.pos, state.posMax
    if text[start] != "$":
        return False
    found = formula_at(text, start, end)
    if found is None:
        return False
    if not silent:
        token = state.push("formula", "", 0)
        token.content = text[found.first : found.closing]
        token.markup = "$" * found.width
    state.pos = found.after
    return True


_CLOSING = re.compile(r"^(.*?)\$\$[ \t]*(?:(?:\(([^()\s]+)\)|\{#([^{}\s]+)\})[ \t]*)?$")


def display_formula(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Block rule: from `$$` at the start of a line to `$$` at the end of one, without blank lines between."""
    if state.is_code_block(start):
        return False
    begin = state.bMarks[start] + state.tShift[start]
    if not state.src.startswith("$$", begin):
        return False
    # A search from a line above found no end in this paragraph, so there is none to find from here.
    if start < state.env.get("unclosed_formula", -1):
        return False
    lines: list[str] = []
    for line in range(start, end):
        if state.isEmpty(line) or (line > start and state.sCount[line] < state.blkIndent):
            break
        first = begin + 2 if line == start else state.bMarks[line] + state.tShift[line]
        text = state.src[first : state.eMarks[line]]
        found = _CLOSING.match(text)
        if found is None:
            lines.append(text)
            continue
        lines.append(found.group(1))
        if silent:
            return True
        token = state.push("display_formula", "", 0)
        token.content, label = labelled("\n".join(lines))
        token.info = found.group(2) or found.group(3) or label
        token.map = [start, line + 1]
        state.line = line + 1
        return True
    state.env["unclosed_formula"] = max(start + len(lines), start + 1)
    return False
