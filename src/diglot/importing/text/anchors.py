"""Ids of headings that links lead to. The old systems made such ids from the heading's text."""

import re
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import unquote

from markdown_it import MarkdownIt

from diglot.importing.names import free_name, slug_of
from diglot.importing.text.body import Body
from diglot.languages import Language

_PARSER = MarkdownIt("commonmark", {"maxNesting": 40})
_GIVEN = re.compile(r"[ \t]*\{:?[^{}\n]*?#([^\s{}]+)[^{}\n]*\}[ \t]*$")
_NAMED = re.compile(r"""<a\s+(?:name|id)=["']?([^"'\s>]+)["']?\s*/?>\s*(?:</a>)?""", re.IGNORECASE)
_ABOVE = re.compile(r"^\{:?[^{}\n]*#([\w:-]+)[^{}\n]*\}[ \t]*$")


class Heading(NamedTuple):
    """A heading of a body."""

    line: int
    level: int
    given: str
    """Its id, if the text gives it one."""
    names: frozenset[str]
    """Every id by which a link may refer to it."""


def headings_of(body: Body) -> list[Heading]:
    """The headings outside lists and quotations, in order."""
    tokens = _PARSER.parse(body.text)
    lines = body.text.split("\n")
    found, met = [], dict[str, int]()
    for index, token in enumerate(tokens):
        if token.type != "heading_open" or token.level or not token.map:
            continue
        content = tokens[index + 1].content
        names = set[str]()
        given = match[1] if (match := _GIVEN.search(content)) else ""
        above = _ABOVE.match(lines[token.map[0] - 1]) if token.map[0] else None
        given = given or (above[1] if above else "")
        for near in (content, *lines[max(0, token.map[0] - 2) : token.map[0]]):
            names.update(unquote(name) for name in _NAMED.findall(near))
        slugs = _slugs(_GIVEN.sub("", content))
        main = next(iter(slugs), "")
        met[main] = met.get(main, 0) + 1
        if met[main] > 1:
            slugs = {f"{slug}-{met[main] - 1}" for slug in slugs}
        found.append(
            Heading(
                token.map[0],
                int(token.tag[1]),
                given,
                frozenset(names | slugs | ({given} if given else set())),
            )
        )
    return found


def _slugs(content: str) -> set[str]:
    """The ids that kramdown, GitHub, Hugo and Hexo make of a heading's text."""
    text = re.sub(r"<[^<>]*>", "", re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", content))
    text = unicodedata.normalize("NFC", re.sub(r"[`*~]|(?<!\w)_|_(?!\w)", "", text)).strip().lower()
    github = re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", text))
    kramdown = re.sub(r"^[^a-z\u3400-\u9fff]+", "", github)
    hexo = re.sub(r"[\s~`!@#$%^&*()\-_+=\[\]{}|\\;:\"'<>,.?/，。：；！？（）【】“”‘’、]+", "-", text).strip(
        "-"
    )
    return {slug for slug in (github, kramdown, re.sub("-+", "-", github).strip("-"), hexo) if slug}


def give_ids(
    bodies: dict[Language, Body], wanted: dict[Language, Iterable[str]]
) -> dict[tuple[Language, str], str]:
    """Give an id to each heading that links lead to, the same in both halves.

    Returns the ids by language and fragment, without fragments that lead to nothing.
    """
    headings = {language: headings_of(body) for language, body in bodies.items()}
    levels = [[one.level for one in found] for found in headings.values()]
    in_step = len(levels) == 2 and levels[0] == levels[1]
    ids: dict[tuple[Language, int], str] = {}
    found_ids: dict[tuple[Language, str], str] = {}
    taken = {one.given for found in headings.values() for one in found if one.given}
    for language, fragments in wanted.items():
        for fragment in sorted(set(fragments)):
            plain = unquote(fragment)
            at = next((i for i, one in enumerate(headings.get(language, ())) if plain in one.names), None)
            if at is None:
                low = plain.lower()
                at = next(
                    (
                        i
                        for i, one in enumerate(headings.get(language, ()))
                        if low in map(str.lower, one.names)
                    ),
                    None,
                )
            if at is None:
                name = _on_a_block(bodies[language], plain, taken) if language in bodies else ""
                if name:
                    found_ids[language, fragment] = name
                    headings[language] = headings_of(bodies[language])
                continue
            sides: tuple[Language, ...] = tuple(bodies) if in_step else (language,)
            known = next(
                (
                    headings[side][at].given
                    for side in ("en", "zh")
                    if side in sides and headings[side][at].given
                ),
                "",
            )
            known = known or next((ids[side, at] for side in sides if (side, at) in ids), "")
            if not known:
                known = _fit(plain, at, taken)
                taken.add(known)
            for side in sides:
                if not headings[side][at].given:
                    ids[side, at] = known
            found_ids[language, fragment] = headings[language][at].given or known
    for language, body in bodies.items():
        _write(
            body, {headings[language][at].line: name for (side, at), name in ids.items() if side == language}
        )
    return found_ids


def _on_a_block(body: Body, name: str, taken: set[str]) -> str:
    """The id that `name` gives to a block, in a line above it or in an element in it; empty if there is none.

    An element loses its id, and the block gets it in a line above.
    """
    if re.search(
        rf"^\{{:?[^{{}}\n]*#{re.escape(name)}(?![\w:-])[^{{}}\n]*\}}[ \t]*$", body.text, re.MULTILINE
    ):
        return name
    pattern = re.compile(rf"""\s(?:id|name)\s*=\s*["']?{re.escape(name)}["']?(?=[\s/>])""")
    found = next((one for one in pattern.finditer(body.text) if not body.is_code(one.start())), None)
    if found is None or "<" not in body.text[max(0, found.start() - 200) : found.start()]:
        return ""
    start = body.text.rfind("\n\n", 0, found.start())
    start = 0 if start < 0 else start + 2
    if not re.match(r"(?![ \t>]|[-*+][ \t]|\{)", body.text[start:]) or body.is_code(start):
        return ""
    fit = name if re.fullmatch(r"[A-Za-z][\w-]*", name) and name not in taken else _fit(name, 0, taken)
    taken.add(fit)
    body.replace([(start, start, f"{{#{fit}}}\n"), (found.start(), found.end(), "")])
    return fit


def _fit(fragment: str, at: int, taken: set[str]) -> str:
    name = re.sub(r"-+", "-", slug_of(fragment)) or f"section-{at + 1}"
    name = name if name[0].isalpha() else f"section-{name}"
    return free_name(name, taken)


def _write(body: Body, ids: dict[int, str]) -> None:
    lines = body.text.split("\n")
    changes = {}
    for index, id_ in ids.items():
        line = lines[index]
        if re.match(r" {0,3}#", line):
            closed = re.search(r"[ \t]+#+[ \t]*$", line)
            changes[index] = f"{line[: closed.start()] if closed else line.rstrip()} {{#{id_}}}"
        else:
            changes[index] = f"{{#{id_}}}\n{line}"
    body.replace_lines(changes)


def drop_named_anchors(body: Body, used: Iterable[str]) -> None:
    """Remove `<a name="x"></a>` where a heading has taken over the name."""
    names = set(used)
    body.substitute(_NAMED, lambda found: "" if unquote(found[1]) in names else None)
