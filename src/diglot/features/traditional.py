"""Chinese pages in traditional characters, each a copy of a finished one."""

from collections.abc import Mapping

from diglot.engine import Key
from diglot.rules.features import Copies, Feature
from diglot.rules.manifest import OutputFile
from diglot.rules.projects import read_site_settings
from diglot.rules.tasks import Fetch
from diglot.rules.traditional import read_settings, traditional_files


async def _find_copies(fetch: Fetch, files: Mapping[str, OutputFile]) -> Mapping[str, Key]:
    if (await fetch(read_site_settings)).traditional is None:
        return {}
    return traditional_files(files.values(), await fetch(read_settings))


feature = Feature("traditional", copies=(Copies(_find_copies),))
