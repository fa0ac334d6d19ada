"""Files for search engines: `sitemap.xml` with the languages of every page, and `robots.txt`."""

from collections.abc import Iterable
from xml.etree import ElementTree as ET

from diglot.project import Project
from diglot.render.page_parts import addresses_of
from diglot.render.versions import pages_to_index
from diglot.render.xml import xml_document
from diglot.site_map import SiteMap

SITEMAP_PATH = "sitemap.xml"
ROBOTS_PATH = "robots.txt"


def sitemap_xml(
    project: Project, site_map: SiteMap, figures: Iterable[str] = (), chips: Iterable[str] = ()
) -> str:
    """All pages to be indexed, each with its alternates and the day of its last change.

    `figures` and `chips` are the names in addresses of those that have pages of their own.
    """
    addresses = addresses_of(project)
    root = ET.Element(
        "urlset",
        {
            "xmlns": "http://www.sitemaps.org/schemas/sitemap/0.9",
            "xmlns:xhtml": "http://www.w3.org/1999/xhtml",
        },
    )
    for versions, changed in pages_to_index(project, site_map, figures, chips):
        alternates = versions.alternates(addresses)
        for path in versions.indexed:
            url = ET.SubElement(root, "url")
            ET.SubElement(url, "loc").text = addresses.whole(path)
            if changed:
                ET.SubElement(url, "lastmod").text = changed.isoformat()
            for alternate in alternates:
                attributes = {"rel": "alternate", "hreflang": alternate.hreflang, "href": alternate.url}
                ET.SubElement(url, "xhtml:link", attributes)
    return xml_document(root, SITEMAP_PATH)


def robots_txt(project: Project) -> str:
    """Allows everything, and gives the address of the sitemap."""
    return f"User-agent: *\nAllow: /\n\nSitemap: {addresses_of(project).whole(SITEMAP_PATH)}\n"
