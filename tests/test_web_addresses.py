"""Addresses: which run something, which are mistyped and what is meant, and how programs write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.web_addresses import (
    ascii_address,
    ascii_host,
    is_elsewhere,
    meant_elsewhere,
    mistake_in,
    mistake_in_picture,
    runs_nothing,
    unicode_host,
)


@pytest.mark.parametrize(
    ("address", "fix"),
    [
        ("C:\\a.png", 'put the file next to the article, and write "a.png".'),
        ("c:/pictures/a.png", 'put the file next to the article, and write "a.png".'),
        ("C:%5Cpictures%5Ca%20b.png", 'put the file next to the article, and write "a b.png".'),
        ("file:///home/me/a.png", 'put the file next to the article, and write "a.png".'),
        ("FILE://host/", "put the file next to the article, and write its name."),
        ("Http://EXAMPLE.com:99999/", "write the number of the port, at most 65535, or leave the colon out."),
        ("https://x.org:80a/b", "write the number of the port, at most 65535, or leave the colon out."),
        ("http://me@[::1]:70000", "write the number of the port, at most 65535, or leave the colon out."),
        ("htps://x.org/a", 'write "https://x.org/a".'),
        ("HTTSP://x.org", 'write "https://x.org".'),
        ("htp:/x.org", 'write "http://x.org".'),
        ("http:/x.org/a", 'write "http://x.org/a".'),
        ("https:x.org", 'write "https://x.org".'),
        ("https:///x.org", 'write "https://x.org".'),
        ("http:\\\\x.org", 'write "http://x.org".'),
        ("https://https://x.org/a", 'write "https://x.org/a".'),
        ("https://http://x.org/a", 'write "https://x.org/a".'),
        ("http://http//x.org", 'write "http://x.org".'),
        ("https://", "write the whole address, as in https://example.org/."),
        ("//a.png", 'write "/a.png" for a file of this site.'),
        ("//posts/a/", 'write "/posts/a/" for a file of this site.'),
        ("mailto:me", "write it as mailto:name@example.org."),
        ("mailto://me@x.org", 'write "mailto:me@x.org".'),
        ("maito:me@x.org", 'write "mailto:me@x.org".'),
        ("localhost:8000/a", 'write "http://localhost:8000/a".'),
        ("x.org:8080", 'write "https://x.org:8080".'),
        ("doi:10.1000/1", 'write "https://doi.org/10.1000/1".'),
        ("DOI:10.1000/1(2)", 'write "https://doi.org/10.1000/1(2)".'),
        ("arxiv:2301.1", 'write "https://arxiv.org/abs/2301.1".'),
        ("arXiv:hep-th/9901001", 'write "https://arxiv.org/abs/hep-th/9901001".'),
        ("hdl:1/2", 'write "https://hdl.handle.net/1/2".'),
        ("orcid:0000-0002", 'write "https://orcid.org/0000-0002".'),
        ("pmid:1", 'write "https://pubmed.ncbi.nlm.nih.gov/1".'),
        ("github:a/b", 'write "https://github.com/a/b".'),
        ("b:1.png", 'write "./b:1.png".'),
        ("hxxps://x.org/a", 'write "https://x.org/a".'),
        ("http://0.0.0.0:8000/a", 'write "http://localhost:8000/a".'),
        ("https://me:pass@x.org:8443/a?b", 'write "https://x.org:8443/a?b".'),
        ("https://doi.org/https://doi.org/10.1000/1", 'write "https://doi.org/10.1000/1".'),
        ("https://doi.org/http://dx.doi.org/10.1000/1", 'write "https://doi.org/10.1000/1".'),
        ("https://arxiv.org/abs/https://arxiv.org/abs/2301.1", 'write "https://arxiv.org/abs/2301.1".'),
        ("https://www.x.org/x.org/a", 'write "https://www.x.org/a".'),
    ],
)
def test_a_mistyped_address_has_a_fix_that_is_none(address: str, fix: str) -> None:
    mistake = mistake_in(address)
    assert is_elsewhere(address)
    assert mistake is not None
    assert mistake.fix == fix
    if fix.startswith('write "'):
        assert mistake_in(fix.split('"')[1]) is None


NO_HOST = "write the whole address, as in https://example.org/."
HOST = "write the name of a host, as in https://example.org/, or four numbers up to 255."
BRACKETS = "write both brackets around an IPv6 address, as in http://[::1]/."
NO_IPV6 = "write an IPv6 address in the brackets, as in http://[::1]/, or leave them out."
MAIL = "write it as mailto:name@example.org."
PREVIEW = "write the name of the article's file, as in ../roofline/zh.md."
TEL = "write the number in digits, as in tel:+861012345678."
LEADING_NOWHERE: dict[str, tuple[str, ...]] = {
    NO_HOST: (
        *(
            "https://?q",
            "http://#a",
            "https://:80/",
            "https://me@/",
            "https://me@:80/",
            "http://.",
            "http://../",
        ),
        *("ftp://", "https://?"),
    ),
    HOST: (
        *("https://a..b/", "https://.com", "https://x.org..", "https://exa%mple.org/", "https://x%20y.org/"),
        *(
            "https://x,org/",
            "https://x.org，见",
            "https://（x.org）",
            "https://<x.org>",
            "https://%7Bhost%7D/a",
        ),
        *(
            "https://192.168.0.1.5/",
            "http://1.2.3.4.5:80",
            "http://300.1/",
            "http://x.5/",
            "http://4294967296",
        ),
        *(f"http://{'1' * 5000}/", "http://1.2.99999/", "http://v1.2.3./"),
        *("http://1.2.3.456/", "https://xn--x-pn0i.xn--org-c16s/", "https://x。。org/"),
    ),
    'write "foo.org" for the host.': ("https://-foo.org/", "https://foo-.org/a"),
    'write "www.python.org" for the host.': ("https://www_python.org",),
    'write "py-thon.org" for the host.': ("https://py_thon.org/",),
    'write ".com" for ".con".': ("https://x.con/",),
    'write ".org" for ".ogr".': ("https://x.y.ogr",),
    "write the whole name, with its ending, as in https://example.org/.": (
        *(
            "https://example/",
            "http://intranet:80/a",
            "https://пример",
            "https://xn--e1afmkfd/",
            "https://中国",
        ),
        *("https://www.python/", "ftp://files/a"),
    ),
    BRACKETS: ("http://[::1", "http://[::1/a", "http://::1]/", "http://[[::1]]/", "http://x[1].org/"),
    NO_IPV6: ("http://[xyz]/", "http://[]/", "http://[1.2.3.4]/", "http://[::1::]:80/"),
    MAIL: (
        *(
            "mailto:",
            "mailto:@x.org",
            "mailto:me@",
            "mailto:me@?subject=a",
            "mailto:me@@x.org",
            "mailto:a,b@x.org",
        ),
        *("mailto:ada@example", "mailto:ada@-x.org", "mailto:ada@x.con"),
        *("mailto:me@x..org", "mailto:a b@x.org", "mailto:me@x.org,"),
    ),
    PREVIEW: (
        *("http://localhost:8000/zh/", "http://LOCALHOST/en", "http://127.0.0.1:4000/en/roofline/#a"),
        *("http://[::1]:8000/zh?q", "https://0.0.0.0:8000/zh/"),
    ),
    TEL: ("tel:", "tel:abc", "tel:+1-800-FLOWERS", "tel:123a", "tel:+", "tel:()", "tel:;ext=1", "tel:一二三"),
    'write "http://[::1]/".': ("http://::1/",),
    'write "http://me@[2001:db8::1]".': ("http://me@2001:db8::1",),
    'write "https://x.org/%25zz".': ("https://x.org/%zz",),
    'write "https://x.org/100%25".': ("https://x.org/100%",),
    'write "https://x.org/%20?q=5%25&a=%252".': ("https://x.org/%20?q=5%&a=%2",),
    'write "mailto:%25zz@x.org".': ("mailto:%zz@x.org",),
}


def test_an_address_that_leads_nowhere_is_a_mistake() -> None:
    fixes = {address: mistake_in(address) for row in LEADING_NOWHERE.values() for address in row}
    wanted = {address: fix for fix, row in LEADING_NOWHERE.items() for address in row}
    assert {address: mistake and mistake.fix for address, mistake in fixes.items()} == wanted
    for fix in LEADING_NOWHERE:
        if fix.startswith('write "'):
            assert mistake_in(fix.split('"')[1]) is None


@pytest.mark.parametrize(
    "address",
    [
        "https://x.org",
        "https://x.org.",
        "https://x_y.z.org:/",
        "http://1.2.3.4:80/%E8%B7%AF",
        "http://[fe80::1%25eth0]/",
        "https://xn--fsqu00a.xn--0zwm56d/",
        "https://例子。测试/路，径（一）",
        "https://☕.example/",
        "https://نامه\u200cای.example/",
        "https://en.wikipedia.org/wiki/A_(b)?c=[d]&e={f}|g",
        "ftp://x.org/a",
        "mailto:a@x.org,%20b@y.org",
        "mailto:me@%E4%BE%8B.org?body=100%25",
        "mailto:a+b.c@localhost",
        "tel:(010) 1234‑5678",
        "tel:*123%23",
        "tel:+86%2010;ext=5",
        "sms:?body=a",
        "sms:+1,+2?body=a",
        "HTTP://x.org/a?u=https://y.org//b",
        "https://例子.测试/",
        "http://localhost:8000/",
        "http://localhost:8000/v1/models",
        "http://1.2.3/",
        "http://2130706433/",
        "https://1.2.3.4.nip.io/",
        "https://zh.x.org/zh/",
        "doi:",
        "http://[::1]/",
        "http://[::1]:8000/a:b",
        "https://x.org/a:70000",
        "https://x.org?u=a:b",
        "https://me@x.org:8443/",
        "https://x.org/x.org.html",
        "https://x.org/a?u=https://x.org/",
        "https://web.archive.org/web/2026/https://x.org/",
        "//cdn.x.org/a.js",
        "mailto:me@x.org?subject=a",
        "mailto:%E6%88%91@x.org",
        "mailto:?subject=a",
        "tel:+86-10",
        "sms:1",
        "vscode://file/a",
        "weixin://x",
        "data:image/png;base64,AA==",
        "urn:isbn:1",
        "magnet:?xt=1",
    ],
)
def test_an_address_that_leads_somewhere_is_no_mistake(address: str) -> None:
    assert mistake_in(address) is None


@pytest.mark.parametrize(
    ("target", "meant"),
    [
        ("www.x.org/a", "https://www.x.org/a"),
        ("x.org", "https://x.org"),
        ("github.com/a/b", "https://github.com/a/b"),
        ("me@x.org", "mailto:me@x.org"),
        ("https：//x.org/a", "https://x.org/a"),
        ("mailto：me@x.org", "mailto:me@x.org"),
        ("https//x.org", "https://x.org"),
        ("https//x", "https://x"),
        ("tel：123", "tel:123"),
        ("ftp：//x.org", "ftp://x.org"),
        ("10.1145/3360307", "https://doi.org/10.1145/3360307"),
        ("10.1/a.png", None),
        ("http/x", None),
        ("a.png", None),
        ("zh.md", None),
        ("../b/zh.md", None),
        ("data.tar.gz", None),
        ("docs.example", None),
        ("图.png", None),
        ("v1.2.3/notes", None),
    ],
)
def test_a_target_without_a_file_may_be_meant_elsewhere(target: str, meant: str | None) -> None:
    assert meant_elsewhere(target) == meant


@pytest.mark.parametrize(
    "address",
    [
        "javascript:x",
        "JaVaScRiPt:x",
        " javascript:x",
        "java\tscript:x",
        "java\nscript:x",
        "\x01javascript:x",
        "j\x00avascript:x",
        "data:text/html,x",
        "vbscript:x",
        "blob:x",
        "file:///x",
    ],
)
def test_what_runs_something_is_known_however_it_is_written(address: str) -> None:
    assert not runs_nothing(address)


@pytest.mark.parametrize(
    "address", ["", "a.png", "/a:b", "?a:b", "#a:b", "https://x.org", "mailto:a@b", "图：a"]
)
def test_what_runs_nothing(address: str) -> None:
    assert runs_nothing(address)


@pytest.mark.parametrize(
    ("host", "encoded"),
    [
        ("例子.测试", "xn--fsqu00a.xn--0zwm56d"),
        ("Bücher.Example", "xn--bcher-kva.example"),
        ("例子。测试", "xn--fsqu00a.xn--0zwm56d"),
        ("ｘ.ORG", "x.org"),
        ("faß.de", "xn--fa-hia.de"),
        ("X.org", "x.org"),
    ],
)
def test_a_host_in_ascii(host: str, encoded: str) -> None:
    assert ascii_host(host) == encoded
    assert ascii_host(unicode_host(encoded)) == encoded


@pytest.mark.parametrize("host", ["例..测", "。例", "例" * 60])
def test_a_host_that_no_server_can_have(host: str) -> None:
    with pytest.raises(ValueError, match="empty or too long"):
        ascii_host(host)


def test_a_picture_at_the_address_of_a_page_is_a_mistake() -> None:
    x = "https://x.org"
    pages = (x, f"{x}/", f"{x}/a.html", f"{x}/a.php", "https://zh.wikipedia.org/wiki/File:A.png")
    assert all(map(mistake_in_picture, pages))
    assert not any(map(mistake_in_picture, (f"{x}/a", f"{x}/a.png", f"{x}/?chart=1", "a.html", "data:,")))
    mistake = mistake_in_picture("https://github.com/a/b/blob/main/c.png")
    assert mistake is not None
    assert mistake.fix == 'write "https://github.com/a/b/raw/main/c.png".'


@pytest.mark.parametrize("begin", ["http://", "https:", "mailto:", "tel:", "sms:", "ftp://", "//", ""])
@given(st.text("a1例:/?#%[]@. &=+,;-", max_size=12))
def test_any_text_is_judged(begin: str, text: str) -> None:
    mistake = mistake_in(begin + text)
    if mistake is not None and mistake.fix.startswith('write "http'):
        mended = mistake.fix.removeprefix('write "').removesuffix('".')
        assert mended != begin + text


@given(st.text("a例/:?#%[]@. &=", max_size=20))
def test_an_address_for_programs_is_ascii_and_stays_so(path: str) -> None:
    address = ascii_address(f"https://例子.测试/{path}")
    assert address.isascii()
    assert " " not in address
    assert ascii_address(address) == address
