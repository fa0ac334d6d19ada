"""Converts kramdown's attribute lists, tables of contents and comments to diglot's forms."""

import re

from diglot.importing.text.body import Body, line_starts
from diglot.importing.text.containers import admonition, admonition_kind
from diglot.importing.words import words

_TOC = re.compile(r"^(?:[*+-]|[0-9]+\.)[ \t][^\n]*\n\{:[^}\n]*\btoc\b[^}\n]*\}[ \t]*(?:\n|\Z)", re.MULTILINE)
_TOC_ALONE = re.compile(r"^\{:[^}\n]*\btoc\b[^}\n]*\}[ \t]*(?:\n|\Z)", re.MULTILINE)
_NO_TOC = re.compile(r"(?:^|[ \t])\{:[ \t]*\.no_toc[ \t]*\}[ \t]*|(?<=[ {:])\.no_toc\b[ \t]*", re.MULTILINE)
_OPTIONS = re.compile(
    r"^\{::(?:options|nomarkdown)[^}\n]*\}[ \t]*\n?|^\{:/nomarkdown\}[ \t]*\n?", re.MULTILINE
)
_COMMENT = re.compile(r"\{::comment\}(.*?)\{:/(?:comment)?\}", re.DOTALL)
_REFERENCE_NAME = re.compile(r"^\{:([\w-]+):[^}\n]*\}[ \t]*\n?", re.MULTILINE)
_ALONE = re.compile(r"[ \t]*(?:\{:[^}\n]*\}[ \t]*)+")
_ITEM = re.compile(r"\{:?[ \t]*([^}\n]*?)[ \t]*\}")
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]")
_AFTER_TEXT = re.compile(r"(?<=[^\s)\]`}])\{:[^}\n]*\}")
_ALONE_ABOVE = re.compile(r"[ \t]*\{:?[^{}\n]*\}[ \t]*")
_CLASS = re.compile(r"\.([\w-]+)")
_TITLE = re.compile(r"""title=(?:"([^"]*)"|'([^']*)')""")
_OF_BOX = re.compile(r"(?:notice|prompt|alert|callout|admonition|message|box|block)-{1,2}(\w+)")
_BOXES = words("classes of boxes")
_BOXED = re.compile(r"(?![ \t]*(?:#|`{3}|~{3}|\||!\[|<|\{|$))")
"""The first line of what can be in a box: no heading, code, table, picture or HTML."""
_GOOD = re.compile(r"""(?:[#.][\w:-]+|[A-Za-z_][\w:.-]*=(?:"[^"\n]*"|'[^'\n]*'|[^\s"'{}`=<>]+))(?:\s+|$)""")


def convert_kramdown(body: Body) -> None:
    """Move attributes from below a block to above it, and remove tables of contents, which every page has."""
    body.substitute(_COMMENT, lambda found: f"<!--{found[1].replace('--', '- -')}-->")
    body.substitute(_OPTIONS, lambda found: "")
    body.substitute(_TOC, lambda found: "")
    body.substitute(_TOC_ALONE, lambda found: "")
    body.substitute(_NO_TOC, lambda found: "")

    def drop(found: re.Match[str]) -> str:
        body.report(
            found.start(),
            f"attributes with a name, {found[0].strip()}, are left out",
            "write them where they are used.",
        )
        return ""

    body.substitute(_REFERENCE_NAME, drop)
    move_above(body, _ALONE)
    _convert_boxes(body)
    body.substitute(_ITEM, lambda found: _fit(body, found) if found[0].startswith("{:") else None)

    def after_text(found: re.Match[str]) -> str:
        body.report(
            found.start(),
            f"attributes on a word, {found[0]}, are left out",
            "put the words in brackets: [words]{.class}.",
        )
        return ""

    body.substitute(_AFTER_TEXT, after_text)


def _convert_boxes(body: Body) -> None:
    """Make admonitions of blocks whose class says that they are boxes, as themes have them."""
    lines = body.text.split("\n")
    starts = line_starts(body.text)
    changes = []
    for index, line in enumerate(lines[:-1]):
        classes = _CLASS.findall(line) if _ALONE_ABOVE.fullmatch(line) else []
        kind = next((kind for name in classes if (kind := _box_kind(name))), None)
        if kind is None or body.is_code(starts[index]) or not _BOXED.match(lines[index + 1]):
            continue
        end = index + 1
        while end + 1 < len(lines) and lines[end + 1].strip() and not _ALONE_ABOVE.fullmatch(lines[end + 1]):
            end += 1  # attributes belong to the block below them, which is another one
        inside = lines[index + 1 : end + 1]
        if all(one.lstrip().startswith(">") for one in inside):
            inside = [re.sub(r"^[ \t]*>[ \t]?", "", one) for one in inside]
        title = next((found[1] or found[2] for found in _TITLE.finditer(line)), "")
        if not title and any(name.endswith("-title") for name in classes):
            title, inside = inside[0], inside[1:]
        indent = line[: len(line) - len(line.lstrip())]
        box = admonition(kind, title, "\n".join(inside), indent).strip("\n")
        changes.append((starts[index], starts[end] + len(lines[end]), box))
    body.replace(changes)


def _box_kind(name: str) -> str | None:
    """The kind of admonition for a class; None for one that says nothing of a box."""
    plain = name.lower().removesuffix("-title")
    if found := _OF_BOX.fullmatch(plain):
        return admonition_kind(found[1])
    return admonition_kind(plain) if plain in _BOXES else None


def move_above(body: Body, alone: re.Pattern[str]) -> None:
    """Move lines of attributes from below their block to above it; `alone` matches such a line."""
    lines = body.text.split("\n")
    starts = line_starts(body.text)
    changes = []
    for index, line in enumerate(lines):
        if (
            index == 0
            or not alone.fullmatch(line)
            or not lines[index - 1].strip()
            or body.is_code(starts[index])
        ):
            continue
        begin = index - 1
        while (
            begin > 0
            and lines[begin - 1].strip()
            and not alone.fullmatch(lines[begin - 1])
            and not _HEADING.match(lines[begin])
        ):
            begin -= 1
            if _HEADING.match(lines[begin]):
                begin += begin < index - 1
                break
        if alone.fullmatch(lines[begin]):
            continue  # the line above has attributes, too, and has moved
        attributes = " ".join(inside for inside in _ITEM.findall(line) if inside)
        indent = re.match(r"[ \t]*", lines[begin])
        if attributes and indent is not None:
            changes.append((starts[begin], starts[begin], f"{indent[0]}{{{attributes}}}\n"))
        changes.append((starts[index], min(starts[index + 1], len(body.text)), ""))
    body.replace(changes)


def _fit(body: Body, found: re.Match[str]) -> str:
    """The items of an attribute list that diglot reads; the others are reported."""
    inside, good = found[1], []
    while inside:
        item = _GOOD.match(inside)
        if item is None:
            word, _, inside = inside.partition(" ")
            if word not in ("target", "_blank", ""):
                body.report(
                    found.start(),
                    f'the attribute "{word}" is left out',
                    "write it as .class, #id or key=value.",
                )
            inside = inside.lstrip()
            continue
        good.append(item[0].strip())
        inside = inside[item.end() :]
    return f"{{{' '.join(good)}}}" if good else ""
