"""The configuration of a Hugo site, in one file or in a folder: languages, titles, menus."""

import re
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from diglot.importing.names import language_of_code
from diglot.importing.readers.permalinks import key_of
from diglot.importing.readers.settings import both, read_configuration
from diglot.importing.records import MenuEntry, SiteSettings
from diglot.languages import LANGUAGES, Bilingual, Language

_ENDINGS = ("toml", "yaml", "yml", "json")


class Layout(NamedTuple):
    """How the files of a site's languages are organised."""

    folders: dict[str, str]
    """The language code of each content folder."""
    default: str
    is_multilingual: bool
    default_in_subdir: bool


def hugo_configuration(root: Path) -> dict[str, Any]:
    """The configuration from one file or several, with lower-case keys at the top level."""
    stems = ("hugo", "config", "config/_default/hugo", "config/_default/config")
    main = lower_keys(read_configuration(root, tuple(f"{stem}.{end}" for stem in stems for end in _ENDINGS)))
    for part in ("languages", "menus", "menu", "params", "permalinks", "taxonomies"):
        more = read_configuration(root, tuple(f"config/_default/{part}.{end}" for end in _ENDINGS))
        if more:
            main["menus" if part == "menu" else part] = more
    menus = {}
    for path in (
        sorted((root / "config/_default").glob("menus.*.*")) if (root / "config/_default").is_dir() else ()
    ):
        menus[path.name.split(".")[1]] = read_configuration(root, (f"config/_default/{path.name}",))
    if menus:
        main["menus_by_language"] = menus
    return main


def lower_keys(values: dict[str, Any]) -> dict[str, Any]:
    """Values with lower-case keys, because Hugo ignores the case of keys."""
    return {str(key).lower(): value for key, value in values.items()}


def _languages(configuration: dict[str, Any]) -> dict[str, dict[str, Any]]:
    found = configuration.get("languages")
    return (
        {str(code): lower_keys(one) for code, one in found.items() if isinstance(one, dict)}
        if isinstance(found, dict)
        else {}
    )


def layout_of(configuration: dict[str, Any]) -> Layout:
    """Find out how the files of the languages are organised."""
    languages = _languages(configuration)
    default = str(configuration.get("defaultcontentlanguage") or "en")
    content = str(configuration.get("contentdir") or "content").strip("/")
    folders = {content: default}
    for code, one in languages.items():
        if one.get("contentdir"):
            folders[str(one["contentdir"]).strip("/")] = code
    return Layout(
        folders, default, len(languages) > 1, configuration.get("defaultcontentlanguageinsubdir") is True
    )


def settings_of(configuration: dict[str, Any]) -> SiteSettings:
    """The settings that `site.yaml` has, too."""
    languages = {language_of_code(code): one for code, one in _languages(configuration).items()}

    def text(*keys: str) -> Bilingual | None:
        params = configuration.get("params")
        common = next(
            (
                v
                for k in keys
                for v in (
                    configuration.get(k),
                    lower_keys(params).get(k) if isinstance(params, dict) else None,
                )
                if isinstance(v, str) and v
            ),
            None,
        )
        own = {
            str(language): next(
                (
                    v
                    for k in keys
                    for v in (one.get(k), lower_keys(one.get("params") or {}).get(k))
                    if isinstance(v, str) and v
                ),
                common,
            )
            for language, one in languages.items()
            if language
        }
        return both({key: value for key, value in own.items() if value}) or both(common)

    author = configuration.get("author")
    params = configuration.get("params")
    author = author or (lower_keys(params).get("author") if isinstance(params, dict) else "")
    name = (
        author.get("name")
        if isinstance(author, dict)
        else author[0]
        if isinstance(author, list) and author
        else author
    )
    return SiteSettings(
        title=text("title"),
        description=text("description", "subtitle"),
        base_url=_address(configuration.get("baseurl")),
        author=re.sub(r"<[^<>]*>", "", str(name or "")).strip(),
        menu=_menu(configuration, languages),
        first=language_of_code(configuration.get("defaultcontentlanguage") or "")
        if len(languages) > 1
        else None,
    )


def _address(value: Any) -> str:
    text = str(value or "")
    return text if urlsplit(text).netloc else ""


def _menu(
    configuration: dict[str, Any], languages: dict[Language | None, dict[str, Any]]
) -> tuple[MenuEntry, ...]:
    """The main menu, with labels in both languages for entries that have the same address in both."""
    by_language: dict[Language | None, list[dict[str, Any]]] = {}
    for code, menus in (configuration.get("menus_by_language") or {}).items():
        by_language[language_of_code(code)] = _entries(menus)
    for language, one in languages.items():
        if found := _entries(one.get("menu") or one.get("menus")):
            by_language[language] = found
    common = _entries(configuration.get("menu") or configuration.get("menus"))
    lists = [
        entries
        for entries in (by_language.get("zh"), by_language.get("en"), None if by_language else common)
        if entries
    ]
    labels: dict[str, dict[str, str]] = {}
    for code in LANGUAGES:
        for entry in by_language.get(code, common):
            labels.setdefault(_target(entry), {})[code] = str(
                entry.get("name") or entry.get("title") or entry.get("identifier") or ""
            )
    met: dict[str, MenuEntry] = {}
    for entries in lists:
        for entry in sorted(
            entries,
            key=_weight,
        ):
            target = _target(entry)
            label = both(labels.get(target))
            if target and label is not None:
                met.setdefault(target, MenuEntry(label=label, address=target))
    return tuple(met.values())


def _weight(entry: dict[str, Any]) -> int:
    weight = entry.get("weight")
    return weight if isinstance(weight, int) else 0


def _entries(menus: Any) -> list[dict[str, Any]]:
    entries = menus.get("main") if isinstance(menus, dict) else menus
    return [lower_keys(one) for one in entries if isinstance(one, dict)] if isinstance(entries, list) else []


def _target(entry: dict[str, Any]) -> str:
    target = str(entry.get("url") or entry.get("pageref") or "")
    return target if not target or urlsplit(target).scheme else f"/{key_of(target)}/"
