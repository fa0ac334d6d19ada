"""Finds the articles: pairs of files in `content/posts/`, and pages that are no posts in `content/pages/`."""

import re
from collections.abc import Iterable, Iterator

import msgspec

from diglot.diagnostics import Diagnostic, DiagnosticError, Location
from diglot.engine import LISTING, UpstreamFailed
from diglot.languages import LANGUAGES, Language
from diglot.rules.tasks import Fetch, task

CONTENT = "content"
POSTS = f"{CONTENT}/posts"
PAGES = f"{CONTENT}/pages"
_PAGE = "pages/"
"""What the names of pages begin with; a post's name has no slash."""
HOME_PAGE = f"{_PAGE}home"
"""The page whose text is on the home pages."""

_SLUG = re.compile(r"[a-z0-9]+(?:[-_.][a-z0-9]+)*")


class PostFiles(msgspec.Struct, frozen=True, kw_only=True):
    """The files of one article."""

    name: str
    """The folder's name, or a flat file's without `.zh.md`: the slug, unless front matter sets another. Of a
    page, the path of its files below `content/`: `pages/work/talks`."""
    zh: str | None
    en: str | None
    shared: str
    """The file of the keys that both halves share; it need not exist."""
    folder: str
    """The folder of its pictures and figures."""

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


class Posts(msgspec.Struct, frozen=True, kw_only=True):
    """The names of all articles, posts and pages, sorted."""

    names: tuple[str, ...] = ()


def is_page(name: str) -> bool:
    """Whether an article is a page and no post."""
    return name.startswith(_PAGE)


def place_of(name: str) -> str:
    """Where an article's files are: its folder, or what the names of its flat files begin with."""
    return f"{CONTENT}/{name}" if is_page(name) else f"{POSTS}/{name}"


def article_named(path: str) -> tuple[str, Language | None] | None:
    """The article, and language if given, that a path under `content/` names; None for other files."""
    if path.startswith(f"{POSTS}/"):
        words = path.removeprefix(f"{POSTS}/").split("/")
        shallow = deep = 1
    elif path.startswith(f"{PAGES}/"):
        words = path.removeprefix(f"{CONTENT}/").split("/")
        shallow, deep = 2, len(words)
    else:
        return None
    for language in LANGUAGES:
        if words[-1] == f"{language}.md" and shallow < len(words) <= deep + 1:
            return "/".join(words[:-1]), language
        if words[-1].endswith(f".{language}.md") and len(words) <= deep:
            return "/".join(words).removesuffix(f".{language}.md"), language
    return ("/".join(words), None) if len(words) <= deep and "." not in words[-1] else None


@task("post")
async def find_post(fetch: Fetch, name: str) -> PostFiles:
    """The files of one article. A task per name, so that a new article reruns nothing of the others."""
    found: dict[Language, str] = {}
    place = place_of(name)
    # A link may contain any name: `*` is no article, and would be a pattern below.
    for language in LANGUAGES if _is_well_formed(name) else ():
        for path in (f"{place}/{language}.md", f"{place}.{language}.md"):
            if language not in found:
                there = await fetch(LISTING, path)  # depends on its existence, not on its content
                if there:
                    found[language] = path
    return _files(name, found)


async def find_halves(fetch: Fetch, name: str) -> PostFiles:
    """The files of an article that exists.

    Raises UpstreamFailed if it has none: it was removed, and the list of articles is not up to date yet.
    """
    post = await fetch(find_post, name)
    if not post.languages:
        raise UpstreamFailed(find_post.key(name))
    return post


@task("posts", keeps_last_good=True)
async def find_posts(fetch: Fetch, _name: None) -> Posts:
    """Pair the files under `content/`. Raises DiagnosticError for names that make no pair.

    Warns of Markdown files that nothing reads.
    """
    paths = await fetch(LISTING, f"{CONTENT}/**")
    fetch.report(*map(_unread, unread_files(paths)))
    halves: dict[str, dict[Language, str]] = {}
    mistakes: list[Diagnostic] = []
    for path in paths:
        if not path.endswith(".md") or not path.startswith((f"{POSTS}/", f"{PAGES}/")):
            continue
        name, language = article_named(path) or (None, None)
        if name is None or language is None:
            mistakes += _misnamed(path)
            continue
        known = halves.setdefault(name, {})
        if language in known:
            mistakes.append(
                Diagnostic(
                    rule="pair-twice",
                    message=f'there are two {language} halves of "{name}": this one and {known[language]}',
                    location=Location(path=path),
                    fix="keep one of the files.",
                )
            )
        known[language] = path
    for name, found in halves.items():
        if not _is_well_formed(name):
            mistakes.append(
                Diagnostic(
                    rule="slug-form",
                    message=f'"{name}" cannot be the address of an article',
                    location=Location(path=next(iter(found.values()))),
                    fix="use lower-case ASCII letters, digits and hyphens.",
                )
            )
    if mistakes:
        raise DiagnosticError(*mistakes)
    return Posts(names=tuple(sorted(halves)))


def unread_files(paths: Iterable[str]) -> Iterator[str]:
    """The Markdown files below `content/` that are in no place where diglot looks for articles."""
    for path in paths:
        if path.endswith(".md") and not path.startswith((f"{POSTS}/", f"{PAGES}/")) and not _is_note(path):
            yield path


def _is_note(path: str) -> bool:
    """Whether a Markdown file is an author's own, beside articles."""
    name = path.rpartition("/")[2]
    return name.casefold() in ("readme.md", "notes.md") or name.startswith("_")


def _is_well_formed(name: str) -> bool:
    """Whether a name can be an address."""
    return all(map(_SLUG.fullmatch, name.split("/")))


_OF_POSTS = frozenset(("post", "posts", "blog"))
"""Names of folders that other generators have for posts."""


def _unread(path: str) -> Diagnostic:
    """The warning about a file that nothing reads, with the place where it would be read."""
    words = path.removeprefix(f"{CONTENT}/").removesuffix(".md").split("/")
    marks = (words[0], words[-1], words[-1].rpartition(".")[2])
    language = next((one for one in LANGUAGES if one in marks), None)
    is_post = not _OF_POSTS.isdisjoint(words[:-1])
    words = [word for word in words if word not in (*LANGUAGES, *_OF_POSTS, "page", "pages", "index")]
    name = "/".join(words).removesuffix(f".{language}") or "home"
    place = place_of(name.rpartition("/")[2] if is_post else f"{_PAGE}{name}")
    end = f"{language}.md" if language else "zh.md or en.md"
    return Diagnostic(
        rule="content-unread",
        message="nothing reads this file: it is neither a post nor a page",
        severity="warning",
        location=Location(path=path),
        fix=f"move it to {place}/{end}"
        + ("" if is_post else f", or to {POSTS}/ if it is a post")
        + "; a file whose name begins with _ is left alone.",
    )


def _misnamed(path: str) -> tuple[Diagnostic, ...]:
    if _is_note(path):
        return ()
    top, name = (POSTS, "<slug>") if path.startswith(f"{POSTS}/") else (PAGES, "<path>")
    return (
        Diagnostic(
            rule="pair-name",
            message="this file is not a half of an article",
            location=Location(path=path),
            fix=f"name it {top}/{name}/zh.md or en.md, or {top}/{name}.zh.md or .en.md; "
            "a name that begins with _ is left alone.",
        ),
    )


def _files(name: str, halves: dict[Language, str]) -> PostFiles:
    first = next(iter(halves.values()), "")
    place = place_of(name)
    in_folder = first.startswith(f"{place}/")
    return PostFiles(
        name=name,
        zh=halves.get("zh"),
        en=halves.get("en"),
        shared=f"{place}/meta.yaml" if in_folder else f"{place}.meta.yaml",
        folder=place,
    )
