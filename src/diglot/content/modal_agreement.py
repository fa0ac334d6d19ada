"""Finds sentences that differ in what can, must, will or always does happen: `无法` and `can`, `总是` and
`sometimes`, `除非` and no condition at all.

Such words are few, and which of them exclude each other is the same whatever a sentence is about. So one
table has them, each with the words that leave a sentence open: a half that denies something else, or
restricts it, may say the same in another way.
"""

import math
import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from diglot.content.differences import Difference
from diglot.content.known_words import known_words
from diglot.content.negation_agreement import (
    DENIES_EN,
    DENIES_ZH,
    HARMLESS_EN,
    HARMLESS_ZH,
    PLAIN_EN,
    PLAIN_ZH,
)
from diglot.content.pairs import length_in_letters
from diglot.content.prose import BOUND
from diglot.content.role_agreement import ADJECTIVES
from diglot.content.sentence_pairs import sentence_pairs
from diglot.quantities.reading import quantities_in

_Denials = Literal["any", "plain", "everywhere"]
"""What else a half may not deny: anything in whatever word, in the clause or everywhere; or with a no."""
_DENIALS: dict[_Denials, tuple[re.Pattern[str], re.Pattern[str]]] = {
    "any": (DENIES_ZH, DENIES_EN),
    "plain": (PLAIN_ZH, PLAIN_EN),
    "everywhere": (DENIES_ZH, DENIES_EN),
}


class _Row(NamedTuple):
    """Words of both languages that exclude each other, and what else in a half leaves that open."""

    rule: str
    zh: re.Pattern[str]
    en: re.Pattern[str]
    unless_zh: re.Pattern[str] | None
    unless_en: re.Pattern[str] | None
    denials: _Denials
    compares: bool
    """Whether a denied comparison is meant: others that look alike deny nothing."""

    @classmethod
    def of(
        cls,
        zh: str,
        en: str,
        *,
        unless_zh: str = "",
        unless_en: str = "",
        denials: _Denials = "any",
        compares: bool = False,
        rule: str = "halves-negation",
    ) -> "_Row":
        """A row of patterns; English ones are whole words."""
        return cls(
            rule,
            re.compile(zh),
            _words(en),
            re.compile(unless_zh) if unless_zh else None,
            _words(unless_en) if unless_en else None,
            denials,
            compares,
        )

    def differing(self, zh: str, en: str) -> Difference | None:
        """What is said of words that exclude each other, if nothing else leaves that open."""
        here = self.zh.search(zh)
        there = here and self.en.search(en)
        if here is None or there is None:
            return None
        rest = _without(here), _without(there)
        around = (
            rest
            if self.denials == "everywhere"
            else (_clause_of(here, _CLAUSES_ZH), _clause_of(there, _CLAUSES_EN))
        )
        doubts = [
            *zip((PLAIN_ZH, PLAIN_EN), rest, strict=True),
            *zip((HARMLESS_ZH, HARMLESS_EN), (rest[0] if self.compares else zh, en), strict=True),
            *zip((self.unless_zh, self.unless_en), around, strict=True),
            *zip(_DENIALS[self.denials], around, strict=True),
        ]
        if any(words is not None and words.search(text) for words, text in doubts):
            return None
        if not there.group():
            message = f"“{here.group()}” is not in the English half, nor another word for it"
            return Difference(self.rule, message)
        if not here.group():
            message = f"“{there.group()}” is only in the English half, without another word for it here"
            return Difference(self.rule, message)
        return Difference(self.rule, f"“{here.group()}” here, “{there.group()}” in the English half")


def _words(en: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{en})(?![\w-])" if en else "", re.I)


_CLAUSES_ZH, _CLAUSES_EN = re.compile("[，；：]"), re.compile("[,;:]")


def _clause_of(word: re.Match[str], divides: re.Pattern[str]) -> str:
    """The clause that a word is in, without it."""
    begin = max((end.end() for end in divides.finditer(word.string, 0, word.start())), default=0)
    end = divides.search(word.string, word.end())
    return f"{word.string[begin : word.start()]} {word.string[word.end() : end and end.start()]}"


def _without(word: re.Match[str]) -> str:
    return f"{word.string[: word.start()]} {word.string[word.end() :]}"


# ---- the table

_CAN_ZH = (
    "可以(?!不)|(?<![不功性智效动节职技可才])能够?(?![耗效源量力级不])"
    "|(?<![不许认尚宁])可(?![是能以见用行观怜惜靠疑不])"
)
_CANNOT_ZH = (
    "无法|没法|没有?办法|不可以|(?<![无])不能(?!不)|不可(?![避少不])|来不及"
    "|[看找达做得拿收测读]不到|[装放容塞跑用做改停修连传]不(?:下|了|完|动|通)"
)
_CANNOT_EN = (
    r"cannot|can[’']t|(?:can|could) (?:not|never|no longer)|couldn[’']t|(?:un|not )able to"
    r"|(?:not |im)possible"
    r"|incapable of|no way (?:to|of)"
)
_CAN_EN = "can|could|(?:is|are|was|were) able to|(?:is|are|was|were) possible|(?:is|are) capable of"
_HARMS_EN = (
    r"mis\w+|hid\w+|mask\w*|break\w*|broke\w*|hurt\w*|harm\w*|damag\w*|corrupt\w*|deadlock\w*"
    r"|stall\w*|block\w*"
    r"|exceed\w*|violat\w*|crash\w*|hang\w*|conflict\w*|vary|varies|differ\w*|chang\w*|tak(?:e|es"
    r"|ing)|over\w+"
    r"|ruin\w*|waste\w*|drop\w*|more|less|worse|\w*er than|change\w*|starv\w*|distort\w*|blur\w*"
)
_MUST_ZH = "必须|必需|务必|务须|一定要|非[^，。]{1,12}不可"
_MUST_EN = (
    r"must|(?:has|have|had) to|needs? to|(?:is|are) (?:required|obliged|necessary|mandatory|compulsory)"
    r"|requires?|it is necessary"
)
_NEED_NOT_EN = (
    r"need(?:s|ed)? (?:not|no)|needn[’']t|(?:do(?:es)?n[’']t|do(?:es)? not) (?:need|have"
    r"|require)(?: to)?|no need (?:to|for|of)"
    r"|optional(?:ly)?|unnecessary|not (?:necessary|required|needed|mandatory)"
)
_NEED_NOT_ZH = (
    "不必(?!要)|无需|无须|毋须|不需要?|用不着|没有?必要|(?:可以|可)不(?!同)"
    "|不用(?!说|[^，。]{1,8}[的就也时])|不一定要"
)
_MAY_ZH = "可以|可选|也可|任选|随意|能(?![耗效源量力级])"
_FORBID_ZH = "禁止|严禁|不得(?!不)|不准|不许|不允许|不应|不该|不要|不宜|切勿|请勿|切忌"
_SHOULD_ZH = "应该|应当|应(?![用对答力变付有急])|最好(?![的是])|不妨|宜(?=[先把将用从])"
_SHOULD_NOT_EN = (
    r"(?:should|must|may|ought) (?:not|never)(?: to)?|(?:should|must)n[’']t|(?:had )?better not"
    r"|(?:is|are) not (?:allowed|permitted|advisable)|(?:is|are) (?:forbidden|prohibited)"
)
_SHOULD_EN = r"should|must|ought to|may|(?:is|are) (?:allowed|permitted|advisable|free) to|had better"
_WILL_NOT_EN = r"(?:will|would) (?:not|never|no longer)|won[’']t|wouldn[’']t"
_ALWAYS_ZH = (
    "每一?次[^，。；]{0,6}都|"
    "(?<![都])总(?![共数量体结和线之算有计部成表览额价功算带长吞内时延耗要])是?|始终|一直|每次都|每一次都|时时刻刻"
    "|从来都|永远|必然|毫无例外|任何时候都"
)
_SOMETIMES_ZH = "有时|偶尔|间或|时不时|偶有|不时|个别时候"
_SOMETIMES_EN = (
    r"sometimes|occasionally|at times|(?:every )?now and then|from time to time|(?:every )?once in a while"
    r"|rarely|seldom|on occasion"
)
_ALWAYS_EN = (
    r"always|every time|each time|constantly|invariably|at all times|all the time|without exception"
    r"|never|permanently"
)
_ALL_EN = (
    r"all|every\w*|each|any\w*|both|whole|entire\w*|throughout|constant\w*|permanent\w*|keeps?|still|ever"
)
_NOT_ALL_EN = (
    r"(?:only )?(?:one|a few|two|three|half|some|part) of (?:the|them|these|its|those)|only (?:some"
    r"|a few)|one or two"
)
_IN_ANY_CASE_EN = (
    r"at all times|always|alike|in (?:any|every) case|regardless(?: of)?|no matter (?:how|what|whether)"
    r"|whether or not|under all (?:conditions|circumstances)|unconditional(?:ly)?|any ?time"
    r"|without (?:any )?conditions?"
)
_ONLY_EN = (
    r"only (?:if|when|while|where|once|after|for|with|in|at|on|above|below)"
    r"|(?:if|when|while) and only (?:if|when|while)"
)
_ONLY_ZH = "只有|只在|仅当|仅在|[，时后]才(?!刚)|(?<=[闲候下上中后前大小时])才(?=[会能有可])"
_IN_ANY_CASE_ZH = "任何时候|任何情况下|无论|不管|不论|无条件|总是|一律|始终|都一样"

_SURELY_NOT_ZH = "不会|从未|从不|从来[不没]有?|并没有?|并未|没能"
"""What denies the verb behind it, and is seldom part of another word for its opposite."""
_OPPOSITES_EN = (
    r"always|below|above|beyond|beneath|under|over|outside|inside|within|stays?|stayed|remain\w*"
    r"|same|constant\w*|steady"
    r"|as (?:fast|quick|slow|well|much|many|good|high|low|large|before)|keep\w*|kept|still|both"
    r"|every\w*|all|slow\w*|small\w*|low\w*|short\w*|rare\w*|safe\w*|easy|easily|simpl\w+"
    r"|closed|as \w+ as|just|once|first|also|too|expensive|cheap\w*|plain\w*|intact|alive"
    r"|clear\w*|holds?|held"
    r"|surviv\w*|fresh|news?|flat|fixed|common|normal|manual\w*|by hand|or more|has to|have to"
    r"|must|needs?|remains?"
    r"|local\w*|private\w*|static\w*|complet\w*|succe\w+|busy|continu\w*|wait\w*|idle\w*|through|until"
)
_DENIED_EN = (
    r"(?:do|does|did|is|are|was|were|has|have|had|should)(?: not|n[’']t)(?! (?:change|move|differ"
    r"|need|take|hold|stop|matter"
    r"|exceed|fail|los|miss|leave|var|grow|fit|have|only|just|yet|until|the same|more|less|always"
    r"|all|every|necessar|go\b"
    r"|mean|care|interfer|touch|count|end|wait|cost|suffer|hurt|harm|hide|last|forget))"
)
_OPPOSITES_ZH = (
    "一样|相同|照[旧样常]|冻结|失效|始终|一直|总|任何|谁都|哪|很快|满|多[数余]|过半|原[地样封]|固定|恒|静止|完整|够|足|都|全"
    "|[最更还仍太较]|[慢低小短便简容易稳旧老]|闲|自动|关|停|白|另|别|差|乱|粗|估|近似|大致"
)
_TABLE = (
    _Row.of(_CANNOT_ZH, _CAN_EN, unless_en=_HARMS_EN),
    _Row.of(_CAN_ZH, _CANNOT_EN),
    _Row.of(
        "不会|不再会?|不致于?|不至于", "will|would|is going to", unless_en=_HARMS_EN + "|keep|remain|stay"
    ),
    _Row.of(
        "(?<![不机社都未教学体协])会(?![议话计员合聚见不])", _WILL_NOT_EN, unless_zh="一样|相同|照旧|照样"
    ),
    _Row.of(_NEED_NOT_ZH, _MUST_EN, unless_en="itself|by hand|existing|same"),
    _Row.of(_MUST_ZH, _NEED_NOT_EN),
    _Row.of(
        _MUST_ZH,
        r"may|might|can|could|optional(?:ly)?|(?:is|are) free to",
        unless_zh="能|可|否则|不然",
        unless_en=_MUST_EN + r"|should|need\w*|requir\w*|shall|first|necess\w*|mandatory|forced?|once",
        rule="halves-opposite",
    ),
    _Row.of(
        _MAY_ZH,
        r"must|(?:has|have) to|(?:is|are) (?:required|obliged|mandatory|compulsory)",
        unless_zh="必|须|得|需|要|应|该|非|才|只|先|才能",
        unless_en=r"can|could|may|might|able|possib\w*|allow\w*|enough|sufficien\w*",
        rule="halves-opposite",
    ),
    _Row.of(
        _SURELY_NOT_ZH,
        "",
        unless_en=f"{_OPPOSITES_EN}|{_HARMS_EN}",
        unless_zh="[只仅才更比]|的(?=$|[，。；])",
        denials="everywhere",
    ),
    _Row.of("", _DENIED_EN, unless_zh=_OPPOSITES_ZH, unless_en="does|do|did", denials="everywhere"),
    *(
        _Row.of(f"(?:没有?|不会?|未(?!来))(?!比|那么)[^，。；比]{{0,8}}(?:更|变得?)(?:{zh})", en)
        for zh, en in ADJECTIVES.items()
    ),
    _Row.of("知道|清楚|明白|看得出", "no (?:idea|clue)|in the dark|any(?:one|body)[’']s guess"),
    _Row.of(_FORBID_ZH, _SHOULD_EN, unless_en=_HARMS_EN + "|keep|remain|stay|leave|left"),
    _Row.of(_SHOULD_ZH, _SHOULD_NOT_EN),
    _Row.of(_MAY_ZH, r"(?:must|may|should) (?:not|never)|mustn[’']t|(?:is|are) (?:forbidden|prohibited)"),
    _Row.of("尚未|还没有?|仍未|还未|仍没有?|至今[未没]", "already|by now|long since|as of now"),
    _Row.of("已经|(?<![而早])已(?!知|有)", r"not yet|ha(?:s|ve)(?: not|n[’']t)(?: yet)?|(?:is|are) yet to"),
    _Row.of(
        _ALWAYS_ZH,
        _SOMETIMES_EN,
        unless_zh="有时|偶|时而",
        unless_en=_ALL_EN + "|always",
        denials="plain",
        rule="halves-opposite",
    ),
    _Row.of(
        _SOMETIMES_ZH,
        _ALWAYS_EN,
        unless_zh=_ALWAYS_ZH,
        unless_en=_SOMETIMES_EN + "|some|few|may|might|can",
        denials="plain",
        rule="halves-opposite",
    ),
    _Row.of(
        "所有|全部|全都|一律|无一例外|每一?[个块张层台步条次种颗代家项]|各[个层台]|(?:两|双|三)[个者方台块张种层]{1,2}[^，。]{0,6}都",
        _NOT_ALL_EN,
        unless_zh="部分|有的|有些|其中|之一|中的|里的|一[个块张层台步条次种半]|几(?!乎)|[两三]",
        unless_en="all|every|each|both|any|whole|entire",
        denials="plain",
        rule="halves-opposite",
    ),
    _Row.of(
        "两[个者方台块张种层边端]{1,2}[^，。]{0,8}都(?!不|没|会)",
        r"(?:only )?one of (?:the|these|them)(?: two)?|only one|just one",
        unless_en="both|other|and|two",
        denials="plain",
        rule="halves-opposite",
    ),
    _Row.of(
        "其中[的有只]*一|[之当]?中有一|两[^，。]{1,6}[里中]只?有一",
        "both",
        unless_en="one|either",
        denials="plain",
        rule="halves-opposite",
    ),
    _Row.of(
        "至少[要有需留得保证]*[一1](?![半成])",
        "all|every|each|both",
        unless_zh="每|都|各|所有",
        unless_en=r"one|1|any|an?|least|some|single|once",
        denials="plain",
        rule="halves-opposite",
    ),
    _Row.of(
        "所有|全部|都|每",
        r"at least one",
        unless_zh="[一1]|任",
        unless_en="all|every|each|both|any",
        denials="plain",
        rule="halves-opposite",
    ),
    _Row.of(
        _ONLY_ZH,
        _IN_ANY_CASE_EN,
        unless_en=r"only|when\w*|if|unless|once|until|just|but|alone|while|as",
        unless_zh=_IN_ANY_CASE_ZH,
        denials="plain",
        rule="halves-opposite",
    ),
    _Row.of(
        _IN_ANY_CASE_ZH,
        _ONLY_EN,
        unless_zh="[只仅才限除]",
        unless_en=_IN_ANY_CASE_EN + "|any|every|all",
        denials="plain",
        rule="halves-opposite",
    ),
    _Row.of(
        "[闲候下上中大小]时(?=[进运执启发工做传才，])",
        r"at all times|all the time|in (?:any|every) case|unconditional(?:ly)?",
        unless_en=r"only|when\w*|if|unless|once|until|while|as",
        unless_zh=_IN_ANY_CASE_ZH + "|都",
        denials="plain",
        rule="halves-opposite",
    ),
)
"""What is reported where a half has words for more than one row is the first."""

# ---- conditions

_CONDITION_ZH = re.compile(
    "除非|仅当|前提(?:是|下)|条件是|只要(?!是?求)|如果|假如|倘若|要是|假使|一旦|只有[^。；]{1,30}才|(?<=的话)，"
)
_CONDITION_EN = re.compile(
    r"\b(?:unless|provided(?: that)?(?= \w)|providing|as long as|so long as"
    r"|on (?:the )?condition that|only (?:if|when|after)"
    r"|except (?:if|when)|if (?!not\b|any\b|necessary\b|possible\b|only\b|you (?:like|want)\b|ever\b))",
    re.I,
)
_MAY_RESTRICT_EN = re.compile(
    r"\b(?:if|when\w*|unless|until|till|once|with|without|only|provid\w+|long|given|assum\w+"
    r"|should|while|where\w*"
    r"|after|before|except\w*|otherwise|else|depend\w*|need\w*|requir\w*|condition\w*|suppos\w+"
    r"|case|cases|during"
    r"|under|just|subject|enough|as soon|every time|any\w*|whichever|whatever|or|so|then|the more"
    r"|takes?|from)\b"
    rf"|^(?:To|By|At|In|On|For|Beyond|Above|Below|Past|From|Had|Were|Were|[A-Z]?[a-z]+ing)\b|[{BOUND}]",
    re.I,
)
_MAY_RESTRICT_ZH = re.compile(
    rf"[若如只才除当等需靠凭仅须则{BOUND}]|时(?![间钟延刻])|以?后|之?前|条件|一旦|假|倘|万一|即使|否则|不然|就|便|要|下[，都]|[过了][，]"
    "|的(?:话|情况|场合)|离[开不]|没有?[^，。]{1,10}[就不]|凡|越|一[^，。]{1,6}[就便]|上[，]|中[，]"
)
_CONDITIONS_EN = re.compile(
    r"\b(?:if|when|whenever|unless|until|once|without|only|provid\w+|as long as|given|assum\w+"
    r"|should|otherwise|while"
    r"|depend\w*|needs?|requir\w*|condition\w*|suppos\w+|any\w*)\b|^(?:To|By|With|For|Beyond"
    r"|Above|Below|Past|Had|Were)\b",
    re.I,
)
_CONDITIONS_ZH = re.compile(
    "[若如只才除当需凭仅须]|时(?![间钟延刻])|条件|一旦|假|倘|万一|即使|否则|不然|的(?:话|情况|场合)|凡|越|就|便(?!宜)|这么|那么|既然|为什么"
)
"""What surely restricts, where words of the condition are missing."""
_UNKNOWN_CLAUSE, _ANOTHER_SENTENCE = 0.3, 1.1
"""By how much logarithms of lengths differ at least where one half lacks a clause without known words, and at
most where both are the same sentence."""
_SHORT_CLAUSE_LETTERS = 4.0
"""The same for short sentences: letters that a clause has at least, more."""


def _lacks_condition(zh: str, en: str) -> tuple[str, str] | None:
    """The condition that only one half has, and which one; the other is shorter and has no word of it."""
    longer = math.log(length_in_letters(zh) / length_in_letters(en))
    here, there = _CONDITION_ZH.search(zh), _CONDITION_EN.search(en)
    if here is not None and longer > 0 and _is_lost(here, en, longer):
        return here.group(), "here"
    if there is not None and longer < 0 and _is_lost(there, zh, -longer):
        return there.group().strip(), "in the English half"
    return None


def _is_lost(condition: re.Match[str], twin: str, longer: float) -> bool:
    """Whether the twin of a sentence with a condition is without it, and not said with another word."""
    if longer > _ANOTHER_SENTENCE:
        return False
    is_zh = condition.re is _CONDITION_ZH
    clause = _clause_from(condition)
    if quantities_in(clause, "zh" if is_zh else "en"):
        return False  # numbers are compared anyway
    words = known_words(clause, twin, "zh" if is_zh else "en")
    if words.kept:
        return False
    least = 0.0 if words.known else _UNKNOWN_CLAUSE + _SHORT_CLAUSE_LETTERS / length_in_letters(twin)
    surely = (_CONDITIONS_EN, _CONDITIONS_ZH)[not is_zh]
    restricts = surely if words.known else (_MAY_RESTRICT_EN, _MAY_RESTRICT_ZH)[not is_zh]
    return longer > least and restricts.search(twin) is None


def _clause_from(condition: re.Match[str]) -> str:
    """The clause of a condition: in Chinese up to the next comma, in English that or the end."""
    return re.split("[,，；;。]", condition.string[condition.start() :].rstrip("。."), maxsplit=1)[0]


def compare_modals(zh: str, en: str) -> Iterator[Difference]:
    """What can, must, will or always does happen in one half, and not in the other; and conditions."""
    for here, there in sentence_pairs(zh, en):
        difference = next(filter(None, (row.differing(here, there) for row in _TABLE)), None)
        if difference is not None:
            yield difference
        elif (condition := _lacks_condition(here, there)) is not None:
            other = "the English half" if condition[1] == "here" else "this half"
            message = f"the condition of “{condition[0]}” {condition[1]} is missing in {other}"
            yield Difference(rule="halves-condition", message=message)
