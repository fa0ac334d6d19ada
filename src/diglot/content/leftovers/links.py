"""Links, pictures, notes and addresses that are none."""

import re
from html import unescape

from diglot.content.leftovers.addresses import PICTURE, bare_address, looks_like_an_address
from diglot.content.leftovers.finding import CHINESE, LONGEST_SHOWN, TWIN, Advice, Edit, Place
from diglot.content.leftovers.remainder import LINK_CLOSE
from diglot.content.twins import ODD_SPACES, SPACE, as_ascii, odd_space_in
from diglot.diagnostics import nearest, shortened
from diglot.invariants import certain
from diglot.web_addresses import without_space_in_host

_SIZE = re.compile(rf"{SPACE}+=(?:(?P<width>\d+%?)|\*)?x?(?:(?P<height>\d+%?)|\*)?{SPACE}*$")


_SIDE = re.compile(rf"{SPACE}+(?P<key>width|height)=[\"']?(?P<value>[0-9.]+(?:px|%)?)[\"']?{SPACE}*$")


_REFUSED = re.compile(r"(?:javascript|vbscript):|data:(?!image/(?:gif|png|jpeg|webp);)", re.IGNORECASE)
"""Schemes of addresses that markdown-it takes for no link's."""


_SPACED_SCHEME = re.compile(r"^(https?|ftp|mailto|tel) *: *(/?) *(/?) *(?=[^ ]+$)", re.IGNORECASE)


_TITLE = re.compile(rf"{SPACE}+(?P<title>\"[^\"\n]*\"?|'[^'\n]*'?)$")


def link(place: Place) -> Advice | None:
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
        sides = " ".join(f"{key}={found[key]}" for key in ("width", "height") if found[key])
        size, inside = f"{{{sides}}}", inside[: found.start()]
    if (found := _SIDE.search(as_ascii(inside))) is not None:
        size, inside = f"{{{found['key']}={found['value']}}}", inside[: found.start()]
    if (found := _TITLE.search(as_ascii(inside))) is not None:
        text = inside[slice(*found.span("title"))][1:].rstrip("\"'”’“‘")
        title, inside = f' "{text}"', inside[: found.start()]
    return inside, size, title


def _as_address(address: str) -> str:
    address = address.removeprefix("<").removesuffix(">").strip()
    return f"<{address}>" if re.search(r"[\s()]", address) and not address.isspace() else address


def open_link(place: Place) -> Advice | None:
    """`[text](address` without its end."""
    if place.has_twins("open"):
        return None
    label, address = place.left.written(*place.match.span("label")), place.group("address")
    if place.left.markups.get(place.end, "").startswith("<"):
        address = place.left.markups[place.end]
    address = place.left.targets.get(place.end, address)
    if (advice := _refused(address)) is not None:
        return advice
    what = "a picture" if place.group("mark") else "a link"
    goes_on = CHINESE.search(address)
    if goes_on is not None and address.startswith(("http://", "https://")) and "<" not in address:
        new = f"{place.group('mark')}[{label}]({address[: goes_on.start()]})"
        return Advice(f"it is not {what}", f"write {new}{shortened(address[goes_on.start() :], 30)}")
    fix = "write [text](address) with both brackets closed; for brackets, put a backslash before them."
    if looks_like_an_address(address.strip("<>")):
        path = certain(_PATH.match(address.rstrip("]}】」")), "it matches all texts")[0]
        rest = address[len(path) :].lstrip("]}】」")
        fix = f"write {place.group('mark')}[{label}]({path}){rest}"
        fix += "" if rest else ", with both brackets closed."
    return Advice(f"it is not {what}", fix)


_PATH = re.compile(r"<[^>]*>?|[^。，、；：！？]*?(?=[.,;:!?]*(?:[。，、；：！？]|$))")
"""An address without the end of the sentence that it is in."""


def before_address(place: Place) -> Advice | None:
    """`[text]<https://…>`: words before an address that is a link by itself."""
    address = place.left.targets[place.match.start("address")]
    if place.group("shown") != address:
        return None
    fix = f"write [{place.group('label')}]({address})."
    return Advice("words are linked by parentheses", fix)


def wrong_brackets(place: Place) -> Advice | None:
    """`[text]【https://…】`, `[text]{../b/zh.md}`, `![what it shows]「/a.png」`."""
    if not place.group("label").strip() or _is_index(place, place.group("address")):
        return None
    label = place.left.written(*place.match.span("label"))
    new = f"{place.match['mark']}[{label}]({place.group('address')})"
    return Advice("an address is in parentheses", f"write {new}.", place.becomes(new))


def reference(place: Place) -> Advice | None:
    """`[text][name]`, for a name without a definition."""
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


def picture(place: Place) -> Advice | None:
    """`![` that begins no picture."""
    if place.text == "！[":
        return None  # a sentence ends before brackets
    return Advice("it is not a picture", "write ![what it shows](file.png).")


def picture_as_link(place: Place) -> Advice | None:
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
        TWIN if is_twin else None,
    )


def reversed_brackets(place: Place) -> Advice | None:
    """`(text)[address]`."""
    address = place.group("web") or place.group("address")
    if not looks_like_an_address(address):
        return None
    if (advice := _refused(address)) is not None:
        return advice
    new = f"[{place.group('label')}]({address})"
    return Advice("the brackets are the wrong ones", f"write {new}.", place.becomes(new))


def address_first(place: Place) -> Advice | None:
    """`[[https://… words]]`, `[https://… words]`: links of Org and MediaWiki."""
    new = f"[{place.group('label')}]({place.group('address')})"
    return Advice("the words of a link come first", f"write {new}.", place.becomes(new))


def of_rst(place: Place) -> Advice | None:
    """`` `text <address>`_ ``."""
    return Advice("it is not a link", "write [text](address).")


def note(place: Place) -> Advice | None:
    """`[^name` without its end, or with spaces."""
    name = "".join(place.group("label").split())
    if not place.match["close"] or not name:
        first = re.match(r"[\w-]+", place.group("label"))
        fix = "write [^name], without spaces." if first is None else f"write [^{first[0]}]."
        return Advice("it is not the mark of a footnote", fix)
    new = f"[^{name}]"
    twins = place.has_twins("open", "close")
    return Advice(
        "it is not the mark of a footnote", f"write {new}.", place.becomes(new), TWIN if twins else None
    )


def inline_note(place: Place) -> Advice | None:
    """`^[note` without its end."""
    new = f"^[{place.group('label').rstrip()}]"
    return Advice(
        "nothing closes this footnote", f"write {shortened(new, LONGEST_SHOWN)}, with both brackets."
    )


def misplaced_caret(place: Place) -> Advice | None:
    """`[1^]`, `^[1]`."""
    if place.before().isascii() and place.before().isalnum():
        return None
    new = f"[^{place.group('label')}]"
    return Advice("it is not the mark of a footnote", f"write {new}.", place.becomes(new))


def scheme(place: Place) -> Advice | None:
    """`http:/`, `https：//`, `htps://`."""
    if place.has_twins("scheme"):
        new = re.sub(r"[:;]?/+", "://", place.match["scheme"])
        return Advice("its colon or slashes are full-width", f"write {new} in ASCII.", place.becomes(new))
    if place.group("scheme") in ("https://", "http://"):
        return None
    new = "https://" if "s" in place.group("scheme") else "http://"
    rest = certain(_REST.match(place.left.text, place.end), "it matches all texts")[0]
    fix = f"write {shortened(new + rest, LONGEST_SHOWN)}"
    return Advice("no address begins like this", fix, place.becomes(new), "link-bare")


def cited_in_words(place: Place) -> Advice | None:
    """`[see @doe99, p. 3]`, which Pandoc takes for a citation."""
    before, rest = place.group("before").strip(), place.group("rest")
    return Advice("a citation begins with its key", f"write {before} [@{rest}].")


_REST = re.compile(r"[!-;=?-~]*")


def bare_host(place: Place) -> Advice | None:
    """`www.example.org`, which is no link."""
    host = place.group("address").rstrip(".,;:!?)")
    return Advice(
        "it is not a link", f"write [{host}](https://{host}), or `code` if it should not be a link."
    )
