"""The list of all talks, and the talks about an article."""

import posixpath
from collections.abc import Mapping
from contextlib import suppress

from diglot.digests import ABSENT
from diglot.engine import FILE, BlobReference, UpstreamFailed
from diglot.languages import Language
from diglot.render.materials import LinkedArticle, ListedTalk
from diglot.render.talk_lists import talks_page
from diglot.rules.page_contexts import render
from diglot.rules.sources import find_post, find_posts, kind_of
from diglot.rules.summaries import find_addresses, map_articles, summarise
from diglot.rules.tasks import Fetch, task
from diglot.site_map import talk_file_path
from diglot.which_pages import talk_languages

_FORMATS = (("PDF", "pdf"), ("PowerPoint", "pptx"))


@task("talk-files")
async def find_talk_files(fetch: Fetch, name: str) -> Mapping[Language, tuple[tuple[str, str, str], ...]]:
    """The PDF and PowerPoint files that its author has put next to a talk: `roofline.zh.pdf`.

    For each language the name of the format, the published path, and the path in the project.
    """
    post, paths = await fetch(find_post, name), (await fetch(find_addresses, name)).paths
    found: dict[Language, tuple[tuple[str, str, str], ...]] = {}
    for language, address in paths.items():
        folder = posixpath.dirname(post.path(language))
        files = [
            (word, path, f"{folder}/{posixpath.basename(path)}")
            for word, ending in _FORMATS
            for path in (talk_file_path(address, name, language, ending),)
        ]
        found[language] = tuple([one for one in files if await fetch.digest(FILE, one[2]) != ABSENT])
    return found


@task("talk-article")
async def find_article_of_talk(fetch: Fetch, name: str) -> LinkedArticle:
    """The article that a talk is about; without addresses if there is none, or this build leaves it out."""
    article = (await fetch(summarise, name)).article
    return await _linked(fetch, article) if article else LinkedArticle(paths={}, titles={})


@task("talk-entry")
async def list_talk(fetch: Fetch, name: str) -> ListedTalk:
    """What the list of talks shows of one."""
    summary = await fetch(summarise, name)
    address = await fetch(find_addresses, name)
    files = await fetch(find_talk_files, name)
    return ListedTalk(
        halves=summary.halves,
        date=summary.date,
        draft=summary.draft,
        expired=address.expired,
        paths=address.paths,
        files={
            language: (
                ("HTML", talk_file_path(address.paths[language], name, language)),
                *((word, path) for word, path, _ in found),
            )
            for language, found in files.items()
        },
        article=await fetch(find_article_of_talk, name),
    )


@task("talks-page", bytes)
async def make_talks_page(fetch: Fetch, language: Language) -> BlobReference:
    """The list of talks of a language."""
    site_map = await fetch(map_articles)
    names = [talk.name for talk in site_map.talks if language in talk.languages]
    talks = tuple(await fetch.all(list_talk, names))
    return await render(fetch, ["talks.html"], talks_page, talks, language, talk_languages(site_map))


@task("has-talks")
async def has_talks(fetch: Fetch, _name: None) -> bool:
    """Whether the site has talks, so that articles of other sites ask for nothing else."""
    return any(kind_of(name) == "talk" for name in (await fetch(find_posts)).names)


@task("talks-about")
async def find_talks_about(fetch: Fetch, name: str) -> tuple[LinkedArticle, ...]:
    """The talks about an article that this build shows, by name, without those that have mistakes."""
    found = []
    for talk in (await fetch(find_posts)).names:
        if kind_of(talk) == "talk":
            with suppress(UpstreamFailed):
                if (await fetch(summarise, talk)).article == name:
                    found.append(await _linked(fetch, talk))
    return tuple(one for one in found if one.paths)


async def _linked(fetch: Fetch, name: str) -> LinkedArticle:
    paths = (await fetch(find_addresses, name)).paths
    summary = await fetch(summarise, name)
    titles = {one: half.title for one in paths if (half := summary.shown(one)) is not None}
    return LinkedArticle(paths=paths, titles=titles)
