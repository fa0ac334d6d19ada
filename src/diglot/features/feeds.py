"""Feeds of each language, and of each tag and the like where the site asks for them."""

from collections.abc import Mapping

from diglot.engine import Key
from diglot.rules.features import SITE_WIDE, Feature, Output
from diglot.rules.feeds import make_feed
from diglot.rules.ids import FeedId
from diglot.rules.projects import read_site_settings
from diglot.rules.summaries import map_articles
from diglot.rules.tasks import Fetch
from diglot.site_map import FEED_FORMATS, TAXONOMIES, FeedTopic, feed_path, terms_in
from diglot.which_pages import page_languages


async def _find_feeds(fetch: Fetch, _site: None) -> Mapping[str, Key]:
    site_map = await fetch(map_articles)
    languages = page_languages(site_map)
    topics = [FeedTopic(language=language) for language in languages]
    if (await fetch(read_site_settings)).tag_feeds:
        topics += [
            FeedTopic(language=language, taxonomy=taxonomy, term=term)
            for language in languages
            for taxonomy in TAXONOMIES
            for term, _count in terms_in(site_map, language, taxonomy)
        ]
    return {
        feed_path(topic.page, format_): make_feed.key(FeedId(topic, format_))
        for topic in topics
        for format_ in FEED_FORMATS
    }


feature = Feature("feeds", outputs=(Output(SITE_WIDE, files=_find_feeds, makes=(make_feed,)),))
