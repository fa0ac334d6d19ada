"""The front matter of a half."""

from msgspec import msgpack

from diglot.content.front_matter import parse_with_warnings
from diglot.content.records import FrontMatter, SharedText
from diglot.diagnostics import Diagnostic
from diglot.engine import Encoded
from diglot.languages import Language
from diglot.rules.ids import HalfId
from diglot.rules.reading import read_text, read_text_if_there
from diglot.rules.sources import find_post, kind_of
from diglot.rules.tasks import Fetch, task
from diglot.site_map import ArticleKind


@task("front-matter", FrontMatter)
async def read_front_matter(fetch: Fetch, half: HalfId) -> Encoded:
    """The front matter of a half."""
    post = await fetch(find_post, half.article)
    path = post.path(half.language)
    text = await read_text(fetch, path)
    shared = await read_text_if_there(fetch, post.shared)
    common = None if shared is None else SharedText(path=post.shared, text=shared)
    call = fetch.context.pool.call(
        _parse_front_matter, text, path, half.language, common, kind_of(half.article)
    )
    front, warnings = await fetch.wait(call)
    fetch.report(*warnings)
    return Encoded(front)


def _parse_front_matter(
    text: str, path: str, language: Language, shared: SharedText | None, kind: ArticleKind
) -> tuple[bytes, tuple[Diagnostic, ...]]:
    front, warnings = parse_with_warnings(
        text, path, language, shared, is_page=kind == "page", is_talk=kind == "talk"
    )
    return msgpack.encode(front), warnings
