"""Counting, numbers and dates in two languages."""

import datetime

import pytest

from diglot.languages import Bilingual, format_date, format_number, reading_minutes, twin_of


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("", 1),
        ("字" * 350, 1),
        ("字" * 700, 2),
        ("word " * 400, 2),
        ("字" * 350 + " word" * 200, 2),
        ("H200的带宽是4,800 GB/s。" * 100, 3),  # 4 Han characters and 4 words, a hundred times
    ],
)
def test_han_is_counted_by_character_and_the_rest_by_word(text: str, minutes: int) -> None:
    assert reading_minutes(text) == minutes


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (1024, 0, "1,024"),
        (0.974, 2, "0.97"),
        (-3.5, 1, "−3.5"),
        (-0.001, 2, "0.00"),
        (-0.0, 0, "0"),
        (989.4e12, 0, "989,400,000,000,000"),
    ],
)
def test_a_number_is_the_same_string_in_both_languages(value: float, digits: int, text: str) -> None:
    assert format_number(value, digits) == text


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_no_finite_number_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        format_number(value)


def test_dates_are_written_as_each_language_does() -> None:
    day = datetime.date(2026, 11, 20)
    assert format_date(day, "zh") == "2026 年 11 月 20 日"
    assert format_date(day, "en") == "20 November 2026"


def test_each_language_has_its_twin() -> None:
    assert (twin_of("zh"), twin_of("en")) == ("en", "zh")
    assert [Bilingual(zh="中", en="E").of(language) for language in ("zh", "en")] == ["中", "E"]
