"""What is said of links and pictures that lead nowhere: each with what its author may have meant."""

import posixpath
import unicodedata
from collections.abc import Set
from contextlib import suppress
from urllib.parse import unquote, urlsplit

from diglot.content.records import Placeholder
from diglot.diagnostics import (
    Diagnostic,
    Location,
    did_you_mean,
    looks_like,
)
from diglot.digests import ABSENT
from diglot.engine import FILE, LISTING, UpstreamFailed
from diglot.languages import LANGUAGES, NAMES, twin_of
from diglot.rules.files import STATIC
from diglot.rules.layouts import CONTENT
from diglot.rules.navigation import find_list, list_generated
from diglot.rules.parsed_halves import References
from diglot.rules.projects import read_base_url
from diglot.rules.site_paths import address_of, is_plain, taken_apart
from diglot.rules.sources import find_post, find_posts
from diglot.rules.summaries import (
    find_article_at,
    map_articles,
)
from diglot.rules.tasks import Fetch
from diglot.web_addresses import meant_elsewhere


class MissingTargets:
    """Tells what the targets of one half may mean that are not there."""

    def __init__(self, fetch: Fetch, references: References, article: str) -> None:
        self._fetch = fetch
        self._references = references
        self._article = article
        self._folder = posixpath.dirname(references.path)

    async def diagnostic(self, placeholder: Placeholder) -> Diagnostic:
        """What is wrong with a link or picture that leads nowhere, with what was meant."""
        target = placeholder.target
        known = await (
            self._addresses(target) if target.startswith("/") else self._beside_and_elsewhere(target)
        )
        what = "picture" if placeholder.kind == "image" else "link"
        elsewhere = meant_elsewhere(target)
        fix = (
            (f'write "{elsewhere}".' if elsewhere is not None else None)
            or await self._in_other_language(target)
            or await self._misplaced(unquote(urlsplit(target).path))
            or await self._called_otherwise(target)
            or _spelt_as_it_is(target, known)
            or _at_folder(target, known)
            or (await self._article_named(target) if placeholder.kind != "image" else None)
            or await self._file_named(target, is_picture=placeholder.kind == "image")
            or self._fix(target, known)
        )
        return Diagnostic(
            rule=f"{placeholder.kind}-missing",
            message=f'{what} not found: "{target}"',
            location=Location(path=self._references.path, line=placeholder.line),
            fix=fix,
        )

    async def _addresses(self, target: str) -> set[str]:
        """What a target from the site's root may name: articles, pages and static files."""
        language, _ = taken_apart(target)
        prefix = f"/{language}" if language else ""
        files = await self._fetch(LISTING, f"{STATIC}/**")
        known = {address_of(path.removeprefix(STATIC)) for path in files}
        with suppress(UpstreamFailed):
            by_address = (await self._fetch(map_articles)).by_address
            known.update(f"{prefix}/{at}/" for at, page in by_address.items() if page.name != self._article)
            known.update(
                f"{prefix}/{one}"
                for one in await list_generated(self._fetch, [language or self._references.language])
            )
        return known

    async def _in_other_language(self, target: str) -> str | None:
        """The fix for a list that only the other language has; None for other targets."""
        if not target.startswith("/"):
            return None
        language, address = taken_apart(urlsplit(target).path)
        other = twin_of(language or self._references.language)
        with suppress(UpstreamFailed):
            if (found := await find_list(self._fetch, address, other)) is not None:
                return f'this page exists only in {NAMES[other]}: write "/{found}".'
        return None

    async def _called_otherwise(self, target: str) -> str | None:
        """The fix for a feed or a file that diglot makes under another name; None for other targets."""
        path = urlsplit(target).path
        language, address = taken_apart(path)
        name = address.casefold()
        if name in _MADE_AT_THE_ROOT:
            with suppress(UpstreamFailed):
                return f'write "{await self._fetch(read_base_url)}{_MADE_AT_THE_ROOT[name]}".'
        meant = _MADE.get(name, name if name.startswith("feed.") and path == name else None)
        with suppress(UpstreamFailed):
            own = language or self._references.language
            if meant is not None and await find_list(self._fetch, meant, own) is not None:
                return f'write "{f"/{language}" if language else ""}/{meant}".'
        return None

    async def _misplaced(self, path: str) -> str | None:
        """What to do about a file that is where other generators have it; None if it is nowhere."""
        plain = path.removeprefix("/")
        if not plain or not is_plain(f"/{plain}"):
            return None
        roots = (STATIC, *_STATIC_ELSEWHERE, CONTENT)
        places = [plain] if plain.startswith(tuple(f"{root}/" for root in roots)) else []
        folder, _, rest = plain.partition("/")
        if folder in _STATIC_ELSEWHERE and rest:  # named by where it is, not by where readers find it
            places.append(f"{STATIC}/{rest}")
        for place in (*places, *(f"{root}/{plain}" for root in roots)):
            if await self._fetch.digest(FILE, place) == ABSENT:
                continue
            root = next(root for root in roots if place.startswith(f"{root}/"))
            if root == CONTENT:
                return f'write "{address_of(posixpath.relpath(place, self._folder))}".'
            address = place.removeprefix(root)
            moving = f"move {place} to {STATIC}{address}" if root != STATIC else ""
            writing = f'write "{address_of(address)}"' if path != address else ""
            return f"{' and '.join(filter(None, [moving, writing]))}."
        return None

    async def _article_named(self, target: str) -> str | None:
        """The fix for another article that is named in other words than its address; None for other targets.

        `b`, `/b/`, `b.md`, `posts/b`, `../b/zh.html`, `../posts/b/index.md`.
        """
        parts = urlsplit(target)
        stem, ending = posixpath.splitext(unquote(parts.path).replace("\\", "/"))
        names = [
            one for one in (stem if ending in _OF_PAGES else stem + ending).split("/") if one not in _NO_NAMES
        ]
        address, name = f"posts/{names[0]}" if len(names) == 1 else "", ""
        with suppress(UpstreamFailed):
            name = await self._fetch(find_article_at, address) if address else ""
        fragment = f"#{parts.fragment}" if parts.fragment else ""
        return f'write "/{address}/{fragment}".' if name and name != self._article else None

    async def _file_named(self, target: str, *, is_picture: bool) -> str | None:
        """The fix for a file that is in another folder, or has another ending; None unless there is one."""
        name = posixpath.basename(unquote(urlsplit(target).path)).casefold()
        files = await self._beside_and_elsewhere("")
        files |= {
            address_of(path.removeprefix(STATIC)) for path in await self._fetch(LISTING, f"{STATIC}/**")
        }
        names = {one: posixpath.basename(one).casefold() for one in sorted(files)}
        same = [one for one in names if names[one] == name]
        stem = name.partition(".")[0]
        same = same or [
            one
            for one in names
            if stem
            and names[one].partition(".")[0] == stem
            and (not is_picture or names[one].endswith(_OF_PICTURES))
        ]
        return f'did you mean "{same[0]}"?' if len(same) == 1 and same[0] != target else None

    def _fix(self, target: str, known: Set[str]) -> str:
        if (plain := target.strip("\"'“”‘’＂＇")) != target and plain:
            return f"write {plain}, without quotation marks."
        if (alike := next((one for one in known - {target} if looks_like(one, target)), None)) is not None:
            if unicodedata.normalize("NFC", target) != target:
                return f'write "{alike}": the address spells accents as characters of their own.'
            return f'rename the file to "{target}": its name spells accents as characters of their own.'
        folder = target.rstrip("/") + "/"
        if any(one.startswith(folder) for one in known):
            return f'it is a folder: write the name of a file in it, as in "{folder}…".'
        otherwise = (
            f"write a path relative to {self._folder}/, or one that begins with / for site/static/, other "
            "articles (/posts/<slug>/) and pages (/<path>/)."
        )
        return did_you_mean(target, known, otherwise=otherwise)

    async def _beside_and_elsewhere(self, target: str) -> Set[str]:
        """What a relative target may name: files of this article, and the halves of others."""
        post = await self._fetch(find_post, self._article)
        own = {post.zh, post.en, post.shared, post.sync}
        found = {
            one
            for folder in (self._folder, *post.folders)
            for one in await self._fetch(LISTING, f"{folder}/**")
        }
        if ".md" in target.lower():
            found |= (await self._fetch(find_posts)).halves.keys()
        return {address_of(posixpath.relpath(one, self._folder)) for one in found - own}


def _spelt_as_it_is(target: str, known: Set[str]) -> str | None:
    """The fix for a file whose name is written as it is: `a#1.png`, `img\\a.png`."""
    spellings = (target.replace("\\", "/"), address_of(target))
    address = next((spelling for spelling in spellings if spelling != target and spelling in known), None)
    return None if address is None else f'write "{address}".'


def _at_folder(target: str, known: Set[str]) -> str | None:
    """The fix for the name of a file where a page has the address of a folder: `/posts/a/index.html`."""
    parts = urlsplit(target)
    stem, ending = posixpath.splitext(parts.path)
    if ending not in _OF_PAGES:
        return None
    address = f"{stem.removesuffix('/index')}/"
    fragment = f"#{parts.fragment}" if parts.fragment else ""
    return f'write "{address}{fragment}".' if address in known else None


_MADE = {
    **dict.fromkeys(("rss", "rss.xml", "feed", "feeds", "feed.rss", "feed.atom"), "feed.xml"),
    **dict.fromkeys(("atom", "atom.xml", "index.xml", "feed.xm", "feeds.xml"), "feed.xml"),
    **dict.fromkeys(("feed.jsn", "feeds.json", "index.json"), "feed.json"),
    **dict.fromkeys(("home", "index", "index.html", "posts", "articles", "blog"), ""),
}
"""What other generators call the feeds of a language and its home page."""
_MADE_AT_THE_ROOT = {
    f"{stem}{ending}": made
    for stem, ending, made in (
        *(("sitemap", ending, "sitemap.xml") for ending in ("", ".xml", ".xm", ".html", ".txt")),
        *(("robots", ending, "robots.txt") for ending in ("", ".txt")),
    )
}
"""Files for programs, which are there once for both languages."""
_OF_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".svg")
_NO_NAMES = ("", ".", "..", CONTENT, "posts", "index", *LANGUAGES)
"""Parts of an article's path that say nothing of which one it is."""
_OF_PAGES = (".html", ".htm", ".php", ".md")
"""What other generators have at the end of a page's address."""
_STATIC_ELSEWHERE = ("static", "assets")
"""Folders at the root in which other generators have files that are published as they are."""
