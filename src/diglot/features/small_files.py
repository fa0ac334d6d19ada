"""Small files for hosts, browsers and machines that read the site."""

from collections.abc import Mapping

from diglot.engine import Key
from diglot.render.sitemaps import ROBOTS_PATH, SITEMAP_PATH
from diglot.rules.features import SITE_WIDE, Feature, Output
from diglot.rules.files import write_no_jekyll
from diglot.rules.pages import make_robots, make_sitemap
from diglot.rules.small_files import write_web_manifest
from diglot.rules.tasks import Fetch
from diglot.site_map import MANIFEST_PATH


async def _find_files(_fetch: Fetch, _site: None) -> Mapping[str, Key]:
    return {
        SITEMAP_PATH: make_sitemap.key(None),
        ROBOTS_PATH: make_robots.key(None),
        ".nojekyll": write_no_jekyll.key(None),
        MANIFEST_PATH: write_web_manifest.key(None),
    }


feature = Feature(
    "small-files",
    outputs=(
        Output(
            SITE_WIDE,
            files=_find_files,
            makes=(make_sitemap, make_robots, write_no_jekyll, write_web_manifest),
        ),
    ),
)
