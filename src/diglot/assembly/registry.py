"""The features of a site."""

from collections.abc import Iterable, Mapping
from functools import cache

from diglot.engine import Key
from diglot.features import (
    articles,
    cards,
    chip_pages,
    citations,
    compressing,
    extensions,
    feeds,
    figure_files,
    gallery,
    glossary,
    manual,
    markdown_twins,
    pages,
    redirects,
    relative,
    search,
    small_files,
    static_files,
    talks,
    theme,
    traditional,
    values,
)
from diglot.rules.features import Output, Owner, OwnerT
from diglot.rules.traditional import original_of

FEATURES = tuple(
    module.feature
    for module in (
        *(
            pages,
            articles,
            talks,
            small_files,
            feeds,
            markdown_twins,
            manual,
            glossary,
            gallery,
            values,
            cards,
        ),
        *(citations, chip_pages, search, theme, figure_files, static_files, redirects, extensions),
        *(traditional, relative, compressing),
    )
)
"""Of two files that both give way, that of the later feature does. Copies are also made of earlier copies."""


def outputs_of(owner: Owner[OwnerT]) -> Iterable[Output[OwnerT]]:
    """What features make for each article, each figure and so on."""
    return (output for feature in FEATURES for output in feature.outputs if output.of is owner)


@cache
def _by_kind() -> Mapping[str, tuple[int, Output[object]]]:
    """The outputs by the kinds of the tasks that make their files, with their places."""
    outputs = [output for feature in FEATURES for output in feature.outputs]
    return {task.kind: (place, output) for place, output in enumerate(outputs, 1) for task in output.makes}


def output_of(key: Key) -> Output[object] | None:
    """What declares the files that a task makes."""
    _place, output = _by_kind().get(original_of(key).kind, (0, None))
    return output


def standing_of(key: Key) -> int:
    """The rank of a file among others: the one with the higher number is left out."""
    place, output = _by_kind().get(key.kind, (0, None))
    return place if output is not None and output.gives_way else 0


def called(key: Key, path: str) -> str:
    """What the author of a site calls a file of it."""
    output = output_of(key)
    if output is not None and output.called is not None:
        return output.called(original_of(key))
    return "a page that diglot generates" if path.endswith(".html") else "a file that diglot generates"
