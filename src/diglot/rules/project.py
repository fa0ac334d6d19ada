"""The configuration as a value, and a slice of it."""

from diglot.engine import UpstreamFailed
from diglot.project import HtmlPolicy, Project, load_project
from diglot.rules.options import BASE_URL
from diglot.rules.reading import read_text
from diglot.rules.tasks import Fetch, task


@task("project", keeps_last_good=True)
async def read_project(fetch: Fetch, _name: None) -> Project:
    """The configuration."""
    config = fetch.context.options.config
    return load_project(await read_text(fetch, config), config, base_url=await fetch(BASE_URL))


@task("html-policy")
async def read_html_policy(fetch: Fetch, _name: None) -> HtmlPolicy:
    """What becomes of HTML in articles; a slice, so that other changes of the configuration parse nothing."""
    try:
        project = await fetch(read_project)
    except UpstreamFailed:  # nothing is published, but mistakes in articles are found
        return "all"
    return project.html
