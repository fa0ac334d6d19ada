"""What is wrong with the values, assertions and references of a half whose page cannot be made.

Pages report this while they are rendered. A half with other mistakes has no page, and these must not hide
what is wrong with its values: authors see all mistakes of a half at once.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import NamedTuple

from msgspec import msgpack

from diglot.content.document import read_document as read_content
from diglot.content.records import Alignment, Document
from diglot.diagnostics import Diagnostic, first_of_each_kind
from diglot.engine import BlobReference, Packs, UpstreamFailed
from diglot.figure_request import FigureRequest
from diglot.languages import Language, twin_of
from diglot.project import HtmlPolicy
from diglot.render.numbering import number_embeds
from diglot.render.parts import Problems, placeholders_in
from diglot.render.placeholders import referable_names, turned_by, unknown_control, unknown_reference
from diglot.render.values import Values
from diglot.rules.articles import align_article
from diglot.rules.figures import compute_figure, find_script
from diglot.rules.halves import cut_skeleton, read_document, references_of
from diglot.rules.ids import HalfId
from diglot.rules.parsed_halves import References, body_of, parts_of
from diglot.rules.projects import read_html_policy
from diglot.rules.reading import read_text
from diglot.rules.sources import find_post
from diglot.rules.tasks import Fetch, in_worker


class BrokenHalf(NamedTuple):
    """A half with mistakes in its text, as far as it can be read."""

    references: References
    document: bytes
    """A `Document`, encoded."""


async def read_broken_half(fetch: Fetch, half: HalfId) -> BrokenHalf:
    """What can be read of a half that has mistakes of its own."""
    path = (await fetch(find_post, half.article)).path(half.language)
    text = await read_text(fetch, path)
    policy = await fetch(read_html_policy)
    references, document = await in_worker(fetch, _read_broken, text, path, half.language, policy)
    return BrokenHalf(msgpack.decode(references, type=References), document)


def _read_broken(
    _packs: Packs, text: str, path: str, language: Language, html: HtmlPolicy
) -> tuple[bytes, bytes]:
    document, _ = read_content(text, path, language, html)
    return msgpack.encode(references_of(document)), msgpack.encode(document)


async def find_value_mistakes(
    fetch: Fetch, half: HalfId, quoted: Iterable[str], broken: BrokenHalf | None = None
) -> tuple[Diagnostic, ...]:
    """Mistakes in what a half says of figures whose data is there, and in its references.

    `quoted` are the figures whose values it quotes, each as the text of a `FigureRequest`.
    """
    data: dict[str, bytes] = {}
    for text in dict.fromkeys(quoted):
        request = FigureRequest.parse(text)
        with suppress(UpstreamFailed):  # it reports its own mistakes
            if await fetch(find_script, request.figure_id) is not None:
                computed = await fetch(compute_figure, request)
                if not computed.refusals:
                    data[text] = computed.data
    if broken is not None:  # a part of its text may be missing, so that nothing is known of its references
        return await in_worker(fetch, _mistakes, broken.document, data, None)
    around = None
    with suppress(UpstreamFailed):
        twin = HalfId(half.article, twin_of(half.language))
        has_twin = twin.language in (await fetch(find_post, half.article)).languages
        around = _Around(
            alignment=await fetch.encoded(align_article, half.article),
            twin=await fetch.encoded(cut_skeleton, twin) if has_twin else None,
        )
    return await in_worker(fetch, _mistakes, await fetch.blob(read_document, half), data, around)


class _Around(NamedTuple):
    """What references of a half are resolved with."""

    alignment: bytes
    twin: bytes | None
    """The skeleton of the other half, if there is one."""


def _mistakes(
    packs: Packs, source: BlobReference | bytes, data: Mapping[str, bytes], around: _Around | None
) -> tuple[Diagnostic, ...]:
    document = msgpack.decode(source, type=Document) if isinstance(source, bytes) else body_of(packs, source)
    values, problems = Values(document.language, data), Problems()
    names = None if around is None else _names(document, around)
    turned = [f"{embed.figure_id}.{one.name}" for embed in document.figures for one in embed.explored]
    for placeholder in (one for parts in parts_of(document) for one in placeholders_in(parts)):
        path, line = document.path, placeholder.line
        with problems.collected():
            if placeholder.kind == "ref" and names is not None and placeholder.target not in names:
                problems.add(unknown_reference(placeholder, names, path))
            elif placeholder.kind == "control":
                if names is not None and len(turned_by(placeholder.target, turned)) != 1:
                    problems.add(unknown_control(placeholder, turned, path))
            elif not data.keys() >= set(placeholder.figures):
                continue  # what it waits for has mistakes of its own
            elif placeholder.kind == "eval":
                values.text(placeholder.target, path=path, line=line)
            elif placeholder.kind == "assert":
                values.check(placeholder.target, path=path, line=line)
    return tuple(first_of_each_kind(problems.found))


def _names(document: Document, around: _Around) -> frozenset[str]:
    alignment = msgpack.decode(around.alignment, type=Alignment)
    documents = {document.language: document}
    if around.twin is not None:
        documents[twin_of(document.language)] = msgpack.decode(around.twin, type=Document)
    return frozenset((*referable_names(document, alignment), *number_embeds(documents, alignment)))
