"""Marks anywhere in a text: of links, pictures, attributes, emphasis, code, formulas, comments."""

import re
from collections.abc import Callable
from html import unescape
from html.entities import html5

from markdown_it.common.html_re import HTML_TAG_RE

from diglot.content.attributes import meant_attributes, read_attributes
from diglot.content.foreign_names import fix_of_command
from diglot.content.leftovers.addresses import PICTURE, bare_address, looks_like_an_address
from diglot.content.leftovers.finding import LONGEST_SHOWN, Advice, Edit, Kind, Place
from diglot.content.leftovers.remainder import CODE, IMAGE, LINK_CLOSE, LINK_OPEN, NO_TEXT, OTHER, TAKERS
from diglot.content.roles import ROLES, fix_of_role
from diglot.content.small_marks import STYLES
from diglot.content.twins import ODD_SPACES, SPACE, as_ascii, odd_space_in
from diglot.diagnostics import nearest, shortened
from diglot.web_addresses import without_space_in_host

_TWIN = "full-width-mark"


def _comment(place: Place) -> Advice | None:
    if place.text != "<!--":
        return Advice(
            "it begins no comment, so that readers see it", "write <!-- … -->, without spaces in its marks."
        )
    why = "an empty line ends the comment, or nothing does, so that readers see it"
    return Advice(why, "put <!-- at the beginning of a line of its own, and --> after the comment.")


# Links and pictures

_SIZE = re.compile(rf"{SPACE}+=(?P<width>\d+%?)?x?(?P<height>\d+%?)?{SPACE}*$")
_SIDE = re.compile(rf"{SPACE}+(?P<key>width|height)=[\"']?(?P<value>[0-9.]+(?:px|%)?)[\"']?{SPACE}*$")
_REFUSED = re.compile(r"(?:javascript|vbscript):|data:(?!image/(?:gif|png|jpeg|webp);)", re.IGNORECASE)
"""Schemes of addresses that markdown-it takes for no link's."""
_SPACED_SCHEME = re.compile(r"^(https?|ftp|mailto|tel) *: *(/?) *(/?) *(?=[^ ]+$)", re.IGNORECASE)
_TITLE = re.compile(rf"{SPACE}+(?P<title>\"[^\"\n]*\"?|'[^'\n]*'?)$")


def _link(place: Place) -> Advice | None:
    """`[text](address)`, or a picture, that is none: full-width brackets, a space, a size."""
    mark, label = place.match["mark"] or "", place.group("label")
    gap, inside = place.group("gap"), place.group("inside")
    is_picture = bool(mark) and not place.group("mark").isspace()
    if "[" in label and "]" not in label:
        label = label[label.rindex("[") + 1 :]
    address, size, title = _taken_apart(inside)
    glued = not gap and not place.has_twins("open", "close", "first", "last")
    is_certain = glued or (is_picture and not place.has_twins("mark", "first", "last"))
    if not (is_certain or looks_like_an_address(address)) or _is_index(place, address):
        return None
    if "{{" in address or "{%" in address:
        return None  # a tag of a template: another kind
    if (advice := _refused(place.left.written(*place.match.span("inside")))) is not None:
        return advice
    new = f"{'!' if is_picture else ''}[{label}]({_as_address(address)}{title}){size}"
    fix = f"write {shortened(new, 200)}."
    has_place = looks_like_an_address(address) or bool(size)
    edits = place.becomes(new) if has_place and place.left.is_text(place.start, place.end) else ()
    what = "a picture" if is_picture else "a link"
    if place.has_twins("mark", "open", "close", "first", "last"):
        return Advice(f"full-width brackets make no {what[2:]}", fix, edits, "full-width-link")
    if gap:
        odd = odd_space_in(gap) or ("a line break" if "\n" in gap else "a space")
        return Advice(f"{what} has no space between its brackets, and here is {odd}", fix, edits)
    if size:
        return Advice("a size is not written like this", fix, edits)
    if (joined := _SPACED_SCHEME.sub(r"\1:\2\3", address)) != address and joined.isprintable():
        new = f"{'!' if is_picture else ''}[{label}]({joined}{title}){size}"
        return Advice("an address has no space in its beginning", f"write {new}.", place.becomes(new))
    if re.search(rf"[ \t{ODD_SPACES}]", address):
        if (host := without_space_in_host(address)) is not None:
            return Advice("the name of a host has no space", f"write [{label}]({host}).")
        if (web := bare_address(address)) is not None and web[0] == 0:
            fix = f'write [{label}]({address[: web[1]]} "title") for a title, or %20 for each space.'
            return Advice("an address on the web has no space", fix)
        return Advice("an address with a space needs angle brackets", fix, edits)
    if address and new != place.text:
        return Advice(f"it is not {what}", fix, edits)
    return Advice(
        f"it is not {what}",
        "write [text](address); for brackets, put a backslash before them.",
    )


def _refused(address: str) -> Advice | None:
    """The advice on an address that is no link's in whatever brackets."""
    plain = re.sub(r"[\x00-\x20]", "", unescape(address).removeprefix("<"))  # as browsers read it
    if (refused := _REFUSED.match(plain)) is None:
        return None
    why = f"links cannot begin with {refused[0].lower()}"
    return Advice(why, "link to a page or a file; to show the brackets, put a backslash before them.")


def _is_index(place: Place, address: str) -> bool:
    """Whether brackets follow a name, as in `f[i] (x)`."""
    return place.before().isascii() and place.before().isalnum() and not looks_like_an_address(address)


def _taken_apart(inside: str) -> tuple[str, str, str]:
    """The address, the size as attributes, and the title, of what is between the parentheses."""
    size = title = ""
    inside = inside.strip()
    if (found := _SIZE.search(as_ascii(inside))) is not None and (found["width"] or found["height"]):
        key = "width" if found["width"] else "height"
        size, inside = f"{{{key}={found[key]}}}", inside[: found.start()]
    if (found := _SIDE.search(as_ascii(inside))) is not None:
        size, inside = f"{{{found['key']}={found['value']}}}", inside[: found.start()]
    if (found := _TITLE.search(as_ascii(inside))) is not None:
        text = inside[slice(*found.span("title"))][1:].rstrip("\"'”’“‘")
        title, inside = f' "{text}"', inside[: found.start()]
    return inside, size, title


def _as_address(address: str) -> str:
    address = address.removeprefix("<").removesuffix(">").strip()
    return f"<{address}>" if re.search(r"[\s()]", address) and not address.isspace() else address


_CHINESE = re.compile(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uff65]")


def _open_link(place: Place) -> Advice | None:
    if place.has_twins("open"):
        return None
    label, address = place.left.written(*place.match.span("label")), place.group("address")
    if place.left.markups.get(place.end, "").startswith("<"):
        address = place.left.markups[place.end]
    address = place.left.targets.get(place.end, address)
    if (advice := _refused(address)) is not None:
        return advice
    what = "a picture" if place.group("mark") else "a link"
    goes_on = _CHINESE.search(address)
    if goes_on is not None and address.startswith(("http://", "https://")) and "<" not in address:
        new = f"{place.group('mark')}[{label}]({address[: goes_on.start()]})"
        return Advice(f"it is not {what}", f"write {new}{shortened(address[goes_on.start() :], 30)}")
    fix = "write [text](address) with both brackets closed; for brackets, put a backslash before them."
    if looks_like_an_address(address.strip("<>")):
        fix = f"write {place.group('mark')}[{label}]({address}), with both brackets closed."
    return Advice(f"it is not {what}", fix)


def _before_address(place: Place) -> Advice | None:
    """`[text]<https://…>`: words before an address that is a link by itself."""
    address = place.left.targets[place.match.start("address")]
    if place.group("shown") != address:
        return None
    fix = f"write [{place.group('label')}]({address})."
    return Advice("words are linked by parentheses", fix)


def _wrong_brackets(place: Place) -> Advice | None:
    """`[text]【https://…】`, `[text]{../b/zh.md}`, `![what it shows]「/a.png」`."""
    if not place.group("label").strip() or _is_index(place, place.group("address")):
        return None
    label = place.left.written(*place.match.span("label"))
    new = f"{place.match['mark']}[{label}]({place.group('address')})"
    return Advice("an address is in parentheses", f"write {new}.", place.becomes(new))


def _reference(place: Place) -> Advice | None:
    label, name = place.group("label"), place.group("name") or place.group("label")
    before = place.before()
    is_index = bool(before) and before.isascii() and (before.isalnum() or before in "])_")
    if is_index or not re.search(r"[^\W\d_]", label) or place.text[-1] != "]":
        return None
    close = nearest(name, place.left.labels)
    if place.text[0] == "!" and PICTURE.search(name) is not None:
        return Advice("a picture's file is in parentheses", f"write ![{label}]({name}).")
    fix = f"write [{label}](address), or add a line `[{name}]: address` of its own."
    if close is not None:
        fix = f"did you mean [{label}][{close.lower()}]?"
    return Advice(f'there is no definition of "{name}"', fix)


def _picture(place: Place) -> Advice | None:
    if place.text == "！[":
        return None  # a sentence ends before brackets
    return Advice("it is not a picture", "write ![what it shows](file.png).")


def _picture_as_link(place: Place) -> Advice | None:
    """`！[…](a.png)`: a link that would be a picture with an ASCII exclamation mark."""
    closed = place.left.text.find(LINK_CLOSE, place.end)
    label = place.left.written(place.end, closed) if closed >= 0 else ""
    target = place.left.targets.get(place.end - 1, "")
    is_twin = place.group("mark")[0] == "！"
    if PICTURE.search(target) is None or not (is_twin or place.before() in ("", " ")):
        return None
    why = (
        "it is full-width, and makes a link to the picture"
        if is_twin
        else "it is separated from the picture, which becomes a link"
    )
    edit = Edit(*place.match.span("mark"), "!")
    return Advice(
        why,
        f"write ![{shortened(label, LONGEST_SHOWN) or 'what it shows'}]({shortened(target, LONGEST_SHOWN)}).",
        (edit,),
        _TWIN if is_twin else None,
    )


def _reversed(place: Place) -> Advice | None:
    address = place.group("web") or place.group("address")
    if not looks_like_an_address(address):
        return None
    if (advice := _refused(address)) is not None:
        return advice
    new = f"[{place.group('label')}]({address})"
    return Advice("the brackets are the wrong ones", f"write {new}.", place.becomes(new))


def _address_first(place: Place) -> Advice | None:
    """`[[https://… words]]`, `[https://… words]`: links of Org and MediaWiki."""
    new = f"[{place.group('label')}]({place.group('address')})"
    return Advice("the words of a link come first", f"write {new}.", place.becomes(new))


def _of_rst(place: Place) -> Advice | None:
    return Advice("it is not a link", "write [text](address).")


def _note(place: Place) -> Advice | None:
    name = "".join(place.group("label").split())
    if not place.match["close"] or not name:
        first = re.match(r"[\w-]+", place.group("label"))
        fix = "write [^name], without spaces." if first is None else f"write [^{first[0]}]."
        return Advice("it is not the mark of a footnote", fix)
    new = f"[^{name}]"
    twins = place.has_twins("open", "close")
    return Advice(
        "it is not the mark of a footnote", f"write {new}.", place.becomes(new), _TWIN if twins else None
    )


def _inline_note(place: Place) -> Advice | None:
    new = f"^[{place.group('label').rstrip()}]"
    return Advice(
        "nothing closes this footnote", f"write {shortened(new, LONGEST_SHOWN)}, with both brackets."
    )


def _misplaced_caret(place: Place) -> Advice | None:
    if place.before().isascii() and place.before().isalnum():
        return None
    new = f"[^{place.group('label')}]"
    return Advice("it is not the mark of a footnote", f"write {new}.", place.becomes(new))


# Attributes

_KEYS = "width|height|id|class|lang|style|title|alt|loading|align|dir|start|target|rel|hreflang|download"
_BROKEN_FIX = 'write {#id .class key="value"}, with ASCII quotes and no colon.'


def _attributes(place: Place) -> Advice | None:
    inside = place.left.written(*place.match.span("braces"))
    gap, before = place.group("gap"), place.before()
    text, is_valid = place.left.text, read_attributes(inside) is not None
    takes = bool(before) and before in f"{TAKERS}]"
    is_alone = (not before or "\n" in gap) and not place.after()
    is_closed = inside.endswith(("}", "｝"))
    is_marked = place.match["braces"][1:].lstrip(": \t")[:1] in "#."
    if text[: place.start].endswith("$$") or (is_alone and is_marked and is_valid):
        return None  # the label of a formula, or attributes below a block: other kinds
    if as_ascii(before) == ")" and "](" in place.match.string[: place.start]:
        return None  # they belong to what would be a link
    if text.strip() == inside.strip() and is_valid:
        return None
    begins = rf"\{{:?{SPACE}*(?:#|(?:{_KEYS})).*[}}｝]"
    is_heading = place.left.place == "heading" and not place.after()
    if not (
        takes or is_alone or is_heading or (before and not gap and is_closed) or re.match(begins, inside)
    ):
        return None  # `{.a} and {.b}` may be anything
    if not is_valid:
        belongs = takes or is_heading or is_alone
        new = f"{'' if takes else gap if is_alone else ' '}{{}}" if belongs else None
        return _invalid(place, place.match.span("braces"), new)
    if is_heading and not takes:
        why = "attributes of a heading need a space before them"
        return Advice(why, f'write " {inside}".', place.becomes(f" {inside}"))
    if takes:
        what = "a line break" if "\n" in gap else "a space"
        why = f"{what} separates the attributes from what they belong to"
        fix = f"delete {what.replace('a ', 'the ', 1)} before {inside}."
        return Advice(why, fix, place.becomes(inside))
    fix = f"put {inside} on the line above the block, or words into brackets: [words]{inside}."
    return Advice("attributes belong to a picture, a link, code, or a block below them", fix)


def _behind_code(place: Place) -> Advice | None:
    return _invalid(place, place.match.span(), "{}")


_WITHOUT_VALUE = re.compile(r"([A-Za-z_][\w:.-]*)=(?=[\s}])")


def _invalid(place: Place, span: tuple[int, int], new: str | None) -> Advice | None:
    """What to say about attributes that cannot be read, and `new` with what they should be in its braces.

    Without `new`, they may be no attributes at all.
    """
    braces = place.left.written(*span)
    if (empty := _WITHOUT_VALUE.search(braces)) is not None and new is not None:
        return Advice(f"`{empty[1]}` has no value", f'write {empty[1]}="…", or delete it.')
    why, meant = "these are not valid attributes", meant_attributes(braces)
    if new is None and (meant is None or "=" not in meant):
        return None
    if meant is None:
        return Advice(why, _BROKEN_FIX)
    edits = () if new is None else place.becomes(new.replace("{}", meant))
    return Advice(why, f"write {meant}, with ASCII characters.", edits)


# Emphasis, code, formulas

_SHORTEST_WORDS = 6
"""Characters between two pairs of stars with spaces around, from which on they are words and no operand."""
_FIX_OF_STARS = "remove spaces just inside {0}, keep both in one paragraph, and write code as `code`."


def _pair(place: Place) -> Advice | None:
    """Two pairs of marks with text between them."""
    marks, inside = place.match["mark"], place.group("inside")
    if not inside.strip() or (inside[0].isdigit() and not place.has_twins("mark")):
        return None
    new = f"{marks}{inside.strip()}{marks}"
    twins = place.has_twins("mark", "last")
    if marks == "__" and not twins and not (inside[0] == inside[-1] == " "):
        return None
    if twins == (inside != inside.strip()):
        return None  # emphasis that CommonMark sees, or full-width marks that are a tone of voice
    if inside[0] == inside[-1] == place.before() == place.after() == " " and len(inside) < _SHORTEST_WORDS:
        return None  # `a ** b ** c`
    if _is_operand(place.after()) and (inside[0] == place.before() == " " or _NAMED.match(place.match[0])):
        return None  # `a ** b, c**d`, `**kwargs and char **argv`
    rule = "emphasis-left-over"
    if not place.left.is_text(place.start, place.end):
        return Advice("there is a space just inside the marks", _FIX_OF_STARS.format(marks))
    why = "full-width marks emphasise nothing" if twins else "there is a space just inside the marks"
    edits = place.becomes(new) if place.left.text.count(place.group("mark")) == 2 or twins else ()
    return Advice(why, f"write {shortened(new, LONGEST_SHOWN)}.", edits, _TWIN if twins else rule)


def _dunder(place: Place) -> Advice | None:
    """`__init__.py`, of which the underscores have become emphasis."""
    if place.left.markups.get(place.start) != "__":
        return None
    name = f"__{place.match['name']}__{place.group('rest')}"
    return Advice("its underscores make it bold", f"write `{name}`.")


def _product(place: Place) -> Advice | None:
    """`2*3*4`, of which the stars have become emphasis."""
    if place.left.markups.get(place.start) != "*":
        return None
    inside, before = place.match["inside"], place.before()
    if not (before.isdigit() and place.after().isdigit()) and len(inside) > 1:
        return None
    whole = f"{before}*{inside}*{place.after()}"
    escaped = whole.replace("*", "\\*")
    return Advice("its stars make it emphasis", f"write `{whole}`, or {escaped}.")


def _stars(place: Place) -> Advice | None:
    before, after = place.before(), place.after()
    if (_is_operand(before) and _is_operand(after)) or before == after == " ":
        return None
    is_opening = after[:1].isalnum() and not before.isalnum()
    if _NAMED.match(place.match.string, place.start) or (
        not is_opening and _NOTE_STAR.search(place.left.text)
    ):
        return None  # `**kwargs`, or `a*` and `b**` as marks of notes
    return Advice("it begins and ends no emphasis", _FIX_OF_STARS.format(place.match[0]))


def _mixed_stars(place: Place) -> Advice | None:
    """`*word＊`; between two full-width stars there may be anything."""
    is_product = place.before().isascii() and place.before().isalnum()
    if is_product or place.has_twins("first") == place.has_twins("last"):
        return None
    new = f"*{place.group('inside')}*"
    return Advice(
        "one of its stars is full-width", f"write {shortened(new, LONGEST_SHOWN)}.", place.becomes(new)
    )


def _half_open(place: Place) -> Advice | None:
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


def _lone_tildes(place: Place) -> Advice | None:
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


def _lone_underscores(place: Place) -> Advice | None:
    fix = "write __ before the words and after them; for a gap that readers fill in, write \\_\\_."
    return Advice("it does not begin emphasis", fix)


_NAMED = re.compile(r"\*\*(?:kw\w*|argv|args|opts|options|params|env|config)\b")
_NOTE_STAR = re.compile(r"[^*\s]\*(?=[\s,.;:，。；、：)）]|$)|\s\*(?=[,.;，。；、)）]|$)", re.M)


def _is_operand(character: str) -> bool:
    """Whether `**` next to it is a power: `2**10`, `(a + b)**2`."""
    return bool(character) and character.isascii() and (character.isalnum() or character in ")](_")


def _lone_star(place: Place) -> Advice | None:
    beside = place.left.markups.get(place.start - 1), place.left.markups.get(place.end)
    if not any(markup in ("*", "**") for markup in beside):
        return None
    return Advice("there is a star too many, or too few", "write as many after the words as before them.")


def _backticks(place: Place) -> Advice | None:
    if "｀" not in place.text:
        return Advice(
            "it begins or ends no code",
            "write as many backticks after the code as before it; for the character, \\`.",
        )
    if (inside := place.match["inside"]) is None:
        return Advice("full-width backticks make no code", "write `code` with ASCII backticks.", (), _TWIN)
    new = f"`{place.group('inside')}`" if "`" not in inside else ""
    return Advice(
        "full-width backticks make no code",
        f"write {new or '`code`'}.",
        place.becomes(new) if new else (),
        _TWIN,
    )


def _dots(place: Place) -> Advice | None:
    new = f"`{place.group('inside')}`"
    return Advice("these marks make no code", f"write {new}.", place.becomes(new), _TWIN)


def _money(place: Place) -> Advice | None:
    if not place.has_twins("mark", "last"):
        return None
    new = f"${place.match['inside'].strip()}$"
    return Advice("only $ begins and ends a formula", f"write {new}.", place.becomes(new), _TWIN)


def _spaced_formula(place: Place) -> Advice | None:
    inside = place.group("inside")
    if inside == inside.strip() or place.text[0] != "$":
        return None
    new = f"${inside.strip()}$"
    return Advice("a formula has no space just inside its dollars", f"write {new}.", place.becomes(new))


def _scheme(place: Place) -> Advice | None:
    if place.has_twins("scheme"):
        new = re.sub(r"[:;]?/+", "://", place.match["scheme"])
        return Advice("its colon or slashes are full-width", f"write {new} in ASCII.", place.becomes(new))
    if place.group("scheme") in ("https://", "http://"):
        return None
    new = "https://" if "s" in place.group("scheme") else "http://"
    return Advice("no address begins like this", f"write {new}.", place.becomes(new), "link-bare")


def _latex(place: Place) -> Advice | None:
    if place.text != "$":
        return None
    why = "this dollar begins no formula"
    fix = "end the formula with a $ in the same paragraph, without a space just inside; for the sign, \\$."
    return Advice(why, fix, (), "formula-left-over")


def _end_of_latex(place: Place) -> Advice | None:
    fix = "begin the formula with a $ in the same paragraph, without a space just inside; for the sign, \\$."
    return Advice("this dollar ends no formula", fix)


def _beside_formula(place: Place) -> Advice | None:
    """A dollar that is glued to a formula: `$$x$`."""
    beside = place.left.markups.get(place.start - 1), place.left.markups.get(place.end)
    if "$…$" not in beside:
        return None
    fix = "write one dollar on each side, or two alone on the lines above and below; for the sign, \\$."
    return Advice("there is a dollar too many, or too few", fix)


def _beside_digits(place: Place) -> Advice | None:
    """`5$y$`, `$n$2`: what a digit next to the dollars makes prices."""
    inside, behind = place.group("inside"), place.group("behind")
    if inside != inside.strip() or (place.match["before"] is None and not behind):
        return None
    why = "a digit next to a dollar makes it the sign of a price"
    if place.match["before"] is None:
        return Advice(why, f"write ${inside}$ {behind}, with a space.")
    line = place.left.text[: place.start]
    number = line[len(line.rstrip("0123456789.,")) :].lstrip(".,")
    return Advice(why, f"write ${number}{inside}{' ' if behind else ''}{behind}$.")


def _wiki_marks(place: Place) -> Advice | None:
    """`'''bold'''`, `''italic''`."""
    mark = "**" if len(place.match["marks"]) > 2 else "*"
    new = f"{mark}{place.group('inside')}{mark}"
    is_certain = mark == "**" and place.left.is_text(place.start, place.end)
    fix = f"write {shortened(new, LONGEST_SHOWN)}{'' if mark == '**' else ', or “…” for a quotation'}."
    return Advice("apostrophes emphasise nothing", fix, place.becomes(new) if is_certain else ())


_BEFORE_FORMULA = ("\\(", "\\[", "\\begin{", "$")
"""What is reported itself, with all that is after it."""
_MARKDOWN_OF = {"textbf": "**", "textit": "*", "emph": "*", "texttt": "`"}


def _command(place: Place) -> Advice | None:
    """A command of LaTeX outside of formulas: `\\cite{a}`, `\\textbf{a}`."""
    name, inside = place.match["name"], place.group("inside")
    line = place.left.written(place.left.text.rfind("\n", 0, place.start) + 1, place.start)
    if (fix := fix_of_command(name)) is None or any(mark in line for mark in _BEFORE_FORMULA):
        return None
    if (mark := _MARKDOWN_OF.get(name)) is None or not inside:
        return Advice("it is a command of LaTeX", fix)
    new = f"{mark}{inside}{mark}"
    return Advice("it is a command of LaTeX", f"write {shortened(new, LONGEST_SHOWN)}.", place.becomes(new))


def _script(place: Place) -> Advice | None:
    return Advice(
        "LaTeX outside of $ is not a formula", "write $…$ around the formula, or `code` if it is code."
    )


def _backslash(place: Place) -> Advice | None:
    if place.end < len(place.left.text.rstrip()):
        return None
    return Advice("a backslash at the end of a paragraph breaks no line", "delete it.", place.becomes(""))


def _role(place: Place) -> Advice | None:
    name = place.match["name"]
    if name == "span":
        inside = place.group("inside")
        return Advice("attributes are behind their words", f"write [{inside or 'words'}]{{.name}}.")
    if not (inside := place.group("inside")):
        return Advice("it is not a valid role", fix_of_role(name))
    new = f"{{{name}}}`{inside}`"
    return Advice("backticks enclose what a role reads", f"write {new}.", place.becomes(new))


def _wrapped(place: Place) -> Advice | None:
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


def _one_tilde(place: Place) -> Advice | None:
    """`~deleted~`, as GitHub has it; `~5~` may mean about five."""
    if not place.left.is_text(place.start, place.end):
        return None
    new = f"~~{place.group('inside')}~~"
    return Advice("deleted text has two tildes on each side", f"write {shortened(new, LONGEST_SHOWN)}.")


def _half_marked(place: Place) -> Advice | None:
    """`==words=`, `=words==`, `==words ==`: marked text that does not end."""
    if not place.left.is_text(place.start, place.end):
        return None
    new = f"=={(place.group('inside') or place.group('ended')).strip()}=="
    return Advice("marked text has two signs on each side", f"write {shortened(new, LONGEST_SHOWN)}.")


def _chemical(place: Place) -> Advice | None:
    new = f"{place.group('before')}~{place.group('digits')}~"
    return Advice("a subscript has a tilde on each side", f"write {new}.", place.becomes(new))


def _apart_star(place: Place) -> Advice | None:
    """`* words*`: emphasis with a space just inside its first star."""
    inside = place.group("inside")
    if not place.left.is_text(place.start, place.end) or not (" " in inside or _CHINESE.search(inside)):
        return None
    if re.search(r"[=+/<>]|\d$", inside) is not None:
        return None  # a product
    new = f"*{inside}*"
    return Advice("there is a space just inside the marks", f"write {shortened(new, LONGEST_SHOWN)}.")


def _icon(place: Place) -> Advice | None:
    return Advice("names do not become icons", "delete it, or write a character or a picture.")


def _suggested(place: Place) -> Advice | None:
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


def _cited_in_words(place: Place) -> Advice | None:
    """`[see @doe99, p. 3]`, which Pandoc takes for a citation."""
    before, rest = place.group("before").strip(), place.group("rest")
    return Advice("a citation begins with its key", f"write {before} [@{rest}].")


def _number_of_character(place: Place) -> Advice | None:
    fix = "write the character itself, or its number as in &#x2014; or &#8212;."
    return Advice("it does not name a character", fix)


def _bare_host(place: Place) -> Advice | None:
    host = place.group("address").rstrip(".,;:!?)")
    return Advice(
        "it is not a link", f"write [{host}](https://{host}), or `code` if it should not be a link."
    )


def _noise(place: Place) -> Advice | None:
    """`0.30000000000000004`: digits that rounding of binary fractions has left."""
    rounded = f"{float(place.match[0]):.12g}"
    return Advice("its last digits are a computer's rounding", f"write {rounded}.", place.becomes(rounded))


def _entity(place: Place) -> Advice | None:
    if not place.left.is_text(place.start, place.end):
        return None
    new = f"{place.match['name']};"
    return Advice("it does not name a character", f"write {new}.", place.becomes(new))


def _unknown_character(place: Place) -> Advice | None:
    """`&mdahs;`: nearly the name of a character."""
    meant = nearest(place.match["name"], (name[:-1] for name in html5 if name[-1] == ";"))
    if meant is None or not place.left.is_text(place.start, place.end):
        return None
    return Advice("it does not name a character", f"write &{meant};, or &amp; for the sign.")


def _tag(place: Place) -> Advice | None:
    new = re.sub(r"^<\s*(/?)\s*", r"<\1", place.match[0])
    new = re.sub(r"\s*(/?)\s*>$", r"\1>", new)
    if place.has_twins("open", "close"):
        return Advice("full-width angle brackets make no tag", f"write {new}.", place.becomes(new), _TWIN)
    looks_so = new == place.match[0] and re.search(r"\s\w+=[\"']", new) is not None
    if looks_so and HTML_TAG_RE.match(new) is None:  # else the site shows all HTML as text
        fix = "write &quot; for a quotation mark inside a value, or put a space between the attributes."
        if (without := re.sub(r"/(?=\s+\w)", "", new)) != new:
            fix = f"write {without}."
        elif new.count('"') % 2 and re.search(r'\w"\w', new) is None:
            fix = "close the quotation mark that it opens."
        why = "its attributes are not as HTML has them, so that it is no tag"
        return Advice(why, fix, rule="syntax-left-over")
    if len(place.match["name"]) == 1 or new == place.match[0]:
        return None  # `a < b and c > d`
    return Advice(
        "a tag has no space inside its marks", f"write {new}.", place.becomes(new), "syntax-left-over"
    )


def _closing_marks(place: Place) -> Advice | None:
    if place.left.place != "heading":
        return None
    return Advice("marks that end a heading need a space before them", "delete it.", place.becomes(""))


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
    _kind("comment-left-over", r"[<‹《](?:! ?(?:--?|[—–]+)| !--)(?![>\d])", _comment),
    _kind("full-width-mark", r"(?P<open>\[\^)(?P<label>[^\[\]\n]{1,80})(?P<close>\]?)", _note),
    _kind(
        "syntax-unsupported",
        rf"\{{(?P<mark>\+\+|--|~~|>>|==|{OTHER})[^{{}}\n]{{1,300}}(?:\+\+|--|~~|<<|==|{OTHER})\}}",
        _suggested,
    ),
    _kind(
        "link-left-over",
        r"\[(?P<before>(?:see|cf\.|e\.g\.,?|参见|见|参看)[^\[\]@\n]{0,40})@(?P<rest>[A-Za-z][\w:.-]{1,60}[^\[\]\n]{0,80})\]",
        _cited_in_words,
    ),
    _kind("link-left-over", r"\[(?P<label>[0-9]{1,3})\^\]", _misplaced_caret),
    _kind("link-left-over", r"\^\[(?P<label>[0-9]{1,3})\]\^?", _misplaced_caret),
    _kind("link-left-over", r"\^\[(?=\S)(?P<label>[^\[\]\n]{2,300})$", _inline_note),
    _kind(
        "link-bare",
        r"(?<![\w./@:-])(?P<address>www\.[A-Za-z0-9-]{1,60}\.[A-Za-z]{2,20}[!-;=?-~]{0,200})",
        _bare_host,
    ),
    _kind("role-broken", rf"(?<![\w{{.])(?P<name>{_ROLE})(?P<inside>)(?={CODE})", _role),
    _kind("emphasis-swallowed", rf"{OTHER}(?P<name>[a-z]\w{{0,40}}){OTHER}(?P<rest>\.[a-z]\w*|\()", _dunder),
    _kind(
        "emphasis-swallowed",
        rf"(?<=[0-9A-Za-z]){OTHER}(?P<inside>[0-9A-Za-z.+/-]{{1,20}}){OTHER}(?=[0-9A-Za-z])",
        _product,
    ),
    _kind(
        "syntax-left-over",
        r"(?<![+\w^])(?P<mark>\+\+|\^\^)(?P<inside>[^\s\d_+^;,.)](?:(?!\+\+)[^\n^]){0,200})(?P=mark)(?![+\w^])",
        _wrapped,
    ),
    _kind(
        "syntax-left-over",
        r"(?<=[A-Za-z)])(?P<mark>[~^])(?P<inside>[A-Za-z0-9+-]{1,12})(?P=mark)(?![~^])",
        _wrapped,
    ),
    _kind(
        "number-noise",
        r"(?<![A-Za-z0-9_.,])\d{1,9}\.\d{0,12}(?:0{6,16}|9{6,16})\d{1,2}(?![A-Za-z0-9_]|[.,]\d)",
        _noise,
    ),
    _kind("syntax-left-over", r"&#(?:[xX]?[0-9A-Za-z]{0,8});?", _number_of_character),
    _kind("link-left-over", rf"(?P<mark>!{SPACE}*){LINK_OPEN}", _picture_as_link),
    _kind(
        "link-left-over",
        rf"(?P<mark>!{SPACE}*)?(?P<open>\[)(?P<label>{_LABEL})(?P<close>\])(?P<gap>{SPACE}*\n?{SPACE}*)"
        rf"(?P<first>\()(?P<inside>{_INSIDE})(?P<last>\))",
        _link,
    ),
    _kind(
        "link-left-over",
        r"\[(?P<org>\[)?(?P<address>(?:https?|mailto|file):[^\s\[\]]{1,300})(?(org)\]\[| )"
        r"(?P<label>[^\[\]\n]{1,200})\](?(org)\])",
        _address_first,
    ),
    _kind("link-left-over", rf"{CODE}__?(?![A-Za-z0-9_])", _of_rst),
    _kind(
        "link-left-over",
        rf"(?P<mark>!?)\[(?P<label>{_LABEL})\][ \t]?[\[{{「《〈『〔<]"
        r"(?P<address>(?:https?://|mailto:|\.{0,2}/|#)[^\s\[\]{}<>「」《》〈〉『』〔〕【】]{1,300})"
        r"[\]}>」》〉』〕]",
        _wrong_brackets,
    ),
    _kind("link-left-over", rf"!?\[(?P<label>{_LABEL})\]\[(?P<name>{_LABEL})\]", _reference),
    _kind(
        "link-left-over",
        rf"(?P<mark>!?)\[(?P<label>{_LABEL})(?P<open>\]\()(?!\{{[{{%])(?P<address>[^\s\"'{NO_TEXT}]*)",
        _open_link,
    ),
    _kind("link-left-over", r"(?<!!)!\[(?!\[)", _picture),
    _kind(
        "link-left-over",
        rf"\[(?P<label>[^\[\]\n]{{0,80}}(?u:[^\W\d_])[^\[\]\n]{{0,80}})\](?P<address>{LINK_OPEN})(?P<shown>[^\s{NO_TEXT}]+)",
        _before_address,
    ),
    _kind(
        "link-left-over",
        r"\((?P<label>[^()\[\]\n]{1,100})\)(?:\[(?P<address>[^\[\]\s]{1,300})\]|\((?P<web>https?://[^()\s]{1,300})\))",
        _reversed,
    ),
    _kind(
        "role-broken",
        rf"\{{ ?(?P<name>{_ROLE}) ?"
        r"(?:\}(?:[\"'´(\[](?P<inside>[^\"'´()\[\]{}`\n]{1,200})[\"'´)\]])?"
        r"|:[^{}\n]{1,200}\})",
        _role,
    ),
    _kind(
        "attributes-broken",
        rf"(?P<gap>{SPACE}*\n?{SPACE}*)"
        rf"(?P<braces>\{{:?[ \t]*(?:[#.](?=[\w-]|[^\x00-\x7f])|(?:{_KEYS})[ \t]*[=:])"
        r"[^{}\n]{0,200}(?:\}|(?=\n|$)))",
        _attributes,
    ),
    _kind(
        "role-broken",
        rf"(?P<brace>\{{)?(?(brace)|\[)(?P<name>{_ROLE})(?(brace)\]|\}})(?P<inside>)(?={CODE})",
        _role,
    ),
    _kind(
        "attributes-broken",
        rf"(?<={IMAGE})(?:\[|\(|<)[ \t]*(?:{_KEYS})[ \t]*=[^\[\]()<>{{}}\n]{{1,100}}(?:\]|\)|>)",
        _behind_code,
    ),
    _kind("attributes-broken", rf"(?<=[{TAKERS}])\{{[^{{}}\n]{{0,200}}\}}?", _behind_code),
    _kind(
        "emphasis-left-over",
        r"(?<!\*)(?P<mark>\*\*)(?!\*)(?P<inside>[^*\n]{1,300})(?P<last>\*\*)(?!\*)",
        _pair,
    ),
    _kind("emphasis-left-over", r"(?<!~)(?P<mark>~~)(?!~)(?P<inside>[^~\n]{1,300})(?P<last>~~)(?!~)", _pair),
    _kind("emphasis-left-over", r"(?<!_)(?P<mark>__)(?!_)(?P<inside>[^_\n]{1,300})(?P<last>__)(?!_)", _pair),
    _kind("emphasis-left-over", r"(?<!\*)\*\*(?!\*)", _stars),
    _kind(
        "full-width-mark",
        r"(?<!\*)(?P<first>\*)(?P<inside>[^*\s](?:[^*\n]{0,100}[^*\s])?)(?P<last>\*)(?!\*)",
        _mixed_stars,
    ),
    _kind(
        "emphasis-left-over",
        rf"(?<![*\\\w])\*(?P<inside>(?!(?:\w|{_STARRED})\b){_LETTER}[^*\n;,(){{}}=&<>]{{0,100}}[ \t])"
        rf"\*(?={_LETTER}{{2}}|[,.;:!?)\"](?![A-Za-z])|$)",
        _half_open,
    ),
    _kind(
        "emphasis-left-over",
        rf"(?<!~)(?:~~(?P<begun>{_LETTER}[^~\n]{{0,300}})(?<!\s)~|~(?P<ended>{_LETTER}[^~\n]{{0,300}})(?<!\s)~~"
        rf"|~~(?={_LETTER}))(?!~)",
        _lone_tildes,
    ),
    _kind(
        "emphasis-left-over",
        rf"(?<![\w~./-])~(?P<inside>{_LETTER}(?:[^~\n]{{0,200}}[^\s~])?)~(?![\w~/])",
        _one_tilde,
    ),
    _kind(
        "emphasis-left-over",
        rf"(?<![\w=!<>+*/|-])(?:==(?={_LETTER})(?P<inside>[^=\n]{{1,200}})(?:=(?!=)|(?<=\s)==)"
        rf"|=(?P<ended>{_LETTER}[^=\n]{{0,200}})(?<!\s)==)(?![=\d])",
        _half_marked,
    ),
    _kind(
        "syntax-left-over",
        r"(?<![A-Za-z0-9])(?P<before>(?:[A-Z][a-z]?)+)~(?P<digits>\d{1,2})(?=[A-Z](?![a-z]{2}))",
        _chemical,
    ),
    _kind(
        "emphasis-left-over",
        r"(?<=[^\s*\d])[ \t]\*[ \t](?P<inside>[^*\s][^*\n]{0,80}[^*\s])\*(?=[\s,.;:!?)。、]|$)",
        _apart_star,
    ),
    _kind(
        "syntax-unsupported",
        r"(?<![\w:]):(?:material|fontawesome|octicons|simple|fa|bi)-[\w-]{1,60}:(?!\w)",
        _icon,
    ),
    _kind("emphasis-left-over", rf"(?<!\w)__(?![A-Za-z])(?={_LETTER})", _lone_underscores),
    _kind("emphasis-left-over", rf"(?<!\*)\*(?={OTHER})|(?<={OTHER})\*(?!\*)", _lone_star),
    _kind(
        "full-width-mark",
        r"(?<![\w/.-])(?P<scheme>https?://|(?:https?(?::/{1,3}|;//|//)|(?!https?:)h?t{1,3}ps?://|https?s://)"
        r"(?=[a-z0-9-]+\.))",
        _scheme,
    ),
    _kind(
        "formula-left-over",
        r"(?<!\$)\$(?P<inside>[^$\n]{0,300}(?:\\[A-Za-z]|\^)[^$\n]{0,300}"
        r"| ?[A-Za-z][\w^{}\\]{0,12}(?: ?[=+*/<>-] ?[\w^{}\\]{1,12}){0,4} ?)\$(?![0-9$])",
        _spaced_formula,
    ),
    _kind(
        "formula-left-over",
        rf"(?P<before>(?<=[0-9]))?\$(?P<inside>{_SHORT_FORMULA})\$(?:(?P<behind>[0-9]{{1,9}})(?![$\w])|(?![$0-9]))",
        _beside_digits,
    ),
    _kind(
        "syntax-unsupported",
        r"(?<![\w'])(?P<marks>'{2,3})(?P<inside>[^'\s](?:[^'\n]{0,200}[^'\s])?)(?P=marks)(?![\w'])",
        _wiki_marks,
    ),
    _kind("code-left-over", r"`+(?:(?P<inside>[^`\n]{1,300})`+)?", _backticks),
    _kind("full-width-mark", r"(?<![A-Za-z0-9])·(?P<inside>[!-~]*[_()=<>{}\[\]/][!-~]*)·", _dots),
    _kind("full-width-mark", r"(?<!\w)´(?P<inside>[!-~]+)´(?!\w)", _dots),
    _kind(
        "full-width-mark",
        r"(?P<mark>\$)(?P<inside>(?=[A-Za-z\\|(])[!-#%-~ ]{1,300})(?P<last>\$)(?![0-9])",
        _money,
    ),
    _kind(
        "formula-left-over",
        r"(?<!\$)\$(?=[^$\n]{0,300}\\[A-Za-z]{2}|[A-Za-z]_[0-9{]"
        r"|[A-Za-z] ?[=<>≤≥≠≈+] ?[A-Za-z0-9(\\]"
        rf"|[A-Za-z(](?:[^$\n{NO_TEXT}]{{0,60}}[A-Za-z0-9)}}])?\^[\w{{(])",
        _latex,
    ),
    _kind("formula-left-over", r"(?<=[A-Za-z)]\^[0-9A-Za-z])\$(?![0-9$])", _end_of_latex),
    _kind("formula-left-over", rf"\$+(?={OTHER})|(?<={OTHER})\$+", _beside_formula),
    _kind("formula-left-over", r"(?<![\w\\}])[A-Za-z][_^]\{[^{}\n]{1,40}\}", _script),
    _kind("syntax-left-over", r"(?<=[^\s\\])[ \t]+\\$", _backslash),
    _kind(
        "syntax-unsupported",
        r"(?<![A-Za-z0-9_.:\\/-])\\(?P<name>[A-Za-z]{2,30})(?:\*?\{(?P<inside>[^{}\n]{0,200})\})?(?![\\A-Za-z])",
        _command,
    ),
    _kind("syntax-left-over", r"&(?P<name>[a-z][A-Za-z]{2,11});", _unknown_character),
    _kind(
        "syntax-left-over",
        r"(?P<name>&(?:nbsp|amp|lt|gt|quot|mdash|ndash|emsp|ensp|hellip|times|copy));?(?![A-Za-z0-9=])",
        _entity,
    ),
    _kind(
        "full-width-mark",
        r"(?P<open><)[ \t]?/?[ \t]?(?P<name>br|b|i|u|em|strong|sub|sup|kbd|mark|code|span|div|p|img|a"
        r"|video|audio|iframe|table|td|th|details)\b"
        r"[^<>\n]{0,200}(?P<close>>)",
        _tag,
    ),
    _kind("mark-left-over", r"(?<=[^\s#])#{2,6}$", _closing_marks),
)
"""Every kind. The order matters: what an earlier kind has taken is not looked at again."""
