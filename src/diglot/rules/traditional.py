"""Pages and other texts in traditional characters as tasks: each converts one finished file."""

from collections.abc import Iterable, Mapping
from urllib.parse import quote, unquote

import msgspec

import diglot
from diglot.digests import digest_of
from diglot.engine import BlobReference, Key, Packs, Target
from diglot.languages import TRADITIONAL
from diglot.rules.cards import make_card
from diglot.rules.figures import export_figure
from diglot.rules.files import copy_file
from diglot.rules.hardware import write_chip_data
from diglot.rules.ids import FileId, HalfId
from diglot.rules.manifest import OutputFile
from diglot.rules.projects import read_site_settings
from diglot.rules.spelling import find_spelling
from diglot.rules.talks import make_printed_talk, make_talk_page, make_whole_talk
from diglot.rules.tasks import Fetch, packs_for, task
from diglot.rules.traditional_pictures import export_traditional, make_traditional_card
from diglot.rules.words import read_words
from diglot.site_map import traditional_chip_data_path
from diglot.traditional.settings import Settings

_DRAWN = {export_figure.kind: export_traditional.kind, make_card.kind: make_traditional_card.kind}
"""Kinds of pictures, each with that of the task that draws it again."""
_ORIGINALS = {drawn: kind for kind, drawn in _DRAWN.items()}
_COPIES = frozenset(("traditional", *_ORIGINALS))

_WITHOUT_NOTICE = (make_talk_page.kind, make_whole_talk.kind, make_printed_talk.kind)
"""A slide has no room for one."""


@task("traditional-settings")
async def read_settings(fetch: Fetch, _name: None) -> Settings:
    """How texts are converted. Raises UpstreamFailed where they cannot be."""
    settings = Settings(
        spelling=await fetch(find_spelling),
        base_url=(await fetch(read_site_settings)).base_url,
        notice=(await fetch(read_words, "zh"))("derived"),
        stamp="",
    )
    known = f"{diglot.__version__} ".encode() + msgspec.json.encode(settings)
    return msgspec.structs.replace(settings, stamp=digest_of(known))


@task("traditional", bytes)
async def make_traditional(fetch: Fetch, file: FileId) -> BlobReference:
    """A file in traditional characters."""
    original: Target[str, bytes] = Target(file.kind)
    content = await fetch(original, file.name)
    settings = await fetch(read_settings)
    context, noticed = fetch.context, file.kind not in _WITHOUT_NOTICE
    call = context.pool.call(_convert, packs_for(fetch), unquote(file.path), content, settings, noticed)
    blob: BlobReference = await fetch.wait(call)
    return blob


def traditional_talk(half: HalfId) -> Key:
    """The task that makes the page of a talk to be printed."""
    return make_traditional.key(FileId("talk.html", make_printed_talk.kind, str(half)))


def original_of(key: Key) -> Key:
    """The task that makes a file; of a converted file, the one that makes the original."""
    if key.kind == make_traditional.kind:
        original = make_traditional.read_name(key.name)
        return Key(original.kind, original.name)
    return Key(_ORIGINALS[key.kind], key.name) if key.kind in _ORIGINALS else key


def is_copy(output: OutputFile) -> bool:
    """Whether a file is there in traditional characters: converted, or as the author wrote it."""
    return output.kind in _COPIES or output.path.startswith(f"{TRADITIONAL}/")


def traditional_files(found: Iterable[OutputFile], settings: Settings) -> Mapping[str, Key]:
    """The files in traditional characters, by output path. An author's own files are there unchanged."""
    from diglot.traditional.addresses import converted_path  # noqa: PLC0415  (few sites convert files)

    copies = {}
    for one in found:
        if one.kind == write_chip_data.kind:  # in both languages; pages that compare chips read it
            copies[traditional_chip_data_path(one.path)] = _copy(one)
        elif (path := converted_path(quote(one.path), settings.stamp)) is not None:
            copies[unquote(path)] = _copy(one)
    return copies


def _copy(original: OutputFile) -> Key:
    if original.kind == copy_file.kind:
        return original.key
    if original.kind in _DRAWN and original.path.endswith((".svg", ".png")):
        return Key(_DRAWN[original.kind], original.name)
    return make_traditional.key(FileId(quote(original.path), original.kind, original.name))


def _convert(packs: Packs, path: str, content: bytes, settings: Settings, noticed: bool) -> BlobReference:
    from diglot.traditional.files import converted_file  # noqa: PLC0415  (few sites convert files)

    return packs.add(converted_file(path, content, settings, noticed=noticed))
