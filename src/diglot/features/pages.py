"""Pages of a site that are not an article's: home pages, lists, the archive, terms, and unknown addresses."""

from collections.abc import Mapping

from diglot.engine import Key
from diglot.listings import ListTopic, page_counts
from diglot.render.small_pages import NOT_FOUND_PATH, not_found_path
from diglot.rules.features import SITE_WIDE, Feature, Output
from diglot.rules.ids import ListId, TermListId
from diglot.rules.pages import (
    make_archive_page,
    make_home_page,
    make_landing_page,
    make_list_page,
    make_not_found_page,
    make_terms_page,
)
from diglot.rules.projects import read_site_settings
from diglot.rules.summaries import map_articles
from diglot.rules.tasks import Fetch
from diglot.site_map import (
    TAXONOMIES,
    SiteMap,
    archive_path,
    home_path,
    list_path,
    output_path,
    terms_in,
    terms_path,
)
from diglot.which_pages import archive_languages, page_languages, terms_languages


async def _find_pages(fetch: Fetch, _site: None) -> Mapping[str, Key]:
    site_map, size = await fetch(map_articles), (await fetch(read_site_settings)).list_entries
    found = {output_path(""): make_landing_page.key(None), NOT_FOUND_PATH: make_not_found_page.key("")}
    for language in page_languages(site_map):
        found[output_path(home_path(language))] = make_home_page.key(language)
        found[not_found_path(language)] = make_not_found_page.key(language)
        found |= _list_pages(site_map, ListTopic(language=language), 2, size)
    for language in archive_languages(site_map):
        found[output_path(archive_path(language))] = make_archive_page.key(language)
    for language, year in site_map.by_year:
        found |= _list_pages(site_map, ListTopic(language=language, year=year), 1, size)
    for taxonomy in TAXONOMIES:
        for language in terms_languages(site_map, taxonomy):
            page = make_terms_page.key(TermListId(taxonomy, language))
            found[output_path(terms_path(language, taxonomy))] = page
        for language in page_languages(site_map):
            for term, _count in terms_in(site_map, language, taxonomy):
                topic = ListTopic(language=language, taxonomy=taxonomy, term=term)
                found |= _list_pages(site_map, topic, 1, size)
    return found


def _list_pages(site_map: SiteMap, topic: ListTopic, begin: int, size: int) -> Mapping[str, Key]:
    """The pages of a list, from one on."""
    last = page_counts(site_map, topic, size).get(topic.language, 0)
    return {
        output_path(list_path(topic.page, number)): make_list_page.key(ListId(topic, number))
        for number in range(begin, last + 1)
    }


feature = Feature(
    "pages",
    outputs=(
        Output(
            SITE_WIDE,
            files=_find_pages,
            makes=(
                *(make_landing_page, make_home_page, make_not_found_page),
                *(make_list_page, make_archive_page, make_terms_page),
            ),
        ),
    ),
)
