"""The web application of the preview: which files it serves, to whom, and with which headers."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from diglot.serve.app import make_app
from diglot.serve.files import find_file, media_type
from diglot.serve.hub import Hub

PAGE = "<!doctype html><title>{0}</title><body><p>{0}</p></body></html>"


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("serve")
    output = folder / "public"
    (output / "zh" / "posts" / "你好").mkdir(parents=True)
    (output / "assets").mkdir()
    (output / "empty").mkdir()
    (output / ".git").mkdir()
    for path in ("index.html", "zh/index.html", "zh/posts/你好/index.html", "404.html", "bare.html"):
        (output / path).write_text(PAGE.format(path), "utf-8")
    (output / "bare.html").write_bytes(b"<p>no body's end, and \xe9 in another encoding")
    (output / "assets/style.css").write_text("body { color: red }")
    (output / "assets/letters.txt").write_text("abcdefghij")
    (output / ".git/config").write_text("token")
    (output / ".diglot-site").write_text("mark")
    (folder / "secret.txt").write_text("secret")
    (folder / "public-too").mkdir()
    (folder / "public-too" / "secret.txt").write_text("secret")
    (output / "link.txt").symlink_to(folder / "secret.txt")
    (output / "link").symlink_to(folder)
    (output / "loop").symlink_to(output / "loop")
    (output / "inside.css").symlink_to(output / "assets/style.css")
    return output


@pytest.fixture
def client(output: Path) -> Iterator[TestClient]:
    with TestClient(make_app(output=output, hub=Hub()), base_url="http://localhost:8000") as client:
        yield client


def _client(output: Path, hub: Hub | None = None, base_path: str = "/") -> TestClient:
    app = make_app(output=output, hub=hub or Hub(), base_path=lambda: base_path)
    return TestClient(app, base_url="http://localhost:8000")


@pytest.mark.parametrize(
    "host",
    ["localhost", "localhost:8000", "127.0.0.1", "127.0.0.1:1", "[::1]", "[::1]:65535", "LocalHost:80"],
)
def test_this_machines_own_names_are_answered_with_any_port(client: TestClient, host: str) -> None:
    assert client.get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "evil.example:8000",
        "localhost.evil.example",
        "evil.example@localhost",
        "localhost@evil.example",
        "127.0.0.1.evil.example",
        "127.0.0.2",
        "0.0.0.0",
        "localhost:",
        "localhost:x",
        "localhost:123456",
        "localhost:80:80",
        "localhost ",
        "localhost,evil.example",
        "localhost/",
        "localhost.",
        "[::1",
        "::1",
        "[::2]",
        "[::1]x",
        "[::1%25lo]",
        "2130706433",
        "127.1",
    ],
)
@pytest.mark.parametrize(
    "path", ["/", "/assets/style.css", "/__diglot/events", "/__diglot/reload.js", "/nope"]
)
def test_any_other_name_is_refused_for_every_address(client: TestClient, host: str, path: str) -> None:
    answer = client.get(path, headers={"Host": host})
    assert answer.status_code == 400
    assert "secret" not in answer.text
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "FROB"])
@pytest.mark.parametrize("path", ["/", "/assets/style.css", "/__diglot/events"])
def test_only_reading_is_possible(client: TestClient, method: str, path: str) -> None:
    answer = client.request(method, path)
    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET, HEAD"


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/zh/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/%2e%2e%2fsecret.txt",
        "/..%2fsecret.txt",
        "/zh/..%2f..%2fsecret.txt",
        "/%252e%252e/secret.txt",
        "/..%5csecret.txt",
        "/..\\secret.txt",
        "/%2e%2e/public-too/secret.txt",
        "/link.txt",
        "/link/secret.txt",
        "/link/",
        "/loop",
        "//etc/passwd",
        "/%2fetc/passwd",
        "/etc/passwd",
        "/index.html%00.png",
        "/%00",
        "/.git/config",
        "/.diglot-site",
        "/./index.html/",
        "/zh/./index.html",
        "/index.html/",
        "/assets/style.css/",
        "/assets/style.css/x",
        "/" + "x" * 300,
        "/" + "x/" * 3000,
        "/C:/Windows/win.ini",
        "/~root",
        "/\udcff",
    ],
)
def test_nothing_outside_of_the_output_and_nothing_hidden_is_handed_out(output: Path, path: str) -> None:
    raw = path.encode("utf-8", "surrogateescape")
    from urllib.parse import unquote

    scope_path = unquote(raw.decode("latin-1"))
    with _client(output) as client:
        app = client.app
        answer = _ask(app, scope_path)
    assert answer[0] == 404
    assert b"secret" not in answer[1]
    assert b"token" not in answer[1]
    assert b"root:" not in answer[1]


def _ask(app: object, path: str) -> tuple[int, bytes]:
    """The answer to a raw path, which a client would normalize."""
    import anyio

    messages: list[dict[str, object]] = []

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, object]) -> None:
        messages.append(message)

    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode("utf-8", "surrogateescape"),
        "query_string": b"",
        "root_path": "",
        "headers": [(b"host", b"localhost")],
        "server": ("127.0.0.1", 8000),
        "client": ("127.0.0.1", 1),
    }
    anyio.run(app, scope, receive, send)
    body = b"".join(bytes(m.get("body", b"")) for m in messages if m["type"] == "http.response.body")
    return int(str(messages[0]["status"])), body


_pieces = st.sampled_from(
    ["..", ".", "", "zh", "link", "secret.txt", "public-too", "index.html", "\\", "\0", "/", "%2e%2e"]
)


@given(path=st.lists(_pieces, max_size=6).map("/".join) | st.text(max_size=20))
def test_no_path_whatever_leads_out_of_the_output(output: Path, path: str) -> None:
    found = find_file(output, path)
    assert found is None or found.is_relative_to(output.resolve())


def test_a_link_within_the_output_is_followed(client: TestClient) -> None:
    assert client.get("/inside.css").text == "body { color: red }"


@pytest.mark.parametrize("path", ["/assets/", "/empty/", "/zh/posts/"])
def test_folders_are_not_listed(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "style.css" not in answer.text


def test_a_folders_page_is_behind_its_address_with_a_slash(client: TestClient) -> None:
    assert "<p>zh/posts/你好/index.html</p>" in client.get("/zh/posts/你好/").text
    answer = client.get("/zh/posts/你好", follow_redirects=False)
    assert answer.status_code == 307
    assert answer.headers["location"] == "/zh/posts/%E4%BD%A0%E5%A5%BD/"
    answer = client.get("/zh/posts/你好?view=both&q=%E8%84%8A", follow_redirects=False)
    assert answer.headers["location"] == "/zh/posts/%E4%BD%A0%E5%A5%BD/?view=both&q=%E8%84%8A"


def test_what_is_not_there_gets_the_sites_own_page_and_404(client: TestClient) -> None:
    answer = client.get("/nope/")
    assert answer.status_code == 404
    assert "<p>404.html</p>" in answer.text
    assert "/__diglot/reload.js" in answer.text


def test_before_the_first_build_a_page_waits_for_it(tmp_path: Path) -> None:
    with _client(tmp_path / "public") as client:
        answer = client.get("/")
    assert answer.status_code == 404
    assert "/__diglot/reload.js" in answer.text


def test_pages_are_the_built_files_but_for_the_script_that_knows_the_build_they_show(output: Path) -> None:
    hub = Hub()
    with _client(output, hub) as client:
        for path, file in {"/": "index.html", "/zh/": "zh/index.html", "/nope": "404.html"}.items():
            answer = client.get(path)
            tag = re.search(r"<script src=\"/__diglot/reload\.js[^>]*></script>", answer.text)
            assert tag is not None
            assert f'data-build="{hub.state.build}"' in tag[0]
            assert f'data-status="{answer.status_code}"' in tag[0]
            assert answer.text.replace(tag[0], "").encode() == (output / file).read_bytes()
            hub.tell_built([file])


def test_a_page_says_where_the_site_stands(output: Path) -> None:
    with _client(output, base_path="/博客/") as client:
        assert 'data-base="/%E5%8D%9A%E5%AE%A2/"' in client.get("/博客/").text


def test_the_previews_own_pages_stand_beside_the_site_whatever_its_base(output: Path) -> None:
    made = {"": b"<p>articles</p>", "figures/": b"<p>figures</p>"}
    app = make_app(output=output, hub=Hub(), base_path=lambda: "/blog/", writers=made.get)
    with TestClient(app, base_url="http://localhost:8000") as client:
        assert client.get("/__diglot").text.startswith("<p>articles</p><script")
        assert client.get("/__diglot/figures/").text.startswith("<p>figures</p><script")
        assert "data-own" in client.get("/__diglot/").text
        assert "data-own" not in client.get("/blog/").text
        assert client.get("/__diglot/nope").status_code == 404
        assert client.get("/blog/__diglot/").status_code == 404
        assert client.get("/__diglot/", headers={"Host": "evil.example"}).status_code == 400


def test_a_listener_may_say_what_it_has_seen_in_any_way(output: Path) -> None:
    with _client(output) as client:
        for since in ("", "?since=", "?since=x", "?since=-1", f"?since={'9' * 5000}", "?since=%D9%A3"):
            assert client.head(f"/__diglot/events{since}").status_code == 200


def test_a_page_without_an_end_and_in_another_encoding_is_served_too(client: TestClient) -> None:
    answer = client.get("/bare.html").content
    assert answer.startswith(b"<p>no body's end, and \xe9 in another encoding<script")


def test_pages_are_never_kept_and_assets_asked_for_again(client: TestClient) -> None:
    assert client.get("/").headers["cache-control"] == "no-store"
    assert client.get("/assets/style.css").headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("path", ["/", "/zh/", "/nope", "/assets/style.css", "/__diglot/reload.js"])
def test_head_is_get_without_the_content(client: TestClient, path: str) -> None:
    got, head = client.get(path), client.head(path)
    assert head.content == b""
    assert head.status_code == got.status_code
    assert head.headers == got.headers
    assert int(head.headers["content-length"]) == len(got.content)


def test_head_of_the_event_stream_ends(client: TestClient) -> None:
    answer = client.head("/__diglot/events")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/event-stream")


def test_every_answer_forbids_sniffing_and_use_by_other_sites(client: TestClient) -> None:
    for path in ("/", "/nope", "/assets/style.css", "/__diglot/reload.js"):
        headers = client.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.html", "text/html"),
        ("a.css", "text/css"),
        ("a.js", "text/javascript"),
        ("a.mjs", "text/javascript"),
        ("a.json", "application/json"),
        ("a.xml", "application/xml"),
        ("a.svg", "image/svg+xml"),
        ("a.png", "image/png"),
        ("a.jpg", "image/jpeg"),
        ("a.webp", "image/webp"),
        ("a.avif", "image/avif"),
        ("a.ico", "image/x-icon"),
        ("a.woff2", "font/woff2"),
        ("a.pdf", "application/pdf"),
        ("a.csv", "text/csv"),
        ("a.txt", "text/plain"),
        ("a.wasm", "application/wasm"),
        ("a.webmanifest", "application/manifest+json"),
        ("a.SVG", "image/svg+xml"),
        ("a.svg.gz", "application/octet-stream"),
        ("CNAME", "application/octet-stream"),
        ("a.unknown", "application/octet-stream"),
    ],
)
def test_types_are_the_same_on_every_machine(name: str, kind: str) -> None:
    assert media_type(name) == kind


def test_text_is_served_as_utf_8(client: TestClient) -> None:
    assert client.get("/assets/style.css").headers["content-type"] == "text/css; charset=utf-8"
    assert client.get("/").headers["content-type"] == "text/html; charset=utf-8"


def test_an_asset_that_is_known_is_not_sent_again(client: TestClient) -> None:
    etag = client.get("/assets/style.css").headers["etag"]
    for known in (etag, f"W/{etag}", f'"other", {etag}', "*"):
        answer = client.get("/assets/style.css", headers={"If-None-Match": known})
        assert (answer.status_code, answer.content) == (304, b"")
        assert answer.headers["etag"] == etag
    assert client.get("/assets/style.css", headers={"If-None-Match": '"other"'}).status_code == 200


@pytest.mark.parametrize(
    ("range_", "status", "content"),
    [
        ("bytes=0-2", 206, "abc"),
        ("bytes=7-", 206, "hij"),
        ("bytes=-2", 206, "ij"),
        ("bytes=8-100", 206, "ij"),
        ("bytes=20-", 416, None),
    ],
)
def test_parts_of_an_asset_can_be_asked_for(
    client: TestClient, range_: str, status: int, content: str | None
) -> None:
    answer = client.get("/assets/letters.txt", headers={"Range": range_})
    assert answer.status_code == status
    assert content is None or answer.text == content


def test_a_part_beyond_the_end_says_how_long_the_asset_is(client: TestClient) -> None:
    answer = client.get("/assets/letters.txt", headers={"Range": "bytes=20-"})
    assert answer.status_code == 416
    assert answer.headers["content-range"] in ("bytes */10", "*/10")


def test_a_part_is_given_only_of_the_asset_that_is_known(client: TestClient) -> None:
    etag = client.get("/assets/letters.txt").headers["etag"]
    same = client.get("/assets/letters.txt", headers={"Range": "bytes=0-2", "If-Range": etag})
    assert (same.status_code, same.text, same.headers["content-range"]) == (206, "abc", "bytes 0-2/10")
    other = client.get("/assets/letters.txt", headers={"Range": "bytes=0-2", "If-Range": '"other"'})
    assert (other.status_code, other.text) == (200, "abcdefghij")


@pytest.mark.parametrize("range_", ["bytes=x", "bytes=5-2", "lines=1-2", "bytes=", "bytes=-"])
def test_a_part_that_makes_no_sense_does_no_harm(client: TestClient, range_: str) -> None:
    answer = client.get("/assets/letters.txt", headers={"Range": range_})
    assert answer.status_code in (200, 400, 416)
    assert answer.status_code != 200 or answer.text == "abcdefghij"


def test_a_part_in_a_unit_that_nobody_knows_is_the_whole(client: TestClient) -> None:
    answer = client.get("/assets/letters.txt", headers={"Range": "lines=1-2"})
    assert (answer.status_code, answer.text) == (200, "abcdefghij")


def test_other_sites_are_allowed_nothing(client: TestClient) -> None:
    for path in ("/", "/assets/style.css", "/__diglot/reload.js", "/nope"):
        headers = client.get(path, headers={"Origin": "https://evil.example"}).headers
        assert not [name for name in headers if name.startswith("access-control-")]
    asked = {"Origin": "https://evil.example", "Access-Control-Request-Method": "GET"}
    answer = client.options("/", headers=asked)
    assert answer.status_code == 405
    assert not [name for name in answer.headers if name.startswith("access-control-")]


def test_without_reload_pages_are_handed_out_as_they_are(output: Path) -> None:
    app = make_app(output=output, hub=Hub(), reload=False)
    with TestClient(app, base_url="http://localhost") as client:
        assert client.get("/zh/").content == (output / "zh/index.html").read_bytes()
        assert client.get("/nope").content == (output / "404.html").read_bytes()


def test_a_site_below_a_path_of_its_host_is_served_there(output: Path) -> None:
    with _client(output, base_path="/blog/") as client:
        assert "<p>zh/index.html</p>" in client.get("/blog/zh/").text
        assert client.get("/blog/assets/style.css").status_code == 200
        for door in ("/", "/blog"):
            answer = client.get(door, follow_redirects=False)
            assert (answer.status_code, answer.headers["location"]) == (307, "/blog/")
        assert client.get("/zh/").status_code == 404
        assert client.get("/blogs/zh/").status_code == 404
        assert client.get("/blog/../secret.txt").status_code == 404


def test_the_base_path_may_change_while_the_site_is_served(output: Path) -> None:
    base = ["/"]
    app = make_app(output=output, hub=Hub(), base_path=lambda: base[0])
    with TestClient(app, base_url="http://localhost") as client:
        assert client.get("/zh/").status_code == 200
        base[0] = "/文/"
        assert client.get("/zh/").status_code == 404
        assert client.get("/文/zh/").status_code == 200


def test_the_index_of_the_search_is_made_when_it_is_asked_for(output: Path) -> None:
    asked: list[str] = []

    def search(path: str) -> bytes | None:
        asked.append(path)
        return b"{}" if path.endswith(".json") else None

    app = make_app(output=output, hub=Hub(), base_path=lambda: "/blog/", search=search)
    with TestClient(app, base_url="http://localhost:8000") as client:
        answer = client.get("/blog/pagefind/zh/pagefind-entry.json?ts=1")
        assert (answer.status_code, answer.text) == (200, "{}")
        assert answer.headers["content-type"] == "application/json"
        assert client.get("/blog/pagefind/zh/other").status_code == 404
        assert client.get("/blog/bare.html").status_code == 200
    assert asked == ["zh/pagefind-entry.json", "zh/other"]
