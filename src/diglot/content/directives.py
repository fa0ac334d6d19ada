"""Reads directives, ```{figure} id fences and similar ones: id, options and caption."""

import re

import msgspec
from markdown_it.token import Token

from diglot.content.mistakes import Mistakes
from diglot.diagnostics import did_you_mean
from diglot.exploration import Explored, ExploreError, read_exploration

DIRECTIVES = ("figure", "table", "figure-script", "image")

_CODE = "write the language without braces, as in ```python."
FIXES = {
    "highlight": _CODE,
    "figure-md": "write ```{figure} file.png, with the caption in the lines below it.",
    "equation": "write the formula between lines of $$.",
    **dict.fromkeys(
        ("list-table", "csv-table", "table-wrapper"),
        "give all rows the same number of cells, each a line: `* - first`, `  - second`.",
    ),
    "iframe": 'write <iframe src="…" title="what it shows"></iframe>, or a link.',
    **dict.fromkeys(
        ("versionadded", "versionchanged", "deprecated"), "write :::{note} with the version in its title."
    ),
    **dict.fromkeys(
        ("toctree", "contents", "tableofcontents"), "delete it: lists of articles make themselves."
    ),
    "embed": "write the address of a block after it, as in {embed} /posts/b/#fig-x, and close it.",
    **dict.fromkeys(("bibliography", "footbibliography"), "write footnotes, or a list of links."),
    "plantuml": "write ```mermaid or ```dot, or show a picture.",
    **dict.fromkeys(("echarts", "plot"), "draw it with a figure script, or show a picture."),
    "div": 'write <div class="…" markdown="1">, the text, and </div> on lines of their own.',
    **dict.fromkeys(("eval-rst", "raw"), "write Markdown or HTML."),
}
"""Directives of other tools, each with what to write instead."""

_INFO = re.compile(r"\{([\w:-]+)\}[ \t]*(.*)")
_OPTION = re.compile(r":([\w-]+):(?![^ \t])(.*)$")
_BROKEN_OPTION = re.compile(r"[:：]\s*([\w-]+)\s*[:：]")
_FIGURE_ID = re.compile(r"[a-z][a-z0-9_]*")
_PARAMETER = re.compile(r"[a-z][a-z0-9_]*")
_ANCHOR = re.compile(r"[A-Za-z][\w-]*")


class Directive(msgspec.Struct, frozen=True, kw_only=True):
    """A figure or a table that an article asks for."""

    kind: str
    figure_id: str
    name: str | None
    parameters: tuple[tuple[str, str], ...]
    caption: str
    """Markdown of one paragraph."""
    caption_line: int
    explored: tuple[Explored, ...] = ()
    explored_line: int = 0


def directive_name(info: str) -> str | None:
    """The name in braces in a fence's info string; None for a fence of code."""
    found = _INFO.match(info.strip())
    return found.group(1) if found else None


def directive_argument(info: str) -> str:
    """What follows the name in braces."""
    found = _INFO.match(info.strip())
    return found.group(2).strip() if found else ""


def read_figure_id(token: Token, kind: str, line: int, mistakes: Mistakes) -> str | None:
    """The id after a directive's name; None, with a diagnostic, where it is missing or invalid."""
    argument = directive_argument(token.info)
    if _FIGURE_ID.fullmatch(argument):
        return argument
    message = f'"{argument}" is not the id of a figure' if argument else f"{{{kind}}} does not name a figure"
    stem = re.sub(r"[^a-z0-9]+", "_", argument.removesuffix(".py").rpartition("/")[2].lower()).strip("_")
    example = stem if _FIGURE_ID.fullmatch(stem) else "roofline"
    mistakes.error(
        "figure-id", message, line, f"write the name of its script without .py: ```{{{kind}}} {example}"
    )
    return None


def read_directive(token: Token, kind: str, line: int, mistakes: Mistakes) -> Directive | None:
    """The content of a ```{figure} or ```{table} fence on `line`; None where it has no valid id."""
    figure_id = read_figure_id(token, kind, line, mistakes)
    lines = token.content.split("\n")
    options: dict[str, str] = {}
    explored: tuple[Explored, ...] = ()
    explored_line = 0
    at = 0
    while at < len(lines) and (found := _OPTION.match(lines[at])) is not None:
        key, value = found.group(1), found.group(2).strip(" \t")
        here = line + 1 + at
        at += 1
        if key in options:
            mistakes.error("option-duplicate", f'the option "{key}" is repeated', here, "keep one of them.")
        elif not value:
            mistakes.error(
                "option-empty", f'the option "{key}" has no value', here, f"write `:{key}: value`."
            )
        elif key == "name" and not _ANCHOR.fullmatch(value):
            fix = "use ASCII letters, digits and hyphens, beginning with a letter."
            mistakes.error("anchor-invalid", f'"{value}" cannot be a name', here, fix)
        elif key == "explore":
            explored, explored_line = _explored(value, kind, here, lines[at - 1].rfind(value), mistakes), here
        elif key != "name" and not _PARAMETER.fullmatch(key):
            mistakes.error(
                "option-invalid",
                f'"{key}" cannot be a parameter',
                here,
                did_you_mean(key, ["name", "explore"]),
            )
        options.setdefault(key, value)
    while at < len(lines) and not lines[at].strip():
        at += 1
    caption = "\n".join(lines[at:]).rstrip()
    caption_line = line + 1 + at
    if _BROKEN_OPTION.match(caption):
        mistakes.warn(
            "option-broken",
            "this looks like an option, but is read as the caption",
            caption_line,
            "write `:key: value` with ASCII colons and a space, before any other line.",
        )
    if "\n\n" in re.sub(r"\n[ \t]+\n", "\n\n", caption):
        mistakes.error(
            "caption-paragraphs", "a caption can only be one paragraph", caption_line, "join the paragraphs."
        )
    if figure_id is None:
        return None
    name = options.pop("name", None)
    options.pop("explore", None)
    return Directive(
        kind=kind,
        figure_id=figure_id,
        name=name,
        parameters=tuple(sorted(options.items())),
        caption=caption,
        caption_line=caption_line,
        explored=explored,
        explored_line=explored_line,
    )


def _explored(value: str, kind: str, line: int, column: int, mistakes: Mistakes) -> tuple[Explored, ...]:
    """The parameters of `:explore:`; none, with a diagnostic, where they cannot be read."""
    if kind != "figure":
        fix = "delete the option, or show the figure with ```{figure}."
        mistakes.error("explore-misplaced", "only a figure can have controls, not a table", line, fix)
        return ()
    try:
        return tuple(one._replace(at=one.at + column) for one in read_exploration(value))
    except ExploreError as error:
        mistakes.error("explore-syntax", error.message, line, error.fix, column=column + error.at + 1)
        return ()
