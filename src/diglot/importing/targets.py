"""Finds where links of the old site lead in the new one, and which files go next to which article."""

import datetime
import posixpath
import re
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from diglot.importing.names import file_name, free_name, language_of_code, slug_of
from diglot.importing.readers.permalinks import key_of, tidy
from diglot.importing.records import Half, SourceSite
from diglot.importing.text.links import is_external
from diglot.languages import Language

ARTICLE = "diglot-article:"
FILE = "diglot-file:"
"""Schemes of addresses that are already resolved: `diglot-article:zh:3#part`, `diglot-file:x.png`."""
_SINGULAR = {"tags": "tag", "categories": "category"}
_UNSAFE = re.compile(r"[\x00-\x20\x7f%\"<>\\^`{|}()\[\]]")
_MARKED = re.compile(rf"{ARTICLE}(?:zh|en):[0-9]+(?:#[^\s)\"'>\]]*)?|{FILE}[^\s)\"'>\]]*")


class Place(NamedTuple):
    """An article or page of the new site."""

    number: int
    name: str
    is_page: bool
    languages: tuple[Language, ...]
    is_hidden: bool
    """A draft, or dated in the future, so that published articles may not link to it."""

    def address(self, language: Language, reader: Language) -> str:
        """Its address, with a language only if the link leads to another language than its reader's."""
        path = f"/{self.name}/" if self.is_page else f"/posts/{self.name}/"
        return (
            path
            if language == reader or (reader in self.languages and language not in self.languages)
            else f"/{language}{path}"
        )


class Goal(NamedTuple):
    """What a link leads to: an article, a file of the source, or neither."""

    place: Place | None = None
    language: Language = "zh"
    fragment: str = ""
    file: str = ""
    path: str = ""
    """The path on the old site, for a link that leads to neither."""


class Targets:
    """Finds the targets of links by old addresses, paths of source files and names."""

    def __init__(
        self, site: SourceSite, places: Iterable[tuple[Place, dict[Language, Half]]], base_url: str
    ) -> None:
        self._site = site
        self._base_url = base_url
        self._base = urlsplit(base_url)
        self._addresses: dict[str, tuple[Place, Language]] = {}
        self._sources: dict[str, tuple[Place, Language]] = {}
        self._names: dict[str, tuple[Place, Language]] = {}
        self.places: dict[int, Place] = {}
        for place, halves in places:
            self.places[place.number] = place
            for language, half in halves.items():
                found = (place, language)
                aliases = half.matter.values.get("aliases") or half.matter.values.get("redirect_from") or ()
                for address in (*half.addresses, *(aliases if isinstance(aliases, list) else (aliases,))):
                    self._addresses.setdefault(key_of(str(address)), found)
                source = half.source.lower()
                stem = posixpath.splitext(source)[0]
                for name in (
                    source,
                    stem,
                    re.sub(r"/(?:_?index)$", "", stem),
                    re.sub(r"\.[a-z]{2}(?:-[a-z]+)?$", "", stem),
                ):
                    self._sources.setdefault(name, found)
                for name in (
                    posixpath.basename(stem),
                    half.name.lower(),
                    half.name.rpartition("/")[2].lower(),
                ):
                    self._names.setdefault(name, found)
                    self._names.setdefault(re.sub(r"^\d{4}-\d{1,2}-\d{1,2}-", "", name), found)
        self._files: dict[str, dict[str, str]] = {}
        self.used: set[str] = set()
        """Source files that go next to some article."""
        self._terms: dict[str, dict[Language, str]] = {}
        self.lists: set[str] = set()
        """The addresses of lists of tags and categories, without a language."""
        self._statics = {key.lower(): path for key, path in site.statics.items()}

    def named(self, name: str, half: Half) -> str | None:
        """The marked address of the post or file that a tag of the old system names; None if none does."""
        path, mark, fragment = unquote(name.strip()).partition("#")
        if not path:
            return f"#{fragment}"
        if is_external(path):
            return name
        goal = self._by_path(path, half) or self._by_address(path, half)
        if goal is None:
            plain = (
                posixpath.splitext(path.strip("/").lower())[0]
                if path.endswith((".md", ".markdown"))
                else path.strip("/").lower()
            )
            short = re.sub(r"^_posts/", "", plain)
            found = (
                self._names.get(short)
                or self._names.get(short.rpartition("/")[2])
                or self._sources.get(f"_posts/{short}")
            )
            goal = Goal(*self._in_language(found, half.language)) if found is not None else None
        if goal is None:
            return None
        if goal.place is not None:
            return f"{ARTICLE}{goal.language}:{goal.place.number}{mark}{fragment}"
        return f"{FILE}{goal.file}"

    def goal(self, target: str, half: Half) -> Goal | None:
        """The target of a link or picture in a half; None for addresses of other sites."""
        target = target.strip()
        if target.startswith(ARTICLE):
            language, _, rest = target.removeprefix(ARTICLE).partition(":")
            number, _, fragment = rest.partition("#")
            return Goal(self.places[int(number)], "en" if language == "en" else "zh", fragment)
        if target.startswith(FILE):
            file = target.removeprefix(FILE)
            return Goal(file=file if file in self._site.files else file.partition("#")[0])
        own = self._own_path(target)
        if own is None:
            return None
        path, _, fragment = own.partition("#")
        path = unquote(path.partition("?")[0])
        if not path:
            return Goal(fragment=unquote(fragment))
        goal = self._by_path(path, half) or self._by_address(path, half)
        if goal is not None:
            return goal._replace(fragment=unquote(fragment))
        place = _absolute(path, half)
        return Goal(path=place, fragment=unquote(fragment))

    def page_at(self, address: str) -> Place | None:
        """The article or page at an address of the old site."""
        found = self._addresses.get(key_of(address))
        return found[0] if found is not None else None

    def add_term(self, taxonomy: str, label: str, name: str, languages: Iterable[Language]) -> None:
        """Remember where the articles of a tag or category are listed in some languages."""
        self.lists.add(f"/{taxonomy}/{name}/")
        words = {label, re.sub(r"\s+", "-", label), slug_of(label), name}
        for folder in (taxonomy, _SINGULAR[taxonomy]):
            for word in words - {""}:
                places = self._terms.setdefault(key_of(f"/{folder}/{word}"), {})
                for language in languages:
                    places.setdefault(language, f"/{taxonomy}/{name}/")

    def term_at(self, path: str, language: Language) -> str | None:
        """The address of the list of a tag or category that was at a path of the old site."""
        key = key_of(path)
        first, _, rest = key.partition("/")
        places = self._terms.get(rest if language_of_code(first) else key, {})
        if language in places or not places:
            return places.get(language)
        other, place = next(iter(places.items()))
        return f"/{other}{place}"

    def _own_path(self, target: str) -> str | None:
        """The path within the old site; None for addresses of other sites."""
        if is_external(target):
            try:
                parts = urlsplit(target)
            except ValueError:
                return None
            if (
                not self._base.netloc
                or parts.netloc.lower() != self._base.netloc.lower()
                or parts.scheme not in ("", "http", "https")
            ):
                return None
            target = (parts.path or "/") + (f"#{parts.fragment}" if parts.fragment else "")
        base = self._base.path.rstrip("/")
        return target.removeprefix(base) if base and target.startswith(f"{base}/") else target

    def _by_path(self, path: str, half: Half) -> Goal | None:
        """The target of a path in the source, relative to the half's folders; None if nothing is there."""
        starts = ("",) if path.startswith("/") else half.folders
        for folder in (*starts, *(("content", "source") if path.startswith("/") else ())):
            inside = posixpath.normpath(posixpath.join(folder, path.strip("/")))
            if inside.startswith(".."):
                continue
            if (found := self._sources.get(inside.lower())) is not None:
                return Goal(*self._in_language(found, half.language))
            if path.startswith("/") and not folder:
                continue
            if inside in self._site.files and not inside.lower().endswith((".md", ".markdown")):
                return Goal(file=inside)
        return None

    def _by_address(self, path: str, half: Half) -> Goal | None:
        place = _absolute(path, half)
        if (
            static := self._statics.get(tidy(place).lower())
            or self._statics.get(f"/{path.strip('/')}".lower())
        ) is not None:
            return Goal(file=static)
        key = key_of(place)
        if (found := self._addresses.get(key)) is not None:
            return (
                Goal(*found)
                if len(key) and language_of_code(key.partition("/")[0])
                else Goal(*self._in_language(found, half.language))
            )
        return None

    @staticmethod
    def _in_language(found: tuple[Place, Language], language: Language) -> tuple[Place, Language]:
        place, own = found
        return (place, language if language in place.languages else own)

    def beside(self, file: str, article: str, half: Half) -> str:
        """The name of a source file next to an article."""
        names = self._files.setdefault(article, {})
        self.used.add(file)
        if file in names:
            return names[file]
        if half.bundle is not None and file.startswith(f"{half.bundle}/"):
            name = "/".join(map(file_name, file.removeprefix(f"{half.bundle}/").split("/")))
        else:
            name = file_name(posixpath.basename(file))
        taken = {one.lower() for one in names.values()} | {"zh.md", "en.md", "meta.yaml", "figures"}
        stem, ending = posixpath.splitext(name)
        name = (
            free_name(
                stem,
                {posixpath.splitext(one)[0] for one in taken if posixpath.splitext(one)[1] == ending.lower()}
                if name.lower() in taken
                else (),
            )
            + ending
        )
        names[file] = name
        return name

    def files_of(self, article: str) -> dict[str, str]:
        """The names of the files next to an article, by their path in the source."""
        return self._files.get(article, {})

    def old_address(self, goal: Goal) -> str:
        """The absolute address, on the old site, of something that the source lacks."""
        fragment = f"#{goal.fragment}" if goal.fragment else ""
        path = _UNSAFE.sub(lambda found: f"%{ord(found[0]):02X}", goal.path.lstrip("/"))
        return f"{self._base_url.rstrip('/')}/{path}{fragment}"


def _absolute(path: str, half: Half) -> str:
    """The path on the old site that a path on the page of a half means."""
    if path.startswith("/"):
        return path
    address = half.addresses[0] if half.addresses else "/"
    return posixpath.normpath(posixpath.join(address[: address.rfind("/") + 1], path))


def is_in_future(date: datetime.date | None) -> bool:
    """Whether a build today would leave out an article of this date."""
    return date is not None and date > datetime.datetime.now(datetime.UTC).date()


def show_marked(text: str, targets: Targets, language: Language) -> str:
    """A text in which remaining marked addresses, which are outside of links, are plain ones."""

    def put(found: re.Match[str]) -> str:
        if found[0].startswith(FILE):
            return posixpath.basename(found[0])
        code, _, rest = found[0].removeprefix(ARTICLE).partition(":")
        number, mark, fragment = rest.partition("#")
        return targets.places[int(number)].address("en" if code == "en" else "zh", language) + mark + fragment

    return _MARKED.sub(put, text) if ARTICLE in text or FILE in text else text
