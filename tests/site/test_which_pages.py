"""Every address that a site of any shape publishes leads to something that it publishes."""

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit
from xml.etree import ElementTree as ET

import pytest

from diglot.project import load_project
from diglot.rules.finished import check_files
from tests.few_chips import two_chips
from tests.space import BARS, Space, errors, outputs, told

BASE = "https://example.org/blog/"
SITE = f"""\
title: {{zh: 站, en: Site}}
base_url: {BASE}
cards: none
list_entries: 2
tag_feeds: true
markdown: true
"""
EVERYTHING = "gallery: true\nhardware: true\nglossary: true\n"
TERMS = """\
tags: {t: {zh: 标, en: Tag}}
categories: {c: {zh: 类, en: Category}}
series: {s: {zh: 系, en: Series}}
authors: {ada: {name: {zh: 阿达, en: Ada}}}
"""
KEYS = "tags: [t]\ncategories: [c]\nseries: s\nauthors: [ada]\n"
ENTRY = "  - {{label: X, path: /{}/}}\n"
LISTS = ("tags", "categories", "series", "authors", "archive", "glossary", "figures", "hardware")
FIGURE = "\n```{figure} bars\n```\n"

Files = dict[str, str]


def half(language: str, keys: str = "", text: str = "Text.") -> str:
    return f"---\ntitle: {language}\ndate: 2026-11-01\n{keys}---\n\n{text}\n"


def pair(name: str, keys: str = "", text: str = "Text.") -> Files:
    return {f"content/{name}/{one}.md": half(one, keys, text) for one in ("zh", "en")}


def alone(name: str, language: str, keys: str = "", text: str = "Text.") -> Files:
    return {f"content/{name}/{language}.md": half(language, f"only: {language}\n{keys}", text)}


def terms_of(key: str) -> str:
    return next(line for line in KEYS.splitlines() if line.startswith(key)) + "\n"


SHAPES: dict[str, tuple[str, Files]] = {
    "nothing": ("", {}),
    "nothing with all settings": (EVERYTHING, {}),
    "drafts only": (TERMS, pair("posts/a", f"draft: true\n{KEYS}")),
    "a later article only": (TERMS, pair("posts/a", KEYS.replace("tags", "expires: 2026-11-02\ntags"))),
    "one in both languages": (TERMS, pair("posts/a", KEYS)),
    "one in Chinese": (TERMS, alone("posts/a", "zh", KEYS)),
    "one in English": (TERMS, alone("posts/a", "en", KEYS)),
    "one in English, which comes first": (f"{TERMS}languages: {{first: en}}\n", alone("posts/a", "en", KEYS)),
    "one in Chinese with all settings": (TERMS + EVERYTHING, alone("posts/a", "zh", KEYS, FIGURE)),
    "one in English with all settings": (TERMS + EVERYTHING, alone("posts/a", "en", KEYS, FIGURE)),
    "one in Chinese for readers of both": (f"{TERMS}fallback: true\n", alone("posts/a", "zh", KEYS)),
    "a page only": ("", pair("pages/about")),
    "a page in English only": (EVERYTHING, alone("pages/about", "en")),
    "a home page in Chinese only": ("", alone("pages/home", "zh")),
    "a home page beside articles": ("", {**alone("pages/home", "en"), **pair("posts/a"), **pair("posts/b")}),
    "a talk in Chinese only": ("", {**alone("talks/t", "zh", text="## A\n\nText."), **pair("posts/a")}),
    "a talk and nothing else": ("", alone("talks/t", "en", text="## A\n\nText.")),
    "many in Chinese, one in English": (
        TERMS,
        {
            **alone("posts/a", "zh", KEYS),
            **alone("posts/b", "zh", KEYS),
            **alone("posts/c", "zh", KEYS.replace("[t]", "[u]")),
            **pair("posts/d"),
        },
    ),
    "a draft with all terms beside an article": (
        TERMS,
        {**pair("posts/a", f"draft: true\n{KEYS}"), **pair("posts/b")},
    ),
    "Chinese in traditional characters": (
        f"{TERMS}{EVERYTHING}traditional: taiwan\n",
        {**alone("posts/a", "zh", KEYS, FIGURE), **pair("posts/b")},
    ),
    "English beside traditional characters": (f"{TERMS}traditional: taiwan\n", alone("posts/a", "en", KEYS)),
    "navigation to all lists": (
        f"{TERMS}{EVERYTHING}navigation:\n{''.join(map(ENTRY.format, LISTS))}",
        {**alone("posts/a", "zh", KEYS), **pair("posts/b")},
    ),
    "navigation home and to feeds": (
        "navigation:\n  - {label: X, path: /}\n  - {label: Y, path: /feed.xml}\n",
        alone("posts/a", "zh", text="[home](/) [feed](/feed.json) [tags](/tags/)"),
    ),
    "a series of articles in different languages": (
        TERMS.replace("en: Tag}", "en: Tag}, u: {zh: 另, en: Other}"),
        {**alone("posts/a", "zh", KEYS), **alone("posts/b", "en", KEYS.replace("[t]", "[u]"))},
    ),
    **{
        f"{key} in one language": (TERMS, {**alone("posts/a", language, terms_of(key)), **pair("posts/b")})
        for key, language in (("tags", "zh"), ("categories", "en"), ("series", "zh"), ("authors", "en"))
    },
}


class _Addresses(HTMLParser):
    """The addresses in the attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src", "content", "action", "poster") and value is not None:
                if name != "content" or value.startswith(BASE):
                    self.found.append(value)
            elif name in ("srcset", "imagesrcset") and value:
                self.found += [one.split()[0] for one in value.split(",")]


def addresses_in(path: str, content: bytes) -> Iterator[str]:
    """The addresses that a published file gives."""
    text = content.decode("utf-8", "replace")
    if path.endswith(".html"):
        parser = _Addresses()
        parser.feed(text)
        yield from parser.found
    elif path.endswith(".xml"):
        for element in ET.fromstring(text).iter():
            yield from (value for name, value in element.attrib.items() if name == "href")
            if element.tag.endswith(("loc", "}id", "}uri")) and (element.text or "").startswith(BASE):
                yield element.text or ""
    elif path.endswith((".json", ".webmanifest")):
        yield from _strings(json.loads(text))
    elif path.endswith(".txt"):
        yield from re.findall(rf"{re.escape(BASE)}[^\s)>]*", text)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str) and value.startswith((BASE, urlsplit(BASE).path)):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one)


def dead_addresses(files: dict[str, bytes]) -> list[str]:
    """Each address within the site that leads to no file of it, with the file that gives it."""
    dead = set()
    for path, content in files.items():
        for address in addresses_in(path, content):
            whole = urljoin(BASE + path, address)
            if not whole.startswith(BASE):
                continue
            target = unquote(urlsplit(whole).path).removeprefix(urlsplit(BASE).path)
            if target == "" or target.endswith("/"):
                target += "index.html"
            if target not in files:
                dead.add(f"{path} → /{target}")
    return sorted(dead)


@pytest.fixture(autouse=True)
def _only_two_chips(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("diglot.figures.catalogue_sheets.read_catalogue_texts", two_chips)


@pytest.mark.parametrize("shape", SHAPES)
def test_whatever_a_site_leads_to_is_there(shape: str, tmp_path: Path) -> None:
    settings, files = SHAPES[shape]
    space = Space(tmp_path)
    space.write("site/site.yaml", SITE + settings)
    space.write("site/glossary.yaml", "roofline: {zh: 屋顶线, en: roofline}\n")
    if EVERYTHING in settings:
        space.write("figures/bars.py", BARS)
    for path, text in files.items():
        space.write(path, text)
    with space.site() as site:
        result = site.build()
        assert result.published is not None, told(result)
        project = load_project(SITE + settings, "site/site.yaml")
        found = [str(one) for one in check_files(site, result, project, "")]
    assert dead_addresses(outputs(space.root / "public")) == []
    assert [one for one in found if "(output)" in one or "dead" in one] == []


@pytest.mark.parametrize("address", ["/en/", "/en/feed.xml", "/en/tags/", "/en/archive/", "/en/authors/"])
def test_a_link_to_what_a_language_does_not_have_is_reported_where_it_is_written(
    address: str, space: Space
) -> None:
    for path, text in alone("posts/a", "zh", KEYS, f"[there]({address})").items():
        space.write(path, text)
    space.write("site/site.yaml", SITE + TERMS)
    assert [(one.rule, str(one.location)) for one in errors(space.build())] == [
        ("link-missing", "content/posts/a/zh.md:11:9")
    ]
    space.write("site/site.yaml", f"{SITE}{TERMS}navigation: [{{label: X, path: {address}}}]\n")
    assert [one.rule for one in errors(space.build())] == ["link-missing", "navigation-missing"]


def test_hidden_files_that_hosts_look_for_are_published_and_no_others(space: Space) -> None:
    for name in (".well-known/security.txt", ".well-known/deep/x", ".htaccess", ".hidden", ".git/config"):
        space.write(f"site/static/{name}", f"Path: {name}\n")
    known = {".diglot-site", ".nojekyll", ".well-known/deep/x"}
    with space.site() as site:
        assert told(site.build()) == ""
        there = {path for path in outputs(space.root / "public") if path.startswith(".")}
        assert there == known | {".well-known/security.txt", ".htaccess"}
        space.remove("site/static/.htaccess")
        space.remove("site/static/.well-known/security.txt")
        assert told(site.build()) == ""
        assert {path for path in outputs(space.root / "public") if path.startswith(".")} == known
