"""Tables for reading and for computing on."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from diglot.figures.chips import chip
from diglot.figures.scripts.columns import DeclaredColumn, read_columns
from diglot.figures.scripts.misuse import Misuse
from diglot.figures.scripts.tables import Column, csv_of, make_table
from diglot.figures.scripts.words import Words
from diglot.languages import LANGUAGES, Bilingual

ROWS = [("H200", 989.4, None), ("TPU v6e", 1918, 0.5)]
HEAD = ["Chip", Column("Peak", "TFLOP/s"), Column("Share", digits=2)]


def test_numbers_are_formatted_by_their_column_and_kept_unrounded():
    table = make_table(HEAD, ROWS, chips=["h200-sxm", "tpu-v6e"])
    assert table.columns == ("Chip", "Peak\nTFLOP/s", "Share")
    assert table.rows == (("H200", "989", "–"), ("TPU v6e", "1,918", "0.50"))
    assert table.numeric == (False, True, True)
    assert table.chips == (chip("h200-sxm"), chip("tpu-v6e"))
    assert csv_of(table) == "Chip,Peak [TFLOP/s],Share\nH200,989.4,\nTPU v6e,1918,0.5\n"


def test_different_numbers_do_not_look_alike_where_nobody_says_how_many_digits():
    shown = {
        (1.1, 1.2): ("1.1", "1.2"),
        (1.1, 1.2, 150): ("1.1", "1.2", "150.0"),
        (0.3, 0.1 + 0.2): ("0.3", "0.3"),
        (10.4, 30): ("10", "30"),
        (1000.1, 1000.2): ("1,000", "1,000"),  # three digits are the same
    }
    for numbers, texts in shown.items():
        assert tuple(row[1] for row in make_table(["a", "b"], [("x", one) for one in numbers]).rows) == texts
    assert make_table(["a", Column("b", digits=0)], [("x", 1.1), ("y", 1.2)]).rows[0][1] == "1"
    columns = {"ms": DeclaredColumn(label=Bilingual("毫秒", "ms"))}
    rows = make_table(("ms",), [{"ms": 1.1}, {"ms": 1.2}, {"ms": 150.0}], Words("en", columns)).rows
    assert rows == (("1.1",), ("1.2",), ("150.0",))


def test_a_row_of_another_length_is_refused():
    with pytest.raises(ValueError, match="row 2 of the table has 1 cells, but its head has 2"):
        make_table(["a", "b"], [(1, 2), (1,)])


def test_what_is_no_number_is_refused():
    for cell, message, fix in (
        (
            float("inf"),
            "a cell of the table is inf, not a finite number",
            "write None for a value that is missing.",
        ),
        ({1, 2}, "a cell of the table is a set", "a set has no order, use sorted(…)."),
        ([1, 2], "a cell of the table is [1, 2]", "give each value a row or a column of its own."),
        (np.datetime64("2026-01-01"), "a cell of the table is a datetime64", "use str(…)"),
        (object(), "a cell of the table is an object", "give it a number or a text."),
    ):
        with pytest.raises(Misuse) as caught:
            make_table(["a"], [(cell,)])
        assert message in str(caught.value)
        assert fix in caught.value.fix


def test_numbers_of_libraries_are_numbers_and_missing_values_are_empty():
    cells = (
        np.float32(0.5),
        np.longdouble(2),
        np.int8(3),
        Decimal("1.5"),
        Fraction(1, 4),
        np.nan,
        None,
        np.True_,
    )
    head = [Column(str(n), digits=2) for n in range(len(cells))]
    table = make_table(head, [cells])
    assert table.rows == (("0.50", "2.00", "3.00", "1.50", "0.25", "–", "–", "1.00"),)
    assert csv_of(table).splitlines()[1] == "0.5,2.0,3,1.5,0.25,,,True"


def test_a_chip_without_a_look_is_refused_where_the_script_stands() -> None:
    with pytest.raises(ValueError, match='there is no chip with the id "h2000": did you mean "h200"\\?'):
        make_table(["chip"], [["H2000"]], chips=["h2000"])


COLUMNS, _ = read_columns(
    {
        "chip": {"zh": "芯片", "en": "Chip"},
        "phase": {"zh": "阶段", "en": "Phase", "names": {"prefill": {"zh": "预填充", "en": "prefill"}}},
        "time": {"zh": "时间", "en": "Time", "unit": "s"},
        "share": {"zh": "占比", "en": "Share", "unit": "share", "digits": 0},
        "batch": {"zh": "批量", "en": "Batch"},
    }
)
DATA = [
    {"chip": "h200-sxm", "phase": "prefill", "time": 0.1214, "share": 0.34, "batch": 4096},
    {"chip": "tpu-v6e", "phase": {"zh": "解码", "en": "decode"}, "time": 0.0154, "share": None, "batch": 8},
]


def test_rows_of_data_are_headed_and_formatted_as_columns_say() -> None:
    zh, en = (make_table(tuple(COLUMNS), DATA, Words(language, COLUMNS)) for language in LANGUAGES)
    assert en.columns == ("Chip", "Phase", "Time\nms", "Share\n%", "Batch")
    assert zh.columns[1:3] == ("阶段", "时间\nms")
    assert en.rows == (("H200", "prefill", "121", "34", "4,096"), ("TPU v6e", "decode", "15", "–", "8"))
    assert zh.rows[1][1] == "解码"
    assert en.numeric == (False, False, True, True, True)
    assert en.chips == (chip("h200-sxm"), chip("tpu-v6e"))
    assert csv_of(en).splitlines()[1] == "H200,prefill,121.4,34.0,4096"


def test_a_table_says_which_column_it_does_not_know() -> None:
    words = Words("en", COLUMNS)
    with pytest.raises(Misuse, match=r'^COLUMNS has no "tim", which .* heading$') as raised:
        make_table(("tim",), DATA, words)
    assert raised.value.fix == 'did you mean "time"?'
    with pytest.raises(Misuse, match=r'^row 1 of the table has no column "batch"$') as raised:
        make_table(("chip", "batch"), [{"chip": "h200-sxm", "bach": 1}], words)
    assert raised.value.fix == 'did you mean "bach"?'
    with pytest.raises(Misuse, match=r"^with t, each row of a table is a mapping of columns"):
        make_table(("chip", "batch"), [("h200-sxm", 1)], words)


def test_roles_and_units_that_are_words_need_no_names_of_the_scripts_own() -> None:
    columns, _ = read_columns(
        {
            "wait": {"zh": "等待", "en": "Waits for"},
            "rate": {"zh": "吞吐", "en": "Output", "unit": "tokens/s"},
        }
    )
    rows = [{"wait": "mem", "rate": 12.0}]
    zh, en = (make_table(("wait", "rate"), rows, Words(language, columns)) for language in LANGUAGES)
    assert (zh.columns, zh.rows) == (("等待", "吞吐\n词元/s"), (("访存", "12"),))
    assert (en.columns, en.rows) == (("Waits for", "Output\ntokens/s"), (("memory", "12"),))


def test_words_know_what_columns_call_a_value() -> None:
    names = {"one": {"zh": "单块", "en": "single"}}
    columns, _ = read_columns({"form": {"zh": "分块", "en": "Tiling", "names": names}})
    assert [Words(language, columns).name("form", "one") for language in LANGUAGES] == ["单块", "single"]
    with pytest.raises(Misuse, match=r'^COLUMNS\["form"\] has no name for "on"$') as raised:
        Words("en", columns).name("form", "on")
    assert raised.value.fix == 'did you mean "one"?'


def test_words_write_shares_in_percent_as_numbers_are_written() -> None:
    for language in LANGUAGES:
        assert [Words(language).percent(share) for share in (0.29, 1, -0.5)] == ["29%", "100%", "\u221250%"]
        assert Words(language).percent(0.97345, 1) == "97.3%"


def test_ranges_of_a_row_are_on_one_scale_with_room_outside():
    columns, _ = read_columns({name: {"zh": name, "en": name} for name in ("claim", "verdict", "text")})
    named = {"claim": "1", "verdict": "open", "text": "…"}
    rows = [
        {**named, "ranges": {"claimed": [1, 2], "found": [1.5, 1.5], "likely": [1, 2], "is_open": True}},
        {**named, "ranges": {"claimed": [2, None], "found": [1, 3], "likely": [None, 3], "is_open": False}},
        {**named, "ranges": None},
    ]
    point, open_ended, nothing = make_table(
        ("claim", "verdict", "text"), rows, Words("en", columns=columns), by="verdict", ranges="ranges"
    ).ranges
    assert point is not None
    assert open_ended is not None
    assert nothing is None
    assert (point.claimed, point.found, point.is_open) == ((11.5, 88.5), (50.0, 50.0), True)
    assert (open_ended.claimed, open_ended.likely) == ((50.0, 110.0), (-10.0, 88.5))
