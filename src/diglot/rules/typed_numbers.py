"""Numbers that authors typed: asked by `diglot check numbers`, and by no page."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from diglot.content.bindings import Binding
from diglot.content.records import FrontMatter
from diglot.diagnostics import Diagnostic, DiagnosticError
from diglot.engine import BlobReference, Packs
from diglot.figure_request import FigureRequest
from diglot.render.values import Values
from diglot.rules.agreement import is_hidden
from diglot.rules.figures import compute_figure
from diglot.rules.halves import body_of, cut_references, read_document, read_front_matter
from diglot.rules.ids import HalfId
from diglot.rules.references import quoted_by
from diglot.rules.sources import find_halves
from diglot.rules.tasks import Fetch, in_worker, task

if TYPE_CHECKING:
    from diglot.content.computed_numbers import Numbers
    from diglot.content.typed_numbers import Half


@task("typed-numbers")
async def find_typed_numbers(fetch: Fetch, article: str) -> tuple[Binding, ...]:
    """Reports the numbers of an article that are neither bound nor cited nor free.

    The value is what to write for those that a figure computes.
    """
    post = await find_halves(fetch, article)
    if await is_hidden(fetch, post):
        return ()
    found: list[Binding] = []
    for language in post.languages:
        found += await _find_in_half(fetch, HalfId(article, language))
    return tuple(found)


async def _find_in_half(fetch: Fetch, half: HalfId) -> tuple[Binding, ...]:
    references = await fetch(cut_references, half)
    body = await fetch.blob(read_document, half)
    front = await fetch(read_front_matter, half)
    quoted = (*references.embedded, *references.quoted, *quoted_by(front))
    texts = [*dict.fromkeys(text for text, _line in quoted)]
    computed = await fetch.all(compute_figure, [*map(FigureRequest.parse, texts)])
    data = {text: figure.data for text, figure in zip(texts, computed, strict=True)}
    found, bindings = await in_worker(fetch, _find, body, front, data)
    fetch.report(*found)
    return tuple(bindings)


def _find(
    packs: Packs, body: BlobReference, front: FrontMatter, data: Mapping[str, bytes]
) -> tuple[tuple[Diagnostic, ...], tuple[Binding, ...]]:
    from diglot.content.typed_numbers import Half, find_bindings  # noqa: PLC0415  (only checks need it: its patterns take 25 ms)

    half = Half(body_of(packs, body), front)
    return tuple(report_numbers(half, data)), tuple(find_bindings(half, numbers_in(data)))


def report_numbers(half: "Half", data: Mapping[str, bytes]) -> Iterator[Diagnostic]:
    """What is wrong with the numbers of a half; `data` is that of its figures, by the text of the request."""
    from diglot.content.sums import report_wrong_sums  # noqa: PLC0415  (only checks need it: its patterns take 25 ms)
    from diglot.content.typed_numbers import report_typed_numbers  # noqa: PLC0415  (only checks need it)
    from diglot.content.value_units import report_odd_units  # noqa: PLC0415  (only checks need it)

    values = Values(half.document.language, data)

    def shown(target: str) -> str | None:
        try:
            return values.text(target, path=half.document.path, line=1)
        except DiagnosticError:
            return None  # a build reports it

    yield from report_typed_numbers(half, numbers_in(data))
    yield from report_wrong_sums(half, shown)
    yield from report_odd_units(half)


def numbers_in(data: Mapping[str, bytes]) -> "Numbers":
    """Paths and values of all numbers that figures compute."""
    from diglot.expressions.numbers_of import numbers_of  # noqa: PLC0415  (only checks need it)

    return [
        one
        for text, content in data.items()
        for one in numbers_of(_as_called(FigureRequest.parse(text)), content)
    ]


def _as_called(request: FigureRequest) -> str:
    """A figure as expressions name it: `roofline(dtype="fp8")`."""
    given = ", ".join(f'{name}="{value}"' for name, value in request.parameters)
    return f"{request.figure_id}({given})" if given else request.figure_id
