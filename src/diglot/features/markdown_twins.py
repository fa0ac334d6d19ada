"""Articles as Markdown and the list of them, for programs that read texts."""

from collections.abc import Mapping

from diglot.engine import Key
from diglot.rules.features import HALF, SITE_WIDE, Feature, Output
from diglot.rules.ids import HalfId
from diglot.rules.markdown_twins import LLMS_PATH, make_llms, make_markdown_twin
from diglot.rules.projects import read_site_settings
from diglot.rules.sources import HOME_PAGE, kind_of
from diglot.rules.summaries import summarise
from diglot.rules.tasks import Fetch
from diglot.site_map import markdown_path


async def _find_list(fetch: Fetch, _site: None) -> Mapping[str, Key]:
    return {LLMS_PATH: make_llms.key(None)} if (await fetch(read_site_settings)).markdown else {}


async def _find_twins(fetch: Fetch, half: HalfId) -> Mapping[str, Key]:
    has_twin = half.article != HOME_PAGE and kind_of(half.article) != "talk"
    if not has_twin or not (await fetch(read_site_settings)).markdown:
        return {}
    path = (await fetch(summarise, half.article)).path(half.language)
    return {markdown_path(path): make_markdown_twin.key(half)}


feature = Feature(
    "markdown-twins",
    outputs=(
        Output(SITE_WIDE, files=_find_list, makes=(make_llms,)),
        Output(HALF, files=_find_twins, makes=(make_markdown_twin,)),
    ),
)
