"""Code, formulas, commands and numbers that are shown as they are written."""

import re

from diglot.content.foreign_names import fix_of_command
from diglot.content.leftovers.finding import LONGEST_SHOWN, TWIN, Advice, Place
from diglot.content.leftovers.remainder import OTHER
from diglot.diagnostics import shortened
from diglot.languages import HAN


def backticks(place: Place) -> Advice | None:
    """A backtick without another, or full-width ones."""
    if "｀" not in place.text:
        return Advice(
            "it begins or ends no code",
            "write as many backticks after the code as before it; for the character, \\`.",
        )
    if (inside := place.match["inside"]) is None:
        return Advice("full-width backticks make no code", "write `code` with ASCII backticks.", (), TWIN)
    new = f"`{place.group('inside')}`" if "`" not in inside else ""
    return Advice(
        "full-width backticks make no code",
        f"write {new or '`code`'}.",
        place.becomes(new) if new else (),
        TWIN,
    )


def dots(place: Place) -> Advice | None:
    """`·code·`, `´code´`."""
    new = f"`{place.group('inside')}`"
    return Advice("these marks make no code", f"write {new}.", place.becomes(new), TWIN)


def money(place: Place) -> Advice | None:
    """`￥x￥`."""
    if not place.has_twins("mark", "last"):
        return None
    new = f"${place.match['inside'].strip()}$"
    return Advice("only $ begins and ends a formula", f"write {new}.", place.becomes(new), TWIN)


def spaced_formula(place: Place) -> Advice | None:
    """`$ x $`."""
    inside = place.group("inside")
    if inside == inside.strip() or place.text[0] != "$" or _WORDS.search(_TEXT.sub("", inside)):
        return None  # with words between them, these dollars are of two formulas
    new = f"${inside.strip()}$"
    return Advice("a formula has no space just inside its dollars", f"write {new}.", place.becomes(new))


_TEXT = re.compile(r"\\text\{[^{}]*\}")
_WORDS = re.compile(f"[{HAN}]")


def escaped_brackets(place: Place) -> Advice | None:
    r"""`\[x^2\]` inside a line, whose backslashes Markdown takes away."""
    marks = place.left.markups.get(place.start), place.left.markups.get(place.end - 1)
    if marks not in (("\\[", "\\]"), ("\\(", "\\)")) or not _LATEX.search(place.group("inside")):
        return None
    fix = f"write ${place.group('inside').strip()}$, or put the brackets on lines of their own."
    return Advice("its backslashes show brackets, and begin no formula inside a line", fix)


_LATEX = re.compile(r"\\[A-Za-z]|\^[\w{(]|(?<![A-Za-z])[A-Za-z]_[\w{]|(?<![\w-])[A-Za-z] = [\w(\\]", re.ASCII)


def latex(place: Place) -> Advice | None:
    """A dollar before LaTeX that has no other."""
    if place.text != "$":
        return None
    why = "this dollar begins no formula"
    fix = "end the formula with a $ in the same paragraph, without a space just inside; for the sign, \\$."
    return Advice(why, fix, (), "formula-left-over")


def end_of_latex(place: Place) -> Advice | None:
    """A dollar after LaTeX that has no other."""
    fix = "begin the formula with a $ in the same paragraph, without a space just inside; for the sign, \\$."
    return Advice("this dollar ends no formula", fix)


def beside_formula(place: Place) -> Advice | None:
    """A dollar that is glued to a formula: `$$x$`."""
    beside = place.left.markups.get(place.start - 1), place.left.markups.get(place.end)
    if "$…$" not in beside:
        return None
    fix = "write one dollar on each side, or two alone on the lines above and below; for the sign, \\$."
    return Advice("there is a dollar too many, or too few", fix)


def beside_digits(place: Place) -> Advice | None:
    """`5$y$`, `$n$2`: what a digit next to the dollars makes prices."""
    inside, behind = place.group("inside"), place.group("behind")
    if inside != inside.strip() or (place.match["before"] is None and not behind):
        return None
    why = "a digit next to a dollar makes it the sign of a price"
    if place.match["before"] is None:
        return Advice(why, f"write ${inside}$ {behind}, with a space.")
    line = place.left.text[: place.start]
    number = line[len(line.rstrip("0123456789.,")) :].lstrip(".,")
    return Advice(why, f"write ${number}{inside}{' ' if behind else ''}{behind}$.")


_BEFORE_FORMULA = ("\\(", "\\[", "\\begin{", "$")
"""What is reported itself, with all that is after it."""


_REFERENCES = ("eqref", "ref", "autoref", "cref", "Cref", "pageref", "nameref")
_MARKDOWN_OF = {"textbf": "**", "textit": "*", "emph": "*", "texttt": "`"}


def command(place: Place) -> Advice | None:
    """A command of LaTeX outside of formulas: `\\cite{a}`, `\\textbf{a}`."""
    name, inside = place.match["name"], place.group("inside")
    line = place.left.written(place.left.text.rfind("\n", 0, place.start) + 1, place.start)
    if (fix := fix_of_command(name)) is None or any(mark in line for mark in _BEFORE_FORMULA):
        return None
    if (mark := _MARKDOWN_OF.get(name)) is None or not inside:
        if name in _REFERENCES and inside.startswith("eq:"):
            fix = f"write [](#{inside})."
        return Advice("it is a command of LaTeX", fix)
    new = f"{mark}{inside}{mark}"
    return Advice("it is a command of LaTeX", f"write {shortened(new, LONGEST_SHOWN)}.", place.becomes(new))


def script(place: Place) -> Advice | None:
    """`x_{i}` without dollars."""
    return Advice(
        "LaTeX outside of $ is not a formula", "write $…$ around the formula, or `code` if it is code."
    )


def backslash(place: Place) -> Advice | None:
    """A backslash at the end of a paragraph."""
    if place.end < len(place.left.text.rstrip()):
        return None
    return Advice("a backslash at the end of a paragraph breaks no line", "delete it.", place.becomes(""))


def two_backslashes(place: Place) -> Advice | None:
    """Two backslashes for a new line, as in LaTeX: readers see one of them."""
    word = place.left.text[: place.start].rpartition(" ")[2]
    if place.left.markups.get(place.start) != "\\\\" or word.endswith(":") or OTHER in word:
        return None  # the end of a path
    return Advice("two backslashes show one and break no line", "end the line with one backslash.")


def noise(place: Place) -> Advice | None:
    """`0.30000000000000004`: digits that rounding of binary fractions has left."""
    rounded = f"{float(place.match[0]):.12g}"
    return Advice("its last digits are a computer's rounding", f"write {rounded}.", place.becomes(rounded))
