"""Faults in numbers: digits, units and words, in one half or both, in prose, tables, captions and slides."""

import random
import re
from collections.abc import Callable, Mapping

from diglot.languages import LANGUAGES, Language, twin_of
from tests.truth.planting import Block, Fault, Planter
from tests.truth.published import values

TYPED = frozenset(("number-typed", "number-differs", "number-outdated", "number-unbound"))
PAIRED = frozenset(("halves-quantity", "halves-value"))

_VALUE = re.compile(r"\{eval\}`([^`]*)`")
_ORDINAL = re.compile(r"第\{eval\}`[^`]*`")
_SHOWN = re.compile(r"[\d,]+(?:\.\d+)?%?")


def shown(target: str, language: Language) -> str:
    """A value as pages show it."""
    return values(language).text(target.replace(r"\|", "|"), path="", line=1)


def path_of(target: str) -> str:
    """The expression of a value without its format."""
    return target.replace(r"\|", "|").partition("|")[0].strip()


def values_in_both(block: Block) -> list[str]:
    """The targets of the values that both halves of a block show as a number, not in an ordinal."""
    targets = set(_VALUE.findall(_ORDINAL.sub("", block.zh))) & set(_VALUE.findall(block.en))
    return sorted(one for one in targets if _SHOWN.fullmatch(shown(one, "en")))


def _is_cited(text: str, target: str) -> bool:
    """Whether the sentence of a value has a link: its number is the source's, which no guard knows."""
    before, _, behind = text.partition(f"`{target}`")
    return "](http" in before.rpartition(". ")[2] + behind.partition(". ")[0]


def _written(text: str, target: str, number: str) -> str:
    return text.replace(f"{{eval}}`{target}`", number, 1)


# ---- how a number is changed


def _swapped(number: str, chance: random.Random) -> str | None:
    """Two neighbouring digits in each other's place."""
    places = [
        found.start()
        for found in re.finditer(r"\d(?=\d)", number)
        if number[found.start()] != number[found.start() + 1]
        and not (found.start() == 0 and number[1] == "0")
    ]
    if not places:
        return None
    at = chance.choice(places)
    return f"{number[:at]}{number[at + 1]}{number[at]}{number[at + 2 :]}"


def _off_by_one(number: str, chance: random.Random) -> str | None:
    """The last digit is one more or less."""
    last = max(found.start() for found in re.finditer(r"\d", number))
    digit = (int(number[last]) + chance.choice((1, 9))) % 10
    changed = f"{number[:last]}{digit}{number[last + 1 :]}"
    return changed if re.search("[1-9]", changed) else None


def _tenfold(number: str, _chance: random.Random) -> str | None:
    """The decimal point has slipped, or a zero too many."""
    if "." in number:
        return number.replace(".", "")
    return re.sub(r"([\d,]+)", lambda found: f"{int(found[1].replace(',', '')) * 10:,}", number)


def _another_digit(number: str, chance: random.Random) -> str | None:
    """A digit somewhere is another one."""
    at = chance.choice([found.start() for found in re.finditer(r"\d", number)])
    digit = (int(number[at]) + chance.randint(1, 9)) % 10
    return None if at == 0 and digit == 0 else f"{number[:at]}{digit}{number[at + 1 :]}"


_CHANGES: tuple[Callable[[str, random.Random], str | None], ...] = (
    _swapped,
    _off_by_one,
    _tenfold,
    _another_digit,
)


def changed(number: str, chance: random.Random) -> str | None:
    """A number with one fault in its digits; None where that fault cannot be made."""
    return chance.choice(_CHANGES)(number, chance)


# ---- where it is typed


def _typed_in(languages: tuple[Language, ...], block: Block, chance: random.Random) -> Fault | None:
    targets = [one for one in values_in_both(block) if len(languages) == 1 or not _is_cited(block.en, one)]
    if not targets:
        return None
    target = chance.choice(targets)
    right = shown(target, "en")
    wrong = changed(right, chance)
    if wrong is None or wrong == right:
        return None
    for language in languages:
        block = block.having(language, _written(block.of(language), target, wrong))
    of_pairs = PAIRED if len(languages) == 1 else frozenset[str]()
    path = "".join(path_of(target).split())
    return Fault(block, TYPED | of_pairs, said=(wrong.rstrip("%"), path))


def typed_in_one_half(block: Block, chance: random.Random) -> Fault | None:
    """A number is typed wrong where a value is bound in the twin."""
    return _typed_in((chance.choice(LANGUAGES),), block, chance)


def typed_in_both_halves(block: Block, chance: random.Random) -> Fault | None:
    """A number is typed, wrong, in both halves."""
    return _typed_in(("zh", "en"), block, chance)


def differs_where_both_are_typed(block: Block, chance: random.Random) -> Fault | None:
    """All numbers of a block are typed, and one of them is wrong in one half."""
    targets = values_in_both(block)
    if not targets:
        return None
    target, language = chance.choice(targets), chance.choice(LANGUAGES)
    wrong = changed(shown(target, "en"), chance)
    if wrong is None or wrong == shown(target, "en"):
        return None
    block = block.having(language, _written(block.of(language), target, wrong))
    for half in LANGUAGES:
        block = block.having(half, _VALUE.sub(lambda one, half=half: shown(one[1], half), block.of(half)))
    return Fault(block, PAIRED, said=(wrong.rstrip("%"),))


_UNITS: Mapping[Language, Mapping[str, tuple[str, ...]]] = {
    "zh": {
        "倍": ("%", "成"),
        "FLOP/B": ("FLOP/s", "kFLOP/B"),
        "TFLOP/s": ("GFLOP/s", "TB/s", "PFLOP/s"),
        "GB/s": ("TB/s", "GB"),
        "ms": ("µs", "s"),
        "个词元": ("个请求", "毫秒"),
        "个SM": ("列",),
        "列": ("行", "层"),
        "行": ("列",),
        "拍": ("行", "毫秒"),
        "%": ("倍",),
    },
    "en": {
        " times": ("%", " percent"),
        "FLOP/B": ("FLOP/s", "kFLOP/B"),
        "TFLOP/s": ("GFLOP/s", "TB/s", "PFLOP/s"),
        "GB/s": ("TB/s", "GB"),
        "ms": ("µs", "s"),
        " tokens": (" requests", " ms"),
        " SMs": (" columns",),
        " columns": (" rows", " layers"),
        " rows": (" columns",),
        " cycles": (" rows", " ms"),
        "-fold": ("%",),
        "%": ("×",),
    },
}


def another_unit(block: Block, chance: random.Random) -> Fault | None:
    """The unit behind a value, or in the head of a table, is another one in one half."""
    language = chance.choice(LANGUAGES)
    text = _ORDINAL.sub(lambda one: "_" * len(one.group()), block.of(language))
    places = []
    for unit, others in _UNITS[language].items():
        behind = re.compile(rf"(?<=`)((?:&nbsp;| )?){re.escape(unit)}(?![A-Za-z/])")
        in_head = re.compile(rf"(?<=[，,])( ?){re.escape(unit)}(?=\*{{0,2}} \|)")
        places += [(found, unit, others) for one in (behind, in_head) for found in one.finditer(text)]
    if not places or "{eval}" not in block.of(twin_of(language)):
        return None
    found, unit, others = chance.choice(places)
    other = chance.choice(others)
    text = block.of(language)
    text = f"{text[: found.start()]}{found[1]}{other}{text[found.end() :]}"
    return Fault(block.having(language, text), PAIRED | TYPED | {"halves-unit"}, said=(other.strip(),))


def no_unit(block: Block, chance: random.Random) -> Fault | None:
    """One half leaves out the rate behind a value, at the end of a clause."""
    language = chance.choice(LANGUAGES)
    text = block.of(language)
    places = [*re.finditer(r"(?<=number\(0\)`)(?:&nbsp;| )T?FLOP/[sB](?=[，。,.:]| and | in )", text)]
    if not places or block.kind == "table":
        return None
    found = chance.choice(places)
    return Fault(
        block.having(language, text[: found.start()] + text[found.end() :]), frozenset(("halves-unit",))
    )


_MEASURED = {"FLOP/B": "FLOP/s", "TFLOP/s": "GFLOP/s", "ms": "s"}


def another_unit_in_both_halves(block: Block, chance: random.Random) -> Fault | None:
    """The unit behind values is another one in both halves."""
    units = [
        unit
        for unit in _MEASURED
        if all(re.search(rf"`(?:&nbsp;| ){unit}(?![A-Za-z])", text) for text in block[1:])
    ]
    if not units:
        return None
    unit = chance.choice(units)
    pattern = re.compile(rf"(?<=`)(&nbsp;| ){unit}(?![A-Za-z])")
    for language in LANGUAGES:
        block = block.having(language, pattern.sub(rf"\1{_MEASURED[unit]}", block.of(language), count=1))
    return Fault(block, frozenset(("number-unit",)), said=(_MEASURED[unit],))


_WORDS: Mapping[Language, Mapping[str, tuple[str, ...]]] = {
    "zh": {
        "翻倍": ("变成三倍", "减半"),
        "一半": ("三分之一", "四分之一", "两成"),
        "三倍": ("两倍", "四倍", "八倍"),
        "不到一成": ("不到三成", "不到两倍"),
        "大一倍": ("大三倍", "大四倍"),
        "三分之一": ("四分之一", "一半", "三分之二"),
        "二十分钟": ("三十分钟", "十二分钟"),
    },
    "en": {
        "a factor of three": ("a factor of two", "a factor of eight"),
        "about half": ("about a third", "about a quarter"),
        "exactly twice": ("exactly half", "exactly three times"),
        "twice as large": ("three times as large", "four times as large"),
        "within a tenth": ("within a third", "within a half"),
        "a third": ("a quarter", "half"),
        "twenty minutes": ("thirty minutes", "twelve minutes"),
        "doubled": ("tripled", "halved"),
        "doubles": ("triples", "halves"),
        "lose half": ("lose a third", "lose a quarter"),
    },
}


def another_word(block: Block, chance: random.Random) -> Fault | None:
    """A multiple or a part in words is another one in one half."""
    language = chance.choice(LANGUAGES)
    text = block.of(language)
    places = [
        (found, others)
        for word, others in _WORDS[language].items()
        for found in re.finditer(rf"(?<![A-Za-z-]){word}(?![A-Za-z])", text)
    ]
    if not places:
        return None
    found, others = chance.choice(places)
    other = chance.choice(others)
    text = f"{text[: found.start()]}{other}{text[found.end() :]}"
    return Fault(block.having(language, text), PAIRED | TYPED)


_COUNTS: Mapping[Language, tuple[str, tuple[str, ...]]] = {
    "zh": ("(?<![第十])[两三七八](?=[个种代块])", ("四", "五", "九")),
    "en": (
        r"\b(?:two|three|seven|eight)(?= (?:models|kinds|sides|chips|H200s|v6es)\b)",
        ("four", "five", "nine"),
    ),
}


def another_count(block: Block, chance: random.Random) -> Fault | None:
    """Things are counted in words in both halves, and another number of them in one."""
    places = {one: [*re.finditer(_COUNTS[one][0], block.of(one))] for one in LANGUAGES}
    if len(places["zh"]) != len(places["en"]) or not places["zh"]:
        return None
    language = chance.choice(LANGUAGES)
    text, found = block.of(language), chance.choice(places[language])
    other = chance.choice(_COUNTS[language][1])
    text = f"{text[: found.start()]}{other}{text[found.end() :]}"
    return Fault(block.having(language, text), PAIRED, said=(other,))


_HEDGES: tuple[tuple[str, str], ...] = (
    ("不到", "more than"),
    ("超过", "less than"),
    ("至少", "no more than"),
    ("不超过", "at least"),
)


def less_for_more(block: Block, chance: random.Random) -> Fault | None:
    """One half says that it is less, and the other that it is more."""
    if block.kind != "paragraph":
        return None
    zh, en = chance.choice(_HEDGES)
    amount = f"{chance.randrange(11, 99)} ms"
    block = block._replace(zh=f"{block.zh}{zh}{amount}。", en=f"{block.en} It takes {en} {amount}.")
    return Fault(block, frozenset(("halves-quantity",)), said=("less than", "more than"))


_ROUND = (("3万个", "{:,} of them", 30_000, 4_900), ("2亿个", "{:,} of them", 200_000_000, 40_000_000))


def other_than_rounded(block: Block, chance: random.Random) -> Fault | None:
    """A round number in one half is another one, nearby, in the other."""
    if block.kind != "paragraph":
        return None
    zh, en, value, near = chance.choice(_ROUND)
    wrong = value + chance.choice((-1, 1)) * chance.randrange(near // 100, near)
    block = block._replace(zh=f"{block.zh}共{zh}。", en=f"{block.en} There are {en.format(wrong)}.")
    return Fault(block, frozenset(("halves-quantity",)), said=(f"{wrong:,}",))


def in_an_alternative_text(block: Block, chance: random.Random) -> Fault | None:
    """The words for a picture have another number in one half."""
    if block.kind != "paragraph":
        return None
    number = chance.choice(("206", "4.8", "1,979", "97%", "0.35", "128"))
    unit = "" if number.endswith("%") else chance.choice((" ms", " TB/s", " FLOP/B", ""))
    wrong = changed(number, chance)
    if wrong is None or wrong == number:
        return None
    language = chance.choice(LANGUAGES)
    words = {"zh": "![线停在{}的地方](a.png)", "en": "![The line ends at {}.](a.png)"}
    for half in LANGUAGES:
        shown = (wrong if half == language else number) + unit
        block = block.having(half, f"{block.of(half)} {words[half].format(shown)}")
    return Fault(block, frozenset(("halves-quantity",)), said=(wrong.rstrip("%"),))


_SUMS = (
    ("从{a}降到{b}，降了{c}。", "It falls from {a} to {b}, a drop of {c}."),
    ("从{b}加到{a}，多了{c}。", "It rises from {b} to {a}, by {c}."),
    ("{b} + {c} = {a}。", "{b} + {c} = {a}."),
)


def wrong_sum(block: Block, chance: random.Random) -> Fault | None:
    """A result that does not follow is stated in both halves."""
    if block.kind != "paragraph":
        return None
    less, more = sorted(chance.sample(range(11, 999), 2))
    wrong = changed(f"{more - less}", chance)
    if wrong in (None, f"{more - less}"):
        return None
    zh, en = (one.format(a=more, b=less, c=wrong) for one in chance.choice(_SUMS))
    block = block._replace(zh=f"{block.zh}{zh}", en=f"{block.en} {en}")
    return Fault(block, frozenset(("number-sum",)))


PLANTERS: tuple[Planter, ...] = (
    typed_in_one_half,
    typed_in_both_halves,
    differs_where_both_are_typed,
    another_unit,
    another_unit_in_both_halves,
    no_unit,
    another_word,
    another_count,
    less_for_more,
    other_than_rounded,
    in_an_alternative_text,
    wrong_sum,
)
