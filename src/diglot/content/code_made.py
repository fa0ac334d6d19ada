"""The highlighted code of a parsed half: most of it stays as it is when the half is edited."""

import re
from collections.abc import Iterator, Mapping
from html import unescape
from typing import TypeAlias

from diglot.content.records import Document

CodeMade: TypeAlias = Mapping[tuple[str, str], str]
"""What `highlighting.highlighted` gave for code and a language that has markup."""

NONE_MADE: CodeMade = {}

_BLOCK = re.compile(
    r'(?:<p class="file">[^<]*</p>)?<pre><code class="language-([^"]*)">(.*<span .*)</code></pre>', re.DOTALL
)
_TAG = re.compile("<[^>]*>")
_WITH_LINES = ('class="linenos"', 'class="hll"')
"""What `code_options.with_lines` adds."""


def code_made(document: Document) -> CodeMade:
    """The highlighted code of a half, but for code with numbers or marked lines, and in lists and quotes."""
    return dict(_found(document))


def _found(document: Document) -> Iterator[tuple[tuple[str, str], str]]:
    for block in document.blocks:
        if block.kind != "code" or len(block.parts) != 1 or not isinstance(html := block.parts[0], str):
            continue
        if (found := _BLOCK.fullmatch(html)) is not None and not any(one in html for one in _WITH_LINES):
            language, code = unescape(found[1]), unescape(_TAG.sub("", found[2]))
            yield (code, language), found[2]
