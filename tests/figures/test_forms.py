"""The form of a script: its table, and the mistakes of its author."""

import json

from .conftest import Workshop, only

FORM = """
from diglot.figures import Answer, Field, Form, LogRange
FORM = Form(
    fields={"m": Field(LogRange(1, 64, per_octave=1), {"zh": "行", "en": "Rows"}),
            "n": Field((1, 3, 7), {"zh": "列", "en": "Columns"})},
    answers={"fill": Answer(label={"zh": "填充", "en": "Fill"}, unit="%", digits=1),
             "time": Answer(label={"zh": "时间", "en": "Time"}, unit="s", between="monotone")},
    presets=[({"zh": "一", "en": "one"}, {"m": 4, "n": 3})],
)
def compute(dtype: Literal["bf16", "fp8"] = "fp8"): return {"x": 1}
def answer(m, n, dtype): return {"fill": 100 * m / 64, "time": m * n * len(dtype)}
"""
START = "from typing import Literal\n"


def mistake(workshop: Workshop, name: str, old: str, new: str, *, of: str = FORM) -> str:
    assert old in of
    return str(only(workshop.failure(workshop.script(name, START + of.replace(old, new)))))


def test_a_form_has_the_answers_to_every_shape_of_its_grid_as_differences(workshop: Workshop):
    form = workshop.compute(workshop.script("form", START + FORM)).form
    assert [field.values for field in form.fields] == [(1, 2, 4, 8, 16, 32, 64), (1, 3, 7)]
    table = json.loads(form.file)
    assert table["fill"][:7] == [16, 0, 0, 15, 0, 0, 31], "1.6, 1.6, 1.6, 3.1 …: in tenths, half to even"
    assert sum(table["time"]) == 64 * 7 * len("fp8")
    assert form.first == (6.2, 4 * 3 * len("fp8"))
    assert form.presets[0].label == ("一", "one")


def test_mistakes_in_forms_are_told_with_their_line_and_a_fix(workshop: Workshop):
    assert mistake(workshop, "off_grid", '"m": 4', '"m": 5') == (
        'figures/off_grid.py:5: error[figure-form]: figure "off_grid": the preset "one" has m = 5, '
        "which is not on the grid\n    FORM = Form(\n  fix: the nearest value is 4."
    )
    assert mistake(workshop, "rises", '"time": m * n *', '"time": (m - 8) ** 2 *') == (
        'figures/rises.py:5: error[figure-form]: figure "rises": the answer "time" is not monotone: '
        'it rises and falls along "m"\n    FORM = Form(\n  fix: write between="nearest".'
    )
    assert mistake(workshop, "misspelt_answer", '{"fill": 100', '{"fil": 100') == (
        'figures/misspelt_answer.py:13: error[figure-form]: figure "misspelt_answer": '
        '`answer` returned no "fill"\n'
        '    def answer(m, n, dtype): return {"fil": 100 * m / 64, "time": m * n * len(dtype)}\n'
        '  fix: is it "fil"?'
    )
    assert "figure-form]: `answer(m, o, dtype)` cannot be called as `answer(m, n)`" in mistake(
        workshop, "other_fields", "def answer(m, n, dtype)", "def answer(m, o, dtype)"
    )
    assert (
        'the answer "time" has between="monotne"\n    FORM = Form(\n  fix: did you mean "monotone"?'
        in mistake(workshop, "no_such_between", '"monotone"', '"monotne"')
    )
    large = FORM.replace("(1, 3, 7)", "tuple(range(1, 9000))")
    assert "the table of 7 × 8999 shapes with 2 answers has" in mistake(
        workshop, "too_large", "100 * m / 64", "(m * n) ** 3 % 1000003", of=large
    )
    assert "ZeroDivisionError" in mistake(workshop, "fails", "100 * m / 64", "1 // 0")
