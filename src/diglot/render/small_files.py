"""Small files for hosts and browsers: `_redirects`, and the manifest of the site as an app."""

from collections.abc import Mapping

import msgspec

from diglot.figures.palette import LIGHT
from diglot.languages import HTML_LANG
from diglot.project import Project
from diglot.render.page_parts import addresses_of
from diglot.site_map import SiteMap

_ICONS = (("favicon.svg", "any", "image/svg+xml"), ("icon-512.png", "512x512", "image/png"))


def redirects(project: Project, site_map: SiteMap) -> str:
    """Old addresses with new ones, a line each, as Cloudflare Pages, GitLab Pages and Netlify read them."""
    addresses = addresses_of(project)
    lines = (
        f"{addresses.path(alias)} {addresses.path(article.path(language))} 301\n"
        for article in site_map.everything
        for alias, language in article.aliases
    )
    return "".join(sorted(lines))


def web_manifest(project: Project, assets: Mapping[str, str]) -> bytes:
    """What browsers show when a reader keeps the site on a home screen, in the site's first language."""
    addresses = addresses_of(project)
    record = {
        "name": project.title.of(project.first),
        "short_name": project.title.of(project.first),
        "description": project.description.of(project.first),
        "lang": HTML_LANG[project.first],
        "id": addresses.path(""),
        "start_url": addresses.path(""),
        "scope": addresses.path(""),
        "display": "browser",
        "background_color": LIGHT["paper"],
        "theme_color": LIGHT["paper"],
        "icons": [
            {"src": addresses.path(assets[name]), "sizes": sizes, "type": type_}
            for name, sizes, type_ in _ICONS
            if name in assets
        ],
    }
    return msgspec.json.encode(record)
