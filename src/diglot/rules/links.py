"""Resolves links and pictures of authors: to articles, files beside the article, and static files."""

import posixpath
from contextlib import suppress
from urllib.parse import unquote, urlsplit

from msgspec.structs import replace

from diglot.characters import visible
from diglot.content.records import Placeholder
from diglot.diagnostics import Diagnostic, DiagnosticError, Location, did_you_mean, first_of_each_kind
from diglot.digests import ABSENT
from diglot.engine import FILE, LISTING, UpstreamFailed
from diglot.languages import LANGUAGES, Language
from diglot.output_paths import PathFault, check_path
from diglot.render.assets import FOLDER, hashed_name
from diglot.render.materials import ImageFile
from diglot.rules.articles import align_article
from diglot.rules.files import STATIC, measure_picture
from diglot.rules.halves import References
from diglot.rules.navigation import find_list
from diglot.rules.sources import article_named, find_post, is_page
from diglot.rules.summaries import find_addresses, find_article_at, usual_path
from diglot.rules.tasks import Fetch
from diglot.site_map import TAXONOMIES


class Links:
    """Resolves the links and pictures of one half, and collects mistakes."""

    def __init__(self, fetch: Fetch, references: References, article: str) -> None:
        self._fetch = fetch
        self._references = references
        self._article = article
        self._folder = posixpath.dirname(references.path)
        self._rows: dict[str, frozenset[str]] = {}
        self.mistakes: list[Diagnostic] = []
        self.files: dict[str, str] = {}
        """Published paths of the project's files that are linked to or shown, by path in the project."""

    async def resolve_all(self) -> tuple[dict[str, str], dict[str, ImageFile]]:
        """Addresses of links and files of pictures, both by target as written."""
        links: dict[str, str] = {}
        images: dict[str, ImageFile] = {}
        told: dict[tuple[str, str], list[Diagnostic]] = {}
        for placeholder in self._references.links:
            key = (placeholder.kind, placeholder.target)
            if key in told:  # resolved before: repeat its mistakes for this line
                here = Location(path=self._references.path, line=placeholder.line)
                self.mistakes += [replace(mistake, location=here) for mistake in told[key]]
                continue
            before = len(self.mistakes)
            try:
                if placeholder.kind == "image":
                    images[placeholder.target] = await self._image(placeholder)
                else:
                    links[placeholder.target] = await self._link(placeholder)
            except DiagnosticError as error:
                self.mistakes += error.diagnostics
            told[key] = self.mistakes[before:]
        self.mistakes = list(first_of_each_kind(self.mistakes))
        return links, images

    async def _link(self, placeholder: Placeholder) -> str:
        parts = urlsplit(placeholder.target)
        if parts.scheme or parts.netloc:
            return placeholder.target
        path, fragment = unquote(parts.path), unquote(parts.fragment)
        if not path:
            await self._check_row(placeholder, fragment, self._article)
            return f"#{fragment}"
        behind = f"#{fragment}" if fragment else ""
        if path.startswith("/"):
            if not _is_plain(path):
                raise DiagnosticError(await self._nowhere(placeholder))
            return await self._from_root(placeholder, path, fragment) + behind
        inside = posixpath.normpath(posixpath.join(self._folder, path))
        if (named := article_named(inside)) is not None:
            name, language = named
            # Below a page's folder, a path without an extension may be a file or another page.
            if language is not None or not is_page(name) or (await self._fetch(find_post, name)).languages:
                return await self._to_article(placeholder, name, language, fragment) + behind
        return await self._file(placeholder, inside) + behind

    async def _from_root(self, placeholder: Placeholder, path: str, fragment: str) -> str:
        words = path.strip("/").split("/")
        language: Language | None = None
        if words[0] in LANGUAGES:
            language = "zh" if words.pop(0) == "zh" else "en"
        address = "/".join(words)
        if path != "/" and (name := await self._article_at(address)):
            return await self._to_article(placeholder, name, language, fragment)
        language = language or self._references.language
        if (found := await find_list(self._fetch, address, language)) is not None:
            return found if path != "/" else ""
        if await self._fetch.digest(FILE, f"{STATIC}{path}") != ABSENT:
            return path.removeprefix("/")
        raise DiagnosticError(await self._nowhere(placeholder))

    async def _article_at(self, address: str) -> str:
        """The name of the article at an address; empty if there is none."""
        taken = address.partition("/")[0] in TAXONOMIES  # the addresses of lists are no article's
        return "" if taken else await self._fetch(find_article_at, address)

    async def _to_article(
        self, placeholder: Placeholder, name: str, language: Language | None, fragment: str
    ) -> str:
        post = await self._fetch(find_post, name)
        if not post.languages:
            raise DiagnosticError(await self._nowhere(placeholder))
        addresses = {one: usual_path(name, one) for one in post.languages}
        with suppress(UpstreamFailed):  # the other article reports its own mistakes
            addresses = await self._fetch(find_addresses, name)
        if not addresses:
            raise DiagnosticError(
                Diagnostic(
                    rule="link-hidden",
                    message=f'"{placeholder.target}" links to an article that this build leaves out',
                    location=Location(path=self._references.path, line=placeholder.line),
                    fix="it is a draft or dated in the future: publish it first, or remove the link.",
                )
            )
        if fragment:
            with suppress(UpstreamFailed):
                await self._check_row(placeholder, fragment, name)
        wanted = language or self._references.language
        return addresses[wanted] if wanted in addresses else next(iter(addresses.values()))

    async def _file(self, placeholder: Placeholder, path: str) -> str:
        digest = ABSENT if path.startswith("..") else await self._fetch.digest(FILE, path)
        if digest == ABSENT:
            raise DiagnosticError(await self._nowhere(placeholder))
        published = file_path(path, digest)
        try:
            check_path(published)
        except PathFault as fault:
            raise DiagnosticError(
                Diagnostic(
                    rule="path-name",
                    message=f'"{visible(placeholder.target)}" cannot be published: its path {fault}',
                    location=Location(path=self._references.path, line=placeholder.line),
                    fix="rename the file.",
                )
            ) from None
        self.files[path] = published
        return published

    async def _image(self, placeholder: Placeholder) -> ImageFile:
        parts = urlsplit(placeholder.target)
        if parts.scheme or parts.netloc:
            return ImageFile(path=placeholder.target)
        path = unquote(parts.path)
        if path.startswith("/"):
            if not _is_plain(path):
                raise DiagnosticError(await self._nowhere(placeholder))
            source, address = f"{STATIC}{path}", path.removeprefix("/")
            if await self._fetch.digest(FILE, source) == ABSENT:
                raise DiagnosticError(await self._nowhere(placeholder))
        else:
            source = posixpath.normpath(posixpath.join(self._folder, path))
            address = await self._file(placeholder, source)
        width, height = await self._fetch(measure_picture, source)
        return ImageFile(path=address, width_px=width or None, height_px=height or None)

    async def _check_row(self, placeholder: Placeholder, fragment: str, article: str) -> None:
        alignment = await self._fetch(align_article, article)
        if article not in self._rows:
            self._rows[article] = frozenset(row.id for row in alignment.rows)
        known = self._rows[article]
        if fragment and fragment not in known:
            self.mistakes.append(
                Diagnostic(
                    rule="link-fragment",
                    message=f'"{placeholder.target}" does not match any block: there is no "{fragment}"',
                    location=Location(path=self._references.path, line=placeholder.line),
                    fix=did_you_mean(
                        fragment, known, otherwise="give the heading an id, as in `## Title {#roof}`."
                    ),
                )
            )

    async def _nowhere(self, placeholder: Placeholder) -> Diagnostic:
        beside = await self._fetch(LISTING, f"{self._folder}/**")
        known = {posixpath.relpath(path, self._folder) for path in beside}
        what = "picture" if placeholder.kind == "image" else "link"
        return Diagnostic(
            rule=f"{placeholder.kind}-missing",
            message=f'{what} not found: "{placeholder.target}"',
            location=Location(path=self._references.path, line=placeholder.line),
            fix=did_you_mean(
                placeholder.target,
                known,
                otherwise=f"write a path relative to {self._folder}/, or one that begins with / for "
                "site/static/, other articles (/posts/<slug>/) and pages (/<path>/).",
            ),
        )


def file_path(path: str, digest: str) -> str:
    """Published path of an article's file, from the site's root."""
    return f"{FOLDER}/{hashed_name(path.removeprefix('content/'), digest)}"


def _is_plain(path: str) -> bool:
    """Whether a path from the site's root is in normal form: without empty parts, `.` or `..`."""
    return path == "/" or not {"", ".", ".."}.intersection(path.removesuffix("/").split("/")[1:])
