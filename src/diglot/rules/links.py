"""Resolves links and pictures of authors: to articles, files next to the article, and static files."""

import posixpath
import re
from contextlib import suppress
from urllib.parse import unquote, urlsplit

from msgspec.structs import replace

from diglot.characters import visible
from diglot.content.records import Placeholder
from diglot.diagnostics import (
    Diagnostic,
    DiagnosticError,
    Location,
    did_you_mean,
    first_of_each_kind,
)
from diglot.digests import ABSENT
from diglot.engine import FILE, LISTING, UpstreamFailed
from diglot.languages import LANGUAGES, TRADITIONAL, Language
from diglot.output_paths import PathFault, check_path
from diglot.render.assets import FOLDER
from diglot.render.materials import ImageFile
from diglot.rules.articles import align_article
from diglot.rules.files import STATIC
from diglot.rules.ids import as_language
from diglot.rules.layouts import with_code
from diglot.rules.missing_targets import MissingTargets
from diglot.rules.navigation import find_list
from diglot.rules.parsed_halves import References
from diglot.rules.pictures import WIDTHS_PX, PictureId, measure_picture, read_picture_format
from diglot.rules.projects import read_base_url
from diglot.rules.readable_articles import Names, read_anyway
from diglot.rules.site_paths import address_of, file_path, is_plain, taken_apart
from diglot.rules.sources import SECTIONS, PostFiles, find_article_of, find_post
from diglot.rules.summaries import (
    find_addresses,
    find_article_at,
    find_hidden_at,
    usual_path,
    why_hidden,
)
from diglot.rules.tasks import Fetch
from diglot.site_map import ARCHIVE, FIGURES, TALKS, TAXONOMIES
from diglot.web_addresses import is_elsewhere


class Links:
    """Resolves the links and pictures of one half, and collects mistakes."""

    def __init__(self, fetch: Fetch, references: References, article: str) -> None:
        self._fetch = fetch
        self._references = references
        self._article = article
        self._folder = posixpath.dirname(references.path)
        self._missing = MissingTargets(fetch, references, article)
        self._post: PostFiles | None = None
        self._names: dict[str, Names] = {}
        self.mistakes: list[Diagnostic] = []
        self.files: dict[str, str] = {}
        """Published paths of the project's files that are linked to or shown, by path in the project."""
        self.pictures: dict[str, str] = {}
        """Pictures in other widths: the text of a `PictureId`, by published path."""

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
                elif placeholder.kind == "file":
                    images.setdefault(placeholder.target, ImageFile(path=await self._loaded(placeholder)))
                else:
                    links[placeholder.target] = await self._link(placeholder)
            except DiagnosticError as error:
                self.mistakes += error.diagnostics
            told[key] = self.mistakes[before:]
        self.mistakes = list(first_of_each_kind(self.mistakes))
        return links, images

    async def _link(self, placeholder: Placeholder) -> str:
        try:
            return await self._address(placeholder)
        except UpstreamFailed:
            return ""  # what it leads to has mistakes of its own, which are reported there

    async def _address(self, placeholder: Placeholder) -> str:
        if is_elsewhere(placeholder.target):
            await self._check_own(placeholder)
            return placeholder.target
        parts = urlsplit(placeholder.target)
        path, fragment = unquote(parts.path), unquote(parts.fragment)
        if not path:
            await self._check_row(placeholder, fragment, self._article)
            return f"#{fragment}"
        behind = f"#{fragment}" if fragment else ""
        if path.startswith("/"):
            if not is_plain(path):
                raise DiagnosticError(await self._missing.diagnostic(placeholder))
            return await self._from_root(placeholder, path, fragment) + behind
        inside = posixpath.normpath(posixpath.join(self._folder, path))
        source = None
        if not inside.endswith(".md") and (source := await self._beside(path)) is not None:
            return await self._file(placeholder, source) + behind
        if half := await self._fetch(find_article_of, inside):
            name, _, code = half.partition(":")
            language = as_language(code) if code else None
            if code and language not in (await self._fetch(find_post, name)).languages:
                await self._fetch(find_addresses, name)  # an article that lacks a half by mistake reports it
                raise DiagnosticError(await self._missing.diagnostic(placeholder))
            return await self._to_article(placeholder, name, language, fragment) + behind
        if (source := await self._beside(path)) is None:
            raise DiagnosticError(await self._missing.diagnostic(placeholder))
        return await self._file(placeholder, source) + behind

    async def _check_own(self, placeholder: Placeholder) -> None:
        """Warn of a whole address of this site that would be a mistake if it was written from the root.

        No error, and nothing on folders of which the site has none: other projects may be published there.
        """
        with suppress(ValueError, UpstreamFailed):  # other checks report both
            address, own = urlsplit(placeholder.target), urlsplit(await self._fetch(read_base_url))
            is_own = address.netloc.casefold() == own.netloc.casefold() and address.path.startswith(own.path)
            if address.scheme not in ("", "http", "https") or not (own.netloc and is_own):
                return
            before, path = len(self.mistakes), f"/{unquote(address.path.removeprefix(own.path))}"
            from_root = replace(placeholder, target=path)
            try:
                if await self._may_be_of_others(path) or await self._is_made(path):
                    return
                if placeholder.kind != "image":
                    await self._from_root(from_root, path, unquote(address.fragment))
                elif await self._variant(f"{STATIC}{path}") is None:
                    raise DiagnosticError(await self._missing.diagnostic(from_root))
            except DiagnosticError as error:
                self.mistakes += error.diagnostics
            said = f'"{placeholder.target}" is under the site\'s own address'
            self.mistakes[before:] = [
                replace(mistake, message=f"{said}: {mistake.message}", severity="warning")
                for mistake in self.mistakes[before:]
            ]

    async def _may_be_of_others(self, path: str) -> bool:
        """Whether a path is in a folder of which this site has nothing."""
        folder, slash, _ = path[1:].partition("/")
        if not slash or folder in (*LANGUAGES, TRADITIONAL, *(section.name for section in SECTIONS)):
            return False
        return not await self._fetch(LISTING, f"{STATIC}/{folder}/**")

    async def _is_made(self, path: str) -> bool:
        """Whether a path may be of a file that a build makes with its pages, whose addresses others use."""
        language, address = taken_apart(path)
        if path.startswith(f"/{TRADITIONAL}/") or _MADE_FOR_ALL.fullmatch(address):
            return True
        below = _MADE_WITH_PAGE.search(f"/{address}")
        if below is None:
            return False
        page = address[: max(0, below.start() - 1)]
        found = await find_list(self._fetch, page, language or self._references.language)
        return found is not None or bool(await self._article_at(page))

    async def _from_root(self, placeholder: Placeholder, path: str, fragment: str) -> str:
        language, address = taken_apart(path)
        if path != "/" and (name := await self._article_at(address)):
            return await self._to_article(placeholder, name, language, fragment)
        language = language or self._references.language
        if (found := await find_list(self._fetch, address, language)) is not None:
            return found if path != "/" else ""
        if (static := await self._variant(f"{STATIC}{path}")) is not None:
            return address_of(static.removeprefix(f"{STATIC}/"))
        if name := await find_hidden_at(self._fetch, address):
            raise DiagnosticError(await self._hidden(placeholder, name))
        raise DiagnosticError(await self._missing.diagnostic(placeholder))

    async def _article_at(self, address: str) -> str:
        """The name of the article at an address; empty if there is none."""
        taken = address.partition("/")[0] in (*TAXONOMIES, ARCHIVE)  # the addresses of lists are no article's
        return "" if taken else await self._fetch(find_article_at, address)

    async def _to_article(
        self, placeholder: Placeholder, name: str, language: Language | None, fragment: str
    ) -> str:
        post = await self._fetch(find_post, name)
        if not post.languages:
            raise DiagnosticError(await self._missing.diagnostic(placeholder))
        addresses = {one: usual_path(post, one) for one in post.languages}
        with suppress(UpstreamFailed):  # the other article reports its own mistakes
            addresses = (await self._fetch(find_addresses, name)).paths
        if not addresses:
            raise DiagnosticError(await self._hidden(placeholder, name))
        if fragment:
            await self._check_row(placeholder, fragment, name)
        wanted = language or self._references.language
        return addresses[wanted] if wanted in addresses else next(iter(addresses.values()))

    async def _file(self, placeholder: Placeholder, path: str) -> str:
        published = await self._published(path)
        self._check_path(placeholder, published)
        return address_of(published)

    async def _published(self, path: str) -> str:
        published = file_path(path, await self._fetch.digest(FILE, path))
        self.files[path] = published
        return published

    def _check_path(self, placeholder: Placeholder, published: str) -> None:
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

    async def _loaded(self, placeholder: Placeholder) -> str:
        """The address of what a page loads and is no picture: a film, a frame with another page."""
        return await self._link(replace(placeholder, kind="link"))

    async def _image(self, placeholder: Placeholder) -> ImageFile:
        if is_elsewhere(placeholder.target):
            await self._check_own(placeholder)
            return ImageFile(path=placeholder.target)
        parts = urlsplit(placeholder.target)
        path = unquote(parts.path)
        if path.startswith("/"):
            if not is_plain(path):
                raise DiagnosticError(await self._missing.diagnostic(placeholder))
            source = await self._variant(f"{STATIC}{path}")
            address = "" if source is None else source.removeprefix(f"{STATIC}/")
        else:
            source, address = await self._beside(path), ""
            if source is not None:
                self._check_path(placeholder, file_path(source, await self._fetch.digest(FILE, source)))
        if source is None:
            raise DiagnosticError(await self._missing.diagnostic(placeholder))
        image = await self._measured(source, address)
        dark = None if self._is_talk else await self._dark(source)
        path = f"{image.path}#{parts.fragment}" if parts.fragment else image.path  # a part of an SVG file
        return replace(image, path=path, dark=dark)

    @property
    def _is_talk(self) -> bool:
        """Whether the page holds its pictures itself, in one width."""
        return self._article.startswith(f"{TALKS}/")

    async def _dark(self, path: str) -> ImageFile | None:
        """The variant of a picture for dark pages: `chip.dark.png` next to `chip.png`."""
        stem, ending = posixpath.splitext(path)
        dark = f"{stem}.dark{ending}"
        if await self._fetch.digest(FILE, dark) == ABSENT:
            return None
        if dark.startswith(f"{STATIC}/"):
            return await self._measured(dark, dark.removeprefix(f"{STATIC}/"))
        return await self._measured(dark, "")

    async def _measured(self, path: str, address: str) -> ImageFile:
        """A picture with its size, and the widths that it is made in. `address` is a static file's."""
        facts = await self._fetch(measure_picture, path)
        chosen = ""
        if facts.format and not self._is_talk:
            with suppress(UpstreamFailed):  # the configuration reports its own mistakes
                chosen = await self._fetch(read_picture_format)
        widest = min(facts.width_px, WIDTHS_PX[-1])
        as_it_is = not chosen or (facts.width_px == widest and not facts.has_metadata)
        sizes = []
        if chosen and widest > WIDTHS_PX[0]:
            for width in (*(one for one in WIDTHS_PX if one < widest), widest):
                sizes.append((width, address_of(await self._scaled(PictureId(width, chosen, path)))))
        if not address and as_it_is:
            address = await self._published(path)
        elif not address:
            address = await self._scaled(PictureId(widest, facts.format, path))
        return ImageFile(
            path=address_of(address),
            width_px=facts.width_px or None,
            height_px=facts.height_px or None,
            is_sized=facts.is_sized,
            sizes=tuple(sizes),
        )

    async def _scaled(self, picture: PictureId) -> str:
        published = picture.published(await self._fetch.digest(FILE, picture.path))
        self.pictures[published] = str(picture)
        return published

    async def _beside(self, path: str) -> str | None:
        """A file of the article: next to this half, else next to the other, else in its folder."""
        post = await self._files()
        folders = [posixpath.dirname(half) for half in (post.zh, post.en) if half is not None]
        for folder in dict.fromkeys((self._folder, *folders, *post.folders)):
            inside = posixpath.normpath(posixpath.join(folder, path))
            if not inside.startswith("..") and (found := await self._variant(inside)) is not None:
                return found
        return None

    async def _variant(self, path: str) -> str | None:
        """The file of a path for readers of this language: `stack.zh.png` if there is one, else the path.

        None if there is neither.
        """
        post = await self._files()
        language = self._references.language
        codes = dict.fromkeys((post.codes.get(language) or language, language))
        for one in (*(with_code(path, code) for code in codes), path):
            if await self._fetch.digest(FILE, one) != ABSENT:
                return one
        return None

    async def _files(self) -> PostFiles:
        if self._post is None:
            self._post = await self._fetch(find_post, self._article)
        return self._post

    async def _check_row(self, placeholder: Placeholder, fragment: str, article: str) -> None:
        if article not in self._names:
            self._names[article] = await self._names_in(article)
        names = self._names[article]
        if fragment and names.lacks_block(fragment):
            self.mistakes.append(
                Diagnostic(
                    rule="link-fragment",
                    message=f'"{placeholder.target}" does not match any block: there is no "{fragment}"',
                    location=Location(path=self._references.path, line=placeholder.line),
                    fix=did_you_mean(
                        fragment,
                        names.blocks or (),
                        before=f"{placeholder.target.partition('#')[0]}#",
                        otherwise="give the heading an id, as in `## Title {#roof}`.",
                    ),
                )
            )

    async def _names_in(self, article: str) -> Names:
        try:
            alignment = await self._fetch(align_article, article)
        except UpstreamFailed:  # whatever has mistakes reports them
            return (await self._fetch(read_anyway, article)).names
        return Names(blocks=frozenset(row.id for row in alignment.rows))

    async def _hidden(self, placeholder: Placeholder, name: str) -> Diagnostic:
        why = await why_hidden(self._fetch, name)
        first = "publish it first" if "expired" not in why else "change its `expires:`"
        return Diagnostic(
            rule="link-hidden",
            message=f'"{placeholder.target}" links to an article that {why}: this build leaves it out',
            location=Location(path=self._references.path, line=placeholder.line),
            fix=f"{first}, or remove the link.",
        )


_MADE_FOR_ALL = re.compile(
    rf"(?:{FOLDER}|{FIGURES})/.*\.\w+|404\.html|(?:robots|llms(?:-full)?)\.txt|sitemap[\w-]*\.xml|site\.webmanifest"
)
"""Files of the theme and of figures, and files for programs."""
_MADE_WITH_PAGE = re.compile(
    r"/(?:both|page/\d+|(?:both/)?(?:index\.(?:html|md)|card\.png|[\w-]+\.(?:json|pptx)))$|/404\.html$"
)
"""What is made for a page below its address."""
