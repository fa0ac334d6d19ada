"""HTML for programs that have neither the theme's style sheet nor its scripts, such as feed readers."""

import re
from urllib.parse import urljoin

from markupsafe import escape

from diglot.content.plain_formulas import with_plain_formulas
from diglot.html_tags import Tag, attributes_of, candidates_in, tags_of
from diglot.web_addresses import ascii_address

_REMOVED = re.compile(r"<(script|style|template|iframe)\b.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
_DARK = re.compile(r"<source data-dark\b[^>]*>")
"""Programs may show a light page where the system is dark, which is all that a picture's condition asks."""
_ADDRESSES = frozenset(
    ["href", "src", "poster", "cite", "data", "action", "formaction", "background", "xlink:href"]
)
_OF_THEME = frozenset(("class", "id", "style", "role", "tabindex"))
_CLASS_ALONE = re.compile(r'<[a-z][a-z0-9]* class="[^"<>]*">')
_BARE_SPAN = re.compile(r"<span>((?:(?!</?span\b).)*)</span>", re.DOTALL)


def plain_html(html: str, page: str) -> str:
    """Part of a page without classes, ids and scripts; every address in it is whole.

    `page` is the whole address of the page, where links within it lead. Formulas are in simple elements,
    because many programs drop MathML and keep only its letters.
    """
    if "<" not in html:
        return html
    if "<math" in html:
        html = with_plain_formulas(html)
    html = _with_plain_tags(_DARK.sub("", _REMOVED.sub("", html)), page)
    while (shorter := _BARE_SPAN.sub(r"\1", html)) != html:
        html = shorter
    return html.strip()


def _with_plain_tags(html: str, page: str) -> str:
    out, at = [], 0
    for tag in tags_of(html):
        if not tag.closes and "=" in tag.source:
            out += [html[at : tag.start], _plain_tag(tag, page)]
            at = tag.end
    return "".join((*out, html[at:]))


def _plain_tag(tag: Tag, page: str) -> str:
    if _CLASS_ALONE.fullmatch(tag.source) is not None:  # as nearly all of highlighted code
        return f"<{tag.name}>"
    if tag.source.startswith('<input type="checkbox" disabled'):  # of a task
        return "☑" if " checked" in tag.source else "☐"
    attributes = []
    for one in attributes_of(tag):
        if one.name in _ADDRESSES:
            attributes.append(f'{one.name}="{_whole(one.value, page)}"')
        elif one.name == "srcset":
            attributes.append(f'srcset="{_whole_candidates(one.value, page)}"')
        elif one.name not in _OF_THEME and not one.name.startswith(("data-", "aria-", "on")):
            attributes.append(one.source)
    name = tag.source[: len(tag.name) + 1]
    return f"{' '.join((name, *attributes))}{' />' if tag.is_self_closing else '>'}"


def _whole(address: str, page: str) -> str:
    try:
        return str(escape(ascii_address(urljoin(page, address.strip()))))
    except ValueError:  # as that of a host in brackets
        return str(escape(address))


def _whole_candidates(srcset: str, page: str) -> str:
    """Addresses with widths, as in `a.png 1x, b.png 2x`."""
    return ", ".join(f"{_whole(one.address, page)} {one.condition}".strip() for one in candidates_in(srcset))
