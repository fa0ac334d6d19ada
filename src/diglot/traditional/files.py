"""Converts files that are no pages: feeds, Markdown, tables, and JSON that pages and programs read."""

import re
from collections.abc import Callable
from functools import partial
from xml.sax.saxutils import escape, unescape

from diglot.languages import HTML_LANG, TRADITIONAL
from diglot.spelling.conversion import converter
from diglot.traditional.addresses import address_book
from diglot.traditional.json_texts import with_texts
from diglot.traditional.pages import converted_page
from diglot.traditional.settings import Settings

_SIMPLIFIED, _TRADITIONAL = HTML_LANG["zh"], HTML_LANG[TRADITIONAL]
_HTML = re.compile(r"<[A-Za-z/]")
_ELEMENT = re.compile(r"(<(\w+)[^>]*>)([^<]*)")
_ATTRIBUTES_WITH_TEXT = re.compile(r'(?<= label=")[^"]*')
_FENCED = re.compile(
    r"^([ >]*(?:(?:[-*+]|\d+[.)])[ \t]+)*)(`{3,}|~{3,})[^\n]*\n.*?(?:^[ >]*\2[`~]*[ \t]*$|\Z)",
    re.MULTILINE | re.DOTALL,
)
_CODE_OR_FORMULA = re.compile(
    r"(?<!`)(`+)(?!`)(?:(?!\n\s*\n).)+?(?<!`)\1(?!`)|\$\$(?:(?!\n\s*\n).)+?\$\$|\$(?![\s$])[^$\n]*(?<!\s)\$(?!\d)",
    re.DOTALL,
)
"""Within a paragraph: a mark without its twin begins nothing."""


def converted_file(path: str, content: bytes, settings: Settings, *, noticed: bool) -> bytes:
    """A file in traditional characters, as the end of its name says what it is."""
    text = content.decode()
    match path.rpartition(".")[2]:
        case "html":
            return converted_page(text, settings, noticed=noticed).encode()
        case "json":
            return converted_json(text, settings, labels=".states." in path).encode()
        case "xml":
            return converted_feed(text, settings).encode()
        case "csv":
            return converter(settings.spelling).text(text).encode()
        case _:
            return converted_markdown(text, settings).encode()


def converted_text(text: str, settings: Settings) -> str:
    """A text without HTML, with the addresses in it."""
    return converter(settings.spelling).text(_swapper(settings)(text))


def converted_json(content: str, settings: Settings, *, labels: bool = False) -> str:
    """JSON with texts and HTML; texts keep their length if they are `labels` of a drawing."""
    said = _said(settings, labels=labels)

    def convert(text: str) -> str:
        return converted_page(text, settings, noticed=False) if _HTML.search(text) else said(text)

    return with_texts(content, convert)


def converted_feed(content: str, settings: Settings) -> str:
    """An Atom feed, with the HTML in it."""
    said = _said(settings)

    def element(found: re.Match[str]) -> str:
        tag, name, text = found.groups()
        tag = tag.replace(f'lang="{_SIMPLIFIED}"', f'lang="{_TRADITIONAL}"')
        tag = _ATTRIBUTES_WITH_TEXT.sub(lambda label: said(label[0]), _swapper(settings)(tag))
        if name == "content":
            return tag + escape(converted_page(unescape(text), settings, noticed=False))
        return tag + said(text)

    return _ELEMENT.sub(element, content)


def converted_markdown(content: str, settings: Settings) -> str:
    """An article as Markdown, without its code and formulas. Below the title it says that it is converted."""
    out, at = [], 0
    title, _, rest = content.partition("\n")
    content = f"{title}\n\n> {settings.notice}\n{rest}"
    for fence in _FENCED.finditer(content):
        out += [_prose(content[at : fence.start()], settings), fence[0]]
        at = fence.end()
    return "".join((*out, _prose(content[at:], settings)))


def _prose(text: str, settings: Settings) -> str:
    said, out, at = _said(settings), [], 0
    for kept in _CODE_OR_FORMULA.finditer(text):
        out += [said(text[at : kept.start()]), kept[0]]
        at = kept.end()
    return "".join((*out, said(text[at:])))


def _said(settings: Settings, *, labels: bool = False) -> Callable[[str], str]:
    if labels:
        return lambda text: converter(settings.spelling).labels([text])[0]
    return partial(converted_text, settings=settings)


def _swapper(settings: Settings) -> Callable[[str], str]:
    """Swaps the addresses in a text."""
    return address_book(settings.base_url, settings.stamp).swapped
