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
    "http": "hhtp hppt htp htpp htt httl httt htttp ttp",
    "https": "hhttps hpps htps htpps httpss httsp htttps hppts hptts htpts ttps htttsp hhtps",
    "mailto": "email e-mail mail maito mailo mailt malito maillto mailtto mialto mailton",
}
_MEANT = {typed: meant for meant, words in _MISTYPED.items() for typed in words.split()}
_DRIVE = re.compile(r"[A-Za-z]:(?:[\\/]|%5C)", re.IGNORECASE)
_HOST = re.compile(r"(?:[\w-]+\.)+(?:[a-z]{2,}|xn--[\w-]+)(?::\d+)?(?=[/?#]|$)", re.IGNORECASE)
_PERSON = re.compile(r"[\w.+-]+@(?:[\w-]+\.)+[a-z]{2,}", re.IGNORECASE)


def is_elsewhere(address: str) -> bool:
    """Whether an address has a scheme or a host, and so is none of a file of the project."""
    return _SCHEME.match(address) is not None or address.startswith("//")


def runs_nothing(address: str) -> bool:
    """Whether an address is relative, or has a scheme that runs nothing, however it is spaced."""
    scheme = _SCHEME.match(re.sub(r"[\x00-\x20]", "", address))
    return scheme is None or scheme[0][:-1].lower() in HARMLESS


class Mistake(NamedTuple):
    """What is wrong with an address, and what to do."""

    what: str
    fix: str


def mistake_in(address: str) -> Mistake | None:
    """What is mistyped in an address that leads out of the site; None if nothing seems to be."""
    scheme, _, rest = address.partition(":")
    scheme = scheme.lower()
    if _DRIVE.match(address) or scheme == "file":
        name = re.split(r"[\\/]", unquote(address))[-1]
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
    if scheme in ("http", "https"):
        return _mistake_behind_http(scheme, rest)
    if scheme == "mailto" and ("@" not in unquote(rest) or rest.startswith("/")) and not rest.startswith("?"):
        person = rest.lstrip("/")
        fix = f'write "mailto:{person}".' if "@" in person else "write it as mailto:name@example.org."
        return Mistake("names nobody to write to", fix)
    if ("." in scheme or scheme == "localhost") and re.match(r"\d+(?:[/?#]|$)", rest):
        begin = "http" if scheme == "localhost" else "https"
        return Mistake("does not say how to get there", f'write "{begin}://{address}".')
    if len(scheme) == 1:
        return Mistake(f'begins with "{scheme}:", which no program opens', f'write "./{address}".')
    return None


_PORT = re.compile(r"(?:[^/?#@]*@)?(?:\[[^\]/?#]*\]|[^:/?#\[\]]*):([^/?#]+)")
_LAST_PORT = 65535


def _mistake_behind_http(scheme: str, rest: str) -> Mistake | None:
    path = rest.lstrip("/\\")
    slashes = rest[: len(rest) - len(path)]
    if again := re.match(r"(?:https?:)?/*(?=https?:/)|(?:https?//)", path, re.IGNORECASE):
        inner = path[again.end() :]
        bare = re.sub(r"^https?:/*", "", inner, flags=re.IGNORECASE)
        return Mistake("says twice how to get there", f'write "{scheme}://{bare}".')
    if not path:
        return Mistake("names no host", "write the whole address, as in https://example.org/.")
    port = _PORT.match(path)
    if port is not None and not (port[1].isdecimal() and int(port[1]) <= _LAST_PORT):
        fix = "write the number of the port, at most 65535, or leave the colon out."
        return Mistake(f'has "{port[1]}" for a port', fix)
    if slashes != "//":
        return Mistake(f'has not two slashes behind "{scheme}:"', f'write "{scheme}://{path}".')
    return None


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
    if (typed := re.match(r"(https?|mailto)\s*[：;；]\s*/*", target, re.IGNORECASE)) is not None:
        slashes = "" if typed[1].lower() == "mailto" else "//"
        return f"{typed[1].lower()}:{slashes}{target[typed.end() :]}"
    if (typed := re.match(r"(https?)/+", target, re.IGNORECASE)) is not None and "." in target:
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
