"""What a quantity says beside its value: its place, how exact it is, and whether two agree."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.languages import Language, format_number
from diglot.quantities.quantity import Quantity
from diglot.quantities.reading import quantities_in

_UNITS = {"zh": ("TB/s", "%", "倍", "个词元", "毫秒", ""), "en": (" TB/s", "%", "×", " tokens", " ms", "")}


def one(text: str, language: Language = "en") -> Quantity:
    (found,) = quantities_in(text, language)
    return found


@given(
    value=st.floats(0.001, 1e9) | st.integers(0, 10**12).map(float),
    digits=st.integers(0, 3),
    language=st.sampled_from(("zh", "en")),
    unit=st.integers(0, 5),
)
def test_what_is_formatted_is_read_back(value: float, digits: int, language: Language, unit: int):
    written = format_number(value, digits)
    if 1950 <= float(written.replace(",", "")) < 2050 and not unit - 5:
        return  # a bare number that reads as a year
    sentence = {"zh": "它是{}。", "en": "It is {}, we find."}[language].format(
        written + _UNITS[language][unit]
    )
    quantity = one(sentence, language)
    factor = {0: 1e12, 1: 0.01, 4: 1e-3}.get(unit, 1.0)
    assert quantity.low == pytest.approx(float(written.replace(",", "")) * factor)
    assert quantity.says(value * factor)
    assert sentence[quantity.start : quantity.end] == quantity.text


@pytest.mark.parametrize(
    ("text", "language", "qualifier"),
    [
        ("more than 3 s", "en", "above"),
        ("more than twice", "en", "above"),
        ("less than 3 s", "en", "below"),
        ("about a third", "en", "about"),
        ("≈ 3 s", "en", "about"),
        ("3 s", "en", ""),
        ("两倍多", "zh", "above"),
        ("超过3秒", "zh", "above"),
        ("3秒以上", "zh", "above"),
        ("不超过3秒", "zh", "below"),
        ("不到3秒", "zh", "below"),
        ("约3秒", "zh", "about"),
        ("3秒左右", "zh", "about"),
        ("3秒", "zh", ""),
    ],
)
def test_words_around_it_say_how_exact_it_is(text: str, language: Language, qualifier: str):
    assert one(text, language).qualifier == qualifier


@pytest.mark.parametrize(
    ("zh", "en"),
    [
        ("1.2 万个词元", "12,000 tokens"),
        ("65%", "65 %"),
        ("8 千个词元", "8K tokens"),
        ("百分之六十五", "65 percent"),
        ("三分之一", "a third"),
        ("4800 GB/s", "4.8 TB/s"),
        ("0.5 毫秒", "500 µs"),
        ("一半", "half"),
        ("50%", "half"),
        ("12亿美元", "$1.2 billion"),
        ("2–4 倍", "two to four times"),
        ("两倍多", "more than twice"),
        ("128×128", "128 × 128"),
    ],
)
def test_the_same_in_both_languages_agrees(zh: str, en: str):
    assert one(zh, "zh").agrees(one(en))


@pytest.mark.parametrize(
    ("zh", "en"),
    [
        ("1.3 万个词元", "12,000 tokens"),
        ("1979 TFLOP/s", "989 TFLOP/s"),
        ("65%", "65×"),
        ("65%", "56%"),
        ("3 ms", "3 µs"),
        ("2–4 倍", "two to three times"),
        ("128×128", "128 × 256"),
        ("8 行", "8 columns"),
    ],
)
def test_other_values_and_units_do_not(zh: str, en: str):
    assert not one(zh, "zh").agrees(one(en))


def test_a_value_is_said_as_exactly_as_it_is_written():
    assert one("4.8 TB/s").says(4.84e12)
    assert not one("4.8 TB/s").says(4.9e12)
    assert one("20–25%").says(0.22)
    assert not one("20–25%").says(0.27)


def test_names_of_products_are_no_quantities():
    (quantity,) = quantities_in("Llama 3 70B has 30 layers.", "en")
    assert quantity.text == "30 layers"
