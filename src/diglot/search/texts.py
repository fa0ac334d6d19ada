"""The text of a finished page for the index: its words, and the ids that results can lead to.

Pagefind's own reader of HTML knows words between spaces. Here each Han character becomes a word of its own,
so that any piece of a Chinese text is found as a phrase (templates/static/search.js asks for one).
"""

import re
from html import escape, unescape

from diglot.html_tags import VOID
from diglot.languages import HAN, HTML_LANG, Edition

_TAG = re.compile(
    r"""<!--.*?(?:-->|\Z)|<(/?)([A-Za-z][\w-]*)((?:[^>"']++|"[^"]*+"|'[^']*+'|["'])*+)(?:>|\Z)""", re.DOTALL
)
"""A comment or tag without an end takes the rest of the page, so that nothing is looked through twice."""
_OF_CODE = re.compile(r'<span class="\w{1,3}">([^<]*)</span>')
"""Highlighted words of code: most tags of many pages, and none of them matters here."""
_ATTRIBUTE = re.compile(r"""([\w-]+)=(?:"([^"]*)"|'([^']*)')""")
_MAIN = re.compile(r"<main\b.*</main>", re.DOTALL)
_KIND = re.compile(r"""<main\b[^>]*\sdata-found="(\w+)\"""")
"""What a page is to those who look for it; other pages are none of these."""
_TITLE = re.compile(r"<h1\b[^>]*>(.*?)</h1>", re.DOTALL)
_BEFORE_HAN = re.compile(f"(?=[{HAN}])")
_AFTER_HAN = re.compile(f"([{HAN}\\u3000-\\u303f\\uff00-\\uff0f\\uff1a-\\uff20])(?=(?:<[^>]*>)*[0-9A-Za-z])")
_JOINER = re.compile("\u2060|&#8288;")
"""It keeps the mark of a note on the line of its word, and would be a letter of that word."""
_SPACES = re.compile(r"\s+")

_LEFT_OUT = frozenset(
    ("annotation", "button", "dialog", "footer", "form", "input", "nav", "noscript", "option", "script")
)
_LEFT_OUT |= {"select", "style", "svg", "template"}
_LEFT_OUT_CLASSES = frozenset(
    ("after", "anchor", "behind", "controls", "derived", "mark", "meta", "second", "speaker", "twin", "under")
)
_LEFT_OUT_CLASSES |= {"back", "unseen", "when", "work"}
"""What is next to the text: dates and tags, origins of numbers, marks of notes, works that the list at the
end has, too, links of headings to themselves and to the other language; on slides the other language's words,
and what the speaker says."""
_WITHIN_WORDS = frozenset(
    ("a", "abbr", "bdi", "cite", "code", "dfn", "em", "i", "kbd", "mark", "q", "s", "span")
)
_WITHIN_WORDS |= {"strong", "sub", "sup", "u", "var", "wbr", "mi", "mn", "mo"}
_WEIGHTS = {"h1": 7, "h2": 5, "h3": 4, "h4": 3, "h5": 3, "h6": 3, "pre": 0.2}
"""How much more the words of a heading count, and how much less those of code and of what commands print."""
_KINDS = {"article": 1.0, "term": 1.0, "talk": 0.15, "figure": 0.15, "chip": 0.1}
"""How much the words of a kind of page count, on Pagefind's quadratic scale: articles say what a word means
that figures have in their titles and chips in their tables. Not a filter, which would say the kind without
loading a page: Pagefind writes the values of filters in another order each time."""


def search_text(page: str, edition: Edition) -> str:
    """A finished page as HTML for Pagefind: its title, and its words below the ids of their blocks."""
    found = _MAIN.search(page)
    main = found[0] if found is not None else ""
    heading = _TITLE.search(main)
    title = " ".join(unescape(_TAG.sub("", heading[1])).split()) if heading is not None else ""
    of_kind = _KIND.match(main)
    kind = of_kind[1] if of_kind is not None and of_kind[1] in _KINDS else "page"
    weight = _KINDS.get(kind, 1.0)
    text = _Text(weight)
    plain = _JOINER.sub("", _OF_CODE.sub(r"\1", main))
    text.read(_AFTER_HAN.sub(r"\1 ", _BEFORE_HAN.sub(" ", plain)))
    words = _SPACES.sub(" ", "".join(text.out))
    if weight != 1:
        words = f'<div data-pagefind-weight="{weight:g}">{words}</div>'
    return (
        f'<html lang="{HTML_LANG[edition]}"><body data-title="{escape(title)}" data-kind="{kind}" '
        f'data-pagefind-meta="title[data-title], kind[data-kind]">{words}</body></html>'
    )


class _Text:
    """One walk over a page."""

    def __init__(self, weight: float) -> None:
        self.out: list[str] = []
        self._weight = weight
        self._figures = 0

    def read(self, html: str) -> None:
        """Add the words of some HTML."""
        at, left_out, depth = 0, "", 0
        for tag in _TAG.finditer(html):
            if not left_out:
                self.out.append(html[at : tag.start()])
            at = tag.end()
            closes, name, attributes = tag[1], (tag[2] or "").lower(), tag[3] or ""
            if not name:
                continue
            if left_out:
                if name == left_out and not attributes.endswith("/"):
                    depth += -1 if closes else 1
                    left_out = left_out if depth else ""
                continue
            if closes:
                self._close(name)
                continue
            if not attributes and name in _WITHIN_WORDS:
                continue
            found = {key: double or single for key, double, single in _ATTRIBUTE.findall(attributes)}
            is_ignored = "data-pagefind-ignore" in attributes
            is_data = name == "details" and self._figures > 0  # the numbers of a drawing
            if (
                is_ignored
                or is_data
                or name in _LEFT_OUT
                or _LEFT_OUT_CLASSES.intersection(found.get("class", "").split())
            ):
                if name == "svg" and "aria-label" in found:  # what a diagram shows, in words
                    self.out.append(f" {found['aria-label']} ")
                if name not in VOID and not attributes.endswith("/"):
                    left_out, depth = name, 1
                continue
            self._open(name, found)
        if not left_out:
            self.out.append(html[at:])

    def _open(self, name: str, attributes: dict[str, str]) -> None:
        if name not in _WITHIN_WORDS:
            self.out.append(" ")
        self._figures += name == "figure"
        if (anchor := attributes.get("id")) and name in (
            "article",
            "div",
            "figure",
            "header",
            "section",
            "table",
        ):
            self.out.append(f'<a id="{anchor.replace(" ", "")}"></a>')
        if name in _WEIGHTS:
            self.out.append(f'<span data-pagefind-weight="{_WEIGHTS[name] * self._weight:g}">')
        for key in ("data-said", "alt"):
            if said := attributes.get(key):
                self.out.append(f" {said} · ")

    def _close(self, name: str) -> None:
        self._figures -= name == "figure"
        if name in _WEIGHTS:
            self.out.append("</span>")
        if name not in _WITHIN_WORDS:
            self.out.append(" ")
