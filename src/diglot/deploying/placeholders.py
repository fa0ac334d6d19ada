"""Addresses that are in guides and on nobody's site: a site deployed with one leads its readers away."""

import re
from contextlib import suppress
from ipaddress import ip_address
from urllib.parse import urlsplit

from diglot.diagnostics import Diagnostic, Location
from diglot.project import Project

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
    with suppress(ValueError):
        address = ip_address(host)
        return address.is_loopback or address.is_unspecified
    labels = host.split(".")
    return _RESERVED.fullmatch(host) is not None or any(_YOURS.fullmatch(label) for label in labels)


def placeholder_error(project: Project, text: str, path: str) -> Diagnostic | None:
    """The error about a site that would be deployed with such an address; None for any other.

    `text` is that of the configuration at `path`.
    """
    if not is_placeholder(project.base_url):
        return None
    line = re.search(r"^base_url\s*:.*$", text, re.MULTILINE)
    is_written = line is not None and (urlsplit(project.base_url).hostname or "") in line[0].casefold()
    cname = project.deploy.cname
    theirs = f"https://{cname}/" if cname and not is_placeholder(f"https://{cname}/") else None
    return Diagnostic(
        rule="base-url-placeholder",
        message=f'"{project.base_url}" is a placeholder: feeds, the site map and search engines lead there',
        location=Location(path=path, line=text.count("\n", 0, line.start()) + 1)
        if line is not None and is_written
        else None,
        source_line=line[0] if line is not None and is_written else None,
        fix=f"write {theirs} as `base_url:`."
        if theirs
        else "write the address where readers will find the site as `base_url:`, or give it with --base-url.",
    )
