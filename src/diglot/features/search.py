"""The index of the search."""

from collections.abc import Mapping

from diglot.engine import Key
from diglot.rules.features import SITE_WIDE, Feature, Output
from diglot.rules.search import cut_search_file, find_search_files
from diglot.rules.tasks import Fetch


async def _find_files(fetch: Fetch, _site: None) -> Mapping[str, Key]:
    return {path: cut_search_file.key(name) for path, name in (await find_search_files(fetch)).items()}


feature = Feature("search", outputs=(Output(SITE_WIDE, files=_find_files, makes=(cut_search_file,)),))
