"""Words that say how many times one quantity is another."""

import pytest

from diglot.comparing.ratio_words import ratios_in


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It is twice as fast.", [("twice", 2)]),
        ("The time doubles, and the cost is halved.", [("doubles", 2), ("halved", 2)]),
        ("More than half of it, a third of that.", [("half", 2), ("a third", 3)]),
        ("Three times the bandwidth, ten-fold the price.", [("Three times", 3), ("ten-fold", 10)]),
        ("A gain of 2.5× or 1.7 times.", [("2.5×", 2.5), ("1.7 times", 1.7)]),
        ("An order of magnitude more.", [("An order of magnitude", 10)]),
        ("Behalf of the doubly linked list, {a.half | number}.", []),
    ],
)
def test_english(text: str, found: list[tuple[str, float]]) -> None:
    assert [*ratios_in(text, "en")] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("快两倍。", [("两倍", 2)]),
        ("翻了一番，又翻倍。", [("翻了一番", 2), ("翻倍", 2)]),
        ("不到一半，只有三分之一。", [("一半", 2), ("三分之一", 3)]),
        ("带宽是 2.5 倍，十倍于它。", [("2.5 倍", 2.5), ("十倍", 10)]),
        ("高一个数量级。", [("一个数量级", 10)]),
        ("半导体，{a.b}倍增器。", []),
    ],
)
def test_chinese(text: str, found: list[tuple[str, float]]) -> None:
    assert [*ratios_in(text, "zh")] == found
