"""Warns of tags in articles that browsers pass over, or read in another way than they look."""

import re
from collections.abc import Mapping, Sequence

from diglot.content.html_names import (
    elements,
    fix_of_element,
    is_element,
    is_foreign,
    place_slip,
    slips_of,
)
from diglot.content.mistakes import Mend, Mistakes
from diglot.content.raw_html import lacks_address
from diglot.diagnostics import shortened
from diglot.html_tags import END_MAY_BE_LEFT_OUT, VOID, Attribute, Tag, attributes_of, tags_of

_LONGEST_SHOWN = 60
_QUOTES = "“”‘’＂＇"


def warn_of_tags(
    html: str, open_elements: Sequence[str], line: int, mistakes: Mistakes, *, is_inside: bool = False
) -> None:
    """Warn of names that HTML does not have, of values whose quotation marks are not ASCII, of elements
    without an address or in a wrong place, and of pictures that only scripts load.

    `is_inside` says that there are blocks around it of which `open_elements` knows nothing.
    """
    foreign = sum(map(is_foreign, open_elements))
    begun = set(open_elements)
    for tag in tags_of(html):
        if is_foreign(tag.name):
            foreign += tag.opens - tag.closes
        place = line + html.count("\n", 0, tag.start)
        if foreign <= 0:
            _warn_of_element(tag, is_complete=tag.name in begun, line=place, mistakes=mistakes)
            for slip in slips_of(tag):
                slip_line = line + html.count("\n", 0, slip.start)
                mistakes.warn("attributes-broken", slip.message, slip_line, slip.fix)
        if not tag.closes:
            begun.add(tag.name)
            _warn_of_attributes(tag, place, mistakes)
    if not is_inside:
        _warn_of_places(html, open_elements, line, mistakes)
    _warn_of_headings(html, line, mistakes)


_BLOCKS = frozenset(
    re.findall(
        r"\w+",
        "address article aside blockquote details div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header"
        " hr main nav ol p pre section table ul",
    )
)
"""Elements that end a paragraph."""


def _warn_of_places(html: str, open_elements: Sequence[str], line: int, mistakes: Mistakes) -> None:
    """Warn of elements that browsers drop or end, because of those that are around them."""
    around = list(open_elements)
    paragraph: Tag | None = None
    ended_by = ""
    for tag in tags_of(html):
        place, name = line + html.count("\n", 0, tag.start), tag.name
        if tag.closes:
            if name == "p" and paragraph is None and (ended_by or html == "</p>"):
                _warn_of_end(ended_by, place, mistakes)
            paragraph = None if name in _BLOCKS else paragraph
            if around and around[-1] == name:
                around.pop()
            continue
        if (parent := place_slip(name, around)) is not None:
            message = f"<{name}> is outside of a <{parent}>, which browsers expect around it"
            fix = f"put <{parent}> and </{parent}> around it, or delete it."
            mistakes.warn("html-misplaced", message, place, fix)
            around.append(parent)  # what else needs it is the same mistake
        elif name == "a" and "a" in around:
            message = "a link inside another one ends that one"
            mistakes.warn("html-misplaced", message, place, "write </a> before it.")
        if name in _BLOCKS:
            ended_by = name if paragraph is not None and name != "p" else ""
            paragraph = tag if name == "p" else None
        if tag.opens and name not in END_MAY_BE_LEFT_OUT:
            around.append(name)
    if paragraph is not None and html.rstrip().endswith(paragraph.source) and "=" in paragraph.source:
        message = f"{shortened(paragraph.source, _LONGEST_SHOWN)} ends where the next block begins"
        mistakes.warn("html-misplaced", message, line, f"write <div{paragraph.source[2:]} and </div>.")


def _warn_of_end(ended_by: str, line: int, mistakes: Mistakes) -> None:
    """Warn of `</p>` where no paragraph is open: it would make an empty one."""
    if ended_by:
        message, fix = (
            f"</p> closes nothing here: <{ended_by}> has ended the paragraph",
            "write <div> and </div> for <p> and </p>.",
        )
    elif any("<p" in above for above in mistakes.lines[max(0, line - _LINES_ABOVE) : line]):
        return
    else:
        message, fix = "</p> closes nothing here", "delete it."
    mistakes.warn("html-stray", message, line, fix)


_LINES_ABOVE = 100
"""How many lines above an end tag are looked at for its beginning."""


def _warn_of_headings(html: str, line: int, mistakes: Mistakes) -> None:
    """Warn of empty headings in the first row of a table, except in its corner."""
    row = column = 0
    before: Tag | None = None
    for tag in tags_of(html) if "<th" in html else ():
        if not tag.closes:
            row = 0 if tag.name == "table" else row + (tag.name == "tr")
            column = 0 if tag.name == "tr" else column + (tag.name in ("td", "th"))
        is_empty = before is not None and before.name == "th" and not html[before.end : tag.start].strip()
        if tag.name == "th" and tag.closes and is_empty and row == 1 and column > 1:
            message = f"column {column} of this table has no heading"
            fix = "write what is in it, or <td></td> if there is nothing."
            mistakes.warn("table-heading", message, line + html.count("\n", 0, tag.start), fix)
        before = tag


def _warn_of_element(tag: Tag, *, is_complete: bool, line: int, mistakes: Mistakes) -> None:
    """Warn of an element that there is not; one that never ends is an error already, with the same fix."""
    name = tag.name
    if tag.closes and name in VOID:
        message = f"</{name}> ends nothing, because <{name}> has no content"
        fix = "write <br>." if name == "br" else "delete it."
        mistakes.warn("html-stray", message, line, fix)
    elif (tag.is_self_closing or (tag.closes and is_complete)) and not is_element(name):
        message = f"HTML has no element <{tag.source.strip('</ >').split()[0]}>"
        mistakes.warn("html-unknown", message, line, fix_of_element(name))


def _is_refresh(attributes: Mapping[str, Attribute]) -> bool:
    kind = attributes.get("http-equiv")
    return kind is not None and kind.value.strip().lower() == "refresh"


def _warn_of_attributes(tag: Tag, line: int, mistakes: Mistakes) -> None:
    attributes = {attribute.name: attribute for attribute in attributes_of(tag)}
    if tag.name == "img" and "data-src" in attributes and "src" not in attributes:
        message = "readers do not see this picture, because its address is in data-src"
        mistakes.warn("syntax-unsupported", message, line, "write src instead of data-src.")
    if tag.name == "base" or (tag.name == "meta" and _is_refresh(attributes)):
        what = (
            "changes where the relative links of the page lead" if tag.name == "base" else "leaves the page"
        )
        message = f"{shortened(tag.source, _LONGEST_SHOWN)} {what}"
        mistakes.warn("html-redirect", message, line, "delete it, and write whole addresses in links.")
    if tag.is_self_closing and tag.name in elements() - VOID:
        message = f"{shortened(tag.source, _LONGEST_SHOWN)} begins an element that nothing closes"
        opening = f"{shortened(tag.source.rstrip('/> '), _LONGEST_SHOWN)}>"
        fix = f"write {opening}</{tag.name}>, with what belongs in it, or delete it."
        if not attributes:
            fix = f"write </{tag.name}> if it ends an element, or {opening}</{tag.name}> for an empty one."
        mistakes.warn("html-unclosed", message, line, fix)
    if lacks_address(tag.name, {name: attribute.value for name, attribute in attributes.items()}):
        _warn_of_no_address(tag.name, line, mistakes, is_bare=not attributes)
    for attribute in attributes.values():
        if attribute.value[:1] in tuple(_QUOTES):
            old, name = attribute.source, attribute.source.partition("=")[0]
            new = f'{name}="{attribute.value.strip(_QUOTES)}"'
            mends = (Mend(line, old, new),) if attribute.value[1:][-1:] in tuple(_QUOTES) else ()
            message = f"the quotation marks of {old} are not ASCII, and a part of the value"
            mistakes.warn("full-width-mark", message, line, f"write {new}.", mends=mends)


def _warn_of_no_address(element: str, line: int, mistakes: Mistakes, *, is_bare: bool) -> None:
    if element in ("a", "area"):
        message, fix = (
            "this link leads nowhere: it has no address",
            "write an address in href, or delete the tag.",
        )
    elif element == "img":
        message, fix = (
            "this picture shows nothing: it has no address",
            "write the address of its file in src.",
        )
        fix = (
            "write `<img>` as code if you mean the tag itself, or the address of a file in src."
            if is_bare
            else fix
        )
    else:
        message, fix = (
            f"this <{element}> loads nothing: its address is empty",
            "write an address, or delete it.",
        )
    mistakes.warn("link-empty", message, line, fix)
