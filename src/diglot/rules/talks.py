"""Pages of talks as tasks: slides in both languages, with everything that they need inside the file."""

import posixpath
from binascii import b2a_base64
from collections.abc import Mapping
from functools import partial
from typing import NamedTuple, TypeAlias

from msgspec import msgpack
from msgspec.structs import replace

from diglot.engine import FILE, BlobReference, Packs
from diglot.figure_request import FigureRequest
from diglot.figures.records import DrawnFigure, Room, Size
from diglot.invariants import certain
from diglot.languages import Language
from diglot.processes import Shared
from diglot.render.assets import FOLDER
from diglot.render.materials import Exploration, ImageFile
from diglot.rules.articles import align_article
from diglot.rules.figures import draw_on_slide
from diglot.rules.files import STATIC
from diglot.rules.frames import (
    Explorations,
    find_plan,
    following_in,
    make_following_values,
    make_slide_frames,
)
from diglot.rules.halves import body_of, cut_references, read_document, read_front_matter
from diglot.rules.ids import DrawingId, HalfId, SlideDrawingId, SlideFramesId
from diglot.rules.page_contexts import gather_page_context
from diglot.rules.pages import HalfSources, PageSources, gather_figure, render_article, source_urls
from diglot.rules.projects import read_project
from diglot.rules.references import ResolvedReferences, Targets, resolve_references
from diglot.rules.sources import find_post
from diglot.rules.summaries import find_addresses
from diglot.rules.talk_lists import find_article_of_talk
from diglot.rules.tasks import Fetch, in_worker, task
from diglot.rules.theme import TRADITIONAL_STYLE, list_assets, make_asset

_EMBEDDED = ("style.css", "deck.css", "deck.js", "controls.js", "favicon.svg")
"""Files of the theme that the page of a talk contains, beside the style of traditional characters."""
_LARGEST = 100_000
"""Bytes up to which a font is put into the page. A page on a server loads larger ones where it needs them."""
_UP = "../../../"
"""From the page of a talk to the site's root."""


@task("embedded-files")
async def embed_files(fetch: Fetch, _name: None) -> Mapping[str, str]:
    """Style sheets and scripts of the theme as pages of talks contain them, with their fonts, by name."""
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
    """The page of a talk that opens in the language of `half`."""
    sources = await _gather(fetch, half.article)
    page_context = await gather_page_context(fetch, "talk.html")
    embedded = Shared(
        name=f"embedded-files {await fetch.digest(embed_files)}",
        value=await fetch(embed_files),
    )
    return await in_worker(fetch, _render, page_context, sources, embedded, half.language)


@task("printed-talk")
async def make_printed_talk(fetch: Fetch, half: HalfId) -> bytes:
    """The page of a talk with all fonts inside, to be printed and measured."""
    page = (await fetch(make_talk_page, half)).decode()
    for name, published in await fetch(list_assets):
        address = f'url("{_UP}{published}")'
        if address in page:
            inside = _data_address(name, await fetch(make_asset, name))
            page = page.replace(address, f'url("{inside}")')
    return page.encode()


_Drawn: TypeAlias = Mapping[tuple[str, Language, Room], DrawnFigure]


class _TalkSources(NamedTuple):
    """All that the pages of a talk are rendered from."""

    article: PageSources
    drawn: _Drawn
    states: Mapping[str, bytes]


def _render(
    packs: Packs, context_sources: Shared, sources: _TalkSources, embedded: Shared, language: Language
) -> BlobReference:
    from diglot.render.talks import talk_page  # noqa: PLC0415  (only talks need it)

    page = partial(talk_page, drawn=sources.drawn, states=sources.states, embedded=embedded.value)
    return render_article(packs, context_sources, sources.article, language, page)


async def _gather(fetch: Fetch, name: str) -> _TalkSources:
    """What the pages of a talk are rendered from. Raises UpstreamFailed if a part of it could not be made."""
    from diglot.render.talks import rooms_of  # noqa: PLC0415  (only talks need it)

    post = await fetch(find_post, name)
    halves: dict[Language, HalfSources] = {}
    drawn: dict[tuple[str, Language, Room], DrawnFigure] = {}
    states: dict[str, bytes] = {}
    shown: dict[FigureRequest, set[Language]] = {}
    for language in post.languages:
        half = HalfId(name, language)
        needs = await fetch(resolve_references, half)
        blob = await fetch.blob(read_document, half)
        document = body_of(fetch.context.packs, blob)
        rooms = rooms_of(document)
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
        explorations, found = await _explorations(fetch, half, rooms, drawn)
        values = await fetch(make_following_values, half) if needs.has_controls else b"{}"
        following = following_in(values)
        states |= found | ({f"values-{language}": values} if following else {})
        targets = msgpack.decode(needs.targets, type=Targets)
        images = {target: await _inside(fetch, needs, image) for target, image in targets.images.items()}
        halves[language] = HalfSources(
            front_matter=await fetch.encoded(read_front_matter, half),
            document=blob,
            targets=msgpack.encode(Targets(links=targets.links, images=images)),
            explorations=Explorations(
                explorations, {}, following, f"#values-{language}" if following else ""
            ),
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
        source_urls=source_urls(await fetch(read_project), figures.values()),
        talks=(await fetch(find_article_of_talk, name),),
    )
    return _TalkSources(article, drawn, states)


async def _explorations(
    fetch: Fetch,
    half: HalfId,
    rooms: Mapping[str, Room],
    drawn: _Drawn,
) -> tuple[dict[str, Exploration], dict[str, bytes]]:
    """The figures of a half that can be turned, and what their states differ in, by id in the page."""
    found: dict[str, Exploration] = {}
    states: dict[str, bytes] = {}
    for embed in (await fetch(cut_references, half)).explored:
        room = certain(rooms.get(embed.name), "a figure with controls stands on a slide")
        plan = await find_plan(fetch, embed)
        drawing = SlideDrawingId(DrawingId(plan.request, half.language), room)
        figure = drawn[str(plan.request), half.language, room]
        files: dict[Size, str] = {}
        for size, _ in figure.svgs:
            name = f"{embed.name}-{size}-{half.language}"
            states[name] = await fetch(make_slide_frames, SlideFramesId(size, embed.explored, drawing))
            files[size] = f"#{name}"
        found[embed.name] = Exploration(plan=plan, files=files)
    return found, states


async def _inside(fetch: Fetch, needs: ResolvedReferences, image: ImageFile) -> ImageFile:
    """A picture whose content is in its address; one of another site stays where it is."""
    published = {path: file for file, path in needs.files.items()}
    path = published.get(image.path, f"{STATIC}/{image.path}")
    content = await fetch(FILE, path)
    return image if content is None else replace(image, path=_data_address(path, content))
