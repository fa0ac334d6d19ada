"""HTML that is none: tags, comments, and names of characters."""

import re
from html.entities import html5

from markdown_it.common.html_re import HTML_TAG_RE

from diglot.content.leftovers.finding import TWIN, Advice, Place
from diglot.diagnostics import nearest


def comment(place: Place) -> Advice | None:
    """`<!-` and other marks that begin no comment."""
    if place.text != "<!--":
        return Advice(
            "it begins no comment, so that readers see it", "write <!-- … -->, without spaces in its marks."
        )
    why = "an empty line ends the comment, or nothing does, so that readers see it"
    return Advice(why, "put <!-- at the beginning of a line of its own, and --> after the comment.")


def icon(place: Place) -> Advice | None:
    """`:material-home:`."""
    return Advice("names do not become icons", "delete it, or write a character or a picture.")


def number_of_character(place: Place) -> Advice | None:
    """`&#xZZ;`."""
    fix = "write the character itself, or its number as in &#x2014; or &#8212;."
    return Advice("it does not name a character", fix)


def entity(place: Place) -> Advice | None:
    """`&nbsp` without its semicolon."""
    if not place.left.is_text(place.start, place.end):
        return None
    new = f"{place.match['name']};"
    return Advice("it does not name a character", f"write {new}.", place.becomes(new))


def unknown_character(place: Place) -> Advice | None:
    """`&mdahs;`: nearly the name of a character."""
    meant = nearest(place.match["name"], (name[:-1] for name in html5 if name[-1] == ";"))
    if meant is None or not place.left.is_text(place.start, place.end):
        return None
    return Advice("it does not name a character", f"write &{meant};, or &amp; for the sign.")


def tag(place: Place) -> Advice | None:
    """`< br>`, `<b c">`: no tag, because of a space or its attributes."""
    new = re.sub(r"^<\s*(/?)\s*", r"<\1", place.match[0])
    new = re.sub(r"\s*(/?)\s*>$", r"\1>", new)
    if place.has_twins("open", "close"):
        return Advice("full-width angle brackets make no tag", f"write {new}.", place.becomes(new), TWIN)
    looks_so = new == place.match[0] and re.search(r"\s[\w-]+=[^\s=]", new) is not None
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


def glued_tag(place: Place) -> Advice | None:
    """`<imgsrc="a.png">`: no space after the name of an element."""
    inside = place.match["inside"]
    new = f"<{place.match['name']} {inside}>"
    if HTML_TAG_RE.match(new) is None:
        return None
    return Advice("a space is missing after the name of the element", f"write {new}.", place.becomes(new))
