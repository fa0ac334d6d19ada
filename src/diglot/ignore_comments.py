"""Comments that silence a warning: `<!-- diglot-ignore: … -->` in Markdown, `# diglot-ignore: …` in YAML."""

import re
from collections.abc import Sequence

MARK = "diglot-ignore:"

HTML_COMMENT = re.compile(rf"<!--\s*{MARK}[^>]*-->")
"""The comment as HTML, which is not published."""

_RULES = re.compile(rf"{MARK}\s*([a-z0-9-]+(?:\s*,\s*[a-z0-9-]+)*)")


def ignored_at(lines: Sequence[str], line: int) -> dict[str, int]:
    """The rules that comments silence on a line (from 1), each with the line of its comment.

    A comment is on the line itself, on the one above, or above the paragraph that the line is in; an empty
    line may be between. What is said of front matter is silenced on any of its lines.
    """
    found: dict[str, int] = {}
    at = max(_end_of_front_matter(lines), min(line, len(lines)))
    while at >= 1:
        if MARK in lines[at - 1]:
            for rules in _RULES.findall(lines[at - 1]):
                found |= dict.fromkeys(re.split(r"\s*,\s*", rules), at)
        elif at < line and not lines[at - 1].strip():
            if at >= 2 and MARK in lines[at - 2]:
                at -= 1
                continue
            break
        at -= 1
    return found


def _end_of_front_matter(lines: Sequence[str]) -> int:
    """The last line (from 1) of the front matter; the first line of a file without one."""
    if not lines or lines[0].rstrip() != "---":
        return min(1, len(lines))
    return next((number for number, line in enumerate(lines[1:], 2) if line.rstrip() == "---"), 1)
