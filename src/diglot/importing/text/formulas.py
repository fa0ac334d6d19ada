r"""Converts LaTeX for MathJax and KaTeX: `\\(…\\)`, `\\[…\\]`, `$$…$$` in a line, numbered environments."""

import re
from functools import partial

from diglot.importing.text.body import Body
from diglot.languages import HAN

_PAIRS = (
    (re.compile(r"\\\\\((.+?)\\\\\)", re.DOTALL), "$", True),
    (re.compile(r"\\\\\[(.+?)\\\\\]", re.DOTALL), "$$", True),
    (re.compile(r"(?<!\\)\\\((.+?)(?<!\\)\\\)", re.DOTALL), "$", False),
    (re.compile(r"(?<!\\)\\\[(.+?)(?<!\\)\\\]", re.DOTALL), "$$", False),
)
_DISPLAY = re.compile(r"(?<![\\$])\$\$(?!\$)(.+?)(?<![\\$])\$\$(?!\$)", re.DOTALL)
_INLINE = re.compile(r"(?<![\\$\w])\$(?![$\d])([^$\n]{1,400}?)(?<!\\)\$(?![$\d])")
_NAME = re.compile(r"[ \t]*(?:\{#[^{}\s]+\}|\([^()\s]+\))[ \t]*$")
"""The name of a formula, behind it."""
_LATEX = re.compile(r"\\[A-Za-z]+|[_^=]|\\[{}]")
_HAN_RUN = re.compile(rf"[{HAN}\u3000-\u303f\uff00-\uffef]+")
_WORDS = re.compile(r"\\(?:text[a-z]*|mbox|operatorname\*?)\s*\{[^{}]*\}")


def convert_formulas(body: Body) -> None:
    """Give every formula the one form that diglot reads, with LaTeX that it accepts."""
    for pattern, marks, escaped in _PAIRS:
        body.substitute(pattern, partial(_from_brackets, marks=marks, escaped=escaped))
    body.substitute(_DISPLAY, lambda found: _display(body, found))
    body.substitute(_INLINE, _inline)


def _from_brackets(found: re.Match[str], marks: str, escaped: bool) -> str | None:
    latex = found[1]
    if "\n\n" in latex or "$" in latex or not (escaped or _LATEX.search(latex)):
        return None
    latex = _unescaped(latex) if escaped else latex
    return f"${latex.strip()}$" if marks == "$" else f"$${latex}$$"


def _unescaped(latex: str) -> str:
    r"""LaTeX without backslashes doubled for Markdown: `\\\\` is `\\`, `\\{` is `\{`, `\_` is `_`."""
    latex = re.sub(r"(?<!\\)\\([_*])", r"\1", latex)
    return re.sub(
        r"\\\\(\\\\|[{}|,;:!#%& ])", lambda found: found[1] if len(found[1]) > 1 else f"\\{found[1]}", latex
    )


def _display(body: Body, found: re.Match[str]) -> str | None:
    latex = found[1]
    if "\\\\\\\\" in latex:
        latex = _unescaped(latex)
    text = body.text
    line_start = text.rfind("\n", 0, found.start()) + 1
    line_end = text.find("\n", found.end())
    before = text[line_start : found.start()]
    after = _NAME.sub("", text[found.end() : len(text) if line_end < 0 else line_end])
    if "\n\n" in latex.strip("\n") and before.strip():
        return None
    alone = not before.strip(" \t>") and not after.strip()
    latex = tidy_latex(re.sub(r"\n[ \t>]*(?=\n)", "", latex.strip("\n")))
    if alone:
        many = "\n" in latex
        indent = before if "\n" in latex else ""
        return f"$$\n{indent}{latex.strip()}\n{indent}$$" if many else f"$${latex.strip()}$$"
    if "\n" in latex.strip() or len(latex) > 300:
        return None if before.strip() and after.strip() else f"$${latex.strip()}$$"
    return f"${latex.strip()}$"


def _inline(found: re.Match[str]) -> str | None:
    latex = found[1]
    if latex != latex.strip() and not _LATEX.search(latex):
        return None  # two prices, not a formula
    return f"${tidy_latex(latex.strip())}$" if _LATEX.search(latex) else None


def tidy_latex(latex: str) -> str:
    r"""LaTeX without numbers, labels and comments: `align` becomes `aligned`, words go into `\text{…}`."""
    latex = re.sub(r"\\(begin|end)\{align(?:at)?\*?\}", r"\\\1{aligned}", latex)
    latex = re.sub(r"\\(begin|end)\{(?:gather|multline)\*?\}", r"\\\1{gathered}", latex)
    latex = re.sub(r"\\(?:begin|end)\{(?:equation|displaymath|math)\*?\}", "", latex)
    latex = re.sub(r"\\label\{[^{}]*\}|\\nonumber(?![A-Za-z])|\\notag(?![A-Za-z])", "", latex)
    latex = re.sub(r"\\tag\*?\{([^{}]*)\}", r"\\qquad (\\text{\1})", latex)
    latex = re.sub(r"(?<!\\)((?:\\\\)*)%", r"\1\\%", latex)
    latex = re.sub(r"(?<!\\)((?:\\\\)*)\\(?= )", r"\1~", latex).replace("~ ", "~")
    latex = re.sub(r"(?<!\\)((?:\\\\)*)\\\*", r"\1*", latex)
    latex = re.sub(r"\\dots[bmio](?![A-Za-z])", r"\\cdots", latex)
    kept = [found.span() for found in _WORDS.finditer(latex)]

    def word(found: re.Match[str]) -> str:
        inside = any(start <= found.start() < end for start, end in kept)
        return found[0] if inside else f"\\text{{{found[0]}}}"

    return _HAN_RUN.sub(word, latex)
