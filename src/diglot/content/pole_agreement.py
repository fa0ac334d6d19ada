"""Finds sentences that name a pole in one half, and its opposite in the other: left and right, `快30%` and
`30% slower`, 更大 and `smaller`, 所有 and `some`.

One table has the poles. They are compared in two ways: next to a number that both sentences have, where any
word for more differs from any word for less; and anywhere in both sentences, where a word differs only from
its very opposite. A translator may turn a sentence round, so that two pairs of opposites, or a pair and the
order of a comparison, say the same together: `A比B慢` is `B is faster than A`. So opposites that may be
turned are reported only where there is one pair of them, and neither half denies anything.
Words that change places when a sentence is turned round, such as before and after, are not among them.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from diglot.content.differences import Difference
from diglot.content.prose import BOUND
from diglot.content.sentence_pairs import sentence_pairs
from diglot.languages import Language
from diglot.quantities.quantity import Qualifier, Quantity
from diglot.quantities.reading import quantities_in

# ---- the table

Pair = tuple[str, str]
"""Patterns of two opposites."""


class _Poles(NamedTuple):
    """Two opposites in both languages. In a pattern, the first group is the first of them."""

    zh: re.Pattern[str]
    en: re.Pattern[str]
    may_zh: re.Pattern[str]
    """With weaker words for both, such as a mere `快`: not reported, but a half that has one is in doubt."""
    may_en: re.Pattern[str]
    keep_order: bool
    """Whether a sentence that has both names them in the same order in both languages."""
    are_complements: bool = False
    """Whether each is what the other is not, so that a denied one says the same as the other."""

    @classmethod
    def of(
        cls,
        zh: Pair,
        en: Pair,
        *,
        may_zh: Pair | None = None,
        may_en: Pair | None = None,
        keep_order: bool = False,
        are_complements: bool = False,
    ) -> "_Poles":
        """The poles of pairs of patterns."""
        in_zh, in_en = _in_zh(*zh), _in_en(*en)
        return cls(
            in_zh,
            in_en,
            _in_zh(*(f"{one}|{other}" for one, other in zip(zh, may_zh, strict=True))) if may_zh else in_zh,
            _in_en(*(f"{one}|{other}" for one, other in zip(en, may_en, strict=True))) if may_en else in_en,
            keep_order,
            are_complements,
        )


def _in_zh(one: str, other: str) -> re.Pattern[str]:
    return re.compile(f"({one})|({other})")


def _in_en(one: str, other: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:({one})|({other}))\b", re.I)


class _Adjectives(NamedTuple):
    """Two opposite adjectives: in Chinese as they are, in English compared, and in the other degrees."""

    zh: Pair
    more: Pair
    most: Pair
    plain: Pair


_ADJECTIVES = (
    _Adjectives(
        ("快", "慢"), ("faster|quicker", "slower"), ("fastest|quickest", "slowest"), ("fast|quick", "slow")
    ),
    _Adjectives(
        ("(?<![提增升])高", "(?<![降减缩])低"),
        ("higher|taller", "lower"),
        ("highest", "lowest"),
        ("high|tall", "low"),
    ),
    _Adjectives(
        ("大", "小"),
        ("larger|bigger|greater", "smaller"),
        ("largest|biggest|greatest", "smallest"),
        ("large|big|great", "small"),
    ),
    _Adjectives(("长", "短"), ("longer", "shorter"), ("longest", "shortest"), ("long", "short")),
    _Adjectives(
        ("贵", "便宜"),
        ("dearer|more expensive|costlier", "cheaper|less expensive"),
        ("dearest|most expensive|costliest", "cheapest|least expensive"),
        ("expensive|costly", "cheap|inexpensive"),
    ),
    _Adjectives(("重", "轻"), ("heavier", "lighter"), ("heaviest", "lightest"), ("heavy", "light")),
    _Adjectives(("宽", "窄"), ("wider", "narrower"), ("widest", "narrowest"), ("wide", "narrow")),
    _Adjectives(("深", "浅"), ("deeper", "shallower"), ("deepest", "shallowest"), ("deep", "shallow")),
    _Adjectives(("强", "弱"), ("stronger", "weaker"), ("strongest", "weakest"), ("strong", "weak")),
    _Adjectives(
        ("远", "近"),
        ("farther|further", "closer|nearer"),
        ("farthest|furthest", "closest|nearest"),
        ("far", "close|near"),
    ),
    _Adjectives(
        ("[热烫](?![身点区备插路衷])", "凉|(?<![液风水制冷])冷(?![却板链备启热])"),
        ("hotter|warmer", "cooler|colder"),
        ("hottest|warmest", "coolest|coldest"),
        ("hot|warm", "cool|cold"),
    ),
    _Adjectives(
        ("难", "容易|简单"),
        ("harder|more difficult", "easier|simpler"),
        ("hardest|most difficult", "easiest|simplest"),
        ("hard|difficult", "easy|simple|easily|simply"),
    ),
    _Adjectives(
        ("早|先", "晚|迟"),
        ("earlier|sooner", "later"),
        ("earliest|soonest", "latest"),
        ("early|soon", "late"),
    ),
)
_CHANGES_ZH = (
    "增加|增长|增大|增多|上升|升高|升[到至了]|上涨|涨|提高|提升|攀升|扩大|升频",
    "降频|减少|减小|下降|降低|降[到至了]|下跌|跌|缩小|回落",
)
_CHANGES_EN = (
    "rises?|rose|risen|rising|grows?|grew|grown|growing|increas(?:es?|ed|ing)|climb(?:s|ed|ing)?"
    "|(?:goes|go|went|gone) up|rais(?:es?|ed|ing)",
    "falls?|fell|fallen|falling|drop(?:s|ped|ping)?|decreas(?:es?|ed|ing)|declin(?:es?|ed|ing)"
    "|(?:goes|go|went|gone|comes?|came) down|shrinks?|shr[au]nk|reduc(?:es?|ed|ing)"
    r"|lower(?:s|ed|ing|(?= (?:the|its|their|an?)\b))",
)
_CHANGES, _CHANGED = "|".join(_CHANGES_ZH), "|".join(_CHANGES_EN)
_YEAR_ZH = r"(?:19|20)\d\d年?(?:\d{1,2}月)?[初底末]?"
_YEAR_EN = r"(?:the (?:end|start|beginning) of )?(?:[A-Z][a-z]+ )?(?:19|20)\d\d"
_STEADY = (
    _Poles.of(
        (f"{_YEAR_ZH}(?:[之以]前|前(?!后))|早于{_YEAR_ZH}", f"{_YEAR_ZH}(?:[之以]后|后)|晚于{_YEAR_ZH}"),
        (f"(?:before|prior to|earlier than) {_YEAR_EN}", f"(?:after|later than) {_YEAR_EN}"),
        keep_order=True,
    ),
    _Poles.of(("左(?!右)", "(?<!左)右"), ("left", "right"), keep_order=True),
    _Poles.of(
        ("(?<![以之])[上前]一(?=[代个层轮步版级次年])", "(?<![最以之])[下后]一(?=[代个层轮步版级次年])"),
        (
            "previous|earlier|prior|preceding|before|last|former",
            "next|following|later|subsequent|after|latter",
        ),
        keep_order=True,
    ),
    _Poles.of(("上限|上界", "下限|下界"), ("upper (?:bound|limit)s?", "lower (?:bound|limit)s?")),
    _Poles.of(("顶[边部端]|最上[面边]", "底[边部端]|最下[面边]"), ("top", "bottom")),
    _Poles.of(("乐观", "悲观"), ("optimistic", "pessimistic")),
    _Poles.of(("输入", "输出"), ("inputs?", "outputs?")),
    _Poles.of(("上传", "下载"), (r"upload\w*", r"download\w*")),
    _Poles.of(("横向|水平", "纵向|竖直|垂直"), ("horizontal(?:ly)?", "vertical(?:ly)?")),
    _Poles.of(("升序", "降序"), ("ascending", "descending")),
    _Poles.of(("正[数值]|为正", "负[数值]|为负"), ("positive", "negative")),
    _Poles.of(("奇数", "偶数"), ("odd", "even"), are_complements=True),
    _Poles.of(
        (
            "(?:内存|访存|带宽|显存)受限|受(?:内存|访存|带宽|显存)限",
            "(?:计算|算力)受限|受(?:计算|算力)限",
        ),
        (
            "(?:memory|bandwidth)[- ]bound|(?:limited|bound) by (?:the )?(?:memory|bandwidth)",
            "compute[- ]bound|(?:limited|bound) by (?:the )?(?:compute|computation|arithmetic)",
        ),
    ),
    _Poles.of(("静态", "动态"), ("static(?:ally)?", "dynamic(?:ally)?"), are_complements=True),
    _Poles.of(("(?<!异)同步", "异步"), ("synchronous(?:ly)?", "asynchronous(?:ly)?"), are_complements=True),
    _Poles.of(("有符号", "无符号"), ("signed", "unsigned"), are_complements=True),
    _Poles.of(("在线", "离线|脱机"), ("online", "offline"), are_complements=True),
    _Poles.of(("最好|最佳|最优", "最差|最坏|最糟"), ("best", "worst")),
    _Poles.of(("[向往]上取整", "[向往]下取整"), (r"round\w* (?:\w+ ){0,3}up", r"round\w* (?:\w+ ){0,3}down")),
    _Poles.of(("温度最高", "温度最低"), ("hottest|warmest", "coolest|coldest")),
    *(_Poles.of((f"最(?:{one.zh[0]})", f"最(?:{one.zh[1]})"), one.most) for one in _ADJECTIVES),
)
"""Those that are the same however a sentence is turned."""
_LIKE = re.compile(
    "大小|长短|高低|多少|快慢|轻重|强弱|深浅|宽窄|早晚|小时|大约|大概|大致|大多|大部|许多|带宽"
)
"""Words with an adjective in them that say nothing about more or less."""


def _compared(zh: str) -> str:
    """A Chinese adjective that is surely compared: `更快`, `快于`, `比H100快`."""
    by_how_much = "(?:得多|很多|不少|一些|一点|了)?"
    than = f"比(?!例|特)[^，。；：]{{1,24}}?(?:{zh}){by_how_much}(?=$|[，。；：])"
    return f"[更越](?:{zh})|变得?更?(?:{zh})|(?<!不)(?:{zh})于|{than}"


_LIMITS = _Poles.of(
    (
        rf"(?:高于|大于)(?![约近]?[\d{BOUND}])(?=[^，。；]{{1,12}}[时的，])|之上",
        rf"(?<!不)(?:低于|小于)(?![约近]?[\d{BOUND}])(?=[^，。；]{{1,12}}[时的，])|之下",
    ),
    (rf"above(?! [\d{BOUND}])", rf"(?:below|beneath)(?! [\d{BOUND}])"),
    may_zh=(
        "高于|大于|以上|超|上面|更[高大多]|高出|至少",
        "低于|小于|以下|下面|更[低小少]|不到|不足|以内|[最至]多",
    ),
    may_en=(
        r"above|over|exceed\w*|more|higher|larger|greater|beyond|at least|from",
        "below|under|less|lower|smaller|fewer|within|up to|at most",
    ),
)
_SWITCHES = (
    _Poles.of(
        ("启用|开启|打开", "禁用|关闭|关掉|停用"),
        (
            r"enabl\w+|(?:turn|switch)\w* on|(?:left|leave|kept|keep) (?:\w+ )?on",
            r"disabl\w+|(?:turn|switch)\w* off|(?:left|leave|kept|keep) (?:\w+ )?off",
        ),
        may_en=(r"on|with(?! [\w -]{1,30}\b(?:disabled|off)\b)", "off|without|close[sd]?"),
    ),
)
_COMPLEMENTS = (
    _Poles.of(
        ("保留|留下|接受|收下|计入", "丢弃|丢掉|舍弃|排除|拒绝|剔除|忽略|过滤"),
        (
            r"keeps?|kept|accept\w*|includ\w*|counts?|counted",
            r"dropp\w*|discard\w*|reject\w*|exclud\w*|ignor\w*|filter\w*|refus\w*",
        ),
    ),
    _Poles.of(("命中", "落空|缺失"), ("hits?", r"miss\w*")),
    _Poles.of(("用|忙|满", "闲|空"), (r"us(?:ed?|es|ing)|busy|work\w*|full", r"idl\w+|unused|empty|free")),
    _Poles.of(("成功|通过|完成", "失败|超时"), (r"succe\w+|pass\w*|complet\w*", r"fail\w*|tim\w+ out")),
)
"""With those what is more of one is less of the other: what is not dropped is kept."""
_STATES = (
    _Poles.of(
        ("空闲|闲置|空转", "(?<![繁匆急])忙(?!于)|满负荷|满载|负载下"),
        ("idle|unused", "busy|fully (?:used|loaded)|under (?:full |heavy )?load"),
        may_zh=("闲|空|等", "忙|满|用(?!\\d)|工作|运行|负载"),
        may_en=(
            r"idl\w+|empty|free|wait\w*|stall\w*",
            r"us(?:ed?|es|ing)|work\w*|full|run\w*|active|load\w*",
        ),
    ),
    _Poles.of(
        ("(?<![充不未自圆美丰])满(?![足意分])", "(?<![真时天航])空(?![间调格气白载转闲行])"),
        ("full(?! (?:stop|of|name|size|set|text|width|precision|list))", "empty"),
        may_zh=("满|用完|装不下", "空|闲"),
        may_en=(r"full|fill\w*", r"empt\w+|idl\w+|free|unused|blank"),
    ),
    _Poles.of(
        ("通过(?=[了。，；]|$)|成功", "失败|未通过"),
        (r"pass(?:es|ed)(?= ?[.,;]|$| (?:all|the test|every))|succe\w+", r"fail(?:s|ed|ure|ures|ing)?"),
        may_zh=("通过|完成|成", "失|错|超时|崩"),
        may_en=(r"pass\w*|complet\w*|works?", r"fail\w*|tim\w+ out|crash\w*|error\w*|lost"),
    ),
    _Poles.of(("命中率", "(?:缺失|未命中|失效)率"), ("hit rate", "miss rate")),
    _Poles.of(
        (f"截[至止]{_YEAR_ZH}|到{_YEAR_ZH}为止", f"自从?{_YEAR_ZH}|从{_YEAR_ZH}起|{_YEAR_ZH}(?:以来|起)"),
        (f"(?:until|till|up to|as of|by) {_YEAR_EN}", f"(?:since|from|starting in) {_YEAR_EN}"),
    ),
    _Poles.of(
        (rf"除[了去]?(?=[\d{BOUND}])", rf"[只仅][有是]?(?=[\d{BOUND}])"),
        (
            rf"(?:except(?: for)?|all but|apart from|besides|other than) (?=[\d{BOUND}])",
            rf"only (?=[\d{BOUND}])",
        ),
        may_zh=("除|其余|其他", "只|仅|唯"),
        may_en=("except|but|apart|besides|other|rest", "only|just|alone"),
    ),
    _Poles.of(
        ("不变|持平|恒定", _CHANGES),
        ("unchanged|constant|flat|the same", _CHANGED),
        may_zh=("变|稳定|固定|相同|一样|同样", "[增升涨加减降跌缩省快慢高低多少大小]"),
        may_en=(
            r"chang\w*|same|equal\w*|fixed|steady|stable|still",
            r"up|down|more|less|higher|lower|fast\w*|slow\w*|half|gain\w*|sav\w+|large\w*|small\w*",
        ),
    ),
    _Poles.of(("上行", "下行"), (r"up-?links?|upstream", r"down-?links?|downstream")),
    _Poles.of(
        ("单向", "双向"),
        ("one-way|unidirectional|(?:each|one) (?:way|direction)", "bidirectional|two-way|both directions"),
    ),
)
_TURNING = (
    *(
        _Poles.of(
            (_compared(one.zh[0]), _compared(one.zh[1])),
            one.more,
            may_zh=(f"(?<!最)(?:{one.zh[0]})", f"(?<!最)(?:{one.zh[1]})"),
            may_en=(f"{one.plain[0]}|{one.most[0]}", f"{one.plain[1]}|{one.most[1]}"),
        )
        for one in _ADJECTIVES
    ),
    _Poles.of(
        ("更好|优于|好于", "更差|更糟|劣于|差于"),
        ("better|superior", "worse|inferior"),
        may_zh=("好|优|强|胜", "差|坏|糟|劣|弱|不如"),
        may_en=("best|well|good|wins?|won", "worst|badly|bad|poor(?:ly)?|loses?|lost"),
    ),
    _Poles.of(
        (
            "更多|(?<!不)多于|比(?!例|特)[^，。；：]{1,16}?多(?=$|[，。；：])",
            "更少|(?<!不)少于|比(?!例|特)[^，。；：]{1,16}?少(?=$|[，。；：])",
        ),
        (r"more than|more(?= [a-z]+s\b)", "less than|fewer"),
        may_zh=("多|超|至少", "少|不到|不足|以内|省"),
        may_en=(
            r"more|over|above|exceed\w*|at least|many|most",
            r"less|under|below|within|few|least|up to|sav\w+",
        ),
    ),
    _Poles.of(
        ("各自|各有", "共用|共享|公用"),
        (r"(?:each|their|its) own|of (?:its|their) own|separate(?:ly)?", "shar(?:es?|ed|ing)|in common"),
        may_zh=("各|独立|单独|自己|分别|私有", "共|同一|一起|公"),
        may_en=(r"own|each|private|independent\w*|individual\w*", r"common|same|together|joint\w*|both"),
    ),
    *_STATES,
    _Poles.of(("训练", "推理"), (r"train(?:s|ed|ing)?", r"inference|inferring")),
    _Poles.of(("预填充", "解码"), ("prefill", r"decod(?:es?|ed|ing)")),
    _Poles.of(("前向|正向", "反向|后向"), ("forward", "backwards?")),
    _Poles.of(("稠密", "稀疏"), ("dense", "sparse")),
    _Poles.of(
        ("计算(?=时间|开销|成本|量|单元)", "通信(?=时间|开销|成本|量)"),
        (
            r"(?:compute|computation|computing)(?= (?:time|costs?|units?|overhead))",
            r"communication(?= (?:time|costs?|overhead|volume))",
        ),
    ),
    _Poles.of(("越多", "越少"), ("the more", "the (?:fewer|less)")),
    _Poles.of(
        _CHANGES_ZH,
        _CHANGES_EN,
        may_zh=("[增升涨加]", "[减降跌缩省]"),
        may_en=(
            r"growth|up|gain\w*|more|higher|improv\w+",
            r"down|less|fewer|lower|sav\w+|cuts?|shr[aiu]nk\w*|without|lose[sd]?|lost",
        ),
    ),
    _LIMITS,
    _Poles.of(
        ("所有|全部|每一?[个块张层台步条次种颗代]|一切|任何|任意", "有些|有的|某些"),
        (
            r"(?<!after )(?<!at )(?<!of )all (?!but\b|in\b|the same\b)|every|each",
            r"some (?:of|(?!time|point|extent|sense)[a-z]+s)",
        ),
        may_zh=("都|均|总|凡|各|整|两者", "一些|部分|个别|少数|几|一半|不少|许多|只"),
        may_en=(
            "all|any|always|whole|both|entire|no|none",
            "few|several|certain|other|others|part|sometimes|some|many|most|half",
        ),
    ),
    *_SWITCHES,
)
"""Those of which two pairs say the same together."""
_NO = re.compile(
    r"[不没未无非别]|\b(?:not|no|never|cannot|nothing|none|neither|nor|without)\b|n[’']t\b", re.I
)
_BUT = re.compile("不到|不足|不止|不超过|不同|不断|不少|不变")
"""Words with a no that are about the number behind them, or deny nothing."""
_THAN = (
    re.compile("比(?!例|特)"),
    re.compile(
        rf"\bthan\b(?! (?:about |an? )?(?:[\d{BOUND}$]|half|third|quarter|tenth|hundred"
        r"|two|three|four|five|ten|twelve|t(?:hir|wen)t\w+|one))"
        r"|\bas \w+ as\b|\bcompared\b",
        re.I,
    ),
)
"""What compares two things, rather than one with a number."""
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]+")


def compare_poles(zh: str, en: str) -> Iterator[Difference]:
    """The words of which each half has only the opposite, in sentences that surely belong together."""
    for here, there in sentence_pairs(zh, en):
        yield from filter(None, (_steady(poles, here, there) for poles in _STEADY))
        at_numbers = [*_at_numbers(here, there)]
        yield from at_numbers[:1]
        if not at_numbers:
            yield from _turning(here, there)


def _steady(poles: _Poles, zh: str, en: str) -> Difference | None:
    difference = _opposite(poles, zh, en)
    if difference is None or (poles.are_complements and _denies(zh, en)):
        return None
    if "越" in zh and any(_is_turned(turning, _LIKE.sub(_blank, zh), en) for turning in _TURNING):
        return None  # 越靠右越难 is `easier further to the left`
    return difference


def _opposite(poles: _Poles, zh: str, en: str) -> Difference | None:
    """What is reported if each sentence has another of two poles alone, or both in another order."""
    here, there = [*poles.zh.finditer(zh)], [*poles.en.finditer(en)]
    if not here or not there or here[0].lastindex == there[0].lastindex:
        return None
    if _has_both(here) != _has_both(there) or (_has_both(here) and not poles.keep_order):
        return None
    message = f"“{here[0].group()}” here, “{there[0].group()}” in the English half"
    return Difference(rule="halves-opposite", message=message)


def _has_both(words: list[re.Match[str]]) -> bool:
    return len({word.lastindex for word in words}) == 2


def _at_a_number(message: str) -> Difference:
    return Difference(rule="halves-quantity", message=message)


# ---- opposites that a sentence may have because it is turned round


def _turning(zh: str, en: str) -> Iterator[Difference]:
    here = _LIKE.sub(_blank, zh)
    turned = [poles for poles in _TURNING if _is_turned(poles, here, en)]
    if len(turned) != 1 or _denies(zh, en) or _order(zh, en) is not True:
        return
    if turned[0] in _STATES:
        if _SHARE.search(zh) or _SHARE.search(en):
            return  # where half is busy, half is idle
    elif any(_is_turned(poles, zh, en) for poles in _COMPLEMENTS):
        return
    if _LESS_SO.search(en) or ("越" in zh and not _THE_MORE.search(en)):
        return
    difference = _opposite(turned[0], here, en)
    if difference is not None:
        yield difference


def are_turned(zh: str, en: str) -> bool:
    """Whether each sentence has the opposite of a word in the other, so that a denial too says the same."""
    here = _LIKE.sub(_blank, zh)
    return any(_is_turned(poles, here, en) for poles in _TURNING)


_SHARE = re.compile(rf"[半余%{BOUND}]|分之|部分|\b(?:half|third|quarter|rest|part|others?)\b", re.I)
_LESS_SO = re.compile(r"\bless (?!than\b|the\b)[a-z]+", re.I)
_THE_MORE = re.compile(r"\bthe (?:more|less|fewer|\w+er)\b", re.I)


def _blank(word: re.Match[str]) -> str:
    return "·" * len(word.group())


def _is_turned(poles: _Poles, zh: str, en: str) -> bool:
    """Whether each half has another of two poles alone, at most one of them in weaker words."""
    here = {word.lastindex for word in poles.may_zh.finditer(zh)}
    there = {word.lastindex for word in poles.may_en.finditer(en)} if here else set()
    is_sure = poles.zh.search(zh) is not None or poles.en.search(en) is not None
    return len(here) == len(there) == 1 and here != there and is_sure


def _has_complements(zh: str, en: str) -> bool:
    return any(_is_turned(poles, zh, en) for poles in (*_SWITCHES, *_COMPLEMENTS))


def _denies(zh: str, en: str) -> bool:
    return _NO.search(_BUT.sub("", zh)) is not None or _NO.search(en) is not None


def _order(zh: str, en: str) -> bool | None:
    """Whether two sentences compare in the same order, as the names in both say; None if there are none."""
    than = _THAN[0].search(zh), _THAN[1].search(en)
    if than[0] is None and than[1] is None:
        return True
    shared = [name for name in _NAME.findall(zh) if re.search(rf"\b{name}\b", en)]
    if len({*shared}) >= 2:
        return bool(next(name for name in _NAME.findall(en) if name in shared) == shared[0])
    if not shared or than[0] is None or than[1] is None:
        return None
    return all((zh.index(name) < than[0].start()) == (en.index(name) < than[1].start()) for name in shared)


# ---- opposites next to a number


_HEDGE_ZH = (
    "(?:[用花要占付读写跑放装存算传])?(?:出|上|了|过|约|大约|大概|近|将近|接近|整整|不到|超过|至少|至多|最多|差不多)*"
    "[ \u00a0]?"
)
_HEDGE_EN = (
    r"(?:(?:about|around|roughly|nearly|almost|some|over|up to|more than|less than|at least|at most|only|an?)"
    r"[ \u00a0])*"
)


class _Word(NamedTuple):
    """A word that is right before a number in Chinese, and where its opposite is in English."""

    zh: re.Pattern[str]
    opposite_before: re.Pattern[str]
    opposite_behind: re.Pattern[str]

    @classmethod
    def of(cls, zh: str, opposite: str, *, is_verb: bool) -> "_Word":
        by = r"(?:[ \u00a0](?:by|to))?" if is_verb else r"[ \u00a0]by"
        apart = "" if is_verb else "(?<![最至不没很较太偏减缺提升降缩增加放扩多延])"
        to = "[到至]?" if is_verb else "(?:于[^，。；：]{1,8})?"
        return cls(
            re.compile(rf"{apart}(?:{zh}){to}{_HEDGE_ZH}\Z"),
            re.compile(rf"\b(?P<word>{opposite}){by}[ \u00a0]{_HEDGE_EN}\Z", re.I),
            re.compile(rf"(?:[ \u00a0](?:times|[A-Z]))?[ \u00a0-](?P<word>{opposite})\b", re.I),
        )

    @classmethod
    def of_limit(cls, zh: str, opposite: str) -> "_Word":
        """The same before a value that something is compared with: `慢于3毫秒`, `faster than 3 ms`."""
        return cls(
            re.compile(rf"(?:{zh})于{_HEDGE_ZH}\Z"),
            re.compile(rf"\b(?P<word>(?:{opposite})[ \u00a0]than)[ \u00a0]{_HEDGE_EN}\Z", re.I),
            re.compile("(?P<word>)(?!)"),
        )


def _amount(pole: int) -> Pair:
    """The adjectives for more, or for less, of anything, joined for each language."""
    adjectives = _ADJECTIVES[1:-1]
    zh = "|".join(one.zh[pole] for one in adjectives)
    return zh, "|".join(f"{one.more[pole]}|as (?:{one.plain[pole]})" for one in adjectives)


_MORE, _LESS = _amount(0), _amount(1)
_AT_NUMBERS: tuple[tuple[Pair, Pair, bool], ...] = (
    (("快", "慢"), ("faster|quicker|as (?:fast|quick)", "slower|as slow"), False),
    (
        (f"(?:多|{_MORE[0]})(?![约概致])", f"少|{_LESS[0]}"),
        (
            rf"{_MORE[1]}|more(?! expensive| \w+(?:[ai]ve|ent|ful|ble)\b)|as many|as much|above",
            f"{_LESS[1]}|less(?! expensive)|fewer|as few|as little|below|short of",
        ),
        False,
    ),
    (_CHANGES_ZH, _CHANGES_EN, True),
    (("(?<![之以])前", "(?<![之此以然])后"), ("first|leading", "last|final"), True),
)
"""In both languages, and whether nothing else may be around them. What is faster takes less time."""
_WORDS = tuple(
    word
    for zh, en, is_verb in _AT_NUMBERS
    for pole in (0, 1)
    for word in (
        *(() if is_verb else (_Word.of_limit(zh[pole], en[1 - pole]),)),
        _Word.of(zh[pole], en[1 - pole], is_verb=is_verb),
    )
)
_STAND_IN = "7919"
"""In place of a value that is bound: a number that no sentence has."""


class _Sentence(NamedTuple):
    text: str
    quantities: tuple[Quantity, ...]

    @classmethod
    def of(cls, sentence: str, language: Language) -> "_Sentence":
        """A bound value is a quantity, too, if it is the only one of its sentence."""
        is_bound = sentence.count(BOUND) == 1
        text = sentence.replace(BOUND, _STAND_IN) if is_bound else sentence
        return cls(text, quantities_in(text, language))


def _at_numbers(zh: str, en: str) -> Iterator[Difference]:
    """The numbers that both sentences have once, with more in one half and less in the other."""
    if _MAY_LEAD.search(zh) is None:
        return
    left, right = _Sentence.of(zh, "zh"), _Sentence.of(en, "en")
    for value in left.quantities:
        rivals = [other for other in left.quantities if value.agrees(other)]
        twins = [other for other in right.quantities if value.agrees(other)]
        if len(rivals) == len(twins) == 1:
            yield from _at_number(value, twins[0], left, right)


_MAY_LEAD = re.compile("[快慢高低多少大小长短贵宜重轻宽窄深浅强弱增升涨提扩减降跌回至最过于足到前后]")


def _at_number(value: Quantity, twin: Quantity, here: _Sentence, there: _Sentence) -> Iterator[Difference]:
    if _STAND_IN in value.text and limits_differ(value.qualifier, twin.qualifier, here.text, there.text):
        less, more = ("less", "more") if value.qualifier == "below" else ("more", "less")
        yield _at_a_number(f"{less} than a value here, {more} than it in the English half")
        return
    before, behind = there.text[: twin.start], there.text[twin.end :]
    for word in _WORDS:
        ours = word.zh.search(here.text[: value.start])
        opposite = ours and (word.opposite_behind.match(behind) or word.opposite_before.search(before))
        if ours and opposite and not _is_turned_at(value, here.text, there.text):
            number = "a value" if _STAND_IN in value.text else f"“{value.text}”"
            message = f"“{ours.group()}” before {number} here, “{opposite['word']}” in the English half"
            yield _at_a_number(message)
            return


_THE_OTHER = re.compile(r"\b(?:before|previous|earlier|former|latter|used to)\b", re.I)


def _is_turned_at(value: Quantity, zh: str, en: str) -> bool:
    """Whether a half denies, or compares in the other order, or switches off what the other switches on."""
    if _denies(zh, en) or _has_complements(zh, en):
        return True
    order = _order(zh, en)
    if not _THAN[1].search(en) and _THE_OTHER.search(en):
        return True  # 比上一代高3 W: `the one before drew 3 W less`
    if order is None:
        is_compared_in_both = _THAN[0].search(zh) is not None and _THAN[1].search(en) is not None
        return is_compared_in_both and value.unit == "times"
    return not order


def limits_are_turned(zh: str, en: str) -> bool:
    """Whether one half is about more than something, and the other about less: both agree if one denies."""
    here = {word.lastindex for word in _LIMITS.may_zh.finditer(zh)}
    there = {word.lastindex for word in _LIMITS.may_en.finditer(en)}
    return len(here) == len(there) == 1 and here != there


def limits_differ(one: Qualifier, other: Qualifier, zh: str, en: str) -> bool:
    """Whether one sentence says at least where the other says at most, and neither is turned round."""
    if {one, other} != {"above", "below"}:
        return False
    has_both = all(
        len({word.lastindex for word in limits.finditer(text)}) == 2
        for limits, text in ((_LIMITS.may_zh, zh), (_LIMITS.may_en, en))
    )
    is_turned = _has_complements(zh, en)
    return (
        not has_both
        and not is_turned
        and not _denies(_LIMITS_WITH_NO.sub("", zh), _LIMITS_WITH_NO.sub("", en))
    )


_LIMITS_WITH_NO = re.compile(
    "不(?:会|能|得)?(?:超过|[少低小大高多]于)|没有?(?:一[\u3400-\u9fff]{1,4})?(?:超过|[大高多]于)"
    r"|\bno (?:more|less|fewer|later)\b|\bnot exceed",
    re.I,
)
