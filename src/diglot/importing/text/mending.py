"""Makes sure that a converted body builds: what diglot's parser refuses is kept as plain text.

The converters know the syntax of the old systems, but not every unfinished piece that an author may have
left. Each error of the parser is mended on its line, by its rule, and reported. Text is never removed.
"""

import re
from collections.abc import Callable, Iterator

from diglot.content.document import read_document
from diglot.content.formulas import formula_html
from diglot.content.latex import FormulaError
from diglot.diagnostics import Diagnostic
from diglot.html_tags import tags_of
from diglot.importing.text.body import Body
from diglot.importing.text.counting import count_characters
from diglot.importing.words import words
from diglot.languages import Language

_HEAD = "---\n---\n"
_MOST_ROUNDS = 60
_FENCE = re.compile(r"^[ \t>]*(`{3,}|~{3,})")
_SPAN = re.compile(r"(?<![\\$])(\${1,2})(?!\$)([^$\n]+)(?<!\\)\1(?!\$)")
_ELEMENTS = words("elements")

_Change = tuple[int, str]
"""A line, counted from 0, and its replacement."""


def mend(body: Body, language: Language) -> None:
    """Change a body until diglot's parser finds no error in it, or the number of rounds is used up."""
    met: dict[tuple[int, str], int] = {}
    for _ in range(_MOST_ROUNDS):
        _, mistakes = read_document(_HEAD + body.text, body.path, language)
        if not mistakes.errors:
            return
        lines = body.text.split("\n")
        changes: dict[int, str] = {}
        for mistake in mistakes.errors:
            line = (mistake.location.line if mistake.location is not None else None) or 3
            at = min(max(0, line - 3), len(lines) - 1)
            seen = met[at, mistake.rule] = met.get((at, mistake.rule), 0) + 1
            mended = _MENDERS.get(mistake.rule, _as_code)(lines, at, mistake) if seen < 4 else None
            mended = mended if mended else _as_code(lines, at, mistake)
            if any(index in changes for index, _ in mended):
                continue
            body.report_line(
                at,
                _told(mistake),
                _FIXES.get(mistake.rule, "write it in the way that docs/authoring.md shows."),
            )
            changes.update(mended)
            if mistake.rule == "formula-nested":  # its name is no text that is lost
                body.count -= sum(
                    count_characters(lines[index]) - count_characters(new) for index, new in mended
                )
        body.replace_lines(changes)


def _told(mistake: Diagnostic) -> str:
    return f"{mistake.message.rstrip('.')}; {_DONE.get(mistake.rule, 'it is kept as plain text')}"


_DONE = {
    "html-unclosed": "its tag is kept as a comment or as plain text",
    "html-stray": "its tag is kept as a comment or as plain text",
    "anchor-duplicate": "the second one is left out",
    "anchor-inside": "the id is left out",
    "anchor-invalid": "the id is left out",
    "directive-unknown": "the fence is one of code now",
    "code-tangled": "it is shown without highlighting",
    "formula-syntax": "the formula is kept as code",
    "formula-nested": "the formula stays, without its name",
}
_FIXES = {
    "formula-nested": "move it out of the block, if the text refers to it.",
    "formula-syntax": "correct the LaTeX, and put it between $ signs again.",
    "html-unclosed": "close the element, or delete its tag.",
    "html-stray": "delete the tag, or open the element before it.",
    "footnote-unknown": "add the note, or delete its mark.",
    "directive-unknown": "",
    "code-tangled": "",
    "anchor-duplicate": "give it another id, if links lead to it.",
    "anchor-inside": "put the id on a line above the block, if links lead to it.",
    "anchor-invalid": "use ASCII letters, digits and hyphens.",
}


def _formula(lines: list[str], at: int, _mistake: Diagnostic) -> list[_Change]:
    """Turn a formula that cannot be rendered into code."""
    start = at
    while start > 0 and lines[start - 1].strip() and not lines[start].lstrip(" >").startswith("$$"):
        start -= 1
    if lines[start].lstrip(" >").startswith("$$"):
        end = start
        while end + 1 < len(lines) and not (
            lines[end].rstrip().endswith("$$") and (end > start or lines[end].strip(" >").count("$$") > 1)
        ):
            end += 1
        indent = lines[start][: len(lines[start]) - len(lines[start].lstrip(" >"))]
        if at <= end:
            marks = "~~~" if _is_in_fence(lines[:start]) else "```"
            first = lines[start].strip(" >").removeprefix("$$")
            last = re.sub(r"\$\$[ \t]*$", "", lines[end].strip(" >") if end > start else first)
            if end == start:
                return [(start, f"{indent}{marks}latex\n{indent}{last}\n{indent}{marks}")]
            opening = f"{indent}{marks}latex" + (f"\n{indent}{first}" if first else "")
            closing = (f"{indent}{last}\n" if last else "") + f"{indent}{marks}"
            return [(start, opening), (end, closing)]
    changes = []
    for index in range(at, min(at + 12, len(lines))):
        new = _SPAN.sub(_code_if_broken, lines[index])
        if new != lines[index]:
            changes.append((index, new))
        if not lines[index].strip():
            break
    return changes


def _is_in_fence(above: list[str]) -> bool:
    """Whether a fence of backticks is open after some lines: a directive with Markdown in it."""
    marks = ""
    for line in above:
        found = _FENCE.match(line)
        if found is not None and (not marks or found[1].startswith(marks)):
            marks = "" if marks else found[1]
    return marks.startswith("`")


def _code_if_broken(found: re.Match[str]) -> str:
    try:
        formula_html(found[2], display=False)
    except FormulaError:
        return f"`{found[0]}`" if "`" not in found[0] else found[0].replace("$", "\\$")
    return found[0]


def _html(lines: list[str], at: int, _mistake: Diagnostic) -> list[_Change]:
    """Mend tags of a block that do not match: unknown elements become text, others comments."""
    end = at
    while end + 1 < len(lines) and lines[end + 1].strip():
        end += 1
    begin = at
    while begin > 0 and lines[begin - 1].strip() and not _FENCE.match(lines[begin - 1]):
        begin -= 1
    changes = list(_tags_mended(lines, begin, end))
    return changes or list(_all_tags_mended(lines, at, end))


def _tags_mended(lines: list[str], begin: int, end: int) -> Iterator[_Change]:
    text = "\n".join(lines[begin : end + 1])
    open_tags: list[tuple[str, int, int]] = []
    bad: list[tuple[int, int]] = []
    for tag in tags_of(text):
        if tag.name not in _ELEMENTS:
            bad.append((tag.start, tag.end))
        elif tag.opens and tag.name not in _OPTIONAL:
            open_tags.append((tag.name, tag.start, tag.end))
        elif tag.closes and tag.name not in _OPTIONAL:
            index = next((i for i in range(len(open_tags) - 1, -1, -1) if open_tags[i][0] == tag.name), None)
            if index is None:
                bad.append((tag.start, tag.end))
            else:
                bad += [(start, stop) for _, start, stop in open_tags[index + 1 :]]
                del open_tags[index:]
    bad += [(start, stop) for _, start, stop in open_tags]
    yield from _neutral(text, bad, begin)


_OPTIONAL = words("elements with an optional end")


def _all_tags_mended(lines: list[str], at: int, end: int) -> Iterator[_Change]:
    text = "\n".join(lines[at : end + 1])
    yield from _neutral(text, [(tag.start, tag.end) for tag in tags_of(text) if tag.opens or tag.closes], at)


def _neutral(text: str, bad: list[tuple[int, int]], first: int) -> Iterator[_Change]:
    if not bad:
        return
    pieces, position = [], 0
    for start, stop in sorted(bad):
        if start < position:
            continue
        tag = text[start:stop]
        name = re.match(r"</?([A-Za-z][\w-]*)", tag)
        known = name is not None and name[1].lower() in _ELEMENTS and "--" not in tag
        pieces += [text[position:start], f"<!-- {tag} -->" if known else "\\" + tag]
        position = stop
    pieces.append(text[position:])
    old = text.split("\n")
    for index, line in enumerate("".join(pieces).split("\n")):
        if line != old[index]:
            yield first + index, line


def _without_id(lines: list[str], at: int, mistake: Diagnostic) -> list[_Change]:
    """Remove an id that is inside a block, repeated or invalid."""
    name = re.search(r'"([^"]+)"', mistake.message)
    if name is None:
        return []
    for index in range(at, min(at + 6, len(lines))):
        new = re.sub(
            rf"\{{:?([^{{}}\n]*)#{re.escape(name[1])}(?![\w:-])([^{{}}\n]*)\}}", _emptied, lines[index]
        )
        if new != lines[index]:
            return [(index, new)]
    return []


def _emptied(found: re.Match[str]) -> str:
    rest = " ".join(f"{found[1]} {found[2]}".split())
    return f"{{{rest}}}" if rest else ""


def _without_label(lines: list[str], at: int, _mistake: Diagnostic) -> list[_Change]:
    """Remove the name of a formula inside of another block."""
    if _FENCE.match(lines[at]) and "math}" in lines[at]:
        for index in range(at + 1, min(at + 4, len(lines))):
            if re.match(r"[ \t>]*:(?:label|name):", lines[index]):
                return [(at, lines[at]), (index, "")]
    for index in range(at, min(at + 20, len(lines))):
        new = re.sub(r"(?<=\$\$)[ \t]*\([^()\s]+\)[ \t]*$", "", lines[index])
        if new != lines[index]:
            return [(index, new)]
    return []


def _escaped(pattern: str) -> Callable[[list[str], int, Diagnostic], list[_Change]]:
    """Return a mender that puts a backslash before the first match of a pattern."""
    what = re.compile(pattern)

    def put(lines: list[str], at: int, _mistake: Diagnostic) -> list[_Change]:
        for index in range(at, min(at + 8, len(lines))):
            new = what.sub(lambda found: "\\" + found[0], lines[index])
            if new != lines[index]:
                return [(index, new)]
        return []

    return put


def _unknown_note(lines: list[str], at: int, mistake: Diagnostic) -> list[_Change]:
    found = re.search(r"\[\^[^\]]+\]", mistake.message)
    return _escaped(rf"(?<!\\){re.escape(found[0])}")(lines, at, mistake) if found else []


def _plain_fence(lines: list[str], at: int, _mistake: Diagnostic) -> list[_Change]:
    """Keep only the language of a fence such as ```{r}, which diglot would read as a directive."""
    for index in range(at, max(-1, at - 200), -1):
        found = re.match(r"^([ \t>]*(?:`{3,}|~{3,}))[ \t]*\{[.:]?([\w+#-]*)[^}]*\}.*$", lines[index])
        if found is not None:
            language = "text" if found[2] in ("figure", "table", "figure-script") else found[2]
            return [(index, f"{found[1]}{language}")]
    return []


def _slow_code(lines: list[str], at: int, _mistake: Diagnostic) -> list[_Change]:
    found = _FENCE.match(lines[at])
    return [(at, f"{lines[at][: found.end()]}text")] if found else []


def _heading(lines: list[str], at: int, _mistake: Diagnostic) -> list[_Change]:
    new = re.sub(r"^([ \t>*+-]*)#(?!#)", r"\1##", lines[at])
    return [(at, new)] if new != lines[at] else []


def _as_code(lines: list[str], at: int, _mistake: Diagnostic) -> list[_Change]:
    """The last resort: turn the paragraph into a code block."""
    if not lines[at].strip() or _FENCE.match(lines[at]):
        at = next((i for i in range(at, len(lines)) if lines[i].strip() and not _FENCE.match(lines[i])), at)
    begin = end = at
    while begin > 0 and lines[begin - 1].strip():
        begin -= 1
    while end + 1 < len(lines) and lines[end + 1].strip():
        end += 1
    longest = max((len(run) for line in lines[begin : end + 1] for run in re.findall("`+", line)), default=0)
    ticks = "`" * max(3, longest + 1)
    if begin == end:
        return [(begin, f"{ticks}text\n{lines[begin]}\n{ticks}")]
    return [(begin, f"{ticks}text\n{lines[begin]}"), (end, f"{lines[end]}\n{ticks}")]


_role = _escaped(r"(?<!\\)\{(?=[A-Za-z][\w-]*\}`)")
_colons = _escaped(r"(?<!\\):::(?=:*\s*(?:\{|$))")

_MENDERS: dict[str, Callable[[list[str], int, Diagnostic], list[_Change]]] = {
    "formula-syntax": _formula,
    "formula-nested": _without_label,
    "html-unclosed": _html,
    "html-stray": _html,
    "html-markdown-line": _html,
    "anchor-duplicate": _without_id,
    "anchor-inside": _without_id,
    "anchor-invalid": _without_id,
    "footnote-unknown": _unknown_note,
    "footnote-duplicate": _escaped(r"(?<!\\)\[\^[^\]]+\](?=:)"),
    "role-unknown": _role,
    "role-empty": _role,
    "role-misplaced": _role,
    "eval-syntax": _role,
    "value-limit": _role,
    "directive-unknown": _plain_fence,
    "figure-id": _plain_fence,
    "figure-nested": _plain_fence,
    "table-nested": _plain_fence,
    "figure-script-duplicate": _plain_fence,
    "admonition-unknown": _colons,
    "admonition-unclosed": _colons,
    "admonition-nesting": _colons,
    "admonition-stray": _colons,
    "heading-level-1": _heading,
    "code-tangled": _slow_code,
}
