"""Finds the articles: pairs of files in `content/posts/`, `content/pages/` and `content/talks/`, and in the
other layouts that `layouts` reads."""

import re
from collections.abc import Iterable, Mapping

import msgspec
from msgspec.structs import replace

from diglot.content.front_matter import translation_key
from diglot.diagnostics import Diagnostic, Location
from diglot.engine import FILE, LISTING, UpstreamFailed
from diglot.languages import LANGUAGES, Language, twin_of
from diglot.rules.ids import HalfId
from diglot.rules.layouts import (
    CONTENT,
    HalfFile,
    Misnamed,
    Section,
    as_markdown,
    is_note,
    language_of,
    misnamed,
    read_path,
    twin_path,
)
from diglot.rules.near_names import near_folder, original_of
from diglot.rules.projects import find_first_language
from diglot.rules.tasks import Fetch, task
from diglot.site_map import HOME, ArticleKind

POSTS = Section("posts")
PAGES = Section("pages", nested=True)
TALKS = Section("talks")
SECTIONS = (POSTS, PAGES, TALKS)
_SECTION_NAMES = {section.name: section for section in SECTIONS}
_PREFIXES = {PAGES: "pages/", TALKS: "talks/"}
"""What the names of pages and talks begin with; a post's name has no slash."""
PAGE, _TALK = _PREFIXES[PAGES], _PREFIXES[TALKS]
HOME_PAGE = f"{PAGE}home"
"""The page whose text is on the home pages."""
_SLUG = re.compile(r"[a-z0-9]+(?:[-_.][a-z0-9]+)*")


class PostFiles(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """The files of one article."""

    name: str
    """The name of its folder, or of a file without its ending and language. If the halves have different
    names, it is that of the English one. A page's begins with `pages/`, as in `pages/projects/chips`, and a
    talk's with `talks/`."""
    zh: str | None = None
    en: str | None = None
    shared: str
    """The file of the keys that both halves share; it need not exist."""
    sync: str | None = None
    """The file that says what both halves said when they were in step; None if there is none."""
    folders: tuple[str, ...] = ()
    """Its folders, with pictures and figures."""
    own_names: Mapping[Language, str] = msgspec.field(default_factory=dict)
    """The names of its halves if they have different ones."""
    codes: Mapping[Language, str] = msgspec.field(default_factory=dict)
    """The languages as the paths of the halves write them, if not as `zh` or `en`: `zh-cn`, or empty."""
    missing: str | None = None
    """Where the other half belongs if there is only one."""
    twin_refused: bool = False
    """Whether there is a file that is probably meant to be the other half, with a mistake in its name."""
    joined_by: str | None = None
    """The `translation_key` of a half that has no twin."""

    def half(self, language: Language) -> str | None:
        """The file of one half; None if there is none."""
        return self.zh if language == "zh" else self.en

    def path(self, language: Language) -> str:
        """The file of one half. Raises UpstreamFailed if there is none: whatever named it reports that."""
        path = self.half(language)
        if path is None:
            raise UpstreamFailed(find_post.key(self.name))
        return path

    @property
    def languages(self) -> tuple[Language, ...]:
        """The languages in which it has a file."""
        return tuple(language for language in LANGUAGES if self.half(language))

    @property
    def sync_path(self) -> str:
        """Where `sync` is, or would be: next to the file of shared keys."""
        return f"{self.shared.removesuffix('meta.yaml')}sync.txt"

    def slug(self, language: Language) -> str:
        """What a half is called in addresses, unless its front matter says otherwise."""
        if self.name == HOME_PAGE:
            return HOME
        own = self.own_names.get(language)
        if own is not None and self.name.startswith(_TALK):
            return f"{_TALK}{own}"
        return (own or self.name).removeprefix(PAGE)


class Posts(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """All articles of each section, sorted by name, and how paths lead to them."""

    articles: Mapping[str, PostFiles] = msgspec.field(default_factory=dict)
    halves: Mapping[str, str] = msgspec.field(default_factory=dict)
    """The name of each half, as `roofline:zh`, by its path; also of one that an article lacks."""
    folders: Mapping[str, str] = msgspec.field(default_factory=dict)
    """The names of articles that have a folder, by its path."""
    refused: Mapping[str, str] = msgspec.field(default_factory=dict)
    """Files that should be halves and are none, because of a mistake that is reported, with the names of the
    articles that they are probably meant for."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all articles, sorted."""
        return tuple(self.articles)


def kind_of(name: str) -> ArticleKind:
    """Whether an article is a post, a page or a talk."""
    if name.startswith(_TALK):
        return "talk"
    return "page" if name.startswith(PAGE) else "post"


def name_in(section: Section, name: str) -> str:
    """The name of an article, given its name in its section: `talks/roofline`."""
    return _PREFIXES.get(section, "") + name


def section_of(name: str) -> Section:
    """The section that an article is in."""
    return {"post": POSTS, "page": PAGES, "talk": TALKS}[kind_of(name)]


@task("post")
async def find_post(fetch: Fetch, name: str) -> PostFiles:
    """The files of one article. A slice of `posts`, so that a new article reruns nothing of the others."""
    posts = await fetch(find_posts)
    # A link may contain any name.
    return posts.articles.get(name) or PostFiles(name=name, shared=f"{CONTENT}/{name}.meta.yaml")


@task("article-of")
async def find_article_of(fetch: Fetch, path: str) -> str:
    """The half that a file is, as `roofline:zh`, or the article that a folder holds; else empty.

    Raises UpstreamFailed for a file that should be a half and is none: that is reported already.
    """
    posts = await fetch(find_posts)
    folded = path.casefold()  # a name in capitals may be the mistake
    for refused in map(str.casefold, posts.refused):
        if refused == folded or refused.startswith(f"{folded}/"):
            raise UpstreamFailed(find_posts.key(None))
    return posts.halves.get(path) or posts.folders.get(path, "")


async def find_halves(fetch: Fetch, name: str) -> PostFiles:
    """The files of an article that exists.

    Raises UpstreamFailed if it has none: it was removed, and the list of articles is not up to date yet.
    """
    post = await fetch(find_post, name)
    if not post.languages:
        raise UpstreamFailed(find_post.key(name))
    return post


@task("translation-key")
async def read_translation_key(fetch: Fetch, path: str) -> str:
    """What a half gives as its `translation_key`; empty if it gives none, or has mistakes."""
    content = await fetch(FILE, path)
    return translation_key((content or b"").decode("utf-8", "replace"))


@task("posts", keeps_last_good=True)
async def find_posts(fetch: Fetch, _name: None) -> Posts:
    """Pair the files of articles. Reports those that make no pair as errors, and leaves them out.

    Warns of Markdown files that nothing reads.
    """
    first = await fetch(find_first_language)  # of a half whose path names no language
    paths = await fetch(LISTING, f"{CONTENT}/**")
    fetch.report(*map(_unread, unread_files(paths)))
    found = []
    for section in SECTIONS:
        pairing = Pairing(paths, section, first)
        keys = await fetch.all(read_translation_key, [half.path for half in pairing.lone])
        pairing.join(keys)
        fetch.report(*pairing.mistakes)
        found.append(pairing.posts())
    return together(*found)


def together(*sections: Posts) -> Posts:
    """The articles of several sections."""
    return Posts(
        articles={name: files for one in sections for name, files in one.articles.items()},
        halves={path: half for one in sections for path, half in one.halves.items()},
        folders={path: name for one in sections for path, name in one.folders.items()},
        refused={path: name for one in sections for path, name in one.refused.items()},
    )


def unread_files(paths: Iterable[str]) -> tuple[str, ...]:
    """The Markdown files below `content/` that are in no place where diglot looks for articles."""
    return tuple(
        path
        for path in paths
        if (meant := as_markdown(path)) is not None
        and not is_note(_without_section(meant))
        and all(read_path(path, section, LANGUAGES[0]) is None for section in SECTIONS)
    )


def _without_section(path: str) -> str:
    """A path without the folder that a section was probably meant to be: `_posts` is none of notes."""
    folder, slash, rest = path.removeprefix(f"{CONTENT}/").partition("/")
    return rest if slash and near_folder(folder, _SECTION_NAMES) is not None else path


_OF_POSTS = frozenset(("post", "blog"))
"""Names of folders that other generators have for posts."""


def _unread(path: str) -> Diagnostic:
    """The warning about a file that nothing reads, with the place where it would be read."""
    *above, stem = (as_markdown(path) or path).removeprefix(f"{CONTENT}/").removesuffix(".md").split("/")
    before, dot, code = stem.rpartition(".")
    of_name = language_of(code) if dot else language_of(stem)
    language = of_name or (language_of(above[0]) if above else None)
    likely = [(near_folder(word, _SECTION_NAMES), word) for word in above]
    section = next((_SECTION_NAMES[near] for near, _word in likely if near is not None), PAGES)
    is_guess = all(near is None for near, _word in likely)
    if not _OF_POSTS.isdisjoint(above):
        section, is_guess = POSTS, False
    folders = [
        word for near, word in likely if language_of(word) is None and near is None and word not in _OF_POSTS
    ]
    if not of_name:
        folders += [stem] if stem != "index" else []
    elif before not in ("", "index"):
        folders.append(before)
    if not section.nested:
        folders = folders[-1:]
    place = (
        f"{section.folder}/{'/'.join(folders) or 'home'}/{f'{language}.md' if language else 'zh.md or en.md'}"
    )
    other = f", or to {POSTS.folder}/ if it is a post" if is_guess else ""
    return Diagnostic(
        rule="content-unread",
        message="nothing reads this file: it is neither a post, a page nor a talk",
        severity="warning",
        location=Location(path=path),
        fix=f"move it to {place}{other}; a file whose name begins with _ is left alone.",
    )


class Pairing:
    """Pairs the files of a section by their names, and joins halves of different names by what they say."""

    def __init__(self, paths: Iterable[str], section: Section, first: Language) -> None:
        self._paths = tuple(dict.fromkeys(path for path in paths if section.holds(path)))
        self._there = frozenset(self._paths)
        self._section = section
        self._prefix = _PREFIXES.get(section, "")
        self.mistakes: list[Diagnostic] = []
        """Errors for files that make no pair."""
        self._refused: dict[str, str] = {}
        self._pairs: dict[str, dict[Language, HalfFile]] = {}
        self._keys: dict[str, str] = {}
        self._doubles: dict[tuple[str, Language], HalfFile] = {}
        for path in self._paths:
            found = read_path(path, section, first)
            if found is not None and original_of(path) in self._there:  # no name of an article is like this
                continue
            if isinstance(found, Misnamed):
                if found.meant in self._there:
                    fix = f"move what you need of it into {found.meant}, and delete it."
                    found = replace(found, fix=fix)
                self._refuse(misnamed(path, found), path, found.name)
            elif found is not None:
                self._take(found)
        for (name, language), half in self._doubles.items():
            self._refused[half.path] = name
            del self._pairs[name][language]

    @property
    def lone(self) -> tuple[HalfFile, ...]:
        """The halves that have no twin of their name, and no file that may be meant to be it."""
        guessed = frozenset(self._refused.values())
        lone = (pair for name, pair in self._pairs.items() if len(pair) == 1 and name not in guessed)
        return tuple(half for pair in lone for half in pair.values())

    def join(self, keys: Iterable[str]) -> None:
        """Join lone halves that give the same key, which comes for each of them."""
        by_key: dict[str, dict[Language, HalfFile]] = {}
        for half, key in zip(self.lone, keys, strict=True):
            if not key:
                continue
            known = by_key.setdefault(key, {})
            if (other := known.setdefault(half.language, half)) is not half:
                what = f"`translation_key: {key}` is also in the {half.language} half {other.path}"
                self._refuse(_twice(half.path, what, "give one of them another key."), half.path, half.name)
                del self._pairs[half.name]
            self._keys[half.name] = key
        for pair in by_key.values():
            if len(pair) == 2:
                del self._pairs[pair["zh"].name]
                self._pairs[pair["en"].name] = pair

    def posts(self) -> Posts:
        """The articles."""
        articles = {
            name: self._files(name, self._pairs[name]) for name in sorted(self._pairs) if self._pairs[name]
        }
        folders = {folder: files.name for files in articles.values() for folder in files.folders}
        halves = {
            half.path: str(HalfId(self._prefix + name, half.language))
            for name, pair in self._pairs.items()
            for half in pair.values()
        }
        for files in articles.values():
            if files.missing is not None:
                halves.setdefault(files.missing, str(HalfId(files.name, twin_of(files.languages[0]))))
        return Posts(
            articles={files.name: files for files in articles.values()},
            halves=halves,
            folders=folders,
            refused={path: self._prefix + name for path, name in self._refused.items()},
        )

    def _take(self, half: HalfFile) -> None:
        if not _is_slug(half.name, self._section):
            message = f'"{half.name}" cannot be the address of an article'
            place = Location(path=half.path)
            mistake = Diagnostic(rule="slug-form", message=message, location=place, fix=_slug_fix(half.name))
            self._refuse(mistake, half.path, half.name)
            return
        pair = self._pairs.setdefault(half.name, {})
        if (other := pair.setdefault(half.language, half)) is not half:
            what = f'there are two {half.language} halves of "{half.name}": this one and {other.path}'
            fix = "keep one of the files"
            for one in (half, other):
                if not one.code:
                    fix += f"; without a language in its name, {one.path} is the {one.language} half"
            self._refuse(_twice(half.path, what, f"{fix}."), half.path, half.name)
            self._doubles[half.name, half.language] = other

    def _refuse(self, mistake: Diagnostic, path: str, name: str) -> None:
        told = {one.message for one in self.mistakes if one.rule == "slug-form"}
        if mistake.message not in told:  # a folder with a wrong name holds two halves
            self.mistakes.append(mistake)
        self._refused[path] = name

    def _files(self, name: str, pair: Mapping[Language, HalfFile]) -> PostFiles:
        halves = tuple(pair[language] for language in LANGUAGES if language in pair)
        of_the_pair = f"{self._section.folder}/{name}"
        folders = dict.fromkeys(half.folder for half in halves if self._is_own(half))
        shared = [f"{of_the_pair}/meta.yaml", f"{of_the_pair}.meta.yaml"]
        if of_the_pair not in folders:
            shared.reverse()
        names = {half.language: half.name for half in halves}
        found = PostFiles(
            name=self._prefix + name,
            zh=pair["zh"].path if "zh" in pair else None,
            en=pair["en"].path if "en" in pair else None,
            shared=next((path for path in shared if path in self._there), shared[0]),
            folders=tuple(dict.fromkeys((*folders, of_the_pair))),
            own_names=names if set(names.values()) != {name} else {},
            codes={half.language: half.code for half in halves if half.code != half.language},
            missing=twin_path(halves[0], self._paths) if len(halves) == 1 else None,
            twin_refused=len(halves) == 1 and name in self._refused.values(),
            joined_by=self._keys.get(name) if len(halves) == 1 else None,
        )
        return replace(found, sync=found.sync_path) if found.sync_path in self._there else found

    def _is_own(self, half: HalfFile) -> bool:
        """Whether the folder of a half holds this article alone."""
        return f"/{self._section.name}/{half.name}/" in half.path


def _twice(path: str, message: str, fix: str) -> Diagnostic:
    return Diagnostic(rule="pair-twice", message=message, location=Location(path=path), fix=fix)


def _slug_fix(name: str) -> str:
    """What to do about a name that cannot be an address, with one that can where it has ASCII letters."""
    part = next((part for part in name.split("/") if not _SLUG.fullmatch(part)), name)
    slug = re.sub(r"[^a-z0-9]+", "-", part.casefold()).strip("-")
    if part.isascii() and slug:
        return f'rename "{part}" to "{slug}"; addresses have lower-case ASCII letters, digits and hyphens.'
    return "use lower-case ASCII letters, digits and hyphens."


def _is_slug(name: str, section: Section) -> bool:
    parts = name.split("/") if section.nested else [name]
    return all(_SLUG.fullmatch(part) for part in parts)
