"""What a script must define, and the diagnostics if it does not."""

import pytest

from diglot.figures.scripts.failures import FigureFailed
from diglot.figures.scripts.parameters import values_of

from .conftest import TITLE, Workshop, only


def test_a_script_that_only_computes_is_a_source_of_numbers(workshop: Workshop):
    computed = workshop.compute(workshop.script("numbers_only", "def compute(): return {'a': 1}"))
    assert computed.data == b'{"a":1}'
    assert not computed.drawable
    assert computed.sizes == ()


def test_a_script_that_only_computes_may_have_a_table_in_both_languages(workshop: Workshop):
    script = workshop.script(
        "only_table",
        """
        from diglot.figures import make_table
        def compute(): return {"a": 1}
        def table(data, t): return make_table([t(zh="名", en="Name")], [("x",)])
        """,
    )
    drawn = {language: workshop.draw(script, language) for language in ("zh", "en")}
    assert [drawn[language].table.columns for language in ("zh", "en")] == [("名",), ("Name",)]
    assert all(figure.svgs == () and figure.alt == "" for figure in drawn.values())


def test_a_column_of_a_table_has_a_heading_unless_it_is_the_first(workshop: Workshop):
    script = workshop.script(
        "no_heading",
        """
        from diglot.figures import make_table
        def compute(): return {"a": 1}
        def table(data, t): return make_table(["", "b", " "], [("x", 1, 2)])
        """,
    )
    (warning,) = workshop.draw_report(script).warnings
    assert warning.rule == "table-heading"
    assert "column 3 of the table has no heading" in warning.message


def test_what_is_not_drawn_cannot_be_a_file(workshop: Workshop):
    script = workshop.script("not_drawn", "def compute(): return {}")
    with pytest.raises(FigureFailed, match='"not_drawn" computes numbers but draws nothing'):
        workshop.export(script, format="png")


def test_a_figure_is_drawn_for_phone_and_column_unless_it_says_more(workshop: Workshop):
    plain = workshop.drawing("sizes_plain", "figure.text_px(0, 20, 'x')")
    assert workshop.compute(plain).sizes == ("narrow", "column")
    wide = workshop.script(
        "sizes_wide",
        """
        SIZES = ("wide", "narrow", "column")
        def compute(): return {}
        def draw(figure, data, t): figure.text_px(0, 20, "x")
        def describe(data, t): return "x"
        """,
    )
    assert workshop.compute(wide).sizes == ("narrow", "column", "wide")


@pytest.mark.parametrize(
    ("name", "title", "text", "message", "fix"),
    [
        (
            "of_notebook",
            "\n",
            "import matplotlib.pyplot as plt\nplt.plot([1])\nplt.show()",
            "this is the code of a notebook",
            "```{code-cell} python",
        ),
        ("no_title", "\n", "def compute(): return {}", "no TITLE", 'TITLE = {"zh": "…", "en": "…"}'),
        ("half_title", 'TITLE = {"zh": "图"}\n', "def compute(): return {}", 'no text in "en"', "TITLE"),
        ("title_text", 'TITLE = "x"\n', "def compute(): return {}", "TITLE is text", "TITLE"),
        ("no_compute", TITLE, "def compuet(): return {}", "no `compute`", "is it `compuet`?"),
        ("odd_compute", TITLE, "compute = 3", "`compute` is a number", "def compute"),
        (
            "no_describe",
            TITLE,
            "def compute(): return {}\ndef draw(figure, data, t): pass",
            "no `describe`",
            "def describe(data, t) -> str",
        ),
        (
            "odd_draw",
            TITLE,
            "def compute(): return {}\ndef draw(figure): pass\ndef describe(data, t): return 'x'",
            "`draw(figure)` cannot be called as `draw(figure, data, t)`",
            "def draw(figure, data, t)",
        ),
        ("odd_size", TITLE, "SIZES = ('narrow', 'colum')\ndef compute(): return {}", '"colum"', "column"),
        ("no_domain", TITLE, "def compute(batch=1): return {}", "`batch`", "Annotated[int, Range(1, 8)]"),
        (
            "no_default",
            TITLE,
            "from typing import Literal\ndef compute(dtype: Literal['bf16', 'fp8']): return {}",
            "has no default",
            "choose one of bf16, fp8",
        ),
        (
            "odd_default",
            TITLE,
            "from typing import Literal\ndef compute(dtype: Literal['bf16', 'fp8'] = 'fp4'): return {}",
            "has the default 'fp4'",
            "choose one of bf16, fp8",
        ),
        ("any_parameter", TITLE, "def compute(**all): return {}", "`**all`", "by name"),
        ("no_such_name", TITLE, "def compute(a: 'Nowhere' = 1): return {}", "Nowhere", "import"),
    ],
)
def test_a_broken_promise_is_named_with_a_way_to_mend_it(
    workshop: Workshop, name: str, title: str, text: str, message: str, fix: str
):
    found = workshop.failure(workshop.script(f"promise_{name}", text, title=title)).diagnostics
    assert any(message in one.message and fix in (one.fix or "") for one in found), found
    assert all(one.location and one.location.path == f"figures/promise_{name}.py" for one in found)


def test_all_broken_promises_are_told_at_once(workshop: Workshop):
    script = workshop.script("many_wrong", "def draw(figure): pass\nSIZES = 3\ncompute = 3", title="\n")
    rules = {one.rule for one in workshop.failure(script).diagnostics}
    assert rules == {"figure-title", "figure-compute", "figure-draw", "figure-describe", "figure-sizes"}


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("def draw(figure): figure.axes_px(0, 0, 9, 9)", "TITLE"),
        ("def draw(figure, data, t): assert data == {}", "TITLE"),
        ('TITLE = {"zh": "甲", "en": "A"}\ndef draw(figure): pass', "describe"),
        (
            'TITLE = {"zh": "甲", "en": "A"}\ndef draw(figure): pass\n'
            'def describe(data, t): return t(zh="乙", en="B")',
            "compute",
        ),
    ],
)
def test_a_script_may_only_draw_and_is_told_once_what_it_lacks(workshop: Workshop, text: str, lacks: str):
    script = workshop.script("first_try", text, title="\n")
    report = workshop.report(script)
    (warning,) = report.warnings
    assert (warning.rule, warning.severity) == ("figure-sketch", "warning")
    assert lacks in (warning.fix or "")
    computed = workshop.compute(script)
    assert computed.data == b"{}"
    drawn = workshop.draw(script, "en")
    assert drawn.title == ("A" if "TITLE" in text else "First try")


def test_a_script_with_another_mistake_is_no_first_try(workshop: Workshop):
    for text, rule in (
        ("def draw(figure): pass\ndef compte(): return {}", "figure-compute"),
        ("def draw(): pass", "figure-draw"),
        ("async def draw(figure): pass", "figure-draw"),
        ("TITLE = 3\ndef draw(figure): pass", "figure-title"),
    ):
        found = workshop.failure(workshop.script("first_try", text, title="\n")).diagnostics
        assert rule in {one.rule for one in found}, text


def test_a_missing_description_hides_no_mistake_in_the_message(workshop: Workshop):
    text = """
        MESSAGE = {"zh": "{vlaue}", "en": "{value}"}
        def compute(): return {"value": 1}
        def draw(figure, data, t): pass
    """
    found = workshop.failure(workshop.script("undescribed", text)).diagnostics
    assert [one.rule for one in found] == ["figure-describe", "figure-message"]


def test_every_mistake_in_columns_is_told_with_its_line(workshop: Workshop):
    script = workshop.script(
        "columns_wrong",
        """
COLUMNS = {
    "a": 3,
    "b": {"zh": "算力", "en": " ", "units": "FLOP/s"},
    "c": {"zh": "甲", "en": "A", "unit": 1, "digits": -1, "names": {"x": 2}},
}
def compute(): return {}
""",
    )
    found = workshop.failure(script).diagnostics
    assert [(one.rule, one.message, one.fix) for one in found] == [
        ("figure-columns", message, fix)
        for message, fix in (
            ('COLUMNS["a"] is a number, not a mapping', 'write {"zh": "…", "en": "…", "unit": "FLOP/s"}.'),
            ('COLUMNS["b"] has the key "units", which is not known', 'did you mean "unit"?'),
            ('COLUMNS["b"] has no text in "en"', 'write {"zh": "…", "en": "…"}.'),
            (
                'COLUMNS["c"]["unit"] is neither a text nor one per language',
                'write "FLOP/s" or {"zh": "…", "en": "…"}.',
            ),
            ('COLUMNS["c"]["digits"] is -1', "write the number of decimals, from 0 to 9."),
            (
                'COLUMNS["c"]["names"]["x"] is neither a text nor one per language',
                'write "…" or {"zh": "…", "en": "…"}.',
            ),
        )
    ]
    assert {one.source_line for one in found} == {"COLUMNS = {"}


def test_what_is_imported_from_diglot_is_not_taken_for_a_part_of_the_script(workshop: Workshop):
    script = workshop.script(
        "imported", "from diglot.figures.scripts.tables import make_table as table\ndef compute(): return {}"
    )
    assert workshop.compute(script).data == b"{}"


PARAMETERS = """
from typing import Annotated, Literal
from diglot.figures import Range
def compute(
    dtype: Literal["bf16", "fp8"] = "bf16",
    batch: Annotated[int, Range(8, 64, 8)] = 16,
    dense: Literal[True, False] = True,
):
    return {"dtype": dtype, "batch": batch, "dense": dense}
"""


def test_parameters_come_as_the_annotation_says_and_defaults_are_filled_in(workshop: Workshop):
    computed = workshop.compute(workshop.script("chosen", PARAMETERS), batch="64", dense="false")
    assert computed.data == b'{"dtype":"bf16","batch":64,"dense":false}'
    assert computed.parameters == (("dtype", "bf16"), ("batch", "64"), ("dense", "false"))


def test_an_unknown_parameter_gets_the_nearest_name(workshop: Workshop):
    found = only(workshop.failure(workshop.script("mistyped", PARAMETERS), dtpye="fp8"))
    assert found.message == '"dtpye" is not a parameter of the figure "mistyped"'
    assert found.fix == 'did you mean "dtype"?'
    assert found.location is None, "the mistake stands in an article, whose place the caller knows"


@pytest.mark.parametrize(
    ("name", "value", "fix"),
    [
        ("dtype", "fp9", 'did you mean "fp8"? It can be bf16, fp8.'),
        ("dtype", "x", "choose one of bf16, fp8."),
        ("batch", "7", "choose one of 8, 16, 24, 32, 40, 48, 56, 64."),
    ],
)
def test_a_value_outside_the_domain_gets_the_allowed_ones(
    workshop: Workshop, name: str, value: str, fix: str
):
    found = only(workshop.failure(workshop.script("outside", PARAMETERS), **{name: value}))
    assert f'"{value}" is not a value of the parameter "{name}"' in found.message
    assert found.fix == fix


@pytest.mark.parametrize(
    ("part", "text", "message"),
    [
        ("describe", "def describe(data, t): return 3", "`describe` returned a number, not text"),
        ("describe", "def describe(data, t): return '  '", "`describe` returned an empty text"),
        (
            "table",
            "def describe(data, t): return 'x'\ndef table(data, t): return [[1]]",
            "`table` returned a list, not a Table",
        ),
    ],
)
def test_what_the_parts_return_is_looked_at(workshop: Workshop, part: str, text: str, message: str):
    head = "def compute(): return {}\ndef draw(figure, data, t): figure.text_px(0, 20, 'x')\n"
    found = only(workshop.drawing_failure(workshop.script("returns", head + text)))
    assert found.message == message
    assert found.source_line is not None
    assert found.source_line.startswith(f"def {part}")


@pytest.mark.parametrize(
    ("name", "labels", "message", "fix"),
    [
        (
            "labels_list",
            "[]",
            "LABELS is a list, not a mapping",
            'write it as in LABELS = {"dtype": {"zh": "精度", "en": "Precision"}, '
            '"dtype=fp8": {"zh": "8位", "en": "8-bit"}}.',
        ),
        (
            "labels_other",
            '{"dtpye": {"zh": "甲", "en": "a"}}',
            'LABELS names "dtpye", which is not a parameter of `compute`',
            'did you mean "dtype"?',
        ),
        (
            "labels_value",
            '{"dtype=fp16": {"zh": "甲", "en": "a"}}',
            'LABELS names "fp16", which is not a value of `dtype`',
            "known are: bf16, fp8.",
        ),
        (
            "labels_half",
            '{"dtype": {"zh": "甲"}}',
            'LABELS["dtype"] has no text in "en"',
            'write it as in LABELS = {"dtype": {"zh": "精度", "en": "Precision"}, '
            '"dtype=fp8": {"zh": "8位", "en": "8-bit"}}.',
        ),
    ],
)
def test_labels_name_parameters_and_values_in_both_languages(workshop: Workshop, name, labels, message, fix):
    text = f"""
        from typing import Literal
        LABELS = {labels}
        def compute(dtype: Literal["bf16", "fp8"] = "bf16", fused: bool = False): return {{}}
        """
    with pytest.raises(FigureFailed) as caught:
        workshop.compute(workshop.script(name, text))
    found = only(caught.value)
    assert (found.rule, found.message, found.fix) == ("figure-label", message, fix)


def test_what_parameters_can_be_comes_with_their_labels(workshop: Workshop):
    script = workshop.script(
        "labels_all",
        """
        from typing import Annotated, Literal
        from diglot.figures import Range
        LABELS = {"dtype": {"zh": "精度", "en": "Precision"}, "dtype=fp8": {"zh": "8位", "en": "8-bit"}}
        def compute(
            dtype: Literal["bf16", "fp8"] = "bf16", n: Annotated[int, Range(1, 9, 2)] = 3, fused: bool = False
        ): return {}
        """,
    )
    dtype, n, fused = workshop.compute(script).domains
    assert (dtype.kind, dtype.values, dtype.label) == ("choice", ("bf16", "fp8"), ("精度", "Precision"))
    assert dtype.value_labels == (("fp8", ("8位", "8-bit")),)
    assert (n.kind, values_of(n), n.default) == ("range", ("1", "3", "5", "7", "9"), "3")
    assert (fused.kind, values_of(fused), fused.label) == ("switch", ("false", "true"), None)
