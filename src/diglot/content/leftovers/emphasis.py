"""Marks around words that emphasise nothing."""

import re

from diglot.content.leftovers.finding import CHINESE, LONGEST_SHOWN, TWIN, Advice, Place
from diglot.diagnostics import shortened

_SHORTEST_WORDS = 6
"""Characters between two pairs of stars with spaces around, from which on they are words and no operand."""


_FIX_OF_STARS = "remove spaces just inside {0}, keep both in one paragraph, and write code as `code`."


def pair(place: Place) -> Advice | None:
    """Two pairs of marks with text between them."""
    marks, inside = place.match["mark"], place.group("inside")
    if not inside.strip() or (inside[0].isdigit() and not place.has_twins("mark")):
        return None
    new = f"{marks}{inside.strip()}{marks}"
    twins = place.has_twins("mark", "last")
    if (
        not twins
        and marks != "__"
        and inside[-1] in ":.,;!?)"
        and inside.strip() == inside
        and place.after().isalnum()
    ):
        why = f"a mark before the last {marks} and a letter after it keep it from ending emphasis"
        moved = f"{marks}{inside[:-1]}{marks}{inside[-1]}"
        return Advice(why, f"write {shortened(moved, LONGEST_SHOWN)}, or put a space after it.")
    if marks == "__" and not twins and not (inside[0] == inside[-1] == " "):
        return None
    if twins == (inside != inside.strip()):
        return None  # emphasis that CommonMark sees, or full-width marks that are a tone of voice
    is_in_bold = marks in place.left.markups.values() and re.search(r"[^\W\d_]{2}", inside) is not None
    is_spaced = inside[0] == inside[-1] == place.before() == place.after() == " "
    if is_spaced and len(inside) < _SHORTEST_WORDS and not is_in_bold:
        return None  # `a ** b ** c`
    if _is_operand(place.after()) and (inside[0] == place.before() == " " or _NAMED.match(place.match[0])):
        return None  # `a ** b, c**d`, `**kwargs and char **argv`
    rule = "emphasis-left-over"
    if not place.left.is_text(place.start, place.end):
        return Advice("there is a space just inside the marks", _FIX_OF_STARS.format(marks))
    why = "full-width marks emphasise nothing" if twins else "there is a space just inside the marks"
    is_only_one = place.left.text.count(place.group("mark")) == 2 and not is_in_bold
    edits = place.becomes(new) if is_only_one or twins else ()
    return Advice(why, f"write {shortened(new, LONGEST_SHOWN)}.", edits, TWIN if twins else rule)


def mismatched(place: Place) -> Advice | None:
    """`**words*`, `_words*`: the marks before and after the words differ."""
    first, inside, last = place.match["first"], place.group("inside"), place.match["last"]
    if first == last or place.has_twins("first", "last") or not re.search(r"[^\W\d_]", inside):
        return None
    if not place.left.is_text(place.start, place.end) or _NAMED.match(place.match[0]) is not None:
        return None
    new = f"{first}{inside}{first}"
    return Advice("the marks before and after the words differ", f"write {shortened(new, LONGEST_SHOWN)}.")


def inside_word(place: Place) -> Advice | None:
    """`用_强调_的`: between characters that are letters, underscores emphasise nothing."""
    inside = place.group("inside")
    text = place.left.text
    around = len(_ENDS.findall(text[: place.start])[0]) + len(_BEGINS.findall(text[place.end :])[0])
    if around < _WORDS_OF_NAMES or CHINESE.search(inside) is None:
        return None  # the name of a file, or of a field
    new = f"*{inside}*"
    why = "underscores next to characters emphasise nothing"
    return Advice(why, f"write {shortened(new, LONGEST_SHOWN)}.", place.becomes(new))


_ENDS, _BEGINS = re.compile(r"[\u4e00-\u9fff]*\Z"), re.compile(r"\A[\u4e00-\u9fff]*")
_WORDS_OF_NAMES = 6
"""Characters around underscores from which on they are a sentence."""


def dunder(place: Place) -> Advice | None:
    """`__init__.py`, of which the underscores have become emphasis."""
    if place.left.markups.get(place.start) != "__":
        return None
    name = f"__{place.match['name']}__{place.group('rest')}"
    return Advice("its underscores make it bold", f"write `{name}`.")


def product(place: Place) -> Advice | None:
    """`2*3*4`, of which the stars have become emphasis."""
    if place.left.markups.get(place.start) != "*":
        return None
    inside, before = place.match["inside"], place.before()
    if not (before.isdigit() and place.after().isdigit()) and len(inside) > 1:
        return None
    whole = f"{before}*{inside}*{place.after()}"
    escaped = whole.replace("*", "\\*")
    return Advice("its stars make it emphasis", f"write `{whole}`, or {escaped}.")


def stars(place: Place) -> Advice | None:
    """`**` that begins and ends nothing."""
    before, after = place.before(), place.after()
    if (_is_operand(before) and _is_operand(after)) or before == after == " ":
        return None
    is_opening = after[:1].isalnum() and not before.isalnum()
    if _NAMED.match(place.match.string, place.start) or (
        not is_opening and _NOTE_STAR.search(place.left.text)
    ):
        return None  # `**kwargs`, or `a*` and `b**` as marks of notes
    return Advice("it begins and ends no emphasis", _FIX_OF_STARS.format(place.match[0]))


def mixed_stars(place: Place) -> Advice | None:
    """`*word＊`; between two full-width stars there may be anything."""
    inside = place.group("inside")
    is_product = place.before().isascii() and place.before().isalnum()
    if place.has_twins("first", "last") and place.left.text.count("＊") == 2 and _WORDS_ZH.fullmatch(inside):
        new = f"*{inside}*"
        return Advice("full-width marks emphasise nothing", f"write {new}.", place.becomes(new))
    if is_product or place.has_twins("first") == place.has_twins("last"):
        return None
    new = f"*{inside}*"
    return Advice(
        "one of its stars is full-width", f"write {shortened(new, LONGEST_SHOWN)}.", place.becomes(new)
    )


_WORDS_ZH = re.compile(r"[\u3400-\u9fff]{1,20}")


def half_open(place: Place) -> Advice | None:
    """`*word *goes on`: neither star ends emphasis, because there is a space before the second one."""
    line = place.left.text[max(0, place.start - _LONGEST_TYPE) : place.start]
    if not place.left.is_text(place.start, place.end) or _DECLARES.search(line) is not None:
        return None
    new = f"*{place.group('inside').strip()}*"
    return Advice("there is a space just inside the marks", f"write {shortened(new, LONGEST_SHOWN)}.")


_LONGEST_TYPE = 40


_DECLARES = re.compile(
    r"\b(?:int|char|void|float|double|long|short|unsigned|const|struct|bool|auto|\w+_t) +\*?$"
)
"""What is before the star of a pointer."""


def lone_tildes(place: Place) -> Advice | None:
    """`~~deleted~`, `~deleted~~`, `~~deleted`: one side has not two tildes. `好呀~~` is a tone of voice."""
    is_glued, goes_on = place.before().isalnum(), place.after().isalnum()
    inside = place.group("begun") or place.group("ended")
    if is_glued and not (inside and goes_on):
        return None
    if not inside:
        fix = "write ~~ before the deleted words and after them."
        return Advice("it does not begin deleted text", fix)
    new = f"~~{inside}~~"
    edits = place.becomes(new) if place.left.is_text(place.start, place.end) else ()
    fix = f"write {shortened(new, LONGEST_SHOWN)}."
    return Advice("deleted text has two tildes on each side", fix, edits)


def lone_underscores(place: Place) -> Advice | None:
    """`__` before a word, with none after it."""
    fix = "write __ before the words and after them; for a gap that readers fill in, write \\_\\_."
    return Advice("it does not begin emphasis", fix)


_NAMED = re.compile(r"\*\*(?:kw\w*|argv|args|opts|options|params|env|config)\b")


_NOTE_STAR = re.compile(r"[^*\s]\*(?=[\s,.;:，。；、：)）]|$)|\s\*(?=[,.;，。；、)）]|$)", re.M)


def _is_operand(character: str) -> bool:
    """Whether `**` next to it is a power: `2**10`, `(a + b)**2`."""
    return bool(character) and character.isascii() and (character.isalnum() or character in ")](_")


def lone_star(place: Place) -> Advice | None:
    """A star next to emphasis that has one too few."""
    beside = place.left.markups.get(place.start - 1), place.left.markups.get(place.end)
    if not any(markup in ("*", "**") for markup in beside):
        return None
    line = place.left.source.split("\n")[place.left.line_of(place.start, place.end)]
    if (spaced := _SPACE_INSIDE.search(line)) is not None:  # its stars pair with others in the line
        new = f"{spaced['mark']}{spaced['inside'].strip()}{spaced['mark']}"
        return Advice("there is a space just inside the marks", f"write {shortened(new, LONGEST_SHOWN)}.")
    return Advice("there is a star too many, or too few", "write as many after the words as before them.")


_SPACE_INSIDE = re.compile(
    r"(?<![*\w])(?P<mark>\*{1,2})(?P<inside>[ \t]+[^*\n]*[^*\s]|[^*\s][^*\n]*[ \t]+)(?P=mark)(?!\*)"
)


def wiki_marks(place: Place) -> Advice | None:
    """`'''bold'''`, `''italic''`."""
    mark = "**" if len(place.match["marks"]) > 2 else "*"
    new = f"{mark}{place.group('inside')}{mark}"
    is_certain = mark == "**" and place.left.is_text(place.start, place.end)
    fix = f"write {shortened(new, LONGEST_SHOWN)}{'' if mark == '**' else ', or “…” for a quotation'}."
    return Advice("apostrophes emphasise nothing", fix, place.becomes(new) if is_certain else ())


def wrapped(place: Place) -> Advice | None:
    """Marks of other tools around words: `++inserted++`, `^^inserted^^`, `++ctrl+c++`, `H~2~O`, `x^2^`."""
    mark, inside = place.match["mark"], place.group("inside")
    if mark == "~" and (inside.isdigit() and place.after().isdigit()):
        return None  # from 5~10~15
    names = inside.split("+")
    if mark == "++" and all(name in _KEYS_OF_MKDOCS or len(name) == 1 for name in names):
        new = "+".join(f"<kbd>{name.capitalize()}</kbd>" for name in names)
        return Advice("readers see these marks", f"write {new}.", place.becomes(new))
    if "+" in inside:
        return None
    name = _ELEMENTS[mark]
    return Advice("readers see these marks", f"write <{name}>{inside}</{name}>.")


_ELEMENTS = {"++": "ins", "^^": "ins", "~": "sub", "^": "sup"}


_KEYS_OF_MKDOCS = frozenset(
    [
        "ctrl",
        "control",
        "alt",
        "option",
        "shift",
        "cmd",
        "command",
        "win",
        "windows",
        "meta",
        "super",
        "enter",
        "return",
        "tab",
        "esc",
        "escape",
        "space",
        "backspace",
        "delete",
        "del",
        "insert",
        "home",
        "end",
        "page-up",
        "page-down",
        "up",
        "down",
        "left",
        "right",
        "print-screen",
        "f1",
        "f2",
        "f3",
        "f4",
        "f5",
        "f6",
        "f7",
        "f8",
        "f9",
        "f10",
        "f11",
        "f12",
    ]
)


def one_tilde(place: Place) -> Advice | None:
    """`~deleted~`, as GitHub has it; `~5~` may mean about five."""
    if not place.left.is_text(place.start, place.end):
        return None
    new = f"~~{place.group('inside')}~~"
    return Advice("deleted text has two tildes on each side", f"write {shortened(new, LONGEST_SHOWN)}.")


def half_marked(place: Place) -> Advice | None:
    """`==words=`, `=words==`, `==words ==`: marked text that does not end."""
    if not place.left.is_text(place.start, place.end):
        return None
    new = f"=={(place.group('inside') or place.group('ended')).strip()}=="
    return Advice("marked text has two signs on each side", f"write {shortened(new, LONGEST_SHOWN)}.")


def chemical(place: Place) -> Advice | None:
    """`H~2O`."""
    new = f"{place.group('before')}~{place.group('digits')}~"
    return Advice("a subscript has a tilde on each side", f"write {new}.", place.becomes(new))


def apart_star(place: Place) -> Advice | None:
    """`* words*`: emphasis with a space just inside its first star."""
    inside = place.group("inside")
    if not place.left.is_text(place.start, place.end) or not (" " in inside or CHINESE.search(inside)):
        return None
    if re.search(r"[=+/<>]|\d$", inside) is not None:
        return None  # a product
    new = f"*{inside}*"
    return Advice("there is a space just inside the marks", f"write {shortened(new, LONGEST_SHOWN)}.")


def suggested(place: Place) -> Advice | None:
    """CriticMarkup: `{++added++}`, `{--deleted--}`, `{~~old~>new~~}`, `{>>comment<<}`, `{==marked==}`."""
    fixes = {
        "++": "write the text, or <ins>text</ins>.",
        "--": "delete it, or write ~~text~~.",
        "~~": "write the new text, or ~~old~~ and the new one.",
        ">>": "write a comment of HTML, <!-- … -->, which readers do not see.",
        "==": "write ==text==, without braces.",
    }
    fix = fixes.get(place.match["mark"], "write the new text alone, or ~~old~~ before it.")
    return Advice("edits are not marked like this", fix)


def closing_marks(place: Place) -> Advice | None:
    """`## Heading##`."""
    if place.left.place != "heading":
        return None
    return Advice("marks that end a heading need a space before them", "delete it.", place.becomes(""))
