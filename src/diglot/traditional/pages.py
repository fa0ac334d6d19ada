"""Converts HTML: the text that readers see and hear, the language it is marked with, and addresses.

Code, formulas and ids stay as they are, and so does what is marked as another language.
"""

import re
from html import escape, unescape

from diglot.html_tags import VOID, attributes_in
from diglot.languages import HTML_LANG, LOCALES, TRADITIONAL
from diglot.spelling.conversion import Converter, converter, is_chinese
from diglot.spelling.settings import locale_of
from diglot.traditional.addresses import AddressBook, address_book
from diglot.traditional.json_texts import with_texts
from diglot.traditional.settings import Settings

_TAG = re.compile(
    r"""<!--.*?(?:-->|\Z)|<(/?)([A-Za-z][\w:-]*)((?:[^>"']++|"[^"]*+"|'[^']*+'|["'])*+)(?:>|\Z)""", re.DOTALL
)
"""A comment or tag without an end takes the rest of the page, so that nothing is looked through twice."""
_SPOKEN = frozenset(("alt", "content", "label", "placeholder", "summary", "title"))
_SPOKEN |= {f"aria-{one}" for one in ("description", "label", "roledescription", "valuetext")}
"""Attributes with text for readers, as those whose name begins with `data-` may have it, too."""
_KEYS = frozenset(("data-figure", "data-name", "data-parameter", "data-row", "data-turns", "data-value"))
_KEYS |= {"data-category", "data-repo", "data-term", "data-values"}
"""Attributes by which scripts and services find something."""
_AS_IT_IS = frozenset(("code", "kbd", "math", "pre", "samp", "style", "textarea", "var"))
_RAW = frozenset(("script", "style"))
"""Elements in which a `<` begins no tag."""
_QUOTES_ALONE = re.compile(r"[^A-Za-z“”]*[“”][^A-Za-z]*")
_LABELS = frozenset(("text", "tspan"))
"""Text in drawings, which has no more room than it takes."""
_HTML = re.compile(r"<[A-Za-z].*>", re.DOTALL)

_SIMPLIFIED, _TRADITIONAL = HTML_LANG["zh"], HTML_LANG[TRADITIONAL]


def converted_page(html: str, settings: Settings, *, noticed: bool = True) -> str:
    """A page, or a part of one. At the top of its content it says that it was converted, if `noticed`."""
    walk = _Walk(settings)
    walk.read(html, settings.notice if noticed else "")
    return walk.result()


def is_html(text: str) -> bool:
    """Whether a text of JSON is HTML: it begins and ends with a tag."""
    return text.startswith("<") and _HTML.fullmatch(text) is not None


class _Walk:
    """One walk over a page. Texts are collected, so that one call converts them all."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._converter: Converter = converter(settings.spelling)
        self._book: AddressBook = address_book(settings.base_url, settings.stamp)
        self._out: list[str] = []
        self._texts: list[int] = []
        self._labels: list[int] = []
        self._open: list[tuple[str, bool]] = []
        """Elements that begin or end what is converted, and those of the same name inside them, each with
        whether texts in it are converted."""
        self._quotes = 0
        """How many quotation marks are open."""
        self._is_shown = False
        """Whether this is the page that the word of the simplified one in the toggle stands for."""

    def result(self) -> str:
        """The converted page. Texts are converted as they read, and then written as HTML again."""
        for places, convert in (
            (self._texts, self._converter.texts),
            (self._labels, self._converter.labels),
        ):
            converted = convert([_as_it_reads(self._out[at]) for at in places])
            for at, text in zip(places, converted, strict=True):
                self._out[at] = escape(text, quote=False)
        return "".join(self._out)

    def read(self, html: str, notice: str) -> None:
        """Collect a page."""
        at, inside = 0, ""
        while (tag := _TAG.search(html, at)) is not None:
            self._text(html[at : tag.start()], label=inside in _LABELS)
            at = tag.end()
            closes, name, attributes = tag[1], (tag[2] or "").lower(), tag[3] or ""
            inside = "" if closes else name
            if not name:
                self._out.append(tag[0])
            elif closes:
                self._out.append(tag[0])
                if self._open and self._open[-1][0] == name:
                    self._open.pop()
            else:
                self._begin(tag[0], name, attributes)
                if name in _RAW:
                    end = html.find(f"</{name}", at)
                    end = len(html) if end < 0 else end
                    self._raw(html[at:end], attributes)
                    at = end
                elif name == "metadata" and "data-points" in attributes:
                    end = len(html) if (end := html.find("<", at)) < 0 else end
                    readings = with_texts(_as_it_reads(html[at:end]), self._converter.text)
                    self._out.append(escape(readings, quote=False))
                    at = end
                if name == "main" and notice:
                    self._out.append('\n<p class="derived">')
                    self._text(escape(notice))
                    self._out.append("</p>")
        self._text(html[at:])

    @property
    def _converts(self) -> bool:
        return not self._open or self._open[-1][1]

    def _text(self, text: str, *, label: bool = False) -> None:
        if self._converts and (is_chinese(text) or self._ends_quote(text)):
            (self._labels if label else self._texts).append(len(self._out))
            self._quotes = max(0, self._quotes + text.count("“") - text.count("”"))
        self._out.append(text)

    def _ends_quote(self, text: str) -> bool:
        """Whether a text without Chinese has quotation marks of a Chinese sentence with words in tags."""
        return ("”" in text and self._quotes > 0) or _QUOTES_ALONE.fullmatch(text) is not None

    def _raw(self, text: str, attributes: str) -> None:
        if "ld+json" in attributes:
            text = with_texts(text, lambda one: self._converter.text(self._book.swapped(one)))
            text = text.replace("<", "\\u003c")
        elif "application/json" in attributes:
            text = with_texts(text, self._turned).replace("<", "\\u003c")
        self._out.append(text)

    def _turned(self, text: str) -> str:
        """A label or a part of a drawing that readers turn, in a talk that is one file."""
        if is_html(text):
            return converted_page(text, self._settings, noticed=False)
        return self._converter.labels([text])[0]

    def _begin(self, tag: str, name: str, attributes: str) -> None:
        begins = self._converts
        if attributes and ("zh" in attributes or "lang" in attributes or is_chinese(attributes)):
            found = {one.name: one.value for one in attributes_in(attributes)}
            if (word := found.get("data-word")) in ("zh", TRADITIONAL) and "href" in found:
                tag, converts = self._toggle_word(tag, word), False
            else:
                lang = found.get("lang")
                converts = begins if lang is None else lang in (_SIMPLIFIED, _TRADITIONAL)
                tag = self._tag(
                    tag, name, converts=converts, names_version=name == "link" and "hreflang" in found
                )
        else:
            converts = begins
        self._out.append(tag)
        if name in VOID or attributes.endswith("/"):
            return
        converts = converts and name not in _AS_IT_IS
        if converts != begins or (self._open and self._open[-1][0] == name):
            self._open.append((name, converts))

    def _toggle_word(self, tag: str, word: str) -> str:
        """The two words for Chinese change places; neither changes its address."""
        current = ' aria-current="true"'
        if word == "zh":
            self._is_shown = current in tag
            return tag.replace(current, "")
        return f"{tag[:-1]}{current}>" if self._is_shown else tag

    def _tag(self, tag: str, name: str, *, converts: bool, names_version: bool) -> str:
        """A tag with its texts, language and addresses; a link to the versions of the page keeps them."""
        if names_version:
            return tag
        if name == "meta" and 'property="og:locale' in tag:
            zh, hant = LOCALES["zh"], locale_of(self._settings.spelling.variant)
            return tag.replace(zh, hant) if zh in tag else tag.replace(hant, zh)
        tag = tag.replace(f'lang="{_SIMPLIFIED}"', f'lang="{_TRADITIONAL}"')
        tag = tag.replace("data-following-zh-hans=", "data-following-zh-hant=")
        tag = tag.replace('data-lang="zh-CN"', 'data-lang="zh-TW"')
        tag = self._book.swapped(tag)
        return self._spoken(tag, name) if converts and is_chinese(tag) else tag

    def _spoken(self, tag: str, name: str) -> str:
        """A tag with the attributes converted that readers see or hear."""
        out, at, begins = [], 0, len(name) + 1
        for one in attributes_in(tag[begins:], begins):
            is_text = one.name in _SPOKEN or (one.name.startswith("data-") and one.name not in _KEYS)
            if is_text and is_chinese(one.value):
                value = escape(self._converter.text(one.value), quote=False).replace('"', "&quot;")
                out += [tag[at : one.start], one.source[: len(one.name)], f'="{value}"']
                at = one.start + len(one.source)
        return "".join((*out, tag[at:]))


def _as_it_reads(text: str) -> str:
    """A text of HTML without character references."""
    return unescape(text) if "&" in text else text
