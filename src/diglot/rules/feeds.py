"""Feeds as tasks: each depends on the articles that it holds and on no others."""

from diglot.engine import BlobReference, Packs
from diglot.project import Project
from diglot.render.feed_entries import feed_entry
from diglot.render.feeds import FeedEntry, articles_of_feed, atom_feed, json_feed
from diglot.rules.ids import FeedId, HalfId, TopicId
from diglot.rules.page_contexts import gather_page_context
from diglot.rules.pages import gather_sources, render_article
from diglot.rules.projects import read_project, read_site_settings
from diglot.rules.summaries import map_articles
from diglot.rules.tasks import Fetch, in_worker, task
from diglot.site_map import Summary


@task("feed-articles")
async def list_feed_articles(fetch: Fetch, name: TopicId) -> tuple[Summary, ...]:
    """The articles in a feed, newest first: a slice of the site map, so that others do not make it again."""
    site_map = await fetch(map_articles)
    return articles_of_feed(await fetch(read_site_settings), site_map, name.topic)


@task("feed-entry", bytes)
async def make_feed_entry(fetch: Fetch, half: HalfId) -> BlobReference:
    """The text of a half for feeds."""
    sources = await gather_sources(fetch, half, "single", half.language)
    page_context = await gather_page_context(fetch)  # texts of the theme; no template
    return await in_worker(fetch, render_article, page_context, sources, half.language, feed_entry)


@task("feed", bytes)
async def make_feed(fetch: Fetch, name: FeedId) -> BlobReference:
    """A feed of a language, of a tag or of a category."""
    project = await fetch(read_project)
    articles = await fetch(list_feed_articles, TopicId(name.topic))
    texts: list[BlobReference] = []
    if project.feed_text == "full":
        halves = [HalfId(one.name, name.topic.language) for one in articles]
        await fetch.digests(map(make_feed_entry.key, halves))  # in parallel
        texts = [await fetch.blob(make_feed_entry, half) for half in halves]
    return await in_worker(fetch, _render_feed, project, name, articles, texts)


def _render_feed(
    packs: Packs,
    project: Project,
    name: FeedId,
    articles: tuple[Summary, ...],
    texts: list[BlobReference],
) -> BlobReference:
    entries = tuple(
        FeedEntry(article=article, html=packs.read(texts[at]).decode() if texts else "")
        for at, article in enumerate(articles)
    )
    write = atom_feed if name.format == "xml" else json_feed
    return packs.add(write(project, name.topic, entries).encode())
