"""Addresses that are in guides and on nobody's site: a site deployed with one leads its readers away."""

import re
from urllib.parse import urlsplit

from diglot.diagnostics import Diagnostic, Location
from diglot.project import Project
from diglot.web_addresses import is_placeholder


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
