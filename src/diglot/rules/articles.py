"""The two halves of an article: checks that both exist, and aligns their blocks."""

from msgspec import msgpack
from msgspec.structs import replace

from diglot.content.pairs import compare_halves, pair_documents
from diglot.content.records import Alignment, FrontMatter
from diglot.diagnostics import Diagnostic, DiagnosticError, Location
from diglot.engine import BlobReference, Encoded, Packs, UpstreamFailed
from diglot.languages import Language, twin_of
from diglot.rules.front_matters import read_front_matter
from diglot.rules.halves import read_document
from diglot.rules.ids import HalfId
from diglot.rules.options import SELECTION
from diglot.rules.parsed_halves import body_of
from diglot.rules.sources import PostFiles, find_halves, find_posts
from diglot.rules.tasks import Fetch, in_worker, task


@task("alignment", Alignment)
async def align_article(fetch: Fetch, article: str) -> Encoded:
    """The alignment of an article. Warns where the halves differ in what should be the same."""
    post = await find_halves(fetch, article)
    documents: dict[Language, BlobReference] = {
        language: await fetch.blob(read_document, HalfId(article, language)) for language in post.languages
    }
    await check_twin(fetch, post)
    encoded, warnings = await in_worker(fetch, _align, documents.get("zh"), documents.get("en"))
    fetch.report(*warnings)
    return Encoded(encoded)


def _align(
    packs: Packs, zh: BlobReference | None, en: BlobReference | None
) -> tuple[bytes, tuple[Diagnostic, ...]]:
    left, right = (None if half is None else body_of(packs, half) for half in (zh, en))
    alignment = pair_documents(left, right)
    warnings = () if left is None or right is None else compare_halves(left, right, alignment)
    return msgpack.encode(alignment), warnings


async def check_twin(fetch: Fetch, post: PostFiles) -> None:
    """Raise DiagnosticError if a half is missing without `only:`, or exists despite it.

    A draft may lack one: a build that shows it warns of that.
    """
    fronts: dict[Language, FrontMatter] = {
        language: await fetch(read_front_matter, HalfId(post.name, language)) for language in post.languages
    }
    mistakes = []
    for language, front in fronts.items():
        path = post.path(language)
        twin = twin_of(language)
        if twin not in fronts and front.only != language:
            if post.twin_refused:
                raise UpstreamFailed(find_posts.key(None))  # the mistake in its name is reported
            if front.draft and not (await fetch(SELECTION)).drafts:
                continue
            missing = Diagnostic(
                rule="pair-missing",
                message=f"the {twin} half of this article is missing",
                location=Location(path=path, line=1),
                fix=f"write {post.missing}, {_ways_out(post, language)}.",
            )
            if front.draft:
                what = f"the {twin} half of this draft is missing"
                missing = replace(missing, rule="draft-half-missing", message=what, severity="warning")
            mistakes.append(missing)
        if twin in fronts and front.only is not None:
            mistakes.append(
                Diagnostic(
                    rule="pair-only",
                    message=f"the front matter says `only: {front.only}`, but {post.half(twin)} exists",
                    location=Location(path=path, line=1),
                    fix="delete the line or the other file.",
                )
            )
    errors = [mistake for mistake in mistakes if mistake.severity == "error"]
    if errors:
        raise DiagnosticError(*errors)
    fetch.report(*mistakes)


def _ways_out(post: PostFiles, language: Language) -> str:
    """What else to do about a missing half."""
    ways = f"or add `only: {language}` to the front matter"
    if post.joined_by is not None:
        ways = f"give it `translation_key: {post.joined_by}` if it has another name, {ways}"
    if post.codes.get(language) == "":
        ways += f"; without a language in its name, this file is the {language} half"
    return ways
