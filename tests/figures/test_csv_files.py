"""CSV files as rows of data."""

from pathlib import Path

import pytest

from diglot.figures import read_csv


def test_columns_of_numbers_hold_numbers_and_others_texts(tmp_path: Path) -> None:
    file = tmp_path / "rates.csv"
    file.write_text('\ufeffchip,count,rate,id,note\r\nh200,8,1.5e3,007,\r\n\r\n"v6e, 2",,-2,12,\r\n', "utf-8")
    assert read_csv(file) == [
        {"chip": "h200", "count": 8, "rate": 1500.0, "id": "007", "note": ""},
        {"chip": "v6e, 2", "count": None, "rate": -2, "id": "12", "note": ""},
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n", "is empty: its first line has to name its columns"),
        ("a,b\n1,2\n3\n", "row 2 of .* has 1 cells, but its head has 2"),
    ],
)
def test_a_file_that_is_no_table_is_refused(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "rates.csv"
    file.write_text(text, "utf-8")
    with pytest.raises(ValueError, match=message):
        read_csv(file)
