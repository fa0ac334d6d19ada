"""Talks as tasks: their pages, and the same slides as one file, with everything that they need inside."""

import posixpath
from binascii import b2a_base64
from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from msgspec import msgpack
from msgspec.structs import replace

from diglot.content.records import Document
from diglot.engine import FILE, BlobReference, Packs, Target
from diglot.figure_request import FigureRequest
from diglot.figures.records import DrawnFigure, Room
from diglot.invariants import certain
from diglot.languages import Language
from diglot.processes import Shared
from diglot.render.assets import FOLDER
from diglot.rules.articles import align_article
from diglot.rules.figure_materials import gather_figure, source_urls
from diglot.rules.figures import draw_on_slide
from diglot.rules.frames import NO_EXPLORATIONS, Explorations, find_explorations
from diglot.rules.front_matters import read_front_matter
from diglot.rules.halves import read_document
from diglot.rules.ids import DrawingId, HalfId, SlideDrawingId
from diglot.rules.labels import find_article_labels
from diglot.rules.page_contexts import gather_page_context
from diglot.rules.pages import HalfSources, PageSources, render_article
from diglot.rules.parsed_halves import body_of
from diglot.rules.projects import read_site_settings
from diglot.rules.references import Targets, resolve_references
from diglot.rules.site_paths import source_of
from diglot.rules.sources import find_post
from diglot.rules.summaries import find_addresses
from diglot.rules.talk_lists import find_article_of_talk
from diglot.rules.tasks import Fetch, in_worker, task
from diglot.rules.theme import TRADITIONAL_STYLE, list_assets, make_asset
from diglot.site_map import talk_file_path

_EMBEDDED = ("style.css", "print.css", "deck.css", "deck.js", "controls.js", "favicon.svg")
"""Files of the theme that a talk as one file contains, besides the style of traditional characters."""
_LARGEST = 100_000
"""Bytes up to which a font is put into the file. On a server, it loads larger ones where it needs them."""
_UP = "../../../"
"""From the file to the site's root."""


@task("embedded-files")
async def embed_files(fetch: Fetch, _name: None) -> Mapping[str, str]:
    """Style sheets and scripts of the theme as a talk in one file has them, with their fonts, by name."""
    assets = dict(await fetch(list_assets))
    texts: dict[str, str] = {}
    for name in (*_EMBEDDED, *(one for one in assets if one == TRADITIONAL_STYLE)):
        text = (await fetch(make_asset, name)).decode()
        if name.endswith(".css"):
            for font, published in assets.items():
                address = published.removeprefix(f"{FOLDER}/")
                if address in text:
                    content = await fetch(make_asset, font)
                    whole = f"{_UP}{published}"
                    inside = whole if len(content) > _LARGEST else _data_address(font, content)
                    text = text.replace(f'url("{address}")', f'url("{inside}")')
        texts[name] = text.replace("</", "<\\/") if name.endswith(".js") else text
    return texts


_TYPES = {
    **{".woff2": "font/woff2", ".woff": "font/woff", ".svg": "image/svg+xml", ".png": "image/png"},
    **{".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp"},
    ".avif": "image/avif",
}


def _data_address(name: str, content: bytes) -> str:
    kind = _TYPES.get(posixpath.splitext(name)[1].lower(), "application/octet-stream")
    return f"data:{kind};base64,{b2a_base64(content, newline=False).decode()}"


@task("talk-page", bytes)
async def make_talk_page(fetch: Fetch, half: HalfId) -> BlobReference:
    """The page of a talk in the language of `half`."""
    sources = await _gather(fetch, half.article)
    page_context = await gather_page_context(fetch, "talk.html")
    return await in_worker(fetch, _render, page_context, sources, half.language)


@task("whole-talk", bytes)
async def make_whole_talk(fetch: Fetch, half: HalfId) -> BlobReference:
    """A talk as one file, which opens in the language of `half` and holds all that it needs."""
    sources = await _gather(fetch, half.article)
    halves = {
        one: await _inside(fetch, HalfId(half.article, one), source)
        for one, source in sources.article.halves.items()
    }
    states = {
        path: await fetch(Target[str, bytes](key.kind), key.name)
        for one in sources.article.halves.values()
        for path, key in one.explorations.files.items()
    }
    whole = sources._replace(article=sources.article._replace(halves=halves), states=states)
    page_context = await gather_page_context(fetch, "talk.html")
    embedded = Shared(
        name=f"embedded-files {await fetch.digest(embed_files)}",
        value=await fetch(embed_files),
    )
    return await in_worker(fetch, _render, page_context, whole, half.language, embedded)


@task("printed-talk")
async def make_printed_talk(fetch: Fetch, half: HalfId) -> bytes:
    """The same file with all fonts inside, to be printed and measured."""
    page = (await fetch(make_whole_talk, half)).decode()
    for name, published in await fetch(list_assets):
        address = f'url("{_UP}{published}")'
        if address in page:
            inside = _data_address(name, await fetch(make_asset, name))
            page = page.replace(address, f'url("{inside}")')
    return page.encode()


async def find_slide_explorations(fetch: Fetch, half: HalfId) -> Explorations:
    """The figures on the slides of a half that readers can turn. Its references have to be resolved."""
    document = body_of(fetch.context.packs, await fetch.blob(read_document, half))
    return await find_explorations(fetch, half, _rooms_of(document))


def _rooms_of(document: Document) -> Mapping[str, Room]:
    from diglot.render.talks import rooms_of  # noqa: PLC0415  (a build that makes no talk loads no code of slides)

    return rooms_of(document)


class _TalkSources(NamedTuple):
    """All that a talk is rendered from."""

    article: PageSources
    drawn: Mapping[tuple[str, Language, Room], DrawnFigure]
    files: Mapping[Language, str]
    """The paths of the talk as one file."""
    states: Mapping[str, bytes] = {}
    """What controls need, by path; for the talk as one file."""


def _render(
    packs: Packs,
    context_sources: Shared,
    sources: _TalkSources,
    language: Language,
    embedded: Shared | None = None,
) -> BlobReference:
    """The page; with files of the theme to be embedded, the talk as one file."""
    from diglot.render.talks import WholeTalk, talk_page  # noqa: PLC0415  (only the process that renders a talk loads it)

    whole = None if embedded is None else WholeTalk(states=sources.states, embedded=embedded.value)
    page = partial(talk_page, drawn=sources.drawn, files=sources.files, whole=whole)
    return render_article(packs, context_sources, sources.article, language, page)


async def _gather(fetch: Fetch, name: str) -> _TalkSources:
    """What a talk is rendered from. Raises UpstreamFailed if a part of it could not be made."""
    post = await fetch(find_post, name)
    halves: dict[Language, HalfSources] = {}
    drawn: dict[tuple[str, Language, Room], DrawnFigure] = {}
    shown: dict[FigureRequest, set[Language]] = {}
    for language in post.languages:
        half = HalfId(name, language)
        needs = await fetch(resolve_references, half)
        blob = await fetch.blob(read_document, half)
        document = body_of(fetch.context.packs, blob)
        rooms = _rooms_of(document)
        asked = [
            SlideDrawingId(DrawingId(FigureRequest.of(one.figure_id, one.parameters), language), room)
            for one in document.figures
            if (room := rooms.get(one.name)) is not None
        ]
        for one, figure in zip(asked, await fetch.all(draw_on_slide, asked), strict=True):
            drawn[str(one.drawing.request), language, one.room] = figure
        tables = {FigureRequest.of(one.figure_id, one.parameters) for one in document.tables}
        for text in (*needs.embedded, *needs.quoted):
            request = FigureRequest.parse(text)
            shown.setdefault(request, set()).update({language} if request in tables else ())
        halves[language] = HalfSources(
            front_matter=await fetch.encoded(read_front_matter, half),
            document=blob,
            targets=bytes(needs.targets),
            explorations=await find_explorations(fetch, half, rooms)
            if needs.has_controls
            else NO_EXPLORATIONS,
        )
    figures = {
        str(request): await gather_figure(fetch, request, tuple(sorted(languages)))
        for request, languages in shown.items()
    }
    addresses = await fetch(find_addresses, name)
    article = PageSources(
        paths=addresses.paths,
        expired=addresses.expired,
        kind="talk",
        halves=halves,
        alignment=await fetch.encoded(align_article, name),
        figures=figures,
        source_urls=source_urls(await fetch(read_site_settings), figures.values()),
        talks=(await fetch(find_article_of_talk, name),),
        labels=await fetch(find_article_labels, name),
    )
    files = {one: talk_file_path(path, name, one) for one, path in addresses.paths.items()}
    return _TalkSources(article, drawn, files)


async def _inside(fetch: Fetch, half: HalfId, source: HalfSources) -> HalfSources:
    """A half whose pictures, and files that controls need, lie in the file that shows it.

    Pictures of other sites stay where they are.
    """
    targets = msgpack.decode(certain(source.targets, "a talk shows both halves"), type=Targets)
    published = {path: file for file, path in (await fetch(resolve_references, half)).files.items()}
    images = dict(targets.images)
    for target, image in targets.images.items():
        path = source_of(image.path, published)
        _, mark, part = image.path.partition("#")
        if (content := await fetch(FILE, path)) is not None:
            images[target] = replace(image, path=f"{_data_address(path, content)}{mark}{part}")
    found, _, following, values = source.explorations
    explorations = Explorations(
        {
            name: replace(one, files={size: f"#{path}" for size, path in one.files.items()})
            for name, one in found.items()
        },
        {},
        following,
        f"#{values}" if values else "",
    )
    return source._replace(targets=msgpack.encode(replace(targets, images=images)), explorations=explorations)
