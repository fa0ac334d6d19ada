"""Fences of code as other tools have them, in our words: an info string, and code without their signs.

Options of MyST are in the lines below `{code-block} python`, those of Pandoc and Quarto in braces,
`{.python .numberLines filename="a.py"}`, those of Hugo likewise, `python {linenos=table,hl_lines=[1,"3-5"]}`,
and VitePress has `js:line-numbers` and `js [a.js]`. Comments in the code may mark lines: `// [!code focus]`
and `# highlight-next-line`.
"""

import re
from collections.abc import Iterator

from markdown_it.rules_core import StateCore

from diglot.content.attributes import read_attributes

_SIGN = re.compile(r"[{\[:]|^diff-|\{code|\{sourcecode")
_DIRECTIVE = re.compile(r"\{(?:code-block|code|sourcecode)\}[ \t]*(\S*)[ \t]*$")
_OPTION = re.compile(r":([a-z-]+):[ \t]*(.*)$")
_PANDOC = re.compile(r"\{[ \t]*(\.[^{}]*?)[ \t]*\}[ \t]*$")
_HUGO = re.compile(
    r"\{[ \t]*((?:linenos|hl_lines|linenostart|anchorlinenos|lineanchors|style)=[^{}]*)\}", re.I
)
_HUGO_OPTION = re.compile(r"(\w+)=(\[[^\]]*\]|\"[^\"]*\"|[^\s,]+)")
_VITE = re.compile(r"^([\w+#-]+):(line-numbers|no-line-numbers)(=\d+)?")
_FILE = re.compile(r"(?<=\s)\[([^\[\]{}\"]*[.][\w-]+)\](?=\s|$)")
_TITLES = ("caption", "filename")
_IGNORED = ("force", "dedent", "class")

_BEGINS, _ENDS = r"[ \t]*(?://|\#|--|;+|%|/\*|<!--|\{/\*)[ \t]*", r"[ \t]*(?:\*/\}?|-->)?[ \t]*$"
_MARK = re.compile(
    rf"{_BEGINS}\[!code (?:highlight|hl|focus|error|warning|\+\+|--)(?::(\d{{1,4}}))?\]{_ENDS}"
)
_MAGIC = re.compile(rf"{_BEGINS}highlight-(next-line|start|end){_ENDS}")


def code_fences(state: StateCore) -> None:
    """Core rule between `block` and `inline`."""
    for token in state.tokens:
        if token.type != "fence":
            continue
        if token.info.strip() == "{=html}" and state.md.options["html"]:
            token.type, token.tag, token.info = "html_block", "", ""
            continue
        if _SIGN.search(token.info) is not None:
            if (directive := _DIRECTIVE.match(token.info.strip())) is not None:
                lines, words = token.content.split("\n"), [directive[1] or "text"]
                while lines and (option := _OPTION.fullmatch(lines[0].strip())) is not None:
                    name, value = option[1], option[2].strip()
                    if name in ("name", "label"):
                        token.attrs["id"] = value
                    elif name not in _IGNORED:
                        words.append(_as_ours(name, value))
                    del lines[0]
                token.info, token.content = " ".join(filter(None, words)), "\n".join(lines)
            else:
                token.info = _info_as_ours(token.info.strip())
        if "[!code " in token.content or "highlight-" in token.content:
            token.content, marked = _without_marks(token.content)
            if marked:
                token.info = f"{token.info.strip() or 'text'} {{{','.join(map(str, marked))}}}"


def _as_ours(name: str, value: str) -> str:
    if name in _TITLES:
        return f'title="{value}"'
    if name == "emphasize-lines":
        return f"{{{value}}}"
    if name == "lineno-start":
        return f"linenums={value}"
    return "linenums" if name in ("linenos", "number-lines") else name


def _info_as_ours(info: str) -> str:
    if (pandoc := _PANDOC.fullmatch(info)) is not None:
        return " ".join(_words_of_pandoc(f"{{{pandoc[1]}}}")) or info
    info = info.replace("diff-", "diff ", 1).split()[0] if info.startswith("diff-") else info
    info = _VITE.sub(lambda found: found[1] + _numbers_of_vite(found), info)
    info = _FILE.sub(r'title="\1"', info)
    return _HUGO.sub(lambda found: " ".join(_words_of_hugo(found[1])), info)


def _words_of_pandoc(braces: str) -> Iterator[str]:
    given = read_attributes(braces)
    if given is None or given[1] != len(braces):
        return
    attributes = dict(given[0])
    language, *classes = str(attributes.pop("class", "")).split()
    yield language
    lines = str(attributes.pop("code-line-numbers", ""))
    if re.fullmatch(r"[0-9, -]+", lines):
        yield f"{{{lines}}}"
    elif lines == "true":
        yield "linenums"
    start = attributes.pop("startFrom", None)
    if start is not None or {"numberLines", "number-lines"} & set(classes):
        yield f"linenums={start}" if str(start).isdigit() else "linenums"
    yield from (f".{name}" for name in classes if name not in ("numberLines", "number-lines"))
    for name, value in attributes.items():
        if name in (*_TITLES, "title"):
            yield f'title="{value}"'
        elif name != "id":
            yield f'{name}="{value}"'


def _numbers_of_vite(found: re.Match[str]) -> str:
    return f" linenums{found[3] or ''} " if found[2] == "line-numbers" else " "


def _words_of_hugo(options: str) -> Iterator[str]:
    given = {name.casefold(): value for name, value in _HUGO_OPTION.findall(options)}
    lines = re.findall(r"\d+(?:-\d+)?", given.get("hl_lines", ""))
    if lines:
        yield f"{{{','.join(lines)}}}"
    if given.get("linenos", "false") not in ("false", "0"):
        yield f"linenums={given['linenostart']}" if "linenostart" in given else "linenums"


def _without_marks(code: str) -> tuple[str, list[int]]:
    """Code without comments that mark lines, and the numbers of these lines."""
    lines: list[str] = []
    marked: set[int] = set()
    coming, is_open = 0, False
    for written in code.split("\n"):
        line = written
        if (magic := _MAGIC.fullmatch(line)) is not None:
            coming = max(coming, int(magic[1] == "next-line"))
            is_open = magic[1] == "start" or (is_open and magic[1] != "end")
            continue
        if (mark := _MARK.search(line)) is not None:
            count = int(mark[1] or 1)
            if not line[: mark.start()].strip():  # it is about the lines below it
                coming = max(coming, count)
                continue
            coming, line = max(coming, count), line[: mark.start()].rstrip()
        lines.append(line)
        if coming or is_open:
            marked.add(len(lines))
            coming = max(0, coming - 1)
    last = len(lines) - (lines[-1:] == [""])
    return "\n".join(lines), sorted(number for number in marked if number <= last)
