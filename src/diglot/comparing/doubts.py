"""Sentences whose words may no longer hold although nobody touched them: "over half", "faster", "twice"."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Literal

import msgspec

from diglot.comparing.ratio_words import ratios_in
from diglot.comparing.records import BoundValue, Sentence, TextBlock, TextHalf
from diglot.languages import Language

DoubtRule = Literal["assertion", "ratio", "half", "ranking"]
_ORDER: tuple[DoubtRule, ...] = ("assertion", "ratio", "half", "ranking")
_NEAR = 0.2
"""How far from a word such as "twice" a ratio may have been for the word to be about it, as a share."""
_AWAY = 0.1
"""How far a ratio may be from what the word says for the word to hold."""


_HALF = 2.0
"""The ratio that “half” names, as a number of at least 1."""


class Doubt(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence to read again."""

    rule: DoubtRule
    message: str
    """What has changed about it, in one line."""
    language: Language
    path: str
    line: int
    before: str
    after: str
    """The sentence; empty for an assertion."""

    @property
    def order(self) -> tuple[int, str, int]:
        """Sorts the most certain first."""
        return _ORDER.index(self.rule), self.path, self.line


def doubts_in(half: TextHalf, pairs: Sequence[tuple[TextBlock | None, TextBlock | None]]) -> Iterator[Doubt]:
    """The doubtful sentences of a half. Those that their author has changed are not doubted."""
    held = {
        one.expression for old, _ in pairs if old is not None for one in old.assertions if one.mistake is None
    }
    for _, now in pairs:
        for one in () if now is None else now.assertions:
            if one.mistake is not None:
                was = "was true, and is not any more" if one.expression in held else "is not true"
                yield Doubt(
                    rule="assertion",
                    message=f"`{one.expression}` {was}: {one.mistake.message.partition(': ')[2]}",
                    language=half.language,
                    path=half.path,
                    line=one.line,
                    before="",
                    after="",
                )
    for old, now in pairs:
        if old is not None and now is not None and old.template == now.template:
            yield from _in_block(half, old, now)


def _in_block(half: TextHalf, old: TextBlock, now: TextBlock) -> Iterator[Doubt]:
    pairs = [*zip(old.sentences, now.sentences, strict=True)]
    if now.is_table:  # its cells are compared with each other
        values_then, values_now = _values(old), _values(now)
        moved = next((pair for pair in pairs if pair[0].text != pair[1].text), None)
        if moved is not None:
            for message in _turned_over(values_then, values_now):
                yield _doubt(half, "ranking", message, *moved)
    for before, after in pairs:
        crossed = [*_crossed_half(before, after)]
        for message in crossed:
            yield _doubt(half, "half", message, before, after)
        for message in () if now.is_table else _turned_over(before.values, after.values):
            yield _doubt(half, "ranking", message, before, after)
        for ratio, message in _moved_ratios(half.language, before, after, old, now):
            if not (crossed and ratio == _HALF):  # it is told already
                yield _doubt(half, "ratio", message, before, after)


def _doubt(half: TextHalf, rule: DoubtRule, message: str, before: Sentence, after: Sentence) -> Doubt:
    return Doubt(
        rule=rule,
        message=message,
        language=half.language,
        path=half.path,
        line=after.line,
        before=before.text,
        after=after.text,
    )


def _values(block: TextBlock) -> list[BoundValue]:
    return [value for one in block.sentences for value in one.values]


def _crossed_half(before: Sentence, after: Sentence) -> Iterator[str]:
    for old, new in zip(before.values, after.values, strict=True):
        if new.dimension != "%" or old.number is None or new.number is None:
            continue
        if (old.number - 0.5) * (new.number - 0.5) < 0:
            yield f"`{new.expression}` crossed 50%: {old.text} → {new.text}"


def _turned_over(before: Sequence[BoundValue], after: Sequence[BoundValue]) -> Iterator[str]:
    """Values whose order changed."""
    told = set()
    for (old_a, a), (old_b, b) in combinations(zip(before, after, strict=True), 2):
        numbers = (old_a.number, a.number, old_b.number, b.number)
        if a.dimension != b.dimension or not a.dimension or None in numbers or a.expression == b.expression:
            continue
        pair = frozenset((a.expression, b.expression))
        if pair in told:
            continue
        then, now = _sign(old_a.number, old_b.number), _sign(a.number, b.number)
        if then * now < 0:
            told.add(pair)
            signs = {1: ">", -1: "<"}
            yield (
                f"the order was reversed: {old_a.text} {signs[then]} {old_b.text} → "
                f"{a.text} {signs[now]} {b.text} (`{a.expression}`, `{b.expression}`)"
            )


def _sign(left: float | None, right: float | None) -> int:
    if left is None or right is None:
        return 0
    return (left > right) - (left < right)


def _moved_ratios(
    language: Language, before: Sentence, after: Sentence, old: TextBlock, now: TextBlock
) -> Iterator[tuple[float, str]]:
    """Words such as "twice" beside values whose ratio was near, and is not any more."""
    for word, ratio in ratios_in(after.template, language):
        own = [*_ratios(before.values, after.values)]
        around = [*_ratios(_values(old), _values(now))]
        for candidates in (own, around):
            near = [one for one in candidates if abs(one[0] / ratio - 1) <= _NEAR]
            if near:
                was, is_, said = min(near, key=lambda one: abs(one[0] / ratio - 1))
                if abs(is_ / ratio - 1) > max(_AWAY, abs(was / ratio - 1)):
                    yield ratio, f"“{word}”: {said}"
                break


def _ratios(before: Sequence[BoundValue], after: Sequence[BoundValue]) -> Iterator[tuple[float, float, str]]:
    """Every value without a unit, and the ratio of every two that can be compared: then, now, and in words.

    All are at least 1 then, because “twice” and “half” say the same of two numbers.
    """
    pairs = [*zip(before, after, strict=True)]
    for old, new in pairs:
        if old.number and new.number and new.dimension[:1] in ("%", ".", ""):
            said = f"`{new.expression}` was {old.text}, and is {new.text} now"
            yield *_upright(old.number, new.number), said
    for (old_a, a), (old_b, b) in combinations(pairs, 2):
        if a.dimension != b.dimension or a.expression == b.expression:
            continue
        if old_a.number and old_b.number and a.number and b.number:
            then, now = old_a.number / old_b.number, a.number / b.number
            first, second = (a, b) if abs(then) >= 1 else (b, a)
            then, now = _upright(then, now)
            said = f"`{first.expression}` ÷ `{second.expression}` was {then:.3g}, and is {now:.3g} now"
            yield then, now, said


def _upright(then: float, now: float) -> tuple[float, float]:
    return (then, now) if abs(then) >= 1 else (1 / then, 1 / now)
