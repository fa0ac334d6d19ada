"""Links to other sites, asked about at a server on this machine; and feeds, against their rules."""

import json
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from diglot.check.external_links import ask_about, check_external, external_links
from diglot.check.feeds import atom_faults, json_feed_faults
from diglot.check.finished_site import FinishedSite
from diglot.check.link_requests import Pace, encoded
from diglot.check.locating import SourceText
from diglot.cli import main
from tests.space import Space

QUICK = Pace(between_s=0, retries_s=(0, 0), timeout_s=5)
MOVES = {
    "/moved": (301, "/fine"),
    "/for-now": (302, "/fine"),
    "/away": (308, "/for-now"),
    "/round": (301, "/round"),
}
MOVES |= {"/lost": (301, "/gone"), "/strange": (301, "ftp://example.org/")}


class _Elsewhere(BaseHTTPRequestHandler):
    """Another site, which counts what it is asked for."""

    asked: Counter[str]

    def do_HEAD(self) -> None:
        self._answer(has_body=False)

    def do_GET(self) -> None:
        self._answer(has_body=True)

    def _answer(self, *, has_body: bool) -> None:
        path = self.path.partition("?")[0]
        self.asked[f"{self.command} {path}"] += 1
        self.asked[f"agent {self.headers['User-Agent'].split('/')[0]}"] += 1
        tries = self.asked[f"{self.command} {path}"]
        known = {"/fine": 200, "/%E4%B8%AD": 200, "/gone": 404, "/wary": 403, "/busy": 429, "/down": 503}
        status, location = MOVES.get(path, (known.get(path, 404), ""))
        if path == "/get-only":
            status = 200 if has_body else 405
        if path == "/shaky":
            status = 200 if tries > 2 else 500
        self.send_response(status)
        if location:
            self.send_header("Location", location)
        if path == "/busy":
            self.send_header("Retry-After", "600")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def elsewhere() -> Iterator[tuple[str, Counter[str]]]:
    """The address of another site, and what it was asked for."""
    _Elsewhere.asked = Counter()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Elsewhere)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", _Elsewhere.asked
    server.shutdown()
    server.server_close()


def test_links_to_other_sites_are_asked_about_once_and_reported_where_they_are_written(
    elsewhere: tuple[str, Counter[str]], tmp_path: Path
) -> None:
    there, asked = elsewhere
    paths = [
        *(
            "fine",
            "fine#part",
            "gone",
            "wary",
            "busy",
            "down",
            "moved#part",
            "for-now",
            "away",
            "round",
            "lost",
        ),
        *("strange", "get-only", "shaky", "中"),
    ]
    text = "\n".join(f'<a href="{there}/{path}">x</a>' for path in paths)
    nowhere = '<a href="http://nowhere.invalid/">x</a> <a href="mailto:a@b">x</a> <a href="/own">x</a>'
    pages = {"a.html": f"{text}\n{nowhere}", "b.html": text}
    source = (SourceText(path="content/a.md", text=pages["a.html"]),)
    site = FinishedSite(pages, [], base_url="https://example.org/", sources={"a.html": source})
    links = external_links(site)
    assert len(links) == len(paths)  # one address stands twice, and one is of a server that does not exist
    told: list[str] = []
    answers = ask_about(links, tmp_path, max_age_s=3600, pace=QUICK, told=told.append).answers
    assert sorted(told) == sorted(links)
    found = {
        (one.location.line if one.location else None): f"{one.rule}: {one.message}; {one.fix}"
        for one in check_external(site, links, answers)
    }

    def broken(path: str, why: str, fix: str = "correct or delete it") -> str:
        return f'link-external: "{there}/{path}" is a broken link: {why}; {fix}.'

    def answers_with(path: str, status: str) -> str:
        archived = f"https://web.archive.org/web/{there}/{path}"
        why, fix = f"its server answers {status}", f"correct or delete it; an old copy may be at {archived}"
        return broken(path, why, fix)

    def refused(path: str, status: str) -> str:
        why = f"was not checked: its server refuses programs ({status})"
        return f'link-refused: "{there}/{path}" {why}; open it in a browser.'

    assert found == {
        3: answers_with("gone", "404 Not Found"),
        4: refused("wary", "403 Forbidden"),
        5: refused("busy", "429 Too Many Requests"),
        6: answers_with("down", "503 Service Unavailable"),
        7: f'link-moved: "{there}/moved#part" has moved; write {there}/fine#part.',
        9: f'link-moved: "{there}/away" has moved; write {there}/for-now.',
        10: broken("round", "it leads on more than 10 times"),
        11: answers_with("lost", "404 Not Found"),
        12: broken("strange", "it leads on to ftp://example.org/"),
        16: 'link-external: "http://nowhere.invalid/" is a broken link: there is no server of this name; '
        "correct or delete it.",
    }
    written = SourceText(path="site/site.yaml", text=f"authors:\n  ada: {{url: {there}/gone}}")
    site = FinishedSite({"b.html": pages["b.html"]}, [], base_url="https://example.org/", shared=(written,))
    (gone,) = (one for one in check_external(site, external_links(site), answers) if "/gone" in one.message)
    assert str(gone.location).startswith("site/site.yaml:2")
    assert asked["GET /get-only"] == 1  # after HEAD was refused
    assert asked["HEAD /shaky"] == 3  # a server that fails is asked again
    assert asked["HEAD /busy"] == 1  # one that wants ten minutes of rest is not
    assert asked["HEAD /wary"] == asked["GET /wary"] == 1
    assert asked["agent Mozilla"] == sum(
        count for what, count in asked.items() if not what.startswith("agent")
    )

    before = asked.total()
    again = ask_about(links, tmp_path, max_age_s=3600, pace=QUICK)
    assert again.answers == answers
    assert asked.total() == before  # answers are kept
    ask_about([f"{there}/fine"], tmp_path, max_age_s=0, pace=QUICK)
    assert asked.total() > before  # until they are too old


def test_nobody_is_asked_without_the_flag_or_offline(
    elsewhere: tuple[str, Counter[str]], space: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    there, asked = elsewhere
    space.post("a", zh=f"[甲]({there}/fine)。", en=f"[A]({there}/gone), and [b]({there}/wary).")
    check = ["-C", str(space.root), "check", "--twice", "0"]
    assert main(check) == 0
    assert main([*check, "--external", "--offline"]) == 0
    assert not asked
    assert "links to other sites: 3, 3 not checked (--offline)\n" in capsys.readouterr().err
    assert main([*check, "--external", "--strict"]) == 1
    err = capsys.readouterr().err
    assert "links to other sites: 3\n" in err
    assert f'content/posts/a/en.md:6:5: warning[link-external]: "{there}/gone" is a broken link' in err
    assert main([*check, "--external", "--offline", "--strict", "--json"]) == 1
    rules = [one["rule"] for one in json.loads(capsys.readouterr().out)["diagnostics"]]
    assert rules == ["link-external", "link-refused", "halves-link"]
    space.change("content/posts/a/en.md", f"[A]({there}/gone), and ", "<!-- diglot-ignore: halves-link -->\n")
    space.change("content/posts/a/zh.md", "[甲]", "<!-- diglot-ignore: halves-link -->\n[甲]")
    assert main([*check, "--external", "--offline", "--strict"]) == 0  # a server that refuses is no mistake
    assert "links to other sites: 2, 2 of them checked earlier\n" in capsys.readouterr().err


def test_a_machine_without_a_network_calls_no_link_broken(tmp_path: Path) -> None:
    links = ["http://one.invalid/", "http://two.invalid/a"]
    for _ in range(2):  # and remembers nothing
        assert ask_about(links, tmp_path, max_age_s=3600, pace=QUICK) == ({}, 2)


def test_addresses_are_sent_in_ascii() -> None:
    assert encoded("https://例子.中国/路径?问=答&a=%20#段") == (
        "https://xn--fsqu00a.xn--fiqs8s/%E8%B7%AF%E5%BE%84?%E9%97%AE=%E7%AD%94&a=%20"
    )
    assert encoded("http://example.org") == "http://example.org/"


ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><id>https://x/</id><title>T</title>{}
<updated>2026-11-20T00:00:00Z</updated><link rel="self" href="https://x/feed.xml"/>{}</feed>"""
ENTRY = """<entry><id>{id}</id><title>E</title><updated>{updated}</updated>
<published>2026-11-20T00:00:00Z</published>
<link href="https://x/a"/><content type="html">{html}</content></entry>"""
FINE = {"id": "https://x/a", "updated": "2026-11-21T08:00:00+08:00", "html": "&lt;a href=&quot;#b&quot;&gt;"}


def _atom(author: str = "<author><name>A</name></author>", *entries: dict[str, str]) -> list[str]:
    text = ATOM.format(author, "".join(ENTRY.format(**FINE | one) for one in entries))
    return [message for message, _ in atom_faults(text.encode())]


def test_atom_feeds_follow_rfc_4287() -> None:
    assert _atom("<author><name>A</name></author>", {}) == []
    assert _atom("", {}) == ["neither the feed nor an entry names an author"]
    twice = _atom("<author><name>A</name></author>", {}, {"updated": "2026-11-19T00:00:00Z"})
    assert twice == [
        'the id "https://x/a" is given to two entries',
        'it was updated on "2026-11-19T00:00:00Z", before it was published',
    ]
    wrong = {"id": "a", "updated": "2026-11-20", "html": "&lt;img src=&quot;/a.png&quot;&gt;"}
    assert _atom("<author><name>A</name></author>", wrong) == [
        'an address in a text is "/a.png", which is not an absolute address',
        '"2026-11-20" is not a date of RFC 3339, such as 2026-11-20T00:00:00Z',
        'an id is "a", which is not an absolute address',
    ]
    empty = [
        message for message, _ in atom_faults(b'<feed xmlns="http://www.w3.org/2005/Atom"><title/></feed>')
    ]
    assert empty == [
        "the feed needs one `id`, and has none",
        "the `title` of the feed is empty",
        "the feed needs one `updated`, and has none",
        "the feed has no link to itself",
    ]
    assert [message[:14] for message, _ in atom_faults(b"<feed>")] == ["it is not XML:"]


def test_json_feeds_follow_version_1_1() -> None:
    def faults(**item: object) -> list[str]:
        fine = {"id": "https://x/a", "url": "https://x/a", "content_text": "A"}
        feed = {"version": "https://jsonfeed.org/version/1.1", "title": "T", "items": [fine | item]}
        return [message for message, _ in json_feed_faults(json.dumps(feed).encode())]

    assert faults() == []
    assert faults(id=None, url="/a", content_text="", date_published="today") == [
        "an item has no `id`",
        "an item has neither `content_html` nor `content_text`",
        '`url` is "/a", which is not an absolute address',
        '"today" is not a date of RFC 3339, such as 2026-11-20T00:00:00Z',
    ]
    assert [message for message, _ in json_feed_faults(b"{}")] == [
        "the feed has no `version`",
        "the feed has no `title`",
        "the feed has no `items`",
    ]
