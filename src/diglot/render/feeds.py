"""Atom feeds (RFC 4287), one for each language."""

import datetime
from itertools import islice
from xml.etree import ElementTree as ET

from diglot.invariants import certain
from diglot.languages import HTML_LANG, Language
from diglot.project import Project
from diglot.render.lists import label_of
from diglot.render.page_parts import addresses_of
from diglot.render.xml import xml_document
from diglot.site_map import SiteMap, Summary, articles_in, feed_path, home_path

_NEVER = datetime.date(1970, 1, 1)  # even an empty feed must have a date of change


def atom_feed(project: Project, site_map: SiteMap, language: Language) -> str:
    """The feed of a language: its latest articles with descriptions, at most `feed_entries` of them."""
    addresses = addresses_of(project)
    own = (article for article in articles_in(site_map, language) if article.half(language))
    articles = tuple(islice(own, project.feed_entries))
    here, home = addresses.whole(feed_path(language)), addresses.whole(home_path(language))
    feed = ET.Element("feed", {"xmlns": "http://www.w3.org/2005/Atom", "xml:lang": HTML_LANG[language]})
    _text(feed, "title", project.title.of(language))
    if description := project.description.of(language):
        _text(feed, "subtitle", description)
    _text(feed, "id", here)
    _text(feed, "updated", _instant(max(map(_changed, articles), default=_NEVER)))
    ET.SubElement(feed, "link", {"rel": "self", "type": "application/atom+xml", "href": here})
    ET.SubElement(feed, "link", _alternate(home, language))
    for person in project.authors:
        author = ET.SubElement(feed, "author")
        _text(author, "name", person.name.of(language))
        if person.url:
            _text(author, "uri", person.url)
    if not project.authors:  # RFC 4287 requires an author
        _text(ET.SubElement(feed, "author"), "name", project.title.of(language))
    if project.licence:
        _text(feed, "rights", project.licence.of(language))
    for article in articles:
        _entry(feed, project, article, language)
    return xml_document(feed, f"the {language} feed")


def _entry(feed: ET.Element, project: Project, article: Summary, language: Language) -> None:
    half = certain(article.half(language), "a feed lists the articles that have its language")
    address = addresses_of(project).whole(article.path(language))
    entry = ET.SubElement(feed, "entry")
    _text(entry, "title", half.title)
    _text(entry, "id", address)
    _text(entry, "published", _instant(article.date))
    _text(entry, "updated", _instant(_changed(article)))
    ET.SubElement(entry, "link", _alternate(address, language))
    for tag in article.tags:
        ET.SubElement(entry, "category", {"term": tag, "label": label_of(project.tags, tag, language)})
    if half.description:
        _text(entry, "summary", half.description)


def _changed(article: Summary) -> datetime.date:
    return article.updated or article.date


def _instant(date: datetime.date) -> str:
    return f"{date.isoformat()}T00:00:00Z"


def _alternate(address: str, language: Language) -> dict[str, str]:
    return {"rel": "alternate", "type": "text/html", "hreflang": HTML_LANG[language], "href": address}


def _text(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(parent, name).text = text
