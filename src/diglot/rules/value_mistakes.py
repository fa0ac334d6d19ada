"""What is wrong with the values, assertions and references of a half whose page cannot be made.

Pages report this while they are rendered. A half with other mistakes has no page, and these must not hide
what is wrong with its values: authors see all mistakes of a half at once.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress

from msgspec import msgpack

from diglot.comparing.half_texts import parts_of_front
from diglot.content.records import FrontMatter, Parts
from diglot.diagnostics import Diagnostic, first_of_each_kind
from diglot.engine import Packs, UpstreamFailed
from diglot.figure_request import FigureRequest
from diglot.languages import Language
from diglot.render.parts import Problems, placeholders_in
from diglot.render.placeholders import turned_by, unknown_control, unknown_reference
from diglot.render.values import Values
from diglot.rules.figures import compute_figure, find_script_of
from diglot.rules.front_matters import read_front_matter
from diglot.rules.ids import HalfId
from diglot.rules.parsed_halves import parts_of
from diglot.rules.readable_articles import ReadableArticle, read_anyway
from diglot.rules.tasks import Fetch, in_worker


async def find_value_mistakes(fetch: Fetch, half: HalfId, quoted: Iterable[str]) -> tuple[Diagnostic, ...]:
    """Mistakes in what a half says of figures whose data is there, and in its references.

    `quoted` are the figures whose values it quotes, each as the text of a `FigureRequest`.
    """
    data: dict[str, bytes] = {}
    for text in dict.fromkeys(quoted):
        request = FigureRequest.parse(text)
        with suppress(UpstreamFailed):  # it reports its own mistakes
            if await find_script_of(fetch, request) is not None:
                computed = await fetch(compute_figure, request)
                if not computed.refusals:
                    data[text] = computed.data
    front: FrontMatter | None = None
    with suppress(UpstreamFailed):
        front = await fetch(read_front_matter, half)
    article = await fetch.encoded(read_anyway, half.article)
    return await in_worker(fetch, _mistakes, article, half.language, parts_of_front(front), data)


def _mistakes(
    _packs: Packs, encoded: bytes, language: Language, front: tuple[Parts, ...], data: Mapping[str, bytes]
) -> tuple[Diagnostic, ...]:
    article = msgpack.decode(encoded, type=ReadableArticle)
    half = article.halves.get(language)
    if half is None:
        return ()
    document, path = half.document, half.document.path
    values, problems = Values(language, data), Problems()
    turned = [f"{embed.figure_id}.{one.name}" for embed in document.figures for one in embed.explored]
    knows_controls = half.explorations == sum(bool(embed.explored) for embed in document.figures)
    for placeholder in (one for parts in (*front, *parts_of(document)) for one in placeholders_in(parts)):
        target, line = placeholder.target, placeholder.line
        with problems.collected():
            if placeholder.kind == "ref":
                if article.names.lacks_reference(target, language):
                    problems.add(unknown_reference(placeholder, article.names.referable[language], path))
            elif placeholder.kind == "control":
                if knows_controls and len(turned_by(target, turned)) != 1:
                    problems.add(unknown_control(placeholder, turned, path))
            elif not data.keys() >= set(placeholder.figures):
                continue  # what it waits for has mistakes of its own
            elif placeholder.kind == "eval":
                values.text(target, path=path, line=line)
            elif placeholder.kind == "assert":
                values.check(target, path=path, line=line)
    return tuple(first_of_each_kind(problems.found))
