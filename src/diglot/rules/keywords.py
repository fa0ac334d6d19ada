"""What articles are about, in few words. A module of its own, so that summaries can have it made ahead."""

from msgspec import msgpack

from diglot.content.keywords import words_in
from diglot.relatedness import Keywords
from diglot.rules.front_matters import read_front_matter
from diglot.rules.halves import read_document
from diglot.rules.ids import HalfId
from diglot.rules.sources import find_post
from diglot.rules.tasks import Fetch, task


@task("keywords", keeps_last_good=True)
async def find_keywords(fetch: Fetch, name: str) -> Keywords:
    """What an article is about, in few words: most edits of its text leave them as they are."""
    post = await fetch(find_post, name)
    words: set[str] = set()
    for half in (HalfId(name, language) for language in post.languages):
        words.update(msgpack.decode(await fetch.part(read_document, half, "keywords"), type=tuple[str, ...]))
        title = (await fetch(read_front_matter, half)).title
        words.update(words_in("".join(part for part in title if isinstance(part, str))))
    return Keywords(words=tuple(sorted(words)))
