"""Numbers that authors typed: asked by `diglot check numbers`, and by no page."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import msgspec

from diglot.content.bindings import Binding
from diglot.content.front_matter import lines_of_keys
from diglot.content.records import FrontMatter
from diglot.diagnostics import Diagnostic, DiagnosticError
from diglot.engine import FILE, BlobReference, Packs
from diglot.figure_request import FigureRequest
from diglot.render.values import Values
from diglot.rules.agreement import is_hidden
from diglot.rules.earlier_numbers import Earlier, earlier_in, path_of
from diglot.rules.figures import compute_figure
from diglot.rules.front_matters import read_front_matter
from diglot.rules.halves import cut_references, read_document
from diglot.rules.ids import HalfId
from diglot.rules.parsed_halves import tree_of
from diglot.rules.reading import read_text
from diglot.rules.references import quoted_by
from diglot.rules.sources import find_halves, find_post
from diglot.rules.tasks import Fetch, in_worker, task

if TYPE_CHECKING:
    from diglot.content.computed_numbers import Numbers
    from diglot.content.typed_numbers import Half


class TypedNumbers(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be done about the typed numbers of an article."""

    bindings: tuple[Binding, ...] = ()
    """What to write for those that a figure computes."""
    unexplained_beside: tuple[str, ...] = ()
    """The figures of halves with numbers that no figure computes or computed, as texts of requests."""


@task("typed-numbers")
async def find_typed_numbers(fetch: Fetch, article: str) -> TypedNumbers:
    """Reports the numbers of an article that are neither bound nor cited nor free.

    What figures computed before is an input,
    too, which a build writes when it has computed them: so two runs settle what is said of a change.
    """
    post = await find_halves(fetch, article)
    if await is_hidden(fetch, post):
        return TypedNumbers()
    halves = [await _find_in_half(fetch, HalfId(article, language)) for language in post.languages]
    beside = dict.fromkeys(text for half in halves for text in half.unexplained_beside)
    return TypedNumbers(
        bindings=tuple(binding for half in halves for binding in half.bindings),
        unexplained_beside=tuple(beside),
    )


async def _find_in_half(fetch: Fetch, half: HalfId) -> TypedNumbers:
    references = await fetch(cut_references, half)
    body = await fetch.blob(read_document, half)
    front = await fetch(read_front_matter, half)
    quoted = (*references.embedded, *references.quoted, *quoted_by(front))
    texts = [*dict.fromkeys(text for text, _line in quoted)]
    requests = [*map(FigureRequest.parse, texts)]
    computed = await fetch.all(compute_figure, requests)
    data = {text: figure.data for text, figure in zip(texts, computed, strict=True)}
    kept = [str(path_of(fetch.context.cache, one.figure_id)) for one in requests]
    contents = await fetch.all(FILE, kept)
    earlier = tuple(
        number
        for request, content in zip(requests, contents, strict=True)
        for number in earlier_in(content, request)
    )
    path = (await fetch(find_post, half.article)).path(half.language)
    lines = lines_of_keys(await read_text(fetch, path), path)
    found, bindings = await in_worker(fetch, _find, body, (front, lines), data, earlier)
    fetch.report(*found)
    unexplained = any(one.rule in ("number-unbound", "number-differs") for one in found)
    return TypedNumbers(bindings=bindings, unexplained_beside=tuple(texts) if unexplained else ())


def _find(
    packs: Packs,
    body: BlobReference,
    front: tuple[FrontMatter, Mapping[str, int]],
    data: Mapping[str, bytes],
    earlier: Earlier,
) -> tuple[tuple[Diagnostic, ...], tuple[Binding, ...]]:
    from diglot.content.typed_numbers import Half, find_bindings  # noqa: PLC0415  (only checks need it: its patterns take 25 ms)

    half = Half(tree_of(packs, body), *front)
    return tuple(report_numbers(half, data, earlier)), tuple(find_bindings(half, numbers_in(data)))


def report_numbers(half: "Half", data: Mapping[str, bytes], earlier: Earlier = ()) -> Iterator[Diagnostic]:
    """What is wrong with the numbers of a half; `data` is that of its figures, by the text of the request."""
    from diglot.content.computed_numbers import KnownNumbers  # noqa: PLC0415  (only checks need it)
    from diglot.content.sums import report_wrong_sums  # noqa: PLC0415  (only checks need it: its patterns take 25 ms)
    from diglot.content.typed_numbers import report_typed_numbers  # noqa: PLC0415  (only checks need it)
    from diglot.content.value_units import report_odd_units  # noqa: PLC0415  (only checks need it)

    values = Values(half.tree.language, data)

    def shown(target: str) -> str | None:
        try:
            return values.text(target, path=half.tree.path, line=1)
        except DiagnosticError:
            return None  # a build reports it

    yield from report_typed_numbers(half, KnownNumbers(numbers_in(data), earlier))
    yield from report_wrong_sums(half, shown)
    yield from report_odd_units(half)


def numbers_in(data: Mapping[str, bytes]) -> "Numbers":
    """Paths and values of all numbers that figures compute."""
    from diglot.expressions.numbers_of import numbers_of  # noqa: PLC0415  (only checks need it)

    return [
        one
        for text, content in data.items()
        for one in numbers_of(FigureRequest.parse(text).expression, content)
    ]
