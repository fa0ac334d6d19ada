"""The works that articles cite, as files that programs read."""

from collections.abc import Mapping

from diglot.engine import Key
from diglot.rules.citations import write_references
from diglot.rules.features import HALF, Feature, Output
from diglot.rules.ids import HalfId
from diglot.rules.references import resolve_references
from diglot.rules.sources import kind_of
from diglot.rules.summaries import summarise
from diglot.rules.tasks import Fetch
from diglot.site_map import references_path


async def _find_files(fetch: Fetch, half: HalfId) -> Mapping[str, Key]:
    if kind_of(half.article) == "talk" or not (await fetch(resolve_references, half)).has_citations:
        return {}
    path = (await fetch(summarise, half.article)).path(half.language)
    return {references_path(path): write_references.key(half)}


feature = Feature("citations", outputs=(Output(HALF, files=_find_files, makes=(write_references,)),))
