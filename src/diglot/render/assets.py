"""Published names of static files: they contain a digest, so that browsers may cache them forever."""

import posixpath
import re
from collections.abc import Callable
from functools import lru_cache

from diglot.figures.palette import COLOURS, css_colour

FOLDER = "assets"
_URL = re.compile(r"""/\*.*?\*/|url\(\s*(?P<quote>["']?)(?P<target>[^"')]+)(?P=quote)\s*\)""", re.DOTALL)
"""Matches an address, or a comment, so that addresses inside comments are skipped."""
_COMMENT = re.compile(r"^[ \t]*(?:/\*.*?\*/|//[^\n]*)|^[ \t]+", re.DOTALL | re.MULTILINE)
"""Matches the beginning of a line that is not code: indentation, or a comment."""
_TEXT = r"""(?P<text>"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+')"""
"""A string of a style sheet, which stays as it is."""
_GAP = re.compile(rf"{_TEXT}|(?:\s|/\*.*?\*/)+", re.DOTALL)
_SIGN = re.compile(rf"{_TEXT}|;? ?(?P<end>\}}) ?| ?(?P<sign>[{{;,]) ?|(?<=:) ")
"""Signs with the spaces about them that mean nothing. One before a colon does: `.a :hover`."""
_COLOUR = re.compile(rf"palette\(({'|'.join(COLOURS)})\)")


def hashed_name(name: str, digest: str) -> str:
    """`fonts/a.woff2` with digest 3f9a1c2b… as `fonts/a.3f9a1c2b.woff2`."""
    stem, ending = posixpath.splitext(name)
    return f"{stem}.{digest[:8]}{ending}"


def css_references(css: str, name: str) -> dict[str, int]:
    """The static files that a style sheet names with `url(…)`, each with the line of its first use.

    Names are relative to `static/`; `name` is the style sheet's own. Whole addresses, `data:` and `#ids` are
    left out.
    """
    found: dict[str, int] = {}
    for match in _URL.finditer(css):
        if match["target"] and _is_file(match["target"]):
            found.setdefault(_resolved(match["target"], name), css.count("\n", 0, match.start()) + 1)
    return found


def rewrite_css(css: str, name: str, published: Callable[[str], str]) -> str:
    """The style sheet with published names in `url(…)`, and with figures' colours for `palette(gpu3)`.

    `published` returns the hashed name of a static file; the new addresses are relative to the style sheet's
    folder.
    """

    def rewritten(match: re.Match[str]) -> str:
        target = match["target"]
        if target is None or not _is_file(target):
            return match[0]
        path, mark, fragment = target.partition("#")
        address = posixpath.relpath(published(_resolved(path, name)), posixpath.dirname(name) or ".")
        return f'url("{address}{mark}{fragment}")'

    return _COLOUR.sub(lambda match: css_colour(match[1]), _URL.sub(rewritten, css))


@lru_cache(64)  # a preview builds many times, and so do tests
def without_comments(script: str) -> str:
    """A script of the built-in theme, without indentation and comments that begin a line.

    Lines keep their numbers. It does not read JavaScript: a text that goes over several lines would lose its
    indentation. The built-in theme has none, which a test checks.
    """
    return _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), script)


@lru_cache(64)
def without_gaps(css: str) -> str:
    """A style sheet without comments, and without white space that separates nothing."""
    spaced = _GAP.sub(lambda match: match["text"] or " ", css).strip()
    return _SIGN.sub(lambda match: match["text"] or match["end"] or match["sign"] or "", spaced)


def _is_file(target: str) -> bool:
    return not target.startswith(("data:", "#", "/", "https:", "http:"))


def _resolved(target: str, name: str) -> str:
    return posixpath.normpath(
        posixpath.join(posixpath.dirname(name), target.partition("#")[0].partition("?")[0])
    )
