"""Feeds follow Atom (RFC 4287), sitemaps follow sitemaps.org; both contain whole addresses."""

import datetime
import re
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from diglot.languages import LANGUAGES
from diglot.render.addresses import Addresses
from diglot.render.feeds import FeedEntry, articles_of_feed, atom_feed
from diglot.render.sitemaps import robots_txt, sitemap_xml
from diglot.site_map import FeedTopic, SiteMap
from tests.render.sample import MAIN, OTHER, PROJECT, SITE_MAP

ATOM = {"a": "http://www.w3.org/2005/Atom"}
MAP = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9", "x": "http://www.w3.org/1999/xhtml"}
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
BASE = "https://example.org/blog/"


def feed(language: str = "en", project=PROJECT, site_map=SITE_MAP) -> ET.Element:
    topic = FeedTopic(language=language)
    articles = articles_of_feed(project, site_map, topic)
    return ET.fromstring(atom_feed(project, topic, tuple(FeedEntry(article=one) for one in articles)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_feed_has_what_atom_asks_for(language):
    root = feed(language)
    for element in (root, *root.findall("a:entry", ATOM)):
        for name in ("id", "title", "updated"):
            assert len(element.findall(f"a:{name}", ATOM)) == 1
        assert INSTANT.fullmatch(element.findtext("a:updated", "", ATOM))
        assert element.findtext("a:id", "", ATOM).startswith(BASE)
        assert len(element.findall("a:link[@rel='alternate']", ATOM)) == 1
    assert root.find("a:link[@rel='self']", ATOM).get("href") == f"{BASE}{language}/feed.xml"
    assert root.find("a:author/a:name", ATOM) is not None
    ids = [one.text for one in root.findall("a:entry/a:id", ATOM)]
    assert len(ids) == len(set(ids)) == {"zh": 3, "en": 2}[language]


def test_a_feed_is_in_its_language():
    root = feed("zh")
    assert root.get("{http://www.w3.org/XML/1998/namespace}lang") == "zh-Hans"
    assert root.findtext("a:entry/a:title", "", ATOM) == "屋顶在哪里转弯：206 之后"


def test_a_feed_changes_when_its_newest_article_did():
    assert feed().findtext("a:updated", "", ATOM) == "2026-11-21T00:00:00Z"
    assert feed().findtext("a:entry/a:published", "", ATOM) == "2026-11-20T00:00:00Z"


def test_a_feed_holds_as_many_articles_as_the_project_says():
    assert len(feed(project=replace(PROJECT, feed_entries=1)).findall("a:entry", ATOM)) == 1


def test_a_feed_without_authors_or_articles_is_still_valid():
    root = feed(project=replace(PROJECT, authors=()), site_map=SiteMap())
    assert root.findtext("a:author/a:name", "", ATOM) == "Both sides of the ridge"
    assert INSTANT.fullmatch(root.findtext("a:updated", "", ATOM))


def test_titles_are_escaped_once():
    titles = [one.text for one in feed().findall("a:entry/a:title", ATOM)]
    assert "Wave quantisation <one>" in titles


def pages_of(text: str) -> dict[str, dict[str, str]]:
    return {
        url.findtext("s:loc", "", MAP): {
            link.get("hreflang", ""): link.get("href", "") for link in url.findall("x:link", MAP)
        }
        for url in ET.fromstring(text).findall("s:url", MAP)
    }


def test_the_map_lists_every_page_once_with_its_languages():
    pages = pages_of(sitemap_xml(PROJECT, SITE_MAP))
    assert f"{BASE}" in pages
    assert f"{BASE}zh/posts/only-zh/" in pages
    assert f"{BASE}en/posts/only-zh/" not in pages
    assert f"{BASE}zh/tags/tpu/" in pages
    assert not any(path.endswith("/both/") for path in pages)


def test_alternates_in_the_map_are_reciprocal():
    pages = pages_of(sitemap_xml(PROJECT, SITE_MAP))
    for address, alternates in pages.items():
        assert address in alternates.values()
        assert "x-default" in alternates
        for other in alternates.values():
            assert pages[other] == alternates


def test_the_root_is_for_readers_of_neither_language():
    home = {"zh-Hans": f"{BASE}zh/", "en": f"{BASE}en/", "x-default": BASE}
    pages = pages_of(sitemap_xml(PROJECT, SITE_MAP))
    assert pages[BASE] == pages[f"{BASE}zh/"] == pages[f"{BASE}en/"] == home


def test_the_map_says_when_an_article_changed():
    text = sitemap_xml(PROJECT, SITE_MAP)
    url = next(
        one
        for one in ET.fromstring(text).findall("s:url", MAP)
        if "roofline" in one.findtext("s:loc", "", MAP)
    )
    assert url.findtext("s:lastmod", "", MAP) == "2026-11-21"


def test_drafts_are_not_on_the_map():
    drafts = SiteMap(articles=(replace(MAIN, draft=True), OTHER))
    text = sitemap_xml(PROJECT, drafts)
    assert "posts/roofline" not in text
    assert datetime.date.fromisoformat("2026-03-02").isoformat() in text


def test_robots_are_shown_the_map():
    assert "Sitemap: https://example.org/blog/sitemap.xml" in robots_txt(PROJECT)


def test_every_path_goes_under_the_path_of_the_site():
    addresses = Addresses(base_url=BASE)
    assert addresses.path("zh/posts/a/") == "/blog/zh/posts/a/"
    assert addresses.path("/zh/") == "/blog/zh/"
    assert addresses.whole("") == BASE
    assert addresses.path("图/一 二.png") == "/blog/%E5%9B%BE/%E4%B8%80%20%E4%BA%8C.png"


@pytest.mark.parametrize("address", ["https://a.org/b?c=d#e", "mailto:a@b.org", "#row", "//cdn.org/x"])
def test_a_whole_address_stays_as_it_is(address):
    assert Addresses(base_url=BASE).path(address) == address
