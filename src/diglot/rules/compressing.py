"""Compressed copies of files, for web servers that send them as they are."""

import gzip
from importlib import import_module
from typing import NamedTuple, Self

from diglot.engine import BlobReference, Packs, Target
from diglot.rules.manifest import OutputFile
from diglot.rules.options import Encoding
from diglot.rules.tasks import Fetch, in_worker, task

_TEXTS = (".css", ".csv", ".html", ".js", ".json", ".md", ".svg", ".txt", ".webmanifest", ".xml")
_GZIP_LEVEL = 9
_BROTLI_QUALITY = 9
"""The highest, 11, takes twenty times as long and saves a few percent."""


class CompressedId(NamedTuple):
    """A compressed file, with the task that makes the original: `gz article-page roofline:zh`."""

    encoding: Encoding
    kind: str
    name: str

    def __str__(self) -> str:
        return f"{self.encoding} {self.kind} {self.name}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a name that `str` wrote."""
        encoding, kind, name = text.split(" ", 2)
        return cls("br" if encoding == "br" else "gz", kind, name)


def is_compressible(output: OutputFile) -> bool:
    """Whether a file is text; pictures and fonts are compressed in themselves."""
    return output.path.endswith(_TEXTS)


@task("compressed", bytes)
async def compress(fetch: Fetch, file: CompressedId) -> BlobReference:
    """A file, compressed. The same content gives the same bytes."""
    original: Target[str, bytes] = Target(file.kind)
    content = await fetch(original, file.name)
    return await in_worker(fetch, _compressed, content, file.encoding)


def _compressed(packs: Packs, content: bytes, encoding: Encoding) -> BlobReference:
    if encoding == "gz":
        return packs.add(gzip.compress(content, _GZIP_LEVEL, mtime=0))
    brotli = import_module("brotli")  # of the extra `diglot[brotli]`
    return packs.add(brotli.compress(content, quality=_BROTLI_QUALITY))
