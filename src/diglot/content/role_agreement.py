"""Finds sentences in which two things have changed their roles: `A比B快` and `B is faster than A`, `从A到B`
and `from B to A`, `先校验再写入` and `it writes before it checks`.

The things are names that both halves have, such as `H100`, and the nouns and verbs of one table each. Only
sentences that have each of two things once are compared, and only where one known word joins them and neither
half denies anything: a passive or an inverse verb says the same in the other order.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from diglot.content.differences import Difference
from diglot.content.known_words import translations
from diglot.content.sentence_pairs import sentence_pairs


class _Thing(NamedTuple):
    """A thing that both sentences name once, with its places in them."""

    zh: int
    en: int
    word: str


_NOUNS = {
    "主机": "hosts?",
    "网卡": r"network cards?|NICs?",
    "计算": r"comput\w+",
    "通信": r"communicat\w+",
    "前端": "front[- ]?ends?",
    "后端": "back[- ]?ends?",
    "预填充": "prefill(?:ing)?",
    "解码": "decod(?:e|ing)",
    "训练": "training",
    "推理": "inference",
    "编译器": "compilers?",
    "解释器": "interpreters?",
    "调度器": "schedulers?",
    "驱动": "drivers?",
    "固件": "firmware",
    "客户端": "clients?",
    "服务[器端]": "servers?",
    "发送[端方]": "senders?",
    "接收[端方]": "receivers?",
    "生产者": "producers?",
    "消费者": "consumers?",
    "主节点": "leaders?|masters?|primary",
    "从节点|副本": "followers?|replicas?|slaves?",
    "教师模型|教师": "teachers?",
    "学生模型|学生": "students?",
    "草稿模型": "draft models?",
    "目标模型": "target models?",
    "权重": "weights?",
    "激活值?": "activations?",
    "梯度": "gradients?",
    "寄存器": "registers?",
    "缓存": "caches?",
    "磁盘|硬盘": "disks?",
    "显存": r"(?:GPU|device) memory|VRAM",
    "主存|主机内存": r"(?:main|host|system) memory",
    "(?<![只可])读(?![者取出到入回进给写得])": "reads?|reading",
    "(?<![改重读填])写(?![法入到回进出给作成着])": r"writes?|writing",
    "稠密": "dense",
    "稀疏": "sparse",
    "(?<!更)新(?=[版驱内模代的框])": "new(?:er)?",
    "旧|老(?=[版驱内模代的框])": "old(?:er)?",
    "前向": "forward",
    "反向|后向": "backward",
    "环形": "rings?",
    "树形": "trees?",
    "静态": "static",
    "动态": "dynamic",
}
"""Nouns that may change their roles, with their translations."""
_NUMBERED = {
    "节点": "node",
    "卡": "card",
    "芯片": "chip",
    "核": "core",
    "机器": "machine",
    "队列": "queue",
    "层": "layer",
    "阶段": "stage",
    "进程": "process",
}
_NUMBERED_ZH = re.compile(rf"({'|'.join(_NUMBERED)})[ \u00a0]?(\d+)")
_NAME = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]+[A-Za-z0-9]+(?:-\d+)?(?![A-Za-z0-9])")
_NO_NAME = re.compile(r"(?:[kKMGTPE]i?)?(?:B|b|bit|FLOPs?|W|Hz|J|ms|us|ns)|FP\d+|INT\d+|BF16|FLOP", re.I)


@cache
def _nouns() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    return tuple((re.compile(zh), re.compile(rf"\b(?:{en})\b", re.I)) for zh, en in _NOUNS.items())


def _things_in(zh: str, en: str) -> list[_Thing]:
    """The things that each sentence has exactly once, in the order of the Chinese one."""
    words: list[tuple[str | re.Pattern[str], str | re.Pattern[str]]] = [
        *((rf"(?<![A-Za-z0-9]){name}", rf"\b{name}(?:s|’s)?\b") for name in _names(zh)),
        *(
            (rf"{noun}[ \u00a0]?{number}(?!\d)", rf"\b{_NUMBERED[noun]}[ \u00a0]{number}\b")
            for noun, number in _NUMBERED_ZH.findall(zh)
        ),
        *_nouns(),
    ]
    places = (_place([*re.finditer(here, zh)], [*re.finditer(there, en)]) for here, there in words)
    return sorted(place for place in places if place is not None)


def _names(zh: str) -> list[str]:
    return [name for name in dict.fromkeys(_NAME.findall(zh)) if not _NO_NAME.fullmatch(name)]


def _place(here: list[re.Match[str]], there: list[re.Match[str]]) -> _Thing | None:
    if len(here) != 1 or len(there) != 1:
        return None
    return _Thing(here[0].start(), there[0].start(), here[0].group())


# ---- words between two things


class _Relation(NamedTuple):
    """How both languages say something of a first and a second thing, in this order."""

    zh: re.Pattern[str]
    en: re.Pattern[str]

    @classmethod
    def of(cls, zh: str, en: str) -> "_Relation":
        return cls(re.compile(zh), re.compile(rf"\b(?:{en})\b", re.I))


_GREATER = (
    r"faster|quicker|higher|larger|bigger|greater|longer|heavier|wider|deeper|stronger|dearer|earlier|sooner|better"
    r"|more(?: [a-z-]+){1,3}|more"
)
_LESSER = (
    r"slower|lower|smaller|shorter|lighter|narrower|shallower|weaker|cheaper|later|worse"
    r"|less(?: [a-z-]+){1,3}|less|fewer(?: [a-z-]+)?"
)
_BY = r"(?:[ \u00a0][\w%.￼-]+){0,5}?[ \u00a0]than"


def _compared(zh: str, en: str) -> _Relation:
    """A comparison with an adjective that the first thing has more of than the second one."""
    return _Relation.of(f"比(?!例|特)(?=[^，。；：]{{1,24}}(?:{zh}))|(?<![最不])(?:{zh})于", f"(?:{en}){_BY}")


ADJECTIVES = {
    "快": "faster|quicker",
    "慢": "slower",
    "高": "higher|taller|more",
    "低": "lower|less",
    "大": "larger|bigger|greater|more",
    "小": "smaller|less|fewer",
    "多": "more|higher|larger|greater",
    "少": "less|fewer|lower|smaller",
    "长": "longer",
    "短": "shorter",
    "贵": "dearer|costlier|more expensive",
    "便宜": "cheaper|less expensive",
    "宽": "wider",
    "窄": "narrower",
    "强": "stronger|better|more",
    "弱": "weaker|worse",
    "早|先": "earlier|sooner",
    "晚|迟": "later",
    "好|优": "better|superior",
    "差|劣": "worse|inferior",
    "省": r"less|fewer|more \w+|cheaper",
    "稳": r"stabler|steadier|more \w+",
    "难": "harder|more difficult",
    "容易|简单": "easier|simpler",
    "重": "heavier",
    "轻": "lighter",
}
_JOINED = (
    *(_compared(zh, en) for zh, en in ADJECTIVES.items()),
    _Relation.of("不如|不及|比不上|逊于|赶不上", rf"(?:{_LESSER})(?:[ \u00a0][\w-]+){{0,4}}?[ \u00a0]than"),
    _Relation.of(
        "不如|不及|比不上|赶不上", "falls? short of|(?:is|are) inferior to|lags?(?: behind)?|trails?"
    ),
    _Relation.of(
        "(?:优|胜)于|胜过|强过|超过|领先",
        rf"(?:{_GREATER})(?:[ \u00a0][\w-]+){{0,4}}?[ \u00a0]than|beats?|outperforms?|exceeds?",
    ),
    _Relation.of(
        "是(?=[^，。；]{1,24}倍)",
        r"(?:twice|thrice|(?:[\d.￼]+|[a-z]+)[ \u00a0]times)(?! (?:less|fewer|lower|smaller|slower))",
    ),
    _Relation.of(
        "是(?=[^，。；]{1,24}(?:一半|分之))",
        r"half|(?:a|one) (?:third|quarter|fifth|sixth|seventh|eighth|tenth)",
    ),
    _Relation.of(
        "(?<=[\u3400-\u9fff])等(?![于同价到待]|[\u3400-\u9fff]的)|等待|等着",
        "waits? for|(?:is|are) waiting for",
    ),
    _Relation.of(
        "(?:写|发|传|交|拷|送|转|推|搬|复制|发送|提交|返回|通知|移)(?:给|到|进|往|回|入)|通知|发往|送往",
        "(?:to|into|onto|notif(?:y|ies))",
    ),
    _Relation.of("给", r"[a-z]+(?:s|ed)(?= (?:the|an?)\b)"),
    _Relation.of("依赖|取决于|依靠", "depends? on|rel(?:y|ies) on|needs?|requires?"),
    _Relation.of("调用|触发|唤醒|启动", "calls?|triggers?|wakes?|starts?|launch(?:es)?"),
    _Relation.of("取代|替代|代替|替换了?|换掉", "replaces?|replaced|supersedes?"),
    _Relation.of("(?<!不)包含|包括", "contains?|includes?"),
    _Relation.of("快过|跑赢", "beats?|outruns?|outperforms?"),
    _Relation.of("教|指导|监督", "teach(?:es)?|supervises?|guides?"),
    _Relation.of("阻塞|挡住|拖慢|拖累|干扰", "blocks?|slows?|delays?|disturbs?"),
    _Relation.of("兼容", "supports?|(?:is|are) compatible with"),
)
_INVERSE_EN = re.compile(
    r"\b(?:by|from|gets?|receiv\w+|fetch\w*|pulls?|compared|versus|whose|which|that|what|where|whereas|while|but|and)\b",
    re.I,
)
_DENIES_ZH = re.compile("[没未无勿莫]|(?<!差)不(?![同断少过如及])")
_DENIES_EN = re.compile(r"\b(?:not|no|never|cannot|neither|nor|without|until|unless|only)\b|n[’']t\b", re.I)
_TURNS_ZH = re.compile("被|由|让|使|而|但|却|还是|从|受|相比|之于|[，；]")


def _exchanged(zh: str, en: str) -> tuple[str, str] | None:
    """Two things of both sentences that a word joins in another order, or that have each other's share."""
    things = _things_in(zh, en)
    if len(things) < 2 or _DENIES_ZH.search(zh) or _DENIES_EN.search(en):
        return None
    for first, second in pairwise(things):
        if second.en < first.en and _is_from_to(zh, en, first, second):
            return first.word, second.word
    if len(things) != 2:
        return None
    first, second = things
    if (second.en < first.en and _is_joined(zh, en, first, second)) or _is_crosswise(zh, en, first, second):
        return first.word, second.word
    return None


def are_exchanged(zh: str, en: str) -> bool:
    """Whether two sentences have the same two things, in another order."""
    things = _things_in(zh, en)
    return len(things) == 2 and things[1].en < things[0].en


def _is_joined(zh: str, en: str, first: _Thing, second: _Thing) -> bool:
    """Whether a word that joins the first thing to the second one joins the second to the first."""
    if _INVERSE_EN.search(en) or _TURNS_ZH.search(zh):
        return False
    between = en[second.en : first.en]
    for relation in _JOINED:
        joint = relation.zh.search(zh, first.zh)
        is_between = joint is not None and (joint.start() < second.zh or "于" in joint.group())
        if is_between and relation.en.search(between):
            return True
    return False


def _is_from_to(zh: str, en: str, first: _Thing, second: _Thing) -> bool:
    """Whether both say from where to where, and not the same."""
    way_zh = re.search(r"从[^，。；]{0,4}\Z", zh[: first.zh]) and re.search(
        "[到至往向给传发入]", zh[first.zh : second.zh]
    )
    way_en = re.search(r"\bfrom(?: \w+){0,2} \Z", en[: second.en], re.I) and re.search(
        r"\b(?:to|into|towards?)\b", en[second.en : first.en], re.I
    )
    return bool(way_zh and way_en)


_CLAUSES_ZH = re.compile("[，、；]")
_CLAUSES_EN = re.compile(r"[,;] (?:and |while |whereas |but )?|\b(?:and|while|whereas)\b ?")
_NUMBER = re.compile(r"(?<![A-Za-z0-9.])\d[\d,]*(?:\.\d+)?(?!\d)")


def _is_crosswise(zh: str, en: str, first: _Thing, second: _Thing) -> bool:
    """Whether each of two clauses says of one thing what the other half says of the other thing."""
    here = [one for one in _CLAUSES_ZH.split(zh) if first.word in one or second.word in one]
    places = sorted((first.en, second.en))
    joints = [joint for joint in _CLAUSES_EN.finditer(en) if places[0] < joint.start() < places[1]]
    if len(here) != 2 or len(joints) != 1 or (first.word in here[0]) == (first.word in here[1]):
        return False
    there = [en[: joints[0].start()], en[joints[0].end() :]]
    if second.en < first.en:
        there.reverse()  # what is said of the first thing comes first
    return _are_crossed(_marks_of(here, there))


def _are_crossed(marks: Iterable[bool]) -> bool:
    crossed = [*marks]
    return len(crossed) >= 2 and all(crossed)


def _marks_of(here: Sequence[str], there: Sequence[str]) -> Iterator[bool]:
    """For each word and number that both halves have in one part of two: whether it is in the other part."""
    shared = {number for one in here for number in _NUMBER.findall(one)}
    numbers = ((re.compile(rf"(?<![\d.]){re.escape(number)}(?![\d.]*\d)"),) * 2 for number in sorted(shared))
    for zh, en in (*numbers, *translations()):
        ours, theirs = [zh.search(one) for one in here], [en.search(one) for one in there]
        if bool(ours[0]) != bool(ours[1]) and bool(theirs[0]) != bool(theirs[1]):
            yield bool(ours[0]) != bool(theirs[0])


# ---- what is first


class _Events(NamedTuple):
    """What a sentence says happens first, and what then."""

    first: str
    then: str


_ORDER_ZH = (
    re.compile("先(?P<first>[^，。；]{1,14})[，、]?(?:再|然后|而?后|接着|最后|才)(?P<then>[^，。；]{1,14})"),
    re.compile(
        "(?P<first>[^，。；]{1,14})(?:之后|以后|(?<![最然前背])后(?![面端续台来方]))[，]?(?:才|再|就|便)?[^，。；]{0,3}(?P<then>[^，。；]{1,14})"
    ),
    re.compile(
        "(?P<then>[^，。；]{1,14})(?:之前|以前|(?<![目当提向以之])前(?![向端后]))[，]?(?:必须|要|需|应|得)?先?(?P<first>[^，。；]{1,14})"
    ),
)
_BEGINS_WITH = re.compile(r"^(?:And |But |So )?(before|after|once)\b[^,]*,", re.I)
_CONNECTIVE = re.compile(r"\b(before|after|then|prior to)\b", re.I)


def _events_zh(zh: str) -> _Events | None:
    for pattern in _ORDER_ZH:
        if (found := pattern.search(zh)) is not None:
            return _Events(found["first"], found["then"])
    return None


def _events_en(en: str) -> _Events | None:
    if (opening := _BEGINS_WITH.match(en)) is not None:
        one, other = opening.group(), en[opening.end() :]
        return _Events(other, one) if opening[1].lower() == "before" else _Events(one, other)
    if len(_CONNECTIVE.findall(en)) != 1:
        return None
    one, joint, other = _CONNECTIVE.split(en)
    if joint.lower() in ("before", "then", "prior to"):
        return _Events(one, other)
    return _Events(other, one)


def _is_out_of_order(zh: str, en: str) -> bool:
    """Whether two events, each known in both languages, happen in another order."""
    here, there = _events_zh(zh), _events_en(en)
    if here is None or there is None or _DENIES_ZH.search(zh) or _DENIES_EN.search(en):
        return False
    return _are_crossed(_marks_of(here, there))


# ---- first up, then down

_UP_ZH, _DOWN_ZH = "升|涨|增|快|高(?!温)", "降|跌|减|慢|低"
_UP_EN = r"ris(?:es?|ing)|rose|grow\w*|grew|increas\w+|climb\w*|(?:goes|go|went) up|up"
_DOWN_EN = r"fall(?:s|ing)?|fell|drop\w*|decreas\w+|declin\w+|shr[iau]nk\w*|(?:goes|go|went|comes) down|down"
_FIRST_UP_ZH = re.compile(
    f"先[^，。；]{{0,3}}(?:({_UP_ZH})|({_DOWN_ZH}))[^。；]{{0,6}}?[后再然，][^。；]{{0,4}}?(?:({_UP_ZH})|({_DOWN_ZH}))"
)
_WAY_EN = re.compile(rf"\b(?:({_UP_EN})|({_DOWN_EN}))\b", re.I)


def _is_other_way_round(zh: str, en: str) -> bool:
    ways = _FIRST_UP_ZH.search(zh)
    there = [word.lastindex for word in _WAY_EN.finditer(en)]
    if (
        ways is None
        or len(there) != 2
        or there[0] == there[1]
        or re.search(r"\b(?:after|having|from)\b", en, re.I)
    ):
        return False
    here = [1 if ways[1] else 2, 1 if ways[3] else 2]
    return here[0] != here[1] and here != there


def compare_roles(zh: str, en: str) -> Iterator[Difference]:
    """The sentences in which two things or events have changed places."""
    for here, there in sentence_pairs(zh, en):
        if (words := _exchanged(here, there)) is not None:
            message = f"“{words[0]}” and “{words[1]}” have changed places in the English half"
            yield Difference(rule="halves-opposite", message=message)
        elif _is_out_of_order(here, there) or _is_other_way_round(here, there):
            message = "what comes first and what then is the other way round in the English half"
            yield Difference(rule="halves-opposite", message=message)
