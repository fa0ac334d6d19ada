"""Numbers that authors typed: asked by `diglot check numbers`, and by no page."""

from collections.abc import Mapping

from diglot.content.bindings import Binding
from diglot.content.records import FrontMatter
from diglot.diagnostics import Diagnostic
from diglot.engine import BlobReference, Packs
from diglot.figure_request import FigureRequest
from diglot.rules.agreement import is_hidden
from diglot.rules.figures import compute_figure
from diglot.rules.halves import body_of, cut_references, read_document, read_front_matter
from diglot.rules.ids import HalfId
from diglot.rules.sources import find_halves
from diglot.rules.tasks import Fetch, task


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
    texts = dict.fromkeys(text for text, _line in (*references.embedded, *references.quoted))
    requests = [*map(FigureRequest.parse, texts)]
    computed = await fetch.all(compute_figure, requests)
    data = {_as_called(one): figure.data for one, figure in zip(requests, computed, strict=True)}
    call = fetch.context.pool.call(_find, fetch.context.packs, body, front, data)
    found, bindings = await fetch.wait(call)
    fetch.report(*found)
    return tuple(bindings)


def _as_called(request: FigureRequest) -> str:
    """A figure as expressions name it: `roofline(dtype="fp8")`."""
    given = ", ".join(f'{name}="{value}"' for name, value in request.parameters)
    return f"{request.figure_id}({given})" if given else request.figure_id


def _find(
    packs: Packs, body: BlobReference, front: FrontMatter, data: Mapping[str, bytes]
) -> tuple[tuple[Diagnostic, ...], tuple[Binding, ...]]:
    from diglot.content.typed_numbers import Half, find_bindings, report_typed_numbers  # noqa: PLC0415  (only checks need it: its patterns take 25 ms)
    from diglot.expressions.numbers_of import numbers_of  # noqa: PLC0415  (as above)

    half = Half(body_of(packs, body), front)
    numbers = [one for name, content in data.items() for one in numbers_of(name, content)]
    return report_typed_numbers(half, numbers), tuple(find_bindings(half, numbers))
