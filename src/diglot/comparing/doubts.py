"""Sentences whose words may no longer hold although nobody touched them: "over half", "faster", "twice"."""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Literal

import msgspec
from jinja2 import nodes

from diglot.comparing.ratio_words import ratios_in
from diglot.comparing.records import BoundValue, Sentence, TextBlock, TextHalf
from diglot.content.computed_numbers import KnownNumbers, WrittenNumber, outdated_message
from diglot.content.prose import without_stand_ins
from diglot.expressions.numbers import without_format
from diglot.expressions.parsing import parse_expression
from diglot.languages import Language
from diglot.quantities.reading import quantities_in

DoubtRule = Literal["assertion", "typed", "ratio", "half", "ranking"]
_ORDER: tuple[DoubtRule, ...] = ("assertion", "typed", "ratio", "half", "ranking")
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
    """The sentence; empty if it was not there."""
    after: str
    """Empty for an assertion that stands alone."""

    @property
    def order(self) -> tuple[int, str, int]:
        """Sorts the most certain first."""
        return _ORDER.index(self.rule), self.path, self.line


def doubts_in(half: TextHalf, pairs: Sequence[tuple[TextBlock | None, TextBlock | None]]) -> Iterator[Doubt]:
    """The doubtful sentences of a half. Those that their author has changed are not doubted."""
    held = {
        one.expression for old, _ in pairs if old is not None for one in old.assertions if one.mistake is None
    }
    for old, now in pairs:
        for one in () if now is None else now.assertions:
            if one.mistake is not None:
                was = "was true, and is not any more" if one.expression in held else "is not true"
                yield Doubt(
                    rule="assertion",
                    message=f"`{one.expression}` {was}: {one.mistake.message.partition(': ')[2]}",
                    language=half.language,
                    path=half.path,
                    line=one.line,
                    before=_asserting(old, one.expression),
                    after=_asserting(now, one.expression),
                )
    for old, now in pairs:
        if old is not None and now is not None and old.template == now.template:
            yield from _in_block(half, old, now)


def _asserting(block: TextBlock | None, expression: str) -> str:
    """The sentence of a block that contains an assertion; empty if it stands alone."""
    sentences = () if block is None else block.sentences
    return next((one.text for one in sentences if expression in one.asserts), "")


def _in_block(half: TextHalf, old: TextBlock, now: TextBlock) -> Iterator[Doubt]:
    pairs = [*zip(old.sentences, now.sentences, strict=True)]
    if now.is_table:  # its cells are compared with each other
        values_then, values_now = _values(old), _values(now)
        moved = next((pair for pair in pairs if pair[0].text != pair[1].text), None)
        if moved is not None:
            for message in _turned_over(values_then, values_now):
                yield _doubt(half, "ranking", message, *moved)
    for before, after in pairs:
        stated = _stated(half.language, before, after)
        crossed = [*_crossed(*stated)]
        for rule, message in crossed:
            yield _doubt(half, rule, message, before, after)
        for message in () if now.is_table else _turned_over(*stated):
            yield _doubt(half, "ranking", message, before, after)
        for ratio, message in _moved_ratios(half.language, before, after, old, now):
            if not (ratio == _HALF and any(rule == "half" for rule, _ in crossed)):  # it is told already
                yield _doubt(half, "ratio", message, before, after)


def outdated_in(half: TextHalf, known: KnownNumbers) -> Iterator[Doubt]:
    """The numbers that were typed from figures, and that the figures no longer compute."""
    for one in half.typed:
        written = WrittenNumber.of(one.quantity, one.sentence)
        meaning = None if written is None else written.meaning(known)
        if meaning is not None and meaning.kind == "outdated":
            fix = f"; write {meaning.written}" if meaning.written else ""
            sentence = without_stand_ins(one.sentence)
            yield Doubt(
                rule="typed",
                message=outdated_message(one.quantity.text, meaning) + fix,
                language=half.language,
                path=half.path,
                line=one.line,
                before=sentence,
                after=sentence,
            )


def _doubt(half: TextHalf, rule: DoubtRule, message: str, before: Sentence, after: Sentence) -> Doubt:
    return Doubt(
        rule=rule,
        message=f"in what the figure says, {message}" if after.is_said else message,
        language=half.language,
        path=half.path,
        line=after.line,
        before=before.text,
        after=after.text,
    )


def _values(block: TextBlock) -> list[BoundValue]:
    return [value for one in block.sentences for value in one.values]


def _stated(
    language: Language, before: Sentence, after: Sentence
) -> tuple[Sequence[BoundValue], Sequence[BoundValue]]:
    """The values of a sentence then and now; of what a figure says, the quantities in its text.

    None of these if they are not the same ones, because the script says something else now.
    """
    if not after.is_said:
        return before.values, after.values
    then, now = (_quantities(one, language) for one in (before, after))
    is_same = [one.dimension for one in then] == [one.dimension for one in now]
    return (then, now) if is_same else ((), ())


def _quantities(sentence: Sentence, language: Language) -> list[BoundValue]:
    return [
        BoundValue(
            expression="",
            text=one.text,
            line=sentence.line,
            number=None if one.is_range or one.is_in_itself else one.low,
            dimension={"fraction": "%", "": "."}.get(one.unit, one.unit),
        )
        for one in quantities_in(sentence.text, language)
    ]


def _crossed(before: Sequence[BoundValue], after: Sequence[BoundValue]) -> Iterator[tuple[DoubtRule, str]]:
    """Values on the other side of what words such as “most”, “more”, “faster” and “less” are about."""
    for old, new in zip(before, after, strict=True):
        if old.number is None or new.number is None:
            continue
        name, texts = f"`{new.expression}` " if new.expression else "a number ", f"{old.text} → {new.text}"
        if old.number * new.number < 0:
            yield "ranking", f"{name}changed its sign: {texts}"
        elif new.dimension == "%" and _is_between(1, old.number, new.number):
            yield "ranking", f"{name}crossed 100%: {texts}"
        elif new.dimension == "%" and _is_between(0.5, old.number, new.number):
            yield "half", f"{name}crossed 50%: {texts}"
        elif new.dimension != "%" and _is_between(1, old.number, new.number) and _is_ratio(new):
            yield "ranking", f"{name}crossed 1: {texts}"


def _is_between(level: float, old: float, new: float) -> bool:
    return (old - level) * (new - level) < 0


_OF_A_RATIO = re.compile(r"\.(?:\w+_)?(?:gain|growth|ratio|speedup)")
"""The dimension of a number without a unit, which is the last key of its path."""


def _is_ratio(value: BoundValue) -> bool:
    """Whether a value says how many times one quantity is another."""
    if not value.expression:
        return value.dimension == "times"
    is_quotient = isinstance(parse_expression(without_format(value.expression)), nodes.Div)
    return is_quotient or _OF_A_RATIO.fullmatch(value.dimension) is not None


def _turned_over(before: Sequence[BoundValue], after: Sequence[BoundValue]) -> Iterator[str]:
    """Values whose order changed."""
    told = set()
    for (old_a, a), (old_b, b) in combinations(zip(before, after, strict=True), 2):
        numbers = (old_a.number, a.number, old_b.number, b.number)
        if a.dimension != b.dimension or not a.dimension or None in numbers:
            continue
        names = (a.expression, b.expression)
        if names[0] and (names[0] == names[1] or frozenset(names) in told):
            continue
        then, now = _sign(old_a.number, old_b.number), _sign(a.number, b.number)
        if then * now < 0:
            told.add(frozenset(names))
            signs = {1: ">", -1: "<"}
            of = f" (`{a.expression}`, `{b.expression}`)" if names[0] else ""
            yield (
                f"the order was reversed: {old_a.text} {signs[then]} {old_b.text} → "
                f"{a.text} {signs[now]} {b.text}{of}"
            )


def _sign(left: float | None, right: float | None) -> int:
    if left is None or right is None:
        return 0
    return (left > right) - (left < right)


def _moved_ratios(
    language: Language, before: Sentence, after: Sentence, old: TextBlock, now: TextBlock
) -> Iterator[tuple[float, str]]:
    """Words such as "twice" next to values whose ratio was near, and is not any more."""
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
