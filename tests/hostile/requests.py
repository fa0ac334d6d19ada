"""Hostile requests: one function for each kind, which draws one of its cases.

Requests are bytes for a socket, because a library would repair most of them, or refuse to send them.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import quote

SECRET = "kept-to-itself-8f21"
"""Content of files outside the output, and of hidden files inside it."""
PAGE = "/zh/posts/hello/"
LARGE = "/large.bin"


@dataclass(frozen=True, kw_only=True)
class Attack:
    """What is sent on one connection."""

    kind: str
    sent: bytes
    whole: bool = True
    """Whether an answer, or the end of the connection, must follow at once."""
    refused: bool = False
    """Whether a status below 400 would be wrong."""
    most_answers: int = 1


def request(
    target: str | bytes = PAGE,
    *headers: str | bytes,
    method: str = "GET",
    version: str = "HTTP/1.1",
    host: str | None = "localhost",
    body: bytes = b"",
) -> bytes:
    """Return a request after whose answer the connection closes."""
    lines: list[str | bytes] = [b" ".join([_bytes(method), _bytes(target), _bytes(version)])]
    lines += [f"Host: {host}"] if host is not None else []
    lines += [*headers, "Connection: close", "", ""]
    return b"\r\n".join(map(_bytes, lines)) + body


def _bytes(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")


_UP = (
    "..",
    "%2e%2e",
    "%2E.",
    ".%2e",
    "%252e%252e",
    "%c0%ae%c0%ae",
    "%e0%80%ae%e0%80%ae",
    "..;",
    "...",
    "%uff0e",
)
_SLASHES = ("/", "%2f", "%5c", "\\", "%c0%af", "//", "/./", "%252f", "%00/")
_WANTED = (
    "secret.txt",
    "site/site.yaml",
    "etc/passwd",
    ".diglot/store.sqlite",
    "proc/self/environ",
    "windows/win.ini",
    ".git/config",
)


def paths(draw: random.Random) -> Attack:
    """Paths that lead out of the output folder, or to hidden files in it."""
    slash = draw.choice(_SLASHES)
    up = slash.join(draw.choice(_UP) for _ in range(draw.randint(1, 8)))
    inside = draw.choice(["", "zh/", "zh/posts/hello/", "link/", "__diglot/", "assets/"])
    target = draw.choice(
        [
            f"/{inside}{up}{slash}{draw.choice(_WANTED)}",
            f"//{draw.choice(_WANTED)}",
            f"/%2f{draw.choice(_WANTED)}",
            f"/{draw.choice(['C:', 'c%3a', 'file:', '~root', '~'])}/{draw.choice(_WANTED)}",
            f"/{draw.choice(['link', 'leak.txt', 'leak.txt/', 'link/secret.txt', 'link/site/site.yaml'])}",
            "/loop",
            f"/{draw.choice(['.diglot-site', '.git/config', '.hidden', 'zh/.hidden', '.%64iglot-site'])}",
            f"/zh/index.html{draw.choice(['%00', '%00.png', '/', '/..', '%20', '::$DATA', '%0d%0aX: y'])}",
            "/" + draw.choice(["x", "%e4", "%ff", "a/", "%2f", "../"]) * draw.randint(1, 2500),
            "/" + "".join(f"%{draw.randrange(256):02x}" for _ in range(draw.randint(1, 40))),
        ]
    )
    return Attack(kind="paths", sent=request(target, method=draw.choice(["GET", "GET", "HEAD"])))


def methods(draw: random.Random) -> Attack:
    """Methods other than GET and HEAD."""
    names = [
        "POST",
        "PUT",
        "DELETE",
        "PATCH",
        "OPTIONS",
        "TRACE",
        "CONNECT",
        "PROPFIND",
        "get",
        "GETS",
        "G",
        "A" * 999,
    ]
    name = draw.choice([*names, "G\x00T", "GE T", "", "é", "M-SEARCH", "PRI", "{}"])
    target = draw.choice([PAGE, "*", "localhost:80", "/__diglot/", "/__diglot/events", "http://localhost/"])
    return Attack(kind="methods", sent=request(target, method=name), refused=True)


def versions(draw: random.Random) -> Attack:
    """Other versions of the protocol, and invalid ones."""
    version = draw.choice(
        ["HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "HTTP/1.9", "HTTP/11", "http/1.1", "", "HTTP/1.1 x", "\x00"]
    )
    return Attack(kind="versions", sent=request(version=version))


def hosts(draw: random.Random) -> Attack:
    """Host names that the preview must refuse, such as another site's name that resolves to this machine."""
    name = draw.choice(
        [
            *(
                "",
                " ",
                "evil.example",
                "localhost.evil.example",
                "evil.example@localhost",
                "127.0.0.1.evil.example",
            ),
            *(
                "localhost:x",
                "localhost:999999",
                "localhost,evil.example",
                "2130706433",
                "127.1",
                "0.0.0.0",
                "[::2]",
            ),
            *(
                "localhost\tevil",
                "localhost/evil",
                "[::1",
                "lоcalhost",
                "localhost.",
                "a" * 9000,
                "localhost#",
                "::1",
            ),
        ]
    )
    head = draw.choice(
        [
            request(host=name),
            request(PAGE, f"Host: {name}"),
            request(PAGE, "Host: localhost"),
            request(host=None),
            request(version="HTTP/1.0", host=None),
            request(f"http://{name}{PAGE}"),
            request(PAGE, "X-Forwarded-Host: localhost", "Forwarded: host=localhost", host=name),
        ]
    )
    return Attack(kind="hosts", sent=head, refused=not head.startswith(b"GET http://" + b"localhost/"))


def addresses(draw: random.Random) -> Attack:
    """Absolute addresses, as sent to proxies."""
    target = draw.choice(
        [
            *(
                f"http://localhost{PAGE}",
                f"HTTP://127.0.0.1:8000{PAGE}?x",
                "http://localhost",
                "http://[::1]/",
            ),
            *(
                "https://localhost/",
                "http://evil.example/",
                "http:///etc/passwd",
                "http://localhost:80@evil.example/",
            ),
            *(
                "http://localhost/../../secret.txt",
                "http://localhost//etc/passwd",
                "file:///etc/passwd",
                "localhost:80",
            ),
            *(
                "http://localhost%2f/secret.txt",
                "http://localhost\\@evil/",
                "?x",
                "*",
                "#",
                "//evil.example/%2e%2e",
            ),
        ]
    )
    return Attack(kind="addresses", sent=request(target))


def framing(draw: random.Random) -> Attack:
    """Conflicting or invalid lengths, so that it is unclear where the next request begins."""
    inner = request("/__diglot/figures/")
    chunks = b"0\r\n\r\n"
    headers, body = draw.choice(
        [
            (["Content-Length: 0", "Content-Length: 5"], b"abcde"),
            (["Content-Length: 5", "Content-Length: 5"], b"abcde"),
            (["Content-Length: 5, 6"], b"abcde"),
            (["Content-Length: -1"], b""),
            (["Content-Length: +5"], b"abcde"),
            (["Content-Length: 0x5"], b"abcde"),
            (["Content-Length: " + "9" * draw.randint(10, 6000)], b"abc"),
            (["Content-Length : 5"], b"abcde"),
            ([f"Content-Length: {len(chunks)}", "Transfer-Encoding: chunked"], chunks + inner),
            (["Transfer-Encoding: chunked", "Content-Length: 3"], b"1\r\na\r\n0\r\n\r\n" + inner),
            (["Transfer-Encoding: chunked", "Transfer-Encoding: identity"], chunks + inner),
            (["Transfer-Encoding: xchunked"], chunks + inner),
            (["Transfer-Encoding : chunked"], chunks + inner),
            (["Transfer-Encoding:\x0bchunked"], chunks + inner),
            (["Transfer-Encoding: chunked, gzip"], chunks + inner),
            (["Transfer-Encoding: chunked"], b"ffffffffffffffffffff\r\n" + b"a" * 99),
            (["Transfer-Encoding: chunked"], b"-1\r\nabc\r\n0\r\n\r\n"),
            (
                ["Transfer-Encoding: chunked"],
                b"5;" + b"x" * draw.randint(0, 20000) + b"\r\nabcde\r\n0\r\n\r\n",
            ),
            (["Transfer-Encoding: chunked"], b"1\r\na\r\n" * draw.randint(1, 6000) + chunks),
            (["Transfer-Encoding: chunked"], b"1\r\nabc\r\n0\r\n\r\n" + inner),
            (["Transfer-Encoding: chunked"], b"0\r\nX: y\r\nHost: evil\r\n\r\n" + inner),
            (["Expect: 100-continue", "Content-Length: 5"], b""),
            (["Expect: 417", "Content-Length: 0"], b""),
            ([], b"a" * draw.randint(1, 300_000)),
        ]
    )
    draw.shuffle(headers)
    return Attack(kind="framing", sent=request(PAGE, *headers, body=body), most_answers=2)


def ranges(draw: random.Random) -> Attack:
    """Ranges of a file: too many, or ones that do not exist."""
    count = draw.choice([1, 2, 10, 300, 1500])
    one = draw.choice(
        ["0-", "0-0", "-1", "5-2", "-0", "-", "1-99999999999999999999999", "a-b", "0-1,", "٣-", "0x1-"]
    )
    unit = draw.choice(["bytes", "bytes", "Bytes", "bytes ", "lines", "", "bytes=bytes"])
    target = draw.choice([LARGE, "/small.txt", "/empty.txt", PAGE, "/__diglot/reload.js"])
    more = draw.choice(
        [[], ["Range: bytes=0-1"], ['If-Range: "x"'], ["If-Range: Wed, 21 Oct 2015 07:28:00 GMT"]]
    )
    return Attack(kind="ranges", sent=request(target, f"Range: {unit}={','.join([one] * count)}", *more))


def conditions(draw: random.Random) -> Attack:
    """Conditional headers with values that no browser sends."""
    value = draw.choice(['"', '""', "*", "W/", '*, "x"', ",,,,", '"x"' * 900, "\xff", '"\\"', "W/W/*", " "])
    name = draw.choice(["If-None-Match", "If-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range"])
    dates = ["Thu, 99 Foo 99999 99:99:99 GMT", "0", "-1", "Wed, 21 Oct 2015 07:28:00 GMT", "1e999"]
    shown = draw.choice([value, draw.choice(dates)])
    return Attack(
        kind="conditions", sent=request(draw.choice(["/small.txt", PAGE, LARGE]), f"{name}: {shown}")
    )


def heads(draw: random.Random) -> Attack:
    """Headers that are too many, too long or malformed."""
    odd = draw.choice(
        [
            [f"X-{number}: y" for number in range(draw.choice([90, 200, 2000, 20000]))],
            ["X: " + "y" * draw.choice([8000, 17000, 70000, 300_000])],
            ["Cookie: " + "; ".join(f"a{number}=b" for number in range(draw.choice([10, 900, 9000])))],
            [b"X: \xff\xfe\x00y"],
            ["X: \u4f60\u597d", "\u4f60: y"],
            ["no colon"],
            [": no name"],
            ["X : space"],
            ["X: folded", " line", "\tand on"],
            [b"X: bare\nY: line feed"],
            [b"X: bare\rY: return"],
            ["Accept-Encoding: " + "gzip;q=0.1," * 900, "Accept-Language: " + "*," * 3000],
            [
                "Referer: javascript:alert(1)",
                "User-Agent: () { :; }; /bin/true",
                "X-HTTP-Method-Override: DELETE",
            ],
            ["Transfer-Encoding:", "Content-Length:"],
            ["Connection: keep-alive, close, upgrade, host, te", "Keep-Alive: timeout=99999999"],
        ]
    )
    return Attack(kind="heads", sent=request(PAGE, *odd))


def queries(draw: random.Random) -> Attack:
    """Unexpected queries, to the preview's own addresses and to others."""
    value = draw.choice(
        [
            *(
                "9" * 5000,
                "-1",
                "%D9%A3",
                "1e9",
                "NaN",
                "%00",
                "../../secret.txt",
                "$(id)",
                ";id;",
                "--help",
                "{{7*7}}",
            ),
            *(
                "<script>",
                "%0d%0aSet-Cookie:%20a=b",
                "a&" * 2000,
                "a=b&" * 1500,
                "%" * 99,
                "+" * 7000,
                "%ff%fe",
            ),
        ]
    )
    place = draw.choice(
        ["zh/posts/hello/", "", "figures/", "figures", "open", "nope", "events/", "reload.js"]
    )
    name = draw.choice(["since", "page", "file", "line", "path", "editor", ""])
    target = f"/{draw.choice(['', '__diglot/'])}{place}?{name}={value}"
    header = draw.choice([[], [f"Last-Event-ID: {value[:900]}"]])
    return Attack(kind="queries", sent=request(target, *header, method=draw.choice(["GET", "HEAD"])))


def streams(draw: random.Random) -> Attack:
    """Event streams that the client leaves at once."""
    since = draw.choice(["", "?since=1", "?since=99999999999999999999", "?since=" + "9" * 4000, "?since=-1"])
    return Attack(kind="streams", sent=request(f"/__diglot/events{since}"), whole=False)


def sites(draw: random.Random) -> Attack:
    """Requests that another site can make a browser send."""
    origin = draw.choice(
        ["http://evil.example", "null", "http://localhost:1", "file://", "https://localhost.evil", "x"]
    )
    target = draw.choice([PAGE, "/__diglot/", "/__diglot/figures/", "/__diglot/events", LARGE])
    own = draw.choice(["/__diglot/", "/__diglot/figures/", "/__diglot/events"])
    return draw.choice(
        [
            Attack(kind="sites", sent=request(target, f"Origin: {origin}"), refused=True),
            Attack(
                kind="sites",
                sent=request(
                    own,
                    f"Sec-Fetch-Site: {draw.choice(['cross-site', 'same-site'])}",
                    "Sec-Fetch-Mode: no-cors",
                ),
                refused=True,
            ),
            Attack(
                kind="sites",
                sent=request(
                    own, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"
                ),
                refused=True,
            ),
        ]
    )


def upgrades(draw: random.Random) -> Attack:
    """Upgrades to other protocols on the same connection."""
    kind = draw.choice(["websocket", "h2c", "TLS/1.0", "websocket, h2c", "", "x" * 5000])
    more = [
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
        "HTTP2-Settings: AAMAAABk",
    ]
    target = draw.choice([PAGE, "/__diglot/", "/ws"])
    return Attack(kind="upgrades", sent=request(target, f"Upgrade: {kind}", "Connection: Upgrade", *more))


def pipelines(draw: random.Random) -> Attack:
    """Many requests at once."""
    count = draw.choice([2, 5, 20])
    target = draw.choice([PAGE, "/small.txt", "/nope", "/%2e%2e/secret.txt"])
    one = f"GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    last = draw.choice(
        [request(), b"\x00\x01\x02\r\n\r\n", request(host="evil.example"), request(method="POST")]
    )
    return Attack(kind="pipelines", sent=one * count + last, most_answers=count + 1)


def others(draw: random.Random) -> Attack:
    """Bytes that are not HTTP."""
    sent = draw.choice(
        [
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + draw.randbytes(200),
            draw.randbytes(draw.choice([1, 100, 5000, 100_000])) + b"\r\n\r\n",
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            b"\r\n" * draw.choice([1, 50, 50_000]),
            b"EHLO evil\r\n\r\n",
            b"\x00" * 100_000,
            b"GET\r\n\r\n",
            b"GET " + b"/" * draw.choice([20_000, 200_000]),
        ]
    )
    return Attack(kind="others", sent=sent, whole=False, most_answers=2)


def halves(draw: random.Random) -> Attack:
    """Requests that begin and never end."""
    whole = draw.choice([request(), request(PAGE, "Content-Length: 99"), request(LARGE)])
    return Attack(kind="halves", sent=whole[: draw.randint(0, len(whole) - 1)], whole=False)


def changed(draw: random.Random) -> Attack:
    """A valid request with some bytes changed."""
    sent = bytearray(request(PAGE, "Range: bytes=0-9", 'If-None-Match: "x"', "Accept: */*"))
    for _ in range(draw.randint(1, 6)):
        at = draw.randrange(len(sent))
        sent[at : at + draw.randint(0, 3)] = draw.randbytes(draw.randint(0, 3))
    return Attack(kind="changed", sent=bytes(sent), whole=False, most_answers=2)


def names(draw: random.Random) -> Attack:
    """Names of files that a shell or an editor could misinterpret."""
    name = draw.choice(
        ["$(id)", ";id", "--line=1", "`id`", "a b", "a'b\"c", "%{line}", "{path}", "|id", "你好", "\u202e"]
    )
    place = draw.choice(["", "zh/", "__diglot/"])
    target = f"/{place}{quote(name) if draw.random() < 0.7 else name}:{draw.randrange(10**6)}"
    return Attack(kind="names", sent=request(target.replace(" ", "%20")))


KINDS: tuple[Callable[[random.Random], Attack], ...] = (
    *(
        paths,
        paths,
        methods,
        versions,
        hosts,
        addresses,
        framing,
        framing,
        ranges,
        conditions,
        heads,
        queries,
    ),
    *(streams, sites, upgrades, pipelines, others, halves, changed, names),
)
