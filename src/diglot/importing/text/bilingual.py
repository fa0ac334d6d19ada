"""Splits a post that contains both languages, in blocks that a script shows and hides, into two halves."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from diglot.html_tags import tags_of
from diglot.importing.names import language_of_code
from diglot.importing.text.body import Body, code_ranges
from diglot.importing.text.counting import count_characters
from diglot.importing.words import words
from diglot.languages import LANGUAGES, Language

_BLOCKS = words("blocks of one language")
_HOLDERS = _BLOCKS | words("other elements of one language")
_ATTRIBUTE = re.compile(r"""\s([\w:-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?""")
_MARKED = re.compile(r"\b(?:zh|en|cn|chinese|english|lang|language)\b|lang[-_]?|Lang", re.IGNORECASE)
_SWITCHES = (
    re.compile(r"<(style|script)\b[^>]*>.*?</\1\s*>[ \t]*\n?", re.DOTALL | re.IGNORECASE),
    re.compile(r"<(button|select|label)\b[^>]*>.*?</\1\s*>[ \t]*\n?", re.DOTALL | re.IGNORECASE),
    re.compile(r"<input\b[^>]*>[ \t]*\n?", re.IGNORECASE),
    re.compile(
        r"""<(a)\b[^>]*(?:onclick|href=["']javascript)[^>]*>.*?</\1\s*>[ \t]*(?:[|/·][ \t]*)?\n?""",
        re.DOTALL | re.IGNORECASE,
    ),
    re.compile(r"\{%-?\s*include\s+\S*(?:lang|multilingual|switch)\S*[^%]*%\}[ \t]*\n?", re.IGNORECASE),
    re.compile(r"<!--\s*(?:Chinese|English|中文|英文|Language)[^>]*-->[ \t]*\n?", re.IGNORECASE),
)
_EMPTY = re.compile(r"<(div|p|nav|span)\b[^<>]*>\s*</\1>[ \t]*\n?")


class Element(NamedTuple):
    """An HTML element for readers of one language."""

    language: Language
    start: int
    inner: int
    """Where its content begins."""
    inner_end: int
    end: int
    is_block: bool


def split_languages(body: Body) -> dict[Language, Body] | None:
    """The two halves of a text in both languages; None for a text in one language.

    Text outside the blocks of either language goes into both halves. Buttons, styles and scripts that
    switched the language are removed, and reported in the Chinese half.
    """
    elements = list(language_elements(body.text))
    blocks = {one.language for one in elements if one.is_block}
    if blocks != set(LANGUAGES):
        return None
    halves: dict[Language, Body] = {}
    for language in LANGUAGES:
        half = Body(body.text, body.lines, body.path)
        half.replace(_kept(body.text, elements, language))
        _remove_switches(half, report=language == "zh")
        halves[language] = half
    return halves


def language_elements(text: str) -> Iterator[Element]:
    """Yield the outermost elements that are for one language, in order."""
    for start, end in code_ranges(text):  # tags in code do not count
        text = text[:start] + re.sub("[<>]", " ", text[start:end]) + text[end:]
    open_elements: list[tuple[str, int, int, Language | None]] = []
    depth_of_found = 0
    for tag in tags_of(text):
        if tag.opens:
            language = _language(text[tag.start : tag.end], tag.name) if tag.name in _HOLDERS else None
            if language is not None and depth_of_found == 0:
                depth_of_found = len(open_elements) + 1
            elif language is not None:
                language = None
            open_elements.append((tag.name, tag.start, tag.end, language))
        elif tag.closes:
            index = next(
                (i for i in range(len(open_elements) - 1, -1, -1) if open_elements[i][0] == tag.name), None
            )
            if index is None:
                continue
            name, start, inner, language = open_elements[index]
            del open_elements[index:]
            if len(open_elements) < depth_of_found:
                depth_of_found = 0
            if language is not None:
                yield Element(language, start, inner, tag.start, tag.end, name in _BLOCKS)


def _language(tag: str, name: str) -> Language | None:
    """The language of the readers that an element is for, by its attributes."""
    for found in _ATTRIBUTE.finditer(tag[:-1].rstrip("/")):
        key, value = found[1].lower(), found[2] or found[3] or found[4] or ""
        if key in ("lang", "data-lang", "data-language") and (name in _BLOCKS or key != "lang"):
            return language_of_code(value)
        if (found_in := re.fullmatch(r"data-lang-(zh|en|cn)", key)) and not value:
            return language_of_code(found_in[1])
        if key in ("class", "id"):
            for word in re.split(r"[\s_-]+", value.lower()):
                if (language := language_of_code(word)) is not None:
                    return language
    return None


def _kept(text: str, elements: list[Element], language: Language) -> Iterator[tuple[int, int, str]]:
    for one in elements:
        end = one.end
        if one.is_block and text[end : end + 1] == "\n":
            end += 1
        if one.language != language:
            yield one.start, end, ""
            continue
        inner = text[one.inner : one.inner_end]
        if not one.is_block:
            yield one.start, one.end, inner
            continue
        lines = inner.strip("\n").split("\n")
        indent = min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)
        dedented = "\n".join(line[indent:] if line.strip() else "" for line in lines)
        lost = inner[: len(inner) - len(inner.lstrip("\n"))]  # keeps lines in step with the source
        yield one.start, end, f"\n{lost.removeprefix(chr(10))}{dedented}\n\n"


def _remove_switches(body: Body, *, report: bool) -> None:
    removed: list[int] = []
    for pattern in _SWITCHES:
        changes = []
        for found in pattern.finditer(body.text):
            name = (found[1] or "").lower() if pattern.groups else ""
            if name in ("style", "script", "a", "label") and not _MARKED.search(found[0]):
                continue
            changes.append((found.start(), found.end(), ""))
            removed.append(body.line_at(found.start()))
            if report:
                body.count -= count_characters(found[0])  # nothing of the text is lost
        body.replace(changes)
    if removed:
        for _ in range(3):
            body.replace([(found.start(), found.end(), "") for found in _EMPTY.finditer(body.text)])
    if removed and report:
        message = "the buttons, styles and scripts that switched the language are left out"
        body.report(0, f"{message} (from line {min(removed)})", "")
