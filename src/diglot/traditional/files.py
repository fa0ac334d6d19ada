"""Converts files that are no pages: feeds, Markdown, tables, and JSON that pages and programs read."""

import csv
import re
from collections.abc import Callable
from functools import partial
from io import StringIO
from xml.sax.saxutils import escape, unescape

from msgspec.structs import replace

from diglot.languages import HTML_LANG, TRADITIONAL
from diglot.spelling.conversion import converter
from diglot.traditional.addresses import address_book
from diglot.traditional.json_texts import with_texts
from diglot.traditional.pages import converted_page, is_html
from diglot.traditional.settings import Settings

_SIMPLIFIED, _TRADITIONAL = HTML_LANG["zh"], HTML_LANG[TRADITIONAL]
_ELEMENT = re.compile(r"(<(\w+)[^>]*>)([^<]*)")
_ATTRIBUTES_WITH_TEXT = re.compile(r'(?<= label=")[^"]*')
_QUOTED = {'"': "&quot;"}
_UNQUOTED = {"&quot;": '"'}
_FENCED = re.compile(
    r"^([ >]*(?:(?:[-*+]|\d+[.)])[ \t]+)*)(`{3,}|~{3,})[^\n]*\n.*?(?:^[ >]*\2[`~]*[ \t]*$|\Z)",
    re.MULTILINE | re.DOTALL,
)
_CODE_OR_FORMULA = re.compile(
    r"(?<!`)(`+)(?!`)(?:(?!\n\s*\n).)+?(?<!`)\1(?!`)|\$\$(?:(?!\n\s*\n).)+?\$\$|\$(?![\s$])[^$\n]*(?<!\s)\$(?!\d)",
    re.DOTALL,
)
"""Within a paragraph: a mark without its twin begins nothing."""


_ACTIVE = re.compile(r"[\\`*_\[\]<>$~|]|&(?=#?\w+;)")
"""What means something in Markdown; a project's own words mean what they say."""


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
            return converted_table(text, settings).encode()
        case _:
            return converted_markdown(text, settings).encode()


def converted_text(text: str, settings: Settings) -> str:
    """A text without HTML, with the addresses in it."""
    return converter(settings.spelling).text(_swapper(settings)(text))


def converted_json(content: str, settings: Settings, *, labels: bool = False) -> str:
    """JSON with texts and HTML; texts keep their length if they are `labels` of a drawing."""
    said = _said(settings, labels=labels)

    def convert(text: str) -> str:
        return converted_page(text, settings, noticed=False) if is_html(text) else said(text)

    return with_texts(content, convert)


def converted_feed(content: str, settings: Settings) -> str:
    """An Atom feed, with the HTML in it."""
    said = _said(settings)

    def element(found: re.Match[str]) -> str:
        tag, name, text = found.groups()
        tag = tag.replace(f'lang="{_SIMPLIFIED}"', f'lang="{_TRADITIONAL}"')
        tag = _ATTRIBUTES_WITH_TEXT.sub(
            lambda label: escape(said(unescape(label[0], _UNQUOTED)), _QUOTED), _swapper(settings)(tag)
        )
        if name == "content":
            return tag + escape(converted_page(unescape(text), settings, noticed=False))
        return tag + escape(said(unescape(text)))

    return _ELEMENT.sub(element, content)


def converted_table(content: str, settings: Settings) -> str:
    """A table as CSV; a cell is quoted where its new text asks for it."""
    convert, table = converter(settings.spelling).text, StringIO()
    mark = content[: content.startswith(_BYTE_ORDER)]
    rows = csv.reader(StringIO(content[len(mark) :], newline=""))
    ends = "\r\n" if "\r\n" in content else "\n"
    csv.writer(table, lineterminator=ends).writerows(map(convert, row) for row in rows)
    return mark + table.getvalue()


_BYTE_ORDER = "\ufeff"


def converted_markdown(content: str, settings: Settings) -> str:
    """An article as Markdown, without its code and formulas. Below the title it says that it is converted."""
    own = tuple((phrase, _ACTIVE.sub(r"\\\g<0>", text)) for phrase, text in settings.spelling.exceptions)
    settings = replace(settings, spelling=replace(settings.spelling, exceptions=own))
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
