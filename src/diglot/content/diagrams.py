"""Diagrams in fences, as GitHub, MyST, Sphinx and Quarto write them: their kinds, options and sources.

Options are in the lines above the diagram, `:alt: …` or `%%| fig-alt: …`, or behind its name,
```` ```mermaid alt="…" ````.
"""

import re
from typing import NamedTuple

from markdown_it.token import Token

from diglot.content.attributes import read_attributes
from diglot.content.mistakes import Mistakes
from diglot.diagnostics import did_you_mean, shortened

KINDS = {"mermaid": "mermaid", "dot": "dot", "graphviz": "dot", "digraph": "dot", "graph": "dot"}
"""What other tools call a fence with a diagram, and which kind it is."""
_IN_BRACES_ALONE = ("digraph", "graph")
_COLON_OPTION = re.compile(r":([\w-]+):(?![^ \t])(.*)$")
_COMMENT_OPTION = re.compile(r"(?:%%|//|#)\|[ \t]*([\w-]+):[ \t]*(.*)$")
_NAMES = {
    **{"alt": "alt", "fig-alt": "alt", "caption": "caption", "fig-cap": "caption", "title": "caption"},
    **{"name": "name", "label": "name", "id": "name"},
}
_WITHOUT_EFFECT = (
    *("align", "class", "zoom", "layout", "width", "height", "fig-width", "fig-height", "fig-align", "echo"),
    *("fig-responsive", "mermaid-format", "theme", "config", "graphviz_dot"),
)
_WITHOUT = '"{}" changes nothing: diagrams have the type and the colours of the site'
_QUOTED = re.compile(r"([\"'])(.*)\1$")
_ID = re.compile(r"[A-Za-z][\w.-]*")
_DESCRIPTION = re.compile(r"^[ \t]*accDescr[ \t]*(?::[ \t]*([^\n]+)|\{([^}]{0,2000})\})", re.MULTILINE)
_STYLED = re.compile(r"\b(themeCSS|themeVariables|fontFamily|theme)\b[\"']?[ \t]*:")
_SETTINGS = re.compile(r"%%\{.{0,2000}?\}%%|\A---\n.*?\n---(?:\n|\Z)", re.DOTALL)


class DiagramFence(NamedTuple):
    """A fence with a diagram."""

    kind: str
    source: str
    line: int
    """Of the first line of the source."""
    alt: str
    caption: str
    """Markdown; empty for a diagram without a number."""
    caption_line: int
    name: str


def diagram_kind(name: str | None, language: str) -> str | None:
    """The kind of diagram in a fence with this name in braces or this language; None for any other fence."""
    if name is None:
        return None if language in _IN_BRACES_ALONE else KINDS.get(language)
    return KINDS.get(name)


def read_diagram(token: Token, kind: str, argument: str, line: int, mistakes: Mistakes) -> DiagramFence:
    """The content of a fence on `line`; `argument` is what is behind its name."""
    given: dict[str, tuple[str, int]] = {}
    lines, at = token.content.rstrip().split("\n"), 0
    braces = argument if argument[:1] == "{" else f"{{{argument}}}"
    if argument and (attributes := read_attributes(braces)) is not None:
        for name, value in attributes[0].items():
            _take(given, name, str(value), line, mistakes)
    elif argument:
        fix = f"write the {kind} itself in the lines of the block."
        message = f'"{shortened(argument, 60)}" is neither an option nor a diagram'
        mistakes.error("diagram-option", message, line, fix)
    while at < len(lines):
        option = _COLON_OPTION.match(lines[at]) or _COMMENT_OPTION.match(lines[at].lstrip())
        if option is None:
            break
        at += 1
        _take(given, option[1], option[2].strip(), line + at, mistakes)
    source = "\n".join(lines[at:]) + "\n"
    place = line + 1 + at
    if kind == "mermaid":
        _judge_settings(source, place, mistakes)
    alt, _ = given.get("alt", ("", 0))
    described = _DESCRIPTION.search(source) if kind == "mermaid" else None
    if not alt and described is not None:
        alt = " ".join((described[1] or described[2]).split())
    caption, caption_line = given.get("caption", ("", line))
    name, name_line = given.get("name", ("", line))
    if name and _ID.fullmatch(name) is None:
        fix = "use ASCII letters, digits and hyphens, beginning with a letter."
        mistakes.error("anchor-invalid", f'"{shortened(name, 80)}" cannot be a name', name_line, fix)
        name = ""
    return DiagramFence(kind, source, place, alt, caption, caption_line, name)


def _take(given: dict[str, tuple[str, int]], name: str, value: str, line: int, mistakes: Mistakes) -> None:
    if name in _WITHOUT_EFFECT:
        mistakes.warn("syntax-unsupported", _WITHOUT.format(name), line, "delete it.")
    elif name not in _NAMES:
        fix = did_you_mean(name, ("alt", "caption", "name"), otherwise="use alt, caption or name.")
        mistakes.error("diagram-option", f'a diagram has no option "{shortened(name, 40)}"', line, fix)
    else:
        quoted = _QUOTED.match(value)
        given.setdefault(_NAMES[name], (quoted[2] if quoted else value, line))


def _judge_settings(source: str, first: int, mistakes: Mistakes) -> None:
    """Refuse styles of an author's own, which would reach the whole page, and warn of colours and fonts."""
    for block in _SETTINGS.finditer(source):
        for setting in _STYLED.finditer(block[0]):
            line = first + source.count("\n", 0, block.start() + setting.start())
            if setting[1] == "themeCSS":
                message = "a diagram cannot bring styles of its own (themeCSS)"
                mistakes.error("diagram-style", message, line, "delete it, and use `classDef` or `style`.")
            else:
                message = (
                    f'"{setting[1]}" changes nothing: diagrams have the type and the colours of the site'
                )
                mistakes.warn("syntax-unsupported", message, line, "delete it.")
