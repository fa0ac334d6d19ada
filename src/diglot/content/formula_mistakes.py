"""What math-core finds wrong with a formula, in words for its author, with the way to mend it."""

import re
from collections.abc import Callable

from diglot.content.latex import OTHER_NAMES

_QUANTITY = "write the number and the unit: 3\\,\\mathrm{m}."
_RANGE = "write both numbers and the unit: 1\\text{–}5\\,\\mathrm{m}."
_OUTSIDE = "put it outside of the formula: [text](address), or ![text](file.png) for a picture."
_NO_COMMAND = "correct its name; put words into \\text{…} and names of functions into \\operatorname{…}."
_COMMANDS = {
    **dict.fromkeys(("SI", "qty"), _QUANTITY),
    **dict.fromkeys(("si", "unit"), "write the unit: \\mathrm{m}."),
    "num": "write the number alone, as in 2 \\times 10^{3}.",
    "ang": "write the sign of degrees: 30^\\circ.",
    **dict.fromkeys(("SIrange", "qtyrange"), _RANGE),
    "numrange": "write both numbers: 1\\text{–}5.",
    "DeclareMathOperator": "write \\operatorname{name} where it is used.",
    "ce": "write the elements as \\mathrm{H_2O}.",
    **dict.fromkeys(("href", "url", "includegraphics"), _OUTSIDE),
    **dict.fromkeys(("newenvironment", "input", "usepackage"), "delete it: each formula is read by itself."),
}
"""Commands that math-core does not know, each with what to write instead."""
_MISTAKES: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (r'Unknown command "\\(\w+)"', lambda found: _COMMANDS.get(found[1], _NO_COMMAND)),
    (
        r'Unknown environment "([^"]*)"',
        lambda found: f"use {OTHER_NAMES.get(found[1], 'aligned, gathered, cases, array or matrix')}.",
    ),
    (r".* is already a command", "choose another name."),
    (r".* is no command that could be changed", "define it with \\newcommand."),
    (
        "Not valid in text mode",
        "inside of words, write \\_, \\& and \\^{}, and put formulas between dollars: \\text{if $x_1$}.",
    ),
    (
        "Invalid parameter number|Macro parameter|Expected parameter number",
        "write \\# for the sign; name a colour, as in \\textcolor{red}{…}.",
    ),
    ("Duplicate subscript or superscript", "use braces: a_{b_c}, or {a_b}_c."),
    ('Found "&"', "put rows between \\begin{aligned} and \\end{aligned}, or write \\& for the sign."),
    (r'Expected closing token "(.+)"', lambda found: f"add {_closing(found[1])} where it ends."),
    (
        r'Unmatched closing token: "(.+)"',
        lambda found: f"delete it, or write {_opening(found[1])} before it.",
    ),
    ("Expected argument", "write what the command applies to, in braces: x^{2}, \\frac{a}{b}."),
    ("Unknown color", "use the name of a colour, such as red."),
    ("Expected column specification", "write l, c or r for each column: \\begin{array}{cc}."),
    ("There must be a parenthesis", "write a bracket after it, as in \\left( … \\right), or a dot for none."),
    ("Expected the name of a command", "begin the name with a backslash: \\newcommand{\\name}{…}."),
    ("Too many expansions", "define the command without itself."),
)
"""What messages of math-core begin with, each with the way to mend it."""
_ELSE = "correct the LaTeX; put words into \\text{…} and names of functions into \\operatorname{…}."
_NAMED = {
    "This command is already defined": "{} is already a command",
    "This command is not defined": "{} is no command that could be changed",
}


def _closing(token: str) -> str:
    return f"{token})" if token == "\\right" else token


def _opening(token: str) -> str:
    return {"}": "{", "\\right": "\\left("}.get(token, "its beginning")


def explained(message: str, latex: str, offset: int) -> tuple[str, str]:
    """What is wrong at an offset in a formula, by math-core's message, and what to do about it."""
    command = re.match(r"\\(?:[A-Za-z]+|.)", latex[offset:])
    if message in _NAMED and command is not None:
        message = _NAMED[message].format(command[0])
    for pattern, fix in _MISTAKES:
        if (found := re.match(pattern, message)) is not None:
            return message, fix if isinstance(fix, str) else fix(found)
    return message, _ELSE
