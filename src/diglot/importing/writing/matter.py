"""Converts the front matter of other systems to the keys that diglot has."""

import datetime
import json
import re
from collections.abc import Iterable
from typing import Any

import msgspec

from diglot.characters import without_forbidden
from diglot.importing.readers.source_files import as_date, as_texts, rough_date
from diglot.importing.records import Findings, Half
from diglot.importing.text.emoji import with_emoji
from diglot.importing.words import words
from diglot.languages import Language

TITLES: dict[Language, tuple[str, ...]] = {
    "zh": ("title_zh", "title-zh", "title_cn", "zh_title", "titleZh"),
    "en": ("title_en", "title-en", "en_title", "titleEn"),
}
_DATES = ("date", "publishDate", "publishdate", "pubDate", "created", "createdAt")
_PUBLISHED = ("publishDate", "publishdate")
"""When an article appears, whatever its date says."""
_EXPIRIES = ("expires", "expiryDate", "expirydate", "unpublishDate", "unpublishdate")
_UPDATES = (
    "updated",
    "lastmod",
    "last_modified_at",
    "modified",
    "last_update",
    "updatedAt",
    "lastUpdated",
    "update_date",
)
_DESCRIPTIONS = ("description", "summary", "excerpt", "abstract", "desc", "subtitle")
_TEXTS = ("title", *_DESCRIPTIONS, "slug", "url", "permalink", "lang", "language")
_LAST_PART = 100_000
_TAGS = ("tags", "tag")
_CATEGORIES = ("categories", "category")
_AUTHORS = ("authors", "author")
_SERIES = "series"
_PARTS = ("series_order", "series_weight", "series_part", "part")
_OLD_ADDRESSES = ("aliases", "redirect_from", "alias")
NOT_NEEDED = words("keys not needed")
"""Keys that control how a theme shows a page. Every page of diglot has what is useful of that."""


class OwnMatter(msgspec.Struct, frozen=True, kw_only=True):
    """The front matter of a half as diglot's keys, with labels in place of ids."""

    title: str
    date: datetime.date | None
    updated: datetime.date | None
    expires: datetime.date | None
    description: str
    is_draft: bool
    tags: tuple[str, ...]
    categories: tuple[str, ...]
    authors: tuple[str, ...]
    series: tuple[str, ...]
    """At most one."""
    part: int | None
    aliases: tuple[str, ...]
    rest: dict[str, Any]
    """Values of keys that diglot lacks."""


def map_matter(half: Half, findings: Findings) -> OwnMatter:
    """Convert the front matter of a half."""
    matter = half.matter.values

    def first(*keys: str) -> tuple[str, Any]:
        return next(
            ((key, matter[key]) for key in keys if matter.get(key) not in (None, "", [], {})), ("", None)
        )

    for key in (*_TEXTS, *TITLES["zh"], *TITLES["en"]):
        if isinstance(value := matter.get(key), list | dict) and value:
            kind = "a list" if isinstance(value, list) else "a mapping"
            message = f"`{key}` has {kind} where a text is expected; it is not used"
            findings.tell(half.source, message, "correct it, and import again.", line=half.line_of(key))
    title = half.matter.text(*TITLES[half.language], "title")
    date_key, date_value = first(*_DATES)
    date = as_date(date_value) if date_key else None
    if date is None and (rough := rough_date(date_value)) is not None:
        date = rough
        message = f'the date "{_line(date_value)}" has no day; {date} is used'
        findings.tell(half.source, message, "correct `date:`.", line=half.line_of(date_key))
    elif date_key and date is None:
        findings.tell(
            half.source,
            f'the date "{_line(date_value)[:60]}" cannot be read',
            "write `date: YYYY-MM-DD` into the article.",
            line=half.line_of(date_key),
        )
    published = as_date(first(*_PUBLISHED)[1])
    if date is not None and published is not None and published > max(date, _today()):
        message = f"it appears on {published}, so that is its date here, in place of {date}"
        findings.tell(half.source, message, line=half.line_of(first(*_PUBLISHED)[0]))
        date = published
    expiry_key, expiry_value = first(*_EXPIRIES)
    expires = as_date(expiry_value) if expiry_key else None
    if expiry_key and expires is None:
        message = f'the date "{_line(expiry_value)[:60]}" cannot be read, so the article is a draft'
        findings.tell(half.source, message, "write `expires: YYYY-MM-DD`.", line=half.line_of(expiry_key))
    is_over = half.is_page and expires is not None and expires <= _today()
    if is_over:
        message = f"it was shown until {expires}, so it is a draft here"
        findings.tell(half.source, message, "delete `draft:` to publish it.", line=half.line_of(expiry_key))
    update_key, update_value = first(*_UPDATES)
    updated = as_date(update_value) if update_key else None
    description_key, description = first(*_DESCRIPTIONS)
    rest = {
        key: value
        for key, value in matter.items()
        if key not in _KNOWN
        and key not in NOT_NEEDED
        and key not in _HIDING
        and value not in (None, "", [], {})
    }
    for key in (*_DESCRIPTIONS, *_DATES, *_UPDATES):
        if (
            key in matter
            and key not in (description_key, date_key, update_key)
            and matter[key] not in (None, "")
        ):
            rest[key] = matter[key]
    series = tuple(filter(None, map(_line, as_texts(matter.get(_SERIES)))))
    if len(series) > 1:
        message = f'the article is in {len(series)} series, and only "{series[0]}" is kept'
        fix = "choose another one, if that is not the right one."
        findings.tell(half.source, message, fix, line=half.line_of(_SERIES))
    part_key, part = first(*_PARTS)
    if part_key and not (series and isinstance(part, int) and part is not True and 0 < part <= _LAST_PART):
        part, rest[part_key] = None, part
    date = date or half.date
    if date is not None and updated is not None and updated < date:
        message = f"`{update_key}: {updated}` is before the date, {date}, and is left out"
        findings.tell(half.source, message, "correct the date that is wrong.", line=half.line_of(update_key))
        updated = None
    return OwnMatter(
        title=_line(title),
        date=date,
        updated=updated if updated != date else None,
        description=_line(description) if isinstance(description, str | int | float) else "",
        expires=expires,
        is_draft=_is_hidden(half, findings) or half.is_draft or is_over or bool(expiry_key and not expires),
        tags=_labels(first(*_TAGS)[1]),
        categories=_labels(first(*_CATEGORIES)[1]),
        authors=_people(first(*_AUTHORS)[1]),
        series=series[:1],
        part=part,
        aliases=tuple(text for key in _OLD_ADDRESSES for text in as_texts(matter.get(key))),
        rest=rest,
    )


_KNOWN = words("keys used elsewhere").union(
    *(_DATES, _UPDATES, _EXPIRIES, _DESCRIPTIONS, _TAGS, _CATEGORIES, _AUTHORS, _PARTS, _OLD_ADDRESSES),
    *(TITLES["zh"], TITLES["en"], ("title", _SERIES)),
)


def _line(value: Any) -> str:
    """A value as one line of plain text, without HTML tags."""
    text = re.sub(r"<[^<>]+>", "", str(value))
    return with_emoji(clean(" ".join(text.split())))


def clean(text: str) -> str:
    """Remove the characters that no page may contain."""
    if text.isprintable():
        return text
    return without_forbidden(re.sub(r"[\x0b-\x1f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]", "", text))


def _labels(value: Any) -> tuple[str, ...]:
    """Tags or categories: a list, or one text with commas between them."""
    texts = as_texts(value)
    if isinstance(value, str) and re.search("[,，、]", value):
        texts = tuple(part.strip() for part in re.split("[,，、]", value))
    return tuple(dict.fromkeys(filter(None, map(_line, texts))))


def _people(value: Any) -> tuple[str, ...]:
    if isinstance(value, dict):
        value = value.get("name") or value.get("nick") or ""
    if isinstance(value, list):
        return tuple(dict.fromkeys(name for item in value for name in _people(item)))
    return tuple(filter(None, (_line(value),))) if value else ()


def _today() -> datetime.date:
    return datetime.datetime.now(datetime.UTC).date()


_HIDING = ("draft", "published", "hidden", "headless", "_build", "build", "unlisted")
_SHOWING = ("false", "no", "off", "0", "none", "")


def _is_hiding(key: str, value: Any) -> bool:
    """Whether a key says that an article is on no page or in no list; anything but a plain no does."""
    if key == "published":
        return _is_false(value)
    if key in ("build", "_build"):
        chosen = [value.get(name, True) for name in ("render", "list")] if isinstance(value, dict) else []
        return any(_is_false(choice) or choice in ("never", "link") for choice in chosen)
    return str(value).strip().lower() not in _SHOWING


def _is_hidden(half: Half, findings: Findings) -> bool:
    """Whether readers don't see a half, so that it is a draft here; said of keys that don't call it one."""
    values = half.matter.values
    hiding = [key for key in _HIDING if key in values and _is_hiding(key, values[key])]
    for key in hiding:
        if key not in ("draft", "published") or not (_is_true(values[key]) or _is_false(values[key])):
            message = f"`{key}: {_line(values[key])[:60]}` keeps it from readers, so it is a draft here"
            findings.tell(half.source, message, "delete `draft:` to publish it.", line=half.line_of(key))
    return bool(hiding)


def _is_true(value: Any) -> bool:
    return value is True or str(value).lower() in ("true", "yes")


def _is_false(value: Any) -> bool:
    return value is False or str(value).lower() in ("false", "no")


_MOST_BRACKETS = 40
"""In a comment; a reader of YAML refuses text with more, as it would take long."""


def written(entries: Iterable[tuple[str, Any]], *, comments: dict[str, Any] | None = None) -> str:
    """Front matter or configuration as YAML; keys that diglot lacks follow as comments."""
    lines = [line for key, value in entries for line in _entry(key, value, 0)]
    for key, value in (comments or {}).items():
        shown = json.dumps(value, ensure_ascii=False, default=str)
        if shown.count("[") + shown.count("{") > _MOST_BRACKETS:
            shown = "(nested too deeply to be shown)"
        lines.append(f"# {clean(' '.join(f'{key}: {shown}'.split()))[:900]}")
    return "\n".join(lines) + "\n"


def _entry(key: str, value: Any, indent: int) -> list[str]:
    lead = " " * indent
    if isinstance(value, dict):
        return [
            f"{lead}{_scalar(key)}:",
            *(line for k, v in value.items() for line in _entry(k, v, indent + 2)),
        ]
    if isinstance(value, tuple) and len(value) == 2 and hasattr(value, "_fields"):
        if value[0] == value[1]:
            return [f"{lead}{key}: {_scalar(value[0])}"]
        return [f"{lead}{key}: {{zh: {_inside(value[0])}, en: {_inside(value[1])}}}"]
    if isinstance(value, list | tuple):
        if all(isinstance(item, str) and re.fullmatch(r"[a-z][a-z0-9-]*", _scalar(item)) for item in value):
            return [f"{lead}{key}: [{', '.join(value)}]"]
        lines = [f"{lead}{key}:"]
        for item in value:
            if isinstance(item, dict):
                inner = [line for k, v in item.items() for line in _entry(k, v, indent + 4)]
                lines += [f"{lead}  - {inner[0].strip()}", *inner[1:]]
            else:
                lines.append(f"{lead}  - {_scalar(item)}")
        return lines
    return [f"{lead}{key}: {_scalar(value)}"]


_PLAIN = re.compile(r"[A-Za-z\u3400-\u9fff/](?:[^\n:#\"'{}\[\],&*!|>%@`\\]|:(?=\S)|(?<=\S)')*")
_NOT_TEXT = re.compile(r"(?:true|false|null|yes|no|on|off|y|n|~)", re.IGNORECASE)


def _scalar(value: Any) -> str:
    """A value as YAML; text is quoted unless it is certain to be plain."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        value = clean(value)
        plain = (
            _PLAIN.fullmatch(value)
            and not _NOT_TEXT.fullmatch(value)
            and value == value.strip()
            and not value.endswith(":")
        )
        return value if plain else json.dumps(value, ensure_ascii=False)
    return str(value)


def _inside(text: str) -> str:
    """A text as YAML within braces."""
    return json.dumps(clean(text), ensure_ascii=False)
