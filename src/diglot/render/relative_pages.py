"""Pages with relative addresses, which browsers can open from files as well."""

import posixpath
import re
from collections.abc import Sequence
from functools import partial
from html import escape, unescape
from urllib.parse import urlsplit

from diglot.content.css import pieces_of_css
from diglot.html_tags import PAINTED, end_of_raw_text, tags_of

SCRIPT_PATH = "assets/files.js"
"""The script with which such pages read data (`files.js` next to this module)."""

_TAG = re.compile(r"""<[A-Za-z](?:[^>"']+|"[^"]*"|'[^']*')*+>""")
_ATTRIBUTE = re.compile(r"""(?<=\s)([^\s=>"'/]+)=(["'])(.*?)\2""", re.DOTALL)
_WITH_ADDRESS = frozenset(
    ("href", "xlink:href", "src", "poster", "data", "action", "formaction", "cite", "background")
)
"""Attributes that hold an address, as do those of templates and scripts that begin with `data-`."""
_IN_SRCSET = re.compile(r"(?<!\S)\S+")
_OF_SERVERS = re.compile(r'\n?<link rel="(?:preload|manifest)"[^>]*>')
"""What browsers fetch only from servers: opened from files, each would be an error."""


def relative_page(html: str, page: str, base_url: str) -> str:
    """A page whose addresses of this site are relative, and end in a file's name.

    `page` is its path, percent-encoded. Canonical addresses, and all others that are whole because programs
    read them, stay as they are.
    """
    there = _TAG.sub(lambda tag: _relative_tag(tag[0], page, base_url), _OF_SERVERS.sub("", html))
    if "<style" in there:
        there = _with_relative_styles(there, page, base_url)
    if "<script src=" not in there:
        return there
    script = relative_address(SCRIPT_PATH, page)
    return there.replace("</head>", f'<script src="{script}"></script>\n</head>', 1)


def relative_address(path: str, page: str) -> str:
    """The address of a path from the site's root, on the page at `page`; both percent-encoded."""
    found = re.match(r"[^?#]*", path)
    inside = found[0] if found else ""
    file = f"{inside}index.html" if inside == "" or inside.endswith("/") else inside
    relative = posixpath.relpath(file, posixpath.dirname(page) or ".")
    first = relative.partition("/")[0]
    return f"{'./' if ':' in first else ''}{relative}{path[len(inside) :]}"


def data_script(content: bytes) -> bytes:
    """A file of JSON as a script, which pages may load where they may not fetch."""
    return b"document.currentScript.found = " + content + b";\n"


def _relative_tag(tag: str, page: str, base_url: str) -> str:
    path = urlsplit(base_url).path
    if not re.search(rf"""[\"'=\s(](?:{re.escape(base_url)}|{re.escape(path)})(?!>)""", tag):
        return tag  # as nearly all of a drawing
    # Links of talks and embedded figures are whole.
    bases = (path, base_url) if tag.startswith(("<a ", "<a\n")) else (path,)
    return _ATTRIBUTE.sub(partial(_relative_attribute, page=page, bases=bases), tag)


def _relative_attribute(found: re.Match[str], *, page: str, bases: Sequence[str]) -> str:
    name, mark, value = found.groups()
    if name in _WITH_ADDRESS or name.startswith("data-"):
        value = _relative(value, page, bases)
    elif name in ("srcset", "imagesrcset"):
        value = _IN_SRCSET.sub(lambda one: _relative(one[0], page, bases), value)
    elif "url(" in value and (name == "style" or name in PAINTED):
        value = escape(_relative_css(unescape(value), page, bases))
    elif name == "content" and "url=" in value:  # a page that leads on at once
        start, _, target = value.partition("url=")
        value = f"{start}url={_relative(target, page, bases)}"
    return f"{name}={mark}{value}{mark}"


def _with_relative_styles(html: str, page: str, base_url: str) -> str:
    """A page whose style sheets inside have relative addresses, too."""
    bases, out, at = (urlsplit(base_url).path,), [], 0
    for tag in tags_of(html):
        if tag.name == "style" and tag.opens:
            end = end_of_raw_text(html, "style", tag.end)
            out += [html[at : tag.end], _relative_css(html[tag.end : end], page, bases)]
            at = end
    return "".join((*out, html[at:]))


def _relative_css(css: str, page: str, bases: Sequence[str]) -> str:
    pieces = pieces_of_css(css)
    return "".join(one if isinstance(one, str) else _relative(one.target, page, bases) for one in pieces)


def _relative(address: str, page: str, bases: Sequence[str]) -> str:
    for base in bases:
        if address.startswith(base) and not address.startswith("//"):
            return relative_address(address.removeprefix(base), page)
    return address
