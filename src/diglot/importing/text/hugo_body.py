"""Converts Hugo's shortcodes in a body. Those without a counterpart are reported."""

import re
from collections.abc import Callable
from typing import NamedTuple

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
from diglot.importing.text.kramdown import move_above
from diglot.importing.words import words

_CALL = re.compile(
    r"""\{\{(?P<mark>[<%])\s*(?P<closes>/)?\s*(?P<name>[\w./-]+)(?P<arguments>(?:"(?:[^"\\]|\\.)*"|`[^`]*`|[^"`{}])*?)(?P<ends>/)?\s*[>%]\}\}"""
)
_ARGUMENT = re.compile(r"""(?:([\w-]+)\s*=\s*)?(?:"((?:[^"\\]|\\.)*)"|`([^`]*)`|([^\s"`]+))""")
_SHOWN = re.compile(r"\{\{([<%])/\*\s?(.*?)\s?\*/([>%])\}\}")
_CONTAINERS = words("hugo, boxes")
_CODE = words("hugo, code")
_PICTURES = words("hugo, pictures")
_REFERENCES = frozenset(("ref", "relref"))


class Call(NamedTuple):
    """A shortcode in the text."""

    name: str
    words: list[str]
    """Its positional arguments."""
    named: dict[str, str]
    closes: bool
    start: int
    end: int


def convert_hugo(body: Body, address_of: Callable[[str], str | None]) -> None:
    """Convert shortcodes; `address_of` returns the new address of a page that `ref` names."""
    _convert_code(body)
    for _ in range(6):  # nested boxes, the innermost first
        changes = list(_innermost(body))
        if not changes:
            break
        body.replace(changes)
    body.substitute(_CALL, lambda found: _single(body, found, address_of))
    move_above(body, _ATTRIBUTES_BELOW)
    _report(body)
    body.substitute(_SHOWN, lambda found: f"{{{{{found[1]} {found[2]} {found[3]}}}}}", in_code=True)


def _call(found: re.Match[str]) -> Call:
    words, named = [], {}
    for one in _ARGUMENT.finditer(found["arguments"] or ""):
        value = next((v for v in (one[2], one[3], one[4]) if v is not None), "").replace('\\"', '"')
        if one[1]:
            named[one[1].lower()] = value
        else:
            words.append(value)
    return Call(found["name"], words, named, bool(found["closes"]), found.start(), found.end())


def _convert_code(body: Body) -> None:
    """Convert `highlight` and the like first, because no other converter may touch the code inside."""
    changes = []
    position = 0
    for found in _CALL.finditer(body.text):
        call = _call(found)
        if call.closes or call.name not in _CODE or found.start() < position or body.is_code(found.start()):
            continue
        closing = re.compile(rf"\{{\{{[<%]\s*/\s*{re.escape(call.name)}\s*[>%]\}}\}}").search(
            body.text, found.end()
        )
        if closing is None:
            continue
        language = (
            call.named.get("lang") or call.named.get("language") or (call.words[0] if call.words else "")
        )
        inside = body.text[found.end() : closing.start()]
        indent = _indent(body.text, found.start())
        options = [f'{key}="{value}"' for key, value in call.named.items() if key not in ("lang", "language")]
        options += call.words[1 if language and call.words[:1] == [language] else 0 :]
        plain = language if re.fullmatch(r"[\w+#-]+", language) else ""
        info, rest = code_info(plain, ", ".join(options))
        if rest and not call.named:
            info, _ = code_info(plain, "", title=" ".join(rest))
        if inside.strip().startswith("```"):
            new = inside.strip("\n")
        elif "\n" in inside.strip("\n"):
            new = fence(info, inside, indent)
        else:
            new = (
                f"`{inside.strip()}`"
                if body.text[max(0, found.start() - 1) : found.start()].strip()
                else fence(info, inside, indent)
            )
        changes.append((found.start(), closing.end(), new))
        position = closing.end()
    body.replace(changes)


def _indent(text: str, start: int) -> str:
    line = text.rfind("\n", 0, start) + 1
    before = text[line:start]
    return before if not before.strip() else ""


def _innermost(body: Body) -> list[tuple[int, int, str]]:
    """Boxes without another box inside, as admonitions."""
    changes = []
    waiting: Call | None = None
    for found in _CALL.finditer(body.text):
        if body.is_code(found.start()):
            continue
        call = _call(found)
        kind = _box_kind(call)
        if kind is None and not (call.closes and waiting is not None and call.name == waiting.name):
            continue
        if not call.closes:
            waiting = None if found["ends"] else call
            if waiting is None and (call.words or call.named):
                text = call.named.get("text") or call.named.get("content") or call.words[-1]
                changes.append(
                    (call.start, call.end, admonition(kind or "note", call.named.get("title", ""), text))
                )
        elif waiting is not None and call.name == waiting.name:
            indent = _indent(body.text, waiting.start)
            opened = _box_kind(waiting) or "note"
            words = [word for word in waiting.words if admonition_kind(word) is None]
            if waiting.name == "alert" and words and re.fullmatch(r"[a-z-]+", words[0]):
                words = words[1:]  # the name of an icon
            title = waiting.named.get("title") or waiting.named.get("summary") or (words[0] if words else "")
            title = "" if title.lower() in ("true", "false") else title
            inside = body.text[waiting.end : call.start]
            inside = inside if inside.strip() else waiting.named.get("text", "")
            new = admonition(opened, title, inside, indent)
            changes.append((waiting.start - len(indent), call.end, new))
            waiting = None
        else:
            waiting = None
    return changes


def _box_kind(call: Call) -> str | None:
    """The kind of admonition for a shortcode; None if it is no box."""
    if call.name not in _CONTAINERS:
        return admonition_kind(call.name) if call.name not in _PICTURES else None
    given = (
        call.named.get("theme"),
        call.named.get("type"),
        call.named.get("kind"),
        call.named.get("color"),
        *call.words,
    )
    return next((kind for word in given if word and (kind := admonition_kind(word))), "note")


def _single(body: Body, found: re.Match[str], address_of: Callable[[str], str | None]) -> str | None:
    call = _call(found)
    if call.closes:
        return None
    if call.name in _REFERENCES:
        target = call.named.get("path") or (call.words[0] if call.words else "")
        address = address_of(target) if target else None
        if address is None:
            report_unknown(body, found)
            return target.partition("#")[0] and f"/{target.strip('/').removesuffix('.md')}/"
        return address
    if call.name in _PICTURES:
        source = (
            call.named.get("src")
            or call.named.get("link")
            or call.named.get("url")
            or (call.words[0] if call.words else "")
        )
        if not source:
            return None
        caption = call.named.get("caption", "") or (
            call.named.get("title", "") if call.name == "figure" else ""
        )
        attribution = call.named.get("attr", "")
        return picture(
            source,
            alt=call.named.get("alt", "") or caption,
            title=call.named.get("title", "") if call.named.get("title", "") != caption else "",
            width=call.named.get("width", ""),
            link=call.named.get("link", "") if call.named.get("src") else "",
            caption=" ".join(filter(None, (caption, attribution))),
        )
    if call.name == "toc":
        return ""
    words = call.words or [value for key, value in call.named.items() if key in ("id", "user", "bvid", "src")]
    if call.name == "gist" and call.named.get("user"):
        words = [call.named["user"], call.named.get("id", "")]
    if (link := embed_link(call.name, words)) is not None:
        report_embed(body, found)
        return link
    return None


_ATTRIBUTES_BELOW = re.compile(r"\{(?:[.#][\w-]+|[a-z]+=\"[^\"\n]*\")[^{}\n]*\}[ \t]*")


def _report(body: Body) -> None:
    changes = []
    for found in _CALL.finditer(body.text):
        if body.is_code(found.start()):
            continue
        shown = " ".join(found[0].split())
        if not found["closes"]:
            message = f"{shown[:100]} is a shortcode without a counterpart; it stays in the text"
            body.report(found.start(), message, "write what it would have given, or delete it.")
        if re.match(r"\{\{</?\w", found[0]):
            changes.append((found.start(), found.end(), found[0].replace("<", "\\<", 1)))
    body.replace(changes)
