"""A site's own extensions: files and checks by Python in `extensions/`."""

from collections.abc import Mapping

from diglot.diagnostics import Diagnostic, Location
from diglot.engine import Key, UpstreamFailed
from diglot.features.extensions.tasks import (
    ExtensionFileId,
    check_all,
    cut_file,
    make_files,
)
from diglot.rules.extension_calls import FunctionId, path_of
from diglot.rules.extensions import find_functions
from diglot.rules.features import SITE_WIDE, Feature, Output
from diglot.rules.tasks import Fetch


async def _find_files(fetch: Fetch, _site: None) -> Mapping[str, Key]:
    functions = await fetch(find_functions)
    names = [FunctionId.parse(text) for text in functions.outputs]
    made = await fetch.all(make_files, names)
    if not functions.whole:
        raise UpstreamFailed(find_functions.key(None))
    found: dict[str, ExtensionFileId] = {}
    for name, files in zip(names, made, strict=True):
        for path in files:
            if (first := found.setdefault(path, ExtensionFileId(name, path))).function != name:
                fetch.report(_made_twice(path, name, first.function))
    return {path: cut_file.key(file) for path, file in found.items()}


def _made_twice(path: str, function: FunctionId, first: FunctionId) -> Diagnostic:
    return Diagnostic(
        rule="path-clash",
        message=f'"/{path}" is also made by `{first.function}` in {path_of(first.extension)}',
        location=Location(path=path_of(function.extension)),
        fix="give one of them another path.",
    )


def _source_of(key: Key) -> str:
    return path_of(ExtensionFileId.parse(key.name).function.extension)


feature = Feature(
    "extensions",
    outputs=(
        Output(
            SITE_WIDE,
            files=_find_files,
            makes=(cut_file,),
            source=_source_of,
            called=lambda key: f"a file of {_source_of(key)}",
            gives_way=True,
        ),
    ),
    checks=(check_all,),
)
