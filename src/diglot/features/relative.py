"""Pages with relative addresses, which browsers can open from files."""

from collections.abc import Mapping

from diglot.engine import Key
from diglot.rules.features import Copies, Feature
from diglot.rules.manifest import OutputFile
from diglot.rules.options import RELATIVE
from diglot.rules.relative import relative_files
from diglot.rules.tasks import Fetch


async def _find_copies(fetch: Fetch, files: Mapping[str, OutputFile]) -> Mapping[str, Key]:
    return relative_files(files.values()) if await fetch(RELATIVE) else {}


feature = Feature("relative", copies=(Copies(_find_copies, replace=True),))
