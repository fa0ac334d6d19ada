"""Arithmetic in a sentence: `from 97 to 55, a drop of 42`, `3 × 4 = 12`, `50的20%是10`, `从40翻倍到80`.

Only what states all of its numbers is worked out again, and only in the forms below: what is not understood
is not judged. A result may be rounded as it is written.
"""

import math
import operator
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from itertools import product
from typing import NamedTuple

from diglot.languages import Language, format_number
from diglot.quantities.numerals import number_at
from diglot.quantities.quantity import Qualifier, Quantity
from diglot.quantities.reading import quantities_in
from diglot.quantities.units import unit_at


class WrongSum(NamedTuple):
    """A result in a sentence that is not what its other numbers make."""

    text: str
    """As written, the numbers that it is made of included."""
    result: str
    """The result as written."""
    right: str
    """What it should be."""


def wrong_sums(text: str, language: Language, *, rounded: Collection[int] = ()) -> Iterator[WrongSum]:
    """The results in a sentence that are wrong; `rounded` are places of numbers that have been rounded."""
    if sum(map(str.isdigit, text)) < 2:
        return
    quantities = quantities_in(text, language)
    for made in (
        *_equations(text, rounded),
        *_shares(text, quantities, language),
        *_changes(text, quantities, language),
    ):
        if not made.holds(rounded):
            begin = min(one.start for one in made.of)
            end = max(made.result.end, *(one.end for one in made.of))
            yield WrongSum(text[min(begin, made.result.start) : end], made.result.text, made.right)


class _Made(NamedTuple):
    """A result, and the numbers that it is made of."""

    of: tuple[Quantity, ...]
    result: Quantity
    ways: tuple[Callable[..., float], ...]
    """The ways in which they may give it; a message names the first."""

    def holds(self, rounded: Collection[int]) -> bool:
        """Whether one of the ways gives it, as exactly as it is written."""
        steps = [one.step / 2 if one.start in rounded else 0.0 for one in self.of]
        ends = [{one.low - step, one.low + step} for one, step in zip(self.of, steps, strict=True)]
        corners = [*product(*ends)]
        return any(self._lies_in([way(*corner) for corner in corners]) for way in self.ways)

    def _lies_in(self, made: Sequence[float]) -> bool:
        share = (0 if self.result.step else _IN_WORDS) + (_ABOUT if self.result.qualifier == "about" else 0)
        slack = self.result.step / 2 + share * abs(self.result.low)
        above = self.result.qualifier != "above" and min(made) > self.result.high + slack * 1.000001
        below = self.result.qualifier != "below" and max(made) < self.result.low - slack * 1.000001
        return not (above or below)

    @property
    def right(self) -> str:
        """The right result, written as the wrong one is."""
        made = self.ways[0](*(one.low for one in self.of))
        digits = re.search(r"\d", self.result.text)
        number = None if digits is None else number_at(self.result.text, digits.start())
        if digits is None or number is None or not self.result.low or not math.isfinite(made):
            return f"{made:.4g}"
        shown = abs(made) * number.value / self.result.low
        decimals = max(0, -math.floor(math.log10(number.step) + 1e-9)) if number.step < 1 else 0
        return f"{format_number(shown, decimals)}{self.result.text[number.end :]}"


_IN_WORDS, _ABOUT = 0.05, 0.1
"""How far off `twice` and `half` may be, and a number that is said to be approximate: shares of the truth."""


# ---- 3 × 4 = 12

_SIGNS: dict[str, Callable[[float, float], float]] = {
    **dict.fromkeys("×x*", operator.mul),
    **dict.fromkeys("/÷", operator.truediv),
    "+": operator.add,
    **dict.fromkeys("-−–", operator.sub),
}
_MOST_TERMS = 12
_TERM = re.compile(r"(?<![\w.,])(?<![×x*/÷+−–=^-])(?<![×x*/÷+−–=^-][ \u00a0])(?=\d)", re.ASCII)
_OPERATOR = re.compile(r"(?:[ \u00a0]?(?P<sign>[×x*/÷+−])[ \u00a0]?|[ \u00a0](?P<dash>[–-])[ \u00a0])(?=\d)")
_EQUALS = re.compile(r"[ \u00a0]?(=|≈|等于|得)[ \u00a0]?(?=\d)")
_GOES_ON = re.compile(r"[ \u00a0]?[×x*/÷+−–^-][ \u00a0]?\d|[\d^!]|[.,]\d")


def _equations(text: str, rounded: Collection[int]) -> Iterator[_Made]:
    """What is on both sides of an equals sign, compared as numbers; if they differ, in base units."""
    if "=" not in text and not _EQUALS.search(text):
        return
    at = 0
    while (start := _TERM.search(text, at)) is not None:
        terms, signs, end = _terms_at(text, start.start())
        equals = _EQUALS.match(text, end)
        at = max(end, start.end() + 1)
        if equals is None or not 0 < len(signs) < _MOST_TERMS or _mixes(signs):
            continue
        result = _term_at(text, equals.end())
        if result is None or _GOES_ON.match(text, result.end):
            continue
        way = partial(_calculated, signs)
        about: Qualifier = "about" if equals[1] == "≈" else ""
        in_base_units = _Made(tuple(one.quantity(1.0) for one in terms), result.quantity(1.0, about), (way,))
        if not in_base_units.holds(rounded):
            numbers = tuple(one.quantity(one.factor) for one in terms)
            yield _Made(numbers, result.quantity(result.factor, about), (way,))


class _Term(NamedTuple):
    value: float
    step: float
    factor: float
    """Of its unit; 1 without one."""
    start: int
    end: int
    text: str

    def quantity(self, per: float, qualifier: Qualifier = "") -> Quantity:
        """The term as a number of base units, or of its own unit if `per` is the factor of that."""
        value, step = self.value * self.factor / per, self.step * self.factor / per
        return Quantity(value, value, "", step, step, qualifier, self.start, self.end, self.text)


def _term_at(text: str, start: int) -> _Term | None:
    number = number_at(text, start)
    if number is None:
        return None
    named = None if _OPERATOR.match(text, number.end) else unit_at(text, number.end)
    factor, end = (named[0].factor, named[1]) if named else (1.0, number.end)
    return _Term(number.value, number.step, factor, start, end, text[start:end])


def _terms_at(text: str, start: int) -> tuple[list[_Term], str, int]:
    """The terms that begin at a place, the signs between them, and where they end."""
    terms, signs, at = [], "", start
    while (term := _term_at(text, at)) is not None:
        terms.append(term)
        sign = _OPERATOR.match(text, term.end)
        if sign is None:
            return terms, signs, term.end
        signs, at = signs + (sign["sign"] or sign["dash"]), sign.end()
    return terms, signs, at


def _mixes(signs: str) -> bool:
    """Whether the result depends on the order in which it is worked out."""
    return bool({*signs} & {*"+-−–"}) and bool({*signs} & {*"×x*/÷"})


def _calculated(signs: str, *values: float) -> float:
    made = values[0]
    for sign, value in zip(signs, values[1:], strict=True):
        made = math.inf if sign in "/÷" and not value else _SIGNS[sign](made, value)
    return made


# ---- 20% of 50 is 10

_ABOUT_EN = "(?:about |around |roughly |only |just |some |almost |nearly |over |more than |less than )?"
_ABOUT_ZH = "(?:约为|大约|约|整整|足足|将近|近|超过|不到)?"
_OF: dict[Language, re.Pattern[str]] = {
    "en": re.compile("[ \u00a0]of (?:the |all |its |those )?"),
    "zh": re.compile("[ \u00a0]?的[ \u00a0]?"),
}
_IS: dict[Language, re.Pattern[str]] = {
    "en": re.compile(rf",?[ \u00a0](?:is|are|makes|gives|comes to|equals|=)[ \u00a0]{_ABOUT_EN}"),
    "zh": re.compile(rf"[，,]?[ \u00a0]?(?:就是|也就是|即|等于|是|为|=){_ABOUT_ZH}[ \u00a0]?"),
}


def _shares(text: str, quantities: Sequence[Quantity], language: Language) -> Iterator[_Made]:
    for one, two, result in zip(quantities, quantities[1:], quantities[2:], strict=False):
        share, whole = (one, two) if language == "en" else (two, one)
        if (
            share.unit == "fraction"
            and whole.unit == result.unit != "fraction"
            and not any(quantity.is_range for quantity in (one, two, result))
            and _OF[language].fullmatch(text, one.end, two.start)
            and _IS[language].fullmatch(text, two.end, result.start)
        ):
            yield _Made((share, whole), result, (operator.mul,))


# ---- from 97 to 55, a drop of 42

_FROM: dict[Language, re.Pattern[str]] = {
    "en": re.compile(rf"\bfrom[ \u00a0]{_ABOUT_EN}\Z", re.I),
    "zh": re.compile(rf"[从由]{_ABOUT_ZH}[ \u00a0]?\Z"),
}
_TO: dict[Language, re.Pattern[str]] = {
    "en": re.compile(rf"[ \u00a0](?:up |down )?to[ \u00a0]{_ABOUT_EN}"),
    "zh": re.compile(rf"[ \u00a0]?[\u3400-\u9fff]{{0,4}}?(?:到了?|至|成了?|为){_ABOUT_ZH}[ \u00a0]?"),
}
_CHANGE = (
    "(?:drop|fall|loss|decline|decrease|reduction|cut|saving|rise|gain|increase|growth|jump|improvement"
    "|difference|change|gap|slowdown|speed-?up)"
)
_CHANGES_BY = (
    "(?:降低|下降|降|掉|跌|减少|减|缩短|缩小|节省|省|少|上升|升高|升|上涨|涨|增加|增长|增|提高|提升|多|相差|差|变化"
    "|丢掉|丢|损失|快|慢)(?:了|出|掉|去)?"
)
_BEHIND: dict[Language, re.Pattern[str]] = {
    "en": re.compile(
        rf"[ \u00a0]?[,;:(–—]?[ \u00a0]?(?:(?:or|which is|that is|i\.e\.|so)[ \u00a0])?"
        rf"(?:(?:an?|the)[ \u00a0](?:[a-z]+[ \u00a0])?(?:{_CHANGE}|factor) of"
        rf"|(?:down |up )?by(?: a factor of)?|down|up)[ \u00a0]{_ABOUT_EN}",
        re.I,
    ),
    "zh": re.compile(
        rf"[ \u00a0]?[，,；;（(]?(?:也就是|相当于|一共|总共|合计|共|就|只|才|又|即|一下子)?{_CHANGES_BY}"
        rf"{_ABOUT_ZH}[ \u00a0]?"
    ),
}
_AHEAD: dict[Language, re.Pattern[str]] = {
    "en": re.compile(rf"\b(?:by|{_CHANGE} of)[ \u00a0]{_ABOUT_EN}\Z", re.I),
    "zh": re.compile(rf"{_CHANGES_BY}{_ABOUT_ZH}[ \u00a0]?\Z"),
}
_BETWEEN: dict[Language, re.Pattern[str]] = {
    "en": re.compile(rf"[ \u00a0]?[,;:(]?[ \u00a0]?from[ \u00a0]{_ABOUT_EN}", re.I),
    "zh": re.compile(rf"[ \u00a0]?[，,；;：（(]?[从由]{_ABOUT_ZH}[ \u00a0]?"),
}
_VERB = re.compile("doubl|tripl|quadrupl|halv|翻|减|加", re.I)
_OF_A_VERB: dict[Language, re.Pattern[str]] = {
    "en": re.compile(rf"(?:[ \u00a0][a-z]+){{0,3}}[ \u00a0]from[ \u00a0]{_ABOUT_EN}", re.I),
    "zh": re.compile(rf"[，,]?[从由]{_ABOUT_ZH}[ \u00a0]?"),
}
_COMMA = re.compile("[ \u00a0]?[，,；;:（(]?[ \u00a0]?(?:正好|恰好|刚好|exactly )?")
_ARTICLE = re.compile(
    rf"[ \u00a0]?[,;:(–—][ \u00a0]?(?:or )?an?[ \u00a0]{_ABOUT_EN}|,[ \u00a0]{_ABOUT_EN}", re.I
)
_SAYS_A_CHANGE = re.compile(rf"[ \u00a0-]?(?:{_CHANGE}|less|more|fewer|lower|higher|faster|slower)\b", re.I)


def _changes(text: str, quantities: Sequence[Quantity], language: Language) -> Iterator[_Made]:
    for before, verb, after in zip(quantities, quantities[1:], quantities[2:], strict=False):
        if (
            _VERB.match(verb.text)
            and _FROM[language].search(text, _near(before), before.start)
            and before.end == verb.start
            and _TO[language].fullmatch(text, verb.end, after.start)
        ):
            yield from _change(before, after, verb)
    for first, last, before, after in _from_to(text, quantities, language):
        if first and _is_ahead(quantities[first - 1], before, text, language):
            yield from _change(before, after, quantities[first - 1])
        behind = quantities[last + 1] if last + 1 < len(quantities) else None
        if (
            behind is not None
            and _is_behind(after, behind, text, language)
            and not _is_of_another(before, after, behind, text)
        ):
            yield from _change(before, after, behind)


def _from_to(
    text: str, quantities: Sequence[Quantity], language: Language
) -> Iterator[tuple[int, int, Quantity, Quantity]]:
    """What changes: the indices of the first and last of its quantities, and its values before and after."""
    for index, one in enumerate(quantities):
        if not _FROM[language].search(text, _near(one), one.start):
            continue
        if one.is_range:
            yield index, index, one._replace(high=one.low), one._replace(low=one.high)
        elif index + 1 < len(quantities):
            two = quantities[index + 1]
            if not two.is_range and _TO[language].fullmatch(text, one.end, two.start):
                yield index, index + 1, one, two


def _near(quantity: Quantity) -> int:
    """Where the words before a quantity begin that may be about it."""
    return max(0, quantity.start - 40)


def _is_ahead(result: Quantity, before: Quantity, text: str, language: Language) -> bool:
    if _VERB.match(result.text):
        return bool(_OF_A_VERB[language].fullmatch(text, result.end, before.start))
    between = _BETWEEN[language].fullmatch(text, result.end, before.start)
    return bool(between and _AHEAD[language].search(text, _near(result), result.start))


def _is_behind(after: Quantity, result: Quantity, text: str, language: Language) -> bool:
    place = after.end, result.start
    if _VERB.match(result.text):
        return bool(_COMMA.fullmatch(text, *place))
    if language == "en" and _ARTICLE.fullmatch(text, *place):
        return bool(_SAYS_A_CHANGE.match(text, result.end))
    return bool(_BEHIND[language].fullmatch(text, *place))


_OF_SPEED = re.compile(
    r"gain|improvement|saving|cut|loss|speed-?up|slowdown|faster|slower|cheaper|快|慢|省|丢|损失", re.I
)
_MEASURED = re.compile(r"s|fraction|times|USD|CNY|byte|J|W|Hz|.*/.*")


def _is_of_another(before: Quantity, after: Quantity, result: Quantity, text: str) -> bool:
    """Whether a share or multiple may be of what the counts bring: `from 1 to 8 chips, a speed-up of 6`."""
    if result.unit not in ("fraction", "times", "") or _MEASURED.fullmatch(after.unit or before.unit):
        return False
    return _OF_SPEED.search(text, after.end, result.end + len(" a speed-up")) is not None


def _change(before: Quantity, after: Quantity, result: Quantity) -> Iterator[_Made]:
    """What a change is said to be, if it can be worked out."""
    if result.is_range:
        return
    if before.unit != after.unit:
        if "" not in (before.unit, after.unit):
            return
        before, after = before.as_written, after.as_written
    relative = (_share, _ratio) if before.unit != "fraction" else (_share, _difference, _ratio)
    if result.unit == "point":
        per = 100 if before.unit == "fraction" else 1
        yield _Made((before, after), result, (lambda a, b: abs(b - a) * per,))
    elif result.unit == "times":
        yield _Made((before, after), result, (_ratio, _inverse, _times_more, _times_less))
    elif result.unit == "fraction":
        is_verb = _VERB.match(result.text) is not None
        yield _Made((before, after), result, (_ratio,) if is_verb else relative)
    elif result.unit == before.unit:
        yield _Made((before, after), result, (_difference,))
    elif "" in (result.unit, before.unit):
        yield _Made((before.as_written, after.as_written), result.as_written, (_difference,))


def _difference(a: float, b: float) -> float:
    return abs(b - a)


def _share(a: float, b: float) -> float:
    return abs(b - a) / abs(a) if a else math.inf


def _ratio(a: float, b: float) -> float:
    return b / a if a else math.inf


def _inverse(a: float, b: float) -> float:
    return a / b if b else math.inf


def _times_more(a: float, b: float) -> float:
    return _ratio(a, b) - 1


def _times_less(a: float, b: float) -> float:
    return _inverse(a, b) - 1
