"""Files for search engines: `sitemap.xml` with the languages of every page, and `robots.txt`."""

import datetime
from collections.abc import Callable, Iterable
from functools import partial
from xml.etree import ElementTree as ET

from diglot.languages import LANGUAGES, Language
from diglot.project import Project
from diglot.render.page_parts import addresses_of, alternate_views
from diglot.render.xml import xml_document
from diglot.site_map import (
    TAXONOMIES,
    UNDATED,
    SiteMap,
    articles_under,
    chip_path,
    figure_path,
    gallery_path,
    hardware_path,
    home_path,
    page_languages,
    talk_languages,
    talks_path,
    term_path,
    terms_in,
    terms_path,
)

SITEMAP_PATH = "sitemap.xml"
ROBOTS_PATH = "robots.txt"


def sitemap_xml(
    project: Project, site_map: SiteMap, figures: Iterable[str] = (), chips: Iterable[str] = ()
) -> str:
    """All pages to be indexed with their alternates: no drafts, expired articles and side-by-side views.

    `figures` and `chips` are the names in addresses of those that have pages of their own.
    """
    root = ET.Element(
        "urlset",
        {
            "xmlns": "http://www.sitemaps.org/schemas/sitemap/0.9",
            "xmlns:xhtml": "http://www.w3.org/1999/xhtml",
        },
    )
    articles = [article for article in site_map.articles if not article.draft and not article.expired]
    changes = [article.updated or article.date for article in articles]
    latest = max(changes, default=None)
    languages = page_languages(site_map)
    if site_map.home is None or site_map.home.half(project.first) is None:  # else "/" repeats a home page
        ET.SubElement(ET.SubElement(root, "url"), "loc").text = addresses_of(project).whole("")
    _pages(root, project, languages, home_path, latest)
    for article, changed in zip(articles, changes, strict=True):
        _pages(root, project, article.languages, article.path, changed)
    for page in site_map.pages:
        if not page.draft and not page.expired and page is not site_map.home:
            changed_on = page.updated or page.date
            _pages(root, project, page.languages, page.path, None if changed_on == UNDATED else changed_on)
    _pages(root, project, talk_languages(site_map), talks_path, None)
    for taxonomy in TAXONOMIES:
        if any(terms_in(site_map, language, taxonomy) for language in languages):
            _pages(root, project, languages, partial(terms_path, taxonomy=taxonomy), latest)
        for term in sorted({term for article in articles for term in article.terms(taxonomy)}):
            having = tuple(one for one in LANGUAGES if articles_under(site_map, one, taxonomy, term))
            _pages(root, project, having, partial(term_path, taxonomy=taxonomy, term=term), None)
    made: list[Callable[[Language], str]] = [partial(figure_path, figure_id=one) for one in figures]
    made += [gallery_path] if made else []
    of_chips = [partial(chip_path, slug=one) for one in chips]
    made += [hardware_path, *of_chips] if of_chips else []
    for path in made:
        _pages(root, project, languages, path, None)
    return xml_document(root, SITEMAP_PATH)


def robots_txt(project: Project) -> str:
    """Allows everything, and gives the address of the sitemap."""
    return f"User-agent: *\nAllow: /\n\nSitemap: {addresses_of(project).whole(SITEMAP_PATH)}\n"


def _pages(
    root: ET.Element,
    project: Project,
    languages: tuple[Language, ...],
    path: Callable[[Language], str],
    changed: datetime.date | None,
) -> None:
    addresses = addresses_of(project)
    alternates = alternate_views(project, {language: path(language) for language in languages})
    for language in languages:
        url = ET.SubElement(root, "url")
        ET.SubElement(url, "loc").text = addresses.whole(path(language))
        if changed:
            ET.SubElement(url, "lastmod").text = changed.isoformat()
        for alternate in alternates:
            attributes = {"rel": "alternate", "hreflang": alternate.hreflang, "href": alternate.url}
            ET.SubElement(url, "xhtml:link", attributes)
