"""The values that articles and figures show, as files that programs read."""

from collections.abc import Mapping

from diglot.engine import Key
from diglot.rules.features import HALF, SITE_WIDE, Feature, Output
from diglot.rules.figures import find_shown_figures
from diglot.rules.ids import HalfId
from diglot.rules.references import resolve_references
from diglot.rules.summaries import find_page_languages, summarise
from diglot.rules.tasks import Fetch
from diglot.rules.values import cut_values, write_figures, write_values
from diglot.site_map import figures_path, values_path


async def _find_lists(fetch: Fetch, _site: None) -> Mapping[str, Key]:
    if not await find_shown_figures(fetch):
        return {}
    return {figures_path(one): write_figures.key(one) for one in await fetch(find_page_languages)}


async def _find_values(fetch: Fetch, half: HalfId) -> Mapping[str, Key]:
    if not (await fetch(resolve_references, half)).quoted or not (await fetch(cut_values, half)).values:
        return {}
    path = (await fetch(summarise, half.article)).path(half.language)
    return {values_path(path): write_values.key(half)}


feature = Feature(
    "values",
    outputs=(
        Output(SITE_WIDE, files=_find_lists, makes=(write_figures,)),
        Output(HALF, files=_find_values, makes=(write_values,)),
    ),
)
