"""Feeds as tasks: each depends on the articles that it holds and on no others."""

import msgspec

from diglot.engine import BlobReference, Packs
from diglot.languages import Language
from diglot.processes import Shared
from diglot.project import Project
from diglot.render.feed_entries import feed_entry
from diglot.render.feeds import FeedEntry, articles_of_feed, atom_feed, json_feed
from diglot.rules.ids import FeedId, HalfId, TopicId
from diglot.rules.page_contexts import compiled, encoded, gather_page_context
from diglot.rules.pages import PageSources, article_from, gather_sources
from diglot.rules.projects import read_project
from diglot.rules.summaries import map_articles
from diglot.rules.tasks import Fetch, task
from diglot.site_map import Summary


class FeedArticles(msgspec.Struct, frozen=True, kw_only=True):
    """The articles in a feed, newest first."""

    articles: tuple[Summary, ...]


@task("feed-articles")
async def list_feed_articles(fetch: Fetch, name: TopicId) -> FeedArticles:
    """The articles in a feed: a slice of the site map, so that other articles do not make the feed again."""
    site_map = await fetch(map_articles)
    return FeedArticles(articles=articles_of_feed(await fetch(read_project), site_map, name.topic))


@task("feed-entry", bytes)
async def make_feed_entry(fetch: Fetch, half: HalfId) -> BlobReference:
    """The text of a half for feeds."""
    sources = await gather_sources(fetch, half, "single", half.language)
    page_context = await gather_page_context(fetch)  # texts of the theme; no template
    context = fetch.context
    call = context.pool.call(_render_entry, context.packs, page_context, sources, half.language)
    blob: BlobReference = await fetch.wait(call)
    return blob


@task("feed", bytes)
async def make_feed(fetch: Fetch, name: FeedId) -> BlobReference:
    """A feed of a language, of a tag or of a category."""
    project = await fetch(read_project)
    articles = (await fetch(list_feed_articles, TopicId(name.topic))).articles
    texts: list[BlobReference] = []
    if project.feed_text == "full":
        halves = [HalfId(one.name, name.topic.language) for one in articles]
        await fetch.digests(map(make_feed_entry.key, halves))  # in parallel
        texts = [await fetch.blob(make_feed_entry, half) for half in halves]
    context = fetch.context
    call = context.pool.call(_render_feed, context.packs, project, name, articles, texts)
    blob: BlobReference = await fetch.wait(call)
    return blob


def _render_entry(
    packs: Packs, context_sources: Shared, sources: PageSources, language: Language
) -> BlobReference:
    page_context = compiled(context_sources)
    article = article_from(packs, page_context, sources, language)
    return packs.add(encoded(feed_entry(page_context.theme, page_context.project, article, language)))


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
