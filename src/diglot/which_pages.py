"""Which pages a site has, in which languages: the one decision that all ask who make pages or lead to them.

Pages, the toggle, `hreflang`, the map of the site, the navigation, links in texts, feeds and the search would
otherwise each come to their own, and lead to pages that nobody makes. Articles say themselves where they are
(`Summary.shown_in`).
"""

from diglot.languages import LANGUAGES, Language
from diglot.site_map import TALKS, SiteMap, Taxonomy, terms_in


def page_languages(site_map: SiteMap, order: tuple[Language, Language] = LANGUAGES) -> tuple[Language, ...]:
    """The languages that have pages, in an order: those of at least one post or page; both if there is none.

    These have a home page with its feeds, a page for unknown addresses, and the pages of terms, figures and
    chips if the site has such pages.
    """
    used = {language for article in site_map.everything for language in article.shown_in}
    return tuple(language for language in order if language in used) or order


def archive_languages(site_map: SiteMap) -> tuple[Language, ...]:
    """The languages that have a list of years."""
    return tuple(one for one in LANGUAGES if site_map.by_language[one])


def terms_languages(site_map: SiteMap, taxonomy: Taxonomy) -> tuple[Language, ...]:
    """The languages that have a list of all tags, categories, series or authors.

    That of the tags is there even without any, because the usual navigation leads to it.
    """
    return tuple(
        one for one in page_languages(site_map) if taxonomy == "tags" or terms_in(site_map, one, taxonomy)
    )


def talk_languages(site_map: SiteMap) -> tuple[Language, ...]:
    """The languages that have a list of talks: those of talks, unless a page has its address."""
    if TALKS in site_map.by_address:
        return ()
    used = {language for talk in site_map.talks for language in talk.languages}
    return tuple(language for language in LANGUAGES if language in used)


def home_is_root(site_map: SiteMap, first: Language) -> bool:
    """Whether the page `/` repeats the home page of the first language, because that has a text."""
    return site_map.home is not None and site_map.home.half(first) is not None
