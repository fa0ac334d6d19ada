"""What math-core finds wrong with a formula, in words for its author, with the way to mend it."""

import re
from collections.abc import Callable

from diglot.content.latex import OTHER_NAMES

_GROUP = r"\{((?:[^{}]|\{[^{}]*\})*)\}"
_QUANTITY = re.compile(
    r"\\(?P<name>SIrange|qtyrange|numrange|SI|qty|si|unit|num|ang)\s*(?:\[[^\]]*\])?\s*"
    rf"{_GROUP}(?:\s*{_GROUP})?(?:\s*{_GROUP})?"
)
_OF_UNITS = dict(
    re.findall(
        r"(\S+?)=(\S+)",
        """
        kilo=k mega=M giga=G tera=T peta=P exa=E kibi=Ki mebi=Mi gibi=Gi tebi=Ti
        milli=m micro=μ nano=n pico=p centi=c per=/ squared=^2 cubed=^3 percent=\\%
        second=s minute=min hour=h day=d metre=m meter=m gram=g byte=B bit=bit hertz=Hz
        watt=W joule=J volt=V ampere=A kelvin=K celsius=^\\circC
        """,
    )
)
"""Commands of siunitx that make units, each with its sign."""
_OUTSIDE = "put it outside of the formula: [text](address), or ![text](file.png) for a picture."
_NO_COMMAND = "correct its name; put words into \\text{…} and names of functions into \\operatorname{…}."
_COMMANDS = {
    **dict.fromkeys(("SI", "qty"), "write the number and the unit: 3\\,\\mathrm{m}."),
    **dict.fromkeys(("si", "unit"), "write the unit: \\mathrm{m}."),
    "num": "write the number alone, as in 2 \\times 10^{3}.",
    "ang": "write the sign of degrees: 30^\\circ.",
    **dict.fromkeys(("SIrange", "qtyrange"), "write both numbers and the unit: 1\\text{–}5\\,\\mathrm{m}."),
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


_WORDS = re.compile(r"\\(?:text\w*|mathrm|mathit|operatorname\*?)\s*\{[^{}]*\}")
_LONG_SCRIPT = re.compile(r"(?<!\\)([\^_])([0-9]{2,})")
_FUNCTION = re.compile(r"(?<![\\A-Za-z{])(?P<name>sin|cos|tan|log|ln|exp|max|min|lim)(?=\(| [A-Za-z(\\])")


_OPERATORS = {"!=": "\\ne", "<=": "\\le", ">=": "\\ge", "->": "\\to", "=>": "\\Rightarrow", "~=": "\\approx"}
_OPERATOR = re.compile(r"(?<![<>=!~-])(?:!=|<=|>=|->|=>|~=)(?![<>=])")


def slip_in(latex: str) -> tuple[str, str] | None:
    """What a valid formula shows that its author hardly meant, and what to write; None for others."""
    shown = _WORDS.sub("", latex)
    if (script := _LONG_SCRIPT.search(shown)) is not None:
        how = "raised" if script[1] == "^" else "lowered"
        return f'only the first digit of "{script[0]}" is {how}', f"write {script[1]}{{{script[2]}}}."
    if (function := _FUNCTION.search(shown)) is not None:
        name = function["name"]
        return f'"{name}" is shown as a product of letters', f"write \\{name}."
    if (operator := _OPERATOR.search(shown)) is not None:
        return f'"{operator[0]}" is shown as two signs', f"write {_OPERATORS[operator[0]]}."
    return None


def _closing(token: str) -> str:
    return f"{token})" if token == "\\right" else token


def _opening(token: str) -> str:
    return {"}": "{", "\\right": "\\left("}.get(token, "its beginning")


def _plain_quantity(name: str, first: str, second: str, third: str) -> str | None:
    """What siunitx makes of a number and a unit, in commands that there are; None for units not known."""
    if name == "ang":
        return f"{first}^\\circ"
    is_range = name.endswith("range")
    unit = {"num": "", "numrange": "", "si": first, "unit": first}.get(name, third if is_range else second)
    shown = re.sub(r"\\([A-Za-z]+)\s*", lambda found: _OF_UNITS.get(found[1], found[0]), unit).strip()
    if re.search(r"\\[A-Za-z]+", shown.replace("\\circ", "")) is not None:
        return None
    numbers = "" if name in ("si", "unit") else _number(first)
    if is_range:
        numbers += f"\\text{{–}}{_number(second)}"
    return "\\,".join(filter(None, (numbers, f"\\mathrm{{{shown}}}" if shown else ""))) or None


def _number(written: str) -> str:
    """A number of siunitx, which writes powers of ten with an `e`: `2e-3`."""
    return re.sub(r"[eE]([+-]?\d+)$", r" \\times 10^{\1}", written.strip()).removeprefix("1 \\times ")


def explained(message: str, latex: str, offset: int) -> tuple[str, str]:
    """What is wrong at an offset in a formula, by math-core's message, and what to do about it."""
    command = re.match(r"\\(?:[A-Za-z]+|.)", latex[offset:])
    quantity = _QUANTITY.match(latex, offset) if message.startswith("Unknown command") else None
    if quantity is not None and (plain := _plain_quantity(*quantity.groups(""))) is not None:
        return message, f"write {plain}."
    if message in _NAMED and command is not None:
        message = _NAMED[message].format(command[0])
    for pattern, fix in _MISTAKES:
        if (found := re.match(pattern, message)) is not None:
            return message, fix if isinstance(fix, str) else fix(found)
    return message, _ELSE
