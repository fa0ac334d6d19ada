"""Published names of static files: a digest in the name, so that browsers may keep them for ever."""

import posixpath
import re
from collections.abc import Callable, Mapping

from diglot.digests import digest_of

FOLDER = "assets"
_URL = re.compile(r"""url\(\s*(?P<quote>["']?)(?P<target>[^"')]+)(?P=quote)\s*\)""")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def hashed_name(name: str, digest: str) -> str:
    """`fonts/a.woff2` with digest 3f9a1c2b… as `fonts/a.3f9a1c2b.woff2`."""
    stem, ending = posixpath.splitext(name)
    return f"{stem}.{digest[:8]}{ending}"


def css_references(css: str, name: str) -> tuple[str, ...]:
    """The static files that a style sheet names with `url(…)`, each once, as names beside `static/`.

    Whole addresses, `data:` and `#ids` are left out; `name` is the style sheet's own.
    """
    targets = (match["target"] for match in _URL.finditer(_COMMENT.sub("", css)))
    return tuple(dict.fromkeys(_resolved(target, name) for target in targets if _is_file(target)))


def rewrite_css(css: str, name: str, published: Callable[[str], str]) -> str:
    """The style sheet with its `url(…)` leading to published names, relative to its own folder.

    `published` gives the hashed name of a static file.
    """

    def rewritten(match: re.Match[str]) -> str:
        target = match["target"]
        if not _is_file(target):
            return match[0]
        path, mark, fragment = target.partition("#")
        address = posixpath.relpath(published(_resolved(path, name)), posixpath.dirname(name) or ".")
        return f'url("{address}{mark}{fragment}")'

    return _URL.sub(rewritten, css)


def publish_assets(files: Mapping[str, bytes]) -> tuple[dict[str, str], dict[str, bytes]]:
    """Static files under their published names: name → path from the site's root, and path → content.

    Style sheets are named after what they say once rewritten, so that a new font gives a new style sheet.
    Raises KeyError for a file that a style sheet names and that is not there; `css_references` tells before.
    """
    names = {name: hashed_name(name, digest_of(content)) for name, content in files.items()}
    contents = dict(files)
    for name in sorted(files):
        if name.endswith(".css"):
            contents[name] = rewrite_css(files[name].decode(), name, names.__getitem__).encode()
            names[name] = hashed_name(name, digest_of(contents[name]))
    paths = {name: f"{FOLDER}/{published}" for name, published in names.items()}
    return paths, {paths[name]: content for name, content in contents.items()}


def _is_file(target: str) -> bool:
    return not target.startswith(("data:", "#", "/", "https:", "http:"))


def _resolved(target: str, name: str) -> str:
    return posixpath.normpath(
        posixpath.join(posixpath.dirname(name), target.partition("#")[0].partition("?")[0])
    )
