"""Parses front matter: the YAML between the first two lines of `---`, and `meta.yaml`."""

import datetime
import re
from typing import Any, NamedTuple

from diglot.characters import visible
from diglot.content.foreign_names import fix_of_key
from diglot.content.mistakes import Mistakes
from diglot.content.quotes import with_curly_quotes
from diglot.content.records import FrontMatter, Parts, SharedText
from diglot.content.texts import text_with_values
from diglot.diagnostics import Diagnostic, DiagnosticError, Location, sorted_diagnostics
from diglot.languages import LANGUAGES, Language
from diglot.output_paths import LONGEST_PART_BYTES, PathFault, address_of_alias
from diglot.strict_yaml import Fields, read_mapping

KEYS = (
    *("title", "date", "description", "updated", "expires", "draft", "tags", "categories", "authors"),
    *("aliases", "only", "slug", "fallback", "translation_key", "comments", "contents", "execute", "series"),
    *("part", "params", "event", "article"),
)
_OF_TALKS = ("event", "article")
"""Keys that only a talk can have."""
_OF_ONE_HALF = (
    ("only", "is for an article that has one half", "move it into the half that exists."),
    ("translation_key", "joins halves of different names", "move it into each half."),
)
"""Keys that `meta.yaml` cannot have, what they are for, and what to do."""
_ID = re.compile(r"[a-z0-9][a-z0-9-]*")


class Matter(NamedTuple):
    """A source file split into front matter and body."""

    yaml: str | None
    """None where the file has no front matter."""
    body: str
    body_line: int
    """Line of the file on which the body begins."""
    lines: list[str]
    """The whole file, without line ends."""


def lines_of_keys(source_text: str, path: str) -> dict[str, int]:
    """The line of each key in the front matter of a file. Raises DiagnosticError as `split_front_matter`."""
    found: dict[str, int] = {}
    for line, text in enumerate((split_front_matter(source_text, path).yaml or "").split("\n"), 2):
        if (key := _KEY_OF_LINE.match(text)) is not None:
            found.setdefault(key[1], line)
    return found


_KEY_OF_LINE = re.compile(r"([a-z_]+)[ \t]*:")


def split_front_matter(source_text: str, path: str) -> Matter:
    """Split a source file. Raises DiagnosticError where its front matter is TOML, unclosed, or twice."""
    text = source_text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    if lines[0].rstrip() == "+++" and any(line.rstrip() == "+++" for line in lines[1:]):
        raise DiagnosticError(
            Diagnostic(
                rule="front-matter-toml",
                message="the front matter is TOML, between lines of +++",
                location=Location(path=path, line=1),
                source_line=lines[0],
                fix="write it as YAML between lines of ---: `title: …` instead of `title = …`.",
            )
        )
    if lines[0].rstrip() != "---":
        return Matter(None, text, 1, lines)
    for index in range(1, len(lines)):
        if lines[index].rstrip() == "---":
            _check_that_it_is_all(lines, index + 1, path)
            return Matter("\n".join(lines[1:index]), "\n".join(lines[index + 1 :]), index + 2, lines)
    raise DiagnosticError(
        Diagnostic(
            rule="front-matter-unclosed",
            message="the front matter is never closed",
            location=Location(path=path, line=1),
            source_line=lines[0],
            fix="add a line of --- before the text.",
        )
    )


def _check_that_it_is_all(lines: list[str], start: int, path: str) -> None:
    """Raise DiagnosticError where keys between lines of --- follow the front matter: a draft may be one."""
    begin = next((index for index in range(start, len(lines)) if lines[index].strip()), len(lines))
    if begin == len(lines) or lines[begin].rstrip() != "---":
        return
    end = next((index for index in range(begin + 1, len(lines)) if lines[index].rstrip() == "---"), begin)
    keys = lines[begin + 1 : end]
    if not any(map(_KEY_OF_LINE.match, keys)) or not all(map(_LINE_OF_KEYS.match, keys)):
        return
    raise DiagnosticError(
        Diagnostic(
            rule="front-matter-twice",
            message="there is front matter after the front matter, which nothing reads",
            location=Location(path=path, line=begin + 1),
            source_line=lines[begin],
            fix="put all keys between the first two lines of ---; for a rule before a heading, write ***.",
        )
    )


_LINE_OF_KEYS = re.compile(r"[A-Za-z_]+[ \t]*:(?:[ \t]|$)|[ \t]|#|-[ \t]|$")


def parse_front_matter(
    source_text: str,
    path: str,
    language: Language,
    shared: SharedText | None = None,
    *,
    is_page: bool = False,
    is_talk: bool = False,
) -> FrontMatter:
    """The front matter of a half, with the shared keys of `meta.yaml` filled in.

    A page (`is_page`) and a talk (`is_talk`) need no date, and have no tags or categories.

    Raises DiagnosticError with the mistakes in both.
    """
    return parse_with_warnings(source_text, path, language, shared, is_page=is_page, is_talk=is_talk)[0]


def parse_with_warnings(
    source_text: str,
    path: str,
    language: Language,
    shared: SharedText | None = None,
    *,
    is_page: bool = False,
    is_talk: bool = False,
) -> tuple[FrontMatter, tuple[Diagnostic, ...]]:
    """Like `parse_front_matter`, with the warnings about its texts."""
    broken: list[Diagnostic] = []
    own = common = None
    try:
        own = _own_fields(source_text, path)
    except DiagnosticError as error:
        broken += error.diagnostics
    try:
        common = Fields(read_mapping(shared.text, shared.path)) if shared is not None else None
    except DiagnosticError as error:
        broken += error.diagnostics
    if own is None or broken:
        raise DiagnosticError(*broken)
    mistakes = Mistakes(path, source_text.split("\n"))
    of_both = Mistakes(shared.path, shared.text.split("\n")) if shared is not None else mistakes
    matter = read_front_matter(
        own, common, language, mistakes, of_both=of_both, is_page=is_page, is_talk=is_talk
    )
    if common is not None:
        _report_conflicts(own, common)
        common.finish(KEYS, fix_of_key)
    own.finish(KEYS, fix_of_key)
    found = [*own.diagnostics, *(common.diagnostics if common is not None else ()), *mistakes.errors]
    warnings = mistakes.warnings
    if of_both is not mistakes:
        found += of_both.errors
        warnings = [*warnings, *of_both.warnings]
    if found:
        raise DiagnosticError(*sorted_diagnostics([*found, *warnings]))
    return matter, sorted_diagnostics(warnings)


def read_front_matter(
    own: Fields,
    common: Fields | None,
    language: Language,
    mistakes: Mistakes,
    *,
    of_both: Mistakes | None = None,
    is_page: bool = False,
    is_talk: bool = False,
) -> FrontMatter:
    """The front matter in a half's mapping and the shared one; mistakes are added to these.

    What is wrong with a text of the half or of `meta.yaml` is added to `mistakes` or `of_both`.
    """

    def words(key: str) -> Parts:
        if common is not None and key in common and key not in own:
            return _shared_words(key, common, language, of_both or mistakes)
        return _words(own.text(key), own.line_of(key), language, mistakes)

    def holder(key: str) -> Fields:
        return common if common is not None and key in common and key not in own else own

    date, updated = holder("date").date("date"), holder("updated").date("updated")
    expires = holder("expires").date("expires")
    matter = FrontMatter(
        title=words("title"),
        date=date or datetime.date.min,
        description=words("description"),
        updated=updated,
        expires=expires,
        draft=holder("draft").flag("draft"),
        tags=_ids("tags", holder("tags")),
        categories=_ids("categories", holder("categories")),
        authors=holder("authors").texts("authors"),
        aliases=_aliases(holder("aliases")),
        only=_only(own, language),
        slug=_slug(holder("slug"), language, is_common=holder("slug") is common),
        fallback=holder("fallback").flag("fallback") if "fallback" in holder("fallback") else None,
        comments=holder("comments").flag("comments") if "comments" in holder("comments") else None,
        series=_series(holder("series")),
        part=_part(holder("part")),
        contents=holder("contents").flag("contents", default=True),
        execute=holder("execute").choice("execute", ("always", "never")) != "never",
        params=_params(own, common),
        event=words("event"),
        article=holder("article").text("article") or "",
    )
    own.text("translation_key")  # read before, by `translation_key`: here its mistakes are found
    for key in ("title",) if is_page or is_talk else ("title", "date"):
        holder(key).require(key)
    for key in ("tags", "categories", "series") if is_page or is_talk else ():
        if key in holder(key):
            what = "talk" if is_talk else "page"
            wrong = f"{key}: a {what} is in no list of {key}" if is_talk else f"{key}: a page is in no list"
            holder(key).report(key, wrong, f"delete it, or make the {what} a post.")
    for key in () if is_talk else _OF_TALKS:
        if key in holder(key):
            fix = "delete it, or move the text to content/talks/."
            holder(key).report(key, f"{key}: only a talk can have it", fix)
    if "part" in holder("part") and "series" not in holder("series"):
        fix = "add the `series:` that it is a part of, or delete it."
        holder("part").report("part", "part: only an article in a series can have it", fix)
    if holder("title").raw("title") == "":
        holder("title").report("title", "the title is empty", "write what the article is about.")
    for key, day in (("updated", updated), ("expires", expires)):
        if date is not None and day is not None and day < date:
            message = f"{key}: {day} is before date: {date}"
            holder(key).report(key, message, "correct one of the two dates.")
    return matter


def translation_key(source_text: str) -> str:
    """What a half gives as its `translation_key`; empty if it gives none, or its front matter is broken."""
    if "translation_key" not in source_text:
        return ""
    try:
        key = _own_fields(source_text, "").text("translation_key")
    except DiagnosticError:
        return ""
    return key or ""


_TOO_LONG = f"has more than {LONGEST_PART_BYTES} characters, too many for a file name"


def _is_too_long(name: str) -> bool:
    return len(name.encode("utf-8", "replace")) > LONGEST_PART_BYTES


_ID_FIX = "use lower-case ASCII letters, digits and hyphens."


def _own_fields(source_text: str, path: str) -> Fields:
    matter = split_front_matter(source_text, path)
    if matter.yaml is None:
        raise DiagnosticError(
            Diagnostic(
                rule="front-matter-missing",
                message="the file does not begin with front matter",
                location=Location(path=path, line=1),
                source_line=matter.lines[0] or None,
                fix="begin it with a line of ---, `title: …`, `date: 2026-11-20`, and another line of ---.",
            )
        )
    return Fields(read_mapping(matter.yaml, path, first_line=2))


def _words(text: str | None, line: int, language: Language, mistakes: Mistakes) -> Parts:
    """A title or description."""
    return with_curly_quotes(text_with_values(text, line, mistakes), language) if text else ()


def _shared_words(key: str, common: Fields, language: Language, mistakes: Mistakes) -> Parts:
    """A title or description that `meta.yaml` has for this language."""
    if isinstance(common.raw(key), dict):
        both = common.bilingual(key)
        text = both.of(language) if both is not None else None
        return _words(text, common.line_of(key), language, mistakes)
    common.report(
        key,
        f"{key}: this is one text for both languages",
        f"write `{key}: {{zh: …, en: …}}`, or put it into the front matter of each half.",
    )
    return ()


def _ids(key: str, fields: Fields) -> tuple[str, ...]:
    ids = fields.texts(key)
    met: set[str] = set()
    for index, name in enumerate(ids):
        if _is_id(name, key, fields, index=index) and name in met:
            fields.report(key, f'{key}: "{name}" is repeated', "keep one of them.", index=index)
        met.add(name)
    return ids


def _is_id(
    name: str,
    key: str,
    fields: Fields,
    *,
    wrong: str = "cannot be an id",
    fix: str = f"{_ID_FIX} Its label in both languages belongs in site.yaml.",
    index: int | None = None,
) -> bool:
    """Whether a name can be part of an address; one that cannot is reported."""
    if _is_too_long(name):
        fields.report(key, f'{key}: "{name[:40]}…" {_TOO_LONG}', "choose a shorter one.", index=index)
    elif not _ID.fullmatch(name):
        fields.report(key, f'{key}: "{_shortened(visible(name))}" {wrong}', fix, index=index)
    else:
        return True
    return False


def _series(fields: Fields) -> str:
    name = fields.text("series")
    if name is not None:
        _is_id(name, "series", fields)
    return name or ""


def _part(fields: Fields) -> int | None:
    part = fields.integer("part")
    if part is not None and part < 1:
        fields.report("part", f"part: {part} is below 1", "number the parts from 1.")
    return part


def _aliases(fields: Fields) -> tuple[str, ...]:
    aliases = fields.texts("aliases")
    for index, alias in enumerate(aliases):
        try:
            address_of_alias(alias)
        except PathFault as fault:
            fix = "write the path from the site's root, beginning with one /."
            fields.report("aliases", f'the alias "{_shortened(visible(alias))}" {fault}', fix, index=index)
    return aliases


def _shortened(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:79]}…"


def _only(fields: Fields, language: Language) -> Language | None:
    only = fields.choice("only", LANGUAGES)
    if only is None:
        return None
    if only != language:
        fix = f"write `only: {language}`, or delete it."
        fields.report("only", f"the {language} half says only: {only}", fix)
    return language


def _slug(fields: Fields, language: Language, *, is_common: bool) -> str | None:
    """The slug of a half; `meta.yaml` may have one for each language."""
    if is_common and isinstance(fields.raw("slug"), dict):
        both = fields.bilingual("slug")
        slug = both.of(language) if both is not None else None
    else:
        slug = fields.text("slug")
    if slug is not None:
        _is_id(slug, "slug", fields, wrong="cannot be part of an address", fix=_ID_FIX)
    return slug


def _params(own: Fields, common: Fields | None) -> dict[str, Any]:
    """The half's own values, and the shared ones."""
    mine, shared = own.free("params"), {} if common is None else common.free("params")
    for key in mine:
        if common is not None and key in shared and mine[key] != shared[key]:
            place = Location(path=common.mapping.path, line=common.mapping.line_of("params", key))
            own.report(
                "params", f"params.{key} differs from {place}", "keep it in one of the two places.", index=key
            )
    return {**shared, **mine}


def _report_conflicts(own: Fields, common: Fields) -> None:
    for key, purpose, fix in _OF_ONE_HALF:
        if key in common:
            common.report(key, f"{key}: {purpose}, and cannot be shared", fix)
    compared_apart = ("params", *(key for key, _, _ in _OF_ONE_HALF))
    for key in own:
        if key in common and key not in compared_apart and own.raw(key) != common.raw(key):
            place = common.location_of(key)
            own.report(key, f"{key} differs from {place}", "keep it in one of the two places.")
