"""No text makes a reader of quantities fail: checks read whatever authors write."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.quantities.arithmetic import wrong_sums
from diglot.quantities.counts import counts_in_words
from diglot.quantities.days import days_in
from diglot.quantities.free_numbers import numbered_names, without_free_numbers, years_in
from diglot.quantities.ordinals import ordinals_in
from diglot.quantities.reading import quantities_in
from diglot.quantities.rough_shares import rough_shares_in
from diglot.quantities.units import units_alone
from diglot.quantities.vague_amounts import vague_amounts_in

_PIECES = (
    *(
        "0",
        "00",
        "1",
        "7",
        "999999999999",
        "9" * 5000,
        ".",
        ",",
        "-",
        "−",
        "±",
        "~",
        "/",
        "%",
        "$",
        "€",
        "¥",
        "×",
    ),
    *(
        "th",
        "st",
        "nd",
        "first",
        "the ",
        "half",
        "a third",
        "dozen",
        "more than ",
        "from ",
        " to ",
        "31 February",
    ),
    *(
        "GB/s",
        "TFLOP/s",
        " ms",
        "MiB",
        "per hour",
        "e400",
        "2026-13-45",
        "12:99",
        "x",
        "=",
        "+",
        "(",
        ")",
        " ",
        "\n",
    ),
    *(
        "第",
        "零",
        "一",
        "十",
        "百",
        "亿",
        "万",
        "半",
        "成",
        "倍",
        "月",
        "日",
        "年",
        "百分之",
        "分之",
        "首个",
        "多",
        "约",
        "到",
    ),
    *("٣", "³", "½", "Ⅷ", "１２", "，", "。", "\u00a0", "\u200b", "😀"),
)
_READERS = {
    "quantities": quantities_in,
    "counts": counts_in_words,
    "ordinals": ordinals_in,
    "days": days_in,
    "shares": rough_shares_in,
    "amounts": vague_amounts_in,
    "sums": wrong_sums,
    "names": lambda text, _: numbered_names(text),
    "years": lambda text, _: years_in(text),
    "free numbers": lambda text, _: [without_free_numbers(text)],
    "units": lambda text, _: units_alone(text),
}


@pytest.mark.parametrize("language", ["zh", "en"])
@given(pieces=st.lists(st.sampled_from(_PIECES) | st.characters(exclude_categories=["Cs"]), max_size=8))
def test_any_text_is_read(language, pieces) -> None:
    text = "".join(pieces)
    for reader in _READERS.values():
        list(reader(text, language))


def test_a_zeroth_is_no_error() -> None:
    assert [count.value for count in ordinals_in("the 0th row and the 3rd", "en")] == [0, 3]
