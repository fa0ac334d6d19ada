"""Marks anywhere in a text: of links, pictures, attributes, emphasis, code, formulas, comments."""

import re
from collections.abc import Callable

from diglot.content.leftovers import braces, emphasis, links, literals, tags
from diglot.content.leftovers.finding import Advice, Kind, Place
from diglot.content.leftovers.remainder import CODE, IMAGE, LINK_OPEN, NO_TEXT, OTHER, TAKERS
from diglot.content.roles import ROLES
from diglot.content.small_marks import STYLES
from diglot.content.twins import SPACE


def _kind(rule: str, pattern: str, advise: Callable[[Place], Advice | None]) -> Kind:
    # Chinese goes on without a space, so that only ASCII letters make a mark next to them a part of a word.
    return Kind(rule, re.compile(pattern, re.ASCII), advise)


_ROLE = "|".join((*ROLES, *STYLES, "span"))
_SHORT_FORMULA = (
    r"(?:[A-Za-z]|\^)(?:(?:[_^]|(?<=\^))(?:\w|\{[^{}$\n]{1,40}\}))*"
    r"|(?=[^$\n]{0,100}\\[A-Za-z])[\\\w^{}()=+*/<> -]{1,100}"
)
_LETTER = r"(?u:[^\W\d_])"
_STARRED = "args|argv|ptr|rest|self|nix|this"
"""Names that follow a star in programs, and in `*nix`."""
_LABEL = r"[^\[\]\n]{0,300}"
_INSIDE = r"(?:[^()\n]|\([^()\n]{0,100}\)){1,300}"


INLINES = (
    _kind("comment-left-over", r"[<‹《](?:! ?(?:--?|[—–]+)| !--)(?![>\d])", tags.comment),
    _kind("full-width-mark", r"(?P<open>\[\^)(?P<label>[^\[\]\n]{1,80})(?P<close>\]?)", links.note),
    _kind(
        "syntax-unsupported",
        rf"\{{(?P<mark>\+\+|--|~~|>>|==|{OTHER})[^{{}}\n]{{1,300}}(?:\+\+|--|~~|<<|==|{OTHER})\}}",
        emphasis.suggested,
    ),
    _kind(
        "link-left-over",
        r"\[(?P<before>(?:see|cf\.|e\.g\.,?|参见|见|参看)[^\[\]@\n]{0,40})@(?P<rest>[A-Za-z][\w:.-]{1,60}[^\[\]\n]{0,80})\]",
        links.cited_in_words,
    ),
    _kind("link-left-over", r"\[(?P<label>[0-9]{1,3})\^\]", links.misplaced_caret),
    _kind("link-left-over", r"\^\[(?P<label>[0-9]{1,3})\]\^?", links.misplaced_caret),
    _kind("link-left-over", r"\[[ \t]+\^[ \t]*(?P<label>[\w-]{1,30})[ \t]*\]", links.misplaced_caret),
    _kind("attributes-broken", r"\{[ \t]*#[ \t]+(?P<id>[\w-]{1,60})[ \t]*\}$", braces.spaced_id),
    _kind("link-left-over", r"\^\[(?=\S)(?P<label>[^\[\]\n]{2,300})$", links.inline_note),
    _kind(
        "link-bare",
        r"(?<![\w./@:-])(?P<address>www\.[A-Za-z0-9-]{1,60}\.[A-Za-z]{2,20}[!-;=?-~]{0,200})",
        links.bare_host,
    ),
    _kind("role-broken", rf"(?<![\w{{.])(?P<name>{_ROLE})(?P<inside>)(?={CODE})", braces.role),
    _kind(
        "emphasis-swallowed",
        rf"{OTHER}(?P<name>[a-z]\w{{0,40}}){OTHER}(?P<rest>\.[a-z]\w*|\()",
        emphasis.dunder,
    ),
    _kind(
        "emphasis-swallowed",
        rf"(?<=[0-9A-Za-z]){OTHER}(?P<inside>[0-9A-Za-z.+/-]{{1,20}}){OTHER}(?=[0-9A-Za-z])",
        emphasis.product,
    ),
    _kind(
        "syntax-left-over",
        r"(?<![+\w^])(?P<mark>\+\+|\^\^)(?P<inside>[^\s\d_+^;,.)](?:(?!\+\+)[^\n^]){0,200})(?P=mark)(?![+\w^])",
        emphasis.wrapped,
    ),
    _kind(
        "syntax-left-over",
        r"(?<=[A-Za-z)])(?P<mark>[~^])(?P<inside>[A-Za-z0-9+-]{1,12})(?P=mark)(?![~^])",
        emphasis.wrapped,
    ),
    _kind(
        "number-noise",
        r"(?<![A-Za-z0-9_.,])\d{1,9}\.\d{0,12}(?:0{6,16}|9{6,16})\d{1,2}(?![A-Za-z0-9_]|[.,]\d)",
        literals.noise,
    ),
    _kind("syntax-left-over", r"&#(?:[xX]?[0-9A-Za-z]{0,8});?", tags.number_of_character),
    _kind("link-left-over", rf"(?P<mark>!{SPACE}*){LINK_OPEN}", links.picture_as_link),
    _kind(
        "link-left-over",
        rf"(?P<mark>!{SPACE}*)?(?P<open>\[)(?P<label>{_LABEL})(?P<close>\])(?P<gap>{SPACE}*\n?{SPACE}*)"
        rf"(?P<first>\()(?P<inside>{_INSIDE})(?P<last>\))",
        links.link,
    ),
    _kind(
        "link-left-over",
        r"\[(?P<org>\[)?(?P<address>(?:https?|mailto|file):[^\s\[\]]{1,300})(?(org)\]\[| )"
        r"(?P<label>[^\[\]\n]{1,200})\](?(org)\])",
        links.address_first,
    ),
    _kind("link-left-over", rf"{CODE}__?(?![A-Za-z0-9_])", links.of_rst),
    _kind(
        "link-left-over",
        rf"(?P<mark>!?)\[(?P<label>{_LABEL})\][ \t]?[\[{{「《〈『〔<]"
        r"(?P<address>(?:https?://|mailto:|\.{0,2}/|#)[^\s\[\]{}<>「」《》〈〉『』〔〕【】]{1,300})"
        r"[\]}>」》〉』〕]",
        links.wrong_brackets,
    ),
    _kind("link-left-over", rf"!?\[(?P<label>{_LABEL})\]\[(?P<name>{_LABEL})\]", links.reference),
    _kind(
        "link-left-over",
        rf"(?P<mark>!?)\[(?P<label>{_LABEL})(?P<open>\]\()(?!\{{[{{%])(?P<address>[^\s\"'{NO_TEXT}]*)",
        links.open_link,
    ),
    _kind("link-left-over", r"(?<!!)!\[(?!\[)", links.picture),
    _kind(
        "link-left-over",
        rf"\[(?P<label>[^\[\]\n]{{0,80}}(?u:[^\W\d_])[^\[\]\n]{{0,80}})\](?P<address>{LINK_OPEN})(?P<shown>[^\s{NO_TEXT}]+)",
        links.before_address,
    ),
    _kind(
        "link-left-over",
        r"\((?P<label>[^()\[\]\n]{1,100})\)(?:\[(?P<address>[^\[\]\s]{1,300})\]|\((?P<web>https?://[^()\s]{1,300})\))",
        links.reversed_brackets,
    ),
    _kind(
        "role-broken",
        rf"\{{ ?(?P<name>{_ROLE}) ?"
        r"(?:\}(?:[\"'´(\[](?P<inside>[^\"'´()\[\]{}`\n]{1,200})[\"'´)\]])?"
        r"|:[^{}\n]{1,200}\})",
        braces.role,
    ),
    _kind(
        "attributes-broken",
        rf"(?P<gap>{SPACE}*\n?{SPACE}*)"
        rf"(?P<braces>\{{:?[ \t]*(?:[#.](?=[\w-]|[^\x00-\x7f])|(?:{braces.KEYS})[ \t]*[=:])"
        r"[^{}\n]{0,200}(?:\}|(?=\n|$)))",
        braces.attributes,
    ),
    _kind(
        "role-broken",
        rf"(?P<brace>\{{)?(?(brace)|\[)(?P<name>{_ROLE})(?(brace)\]|\}})(?P<inside>)(?={CODE})",
        braces.role,
    ),
    _kind(
        "attributes-broken",
        rf"(?<={IMAGE})(?:\[|\(|<)[ \t]*(?:{braces.KEYS})[ \t]*=[^\[\]()<>{{}}\n]{{1,100}}(?:\]|\)|>)",
        braces.behind_code,
    ),
    _kind("attributes-broken", rf"(?<=[{TAKERS}])\{{[^{{}}\n]{{0,200}}\}}?", braces.behind_code),
    _kind(
        "emphasis-left-over",
        r"(?<![\w*\\/])(?P<first>\*\*|__|\*|_)(?![\s*_])(?P<inside>(?:[^*_\n]{0,99}[^*_\s])?)"
        r"(?P<last>\*\*|__|\*|_)(?![\w*])",
        emphasis.mismatched,
    ),
    _kind(
        "emphasis-left-over",
        r"(?<![A-Za-z0-9_])_(?P<inside>[^\s_*](?:[^_*\n]{0,100}[^\s_*])?)_(?![A-Za-z0-9_])",
        emphasis.inside_word,
    ),
    _kind(
        "emphasis-left-over",
        r"(?<!\*)(?P<mark>\*\*)(?!\*)(?P<inside>[^*\n]{1,300})(?P<last>\*\*)(?!\*)",
        emphasis.pair,
    ),
    _kind(
        "emphasis-left-over",
        r"(?<!~)(?P<mark>~~)(?!~)(?P<inside>[^~\n]{1,300})(?P<last>~~)(?!~)",
        emphasis.pair,
    ),
    _kind(
        "emphasis-left-over",
        r"(?<!_)(?P<mark>__)(?!_)(?P<inside>[^_\n]{1,300})(?P<last>__)(?!_)",
        emphasis.pair,
    ),
    _kind("emphasis-left-over", r"(?<!\*)\*\*(?!\*)", emphasis.stars),
    _kind(
        "full-width-mark",
        r"(?<!\*)(?P<first>\*)(?P<inside>[^*\s](?:[^*\n]{0,100}[^*\s])?)(?P<last>\*)(?!\*)",
        emphasis.mixed_stars,
    ),
    _kind(
        "emphasis-left-over",
        rf"(?<![*\\\w])\*(?P<inside>(?!(?:\w|{_STARRED})\b){_LETTER}[^*\n;,(){{}}=&<>]{{0,100}}[ \t])"
        rf"\*(?={_LETTER}{{2}}|[,.;:!?)\"](?![A-Za-z])|$|(?<={_LETTER}{{2}} \*) {_LETTER})",
        emphasis.half_open,
    ),
    _kind(
        "emphasis-left-over",
        rf"(?<!~)(?:~~(?P<begun>{_LETTER}[^~\n]{{0,300}})(?<!\s)~|~(?P<ended>{_LETTER}[^~\n]{{0,300}})(?<!\s)~~"
        rf"|~~(?={_LETTER}))(?!~)",
        emphasis.lone_tildes,
    ),
    _kind(
        "emphasis-left-over",
        rf"(?<![\w~./-])~(?P<inside>{_LETTER}(?:[^~\n]{{0,200}}[^\s~])?)~(?![\w~/])",
        emphasis.one_tilde,
    ),
    _kind(
        "emphasis-left-over",
        rf"(?<![\w=!<>+*/|-])(?:==(?={_LETTER})(?P<inside>[^=\n]{{1,200}})(?:=(?!=)|(?<=\s)==)"
        rf"|=(?P<ended>{_LETTER}[^=\n]{{0,200}})(?<!\s)==)(?![=\d])",
        emphasis.half_marked,
    ),
    _kind(
        "syntax-left-over",
        r"(?<![A-Za-z0-9])(?P<before>(?:[A-Z][a-z]?)+)~(?P<digits>\d{1,2})(?=[A-Z](?![a-z]{2}))",
        emphasis.chemical,
    ),
    _kind(
        "emphasis-left-over",
        r"(?<=[^\s*\d])[ \t]\*[ \t](?P<inside>[^*\s][^*\n]{0,80}[^*\s])\*(?=[\s,.;:!?)。、]|$)",
        emphasis.apart_star,
    ),
    _kind(
        "syntax-unsupported",
        r"(?<![\w:]):(?:material|fontawesome|octicons|simple|fa|bi)-[\w-]{1,60}:(?!\w)",
        tags.icon,
    ),
    _kind("emphasis-left-over", rf"(?<!\w)__(?![A-Za-z])(?={_LETTER})", emphasis.lone_underscores),
    _kind("emphasis-left-over", rf"(?<!\*)\*(?={OTHER})|(?<={OTHER})\*(?!\*)", emphasis.lone_star),
    _kind(
        "full-width-mark",
        r"(?<![\w/.-])(?P<scheme>https?://|(?:https?(?::/{1,3}|;//|//)|(?!https?:)h?t{1,3}ps?://|https?s://)"
        r"(?=[a-z0-9-]+\.))",
        links.scheme,
    ),
    _kind(
        "formula-left-over",
        r"(?<!\$)\$(?P<inside>[^$\n]{0,300}(?:\\[A-Za-z]|\^)[^$\n]{0,300}"
        r"| ?[A-Za-z][\w^{}\\]{0,12}(?: ?[=+*/<>-] ?[\w^{}\\]{1,12}){0,4} ?)\$(?![0-9$])",
        literals.spaced_formula,
    ),
    _kind(
        "formula-left-over",
        rf"(?P<before>(?<=[0-9]))?\$(?P<inside>{_SHORT_FORMULA})\$(?:(?P<behind>[0-9]{{1,9}})(?![$\w])|(?![$0-9]))",
        literals.beside_digits,
    ),
    _kind(
        "syntax-unsupported",
        r"(?<![\w'])(?P<marks>'{2,3})(?P<inside>[^'\s](?:[^'\n]{0,200}[^'\s])?)(?P=marks)(?![\w'])",
        emphasis.wiki_marks,
    ),
    _kind("code-left-over", r"`+(?:(?P<inside>[^`\n]{1,300})`+)?", literals.backticks),
    _kind(
        "full-width-mark",
        r"(?<![A-Za-z0-9])·(?P<inside>[!-~]*[_()=<>{}\[\]/][!-~]*|[a-z][!-~]*(?: [!-~]+){1,6})·",
        literals.dots,
    ),
    _kind("full-width-mark", r"(?<!\w)´(?P<inside>[!-~]+)´(?!\w)", literals.dots),
    _kind(
        "full-width-mark",
        r"(?P<mark>\$)(?P<inside>(?=[A-Za-z\\|(])[!-#%-~ ]{1,300})(?P<last>\$)(?![0-9])",
        literals.money,
    ),
    _kind(
        "formula-left-over",
        r"(?<!\$)\$(?=[^$\n]{0,300}\\[A-Za-z]{2}|[A-Za-z]_[A-Za-z0-9{](?![A-Za-z])|\d{1,6}\^[\w{(-]"
        r"|[A-Za-z] ?[=<>≤≥≠≈+] ?[A-Za-z0-9(\\]"
        rf"|[A-Za-z(](?:[^$\n{NO_TEXT}]{{0,60}}[A-Za-z0-9)}}])?\^[\w{{(])",
        literals.latex,
    ),
    _kind("formula-left-over", r"(?<=[0-9A-Za-z)]\^[0-9A-Za-z])\$(?![0-9$])", literals.end_of_latex),
    _kind(
        "formula-left-over",
        rf"{OTHER}(?P<inside>[^{NO_TEXT}\n]{{1,200}}){OTHER}",
        literals.escaped_brackets,
    ),
    _kind("formula-left-over", rf"\$+(?={OTHER})|(?<={OTHER})\$+", literals.beside_formula),
    _kind("formula-left-over", r"(?<![\w\\}])[A-Za-z][_^]\{[^{}\n]{1,40}\}", literals.script),
    _kind("syntax-left-over", r"(?<=[^\s\\])[ \t]+\\$", literals.backslash),
    _kind("syntax-left-over", rf"(?<=\S){OTHER}(?=[ \t]*(?:$|\n)|[ \t]+\S)", literals.two_backslashes),
    _kind(
        "syntax-unsupported",
        r"(?<![A-Za-z0-9_.:\\/-])\\(?P<name>[A-Za-z]{2,30})(?:\*?\{(?P<inside>[^{}\n]{0,200})\})?(?![\\A-Za-z])",
        literals.command,
    ),
    _kind("syntax-left-over", r"&(?P<name>[a-z][A-Za-z]{2,11});", tags.unknown_character),
    _kind(
        "syntax-left-over",
        r"(?P<name>&(?:nbsp|amp|lt|gt|quot|mdash|ndash|emsp|ensp|hellip|times|copy));?(?![A-Za-z0-9=])",
        tags.entity,
    ),
    _kind(
        "full-width-mark",
        r"(?<!\{)(?P<open><)[ \t]?/?[ \t]?(?P<name>br|b|i|u|em|strong|sub|sup|kbd|mark|code|span|div|p|img|a"
        r"|video|audio|iframe|table|td|th|details)\b"
        r"[^<>\n]{0,200}(?P<close>>)",
        tags.tag,
    ),
    _kind(
        "syntax-left-over",
        r"<(?P<name>a|div|iframe|img|p|span|table|video)(?P<inside>(?:alt|class|height|href|id|src|style|target|title|width)="
        r"[^<>\n]{0,200})>",
        tags.glued_tag,
    ),
    _kind("mark-left-over", r"(?<=[^\s#])#{2,6}$", emphasis.closing_marks),
)
"""Every kind. The order matters: what an earlier kind has taken is not looked at again."""
