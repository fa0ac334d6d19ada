"""Tables for reading and for computing on."""

import pytest

from diglot.figures.chips import chip
from diglot.figures.scripts.tables import Column, csv_of, make_table

ROWS = [("H200", 989.4, None), ("TPU v6e", 1918, 0.5)]
HEAD = ["Chip", Column("Peak", "TFLOP/s"), Column("Share", digits=2)]


def test_numbers_are_formatted_by_their_column_and_kept_unrounded():
    table = make_table(HEAD, ROWS, chips=["h200-sxm", "tpu-v6e"])
    assert table.columns == ("Chip", "Peak\nTFLOP/s", "Share")
    assert table.rows == (("H200", "989", "–"), ("TPU v6e", "1,918", "0.50"))
    assert table.numeric == (False, True, True)
    assert table.chips == (chip("h200-sxm"), chip("tpu-v6e"))
    assert csv_of(table) == "Chip,Peak [TFLOP/s],Share\nH200,989.4,\nTPU v6e,1918,0.5\n"


def test_a_row_of_another_length_is_refused():
    with pytest.raises(ValueError, match="row 2 of the table has 1 cells, but its head has 2"):
        make_table(["a", "b"], [(1, 2), (1,)])


def test_what_is_no_number_is_refused():
    with pytest.raises(ValueError, match="not a finite number"):
        make_table(["a"], [(float("nan"),)])


def test_a_chip_without_a_look_is_refused_where_the_script_stands() -> None:
    with pytest.raises(ValueError, match='there is no chip with the id "h2000": did you mean "h200"\\?'):
        make_table(["chip"], [["H2000"]], chips=["h2000"])
