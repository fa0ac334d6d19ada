"""The page of the site's terms."""

from collections.abc import Mapping

from diglot.engine import Key
from diglot.rules.features import SITE_WIDE, Feature, Output
from diglot.rules.glossary import make_glossary_page
from diglot.rules.projects import read_site_settings
from diglot.rules.site_lists import check_lists
from diglot.rules.summaries import find_page_languages
from diglot.rules.tasks import Fetch
from diglot.site_map import glossary_path, output_path


async def _find_pages(fetch: Fetch, _site: None) -> Mapping[str, Key]:
    if not (await fetch(read_site_settings)).glossary:
        return {}
    languages = await fetch(find_page_languages)
    return {output_path(glossary_path(one)): make_glossary_page.key(one) for one in languages}


feature = Feature(
    "glossary",
    outputs=(Output(SITE_WIDE, files=_find_pages, makes=(make_glossary_page,)),),
    checks=(check_lists,),
)
