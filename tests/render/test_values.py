"""Values in prose: paths into a figure's data, formats, and messages about mistakes."""

import json

import pytest

from diglot.diagnostics import Diagnostic, DiagnosticError
from diglot.render.values import Values, is_quantity

DATA = {
    "roofline": {
        "h200": {"ridge": 206.04, "peak": 989.4e12, "bandwidth": 4.8e12, "name": "H200", "chips": 8},
        "share": 0.966,
        "items": [3, 1, 2],
        "tiny": 0.0000042,
        "memory": 80 * 2**30,
        "nothing": None,
        "loss": -1500.5,
    },
    "named": {
        "year": 2026,
        "release_year": 2024.0,
        "years": [2022, 2023],
        "port": 8080,
        "phone": 13800138000,
        "tokens_per_year": 2048,
        "start": 2026,
        "sum": 0.1 + 0.2,
        "product": 1.1 * 1.1 * 1.1,
        "third": 1 / 3,
    },
    "roofline?dtype=fp8": {"h200": {"peak": 1979e12}},
    "mxu?sparse=true": {"peak": 1},
}


def text(expression: str, language: str = "en") -> str:
    values = Values(language, {name: json.dumps(data).encode() for name, data in DATA.items()})
    return values.text(expression, path="content/posts/a/en.md", line=7)


def mistake(expression: str):
    with pytest.raises(DiagnosticError) as caught:
        text(expression)
    (diagnostic,) = caught.value.diagnostics
    assert str(diagnostic.location) == "content/posts/a/en.md:7"
    assert diagnostic.source_line == f"{{eval}}`{expression}`"
    return diagnostic


@pytest.mark.parametrize(
    ("expression", "shown"),
    [
        ("roofline.h200.ridge | number(0)", "206"),
        ("roofline.h200.ridge | number(1)", "206.0"),
        ("named.year", "2026"),
        ("named.year + 1", "2027"),
        ("1 + named.year", "2027"),
        ("named.year - 1", "2025"),
        ("named.year - named.years[0]", "4"),
        ("named.year * 1", "2,026"),
        ("named.year | number", "2026"),
        ("named.year | number(1)", "2,026.0"),
        ('"v" ~ named.year', "v2026"),
        ("named.release_year", "2024"),
        ("named.release_year | plain", "2024"),
        ("named.years[0]", "2022"),
        ("named.years | last", "2023"),
        ("named.years | max", "2023"),
        ('named.years | join(", ")', "2022, 2023"),
        ("named.tokens_per_year", "2,048"),
        ("named.start", "2026"),
        ("named.port | plain", "8080"),
        ("named.phone | plain", "13800138000"),
        ("named.sum", "0.3"),
        ("named.sum + 0.1", "0.4"),
        ("named.product", "1.331"),
        ("named.sum | plain", "0.3"),
        ("named.third", "0.3333333333333333"),
        ("roofline.h200.ridge", "206.04"),
        ("roofline.h200.chips", "8"),
        ("roofline.h200.name", "H200"),
        ('roofline["h200"]["ridge"] | number', "206"),
        ("roofline.loss | number(1)", "−1,500.5"),
        ("roofline.loss | abs | round | number", "1,500"),
        ("roofline.share | percent", "97%"),
        ("roofline.share | percent(1)", "96.6%"),
        ('roofline.h200.peak | si("FLOP/s")', "989\N{NO-BREAK SPACE}TFLOP/s"),
        ('roofline.h200.bandwidth | si("B/s")', "4.8\N{NO-BREAK SPACE}TB/s"),
        ('roofline.tiny | si("s")', "4.2\N{NO-BREAK SPACE}µs"),
        ('roofline.h200.peak | si("FLOP/s", 2)', "989.40\N{NO-BREAK SPACE}TFLOP/s"),
        ('999999999999 | si("B")', "1\N{NO-BREAK SPACE}TB"),
        ('0 | si("B")', "0\N{NO-BREAK SPACE}B"),
        ('roofline.h200.bandwidth | unit("GB/s")', "4,800\N{NO-BREAK SPACE}GB/s"),
        ('roofline.memory | unit("GiB")', "80\N{NO-BREAK SPACE}GiB"),
        ('roofline.tiny | unit("ms", 4)', "0.0042\N{NO-BREAK SPACE}ms"),
        ("(roofline.h200.peak / roofline.h200.bandwidth) | number(0)", "206"),
        ("roofline.items | max", "3"),
        ("roofline.items[0]", "3"),
        ("roofline.items | length", "3"),
        ('roofline(dtype="fp8").h200.peak | si("FLOP/s")', "1.98\N{NO-BREAK SPACE}PFLOP/s"),
        ("mxu(sparse=true).peak", "1"),
    ],
)
def test_an_expression_is_a_path_and_a_format(expression, shown):
    assert text(expression) == shown


def test_the_bar_binds_closer_than_arithmetic():
    assert mistake("roofline.h200.peak / roofline.h200.bandwidth | number").rule == "value-format"


def test_a_key_named_like_a_method_is_the_key():
    assert text("roofline.items | sum") == "6"


def test_large_numbers_are_said_in_the_words_of_the_language():
    assert text("120000000 | large(1)", "zh") == "1.2亿"
    assert text("120000000 | large(1)", "en") == "120\N{NO-BREAK SPACE}million"


def test_an_unknown_figure_names_the_nearest():
    diagnostic = mistake("rofline.h200.ridge | number(0)")
    assert diagnostic.rule == "value-unknown"
    assert diagnostic.message == 'there is no figure named "rofline"'
    assert diagnostic.fix == 'did you mean "roofline"?'


def test_an_unknown_value_names_the_nearest_at_its_place():
    diagnostic = mistake("roofline.h200.rigde")
    assert diagnostic.message == 'no value named "rigde" in roofline.h200'
    assert diagnostic.fix == 'did you mean "ridge"?'


def test_parameters_that_are_not_computed_are_said():
    diagnostic = mistake('roofline(dtype="fp9").h200')
    assert '"roofline?dtype=fp9" is not computed' in diagnostic.message
    assert "roofline?dtype=fp8" in diagnostic.fix


def test_a_figure_computed_only_with_parameters_must_be_asked_for_with_them():
    assert "mxu?sparse=true" in mistake("mxu.peak").fix


@pytest.mark.parametrize(
    ("expression", "rule", "said"),
    [
        ("roofline.h200", "value-format", "has several values"),
        ("roofline.items", "value-format", "a list of 3 items"),
        ("'a' if roofline.h200 else 'b'", "value-format", "roofline.h200 has several values"),
        ("roofline.h200 and 1", "value-format", "roofline.h200 has several values"),
        ("not roofline", "value-format", "roofline has several values"),
        ("roofline.items or 1", "value-format", "neither true nor false"),
        ("roofline.items[5]", "value-unknown", "no item 5 in roofline.items"),
        ("roofline.h200.name | number", "value-format", "'H200' is not a number"),
        ("roofline.h200 | number", "value-format", "roofline.h200 is not a number"),
        ("roofline.nothing", "value-format", "gives nothing"),
        ("roofline.h200.ridge.deeper", "value-unknown", "206.04 is a single value"),
        ("roofline.h200.ridge | nubmer", "value-syntax", "nubmer"),
        ("roofline.h200.", "value-syntax", "cannot be read"),
        ("roofline.h200.ridge | number(99)", "value-format", "99 digits"),
        ('roofline.h200.ridge | unit("parsec")', "value-format", "parsec"),
        ("1 / 0", "value-format", "division by zero"),
        ("roofline.h200.ridge | number(1, 2, 3)", "value-format", "argument"),
        ('"".__class__.__mro__', "value-unknown", "is a single value"),
        ("roofline.__class__", "value-unknown", "__class__"),
        ("roofline.h200.ridge()", "value-syntax", "only figures can be called"),
    ],
)
def test_what_cannot_be_shown_is_a_diagnostic(expression, rule, said):
    diagnostic = mistake(expression)
    assert diagnostic.rule == rule
    assert said in diagnostic.message
    assert diagnostic.fix


def test_an_unknown_format_names_the_nearest():
    assert mistake("roofline.h200.ridge | nubmer").fix == 'did you mean "number"?'


def test_a_number_with_its_unit_is_a_quantity_and_a_name_is_not():
    assert is_quantity("−1,024.5")
    assert is_quantity("97%")
    assert not is_quantity("H200")
    assert not is_quantity("206 operations")


@pytest.mark.parametrize(
    ("expression", "shown"),
    [
        ("roofline.tiny", "4.2 × 10⁻⁶"),
        ("-roofline.tiny", "−4.2 × 10⁻⁶"),
        ("roofline.tiny | round(7)", "4.2 × 10⁻⁶"),
        ("0.0001", "0.0001"),
        ("1e15 + 0.5", "1,000,000,000,000,000.5"),
        ("1e16", "1 × 10¹⁶"),
        ("2 ** 63 + 1", "9,223,372,036,854,775,809"),
        ("2 ** 63 + 1 | number(2)", None),
        ("(2 ** 63 + 1) | number(2)", "9,223,372,036,854,775,809.00"),
        ("(2 ** 63 + 1) * 1.0", "9,223,372,036,854,775,809"),
        ("[2 ** 53, 1.0, 1.0] | sum", "9,007,199,254,740,994"),
        ("[0.1, 0.2, 0.3, -0.6] | sum | abs", "2.7755575615628914 × 10⁻¹⁷"),
        ("0.285 | percent", "28%"),
        ("0.125 | number(2)", "0.12"),
        ("1.1 | round(1, 'ceil')", "1.1"),
        ("0.29 | round(2, 'floor')", "0.29"),
        ('1e25 | si("B")', "10 YB"),
        ('1e-20 | si("s")', "10 zs"),
        ('999.9996 | si("s")', "1 ks"),
        ('999.9996 | si("s", 2)', "1.00 ks"),
        ('1e40 | si("B")', "1 × 10⁴⁰ B"),
        ('5e-324 | si("B")', "4.94 × 10⁻³²⁴ B"),
        ('1.7976931348623157e308 | si("B")', "1.8 × 10³⁰⁸ B"),
        ('10 ** 1000 | si("B")', None),
        ('(10 ** 1000) | si("B")', "1 × 10¹⁰⁰⁰ B"),
        ('(10 ** 4299 * 9 + 10 ** 4298 * 9 + 10 ** 4297 * 9 + 10 ** 4296 * 9) | si("B")', "1 × 10⁴³⁰⁰ B"),
        ('999999 | si("B")', "1 MB"),
        ('7 | si("B")', "7 B"),
        ("999999999 | large", "1 billion"),
        ("roofline.items | join(', ')", "3, 1, 2"),
        ("roofline.tiny ~ ' s'", "4.2 × 10⁻⁶ s"),
        ("1024 ~ ' B'", "1,024 B"),
        ("'2026' | int + 1", "2,027"),
        ("-(2 ** 2)", "−4"),
        ("0.0 * -1 | number(1)", None),
        ("(0.0 * -1) | number(1)", "0.0"),
        ("roofline.share if roofline.share > 0.5 else 0", "0.966"),
        ("3 in roofline.items", "true"),
        ("roofline.items[1:] | max", "2"),
    ],
)
def test_a_value_is_printed_right(expression, shown):
    if shown is None:  # the bar binds closer than arithmetic
        assert mistake(expression).rule == "value-format"
    else:
        said = text(expression, "zh" if expression.startswith("-") else "en")
        assert said.replace("\N{NO-BREAK SPACE}", " ") == shown


@pytest.mark.parametrize(
    ("expression", "fix"),
    [
        ("roofline.tiny | number", "with 6, it is shown as 0.000004"),
        ("roofline.tiny | number(2)", "with 6, it is shown as 0.000004"),
        ("roofline.tiny | percent(1)", "with 4, it is shown as 0.0004"),
        ('roofline.tiny | unit("GB", 3)', "with 15, it is shown as 0.000000000000004"),
        ('1e-9 | unit("GB", 3)', '`| si("B")` chooses a suitable prefix'),
        ("roofline.tiny | large", "with 6, it is shown"),
        ("roofline.tiny | round(2)", "more digits"),
        ("0.9 | int", "leave it out"),
        ("1e-300 | number(15)", "leave the filter out"),
    ],
)
def test_what_is_not_nothing_is_not_shown_as_0(expression, fix):
    diagnostic = mistake(expression)
    assert diagnostic.rule == "value-format"
    assert "would be shown as 0" in diagnostic.message
    assert fix in diagnostic.fix


def test_a_number_with_a_power_of_ten_is_a_quantity():
    assert is_quantity(text("roofline.tiny"))
    assert is_quantity(text('1e40 | si("B")'))


# Assertions


def refusal(expression: str) -> Diagnostic:
    """The mistake of an assertion."""
    values = Values("zh", {name: json.dumps(data).encode() for name, data in DATA.items()})
    with pytest.raises(DiagnosticError) as caught:
        values.check(expression, path="content/posts/a/zh.md", line=7)
    (diagnostic,) = caught.value.diagnostics
    assert str(diagnostic.location) == "content/posts/a/zh.md:7"
    assert diagnostic.source_line == f"{{assert}}`{expression}`"
    return diagnostic


@pytest.mark.parametrize(
    "expression",
    [
        "roofline.h200.ridge > 200",
        "not roofline.h200.ridge < 200",
        "200 < roofline.h200.ridge < 210",
        "roofline.h200.ridge < 200 or roofline.share > 0.9",
        'roofline(dtype="fp8").h200.peak > 2 * roofline.h200.peak or true',
        'roofline(dtype="fp8").h200.peak / roofline.h200.peak | round(1) == 2.0 or roofline.share < 1',
        'roofline.h200.ridge | within("5%", of=200)',
        'roofline.h200.ridge | within("3.02 %", 200)',
        '(roofline(dtype="fp8").h200.peak / roofline.h200.peak) | within("1%", of=2)',
        '"H200" in roofline.h200.name',
        "roofline.items | max == 3",
    ],
)
def test_true_assertions(expression: str) -> None:
    Values("en", {name: json.dumps(data).encode() for name, data in DATA.items()}).check(
        expression, path="content/posts/a/en.md", line=7
    )


@pytest.mark.parametrize(
    ("expression", "values"),
    [
        ("roofline.h200.ridge < 200", "`roofline.h200.ridge` is 206.04"),
        (
            "roofline.h200.chips < roofline.share",
            "`roofline.h200.chips` is 8 and `roofline.share` is 0.966",
        ),
        (
            "roofline.share > 0.9 and roofline.items[0] < roofline.items[1]",
            "`roofline.items[0]` is 3 and `roofline.items[1]` is 1",
        ),
        (
            "roofline.share > 2 or roofline.loss > 1",
            "`roofline.share` is 0.966; `roofline.loss` is −1,500.5",
        ),
        ("not roofline.share < 2", "`roofline.share` is 0.966"),
        ('roofline.h200["ridge"] | within("3%", of=200)', '`roofline.h200["ridge"]` is 206.04'),
        (
            'roofline(dtype="fp8").h200.peak < 2 * roofline.h200.chips',
            '`roofline(dtype="fp8").h200.peak` is 1,979,000,000,000,000 and `2 * roofline.h200.chips` is 16',
        ),
        (
            "(roofline.items | length) - 1 == -roofline.items[0:2][0]",
            "`(roofline.items | length) - 1` is 2 and `-roofline.items[0:2][0]` is −3",
        ),
        ("roofline.share / 3 > 1", "`roofline.share / 3` is 0.322"),
        ("1 / 3 == 0.333333333", "`1 / 3` is 0.3333333333333333"),
        ("(2 / 3) | within('1%', of=1/3)", "`2 / 3` is 0.666667 and `1 / 3` is 0.333333"),
        ("1 > 2", "it says so itself"),
    ],
)
def test_an_assertion_that_is_not_true_names_its_values(expression: str, values: str) -> None:
    found = refusal(expression)
    assert (found.rule, found.message) == ("assert-false", f"this is not true: {values}")
    assert found.fix == "correct the sentence, or the assertion if the sentence says something else."


@pytest.mark.parametrize(
    ("expression", "rule", "message"),
    [
        ("roofline.share", "value-format", "`roofline.share` is 0.966, which is neither true nor false"),
        ("roofline.h200.rigde > 1", "value-unknown", 'no value named "rigde" in roofline.h200'),
        ("rofline.x > 1", "value-unknown", 'there is no figure named "rofline"'),
        ("roofline.share | within(0.05, of=1)", "value-format", "0.05 is not a tolerance"),
        (
            'roofline.share | within("5%")',
            "value-format",
            "`| within` needs a tolerance and a value to compare with",
        ),
    ],
)
def test_an_assertion_that_says_nothing(expression: str, rule: str, message: str) -> None:
    found = refusal(expression)
    assert (found.rule, found.message) == (rule, message)
