"""Marks at the beginning of a line of a paragraph, which would begin a heading, a list or another block."""

import re
from collections.abc import Callable
from itertools import pairwise

from diglot.content.admonitions.kinds import kind_named
from diglot.content.leftovers.finding import LONGEST_SHOWN, Advice, Edit, Kind, Place
from diglot.content.leftovers.remainder import Remainder
from diglot.content.twins import SPACE, odd_space_in

_SENTENCE_ENDS = tuple("。！？；：，、.!?;:,")
MEANINGFUL = "→⇒✓✔✗✘✅❌★☆"
"""Marks of items that say something themselves. For a character class."""
BULLETS = f"{MEANINGFUL}•●○◦▪■□◆◇➢➤►▶‣⁃·・･∙⋅※\uf0a7\uf0b7\uf0d8\uf06c\uf0fc"
"""Marks of items in other programs; the last ones are Word's, from a font of signs. For a character class."""
LIKE_FENCE = r"[`´ˋ'′]{3,}|(?P<one>[·•‧・\"~])(?P=one){2,}|\^{3}(?!\^)"
"""The marks of a fence, or what is written instead, as ASCII twins."""
_DIRECTIVE = re.compile(r"(?:include|define|undef|pragma|if|ifdef|ifndef|else|elif|endif|error)\b")


def _rest_of_line(place: Place) -> str:
    return place.left.written(place.end, end_of_line(place.left, place.end))


def end_of_line(left: Remainder, start: int) -> int:
    """Where the line ends that a position is on."""
    end = left.text.find("\n", start)
    return end if end >= 0 else len(left.text)


def _writing(new: str, place: Place) -> str:
    """The fix that writes another mark: with its line, if that can be shown as a whole."""
    line = f"{new}{_rest_of_line(place)}"
    if len(line) <= LONGEST_SHOWN and place.left.is_text(place.end, end_of_line(place.left, place.end)):
        return f"write {line}"
    mark = place.text.strip()
    return f"put a space after {mark}." if mark == new.strip() else f'write "{new}" instead of "{mark}".'


def _marked(place: Place, marks: str, means: str) -> Advice | None:
    """The advice on a mark with a full-width twin, an odd space around it, or no space after it."""
    new = f"{marks} "
    fix = _writing(new, place)
    if place.has_twins("mark"):
        return Advice(
            "it is full-width, and begins an ordinary paragraph", fix, place.becomes(new), "full-width-mark"
        )
    for group, where in (("lead", "before"), ("gap", "after")):
        if (odd := odd_space_in(place.group(group))) is not None:
            return Advice(f"there is {odd} {where} the mark", fix, place.becomes(new))
    if not place.group("gap"):
        return Advice(f"there is no space after the mark of {means}", fix, place.becomes(new))
    # Nothing is wrong with what is left: what was before it is no part of the text any more.
    why = f"it begins no {means.split(maxsplit=1)[1]}, because of the spaces before it"
    return Advice(
        why, "indent it like the lines around it, with ASCII spaces, and put an empty line above it."
    )


def _heading(place: Place) -> Advice | None:
    marks, rest = place.match["mark"], _rest_of_line(place)
    if not rest.strip():
        return None
    if len(marks) > 6:
        return Advice("headings have at most six marks", "write ## or ###, or put a backslash before it.")
    if len(marks) == 1 and not place.group("gap"):
        if (topic := rest.rstrip().removesuffix("#")) != rest.rstrip() and _is_title(place, topic, "#"):
            fix = f"write ## {topic}, or \\#{topic}\\# if it is a topic."
            return Advice("there is no space after the mark of a heading", fix)
        if not _is_title(place, rest):
            return None
        if " " not in rest.strip() and not place.has_twins("mark"):
            fix = f"write ## {rest.strip()}, or \\#{rest.strip()} if it is a topic."
            return Advice("there is no space after the mark of a heading", fix, place.becomes("## "))
    return _marked(place, "#" * max(2, len(marks)), "a heading")


def _is_title(place: Place, rest: str, end: str = "") -> bool:
    """Whether a word glued to a single `#` is a title, and no number, tag or directive."""
    return (
        place.left.text.strip() == f"{place.text}{rest}{end}".strip()
        and rest != ""
        and len(rest) <= 40
        and rest[0].isalpha()
        and "#" not in rest
        and _TAG.match(rest) is None
        and not rest.endswith(_SENTENCE_ENDS)
        and _DIRECTIVE.match(rest) is None
    )


_TAG = re.compile(r"[\w-]+/\w")
"""What follows the mark of a tag of Obsidian's: `#inbox/later`."""


def _bullet(place: Place) -> Advice | None:
    return _marked(place, place.match["mark"], "a list item")


def _number(place: Place) -> Advice | None:
    if not place.group("gap") and place.group("mark")[0].isascii() and place.group("mark")[-1] != "．":
        return None  # the style of a heading; a run of such lines is another kind
    odd = odd_space_in(place.group("lead") + place.group("gap"))
    if place.start and place.match["mark"] not in ("1.", "1)") and odd is None:
        return None  # the end of a sentence, as in `the year\n2014. It`
    return _marked(place, place.match["mark"], "a numbered item")


def _task(place: Place) -> Advice | None:
    is_first = place.left.place == "item" and place.start == 0
    has_bullet, state = bool(place.group("bullet")), place.group("state").strip()
    if not is_first and not has_bullet and not _is_box(place):
        return None
    is_done = state in _DONE
    if state and not is_done:
        what = f'a task is to do, [ ], or done, [x], and not "[{state}]"'
        return Advice(what, 'write "- [ ] " or "- [x] ", and say in words what else is true of it.')
    box = f"[{'x' if is_done else ' '}] "
    new = box if is_first else f"- {box}"
    if place.group("box") == box.strip() and is_first and not has_bullet and place.group("gap"):
        return None  # an item with more than one line
    return Advice(
        "it is not the box of a task",
        f'write "- {box}", as `- [ ] to do` and `- [x] done`.',
        place.becomes(new),
    )


_DONE = ("x", "X", "√", "✓", "✔", "☑")


def _is_box(place: Place) -> bool:
    """Whether brackets that begin a line without a bullet are a box: all there are, or one on each line."""
    lines = place.match.string.strip().split("\n")
    state, rest = place.match["state"].strip(), _rest_of_line(place)
    is_only_one = state in ("", *_DONE) and "[" not in rest and _IS_FLOOR.match(rest) is None
    return is_only_one or (len(lines) > 1 and all(map(_BOX.match, lines)))


_IS_FLOOR = re.compile(
    r"\s*(?:(?:is|are|denotes?|means?|stands?|gives?)\b|(?:表示|代表|是|为|指|取|[-+*/=<>≤≥]))"
)
"""What follows `[x]` where it is the floor of x, or the name of a box."""
_BOX = re.compile(rf"{SPACE}*\[[xX √✓✔]\]{SPACE}")


def _quotation(place: Place) -> Advice | None:
    if place.match["mark"] == "》":
        if place.start and not place.group("gap"):
            return None  # the end of a title that was broken over two lines
        return Advice("it begins no quotation", 'write "> ".', place.becomes("> "), "full-width-mark")
    return _marked(place, ">", "a quotation")


def _fence(place: Place) -> Advice | None:
    marks = "~~~" if place.match["mark"][0] == "~" else "```"
    if place.group("mark").startswith(marks):
        if (odd := odd_space_in(place.group("lead"))) is None:
            return None
        return Advice(f"there is {odd} before it", f"begin the line with {marks}.", place.becomes(marks))
    fix = f"write {marks} above the code and below it."
    return Advice("it neither begins nor ends code", fix, place.becomes(marks), "full-width-mark")


def _rule(place: Place) -> Advice | None:
    is_alone = place.left.text.strip() == place.text.strip()
    edits = place.becomes("---") if is_alone else ()
    return Advice("it draws no rule", "write --- on a line of its own, between empty lines.", edits)


def _underline(place: Place) -> Advice | None:
    return Advice("it makes no heading of the line above", "write ## before that line, and delete this one.")


def _colons(place: Place) -> Advice | None:
    name = place.match["name"] or ""
    new = ":" * max(3, len(place.match["mark"])) + name
    if place.has_twins("mark", "name"):
        if len(place.match["mark"]) < 3 and not name:
            return None
        fix = "use ASCII characters, as in :::{note}."
        return Advice("its colons or braces are full-width", fix, place.becomes(new), "full-width-mark")
    if len(place.match["mark"]) == 2 and name:
        return Advice("an admonition has three colons", f"write {new}.", place.becomes(new))
    return None


def _half_named(place: Place) -> Advice | None:
    """`:::{note`, `:::note}`: one of the braces is missing."""
    new = f"{place.match['mark']}{{{place.match['name'] or place.match['end']}}}"
    return Advice("one of its braces is missing", f"write {new}.", place.becomes(new))


def _definition(place: Place) -> Advice | None:
    above = place.left.text[: place.start].strip("\n")
    is_ascii = "：" not in place.text
    if (
        (is_ascii and (place.text != ":" or _SHORT_NAME.match(_rest_of_line(place)) is not None))
        or not above
        or "\n" in above
        or len(above) > 30
        or above.endswith(_SENTENCE_ENDS)
    ):
        return None
    if is_ascii:
        return Advice(
            "there is no space after the colon",
            'write ": " below the term that is explained.',
            place.becomes(": "),
            "mark-left-over",
        )
    fix = 'write ": " with an ASCII colon below the term that is explained.'
    return Advice("it explains nothing", fix, place.becomes(": "), "full-width-mark")


_SHORT_NAME = re.compile(r"[\w+-]+:")
"""What follows the first colon of `:smile:`."""


def _caption(place: Place) -> Advice | None:
    """`: caption` below a table, as Pandoc has it."""
    if place.start or place.left.place != "paragraph":
        return None
    fix = "write it without the colon; an explanation begins so right below the term that it explains."
    return Advice("it explains nothing, and no table is above it", fix, place.becomes(""), "mark-left-over")


def _textile(place: Place) -> Advice | None:
    """`h2. Title`, `bq. Words`."""
    if place.start or "\n" in place.left.text.strip():
        return None
    new = "> " if place.match["mark"] == "bq" else f"{'#' * max(2, int(place.match['mark'][1]))} "
    fix = _writing(new, place)
    return Advice("words with a point begin no block", fix, place.becomes(new))


def _formula(place: Place) -> Advice | None:
    if not place.has_twins("mark"):
        return None
    return Advice("it neither begins nor ends a formula", "write $$.", place.becomes("$$"), "full-width-mark")


def _label(place: Place) -> Advice | None:
    """The beginning of a footnote, or of the definition of a link."""
    if not place.has_twins("open", "close"):
        if place.start or "^" in place.match["open"] or not _rest_of_line(place).strip():
            return None
        fix = f'begin the line with "[^{place.group("label")}]: ", or put a backslash before it.'
        return Advice(
            "it defines no link, which needs an address, and no footnote", fix, rule="link-left-over"
        )
    new = f"{place.match['open']}{place.group('label')}]: "
    why = "it defines nothing: its brackets or its colon are full-width"
    return Advice(why, f'begin the line with "{new}".', place.becomes(new), "full-width-mark")


def _bangs(place: Place) -> Advice | None:
    """`！！！ note`: the marker of an admonition with full-width marks."""
    if kind_named(place.match["name"]) is None or not place.has_twins("mark"):
        return None
    new = f"{place.match['mark']} {place.match['name']}"
    return Advice("its marks are full-width, and begin no admonition", f"write {new}.", place.becomes(new))


def _callout(place: Place) -> Advice | None:
    """`【!NOTE】`, `[！NOTE]`: the marker of a callout with a full-width mark."""
    kind = kind_named(place.match["name"])
    is_word = not place.match["name"].isascii() and "【" in place.text  # 【！注意】 may begin a paragraph
    if kind is None or is_word or not place.has_twins("open", "close"):
        return None
    new = f"[!{kind.upper()}]"
    why = "it begins an ordinary quotation, because of its full-width marks"
    return Advice(why, f"write {new}.", place.becomes(new))


def _run_of_ordinals(place: Place) -> Advice | None:
    lines = [*_ORDINAL.finditer(place.match.string, place.start, place.end)]
    styles = {style for line in lines for style in _VALUES if line[style] is not None}
    if len(styles) > 1:
        return None
    style = styles.pop()
    values = [_VALUES[style](line[style]) for line in lines]
    if None in values or any(after != (before or 0) + 1 for before, after in pairwise(values)):
        return None
    if style in ("number", "circled"):
        edits = tuple(Edit(*line.span("mark"), f"{n}. ") for n, line in zip(values, lines, strict=True))
        return Advice(
            "numbered lines run together, because none of them begins a list",
            f'write "{values[0]}. " and so on, with a space, and put an empty line above the first one.',
            edits if place.start == 0 or place.left.place == "item" else (),
        )
    why = "these lines run together, because such marks begin no list"
    return Advice(why, 'put an empty line between them; for a list, write "1. " and so on.')


_HAN_DIGITS = "一二三四五六七八九"


def _han_value(numeral: str) -> int | None:
    """The value of 一 to 九十九; None if it is no such numeral."""
    tens, ten, ones = numeral.rpartition("十")
    if len(tens) > 1 or len(ones) > 1:
        return None
    value = _HAN_DIGITS.find(ones) + 1 if ones else 0
    return value + (10 * (_HAN_DIGITS.find(tens) + 1 if tens else 1) if ten else 0)


_VALUES: dict[str, Callable[[str], int | None]] = {
    "number": int,
    "bracketed": int,
    "circled": lambda mark: ord(mark) - 0x245F,
    "han": _han_value,
    "letter": ord,
}
_ORDINAL = re.compile(
    rf"^{SPACE}*(?P<mark>(?:(?P<number>[0-9]{{1,3}})[.)、。](?![0-9])|(?P<circled>[①-⑳])[.)、]?"
    rf"|\((?P<bracketed>[0-9]{{1,3}})\)|\(?(?P<han>[{_HAN_DIGITS}十]{{1,3}})[)、]"
    rf"|\(?(?P<letter>[A-Za-z])(?:\)|[、．](?=\S)|\.(?= ))){SPACE}*)(?=\S)",
    re.M,
)
"""Marks that count: `1.`, `1、`, `(1)`, `①`, `一、`, `（一）`, `a.`, `(a)`, `A、`."""


def _run_of_bullets(place: Place) -> Advice | None:
    marks = [
        *re.finditer(rf"^{SPACE}*(?P<mark>--(?![A-Za-z])|(?=--[A-Za-z])|[^\s]){SPACE}*", place.match[0], re.M)
    ]
    boxes = {"☐": "- [ ] ", "☑": "- [x] ", "☒": "- [x] ", **{mark: f"- {mark} " for mark in MEANINGFUL}}
    edits = tuple(
        Edit(place.start + mark.start("mark"), place.start + mark.end(), boxes.get(mark["mark"], "- "))
        for mark in marks
    )
    mark = marks[0]["mark"]
    name = f'"{mark}"' if mark.isprintable() else f"the character U+{ord(mark):04X}"
    why = f"these lines run together: {name} begins no list"
    if mark in "-*+":
        why = f'these lines run together: "{mark}" needs a space after it to begin a list item'
    new = "- " if mark in MEANINGFUL else boxes.get(mark, "- ")
    return Advice(why, f'write "{new}" at the beginning of each line.', edits)


def _line_break(place: Place) -> Advice | None:
    if not place.has_twins("mark"):
        return None
    return Advice(
        "it breaks no line", "write \\ at the end of the line.", place.becomes("\\"), "full-width-mark"
    )


def _glued_item(place: Place) -> Advice | None:
    """A line of a list item that was meant as the next item."""
    if place.left.place != "item" or not place.start:
        return None
    mark = place.match["mark"]
    new = f"{mark[:-1]}. " if mark[0].isdecimal() else f"{mark} "
    fix = _writing(new, place)
    return Advice("there is no space after the mark of a list item", fix, place.becomes(new))


_COUNTED = rf"{_ORDINAL.pattern.removeprefix('^')}[^\n]*"
_COUNTED = re.sub(r"\?P<\w+>", "?:", _COUNTED)


def _lines(rule: str, pattern: str, advise: Callable[[Place], Advice | None]) -> Kind:
    return Kind(rule, re.compile(rf"^(?P<lead>{SPACE}*){pattern}", re.M), advise)


_GAP = rf"(?P<gap>{SPACE}*)"
_REST = r"(?=[^\s])"

LINES = (
    _lines("mark-left-over", rf"(?P<mark>#+){_GAP}", _heading),
    _lines(
        "mark-left-over",
        rf"(?P<bullet>[-*+]{SPACE}*)?(?P<box>\[(?P<state>{SPACE}{{0,3}}(?:[xX]|[^\w\s\[\]]?){SPACE}{{0,3}})\])"
        rf"(?P<gap>{SPACE}*)(?=[^\s(\[:])",
        _task,
    ),
    _lines("mark-left-over", rf"(?P<mark>[-*+])(?P<gap>{SPACE}+){_REST}", _bullet),
    _lines("mark-left-over", rf"(?P<mark>[0-9]{{1,9}}[.)])(?![0-9]){_GAP}{_REST}", _number),
    _lines("mark-left-over", rf"(?P<mark>[>》]){_GAP}{_REST}", _quotation),
    _lines(
        "mark-left-over",
        rf"(?P<mark>{LIKE_FENCE})(?=[ \t]*[\w+#.-]*[ \t]*$|\{{)",
        _fence,
    ),
    _lines("full-width-mark", r"(?P<mark>[—―–－＿＊*_-]{2,})[ \t]*$", _rule),
    _lines("full-width-mark", r"={3,}[ \t]*$", _underline),
    _lines(
        "mark-left-over",
        rf"(?P<mark>:{{3,}}){SPACE}*(?:\{{(?P<name>[\w-]+)|(?P<end>[\w-]+)\}})[ \t]*$",
        _half_named,
    ),
    _lines("mark-left-over", rf"(?P<mark>:{{2,}}){SPACE}*(?P<name>\{{[\w-]+\}})?", _colons),
    _lines("full-width-mark", r":(?!:)[ \t]*", _definition),
    _lines("mark-left-over", r":[ \t]+(?=\S)", _caption),
    _lines("mark-left-over", r"(?P<mark>h[1-6]|bq)\.[ \t]+(?=\S)", _textile),
    _lines("full-width-mark", r"(?P<mark>\${2})", _formula),
    _lines("full-width-mark", r"(?P<open>\[\^?)(?P<label>[^\s\[\]]{1,80})(?P<close>\]:)[ \t]*", _label),
    _lines("full-width-mark", rf"(?P<mark>!{{3}}|\?{{3}}\+?){SPACE}*(?P<name>\w[\w-]{{0,30}})", _bangs),
    _lines("full-width-mark", r"(?P<open>\[!)[ \t]?(?P<name>\w[\w-]{0,30})[ \t]?(?P<close>\])", _callout),
    Kind("list-left-over", re.compile(rf"^{_COUNTED}(?:\n{_COUNTED})+", re.M), _run_of_ordinals),
    Kind(
        "list-left-over",
        re.compile(
            rf"^{SPACE}*(?:(?P<mark>[-*+](?![-*+ \t\d>|])|[{BULLETS}–—](?![—–]))[^\n]+"
            rf"(?:\n{SPACE}*(?P=mark)(?![-*+\d>|—–])[^\n]+)+|[☐☑☒][^\n]+(?:\n{SPACE}*[☐☑☒][^\n]+)+"
            rf"|--(?![!-~])[^\n]+(?:\n{SPACE}*--(?![!-~])[^\n]+)+)",
            re.M,
        ),
        _run_of_bullets,
    ),
    Kind("full-width-mark", re.compile(r"(?P<mark>\\)[ \t]*(?=\n)"), _line_break),
    _lines("mark-left-over", r"(?P<mark>[-*+](?![-*+\d>|=])|[0-9]{1,3}[.)、](?![0-9]))(?=\S)", _glued_item),
)
"""Every kind. The order matters: what an earlier kind has taken is not looked at again."""
