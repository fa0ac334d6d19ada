"""Whether the halves of an article say the same: asked by `diglot check`, and by no page."""

from msgspec import msgpack

from diglot.content.records import Alignment, FrontMatter
from diglot.diagnostics import Diagnostic, Location
from diglot.engine import BlobReference, Packs
from diglot.languages import LANGUAGES
from diglot.rules.articles import align_article
from diglot.rules.halves import body_of, read_document, read_front_matter
from diglot.rules.ids import HalfId
from diglot.rules.options import SELECTION
from diglot.rules.sources import PostFiles, find_halves
from diglot.rules.tasks import Fetch, task


@task("agreement")
async def compare_article(fetch: Fetch, article: str) -> int:
    """How many differences there are between the halves of an article, each reported as a warning."""
    post = await find_halves(fetch, article)
    if set(post.languages) != set(LANGUAGES) or await is_hidden(fetch, post):
        return 0
    zh, en = HalfId(article, "zh"), HalfId(article, "en")
    bodies = await fetch.blob(read_document, zh), await fetch.blob(read_document, en)
    fronts = await fetch(read_front_matter, zh), await fetch(read_front_matter, en)
    alignment = await fetch.encoded(align_article, article)
    beginning = Location(path=post.path("zh"), line=1)
    call = fetch.context.pool.call(_compare, fetch.context.packs, bodies, fronts, alignment, beginning)
    found = await fetch.wait(call)
    fetch.report(*found)
    return len(found)


async def is_hidden(fetch: Fetch, post: PostFiles) -> bool:
    """Whether an article is a draft in a build that shows none."""
    if (await fetch(SELECTION)).drafts:
        return False
    halves = [HalfId(post.name, language) for language in post.languages]
    return any(front.draft for front in await fetch.all(read_front_matter, halves))


def _compare(
    packs: Packs,
    bodies: tuple[BlobReference, BlobReference],
    fronts: tuple[FrontMatter, FrontMatter],
    alignment: bytes,
    beginning: Location,
) -> tuple[Diagnostic, ...]:
    from diglot.content.agreement import compare_contents, compare_front_matter  # noqa: PLC0415  (only checks need it: its patterns take 25 ms)

    zh, en = (body_of(packs, body) for body in bodies)
    in_front = (
        Diagnostic(
            rule=one.rule,
            message=f"in the front matter, {one.message}",
            severity="warning",
            location=beginning,
            fix=one.fix,
        )
        for one in compare_front_matter(*fronts)
    )
    return (*compare_contents(zh, en, msgpack.decode(alignment, type=Alignment)), *in_front)
