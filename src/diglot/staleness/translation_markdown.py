"""Files for translators in Markdown, for those who work in an editor."""

import re
from collections.abc import Iterator

from diglot.diagnostics import Diagnostic, DiagnosticError, Location
from diglot.languages import Language
from diglot.staleness.translations import Translation, TranslationFile

_HEAD = re.compile(r"<!-- diglot: translate (\S+) from (zh|en) (\S+) to (\S+) -->")
_UNIT = re.compile(r"<!-- diglot: (\S+) source ([0-9a-f]{12}) target ([0-9a-f]{12}|none) -->")
_SOURCE, _CHANGED, _TARGET, _END = (
    f"<!-- diglot: {word} -->" for word in ("source", "changed", "translation", "end")
)
_HINT = """\
Each block is here twice: below “source” as it is now, with what changed in it, and below “translation” as
it was translated before. Change the translation, up to the line of “end”, and leave these lines as they are.
What you do not change counts as not translated yet. Leave {…} with the code after it, keys after @,
formulas and addresses of links as they are.
"""


def write_markdown(file: TranslationFile) -> bytes:
    """The file."""
    lines = [
        f"<!-- diglot: translate {file.article} from {file.source_language} {file.source_path} "
        f"to {file.target_path} -->",
        "",
        _HINT,
    ]
    for one in file.translations:
        target = one.target_digest or "none"
        lines += [f"<!-- diglot: {one.id} source {one.source_digest} target {target} -->"]
        lines += [_SOURCE, "", one.source, ""]
        lines += [_CHANGED, "", one.note, ""] if one.note else []
        lines += [_TARGET, "", *([one.target, ""] if one.target else [""]), _END, ""]
    return "\n".join(lines).encode()


def read_markdown(content: bytes, path: str) -> TranslationFile:
    """A file that `write_markdown` wrote and a translator changed. Raises DiagnosticError for any other."""
    lines = content.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    head = _HEAD.fullmatch(lines[0].strip())
    if head is None:
        raise _mistake(path, 1, "this is no file that `diglot status --export md` wrote")
    source: Language = "zh" if head[2] == "zh" else "en"
    return TranslationFile(
        article=head[1],
        source_language=source,
        source_path=head[3],
        target_path=head[4],
        translations=tuple(_translations(lines, path)),
    )


def _translations(lines: list[str], path: str) -> Iterator[Translation]:
    starts = [at for at, line in enumerate(lines) if _UNIT.fullmatch(line.strip())]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        unit = _UNIT.fullmatch(lines[start].strip())
        marks = {line.strip(): at for at, line in enumerate(lines[start:end], start)}
        if unit is None or not {_SOURCE, _TARGET, _END} <= marks.keys() or marks[_END] < marks[_TARGET]:
            raise _mistake(path, start + 1, "the lines that diglot wrote for this block are incomplete")
        source_end = marks.get(_CHANGED, marks[_TARGET])
        yield Translation(
            id=unit[1],
            source_digest=unit[2],
            target_digest=unit[3].removesuffix("none"),
            source="\n".join(lines[marks[_SOURCE] + 1 : source_end]).strip("\n"),
            target="\n".join(lines[marks[_TARGET] + 1 : marks[_END]]).strip("\n"),
        )


def _mistake(path: str, line: int, message: str) -> DiagnosticError:
    place = Location(path=path, line=line)
    fix = "export it again, and change nothing but the translations."
    return DiagnosticError(Diagnostic(rule="translation-form", message=message, location=place, fix=fix))
