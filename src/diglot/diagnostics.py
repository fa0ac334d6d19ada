"""Mistakes in an author's files as values: location, message, the line itself and a fix.

They are collected and shown together; the terminal, the preview and `--json` show the same text.
"""

import re
from collections.abc import Iterable
from typing import Literal

import msgspec
from msgspec.structs import replace

from diglot.characters import visible
from diglot.invariants import require

Severity = Literal["error", "warning"]


class Location(msgspec.Struct, frozen=True, kw_only=True, order=True):
    """A place in a file of the project."""

    path: str
    """Relative to the project's root, with forward slashes."""
    line: int | None = None
    """From 1, front matter included; None for the whole file."""
    column: int | None = None
    """From 1."""

    def __str__(self) -> str:
        numbers = [str(n) for n in (self.line, self.column) if n is not None]
        return ":".join([self.path, *numbers])


_WIDEST = 90
"""Columns of a terminal that the shown part of a long line takes, if the mistake's place in it is known."""

_LONGEST_TEXT = 1000
"""Longest message, source line or fix, in characters."""


class Diagnostic(msgspec.Struct, frozen=True, kw_only=True):
    """One mistake that an author can correct."""

    rule: str
    """Stable name of the check, e.g. `figure-unknown`: it is documented, and authors silence the check by
    it."""
    message: str
    """What is wrong, in one line, with the offending value quoted."""
    severity: Severity = "error"
    location: Location | None = None
    source_line: str | None = None
    """The offending line, unchanged; of a long line, the part around the mistake."""
    source_column: int = 1
    """The column at which `source_line` begins."""
    detail: str | None = None
    """More lines if the message is not enough, e.g. a traceback cut to the author's code."""
    fix: str | None = None
    """What to do, in one sentence."""

    def __post_init__(self) -> None:
        """Shorten long texts, and write as escapes what moves a terminal's cursor or cannot be in UTF-8.

        A line or a quoted value may have a megabyte, and any characters.
        """
        for name in ("message", "source_line", "detail", "fix"):
            text = getattr(self, name)
            if text is None or text.isprintable():
                continue
            shown = text.translate(_ESCAPES)
            if not _is_utf8(shown):
                shown = shown.encode("utf-8", "backslashreplace").decode()
            msgspec.structs.force_setattr(self, name, shown)
        if self.source_line is not None and self.location is not None and self.location.column is not None:
            self._show_around(self.location.column - self.source_column)
        for name in ("message", "source_line", "fix"):
            text = getattr(self, name)
            if text is not None and len(text) > _LONGEST_TEXT:
                cut = f"{text[: _LONGEST_TEXT // 2]} … {text[-_LONGEST_TEXT // 4 :]}"
                msgspec.structs.force_setattr(self, name, cut)

    def _show_around(self, at: int) -> None:
        """Shorten a long line to the part around the character at an index."""
        line = self.source_line or ""
        if sum(map(_cells, line[:_WIDEST])) < _WIDEST or not 0 <= at < len(line):
            return
        start, end, room = at, at, _WIDEST // 2
        while start > 0 and (room := room - _cells(line[start - 1])) >= 0:
            start -= 1
        room += _WIDEST // 2
        while end < len(line) and (room := room - _cells(line[end])) >= 0:
            end += 1
        msgspec.structs.force_setattr(self, "source_column", self.source_column + start)
        msgspec.structs.force_setattr(self, "source_line", line[start:end] + ("…" if end < len(line) else ""))

    def __str__(self) -> str:
        return format_diagnostic(self)


class DiagnosticError(Exception):
    """Mistakes in an author's files prevent the work from going on."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        is_error = any(diagnostic.severity == "error" for diagnostic in diagnostics)
        require(is_error, "a DiagnosticError carries an error: a site that is not published must say why")
        super().__init__("\n".join(map(format_diagnostic, diagnostics)))
        self.diagnostics = diagnostics

    def __reduce__(self) -> tuple[type["DiagnosticError"], tuple[Diagnostic, ...]]:
        return type(self), self.diagnostics


class Refusal(Exception):
    """Why something cannot be done, and what to do instead; shown to the author in these words."""

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message, fix)
        self.message, self.fix = message, fix

    def __str__(self) -> str:
        return self.message


NEVER_FATAL = frozenset(
    {
        *("store-discarded", "draft-half-missing", "link-refused", "search-missing", "references-unused"),
        "shared-cache",
    }
)
"""Rules of warnings that are no mistakes of the site: they do not count as errors with `--strict`."""


def is_fatal(diagnostic: Diagnostic, *, strict: bool) -> bool:
    """Whether a diagnostic makes a command fail; with `strict`, warnings do."""
    return diagnostic.severity == "error" or (strict and diagnostic.rule not in NEVER_FATAL)


def format_diagnostic(diagnostic: Diagnostic) -> str:
    """The diagnostic as the terminal and the preview show it.

    content/roofline/zh.md:42:13: error[figure-unknown]: no figure named "ridge-pont"
        ```{figure} ridge-pont
                    ^^^^^^^^^^
      fix: did you mean "ridge-point"?
    """
    head = f"{diagnostic.location}: " if diagnostic.location else ""
    lines = [f"{head}{diagnostic.severity}[{diagnostic.rule}]: {diagnostic.message}"]
    lines += [f"    {line}" for line in _source_lines(diagnostic)]
    if diagnostic.detail:
        lines += [f"    {line}".rstrip() for line in diagnostic.detail.splitlines()]
    if diagnostic.fix:
        lines.append(f"  fix: {diagnostic.fix}")
    return "\n".join(map(visible, lines))  # removes characters that move the cursor or reverse text


def source_parts(diagnostic: Diagnostic) -> tuple[str, str, str]:
    """The offending line as it is shown: what is before the mistake, the mistake, and what is after it.

    All of the line is in the first part if the column is not known; without a line, all are empty.
    """
    source, place = diagnostic.source_line, diagnostic.location
    shown = (source or "").strip()
    if source is None or place is None or place.column is None:
        return visible(shown), "", ""
    start = place.column - diagnostic.source_column - (len(source) - len(source.lstrip()))
    if not 0 <= start <= len(shown):
        return visible(shown), "", ""
    before, rest = visible(shown[:start]), shown[start:]
    quoted = quoted_in(diagnostic.message)
    forms = (quoted, f'"{quoted}"', f"'{quoted}'") if quoted else ()
    marked = next((form for form in forms if rest.startswith(form)), rest[:1])
    more = "…" if diagnostic.source_column > 1 else ""
    return f"{more}{before}", visible(marked) or " ", visible(rest.removeprefix(marked))


def _source_lines(diagnostic: Diagnostic) -> list[str]:
    """The offending line, and below it a line of carets if the column is known."""
    if diagnostic.source_line is None:
        return []
    before, marked, after = source_parts(diagnostic)
    if not marked:
        return [before]
    blank = "".join("\t" if character == "\t" else " " * _cells(character) for character in before)
    return [f"{before}{marked}{after}".rstrip(), blank + "^" * max(1, sum(map(_cells, marked)))]


def _cells(character: str) -> int:
    """How many columns of a terminal a character takes."""
    import unicodedata  # noqa: PLC0415  (only mistakes need it)

    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


_QUOTED = (
    r"\"([^\"\n]+)\"|`([^`\n]+)`"
    r"|(\[\^[^\]\n]+\]|</?[A-Za-z][\w-]*>|&#?\w+;|https?://\S+|[{]\w+[}])"
)
"""How messages quote: a text in quotes or backticks; a note, tag, character, address or name in braces."""


def quoted_in(message: str) -> str | None:
    """The offending value: what a message quotes first; None if it quotes nothing."""
    found = re.search(_QUOTED, message)
    return found[found.lastindex or 0] if found else None


_COMPARED = 40
"""Characters by which the line that a diagnostic shows is recognised in its file."""


def pointed_at(diagnostic: Diagnostic, line: str) -> Diagnostic:
    """The diagnostic with the line of its file, and the column of what its message quotes.

    Without the column if the line contains that several times; unchanged if it does not contain it, or is not
    the line that the diagnostic shows.
    """
    place, own = diagnostic.location, (diagnostic.source_line or "").strip()
    if place is None or place.column is not None or own[:_COMPARED] not in line:
        return diagnostic
    quoted = quoted_in(diagnostic.message)
    column = _column_of(quoted, line)
    if column is None and own != line.strip():  # a part of the line, such as a value
        column = _column_of(own, line)
    if column is None:
        shows_it = not own and quoted is not None and quoted in line
        return replace(diagnostic, source_line=line) if shows_it else diagnostic
    return replace(diagnostic, location=replace(place, column=column), source_line=line)


def _column_of(text: str | None, line: str) -> int | None:
    """The column of a text that occurs once in a line, not as a part of a longer word."""
    if not text:
        return None
    before = r"(?<![A-Za-z0-9_])" if text[0].isalnum() else ""
    after = r"(?![A-Za-z0-9_])" if text[-1].isalnum() else ""
    found = [one.start() for one in re.finditer(f"{before}{re.escape(text)}{after}", line)]
    return found[0] + 1 if len(found) == 1 else None


def sorted_diagnostics(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The diagnostics without duplicates, sorted by file and line."""
    unique = dict.fromkeys(diagnostics)
    return tuple(
        sorted(
            unique,
            key=lambda d: (str(d.location.path) if d.location else "", (d.location and d.location.line) or 0),
        )
    )


MOST_TOLD = 100
"""Diagnostics shown of one rule in one file: an author with more corrects these first and builds again."""


def first_of_each_kind(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The first hundred diagnostics of each rule and file, then one that says there are more."""
    counts: dict[tuple[str, str | None], int] = {}
    kept = []
    for one in diagnostics:
        key = (one.rule, one.location.path if one.location is not None else None)
        count = counts[key] = counts.get(key, 0) + 1
        if count <= MOST_TOLD:
            kept.append(one)
        elif count == MOST_TOLD + 1:
            kept.append(msgspec.structs.replace(one, message=MORE, fix=MORE_FIX))
    return tuple(kept)


MORE = f"there are more errors like the {MOST_TOLD} before this line"
MORE_FIX = "fix those first, then build again."


_ESCAPES = {
    code: repr(chr(code))[1:-1] for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\t\n"
}
"""Control characters, such as one that begins the line of a terminal again."""


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def counted(count: int, what: str) -> str:
    """`1 file`, `2 files`."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def shortened(text: str, most: int) -> str:
    """A text for a message, cut to at most `most` characters."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


_LONGEST_NAME, _MOST_COMPARED, _MOST_LISTED = 200, 300, 60
"""Longest name that is compared, in characters; names compared, those with the longest common beginnings;
known names listed in a fix."""


def looks_like(name: str, other: str) -> bool:
    """Whether two names look the same, whether their accents are parts of letters or not."""
    if name == other or name.isascii() or other.isascii():
        return name == other
    from unicodedata import normalize  # noqa: PLC0415  (only mistakes need it)

    return normalize("NFC", name) == normalize("NFC", other)


_ALIKE = 0.6
"""How much of two names is the same, from 0 to 1, where one is taken for the other mistyped."""
_SHORT = 2
"""Letters of names that a mistyped letter makes another name of: `c.png` and `b.png`."""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name closest to a mistyped one; None if none is close.

    It never looks like the name itself: that would advise to write what is there.
    """
    import difflib  # noqa: PLC0415  (only mistakes need it)
    import heapq  # noqa: PLC0415  (only mistakes need it)

    wanted = name.casefold().replace("-", "_")
    if len(wanted) > _LONGEST_NAME:
        return None
    known = [*known]
    if not name.isascii() and (same := _of_other_width(name, known)) is not None:
        return same
    folded = {
        k.casefold().replace("-", "_"): k
        for k in known
        if len(k) <= _LONGEST_NAME and not looks_like(k, name)
    }
    likely: Iterable[str] = folded
    if len(folded) > _MOST_COMPARED:  # each comparison is slow
        likely = heapq.nlargest(_MOST_COMPARED, folded, key=lambda other: _alike(wanted, other))
    alike = difflib.get_close_matches(wanted, likely, n=3, cutoff=_ALIKE)
    for close in sorted(alike, key=lambda other: _edits(wanted, other)):  # prot is meant for port, not root
        if 3 * (len(wanted) - len(close)) <= len(wanted) and _differ_alike(wanted, close):
            return folded[close]
    return None


def _of_other_width(name: str, known: Iterable[str]) -> str | None:
    """The known name that a name has in letters of another width, as `ａ.png` has that of `a.png`."""
    from unicodedata import normalize  # noqa: PLC0415  (only mistakes need it)

    plain = normalize("NFKC", name)
    return next((one for one in known if normalize("NFKC", one) == plain and not looks_like(one, name)), None)


def _differ_alike(one: str, other: str) -> bool:
    """Whether what two names do not share is alike, too, as in `/posts/alpah/` and `/posts/alpha/`.

    Names that share no word are alike if few letters differ: `nope` is not meant for `slope`. Names of one or
    two letters are alike only if the letters are the same: `c.png` is not meant for `b.png`.
    """
    import difflib  # noqa: PLC0415  (only mistakes need it)

    if "/" not in one:
        one, other = _without_ending(one, other)
        begin_alike = 3 * _alike(one, other) >= 2 * len(one)
        few = max(1, len(one) // _LETTERS_PER_EDIT)
        are_alike = begin_alike or _share_a_word(one, other) or _edits(one, other) <= few
        return are_alike and not _are_other_letters(one, other)
    own, others = one.split("/"), other.split("/")
    while own and others and own[0] == others[0]:
        del own[0], others[0]
    while own and others and own[-1] == others[-1]:
        del own[-1], others[-1]
    if not own or not others:
        return True
    if len(own) != len(others) or any(
        _are_other_letters(*_without_ending(*parts)) for parts in zip(own, others, strict=True)
    ):
        return False
    return difflib.SequenceMatcher(None, "/".join(own), "/".join(others)).ratio() >= _ALIKE


def _without_ending(one: str, other: str) -> tuple[str, str]:
    """Two names without an ending that both have."""
    ending = re.search(r"\.\w+$", one)
    if ending is None or not other.endswith(ending[0]):
        return one, other
    return one[: ending.start()], other.removesuffix(ending[0])


def _are_other_letters(one: str, other: str) -> bool:
    """Whether two names are so short that another letter makes another name, and their letters differ."""
    return len(one) == len(other) <= _SHORT and sorted(one) != sorted(other)


_LETTERS_PER_EDIT = 3
_LEAST_OF_WORD = 3


def _share_a_word(one: str, other: str) -> bool:
    """Whether two names of several words have one of them in common."""
    words = {word for word in re.split(r"[\W_]+", one) if len(word) >= _LEAST_OF_WORD}
    return not words.isdisjoint(re.split(r"[\W_]+", other))


def differ_little(one: str, other: str) -> bool:
    """Whether two words differ in one letter, missing, added or wrong, or in two that changed places."""
    return bool(one and other) and abs(len(one) - len(other)) <= 1 and _edits(one, other) == 1


def _edits(one: str, other: str) -> int:
    """How many letters are left out, added, replaced or swapped with their neighbour between two names."""
    before: list[int] = []
    row: list[int] = [*range(len(other) + 1)]
    for i, letter in enumerate(one):
        before, last, row = row, before, [i + 1]
        for j, counterpart in enumerate(other):
            edits = min(before[j] + (letter != counterpart), before[j + 1] + 1, row[j] + 1)
            if i and j and letter == other[j - 1] and one[i - 1] == counterpart:
                edits = min(edits, last[j - 1] + 1)
            row.append(edits)
    return row[-1]


def _alike(one: str, other: str) -> int:
    """Length of the common beginning of two names, in characters."""
    at = 0
    while at < min(len(one), len(other)) and one[at] == other[at]:
        at += 1
    return at


def did_you_mean(name: str, known: Iterable[str], *, otherwise: str | None = None, before: str = "") -> str:
    """A fix for an unknown name: the nearest known name, else the hint, else a list of known names.

    `before` is what an author writes in front of the name.
    """
    names = sorted(known)
    if (suggestion := nearest(name, names)) is not None:
        return f'did you mean "{before}{suggestion}"?'
    if otherwise is not None:
        return otherwise
    more = ", …" if len(names) > _MOST_LISTED else ""
    return f"known are: {', '.join(names[:_MOST_LISTED])}{more}." if names else "there are none yet."


def split_suggestion(message: str) -> tuple[str, str | None]:
    """A message without its end, where that says what was meant (`…; did you mean "h200"?`), and the end."""
    found = re.fullmatch(r"(.+?)[;:] (did you mean \".*\"\?|known(?: are)?: .+)", message, re.DOTALL)
    if found is None:
        return message, None
    what, fix = found.groups()
    return what, f"choose one of {fix.partition(': ')[2].rstrip('.')}." if fix.startswith("known") else fix
