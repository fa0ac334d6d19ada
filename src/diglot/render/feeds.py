"""Feeds of a language, or of one of its tags: Atom (RFC 4287) and JSON Feed 1.1."""

import datetime
import json
from itertools import islice
from typing import Any
from xml.etree import ElementTree as ET

import msgspec

from diglot.invariants import certain
from diglot.languages import HTML_LANG, Language
from diglot.project import Person, Project
from diglot.render.page_parts import FEED_TYPES, addresses_of
from diglot.render.terms import authors_of_post, feed_title, label_of
from diglot.render.xml import check_markup, xml_document
from diglot.site_map import FeedTopic, SiteMap, Summary, articles_in, articles_under, feed_path
from diglot.time_zones import start_of_day

_NEVER = datetime.date(1970, 1, 1)  # even an empty feed must have a date of change


class FeedEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An article in a feed."""

    article: Summary
    html: str = ""
    """Its text; empty in a feed of descriptions."""


def articles_of_feed(project: Project, site_map: SiteMap, topic: FeedTopic) -> tuple[Summary, ...]:
    """The latest articles that are written in the feed's language, at most `feed_entries` of them."""
    language = topic.language
    if topic.taxonomy is None:
        found = articles_in(site_map, language)
    else:
        found = articles_under(site_map, language, topic.taxonomy, topic.term)
    return tuple(islice((one for one in found if one.half(language)), project.feed_entries))


def atom_feed(project: Project, topic: FeedTopic, entries: tuple[FeedEntry, ...]) -> str:
    """The Atom feed."""
    addresses, language = addresses_of(project), topic.language
    here = addresses.whole(feed_path(topic.page))
    feed = ET.Element("feed", {"xmlns": "http://www.w3.org/2005/Atom", "xml:lang": HTML_LANG[language]})
    _text(feed, "title", feed_title(project, topic))
    if description := project.description.of(language):
        _text(feed, "subtitle", description)
    _text(feed, "id", here)
    _text(
        feed,
        "updated",
        start_of_day(
            max((one.article.changed_in(language) for one in entries), default=_NEVER), project.timezone
        ),
    )
    ET.SubElement(feed, "link", {"rel": "self", "type": FEED_TYPES["xml"], "href": here})
    ET.SubElement(feed, "link", _alternate(addresses.whole(topic.page), language))
    _authors(feed, project.authors, language)
    if not project.authors:  # RFC 4287 requires an author
        _text(ET.SubElement(feed, "author"), "name", project.title.of(language))
    if project.licence:
        _text(feed, "rights", project.licence.of(language))
    for entry in entries:
        _entry(feed, project, entry, language)
    return xml_document(feed, f"the feed {feed_path(topic.page)}")


def _entry(feed: ET.Element, project: Project, shown: FeedEntry, language: Language) -> None:
    article = shown.article
    half = certain(article.half(language), "a feed lists the articles that have its language")
    address = addresses_of(project).whole(article.path(language))
    entry = ET.SubElement(feed, "entry")
    _text(entry, "title", half.title)
    _text(entry, "id", address)
    _text(entry, "published", start_of_day(article.date, project.timezone))
    _text(entry, "updated", start_of_day(article.changed_in(language), project.timezone))
    ET.SubElement(entry, "link", _alternate(address, language))
    _authors(entry, authors_of_post(project, article.authors, language), language)
    for tag in article.tags:
        ET.SubElement(entry, "category", {"term": tag, "label": label_of(project.tags, tag, language)})
    if half.description:
        _text(entry, "summary", half.description)
    if shown.html:
        content = ET.SubElement(entry, "content", {"type": "html"})
        content.text = shown.html


def json_feed(project: Project, topic: FeedTopic, entries: tuple[FeedEntry, ...]) -> str:
    """The JSON Feed."""
    addresses, language = addresses_of(project), topic.language
    feed: dict[str, Any] = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": feed_title(project, topic),
        "home_page_url": addresses.whole(topic.page),
        "feed_url": addresses.whole(feed_path(topic.page, "json")),
        "description": project.description.of(language),
        "language": HTML_LANG[language],
        "authors": _json_authors(project.authors, language),
        "items": [_item(project, one, language) for one in entries],
    }
    text = json.dumps(_stated(feed), ensure_ascii=False, separators=(",", ":"))
    check_markup(text, f"the feed {feed_path(topic.page, 'json')}")
    return text


def _item(project: Project, shown: FeedEntry, language: Language) -> dict[str, Any]:
    article = shown.article
    half = certain(article.half(language), "a feed lists the articles that have its language")
    address = addresses_of(project).whole(article.path(language))
    item = {
        "id": address,
        "url": address,
        "title": half.title,
        "summary": half.description,
        "content_html": shown.html,
        "date_published": start_of_day(article.date, project.timezone),
        "date_modified": start_of_day(article.changed_in(language), project.timezone),
        "authors": _json_authors(authors_of_post(project, article.authors, language), language),
        "tags": [label_of(project.tags, tag, language) for tag in article.tags],
        "language": HTML_LANG[language],
    }
    if not shown.html:  # an item must have a content
        item["content_text"] = half.description or half.title
    return _stated(item)


def _stated(record: dict[str, Any]) -> dict[str, Any]:
    """Without what is not known; items stay even if there are none."""
    return {key: value for key, value in record.items() if value or key == "items"}


def _json_authors(people: tuple[Person, ...], language: Language) -> list[dict[str, str]]:
    return [{"name": one.name.of(language), **({"url": one.url} if one.url else {})} for one in people]


def _authors(parent: ET.Element, people: tuple[Person, ...], language: Language) -> None:
    for person in people:
        author = ET.SubElement(parent, "author")
        _text(author, "name", person.name.of(language))
        if person.url:
            _text(author, "uri", person.url)


def _alternate(address: str, language: Language) -> dict[str, str]:
    return {"rel": "alternate", "type": "text/html", "hreflang": HTML_LANG[language], "href": address}


def _text(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(parent, name).text = text
