"""Files in the place of a directive: `{include} a.md` as Markdown, `{literalinclude} a.py` as code."""

import posixpath
import re
import textwrap
from collections.abc import Sequence

from diglot.content.extensions import INCLUDES, Call
from diglot.content.front_matter import split_front_matter
from diglot.content.highlighting import known_language
from diglot.diagnostics import did_you_mean

LITERAL = "literalinclude"
_OF_BOTH = ("lines", "start-after", "start-at", "end-before", "end-at")
_OF_CODE = (
    *("language", "caption", "emphasize-lines", "linenos", "lineno-start", "lineno-match", "dedent"),
    *("name", "label", "filename"),
)
_RANGE = re.compile(r"(\d{1,6})?(-)?(\d{1,6})?")
_TICKS = re.compile(r"^[ \t]*(`{3,})", re.MULTILINE)


class IncludeError(ValueError):
    """What is wrong with a directive that includes a file, and what to do about it."""

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message)
        self.fix = fix


def is_include(call: Call) -> bool:
    """Whether a directive includes a file."""
    return call.kind == "directive" and call.name in INCLUDES


def included_path(call: Call, path: str) -> str:
    """The file that a directive of the file at `path` includes, from the project. Raises IncludeError."""
    target = call.argument
    if not target:
        raise IncludeError(
            f"{{{call.name}}} does not name a file", f"write its path: ```{{{call.name}}} code.py."
        )
    if target.startswith("/"):
        found = posixpath.normpath(target.lstrip("/"))
    else:
        found = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
    if found.startswith("../") or found in ("..", "."):
        raise IncludeError(
            f'"{target}" is outside the project',
            "copy it into the project; a path that begins with / begins there.",
        )
    return found


def included(call: Call, path: str, text: str) -> str:
    """The Markdown that takes the place of a directive, made of the file's text. Raises IncludeError."""
    known = (*_OF_BOTH, *(_OF_CODE if call.name == LITERAL else ()))
    options = dict(call.options)
    for name in options:
        if name not in known:
            raise IncludeError(f'{{{call.name}}} has no option "{name}"', did_you_mean(name, known))
    if call.name != LITERAL and text.startswith("---"):
        text = split_front_matter(text, path).body
    lines, first = _chosen(text.removesuffix("\n").split("\n"), options)
    if call.name != LITERAL:
        return "\n".join(lines)
    if "dedent" in options:
        lines = textwrap.dedent("\n".join(lines)).split("\n")
    code = "\n".join(lines)
    longest = max((len(ticks) for ticks in _TICKS.findall(code)), default=2)
    fence = "`" * (longest + 1)
    label = options.get("name") or options.get("label")
    above = f"{{#{label}}}\n" if label else ""
    return f"{above}{fence}{_info(path, options, first)}\n{code}\n{fence}"


def _info(path: str, options: dict[str, str], first: int) -> str:
    suffix = posixpath.splitext(path)[1].lstrip(".")
    words = [options.get("language") or (suffix if suffix and known_language(suffix) else "text")]
    if title := options.get("caption") or options.get("filename"):
        words.append(f'title="{title.replace(chr(34), chr(8221))}"')
    if marked := options.get("emphasize-lines"):
        words.append(f"{{{marked}}}")
    if "lineno-match" in options:
        words.append(f"linenums={first}")
    elif "lineno-start" in options:
        words.append(f"linenums={options['lineno-start']}")
    elif "linenos" in options:
        words.append("linenums")
    return " ".join(words)


def _chosen(lines: Sequence[str], options: dict[str, str]) -> tuple[list[str], int]:
    """The lines that a directive asks for, and the number of the first of them."""
    start, end = 0, len(lines)
    for option, shift in (("start-after", 1), ("start-at", 0)):
        if option in options:
            start = _line_with(options[option], lines, 0, option) + shift
    for option, shift in (("end-before", 0), ("end-at", 1)):
        if option in options:
            end = _line_with(options[option], lines, start, option) + shift
    chosen = list(range(start, end))
    if "lines" in options:
        chosen = [chosen[at] for at in _numbers(options["lines"], len(chosen))]
    return [lines[at] for at in chosen], (chosen[0] + 1 if chosen else 1)


def _line_with(text: str, lines: Sequence[str], start: int, option: str) -> int:
    for at in range(start, len(lines)):
        if text in lines[at]:
            return at
    raise IncludeError(f'no line of the file has "{text}"', f"write a text that is there after :{option}:.")


def _numbers(written: str, count: int) -> list[int]:
    found: list[int] = []
    for part in written.replace(" ", "").split(","):
        match = _RANGE.fullmatch(part)
        if match is None or not part.strip("-"):
            raise IncludeError(
                f'"{part}" does not name lines', "write numbers and ranges, as in 3,5-7 or 5-."
            )
        first = int(match[1] or 1)
        last = int(match[3] or count) if match[2] else first
        if not 1 <= first <= last <= count:
            raise IncludeError(f"the file has lines 1 to {count}, and not {part}", "correct the numbers.")
        found += range(first - 1, last)
    return found
