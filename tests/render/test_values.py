"""Values in prose: paths into a figure's data, formats, and what is said of mistakes."""

import json

import pytest

from diglot.diagnostics import DiagnosticError
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
    "roofline?dtype=fp8": {"h200": {"peak": 1979e12}},
    "mxu?sparse=true": {"peak": 1},
}


def text(expression: str, language: str = "en") -> str:
    values = Values(language, {name: json.dumps(data).encode() for name, data in DATA.items()})  # type: ignore[arg-type]
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
        ("roofline.h200.ridge", "206.04"),
        ("roofline.h200.chips", "8"),
        ("roofline.h200.name", "H200"),
        ('roofline["h200"]["ridge"] | number', "206"),
        ("roofline.loss | number(1)", "−1,500.5"),
        ("roofline.loss | abs | round | number", "1,500"),
        ("roofline.share | percent", "97\N{NO-BREAK SPACE}%"),
        ("roofline.share | percent(1)", "96.6\N{NO-BREAK SPACE}%"),
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
    assert diagnostic.message == 'no figure named "rofline"'
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
        ("roofline.h200", "value-format", "holds several values"),
        ("roofline.items", "value-format", "a list of 3 items"),
        ("roofline.items[5]", "value-unknown", "no item 5 in roofline.items"),
        ("roofline.h200.name | number", "value-format", "'H200' is none"),
        ("roofline.h200 | number", "value-format", "roofline.h200 is none"),
        ("roofline.nothing", "value-format", "gives nothing"),
        ("roofline.h200.ridge.deeper", "value-unknown", "206.04 has no values"),
        ("roofline.h200.ridge | nubmer", "value-syntax", "nubmer"),
        ("roofline.h200.", "value-syntax", "cannot be read"),
        ("roofline.h200.ridge | number(99)", "value-format", "99 digits"),
        ('roofline.h200.ridge | unit("parsec")', "value-format", "parsec"),
        ("1 / 0", "value-format", "division by zero"),
        ("roofline.h200.ridge | number(1, 2, 3)", "value-format", "argument"),
        ('"".__class__.__mro__', "value-unknown", "has no values"),
        ("roofline.__class__", "value-unknown", "__class__"),
        ("roofline.h200.ridge()", "value-syntax", "calls something"),
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
    assert is_quantity("97\N{NO-BREAK SPACE}%")
    assert not is_quantity("H200")
    assert not is_quantity("206 operations")
