"""Compressed files, each next to one that is a text."""

from collections.abc import Mapping

from diglot.engine import Key
from diglot.rules.compressing import CompressedId, compress, is_compressible
from diglot.rules.features import Copies, Feature
from diglot.rules.manifest import OutputFile
from diglot.rules.options import ENCODINGS
from diglot.rules.tasks import Fetch


async def _find_copies(fetch: Fetch, files: Mapping[str, OutputFile]) -> Mapping[str, Key]:
    encodings = await fetch(ENCODINGS)
    return {
        path: compress.key(CompressedId(encoding, output.kind, output.name))
        for output in files.values()
        if is_compressible(output)
        for encoding in encodings
        if (path := f"{output.path}.{encoding}") not in files
    }


feature = Feature("compressing", copies=(Copies(_find_copies),))
