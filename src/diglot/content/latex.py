"""LaTeX that math-core would set otherwise than LaTeX does: obeyed, left out where harmless, or refused."""

import re
from collections.abc import Iterator


class FormulaError(ValueError):
    """LaTeX that cannot be shown: `offset` is the position of the mistake in it, `fix` the remedy."""

    def __init__(self, message: str, offset: int = 0, fix: str | None = None) -> None:
        super().__init__(message)
        self.offset = offset
        self.fix = fix


_LENGTH = r"[-+]?[ \t]*[0-9]*[.,]?[0-9]*[ \t]*(?:pt|em|ex|mu|mm|cm|in|px|bp|pc|dd|cc|sp|\\[A-Za-z]+)"
_TOKEN = re.compile(
    r"(?P<begin>\\begin[ \t]*\{[A-Za-z]+\*?\})(?P<option>\s*\[[tbcm]\])?"
    r"|(?P<end>\\end[ \t]*\{)"
    r"|(?P<row>\\\\|\\(?:newline|cr|tabularnewline)(?![A-Za-z]))"
    rf"(?P<spacing>\*?(?:\s*\[[ \t]*{_LENGTH}[ \t]*\])?)"
    r"|(?P<words>\\(?:text[a-z]*|mbox|hbox|operatorname\*?)\s*\{)"
    r"|(?P<space>\\vspace\*?[ \t]*\{[^{}]*\})"
    r"|(?P<stack>\\substack\s*\{)"
    r"|(?P<starred>\\hspace\*)"
    r"|(?P<reference>\\(?:eqref|ref|autoref|cref|pageref)(?![A-Za-z])\s*(?:\{(?P<label>[^{}]*)\})?)"
    r"|\\[A-Za-z]+|\\.",
    re.DOTALL,
)
_SIGNS = re.compile(r"\\.|[{}]", re.DOTALL)

OTHER_NAMES = {
    **dict.fromkeys(("alignedat", "eqnarray", "flalign", "alignat", "IEEEeqnarray"), "aligned"),
    **dict.fromkeys(("multlined", "multline"), "gathered"),
    **dict.fromkeys(("smallmatrix", "matrix*"), "matrix"),
    "tabular": "array",
}
"""Environments that math-core does not know, each with the one to use."""


_OTHER_COMMANDS = {
    "\\widetilde": "\\tilde",
    **dict.fromkeys(("\\mathbbm", "\\mathds"), "\\mathbb"),
    "\\pmb": "\\boldsymbol",
    "\\mathnormal": "",
    "\\varlimsup": "\\overline{\\lim}",
    "\\varliminf": "\\underline{\\lim}",
    "\\varpropto": "\\propto ",
    "\\smallsetminus": "\\setminus ",
    **dict.fromkeys(("\\dotsc", "\\dotso"), "\\ldots "),
    **dict.fromkeys(("\\dotsb", "\\dotsm", "\\dotsi"), "\\cdots "),
}
"""Commands that math-core does not know, each with one that looks the same."""


_SPLIT = re.compile(r"\\(begin|end)[ \t]*\{split\}")
"""`split` is `aligned` in all but its name."""


def words_in(latex: str) -> Iterator[tuple[int, int]]:
    r"""Where the words begin and end that are inside of `\text{…}` and its kin."""
    position = 0
    while (found := _TOKEN.search(latex, position)) is not None:
        position = found.end()
        if found["words"]:
            end = _closing(latex, position)
            yield position, end
            position = end


def rewritten(latex: str) -> str:
    """The same formula in commands that math-core sets as LaTeX does. Raises FormulaError."""
    if "\\" not in latex:
        return latex
    latex = _SPLIT.sub(r"\\\1{aligned}", latex)
    pieces: list[str] = []
    position = environments = 0
    while (found := _TOKEN.search(latex, position)) is not None:
        pieces.append(latex[position : found.start()])
        position = found.end()
        if found["begin"]:
            environments += 1
            pieces.append(found["begin"])
        elif found["end"]:
            environments -= 1
            pieces.append(found[0])
        elif found["row"]:
            if environments < 1 and latex[position:].strip(" \t\n{}"):
                fix = "put the rows between \\begin{aligned} and \\end{aligned}, or write two formulas."
                raise FormulaError(
                    f"{found['row']} ends no row outside of an environment", found.start(), fix
                )
            pieces.append("\\\\ " if environments > 0 else " ")
        elif found["words"]:
            end = _closing(latex, position)
            pieces.append(_text(found["words"], latex[position:end], position))
            position = min(end + 1, len(latex))
        elif found["reference"]:
            label = found["label"] or "eq:name"
            fix = f"refer to a formula in the text: [](#{label})."
            raise FormulaError(f"{found[0].strip()} refers to nothing inside a formula", found.start(), fix)
        elif found["starred"]:
            pieces.append("\\hspace ")
        elif found["stack"]:
            end = _closing(latex, position)
            lines = rewritten(f"\\begin{{matrix}}{latex[position:end]}\\end{{matrix}}")
            pieces.append(f"{{{lines}}}")
            position = min(end + 1, len(latex))
        elif not found["space"]:
            pieces.append(_OTHER_COMMANDS.get(found[0], found[0]))
    pieces.append(latex[position:])
    return "".join(pieces)


def _closing(latex: str, start: int) -> int:
    """Where the braces close that are open before `start`; the end, if they do not."""
    depth = 1
    for found in _SIGNS.finditer(latex, start):
        if found[0] in "{}":
            depth += 1 if found[0] == "{" else -1
            if depth == 0:
                return found.start()
    return len(latex)


_DOLLAR = re.compile(r"(?<!\\)(?:\\\\)*\$")


def _text(opening: str, words: str, offset: int) -> str:
    """Words as a command of math-core, with formulas between dollars taken out of them."""
    opening = re.sub(r"\\[mh]box\s*", r"\\text", opening)
    dollars = [found.end() - 1 for found in _DOLLAR.finditer(words)]
    if not dollars:
        return f"{opening}{words}}}"
    if len(dollars) % 2:
        raise FormulaError("a single $ inside of words", offset + dollars[-1], "write \\$ for the sign.")
    pieces, position = [], 0
    for opens, closes in zip(dollars[::2], dollars[1::2], strict=True):
        pieces.append(f"{opening}{words[position:opens]}}}" if opens > position else "")
        pieces.append(f"{{{rewritten(words[opens + 1 : closes])}}}")
        position = closes + 1
    pieces.append(f"{opening}{words[position:]}}}" if position < len(words) else "")
    return "".join(pieces)
