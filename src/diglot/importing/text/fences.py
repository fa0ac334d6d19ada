"""Options of code blocks in diglot's form: titles, marked lines, numbers of lines."""

import re

from markdown_it import MarkdownIt

from diglot.importing.text.body import Body, line_starts
from diglot.importing.words import words

_PARSER = MarkdownIt("commonmark", {"maxNesting": 40}).disable(["inline"], ignoreInvalid=True)
_INFO = re.compile(r"(?P<marks>`{3,}|~{3,})(?P<info>.*)$")
_OPTION = re.compile(
    r"""([\w.-]+)\s*[=:]\s*(?:"([^"]*)"|'([^']*)'|\[([^\]]*)\]|(\d+(?:-\d+)?(?:[\s,]+\d+(?:-\d+)?(?![\w=]))*|[^\s,}\]]+))"""
)
_LINES = re.compile(r"[\d\s,-]+")
_BRACED_LINES = re.compile(r"\{([\d\s,-]+)\}")
_LANGUAGE = re.compile(r"\s*[.]?([A-Za-z][\w+#.-]*|c\+\+|c#|f#)")
_TITLES = words("code, titles")
_MARKED = words("code, marked lines")
_NUMBERS = words("code, numbers of lines")
_STARTS = words("code, first number")
_SILENT = words("code, options of themes")


def code_info(language: str, options: str, *, title: str = "") -> tuple[str, list[str]]:
    """The info string for options of another system, and those of them that have no counterpart."""
    marked, numbers, rest = "", "", list[str]()
    if (braced := _BRACED_LINES.search(options)) is not None:
        marked = _lines(braced[1])
        options = options[: braced.start()] + " " + options[braced.end() :]
    position = 0
    between = []
    for found in _OPTION.finditer(options):
        between.append(options[position : found.start()])
        position = found.end()
        name = found[1].lower()
        value = next((text for text in found.groups()[1:] if text is not None), "").strip()
        if name in _TITLES:
            title = title or value
        elif name in _MARKED:
            marked = _lines(value) or marked
        elif name in _STARTS or (name in _NUMBERS and value.isdigit()):
            numbers = f"linenums={int(value)}" if value.isdigit() and len(value) < 7 else numbers
        elif name in _NUMBERS:
            numbers = "" if value.lower() in ("false", "none", "off") else numbers or "linenums"
        elif name not in _SILENT:
            rest.append(found[0])
    between.append(options[position:])
    for text in between:
        plain = text.strip(" \t{},[]")
        if plain and _LINES.fullmatch(plain):
            marked = _lines(plain) or marked
            continue
        for word in re.split(r"[\s,{}]+", plain):
            name = word.strip(".").lower()
            if name in _NUMBERS:
                numbers = numbers or "linenums"
            elif name and name not in _SILENT:
                rest.append(word)
    shown = " ".join(title.replace('"', "'").split())
    parts = (f'title="{shown}"' if shown else "", f"{{{marked}}}" if marked else "", numbers)
    given = [part for part in parts if part]
    return " ".join([language or ("text" if given else ""), *given]).strip(), rest


def _lines(text: str) -> str:
    """Lines such as `1,3-5`; empty if the text names none."""
    found = re.findall(r"\d{1,5}(?:-\d{1,5})?", text.replace('"', "").replace("'", ""))
    return ",".join(found)


def convert_fences(body: Body, *, words_are_title: bool) -> None:
    """Give the info string of every fence diglot's form; with `words_are_title`, bare words are its title."""
    if "```" not in body.text and "~~~" not in body.text:
        return
    lines = body.text.split("\n")
    starts = line_starts(body.text)
    changes = []
    for token in _PARSER.parse(body.text):
        if token.type != "fence" or not token.map or not token.info.strip():
            continue
        line = lines[token.map[0]]
        found = _INFO.search(line)
        if found is None or found["info"].strip() != token.info.strip():
            continue
        info = _converted(token.info.strip(), words_are_title=words_are_title)
        new, rest = info
        if rest:
            what = " ".join(rest)[:100]
            body.report_line(
                token.map[0],
                f'"{what}" after the language of this code has no counterpart and is left out',
                'write title="…", {3,5-7} or linenums, if it is missed.',
            )
        if new != token.info:
            begin = starts[token.map[0]] + found.start("info")
            changes.append((begin, begin + len(found["info"]), new))
    body.replace(changes)


def _converted(info: str, *, words_are_title: bool) -> tuple[str, list[str]]:
    if info.startswith("{"):  # `{r, echo=FALSE}`, `{.python .numberLines}`, `{python}`
        inside = info.strip("{}")
        found = re.match(r"\s*[.]?([A-Za-z][\w+#-]*)(?=[\s,}]|$)", inside)
        if inside[:1].isdigit():
            found = None
        language, options = (found[1], inside[found.end() :]) if found else ("", inside)
        new, _ = code_info(language, options)
        return new, []  # options of what ran the code have no meaning where it is not run
    found = _LANGUAGE.match(info)
    language, options = (found[1], info[found.end() :]) if found else ("", info)
    if "=" in language or options.startswith(("=", '="')):
        language, options = "", info
    title = ""
    if named := re.match(r":(?!:)(\S+)", options):  # ```js:src/app.js
        title, options = named[1], options[named.end() :]
    new, rest = code_info(language, options, title=title)
    if rest and not title and (words_are_title or re.fullmatch(r"[\w./-]+\.\w+", " ".join(rest))):
        title = " ".join(word for word in rest if not re.match("https?:", word))
        return code_info(language, _without(options, rest), title=title)[0], []
    return new, rest


def _without(options: str, rest: list[str]) -> str:
    for word in rest:
        options = options.replace(word, "", 1)
    return options
