"""Pictures between blocks: those with a caption are figures with a number.

All spellings give the same nodes: `![words](a.png "Caption")`, `![Caption](a.png){#fig-a}` of Pandoc and
Quarto, and `{figure} a.png` of MyST, with the caption in its lines. `{image} a.png` has none.
"""

import posixpath
import re
from typing import NamedTuple
from urllib.parse import unquote

from markdown_it.token import Token

from diglot.content.directives import directive_argument
from diglot.content.mistakes import Mistakes
from diglot.diagnostics import did_you_mean, shortened

FIGURE = "fig-"
"""Begins the names of figures."""
_OPTION = re.compile(r":([\w-]+):(?![^ \t])(.*)$")
_KNOWN = ("alt", "width", "height", "name", "label", "class")
_WITHOUT_EFFECT = ("align", "figclass", "figwidth", "scale", "loading", "placeholder", "fig-align")
"""Options of other tools for how a picture looks."""
_NO_PICTURE = (".py", ".yaml", ".yml", ".md")
_ID = re.compile(r"[A-Za-z][\w.-]*")


class PictureDirective(NamedTuple):
    """A `{figure} a.png` or `{image} a.png`."""

    path: str
    options: dict[str, str]
    caption: str
    """Markdown."""
    caption_line: int


def names_picture(argument: str) -> bool:
    """Whether what follows `{figure}` is the path of a picture, and not the name of a script."""
    return ("." in argument or "/" in argument) and not argument.casefold().endswith(_NO_PICTURE)


def read_picture(token: Token, line: int, mistakes: Mistakes) -> PictureDirective:
    """The content of a fence whose argument is the path of a picture."""
    lines = token.content.rstrip().split("\n")
    options: dict[str, str] = {}
    at = 0
    while at < len(lines) and (found := _OPTION.match(lines[at])) is not None:
        name, value = found[1], found[2].strip(" \t")
        at += 1
        if name in _WITHOUT_EFFECT:
            message = f'":{name}:" changes nothing: style.css of the site says how pictures look'
            mistakes.warn("syntax-unsupported", message, line + at, "delete the line, or give `:width:`.")
        elif name not in _KNOWN:
            fix = did_you_mean(name, _KNOWN)
            mistakes.error("option-invalid", f'a picture has no option "{name}"', line + at, fix)
        elif name in ("name", "label") and _ID.fullmatch(value) is None:
            fix = "use ASCII letters, digits and hyphens, beginning with a letter."
            message = f'"{shortened(value, 80)}" cannot be a name'
            mistakes.error("anchor-invalid", message, line + at, fix)
        else:
            options["name" if name == "label" else name] = value
    while at < len(lines) and not lines[at].strip():
        at += 1
    caption = "\n".join(lines[at:])
    if "\n\n" in re.sub(r"\n[ \t]+\n", "\n\n", caption):
        fix = "join the paragraphs."
        mistakes.error("caption-paragraphs", "a caption can only be one paragraph", line + 1 + at, fix)
    return PictureDirective(directive_argument(token.info), options, caption, line + 1 + at)


def name_of_file(address: str) -> str:
    """The name of a picture in references, if its author gives it none: `fig-` and that of its file."""
    path = unquote(re.split("[?#]", address, maxsplit=1)[0])
    return f"{FIGURE}{posixpath.splitext(posixpath.basename(path))[0]}"
