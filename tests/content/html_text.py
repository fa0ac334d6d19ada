"""Normalizes HTML for comparisons: sorts attributes, decodes entities, drops layout between blocks."""

import re
from collections.abc import Iterable
from html import escape
from html.parser import HTMLParser

from diglot.content.parser import markdown_parser
from diglot.content.records import Block, Placeholder

BLOCKS = frozenset(
    re.findall(
        r"\w+",
        "address article aside blockquote body dd details div dl dt fieldset figure footer form "
        "h1 h2 h3 h4 h5 h6 header hr html iframe input li main nav ol p pre section summary "
        "table tbody td tfoot th thead tr ul script style textarea del",
    )
)


def html_of(blocks: Iterable[Block]) -> str:
    """The HTML of blocks with the targets of links and images; other placeholders as `⟦kind: target⟧`.

    Of the size of a picture, only what its author gave is there. What is around an image with a dark
    variant is left out.
    """
    return "".join("".join(map(filled, block.parts)) for block in blocks)


def filled(part: str | Placeholder) -> str:
    """The text of a part."""
    if isinstance(part, str):
        return part
    if part.kind in ("link", "image", "file"):
        return escape(part.target)
    if part.kind == "picture-size":
        sides = (("width", part.width), ("height", part.height))
        return "".join(f' {name}="{escape(side)}"' for name, side in sides if side)
    if part.kind in ("picture", "picture-end"):
        return ""
    return f"⟦{part.kind}: {escape(part.target)}⟧"


def _address(address: str) -> str:
    """An address as browsers send it; in placeholders it is as authors write it."""
    return markdown_parser().normalizeLink(address)


def comparable(html: str) -> str:
    """The same text for equivalent HTML; classes of highlighted code are dropped."""
    writer = _Writer()
    writer.feed(html)
    writer.close()
    return writer.text().strip()


class _Writer(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.out: list[str] = []
        self.preformatted = 0

    def text(self) -> str:
        text = "".join(self.out)
        return re.sub(rf"\s*(</?(?:{'|'.join(BLOCKS)})[^>]*>)\s*", r"\1", text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "pre":
            self.preformatted += 1
        if self.preformatted and tag == "span":
            return
        named = [
            (key, _address(value or "") if key in ("href", "src") else value or "") for key, value in attrs
        ]
        written = "".join(f' {key}="{escape(value)}"' for key, value in sorted(named))
        self.out.append(f"<{tag}{written}>")

    handle_startendtag = handle_starttag

    def handle_endtag(self, tag: str) -> None:
        if tag == "pre":
            self.preformatted -= 1
        if not (self.preformatted and tag == "span"):
            self.out.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        text = escape(data, quote=False)
        # Marks replace significant spaces, so that `text` above does not strip them.
        if self.preformatted:
            self.out.append(text.replace(" ", "␠").replace("\n", "␤"))
        else:
            self.out.append(re.sub(r"\s+", " ", text))

    def handle_comment(self, data: str) -> None:
        self.out.append(f"<!--{data}-->")

    def handle_decl(self, decl: str) -> None:
        self.out.append(f"<!{decl}>")

    def handle_pi(self, data: str) -> None:
        self.out.append(f"<?{data}>")

    def unknown_decl(self, data: str) -> None:
        self.out.append(f"<![{data}]>")
