"""Old addresses of articles: pages that lead on, and the list of them for hosts that can do so."""

from collections.abc import Mapping

from diglot.diagnostics import Diagnostic
from diglot.engine import Key
from diglot.rules.features import SITE_WIDE, Feature, Output, Refused
from diglot.rules.ids import HalfId
from diglot.rules.pages import make_redirect_page
from diglot.rules.small_files import REDIRECTS_PATH, write_redirects
from diglot.rules.summaries import alias_location, map_articles, readable_aliases
from diglot.rules.tasks import Fetch
from diglot.site_map import output_path


async def _find_list(fetch: Fetch, _site: None) -> Mapping[str, Key]:
    articles = (await fetch(map_articles)).everything
    return {REDIRECTS_PATH: write_redirects.key(None)} if any(one.aliases for one in articles) else {}


async def _find_pages(fetch: Fetch, _site: None) -> Mapping[str, Key]:
    site_map = await fetch(map_articles)
    found = {
        output_path(alias): make_redirect_page.key(HalfId(article.name, language))
        for article in site_map.everything
        for alias, language in article.aliases
    }
    for name in site_map.broken:  # no page is made for it, but its aliases may be in the way of others
        for alias, language in (await readable_aliases(fetch, name)).items():
            found.setdefault(output_path(alias), make_redirect_page.key(HalfId(name, language)))
    return found


async def _describe_mistake(fetch: Fetch, refused: Refused) -> Diagnostic:
    article, alias = HalfId.parse(refused.key.name).article, refused.path.removesuffix("index.html")
    return Diagnostic(
        rule="alias-clash",
        message=f'the alias "/{alias}" of {article} {refused.why}',
        location=await alias_location(fetch, article, alias),
        fix="delete it from `aliases:`.",
    )


feature = Feature(
    "redirects",
    outputs=(
        Output(SITE_WIDE, files=_find_list, makes=(write_redirects,)),
        Output(
            SITE_WIDE,
            files=_find_pages,
            makes=(make_redirect_page,),
            called=lambda key: f"an alias of {HalfId.parse(key.name).article}",
            gives_way=True,
            mistake=_describe_mistake,
        ),
    ),
)
