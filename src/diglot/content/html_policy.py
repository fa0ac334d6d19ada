"""HTML under `html: safe`: scripts, handlers and frames are removed, each with a warning.

Under `html: none`, tags are text, and what Markdown's own attributes may do is the same.

nh3, which reads HTML as browsers do, cleans it. It needs whole elements, but an element may contain Markdown,
and so span several tokens. Therefore all tags from an element's beginning to its end are cleaned at once,
with a mark in place of what is between them, and are then split into their tokens again.
"""

import re
from collections.abc import Sequence
from html.parser import HTMLParser

from markdown_it.token import Token

from diglot.content.attributes import LINES_OF_ATTRIBUTES
from diglot.content.html_names import attribute_slip, fix_of_element, is_attribute, is_element
from diglot.content.mistakes import Mistakes
from diglot.content.raw_html import update_open_elements
from diglot.project import HtmlPolicy
from diglot.web_addresses import HARMLESS, runs_nothing

_WITH_CONTENT = frozenset(
    re.findall(
        r"\w+",
        "script style iframe frame frameset noframes object embed applet noscript template svg math title "
        "textarea",
    )
)
"""Elements that are removed with their content."""

KNOWN_TAGS = frozenset(
    re.findall(
        r"\w+",
        """
        a abbr address area article aside audio b bdi bdo blockquote br caption center cite code col
        colgroup data dd del details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header
        hgroup hr i img ins kbd li main map mark meter nav ol p picture pre progress q rp rt ruby s samp
        search section small source span strike strong sub summary sup table tbody td tfoot th thead time
        tr track tt u ul var video wbr
        """,
    )
)
_ATTRIBUTES = {
    "*": {"class", "id", "lang", "dir", "title", "role", "translate", "align", "valign", "width", "height"},
    "a": {"href", "hreflang", "name", "rel", "target", "download"},
    "area": {"href", "alt", "coords", "shape"},
    "audio": {"src", "controls", "loop", "muted", "preload"},
    "blockquote": {"cite"},
    "col": {"span"},
    "colgroup": {"span"},
    "data": {"value"},
    "del": {"cite", "datetime"},
    "details": {"open", "name"},
    "img": {"src", "alt", "srcset", "sizes", "loading", "decoding", "usemap"},
    "ins": {"cite", "datetime"},
    "li": {"value"},
    "map": {"name"},
    "meter": {"value", "min", "max", "low", "high", "optimum"},
    "ol": {"start", "type", "reversed"},
    "progress": {"value", "max"},
    "q": {"cite"},
    "source": {"src", "srcset", "sizes", "type", "media"},
    "td": {"colspan", "rowspan", "headers"},
    "th": {"colspan", "rowspan", "headers", "scope", "abbr"},
    "time": {"datetime"},
    "track": {"src", "kind", "srclang", "label", "default"},
    "video": {"src", "poster", "controls", "loop", "muted", "autoplay", "playsinline", "preload"},
}
_PREFIXES = ("aria-",)
_HOLD_ADDRESSES = frozenset(("href", "src", "cite", "poster"))
_IN_BRACES = _ATTRIBUTES["*"] | {
    *("href", "src", "alt", "start", "hreflang", "rel", "target", "download", "loading", "decoding")
}
"""Attributes that `{key=value}` may set, and those that Markdown itself sets."""


def clean_blocks(tokens: Sequence[Token], first_line: int, mistakes: Mistakes, policy: HtmlPolicy) -> None:
    """Clean the HTML blocks of a half in place. Elements that are never closed stay: they are errors."""
    region: list[Token] = []
    open_elements: list[str] = []
    for token in tokens:
        _clean_attributes(token, first_line, mistakes, policy)
        if token.type not in ("html_block", "html_open", "html_close"):
            continue
        region.append(token)
        if update_open_elements(token.content, open_elements) is not None:
            return
        if not open_elements:
            _clean(region, [first_line + (one.map[0] if one.map else 0) for one in region], mistakes)
            region = []


def clean_inlines(
    tokens: Sequence[Token], line: int, mistakes: Mistakes, policy: HtmlPolicy
) -> Sequence[Token]:
    """The inline tokens of a text with clean HTML, without those inside a removed element."""
    region: list[int] = []
    lines: list[int] = []
    open_elements: list[str] = []
    for index, token in enumerate(tokens):
        _clean_attributes(token, line, mistakes, policy)
        if token.type == "html_inline":
            region.append(index)
            lines.append(line)
            if update_open_elements(token.content, open_elements) is not None:
                return tokens
            line += token.content.count("\n")
        elif token.type in ("softbreak", "hardbreak"):
            line += 1
    if not region or open_elements:
        return tokens
    gone = _clean([tokens[index] for index in region], lines, mistakes)
    inside = {n for at in gone for n in range(region[at] + 1, region[at + 1])}
    return [token for n, token in enumerate(tokens) if n not in inside]


def _clean(tokens: Sequence[Token], lines: Sequence[int], mistakes: Mistakes) -> list[int]:
    """Clean the HTML of tokens that together are whole elements.

    Returns the indices of tokens after which everything up to the next one is inside a removed element.
    """
    for token, line in zip(tokens, lines, strict=True):
        _Unsafe(line, mistakes).feed(token.content)
    cleaned = _cleaned([token.content for token in tokens])
    gone = []
    for index, (token, html) in enumerate(zip(tokens, cleaned, strict=True)):
        token.meta["line_breaks"] = token.content.count("\n")
        token.content = html or ""
        if html is None:
            gone.append(index - 1)
    return gone


def cleaned(html: str, line: int, mistakes: Mistakes) -> str:
    """HTML that code on a line has made, without what runs or loads something: each is a warning."""
    _Unsafe(line, mistakes).feed(html)
    return _cleaned([html])[0] or ""


def _cleaned(pieces: Sequence[str]) -> list[str | None]:
    """Pieces of HTML, clean; None for one that is removed together with what precedes it."""
    import nh3  # noqa: PLC0415  (only sites that do not trust their HTML need it)

    mark = "\ue000"
    while any(mark in piece for piece in pieces):
        mark += "\ue000"
    joined = "".join(f"{piece}{mark}{index}\ue001" for index, piece in enumerate(pieces))
    html: str = nh3.clean(
        joined,
        tags=set(KNOWN_TAGS),
        clean_content_tags=set(_WITH_CONTENT),
        attributes={name: set(known) for name, known in _ATTRIBUTES.items()},
        generic_attribute_prefixes=set(_PREFIXES),
        url_schemes=set(HARMLESS),
        link_rel=None,
    )
    found: list[str | None] = [None] * len(pieces)
    position, first = 0, 0
    for match in re.finditer(f"{mark}([0-9]+)\ue001", html):
        found[first] = html[position : match.start()]
        position, first = match.end(), int(match[1]) + 1
    if (rest := html[position:]) and found[-1] is not None:
        found[-1] += rest
    return found


class _Unsafe(HTMLParser):
    """Warns of what is removed from a piece of HTML."""

    def __init__(self, line: int, mistakes: Mistakes) -> None:
        super().__init__(convert_charrefs=True)
        self._first_line = line
        self._mistakes = mistakes

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        line = self._first_line + self.getpos()[0] - 1
        if tag not in KNOWN_TAGS:
            _warn(f"<{tag}>", line, self._mistakes, fix=_REPLACE if is_element(tag) else fix_of_element(tag))
            return
        known = _ATTRIBUTES["*"] | _ATTRIBUTES.get(tag, set())
        for name, value in attrs:
            if name not in known and not name.startswith(_PREFIXES):
                fix = _DELETE if is_attribute(name) else attribute_slip(name, tag) or _DELETE
                _warn(f"the attribute `{name}` of <{tag}>", line, self._mistakes, fix=fix)
            elif name in _HOLD_ADDRESSES and not runs_nothing(value or ""):
                _warn(f"the address `{name}` of <{tag}>", line, self._mistakes)


def _clean_attributes(token: Token, line: int, mistakes: Mistakes, policy: HtmlPolicy) -> None:
    """Remove unsafe attributes that an author gave in braces; the lines of a block count from `line`."""
    for name in _unsafe_attributes(token):
        below = token.meta.get(LINES_OF_ATTRIBUTES, {}).get(name, token.map[0] if token.map else 0)
        _warn(f"the attribute `{name}`", line + below, mistakes, policy, fix=_DELETE)
        if name in _INSTEAD:
            token.attrs[name] = _INSTEAD[name]
        else:
            del token.attrs[name]


_INSTEAD = {"href": "#", "src": "data:,"}
"""Addresses that lead nowhere, and show nothing."""
_PICTURE_INSIDE = re.compile(r"data:(?:image/(?:gif|png|jpeg|webp);|,$)")


def _unsafe_attributes(token: Token) -> tuple[str, ...]:
    return tuple(
        name
        for name, value in token.attrs.items()
        if (name in _INSTEAD and not (runs_nothing(str(value)) or _PICTURE_INSIDE.match(str(value))))
        or (name not in _IN_BRACES and not name.startswith(_PREFIXES))
    )


_DELETE = "delete it, or set `html: all` if you trust all authors."
_REPLACE = "delete it, write it in Markdown, or set `html: all` if you trust all authors."


def _warn(
    what: str, line: int, mistakes: Mistakes, policy: HtmlPolicy = "safe", *, fix: str = _REPLACE
) -> None:
    message = f"{what} is left out, because the site's configuration says `html: {policy}`"
    mistakes.warn("html-unsafe", message, line, fix)
