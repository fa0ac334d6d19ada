"""Attributes and roles that cannot be read."""

import re

from diglot.content.attributes import meant_attributes, read_attributes
from diglot.content.leftovers.finding import Advice, Place
from diglot.content.leftovers.remainder import TAKERS
from diglot.content.roles import fix_of_role
from diglot.content.twins import SPACE, as_ascii

KEYS = "width|height|id|class|lang|style|title|alt|loading|align|dir|start|target|rel|hreflang|download"


_BROKEN_FIX = 'write {#id .class key="value"}, with ASCII quotes and no colon.'


def attributes(place: Place) -> Advice | None:
    """`{.name}` or `{#id}` that belongs to nothing or cannot be read."""
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
    begins = rf"\{{:?{SPACE}*(?:#|(?:{KEYS})).*[}}｝]"
    is_heading = place.left.place == "heading" and not place.after()
    is_last = is_valid and is_marked and place.end >= len(text.rstrip()) and "{" not in text[: place.start]
    if not (
        takes
        or is_last
        or is_alone
        or is_heading
        or (before and not gap and is_closed)
        or re.match(begins, inside)
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


def spaced_id(place: Place) -> Advice | None:
    """`## Title {# id}`."""
    if place.left.place != "heading":
        return None
    new = f"{{#{place.group('id')}}}"
    return Advice("there is a space in the id", f"write {new}.", place.becomes(new))


def behind_code(place: Place) -> Advice | None:
    """Braces or brackets right after a picture, a link or code."""
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


def role(place: Place) -> Advice | None:
    """A role without its backticks or braces: `{eval}(a.b)`, `eval`a.b``."""
    name = place.match["name"]
    if name == "span":
        inside = place.group("inside")
        return Advice("attributes are behind their words", f"write [{inside or 'words'}]{{.name}}.")
    if not (inside := place.group("inside")):
        return Advice("it is not a valid role", fix_of_role(name))
    new = f"{{{name}}}`{inside}`"
    return Advice("backticks enclose what a role reads", f"write {new}.", place.becomes(new))
