"""Hostile expressions, and numbers that are easily printed wrong. Each kind is a function or a line."""

import random
import struct
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

DATA = {
    "v": 2.5,
    "n": 3,
    "whole": 2**63 + 1,
    "tiny": 4.2e-6,
    "text": "abc",
    "long": "x" * 9_000,
    "list": [1, 2.5, 3],
    "mixed": [1, "a", None, True, 2.5],
    "truths": [True, False],
    "empty": [],
    "nested": [[1], {"a": 1}],
    "nothing": None,
    "truth": True,
    "deep": {"a": {"b": {"c": 1}}},
    "many": list(range(20_000)),
}

ESCAPES = """
"".__class__.__mro__
f.__class__
f.__init__.__globals__
f.v.__class__
f.list.__class__.__base__.__subclasses__()
f["__class__"]
f.list["__class__"]
f|attr("__class__")
f.v|attr("real")
f.list|map(attribute="__class__")|list
f.list|sum(attribute="__class__")
f.list|max(attribute="__class__")
f.list|min(attribute="real")
f.list|join(",", "__class__")
f.list|join(attribute="__class__")
f.list|first(attribute="x")
f.list|selectattr("x")
f.list|groupby("__class__")
f.list|sort
f.list|list
f.text.format(f)
f.text.format_map(f)
"{0.__class__}".format(f)
"{0.__init__.__globals__}".format(f)
"%s" % f
"%(v)s" % f
"%c" % 65
("%s" % f).__class__
f.text.join(f.list)
f.text.upper()
f.text.encode()
f.list.append(1)
f.list.sort()
f.list.values
f.list.path
f.deep.values()
f.deep._values
f.deep.items()
f.keys()
f.path
f.named()
f.asked_for("x")
f._requests
f()()
f().__class__
f(x=f)
f(x=f.v)
f(*f.list)
f(**f.deep)
f("x")
f(x=[1])
f(x={})
f(x=none)
f(x=1, x=2)
(f)(x=1)
(f.v)(x=1)
lipsum.__globals__
lipsum()
cycler.__init__
range(10)
range(10**9)|list
dict(a=1)
namespace(a=1)
joiner()
self
self.__init__
loop
varargs
kwargs
caller()
request
config
get_flashed_messages.__globals__
_
__import__("os")
open("/etc/passwd")
print(1)
eval("1")
exec("1")
lambda: 1
f.v if f.v is callable
f.v is defined
f.v is sameas(f.v)
f.v is mapping
f is filter("x")
{"a": 1}
{"a": 1}["a"]
{1, 2}
[x for x in f.list]
f.v := 1
f.v = 1
{% set a = 1 %}
{% for x in f.list %}x{% endfor %}
f.v }}{{ f.v
f.v %}
}}
{{
{#
{# f.v #}
f.v #}
## f.v
# f.v
f.v {#
-%}
import os
f.v;f.v
f.v, f.v
f.v f.v
f..v
.v
f.
f[
f[]
f[1,2]
f[::0]
f.list[::0]
f.list["a"]
f.list[1.0]
f.list[true]
f.list[99999999999999999999]
f.list[-99]
f[none]
f[[1]]
f[f]
f[f.list]
f|
f|number(
f|1
f|"a"
f.v|number|number
f.v|f
f.v|__class__
f.v|number.__class__
f.v|number(*f.list)
f.v|number(**f.deep)
f.v|number(f.list)
f.v|number(f)
f.v|number("1")
f.v|number(1.5)
f.v|number(true)
f.v|number(-1)
f.v|number(16)
f.v|number(10**9)
f.v|number(none)
f.v|number(digits=1, digits=2)
f.v|number(1, digits=2)
f.v|si
f.v|si(1)
f.v|si(none)
f.v|si(f.list)
f.v|si("B", "x")
f.v|si("")
f.v|unit
f.v|unit("")
f.v|unit(1)
f.v|unit("parsec")
f.v|unit(f)
f.v|large("x")
f.v|percent("x")
f.v|round("x")
f.v|round(99)
f.v|round(1, "up")
f.v|round(1, f)
f.v|join
f.list|join(1)
f.list|join(f.list)
f.mixed|join(",")
f.nested|join(",")
f.mixed|sum
f.mixed|max
f.mixed|min
f.truths|sum
f.truths|max
f.nested|max
f.nested|sum
f.empty|max
f.empty|min
f.empty|first
f.empty|last
f.deep|max
f.deep|first
f.deep|sum
f.text|max
f.text|sum
f.text|first
f.text|int
f.text|float
f.nothing|int
f.nothing|float
f.truth|int
f.truth|float
f.list|int
f.v|upper
f.v|length
f.nothing|length
f.nothing
f.nothing ~ "a"
f.list
f.deep
f
f.nested|first
f.nested|last
f.truth + 1
f.truth * 3
-f.truth
-f.text
+f.text
f.text + 1
f.text * 2
f.text - f.text
f.text / 2
f.text % 2
f.text ** 2
f.list + f.list
f.list * 2
f.list < f.list
f.text < 1
f.nothing < 1
f.list == f.list
f.deep == f.deep
1 in 1
f.list in f.list
1 / 0
1 % 0
1 // 0
1.5 / 0
0 ** -1
0.0 ** -1
(-8) ** (1 / 3)
(-8) ** 0.5
-2 ** 2
2 ** 3 ** 2
1 if false
ｆ.v
f．v
f.v｜number
ꜰ.v
𝐟.v
''' + 1
'
"
"\\
0x
0b2
1__0
1_
08
1e
1.e5.5
٣
f.v\x00
"\\x00"
"\\ud800"
"\\ufffe" ~ f.v
\x00
\ufeff
\u2028
f.\u200bv
$
@f
!f.v
~f.v
f.v ~
f.v ?
f->v
f::v
""".strip("\n").split("\n")
"""Each is refused with a diagnostic, in whatever place."""

LIMITS: dict[str, Callable[[random.Random], str]] = {
    "power": lambda draw: f"{draw.choice(['f.v', 'f.n', '9', '2', '1.5'])} ** {draw.randint(10**5, 10**12)}",
    "power of a power": lambda draw: f"(9 ** {draw.randint(3000, 4000)}) ** {draw.randint(3, 10**9)}",
    "negative power": lambda draw: (
        f"{draw.choice(['9', '2', '10', '1.5'])} ** -{draw.randint(10**4, 10**12)}"
    ),
    "power in brackets": lambda draw: f"9 ** (9 ** {draw.randint(8, 99)})",
    "product of powers": lambda draw: " * ".join([f"(9 ** {draw.randint(3000, 4400)})"] * 2),
    "beyond decimals": lambda draw: f"1e308 * {draw.randint(2, 10**6)}",
    "sum beyond decimals": lambda _: "1e308 + 1e308",
    "literal": lambda draw: f"1e{draw.randint(309, 10**6)}",
    "vanishing product": lambda draw: f"1e-{draw.randint(200, 300)} * 1e-{draw.randint(200, 300)}",
    "vanishing quotient": lambda draw: f"1 / 10 ** {draw.randint(350, 4000)}",
    "vanishing text": lambda draw: f'"1e-{draw.randint(400, 9999)}" | float',
    "huge text": lambda draw: f'"1e{draw.randint(400, 9999)}" | float',
    "text times": lambda draw: f'"{"x" * draw.randint(1, 9)}" * 10 ** {draw.randint(2, 12)}',
    "times text": lambda draw: f'{draw.randint(10**6, 10**12)} * "x"',
    "list times": lambda draw: f"[0] * 10 ** {draw.randint(6, 12)}",
    "list of lists": lambda draw: f"[[0] * 10] * {draw.randint(10**6, 10**12)}",
    "width": lambda draw: f'"%{draw.randint(10**8, 10**12)}d" % 1',
    "precision": lambda draw: f'"%.{draw.randint(10**8, 10**9)}f" % 1',
    "width by format": lambda draw: f'"{{:>{draw.randint(10**8, 10**12)}}}".format(1)',
    "long text": lambda draw: " ~ ".join(["f.long"] * draw.randint(2, 50)),
    "long sum of texts": lambda draw: " + ".join(["f.long"] * draw.randint(2, 50)),
    "long join": lambda draw: f'f.many | join("{"x" * draw.randint(1, 100)}")',
    "joined by a long text": lambda _: "f.many | join(f.long)",
    "many sums": lambda draw: "+".join(["(f.many|sum)"] * draw.randint(58, 70)),
    "list of many sums": lambda _: "[" + ",".join(["f.many|sum"] * 85) + "]|max",
    "characters": lambda draw: "1" * draw.randint(1001, 10**5),
    "characters of a text": lambda draw: '"' + "x" * draw.randint(1001, 10**5) + '"',
    "brackets": lambda draw: (n := draw.randint(21, 499)) and "(" * n + "1" + ")" * n,
    "lists": lambda draw: (n := draw.randint(21, 499)) and "[" * n + "1" + "]" * n,
    "open brackets": lambda draw: draw.choice("([{") * draw.randint(21, 10**5),
    "indices": lambda draw: "f" + "[f" * draw.randint(21, 300),
    "not": lambda draw: "not " * draw.randint(61, 240) + "1",
    "signs": lambda draw: draw.choice("-+") * draw.randint(61, 990) + "1",
    "sum": lambda draw: "+".join("1" * draw.randint(62, 499)),
    "powers": lambda draw: "**".join("1" * draw.randint(3, 300)),
    "path": lambda draw: "f" + ".a" * draw.randint(61, 499),
    "filters": lambda draw: "f.v" + "|abs" * draw.randint(61, 240),
    "choices": lambda draw: "1 if 0 else " * draw.randint(61, 80) + "1",
    "or": lambda draw: " or ".join("0" * draw.randint(62, 200)),
    "calls": lambda draw: "f" + "()" * draw.randint(2, 400),
    "parameters": lambda draw: "f(" + ",".join(f"a{n}={n}" for n in range(draw.randint(1, 100))) + ").v",
    "name": lambda draw: "f" * draw.randint(2, 1000),
    "key": lambda draw: f'f["{"k" * draw.randint(1, 900)}"]',
    "filter's name": lambda draw: "f.v|" + "x" * draw.randint(1, 900),
}
"""Each is refused, in bounded time and memory."""


def expression_from(draw: random.Random) -> str:
    """Pieces of expressions in any order: most are nonsense, and each may only fail with a diagnostic."""
    pieces = ["f", ".v", ".tiny", ".list", ".text", "|", "number", "(", ")", "[", "]", "0", "1.5", "1e300"]
    pieces += [
        "-",
        "+",
        "*",
        "/",
        "//",
        "%",
        "**",
        "~",
        " if ",
        " else ",
        " and ",
        " or ",
        "not ",
        " in ",
        ",",
    ]
    pieces += [
        "==",
        "<",
        '"',
        "'",
        "}",
        "{",
        ":",
        " is ",
        "none",
        "true",
        "sum",
        "round",
        "si",
        '"B"',
        "max",
        "=",
        "\\",
    ]
    return "".join(draw.choice(pieces) for _ in range(draw.randint(1, 14)))


def float_from(draw: random.Random) -> float:
    """Any finite float: from random bits, by its exponent, or close to a rounding boundary."""
    match draw.randrange(7):
        case 0:
            while True:
                (value,) = struct.unpack("<d", draw.randbytes(8))
                if value - value == 0:
                    return float(value)
        case 1:
            return draw.choice([-1, 1]) * draw.random() * 10.0 ** draw.randint(-20, 20)
        case 2:
            return draw.choice([-1, 1]) * draw.randint(1, 9999) * 10.0 ** draw.randint(-12, 12)
        case 3:
            return draw.choice([-1, 1]) * (1 - 2.0 ** -draw.randint(1, 53)) * 10.0 ** draw.randint(-30, 30)
        case 4:
            return draw.choice([-1, 1]) * (draw.randint(0, 2000) + 0.5) / 10 ** draw.randint(0, 6)
        case 5:
            return draw.choice([-1, 1]) * 2.0 ** draw.randint(-1074, 1023)
        case _:
            return draw.choice(
                [0.0, -0.0, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 1e16, 1e-4]
            )


def whole_from(draw: random.Random) -> int:
    """Any integer: small, about 2^53, or with thousands of digits."""
    match draw.randrange(4):
        case 0:
            return draw.randint(-2000, 2000)
        case 1:
            return draw.choice([-1, 1]) * (2**53 + draw.randint(-3, 3))
        case 2:
            return draw.choice([-1, 1]) * draw.randrange(10 ** draw.randint(1, 40))
        case _:
            return draw.choice([-1, 1]) * draw.randrange(10 ** draw.randint(1, 4300))


_SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_WORDS = {"thousand": 3, "million": 6, "billion": 9, "万": 4, "亿": 8}
_SI = dict(zip([*"qryzafpnµm", "", *"kMGTPEZYRQ"], range(-30, 31, 3), strict=True))


def read_back(text: str, *, unit: str = "") -> Fraction:
    """The number that a reader understands from a text."""
    text = text.replace("\N{NO-BREAK SPACE}", " ").replace(",", "").replace("\N{MINUS SIGN}", "-")
    power = 0
    if unit == "%":
        text, power = text.removesuffix("%"), -2
    elif unit == "words":
        for word, zeros in _WORDS.items():
            if text.endswith(word):
                text, power = text.removesuffix(word).strip(), zeros
    elif unit:
        text, _, prefix = text.removesuffix(unit).rpartition(" ")
        power = _SI[prefix]
    if " × 10" in text:
        text, _, exponent = text.partition(" × 10")
        power += int(exponent.translate(_SUPERSCRIPTS))
    return Fraction(Decimal(text)) * Fraction(10) ** power
