"""Checks of feeds against their rules: Atom (RFC 4287) and JSON Feed 1.1."""

import datetime
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

from diglot.check.finished_site import FinishedSite
from diglot.check.locating import Reporter
from diglot.diagnostics import Diagnostic, shortened

_ATOM = "{http://www.w3.org/2005/Atom}"
_ATOM_NAMES, _JSON_NAME = (".xml", ".atom"), ".json"
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
_FIX = "feed readers need this: correct what the article or template gives."

Fault = tuple[str, str]
"""What breaks a rule, and the address of the entry it is in; empty for the feed as a whole."""


def check_feeds(site: FinishedSite, texts: Mapping[str, bytes]) -> Iterator[Diagnostic]:
    """What breaks the rules of feeds. `texts` maps output paths to contents, not only those of feeds."""
    for path in sorted(path for path in texts if path.endswith((*_ATOM_NAMES, _JSON_NAME))):
        name = f"feed {path} {site.digest(path)}"
        for message, entry in site.kept.value(name, tuple[Fault, ...], partial(_faults, path, texts)):
            page = site.file_at(entry, path) if entry else None
            quoted = re.search(r'"([^"]+)"', message)
            html = texts[path].decode("utf-8", "replace")
            report = Reporter(path, html, site.sources.get(page or "", ()))
            written = quoted[1] if quoted else ""
            yield report("feed-invalid", f"/{path}: {message}", 1, written, _FIX, severity="warning")


def _faults(path: str, texts: Mapping[str, bytes]) -> tuple[Fault, ...]:
    """What breaks the rules in a file; nothing in one that is no feed."""
    content = texts[path]
    if path.endswith(_ATOM_NAMES) and b"http://www.w3.org/2005/Atom" in content[:2000]:
        return tuple(dict.fromkeys(atom_faults(content)))
    if path.endswith(_JSON_NAME) and b"jsonfeed.org/version" in content[:2000]:
        return tuple(dict.fromkeys(json_feed_faults(content)))
    return ()


def atom_faults(content: bytes) -> Iterator[Fault]:
    """What breaks the rules of Atom."""
    try:
        feed = ET.fromstring(content)
    except ET.ParseError as error:
        yield f"it is not XML: {error}", ""
        return
    yield from _required(feed, "the feed", "")
    links = feed.findall(f"{_ATOM}link")
    if not any(one.get("rel") == "self" for one in links):
        yield "the feed has no link to itself", ""
    entries = feed.findall(f"{_ATOM}entry")
    yield from _repeated((_text(one, "id"), _address(one)) for one in entries)
    for entry in entries:
        at = _address(entry)
        yield from _required(entry, "an entry", at)
        yield from _atom_entry(entry, at, has_author=feed.find(f"{_ATOM}author") is not None)
    for element in (feed, *feed.iter(f"{_ATOM}entry")):
        at = _address(element) if element is not feed else ""
        yield from _dates(_text(element, "published"), _text(element, "updated"), at)
        for link in element.findall(f"{_ATOM}link"):
            yield from _whole(link.get("href", ""), "a link", at)
        if identifier := _text(element, "id"):
            yield from _whole(identifier, "an id", at)


def _atom_entry(entry: ET.Element, at: str, *, has_author: bool) -> Iterator[Fault]:
    if not has_author and entry.find(f"{_ATOM}author") is None:
        yield "neither the feed nor an entry names an author", at
    content = entry.find(f"{_ATOM}content")
    alternates = [one for one in entry.findall(f"{_ATOM}link") if one.get("rel", "alternate") == "alternate"]
    if content is None and not alternates:
        yield "an entry has neither a text nor a link", at
    versions = [(one.get("type"), one.get("hreflang")) for one in alternates]
    if len(set(versions)) < len(versions):
        yield "an entry has two links of one type and language", at
    if content is not None and content.get("type") == "html":
        yield from _relative_in(content.text or "", at)


def json_feed_faults(content: bytes) -> Iterator[Fault]:
    """What breaks the rules of JSON Feed."""
    try:
        feed = json.loads(content)
    except ValueError as error:
        yield f"it is not JSON: {error}", ""
        return
    for key in ("version", "title", "items"):
        if key not in feed:
            yield f"the feed has no `{key}`", ""
    for key in ("home_page_url", "feed_url", "icon", "favicon"):
        yield from _whole(str(feed.get(key, "https://x")), f"`{key}`", "")
    items: list[dict[str, Any]] = [one for one in feed.get("items", ()) if isinstance(one, dict)]
    yield from _repeated((str(one.get("id", "")), str(one.get("url", ""))) for one in items)
    for item in items:
        at = str(item.get("url", ""))
        if not isinstance(item.get("id"), str) or not item["id"]:
            yield "an item has no `id`", at
        if not (item.get("content_html") or item.get("content_text")):
            yield "an item has neither `content_html` nor `content_text`", at
        for key in ("url", "external_url", "image", "banner_image"):
            if key in item:
                yield from _whole(str(item[key]), f"`{key}`", at)
        yield from _dates(item.get("date_published"), item.get("date_modified"), at)
        yield from _relative_in(str(item.get("content_html", "")), at)


def _required(parent: ET.Element, what: str, at: str) -> Iterator[Fault]:
    for name in ("id", "title", "updated"):
        count = len(parent.findall(f"{_ATOM}{name}"))
        if count != 1 or not _text(parent, name):
            yield (
                f"{what} needs one `{name}`, and has {count or 'none'}"
                if count != 1
                else (f"the `{name}` of {what} is empty"),
                at,
            )


def _repeated(identifiers: Iterable[Fault]) -> Iterator[Fault]:
    met: set[str] = set()
    for identifier, at in identifiers:
        if identifier in met:
            yield f'the id "{identifier}" is given to two entries', at
        met.add(identifier)


def _dates(published: str | None, updated: str | None, at: str) -> Iterator[Fault]:
    instants = [_instant(one) for one in (published, updated) if one]
    for text, instant in zip(filter(None, (published, updated)), instants, strict=True):
        if instant is None:
            yield f'"{text}" is not a date of RFC 3339, such as 2026-11-20T00:00:00Z', at
    if len(instants) == 2 and instants[0] and instants[1] and instants[1] < instants[0]:
        yield f'it was updated on "{updated}", before it was published', at


def _instant(text: str) -> datetime.datetime | None:
    try:
        return datetime.datetime.fromisoformat(text) if _INSTANT.fullmatch(text) else None
    except ValueError:
        return None


def _whole(address: str, what: str, at: str) -> Iterator[Fault]:
    if not urlsplit(address).scheme:
        yield f'{what} is "{shortened(address, 80)}", which is not an absolute address', at


def _relative_in(html: str, at: str) -> Iterator[Fault]:
    """Addresses in the text of an entry that lead nowhere in a feed reader."""
    reader = _Addresses()
    reader.feed(html)
    for address in reader.found:
        if not address.startswith("#"):
            yield from _whole(address, "an address in a text", at)


class _Addresses(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name in ("href", "src") and value]


def _text(parent: ET.Element, name: str) -> str:
    return (parent.findtext(f"{_ATOM}{name}") or "").strip()


def _address(entry: ET.Element) -> str:
    links = entry.findall(f"{_ATOM}link")
    return next((one.get("href", "") for one in links if one.get("rel", "alternate") == "alternate"), "")
