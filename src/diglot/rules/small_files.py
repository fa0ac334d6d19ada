"""Small files for hosts and browsers, as tasks: old addresses, and the site on a home screen."""

from diglot.render.small_files import redirects, web_manifest
from diglot.rules.projects import read_site_settings
from diglot.rules.summaries import map_articles
from diglot.rules.tasks import Fetch, task
from diglot.rules.theme import list_assets

REDIRECTS_PATH = "_redirects"


@task("redirects")
async def write_redirects(fetch: Fetch, _name: None) -> bytes:
    """`_redirects`: old addresses for hosts that can answer with the new one."""
    return redirects(await fetch(read_site_settings), await fetch(map_articles)).encode()


@task("web-manifest")
async def write_web_manifest(fetch: Fetch, _name: None) -> bytes:
    """`site.webmanifest`."""
    return web_manifest(await fetch(read_site_settings), dict(await fetch(list_assets)))
