"""Pages and other texts in traditional characters as tasks: each converts one finished file."""

from collections.abc import Iterable, Mapping
from urllib.parse import quote, unquote

import msgspec

import diglot
from diglot.diagnostics import Diagnostic, DiagnosticError, Location
from diglot.digests import digest_of
from diglot.engine import BlobReference, Key, Packs, Target
from diglot.invariants import certain
from diglot.languages import TRADITIONAL
from diglot.rules.files import copy_file
from diglot.rules.ids import FileId
from diglot.rules.manifest import Output
from diglot.rules.options import OPENCC
from diglot.rules.projects import read_project
from diglot.rules.reading import read_text_if_there
from diglot.rules.talks import make_talk_page
from diglot.rules.tasks import Fetch, task
from diglot.rules.words import read_words
from diglot.traditional.settings import Settings


@task("traditional-settings")
async def read_settings(fetch: Fetch, _name: None) -> Settings:
    """How texts are converted. Raises DiagnosticError where OpenCC is not installed."""
    from diglot.traditional.exceptions import EXCEPTIONS, read_exceptions  # noqa: PLC0415  (few sites convert)

    project = await fetch(read_project)
    if not (version := await fetch(OPENCC)):
        raise DiagnosticError(
            Diagnostic(
                rule="traditional-missing",
                message="no page can be converted to traditional characters, because OpenCC is not installed",
                location=Location(path=fetch.context.options.config),
                fix="run `pip install 'diglot[hant]'`, or remove `traditional:`.",
            )
        )
    text = await read_text_if_there(fetch, EXCEPTIONS)
    settings = Settings(
        variant=certain(project.traditional, "files are converted where the configuration says so"),
        exceptions=() if text is None else read_exceptions(text),
        base_url=project.base_url,
        notice=(await fetch(read_words, "zh"))("derived"),
        stamp="",
    )
    known = f"{diglot.__version__} {version} ".encode() + msgspec.json.encode(settings)
    return msgspec.structs.replace(settings, stamp=digest_of(known))


@task("traditional", bytes)
async def make_traditional(fetch: Fetch, file: FileId) -> BlobReference:
    """A file in traditional characters."""
    original: Target[str, bytes] = Target(file.kind)
    content = await fetch(original, file.name)
    settings = await fetch(read_settings)
    context, noticed = fetch.context, file.kind != make_talk_page.kind  # a slide has no room for a notice
    call = context.pool.call(_convert, context.packs, unquote(file.path), content, settings, noticed)
    blob: BlobReference = await fetch.wait(call)
    return blob


def original_of(key: Key) -> Key:
    """The task that makes a file; of a converted file, the one that makes the original."""
    return next((Key(one.kind, one.name) for one in make_traditional.names_in([key])), key)


def is_copy(output: Output) -> bool:
    """Whether a file is there in traditional characters: converted, or as the author wrote it."""
    return output.kind == make_traditional.kind or output.path.startswith(f"{TRADITIONAL}/")


def traditional_files(found: Iterable[Output], settings: Settings) -> Mapping[str, Key]:
    """The files in traditional characters, by output path. An author's own files are there unchanged."""
    from diglot.traditional.addresses import converted_path  # noqa: PLC0415  (few sites convert files)

    copies = {}
    for one in found:
        if (path := converted_path(quote(one.path), settings.stamp)) is not None:
            is_own = one.kind == copy_file.kind
            file = FileId(quote(one.path), one.kind, one.name)
            copies[unquote(path)] = one.key if is_own else make_traditional.key(file)
    return copies


def _convert(packs: Packs, path: str, content: bytes, settings: Settings, noticed: bool) -> BlobReference:
    from diglot.traditional.files import converted_file  # noqa: PLC0415  (few sites convert files)

    return packs.add(converted_file(path, content, settings, noticed=noticed))
