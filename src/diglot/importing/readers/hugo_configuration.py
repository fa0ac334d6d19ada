"""The configuration of a Hugo site, in one file or in a folder: languages, titles, menus."""

import re
from typing import NamedTuple
from urllib.parse import urlsplit

from diglot.importing.names import language_of_code
from diglot.importing.readers.permalinks import key_of
from diglot.importing.readers.reading import Reading
from diglot.importing.readers.settings import Settings, both, label_of, read_configuration
from diglot.importing.records import MenuEntry, SiteSettings
from diglot.languages import LANGUAGES, Bilingual, Language

_ENDINGS = ("toml", "yaml", "yml", "json")
_STEMS = ("hugo", "config", "config/_default/hugo", "config/_default/config")
_KINDS_OF_PAGES = ("page", "section", "taxonomy", "term")


class HugoConfiguration(NamedTuple):
    """The parts of a configuration, with keys in lower case, because Hugo ignores their case."""

    main: Settings
    languages: dict[str, Settings]
    """By code."""
    params: Settings
    permalinks: dict[str, str]
    """The patterns of articles, by section."""
    menus: Settings
    menus_by_language: dict[str, Settings]

    def __bool__(self) -> bool:
        return bool(self.main) or bool(self.languages) or bool(self.params)


class Layout(NamedTuple):
    """How the files of a site's languages are organised."""

    folders: dict[str, str]
    """The language code of each content folder."""
    statics: tuple[str, ...]
    """Folders of files that are published unchanged."""
    default: str
    is_multilingual: bool
    default_in_subdir: bool


def hugo_configuration(reading: Reading) -> HugoConfiguration:
    """The configuration from one file or several."""
    main = read_configuration(
        reading, tuple(f"{stem}.{end}" for stem in _STEMS for end in _ENDINGS), lower=True
    )

    def part(*names: str, list_key: str = "") -> Settings:
        for name in names:
            paths = tuple(f"config/_default/{name}.{end}" for end in _ENDINGS)
            if own := read_configuration(reading, paths, optional=True, lower=True, list_key=list_key):
                return own
        if list_key and any(map(main.is_list, names)):
            return Settings({})
        return next((main.inside(name) for name in names if name in main), Settings({}))

    languages = part("languages")
    by_code = {code: languages.inside(code) for code in languages.keys}  # reports those that are no mappings
    menus = part("menus", "menu", list_key="main")
    if not menus and (name := next((name for name in ("menus", "menu") if main.is_list(name)), "")):
        menus = main.with_values({"main": main.values[name]})
    by_language = {
        found[1]: read_configuration(reading, (path,), optional=True, lower=True, list_key="main")
        for path in reading.folder.files
        if (found := re.fullmatch(r"config/_default/menus?\.([\w-]+)\.(?:toml|ya?ml|json)", path))
    }
    return HugoConfiguration(
        main,
        {code: one for code, one in by_code.items() if languages.is_mapping(code)},
        part("params"),
        _permalinks(part("permalinks")),
        menus,
        by_language,
    )


def _permalinks(permalinks: Settings) -> dict[str, str]:
    """The patterns of articles by section, from either shape.

    Since Hugo 0.115 they may be below `page`, one of the kinds of pages. In the older shape, which still
    counts, they are at the top, and a section may have any name, `page` too.
    """
    patterns = {}
    for key in permalinks.keys:
        if key in _KINDS_OF_PAGES and permalinks.is_mapping(key):
            inner = permalinks.inside(key)
            patterns.update({section: inner.text(section) for section in inner.keys} if key == "page" else {})
        else:
            patterns[key] = permalinks.text(key)
    return {section: pattern for section, pattern in patterns.items() if pattern}


def layout_of(configuration: HugoConfiguration, reading: Reading) -> Layout:
    """Find out how the files of the languages are organised."""
    main = configuration.main
    default = main.text("defaultcontentlanguage").lower() or "en"

    def inside_blog(settings: Settings, key: str, folder: str) -> str:
        name = folder.strip("/").removeprefix("./")
        if f"{name}/" not in reading.folders:
            settings.tell(key, f"`{key}: {folder}` is no folder of the blog; it is not read", "")
            return ""
        return name

    folders: dict[str, str] = {}
    if content := main.text("contentdir"):
        folders[inside_blog(main, "contentdir", content) or "content"] = default
    else:
        folders["content"] = default
    statics = [
        name for folder in main.texts("staticdir") if (name := inside_blog(main, "staticdir", folder))
    ] or ["static"]
    for code, one in configuration.languages.items():
        if (folder := one.text("contentdir")) and (name := inside_blog(one, "contentdir", folder)):
            folders[name] = code
        statics += [
            name for folder in one.texts("staticdir") if (name := inside_blog(one, "staticdir", folder))
        ]
    for mount in main.inside("module").entries("mounts"):
        target = mount.text("target").strip("/").partition("/")[0]
        if target in ("content", "static") and (name := inside_blog(mount, "source", mount.text("source"))):
            if target == "content":
                folders.setdefault(name, mount.text("lang") or default)
            else:
                statics.append(name)
    return Layout(
        folders,
        tuple(dict.fromkeys(statics)),
        default,
        len(configuration.languages) > 1,
        main.is_on("defaultcontentlanguageinsubdir"),
    )


def settings_of(configuration: HugoConfiguration) -> SiteSettings:
    """The settings that `site.yaml` has, too."""
    languages = {language_of_code(code): one for code, one in configuration.languages.items()}
    main, params = configuration.main, configuration.params

    def text(*keys: str) -> Bilingual | None:
        common = main.text(*keys) or params.text(*keys)
        own = {
            str(language): one.text(*keys)
            or (one.inside("params").text(*keys) if "params" in one else "")
            or common
            for language, one in languages.items()
            if language
        }
        return both({key: value for key, value in own.items() if value}) or both(common)

    return SiteSettings(
        title=text("title"),
        description=text("description", "subtitle"),
        base_url=main.text("baseurl") if main.text("baseurl").strip("/") else "",
        author=re.sub(r"<[^<>]*>", "", _author(main) or _author(params)).strip(),
        menu=_menu(configuration, languages),
        first=language_of_code(main.text("defaultcontentlanguage")) if len(languages) > 1 else None,
    )


def _author(settings: Settings) -> str:
    if settings.is_mapping("author"):
        return settings.inside("author").text("name")
    return next(iter(settings.texts("author")), "")


def _menu(
    configuration: HugoConfiguration, languages: dict[Language | None, Settings]
) -> tuple[MenuEntry, ...]:
    """The main menu, with labels in both languages for entries that have the same address in both."""
    by_language: dict[Language | None, list[Settings]] = {}
    for code, menus in configuration.menus_by_language.items():
        by_language[language_of_code(code)] = menus.entries("main")
    for language, one in languages.items():
        for key in ("menu", "menus"):
            if key in one and (entries := one.inside(key).entries("main")):
                by_language[language] = entries
    common = configuration.menus.entries("main")
    lists = [
        entries
        for entries in (by_language.get("zh"), by_language.get("en"), None if by_language else common)
        if entries
    ]
    labels: dict[str, dict[str, str]] = {}
    for code in LANGUAGES:
        for entry in by_language.get(code, common):
            label = label_of(entry, "name", "title", "identifier")
            if label is not None:
                labels.setdefault(_target(entry), {})[code] = getattr(label, code)
    met: dict[str, MenuEntry] = {}
    for entries in lists:
        for entry in sorted(entries, key=_weight):
            target = _target(entry)
            label = both(labels.get(target))
            if target and label is not None:
                met.setdefault(target, MenuEntry(label=label, address=target, source=entry.path))
    return tuple(met.values())


def _weight(entry: Settings) -> int:
    weight = entry.text("weight")
    return int(weight) if re.fullmatch(r"-?[0-9]{1,9}", weight) else 0


def _target(entry: Settings) -> str:
    target = entry.text("url", "pageref")
    try:
        return target if not target or urlsplit(target).scheme else f"/{key_of(target)}/"
    except ValueError:
        return ""
