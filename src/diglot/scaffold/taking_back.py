"""Puts translations into a half: each in the place of one block, or behind the one that it follows.

Nothing else of the file changes. A translation is refused by its name where either text is no longer the one
that was handed out, or where it is not one block as the old one was.
"""

from typing import NamedTuple

from diglot.content.document import parse_text
from diglot.content.extensions import unknown_in
from diglot.content.front_matter import split_front_matter
from diglot.diagnostics import Diagnostic, DiagnosticError, Location, Refusal
from diglot.languages import NAMES
from diglot.scaffold.syncing import Compared
from diglot.scaffold.yaml_edits import front_matter_span, with_text
from diglot.staleness.comparing import Group
from diglot.staleness.translations import Translation, TranslationFile, is_translated
from diglot.staleness.units import OF_FRONT_MATTER, Unit, units_of_half


class TakenBack(NamedTuple):
    """A half with translations in it."""

    text: str
    done: tuple[Translation, ...]
    open: tuple[Translation, ...]
    """Those that the translator has not done yet."""
    refused: tuple[Diagnostic, ...]


class _Place(NamedTuple):
    """Where a translation goes."""

    line: int
    """First line that it takes the place of; of an insertion, the line that it follows."""
    last_line: int
    """Below `line` for an insertion."""
    kind: str


def take_back(compared: Compared, file: TranslationFile, text: str) -> TakenBack:
    """The half in `text` with the translations of a file in it."""
    done, left, refused = [], [], []
    places: list[tuple[_Place, int, Translation]] = []
    for number, one in enumerate(file.translations):
        place = _place(compared, file, one, text)
        if isinstance(place, Diagnostic):
            refused.append(place)
        elif is_translated(one, place.kind):
            places.append((place, number, one))
        else:
            left.append(one)
    # From the end to the beginning, so that lines above keep their numbers.
    for place, number, one in sorted(places, key=lambda item: (item[0].line, item[1]), reverse=True):
        try:
            text = _with(text, place, one.target.strip("\n"), file)
            done.append((number, one))
        except _Unfit as unfit:
            refused.append(_refusal(file.target_path, place.line, one, unfit.why, unfit.fix))
    return TakenBack(text, tuple(one for _, one in sorted(done)), tuple(left), tuple(refused))


def _place(compared: Compared, file: TranslationFile, one: Translation, text: str) -> _Place | Diagnostic:
    source = file.source_language
    units = compared.units.of(source)
    known = [at for at, unit in enumerate(units) if unit.digest == one.source_digest]
    named = {getattr(twins, source) for twins in compared.units.twins if twins.id == one.id}
    at = next((index for index in known if index in named), known[0] if len(known) == 1 else None)
    if at is None:
        line = next((units[index].line for index in named if index is not None), None)
        why = f"its {NAMES[source]} text has changed since it was handed out"
        return _refusal(file.source_path, line, one, why, _EXPORT)
    group = next(group for group, _ in compared.comparison.groups if group.of(source) == at)
    return _target_place(compared, group, file, one, text)


def _target_place(
    compared: Compared, group: Group, file: TranslationFile, one: Translation, text: str
) -> _Place | Diagnostic:
    target = file.target_language
    index = group.of(target)
    unit = None if index is None else compared.units.of(target)[index]
    if unit is not None and unit.digest == one.target_digest:
        return _Place(unit.line, unit.last_line, unit.kind)
    if unit is not None or one.target_digest:
        why = f"its {NAMES[target]} text has changed since it was handed out"
        return _refusal(file.target_path, unit.line if unit else None, one, why, _EXPORT)
    finding = next(found for other, found in compared.comparison.groups if other == group)
    if finding is None or finding.kind in OF_FRONT_MATTER:
        why = f"the {NAMES[target]} half has no place for it"
        return _refusal(file.target_path, None, one, why, "write it there yourself.")
    if finding.after is None or finding.after.kind in OF_FRONT_MATTER:
        line = split_front_matter(text, file.target_path).body_line - 1
    else:
        line = finding.after.last_line
    return _Place(line, line - 1, finding.kind)


_EXPORT = "export it again with `diglot status --export`, and translate the text as it is now."


class _Unfit(Exception):
    """Why a translation cannot replace the old one."""

    def __init__(self, why: str, fix: str) -> None:
        super().__init__(why)
        self.why = why
        self.fix = fix


def _refusal(path: str, line: int | None, one: Translation, why: str, fix: str) -> Diagnostic:
    return Diagnostic(
        rule="translation-refused",
        message=f'"{one.id}" was not taken back: {why}',
        location=Location(path=path, line=line),
        fix=fix,
    )


def _with(text: str, place: _Place, new: str, file: TranslationFile) -> str:
    """The half with one translation in its place. Raises _Unfit if anything else would change."""
    if place.kind in OF_FRONT_MATTER:
        return _with_key(text, place.kind, " ".join(new.split()), file.target_path)
    end = "\r\n" if "\r\n" in text else "\n"
    lines = text.split("\n")
    written = [f"{line}\r" if end == "\r\n" else line for line in new.split("\n")]
    if place.last_line < place.line:
        blank = "\r" if end == "\r\n" else ""
        behind = [blank] if "".join(lines[place.line : place.line + 1]).strip() else []
        lines[place.line : place.line] = [blank, *written, *behind]
    else:
        lines[place.line - 1 : place.last_line] = written
    changed = "\n".join(lines)
    _check(text, changed, place, file)
    return changed


def _with_key(text: str, key: str, new: str, path: str) -> str:
    try:
        start, end = front_matter_span(text, path)
        return text[:start] + with_text(text[start:end], [key], new, path) + text[end:]
    except Refusal as refusal:
        raise _Unfit(refusal.message, refusal.fix) from refusal


def _check(before: str, after: str, place: _Place, file: TranslationFile) -> None:
    """Raise _Unfit unless one block took the place of one, or is new, and all others are the same."""
    old, new = _units(before, file), _units(after, file)
    inserting = place.last_line < place.line
    others = [unit.digest for unit in old if inserting or unit.line != place.line]
    digests = [unit.digest for unit in new]
    if not any(
        unit.kind == place.kind and digests[:at] + digests[at + 1 :] == others for at, unit in enumerate(new)
    ):
        raise _Unfit("it is not one block, or it changes the blocks around it", _ONE_BLOCK)


_ONE_BLOCK = "keep its form: as many blocks as the text has, with their beginning and end."


def _units(text: str, file: TranslationFile) -> tuple[Unit, ...]:
    try:
        left_out = unknown_in(text)  # what extensions make is no text of the half
        half = parse_text(text, file.target_path, file.target_language, extended=left_out)
        return units_of_half(half.document, text)
    except DiagnosticError as error:
        mistake = error.diagnostics[0]
        raise _Unfit(mistake.message, mistake.fix or _ONE_BLOCK) from error
