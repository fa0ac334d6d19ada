"""HTML for programs that have neither the theme's style sheet nor its scripts, such as feed readers."""

import re
from html import unescape
from urllib.parse import urljoin

from markupsafe import escape

from diglot.render.plain_formulas import with_plain_formulas

_REMOVED = re.compile(r"<(script|style|template|iframe)\b.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
_DARK = re.compile(r"<source data-dark\b[^>]*>")
"""Programs may show a light page where the system is dark, which is all that a picture's condition asks."""
_TAG = re.compile(r"""<[A-Za-z](?:[^<>"']|"[^"]*"|'[^']*')*>""")
_ADDRESS = re.compile(r"""(\s(?:href|src|poster|cite|data)=)(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_CANDIDATES = re.compile(r"""(\ssrcset=)(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_OF_THEME = re.compile(r' (?:class|id|style|role|tabindex|data-[\w-]+|aria-[\w-]+)="[^"]*"')
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
    html = _TAG.sub(lambda found: _plain_tag(found[0], page), _DARK.sub("", _REMOVED.sub("", html)))
    while (shorter := _BARE_SPAN.sub(r"\1", html)) != html:
        html = shorter
    return html.strip()


def _plain_tag(tag: str, page: str) -> str:
    if "=" not in tag:
        return tag
    if tag.startswith('<input type="checkbox" disabled'):  # of a task
        return "☑" if " checked" in tag else "☐"
    tag = _ADDRESS.sub(lambda found: f'{found[1]}"{_whole(found[2] or found[3] or "", page)}"', tag)
    tag = _CANDIDATES.sub(
        lambda found: f'{found[1]}"{_whole_candidates(found[2] or found[3] or "", page)}"', tag
    )
    return _OF_THEME.sub("", tag)


def _whole(address: str, page: str) -> str:
    return str(escape(urljoin(page, unescape(address))))


def _whole_candidates(text: str, page: str) -> str:
    """Addresses with widths, as in `a.png 1x, b.png 2x`."""
    candidates = (one.split(maxsplit=1) for one in unescape(text).split(",") if one.strip())
    return ", ".join(" ".join((_whole(address, page), *width)) for address, *width in candidates)
