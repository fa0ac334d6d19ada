"""Boxes of other systems (notes, alerts, callouts) as admonitions, and pieces that several systems share."""

import re
import textwrap

from diglot.importing.text.body import Body
from diglot.importing.words import words

_KINDS = ("note", "tip", "important", "warning", "caution")
_KIND_OF = {word: kind for kind in _KINDS for word in words(kind)}


def admonition_kind(word: str) -> str | None:
    """The kind of admonition for a word in a box's name; None if it means none."""
    return _KIND_OF.get(word.lower())


def admonition(kind: str, title: str, content: str, indent: str = "") -> str:
    """An admonition on lines of its own, with more colons than any inside it."""
    inside = textwrap.dedent(content.strip("\n")).strip()
    longest = max((len(run) for run in re.findall("^:{3,}", inside, re.MULTILINE)), default=2)
    colons = ":" * (longest + 1)
    heading = " ".join(title.split())
    block = f"{colons}{{{kind}}}{f' {heading}' if heading else ''}\n{inside}\n{colons}"
    return f"\n{textwrap.indent(block, indent)}\n"


def fence(language: str, code: str, indent: str = "") -> str:
    """A code block, with more backticks than any inside it."""
    inside = code.strip("\n")
    longest = max((len(run) for run in re.findall("`{3,}", inside)), default=2)
    ticks = "`" * (longest + 1)
    return f"{ticks}{language}\n{inside}\n{indent}{ticks}"


def picture(
    source: str, *, alt: str = "", title: str = "", width: str = "", link: str = "", caption: str = ""
) -> str:
    """A picture with options of other systems' figures; its caption becomes a paragraph below it."""
    target = f"<{source}>" if re.search(r"[\s()]", source) else source
    shown = '"' + title.replace('"', "'") + '"'
    image = f"![{plain(alt)}]({target}{f' {shown}' if title else ''})"
    if found := re.fullmatch(r"([0-9]+)(px|%)?", width.strip()):
        image += f"{{width={found[1]}{'%' if found[2] == '%' else ''}}}"
    if link:
        image = f"[{image}]({link})"
    return f"{image}\n\n{caption}" if caption else image


def plain(text: str) -> str:
    """A text on one line that can be put between brackets in Markdown."""
    return " ".join(re.sub(r"<[^<>]+>", "", text).replace("[", r"\[").replace("]", r"\]").split())


VIDEOS = {
    "youtube": "https://www.youtube.com/watch?v={}",
    "bilibili": "https://www.bilibili.com/video/{}",
    "vimeo": "https://vimeo.com/{}",
    "gist": "https://gist.github.com/{}",
    "jsfiddle": "https://jsfiddle.net/{}",
}
"""Addresses of what other systems embed, to which a link leads instead."""


def embed_link(name: str, words: list[str]) -> str | None:
    """A link to what `name` would embed; None if no address is known."""
    pattern = VIDEOS.get(name.lower())
    if pattern is None or not words:
        return None
    what = "/".join(words[:2]) if name == "gist" else words[0]
    return f"<{pattern.format(what)}>"


def report_unknown(body: Body, found: re.Match[str]) -> None:
    """Report a tag that refers to something the source does not have."""
    body.report(
        found.start(),
        f"{found[0]} names nothing in the source",
        "write the article's address, /posts/<slug>/.",
    )


def report_embed(body: Body, found: re.Match[str]) -> None:
    """Report that a link has replaced the page that the source embedded there."""
    body.report(
        found.start(),
        f"{found[0]} was an embedded page; a link leads to it",
        "nothing, or put its <iframe> there.",
    )
