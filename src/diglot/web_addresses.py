"""Addresses as authors write them: which lead out of the site, which run something, which are mistyped.

And as programs want them: RFC 3986 knows no characters beyond ASCII, and no spaces.
"""

import re
from typing import NamedTuple
from urllib.parse import quote, unquote, urlsplit

HARMLESS = frozenset(("http", "https", "mailto", "tel", "sms", "xmpp", "irc", "ircs", "magnet", "ftp"))
"""Schemes of addresses that run nothing in a page."""
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_MISTYPED = {
    "http": "hhtp hppt htp htpp htt httl httt htttp hxxp ttp",
    "https": "hhttps hpps htps htpps httpss httsp htttps hppts hptts htpts hxxps ttps htttsp hhtps",
    "mailto": "email e-mail mail maito mailo mailt malito maillto mailtto mialto mailton",
}
_MEANT = {typed: meant for meant, words in _MISTYPED.items() for typed in words.split()}
_DRIVE = re.compile(r"[A-Za-z]:(?:[\\/]|%5C)", re.IGNORECASE)
_HOST = re.compile(r"(?:[\w-]+\.)+(?:[a-z]{2,}|xn--[\w-]+)(?::\d+)?(?=[/?#]|$)", re.IGNORECASE)
_DOI = re.compile(r"10\.\d{4,9}/\S+")
_PERSON = re.compile(r"[\w.+-]+@(?:[\w-]+\.)+[a-z]{2,}", re.IGNORECASE)


def is_elsewhere(address: str) -> bool:
    """Whether an address has a scheme or a host, and so is none of a file of the project."""
    return _SCHEME.match(address) is not None or address.startswith("//")


def runs_nothing(address: str) -> bool:
    """Whether an address is relative, or has a scheme that runs nothing, however it is spaced."""
    scheme = _SCHEME.match(re.sub(r"[\x00-\x20]", "", address))
    return scheme is None or scheme[0][:-1].lower() in HARMLESS


def runs_a_script(address: str) -> bool:
    """Whether a link to an address runs a script in place of leading anywhere."""
    return re.sub(r"[\x00-\x20]", "", address).lower().startswith(("javascript:", "vbscript:"))


_RESERVED = re.compile(r"(?:.+\.)?(?:example(?:\.(?:com|net|org|edu))?|test|invalid|localhost)\.?")
"""Names that RFC 2606 and RFC 6761 keep for examples and tests."""
_YOURS = re.compile(
    r"(?:your|my)[-_]?(?:user[-_]?|own[-_]?)?(?:name|site|domain|blog|org|account|company)"
    r"|user[-_]?name|change[-_]?me|placeholder|todo"
)
"""Parts of names that guides write for the reader's own."""


def is_placeholder(base_url: str) -> bool:
    """Whether an address is one of examples, of tests, or of the author's own machine."""
    host = urlsplit(base_url).hostname or ""
    if host in ("::1", "::", "0.0.0.0") or re.fullmatch(r"127(?:\.\d{1,3}){3}", host):
        return True
    labels = host.split(".")
    return _RESERVED.fullmatch(host) is not None or any(_YOURS.fullmatch(label) for label in labels)


class Mistake(NamedTuple):
    """What is wrong with an address, and what to do."""

    what: str
    fix: str


def mistake_in(address: str) -> Mistake | None:
    """What is mistyped in an address that leads out of the site; None if nothing seems to be."""
    scheme, _, rest = address.partition(":")
    scheme = scheme.lower()
    if (plain := unquote(address)).endswith(_END_OF_SENTENCE) and rest:
        new = plain.rstrip("".join(_END_OF_SENTENCE))
        return Mistake("ends with the mark of a sentence", f'write "{new}".')
    for opening, closing in _PAIRS:
        if rest and opening not in plain and closing in plain:
            new = plain.partition(closing)[0]
            return Mistake(
                f'has a "{closing}" that nothing opens', f'write "{new}", and what follows as text.'
            )
    if _DRIVE.match(address) or scheme == "file":
        name = re.split(r"[\\/:]", unquote(address))[-1]
        return Mistake(
            "is the path of a file on one computer",
            f'put the file next to the article, and write "{name}".'
            if name
            else "put the file next to the article, and write its name.",
        )
    if address.startswith("//"):
        return _mistake_without_scheme(address)
    if (meant := _MEANT.get(scheme)) is not None:
        bare = rest.lstrip("/\\")
        return Mistake(
            f'begins with "{scheme}:", which no program opens',
            f'write "{meant}:{bare}".' if meant == "mailto" else f'write "{meant}://{bare}".',
        )
    if scheme in _WITH_HOST:
        return _mistake_after_http(scheme, rest) or _broken_escape(address)
    if scheme == "mailto":
        return _mistake_after_mailto(rest) or _broken_escape(address)
    if scheme in ("tel", "sms"):
        return _mistake_after_tel(scheme, rest)
    if ("." in scheme or scheme == "localhost") and re.match(r"\d+(?:[/?#]|$)", rest):
        begin = "http" if scheme == "localhost" else "https"
        return Mistake("does not say how to get there", f'write "{begin}://{address}".')
    if (resolver := _RESOLVERS.get(scheme)) is not None and (name := rest.lstrip("/")):
        return Mistake(f'begins with "{scheme}:", which no program opens', f'write "{resolver}{name}".')
    if len(scheme) == 1:
        return Mistake(f'begins with "{scheme}:", which no program opens', f'write "./{address}".')
    return None


def mistake_in_picture(address: str) -> Mistake | None:
    """What is wrong with the address of a picture on another site: certainly it is that of a page."""
    found = re.match(r"https?://([^/?#]+)([^?#]*)(\??)", address, re.IGNORECASE)
    if found is None or found[3]:
        return None
    host, path = found[1].lower(), found[2].lower()
    what = "is the address of a page, and of no picture"
    if host == "github.com" and "/blob/" in path:
        return Mistake(what, f'write "{address.replace("/blob/", "/raw/", 1)}".')
    is_about_a_file = host.endswith(("wikipedia.org", "wikimedia.org")) and "/wiki/" in path
    if is_about_a_file or path in ("", "/") or path.endswith((".html", ".htm", ".php")):
        return Mistake(what, "write the address of the picture's file, or make it a link.")
    return None


_END_OF_SENTENCE = ("。", "，", "、", "；", "：", "！", "？")
_PAIRS = (("《", "》"), ("「", "」"), ("『", "』"), ("【", "】"), ("（", "）"), ("“", "”"))
_RESOLVERS = {
    "doi": "https://doi.org/",
    "arxiv": "https://arxiv.org/abs/",
    "hdl": "https://hdl.handle.net/",
    "orcid": "https://orcid.org/",
    "pmid": "https://pubmed.ncbi.nlm.nih.gov/",
    "github": "https://github.com/",
}
"""Where what is written like a scheme in references is found on the web."""
_WITH_HOST = ("http", "https", "ftp")
_LAST_PORT = 65535
_NO_HOST = Mistake("names no host", "write the whole address, as in https://example.org/.")
_BROKEN_ESCAPE = re.compile("%(?![0-9A-Fa-f]{2}).{0,2}", re.S)


def _broken_escape(address: str) -> Mistake | None:
    escape = _BROKEN_ESCAPE.search(address)
    if escape is None:
        return None
    mended = re.sub("%(?![0-9A-Fa-f]{2})", "%25", address)
    return Mistake(f'has "{escape[0]}", which does not encode a character', f'write "{mended}".')


def _mistake_after_http(scheme: str, rest: str) -> Mistake | None:
    path = rest.lstrip("/\\")
    slashes = rest[: len(rest) - len(path)]
    if again := re.match(r"(?:https?:)?/*(?=https?:/)|(?:https?//)", path, re.IGNORECASE):
        inner = path[again.end() :]
        bare = re.sub(r"^https?:/*", "", inner, flags=re.IGNORECASE)
        return Mistake("says twice how to get there", f'write "{scheme}://{bare}".')
    site = re.split(r"[/\\?#]", path, maxsplit=1)[0]
    behind = path[len(site) :]
    credentials, at, place = site.rpartition("@")
    if _is_ip(place, 6):
        return Mistake(
            "has an IPv6 address without brackets", f'write "{scheme}://{credentials}{at}[{place}]{behind}".'
        )
    if (mistake := _mistake_in_place(place)) is not None:
        return mistake
    if slashes != "//":
        return Mistake(f'needs two slashes after "{scheme}:"', f'write "{scheme}://{path}".')
    if ":" in credentials and not credentials.endswith(":"):
        return Mistake("shows a password to all readers", f'write "{scheme}://{place}{behind}".')
    host = re.escape(re.sub(r"^(?:www|dx)\.", "", place.lower()))
    again = re.match(rf"/+(?:[a-z]+/)?(?:https?:/*)?(?:www\.|dx\.)?{host}(?=/)", behind, re.IGNORECASE)
    if again is not None:
        return Mistake("has its host twice", f'write "{scheme}://{place}{behind[again.end() :]}".')
    if _OF_PREVIEW.match(path) is not None:
        fix = "write the name of the article's file, as in ../roofline/zh.md."
        return Mistake("is an address of the preview, which only this computer has", fix)
    if place.partition(":")[0] == _ALL_OF_THIS_COMPUTER:
        fix = f'write "{scheme}://{place.replace(_ALL_OF_THIS_COMPUTER, "localhost")}{behind}".'
        return Mistake("is where a server listens, and no address to open", fix)
    return None


_ALL_OF_THIS_COMPUTER = "0.0.0.0"


_OF_PREVIEW = re.compile(
    r"(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(?::\d+)?/(?:zh|en)(?:[/?#]|$)", re.IGNORECASE
)
"""A page of a site on the computer that made it."""


def _mistake_in_place(place: str) -> Mistake | None:
    """What is wrong with the name of a host, or with the port after it."""
    in_brackets = re.fullmatch(r"\[([^\[\]]*)\](?::(.*))?", place)
    if in_brackets is not None:
        host, port = in_brackets[1], in_brackets[2] or ""
        if not _is_ip(unquote(host), 6):
            fix = "write an IPv6 address in the brackets, as in http://[::1]/, or leave them out."
            return Mistake(f'has "{host}" for an IPv6 address', fix)
    elif "[" in place or "]" in place:
        fix = "write both brackets around an IPv6 address, as in http://[::1]/."
        return Mistake(f'has "{place}" for a host', fix)
    else:
        name, _, port = place.partition(":")
        host = _readable(name)
        if not host.strip("."):
            return _NO_HOST
        if not _is_host(host):
            fix = "write the name of a host, as in https://example.org/, or four numbers up to 255."
            return Mistake(f'has "{host}" for a host', fix)
        if (mistake := _mistake_in_name(host)) is not None:
            return mistake
    if port and not (port.isascii() and port.isdecimal() and int(port) <= _LAST_PORT):
        fix = "write the number of the port, at most 65535, or leave the colon out."
        return Mistake(f'has "{port}" for a port', fix)
    return None


def _readable(host: str) -> str:
    """The name of a host as its author wrote it, before it was encoded."""
    try:
        return unicode_host(unquote(host))
    except ValueError:
        return host


def _is_host(name: str) -> bool:
    """Whether a name can be that of a host. A dot may be at its end.

    As in browsers (WHATWG, "ends in a number"), one whose last part is a number is an address of numbers.
    """
    labels = re.split("[.。．｡]", name)
    if len(labels) > 1 and not labels[-1]:
        labels.pop()
    if labels[-1].isdecimal():
        if len(labels) == _MOST_NUMBERS:
            return _is_ip(".".join(labels), 4)
        beyond_last = _BEYOND_BYTE ** (_MOST_NUMBERS + 1 - len(labels))
        return (
            len(labels) < _MOST_NUMBERS
            and all(re.fullmatch(r"\d{1,10}", label) for label in labels)
            and all(int(label) < _BEYOND_BYTE for label in labels[:-1])
            and int(labels[-1]) < beyond_last
        )
    return all(_LABEL.fullmatch(label) for label in labels)


def _mistake_in_name(host: str) -> Mistake | None:
    """What no registry gives a name for, although browsers look for it."""
    labels = [label for label in re.split("[.。．｡]", host.lower()) if label]
    if labels[-1].isdecimal() or labels == ["localhost"]:
        return None
    said = f'has "{host}" for a host'
    if any(label.startswith("-") or label.endswith("-") for label in labels):
        return Mistake(said, f'write "{re.sub(r"(?<![^.])-+|-+(?![^.])", "", host)}" for the host.')
    if len(labels) == 1 or labels[:-1] == ["www"]:
        fix = "write the whole name, with its ending, as in https://example.org/."
        return Mistake(f"{said}, which readers do not find: it has no ending such as .org", fix)
    if "_" in labels[-2] + labels[-1]:
        meant = host.replace("www_", "www.").replace("_", "-")
        return Mistake(f"{said}: there are no underscores in it", f'write "{meant}" for the host.')
    if (ending := _MISTYPED_ENDINGS.get(labels[-1])) is not None:
        return Mistake(f"{said}", f'write ".{ending}" for ".{labels[-1]}".')
    return None


_MISTYPED_ENDINGS = {
    **dict.fromkeys(("con", "cmo", "ocm", "comm", "cim", "vom", "xom"), "com"),
    **dict.fromkeys(("ogr", "rog", "orgg", "og", "orf"), "org"),
    **dict.fromkeys(("ner", "nte", "nett"), "net"),
}
"""Endings that no registry has."""
_MOST_NUMBERS = 4
_BEYOND_BYTE = 256
_LABEL = re.compile(r"[^\x00-,/:-@\[-^`{-\x7f\s‐-›\u3000-\u303f\uff01-\uff65]+")
"""What is between the dots of a host: no signs of ASCII but hyphens, and no punctuation of Chinese."""


def _is_ip(text: str, version: int) -> bool:
    """Whether a text is an address of the Internet Protocol, in version 4 or 6."""
    if version == 6 and ":" not in text:
        return False
    import ipaddress  # noqa: PLC0415  (few addresses need it)

    try:
        return ipaddress.ip_address(text).version == version
    except ValueError:
        return False


def _mistake_after_mailto(rest: str) -> Mistake | None:
    people, question, _ = rest.partition("?")
    if not people and question:
        return None  # whoever clicks says whom to write to
    if (person := people.lstrip("/")) != people and "@" in person:
        return Mistake("names no recipient", f'write "mailto:{rest.lstrip("/")}".')
    for one in people.split(","):
        name, at, written = unquote(one).strip().rpartition("@")
        host = _readable(written)
        is_person = name and at and not re.search(r"[\s@]", name) and host and _is_host(host)
        if not is_person or _mistake_in_name(host) is not None:
            return Mistake("names no recipient", "write it as mailto:name@example.org.")
    return None


_DIALLED = re.compile(r"\s*\+?[\d\s.()*#/‐-–-]*\d[\d\s.()*#/‐-–-]*", re.ASCII)


def _mistake_after_tel(scheme: str, rest: str) -> Mistake | None:
    number, question, _ = unquote(rest).partition("?")
    number = number.partition(";")[0].removeprefix("//")
    if (not number and question and scheme == "sms") or all(map(_DIALLED.fullmatch, number.split(","))):
        return None
    return Mistake("has no number to dial", f"write the number in digits, as in {scheme}:+861012345678.")


def _mistake_without_scheme(address: str) -> Mistake | None:
    """Of an address that begins with two slashes: the name of a host follows."""
    host, _, _ = address[2:].partition("/")
    ending = host.rpartition(".")[2].lower()
    if _HOST.match(address, 2) and ending not in _FILE_ENDINGS:
        return None
    path = address.lstrip("/")
    return Mistake(f'names "{host}" as another site', f'write "/{path}" for a file of this site.')


_FILE_ENDINGS = frozenset(
    re.findall(
        r"[\w-]+",
        """
        avif css csv gif html jpeg jpg js json md mp4 pdf png svg webp zip
        """,
    )
)


def meant_elsewhere(target: str) -> str | None:
    """The address that a target without a scheme seems to mean; None if it names a file."""
    if _PERSON.fullmatch(target):
        return f"mailto:{target}"
    if _DOI.fullmatch(target):
        return f"{_RESOLVERS['doi']}{target}"
    if (typed := re.match(r"(https?|ftp|mailto|tel|sms)\s*[：;；]\s*/*", target, re.IGNORECASE)) is not None:
        slashes = "//" if typed[1].lower() in _WITH_HOST else ""
        return f"{typed[1].lower()}:{slashes}{target[typed.end() :]}"
    typed = re.match(r"(https?)/(/?)/*", target, re.IGNORECASE)
    if typed is not None and (typed[2] or "." in target):
        return f"{typed[1].lower()}://{target[typed.end() :]}"
    host = _HOST.match(target)
    if host is None:
        return None
    is_site = host[0].startswith("www.") or host[0].rpartition(".")[2].lower() in _ENDINGS_OF_SITES
    return f"https://{target}" if is_site else None


_ENDINGS_OF_SITES = frozenset(
    re.findall(
        r"[\w-]+",
        """
        ai app cn co com de dev edu gov hk info io jp me net org tw uk
        """,
    )
)


def without_space_in_host(text: str) -> str | None:
    """What `https://exa mple.org/` is without the space in its host; None for an address without one.

    Next to the space is no whole name: what follows a whole one may be a title without its quotes.
    """
    if (found := _SPACED_HOST.fullmatch(text)) is None:
        return None
    before, after = found["before"], found["after"]
    ending = before.rpartition(".")[2].lower()
    is_whole = before == "localhost" or "." not in after or ("." in before and ending in _ENDINGS_OF_SITES)
    if is_whole and not before.endswith(".") and not after.startswith("."):
        return None
    return f"{found['scheme']}{before}{after}{'%20'.join(found['path'].split())}"


_SPACED_HOST = re.compile(
    r"(?P<scheme>https?://)(?P<before>[\w.-]{1,60})[ \t]+(?P<after>[\w.-]{1,60})"
    r"(?P<path>(?::\d+)?(?:[/?#].*)?)"
)


_KEEPS_ITS_SIGNS = re.compile(rf"{_SCHEME.pattern}(?://[^/?#]*[\[\]]|.*{_BROKEN_ESCAPE.pattern})", re.S)


def keeps_its_signs(address: str) -> bool:
    """Whether an address that leads out of the site has brackets around its host, or a broken escape.

    Encoding as markdown-it does it would drop the ones, and turn the other into characters.
    """
    return _KEEPS_ITS_SIGNS.match(address) is not None


def ascii_host(host: str) -> str:
    """The name of a host in ASCII, as in RFC 5891. Raises ValueError where it cannot be written so."""
    if host.isascii():
        return host.lower()
    import unicodedata  # noqa: PLC0415  (few hosts need it)

    labels = re.split("[.。．｡]", unicodedata.normalize("NFKC", host).lower())
    encoded = [one if one.isascii() else f"xn--{one.encode('punycode').decode()}" for one in labels]
    if any(not one or len(one) > _LONGEST_LABEL for one in encoded):
        raise ValueError(f'"{host}" has a part that is empty or too long')
    return ".".join(encoded)


_LONGEST_LABEL = 63


def unicode_host(host: str) -> str:
    """The name of a host as people read it."""
    return ".".join(
        one[4:].encode().decode("punycode") if one.startswith("xn--") else one for one in host.split(".")
    )


def ascii_address(address: str) -> str:
    """A whole address as RFC 3986 has it. One whose host cannot be written so keeps it."""
    if address.isascii() and " " not in address:
        return address
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
        netloc = parts.netloc if host.isascii() else parts.netloc.lower().replace(host, ascii_host(host))
    except ValueError:
        return quote(address, safe=_KEPT)
    return quote(parts._replace(netloc=netloc).geturl(), safe=_KEPT)


_KEPT = "/:@!$&'()*+,;=?#%~-._[]"
