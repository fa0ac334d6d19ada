"""Finds sentences in which one half denies a word, and the other has the same word without a no.

Languages deny in many ways: `不常见` is `rare`, `not uncommon` is `常见`, `不得不` is `has to`. So it is no
fault that one half has a no and the other has none. Reported is a denied word (`不支持`, `unsafe`) whose
translation is in the other half (`supports`, `安全`), in a sentence without anything that denies; and a word
with its very opposite (`拒绝`, `accepts`) where nothing else in either half denies.
Words that are not in `known_words.json` are missed.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from diglot.content.differences import Difference
from diglot.content.known_words import tables
from diglot.content.pole_agreement import are_turned, limits_are_turned
from diglot.content.sentence_pairs import sentence_pairs

_DENIAL_ZH = (
    "(?:不要?|没有人?|没|并非|未经?|无法|无需|无须|毫无|难以|难于|很难|很少|极少|避免|拒绝|停止"
    "|(?:请勿|勿|莫|禁止|不要|不得|(?<![区特个分级类识性判差告离])别)(?![的处人名非忘错漏小只光以大测])[^，。；]{0,10}?)"
)
"""What denies the word behind it; behind a ban there may be some more words: `别在训练时打开`."""
_BETWEEN_ZH = (
    "(?:能够?|会|可以|可|再|曾|太|很|算|提前|过早|那么|怎么|十分|必|总是?|更|被|一定|重新|额外|再次|完全|真正?|直接|自动"
    "|用来)?"
)
_DENIAL_EN = (
    r"\b(?:not|never|cannot|[a-z]+n[’']t|hardly|barely|scarcely|rarely|seldom|no longer|without"
    r"|rather than|instead of|(?:fail(?:s|ed)?|refus(?:es?|ed)|unable) to|avoid(?:s|ed)?|lack(?:s|ed)?)"
)
_BETWEEN_EN = (
    r"(?:[ \u00a0](?:\w+ly|be|been|being|yet|actually|even|have|very|so|that|always|ever|any|much|a|an|the"
    r"|its))*[ \u00a0]"
)
_PREFIX_EN = r"\b(?:un|in|im(?!prov)|ir|il|dis(?!clos)|non-?)"


class _Word(NamedTuple):
    """A word with its translations: as it is denied, and as it is said."""

    denied: re.Pattern[str]
    said: re.Pattern[str]
    plain: re.Pattern[str] = re.compile(r"(?!)")
    """The word itself in the language that denies it."""

    def is_said_too(self, denied: re.Match[str]) -> bool:
        """Whether the sentence that denies the word says it elsewhere as well: `别用峰值，要用实测值`."""
        return self.plain.search(_without(denied)) is not None

    def is_surely(self, denied: re.Match[str], said: re.Match[str]) -> bool:
        """Whether both are the same in long sentences, too: in the same place, and no mere 有 or 做."""
        here, there = (word.start() / len(word.string) for word in (denied, said))
        words = (self.plain.search(denied.group()), said)
        is_specific = all(word is not None and len(word.group()) >= _SPECIFIC for word in words)
        return is_specific and abs(here - there) < _NEAR


_SPECIFIC = 2
"""Characters of a word that says something."""
_NEAR = 0.15
"""By how much the places of a word differ in two sentences, as shares of their lengths."""

_WHEN_ZH = "(?:时(?![间钟延长刻])|的时候|的话|的情况)"
_COPULA_EN = r"(?:\b(?:is|are|was|were)|[’']s)"
_HAVE_EN = r"\b(?:has|have|had|there (?:is|are|was|were))"
_LACKING_ZH = "(?:没有|不带|不用|不加)(?:(?!时)[^，。；]){1,10}"
_WITHOUT_ZH = rf"{_LACKING_ZH}{_WHEN_ZH}|(?:没有|不带)(?:(?!时)[^，。；]){{1,10}}的(?=[\u3400-\u9fff])"
"""`没有缓存时`, `没有索引的查询`: said of a state or a thing in which something is missing."""
_AT_FIRST_WITHOUT_ZH = rf"^{_LACKING_ZH}(?=更|，)"
_WITH_EN = (
    r"(?<!compared )(?<!consistent )(?<!together )(?<!along )"
    r"\bwith\b(?! (?:respect|regard|others?|each other)\b)"
)
_CONDITION_ZH = re.compile(f"{_WITHOUT_ZH}|{_AT_FIRST_WITHOUT_ZH}")
_ABSENT_BUT_COMPARED = "(?!不|没|[^，。]{0,6}(?:就|的话|那么|这么|之前))"


class _Lexicon(NamedTuple):
    zh: Sequence[_Word]
    """Words that Chinese denies."""
    en: Sequence[_Word]
    """Words that English denies."""
    opposites: Sequence[_Word]
    """Words that Chinese says, with those that say the opposite in English."""


_WITH_RESULTS = ("装|放", "看", "找", "做", "达到|到达|到", "用|使用", "隐藏|掩盖|藏", "付|支付")


@cache
def _lexicon() -> _Lexicon:
    table = tables()["denied"]

    def pattern(text: str) -> re.Pattern[str]:
        return re.compile(text, re.I)

    # 装不下, 看不到: the word is before its denial.
    results = {zh: en for zh, en in table.items() if zh in _WITH_RESULTS}
    return _Lexicon(
        zh=(
            *(
                _Word(
                    pattern(f"{_DENIAL_ZH}{_BETWEEN_ZH}(?:{zh})(?!不)"),
                    pattern(rf"\b(?:{en})\b"),
                    pattern(zh),
                )
                for zh, en in table.items()
            ),
            *(
                _Word(
                    pattern(f"(?:{zh})不(?:下|进|到|见|出|成|上|着|了|住|起)"),
                    pattern(rf"\b(?:{en})\b"),
                    pattern(zh),
                )
                for zh, en in results.items()
            ),
            _Word(
                pattern("(?<!是)(?:不是|并非)(?!不|没|吗)"),
                pattern(rf"{_COPULA_EN}[ \u00a0](?:an?|the|its|one)\b"),
            ),
            _Word(
                pattern("(?<!无[处所])不在(?![乎意于])"),
                pattern(rf"{_COPULA_EN}[ \u00a0](?:on|in|at|here)\b"),
            ),
            _Word(pattern(_WITHOUT_ZH), pattern(_WITH_EN), pattern("带|有")),
            _Word(pattern(_AT_FIRST_WITHOUT_ZH), pattern(r"^with\b")),
            _Word(pattern(f"(?<!有)没有{_ABSENT_BUT_COMPARED}"), pattern(rf"{_HAVE_EN}\b")),
        ),
        en=(
            *(
                _Word(
                    pattern(
                        rf"(?:{_DENIAL_EN}{_BETWEEN_EN}(?:\w+-)?|\bno(?:ne of)? (?:\w+ ){{1,2}}|{_PREFIX_EN})"
                        rf"(?:{en})\b"
                    ),
                    pattern(zh),
                    pattern(rf"\b(?:{en})\b"),
                )
                for zh, en in table.items()
            ),
            _Word(pattern(r"\b(?:recommend\w*|advis\w*) against\b"), pattern("推荐|建议")),
            _Word(
                pattern(r"\b(?:is|are|was|were)(?:n[’']t|[ \u00a0]not)[ \u00a0](?:an?|the)\b"), pattern("是")
            ),
            _Word(
                pattern(
                    rf"{_HAVE_EN}[ \u00a0]no[ \u00a0]|\bnobody\b|\bno one\b"
                    r"|\bnone of (?:\w+ ){1,3}(?:has|have|had)\b"
                ),
                pattern("有"),
            ),
        ),
        opposites=tuple(
            _Word(pattern(zh), pattern(rf"\b(?:{en})")) for zh, en in tables()["opposite"].items()
        ),
    )


HARMLESS_EN = re.compile(
    r"\b(?:(?:not|no|never|cannot|[a-z]+n[’']t)[ \u00a0](?:only|just|merely|simply|until|more|less|fewer"
    r"|later|sooner|wonder|doubt|help|hurt|but|forget|unlike|least|all|always|every\w*|necessarily|quite|entirely|much"
    r"|(?:un|in|im|ir|dis)[a-z]{3,})|no (?:matter|\w+er than)|nothing (?:but|more|less|short)"
    r"|not .{1,60}\bbut)\b",
    re.I,
)
"""Where an English no denies nothing, or denies a part: `not all`."""
HARMLESS_ZH = re.compile(
    "不得不|不[能可会要]不|[莫无]不|不仅|不但|不只|不光|不止|不过|不管|不论|不如|不同|不断|不少|(.)不\\1|有没有|是否"
    "|不是[^。]*(?:而是|就是)|不[都全]|不总|没有"
    rf"(?:(?!{_WHEN_ZH}|的)[^，。]){{0,12}}(?:快|慢|高|低|大|小|多|少|好|差(?![别异距])|贵|便宜|强|重)(?![\u3400-\u9fff])"
)
"""The same in Chinese, and comparisons: `没有H200快`."""
DENIES_EN = re.compile(
    r"\b(?:not|never|no|none|nor|neither|nobody|nowhere|nothing|cannot|without|lack\w*|fail\w*|miss(?:es|ing|ed)?"
    r"|hardly|barely|scarcely|rarely|rare|seldom|few|fewer|little|less|least|only|but|except\w*|unless|until"
    r"|avoid\w*|prevent\w*|prohibit\w*|refus\w*|reject\w*|forb\w+|bans?|banned|den(?:y|ies|ied)|stop\w*|ceas\w*"
    r"|ignor\w*|omit\w*|exclud\w*|skip\w*|lose|loses|losing|loss|lost|idle|empty|absent|absence|zero|instead|rather"
    r"|far|unlike|wrong\w*|false\w*|bad\w*|hard|difficult\w*|too|away|opposite|contrary|otherwise|else|beyond"
    r"|despite|although|though|spare\w*|save[sd]?|reliev\w*|optional\w*|obsolete|vain|moot|independ\w*"
    r"|regardless|aside|against|any|if|than|out|off|free)\b"
    r"|\b(?:un(?!der|it|iq|ion|iver|til)|in(?:accur|adeq|act|appr|capab|compat|compl|consis|corr|definit"
    r"|effect|effic|elig|evit|exact|fin|flex|freq|hib|sens|signif|suffic|toler|valid|var|vis)"
    r"|im(?:mat|mob|mun|mut|perf|plaus|poss|prac|prec|prob)|ir(?:ratio|reg|rel|rep|rev)"
    r"|il(?:leg|log)|dis(?:abl|agr|allow|appear|conn|contin|favo|prov|regard|sim)|non)\w*"
    r"|\b(?:still|yet|remains?) to\b|\w+less\b|-free\b|\w+n[’']t\b",
    re.I,
)
DENIES_ZH = re.compile(
    "[不没無无未非别勿莫毋否免难除拒禁防忽止仅只才错漏闲罕独避零虚败替代舍省跳裸绕？]|(?<!交)换(?!行)|离(?!线)|停(?!顿)|反(?![复应映馈])|(?<![至多])少|空(?!间)|缺(?!页)"
    "|误(?!差)|假(?![设定如])|自[己行带]|手动|改用|直接|[至最]多|以内|上限|关[掉闭了]|停用|去掉|取消"
)

PLAIN_ZH = re.compile("[不没無无未非]")
PLAIN_EN = re.compile(
    r"\b(?:not|never|no|none|nor|neither|nobody|nothing|cannot|without)\b|\w+n[’']t\b", re.I
)
"""What denies by itself: a sentence with two of them may say yes."""


class _Denials(NamedTuple):
    """What may deny in a language."""

    anything: re.Pattern[str]
    plainly: re.Pattern[str]
    divides: re.Pattern[str]
    """What is between two clauses."""
    longest: int
    """In a longer sentence nearly always something may deny, so only the clause of a word is looked at for
    that, and the others for what denies by itself."""

    def may_deny_around(self, word: re.Match[str]) -> bool:
        """Whether a sentence may deny something besides a word in it."""
        rest = _without(word)
        if len(word.string) <= self.longest:
            return self.anything.search(rest) is not None
        begin = max((end.end() for end in self.divides.finditer(word.string, 0, word.start())), default=0)
        end = self.divides.search(word.string, word.end())
        clause = f"{word.string[begin : word.start()]} {word.string[word.end() : end and end.start()]}"
        return self.plainly.search(rest) is not None or self.anything.search(clause) is not None


_ZH = _Denials(DENIES_ZH, PLAIN_ZH, re.compile("[，；：]"), 60)
_EN = _Denials(DENIES_EN, PLAIN_EN, re.compile("[,;:]"), 180)


def compare_negation(zh: str, en: str) -> Iterator[Difference]:
    """The sentences in which a word is denied in one half alone."""
    may_deny = DENIES_ZH.search(zh) is not None, DENIES_EN.search(en) is not None
    if not any(may_deny):
        return
    for here, there in sentence_pairs(zh, en):
        words = _denied_in_zh(here, there) or _denied_in_en(there, here)
        if words is not None and limits_are_turned(here, there):
            continue  # 超过64就丢弃 is `up to 64, none is dropped`
        if words is not None and _CONDITION_ZH.search(here) and are_turned(here, there):
            continue  # 没有缓存时更慢 is `with a cache it is faster`
        words = words or _opposite(here, there)
        if words is not None:
            message = f"“{words[0]}” here, “{words[1]}” in the English half"
            yield Difference(rule="halves-negation", message=message)


def _denied_in_zh(sentence: str, twin: str) -> tuple[str, str] | None:
    """What a Chinese sentence denies and its twin says, in the words of each."""
    if DENIES_ZH.search(sentence) is None or HARMLESS_ZH.search(sentence) is not None:
        return None
    return _denied(_lexicon().zh, sentence, twin, own=_ZH, other=_EN)


def _denied_in_en(sentence: str, twin: str) -> tuple[str, str] | None:
    """What a Chinese sentence says and its English twin denies, in the words of each."""
    if DENIES_EN.search(sentence) is None or HARMLESS_EN.search(sentence) is not None:
        return None
    words = _denied(_lexicon().en, sentence, twin, own=_EN, other=_ZH)
    return None if words is None else words[::-1]


def _opposite(zh: str, en: str) -> tuple[str, str] | None:
    """A word and its very opposite, in sentences in which nothing else denies."""
    for word in _lexicon().opposites:
        here, there = word.denied.search(zh), word.said.search(en)
        if here is None or there is None:
            continue
        if not (_ZH.may_deny_around(here) or _EN.may_deny_around(there)):
            return here.group(), there.group()
    return None


def _denied(
    words: Sequence[_Word], sentence: str, twin: str, *, own: "_Denials", other: "_Denials"
) -> tuple[str, str] | None:
    """What a sentence denies and its twin says, if nothing else in either of them denies."""
    for word in words:
        # What is said is looked for first: its pattern is the quicker one, and mostly not found.
        if (said := word.said.search(twin)) and (denied := word.denied.search(sentence)):
            is_long = len(sentence) > own.longest or len(twin) > other.longest
            if word.is_said_too(denied) or (is_long and not word.is_surely(denied, said)):
                return None
            is_doubtful = own.plainly.search(_without(denied)) or other.may_deny_around(said)
            return None if is_doubtful else (denied.group(), said.group())
    return None


def _without(found: re.Match[str]) -> str:
    """A sentence without what was found in it."""
    return f"{found.string[: found.start()]} {found.string[found.end() :]}"
