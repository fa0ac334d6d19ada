"""Finds the articles: pairs of files in `content/posts/`."""

import re

import msgspec

from diglot.diagnostics import Diagnostic, DiagnosticError, Location
from diglot.engine import LISTING, UpstreamFailed
from diglot.languages import LANGUAGES, Language
from diglot.rules.tasks import Fetch, task

POSTS = "content/posts"


_FLAT = re.compile(r"(?P<name>.+)\.(?P<language>zh|en)\.md")
_SLUG = re.compile(r"[a-z0-9]+(?:[-_.][a-z0-9]+)*")


class PostFiles(msgspec.Struct, frozen=True, kw_only=True):
    """The files of one article."""

    name: str
    """The folder's name, or a flat file's without `.zh.md`: the slug, unless front matter sets another."""
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
    """The names of all articles, sorted."""

    names: tuple[str, ...] = ()


@task("post")
async def find_post(fetch: Fetch, name: str) -> PostFiles:
    """The files of one article. A task per name, so that a new article reruns nothing of the others."""
    found: dict[Language, str] = {}
    # A link may contain any name: `*` is no article, and would be a pattern below.
    for language in LANGUAGES if _SLUG.fullmatch(name) else ():
        for path in (f"{POSTS}/{name}/{language}.md", f"{POSTS}/{name}.{language}.md"):
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
    """Pair the files under `content/posts/`. Raises DiagnosticError for names that make no pair."""
    paths = await fetch(LISTING, f"{POSTS}/**")
    halves: dict[str, dict[Language, str]] = {}
    mistakes: list[Diagnostic] = []
    for path in paths:
        name, language = _half(path)
        if name is None:
            mistakes += _misnamed(path)
            continue
        if language is None:
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
        if not _SLUG.fullmatch(name):
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


def _half(path: str) -> tuple[str | None, Language | None]:
    """The article and language of a file: no language if it is not a half, no article if it is misnamed."""
    inside = path.removeprefix(f"{POSTS}/").split("/")
    if not path.endswith(".md"):
        return inside[0], None
    if len(inside) == 1:
        match = _FLAT.fullmatch(inside[0])
        return (match["name"], _language(match["language"])) if match else (None, None)
    if len(inside) == 2 and inside[1] in ("zh.md", "en.md"):
        return inside[0], _language(inside[1].removesuffix(".md"))
    return None, None


def _language(code: str) -> Language:
    return "zh" if code == "zh" else "en"


def _misnamed(path: str) -> tuple[Diagnostic, ...]:
    inside = path.removeprefix(f"{POSTS}/").split("/")
    if inside[-1].casefold() in ("readme.md", "notes.md") or inside[-1].startswith("_"):
        return ()  # an author's notes beside the article
    return (
        Diagnostic(
            rule="pair-name",
            message="this file is not a half of an article",
            location=Location(path=path),
            fix=f"name it {POSTS}/<slug>/zh.md or en.md, or {POSTS}/<slug>.zh.md or .en.md; "
            "a name that begins with _ is left alone.",
        ),
    )


def _files(name: str, halves: dict[Language, str]) -> PostFiles:
    first = next(iter(halves.values()), "")
    in_folder = first.startswith(f"{POSTS}/{name}/")
    return PostFiles(
        name=name,
        zh=halves.get("zh"),
        en=halves.get("en"),
        shared=f"{POSTS}/{name}/meta.yaml" if in_folder else f"{POSTS}/{name}.meta.yaml",
        folder=f"{POSTS}/{name}",
    )
