"""Converts Jekyll's Liquid in a body where it is recognised. Nothing is executed; the rest is reported."""

import posixpath
import re
from collections.abc import Callable

from diglot.importing.readers.source_files import decoded
from diglot.importing.source_folder import SourceFolder, Unreadable
from diglot.importing.text.body import Body
from diglot.importing.text.containers import (
    admonition,
    admonition_kind,
    embed_link,
    fence,
    picture,
    report_embed,
    report_unknown,
)
from diglot.importing.text.fences import code_info
from diglot.importing.text.kramdown import convert_kramdown
from diglot.importing.words import words

_RAW = re.compile(r"\{%-?\s*raw\s*-?%\}(.*?)\{%-?\s*endraw\s*-?%\}", re.DOTALL)
_COMMENT = re.compile(r"\{%-?\s*comment\s*-?%\}(.*?)\{%-?\s*endcomment\s*-?%\}", re.DOTALL)
_HIGHLIGHT = re.compile(
    r"^(?P<indent>[ \t]*)\{%-?\s*highlight\s+(?P<language>[^\s%]+)(?P<options>[^%]*?)-?%\}[ \t]*\n?"
    r"(?P<code>.*?)\{%-?\s*endhighlight\s*-?%\}",
    re.DOTALL | re.MULTILINE,
)
_CAPTURE = re.compile(r"[ \t]*\{%-?\s*capture\s+([\w-]+)\s*-?%\}(.*?)\{%-?\s*endcapture\s*-?%\}", re.DOTALL)
_INCLUDE = re.compile(r"\{%-?\s*(include|include_relative|include_cached)\s+([^\s%]+)\s*([^%]*?)-?%\}")
_PARAMETER = re.compile(r"""([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))""")
_POST = re.compile(r"\{%-?\s*(post_url|link)\s+([^\s%]+)\s*-?%\}")
_BASE = re.compile(
    r"\{\{-?\s*site\.(?:baseurl|url)\s*-?\}\}|\{\{-?\s*(?:site\.url\s*\|\s*append:\s*site\.baseurl|site\.baseurl\s*\|\s*prepend:\s*site\.url)\s*-?\}\}"
)
_ADDRESS = re.compile(
    r"""\{\{-?\s*(["'])(?P<path>[^"'{}]*)\1\s*(?:\|\s*(?:relative_url|absolute_url|(?:prepend|append):\s*site\.(?:baseurl|url))\s*)+-?\}\}"""
)
_TITLE = re.compile(r"\{\{-?\s*page\.title\s*-?\}\}")
_STRING = re.compile(r"""\{\{-?\s*(["'])([^"'{}]*)\1\s*-?\}\}""")
_LEFT = re.compile(r"\{%-?\s*([\w-]+)[^%]*%\}|\{\{-?[^{}]*\}\}")
_BOXES = words("includes of boxes")
_PICTURE_NAME = re.compile(r"fig|image|img|picture|photo", re.IGNORECASE)

_MOST_INCLUDED = 2_000_000
"""Characters that are brought into an article by includes."""
HIDDEN = "\ue000"
"""Marks Liquid that is only shown: put between its braces until all other Liquid is converted."""


def bring_in_includes(body: Body, folder: SourceFolder) -> None:
    """Insert included Markdown in place of its include tag, as in bilingual posts that capture includes.

    Liquid between `raw` tags is hidden from later steps until `show_raw` shows it.
    """
    body.substitute(_RAW, lambda found: _hidden(found[1]), in_code=True)
    budget = [_MOST_INCLUDED]
    for _ in range(4):  # an included file may include another
        before = body.text
        body.substitute(_INCLUDE, lambda found: _included(body, found, folder, budget))
        if body.text == before:
            break
    captured: dict[str, str] = {}

    def keep(found: re.Match[str]) -> str | None:
        name = found[1]
        if not re.search(rf"\{{\{{-?\s*{re.escape(name)}\s*\|\s*markdownify\s*-?\}}\}}", body.text):
            return None
        captured[name] = found[2]
        return found[2].strip("\n") + "\n"

    body.substitute(_CAPTURE, keep)
    for name in captured:
        shown = re.compile(rf"[ \t]*\{{\{{-?\s*{re.escape(name)}\s*\|\s*markdownify\s*-?\}}\}}[ \t]*\n?")
        body.substitute(shown, lambda found: "", in_code=True)


def _included(body: Body, found: re.Match[str], folder: SourceFolder, budget: list[int]) -> str | None:
    beside = found[1] == "include_relative"
    path = posixpath.normpath(
        posixpath.join(posixpath.dirname(body.path) if beside else "_includes", found[2])
    )
    if not path.lower().endswith((".md", ".markdown", ".txt")) or path not in folder.files:
        return None
    try:
        text = decoded(folder.file(path).read_bytes())
    except Unreadable:
        return None
    if len(text) > budget[0]:  # files that include each other many times never end
        return None
    budget[0] -= len(text)
    body.included.add(path)
    return _RAW.sub(lambda raw: _hidden(raw[1]), text)


def _hidden(text: str) -> str:
    return text.replace("{{", f"{{{HIDDEN}{{").replace("{%", f"{{{HIDDEN}%")


def show_raw(body: Body) -> None:
    """Show the Liquid that was hidden because it is only meant to be shown."""
    body.substitute(re.compile(HIDDEN), lambda found: "", in_code=True)


def convert_jekyll(body: Body, title: str, address_of: Callable[[str], str | None]) -> None:
    """Convert Liquid and kramdown; `address_of` returns the new address for the name of a post or file."""
    body.substitute(_COMMENT, lambda found: f"<!--{found[1].replace('--', '- -')}-->")
    body.substitute(
        _HIGHLIGHT,
        lambda found: (
            found["indent"]
            + fence(code_info(found["language"], found["options"])[0], found["code"], found["indent"])
        ),
        in_code=True,
    )
    body.substitute(
        _ADDRESS, lambda found: found["path"] if found["path"].startswith("/") else f"/{found['path']}"
    )
    body.substitute(_BASE, lambda found: "")

    def post(found: re.Match[str]) -> str | None:
        address = address_of(found[2])
        if address is None:
            report_unknown(body, found)
        return address

    body.substitute(_POST, post)
    body.substitute(_TITLE, lambda found: title)
    body.substitute(_STRING, lambda found: found[2])
    body.substitute(_INCLUDE, lambda found: _picture(found) or _box(found))
    body.substitute(
        re.compile(r"\{%-?\s*(youtube|vimeo|gist|bilibili)\s+([^\s%]+)[^%]*%\}"),
        lambda found: _embed(body, found),
    )
    convert_kramdown(body)
    report_liquid(body)


def _given(found: re.Match[str]) -> dict[str, str]:
    """The parameters of an include."""
    return {
        match[1].lower(): match[2] or match[3] or match[4] or "" for match in _PARAMETER.finditer(found[3])
    }


def _picture(found: re.Match[str]) -> str | None:
    """The picture for an include that shows one, recognised by its name and parameters; else None."""
    given = _given(found)
    source = next(
        (given[key] for key in ("src", "url", "path", "image_path", "file", "image") if given.get(key)), ""
    )
    if not source or not _PICTURE_NAME.search(found[2]) or "{{" in source:
        return None
    caption = given.get("caption", "") or given.get("description", "")
    return picture(
        source,
        alt=given.get("alt", "") or caption,
        title=given.get("title", ""),
        width=given.get("width", ""),
        link=given.get("link", "") or given.get("href", ""),
        caption=caption,
    )


def _box(found: re.Match[str]) -> str | None:
    """The admonition for an include that shows a box, recognised by its name and parameters; else None."""
    name = posixpath.splitext(posixpath.basename(found[2]))[0].lower()
    given = _given(found)
    text = next((given[key] for key in ("content", "text", "body", "message") if given.get(key)), "")
    if name not in _BOXES or not text or "{{" in text:
        return None
    kinds = (given.get("type"), given.get("kind"), given.get("class"), given.get("style"), name)
    kind = next((kind for word in kinds if word and (kind := admonition_kind(word))), "note")
    return admonition(kind, given.get("title", ""), text.replace("<br>", "\n\n"))


def _embed(body: Body, found: re.Match[str]) -> str | None:
    link = embed_link(found[1], [found[2].strip("\"'")])
    report_embed(body, found)
    return link


def report_liquid(body: Body) -> None:
    """Report all remaining Liquid, which stays in the text."""
    for found in _LEFT.finditer(body.text):
        if body.is_code(found.start()):
            continue
        what = " ".join(found[0].split())
        body.report(
            found.start(),
            f"{what[:100]} is Liquid, which is not run; it stays in the text",
            "write what it would have given, or delete it.",
        )
