"""Talks: the list of them, their pages, each talk as one file, and files that its author adds."""

from collections.abc import Mapping
from contextlib import suppress

from diglot.engine import Key, UpstreamFailed
from diglot.rules.features import ARTICLE, SITE_WIDE, Feature, Output
from diglot.rules.files import copy_file
from diglot.rules.ids import HalfId
from diglot.rules.sources import find_post
from diglot.rules.staleness import find_staleness
from diglot.rules.summaries import map_articles
from diglot.rules.talk_lists import find_talk_files, make_talks_page
from diglot.rules.talks import make_talk_page, make_whole_talk
from diglot.rules.tasks import Fetch
from diglot.site_map import Summary, output_path, talk_file_path, talks_path
from diglot.which_pages import talk_languages


async def _find_lists(fetch: Fetch, _site: None) -> Mapping[str, Key]:
    languages = talk_languages(await fetch(map_articles))
    return {output_path(talks_path(language)): make_talks_page.key(language) for language in languages}


async def _find_pages(_fetch: Fetch, talk: Summary) -> Mapping[str, Key]:
    if talk.kind != "talk":
        return {}
    found = {}
    for language in talk.languages:
        half, path = HalfId(talk.name, language), talk.path(language)
        found[output_path(path)] = make_talk_page.key(half)
        found[talk_file_path(path, talk.name, language)] = make_whole_talk.key(half)
    return found


async def _find_files(fetch: Fetch, talk: Summary) -> Mapping[str, Key]:
    if talk.kind != "talk":
        return {}
    if (await fetch(find_post, talk.name)).sync is not None:  # slides show no notices
        with suppress(UpstreamFailed):
            await fetch.digests([find_staleness.key(talk.name)])
    files = await fetch(find_talk_files, talk.name)
    return {published: copy_file.key(path) for of in files.values() for _format, published, path in of}


def _called(key: Key) -> str:
    article = HalfId.parse(key.name).article
    return f"{article} as one file" if key.kind == make_whole_talk.kind else f"a page of {article}"


feature = Feature(
    "talks",
    outputs=(
        Output(SITE_WIDE, files=_find_lists, makes=(make_talks_page,)),
        Output(ARTICLE, files=_find_pages, makes=(make_talk_page, make_whole_talk), called=_called),
        Output(ARTICLE, files=_find_files, makes=()),
    ),
    pages={"talk": make_talk_page},
)
