"""Files that cannot both be published: which of them is left out, and the error for it."""

from collections.abc import Collection, Iterable, Mapping

from diglot.assembly.registry import called, output_of, standing_of
from diglot.characters import visible
from diglot.diagnostics import Diagnostic, Location
from diglot.engine import Key
from diglot.output_paths import Clash, PathFault, any_clash, check_path, find_clashes
from diglot.rules.features import Refused
from diglot.rules.manifest import OutputFile
from diglot.rules.tasks import Fetch


async def add_giving_way(
    fetch: Fetch, listed: Mapping[str, Key], files: dict[str, Key], pages: Mapping[str, Key]
) -> Collection[Diagnostic]:
    """Add files that give way to files by their paths, and return errors about those that are left out.

    `pages` are those of articles and figures, which may be in the way, too.
    """
    mistakes = []
    for path, key in sorted(listed.items()):
        if (other := files.get(path) or pages.get(path)) is not None:
            why = f"is the address of {called(other, path)}"
            mistakes.append(await _mistake(fetch, Refused(path, key, why), other))
            continue
        try:
            check_path(path)
        except PathFault as fault:
            mistakes.append(_path_mistake(path, key, fault))
            continue
        files[path] = key
    return mistakes


async def add_finished(
    fetch: Fetch, outputs: Iterable[OutputFile], found: dict[str, OutputFile]
) -> Collection[Diagnostic]:
    """Add files to those found by their paths. Returns errors: other contents at the same path."""
    mistakes = []
    for output in outputs:
        first = found.setdefault(output.path, output)
        if first.digest != output.digest:
            mistakes.append(await _clash(fetch, output, first, "is the same as"))
    return mistakes


async def leave_out_clashes(fetch: Fetch, found: dict[str, OutputFile]) -> Collection[Diagnostic]:
    """Remove files that cannot be next to another one. Returns the errors."""
    if not any_clash(found):
        return []
    mistakes = []
    clash: Clash
    for clash in find_clashes(sorted(found, key=lambda path: standing_of(found[path].key))):
        left_out = found.pop(clash.second)
        mistakes.append(await _clash(fetch, left_out, found[clash.first], clash.why))
    return mistakes


async def _clash(fetch: Fetch, refused: OutputFile, first: OutputFile, why: str) -> Diagnostic:
    why = f'{why} "/{first.path}", which is {called(first.key, first.path)}'
    return await _mistake(fetch, Refused(refused.path, refused.key, why), first.key)


async def _mistake(fetch: Fetch, refused: Refused, other: Key) -> Diagnostic:
    """The error for a file that is left out."""
    output = output_of(refused.key)
    if output is not None and output.mistake is not None:
        return await output.mistake(fetch, refused)
    return Diagnostic(
        rule="path-clash",
        message=f'"/{refused.path}" {refused.why}',
        location=_place(refused.key) or _place(other),
        fix="rename one of them.",
    )


def _path_mistake(path: str, key: Key, fault: PathFault) -> Diagnostic:
    return Diagnostic(
        rule="path-name",
        message=f'"{visible(path)}" cannot be published: its path {fault}',
        location=_place(key),
        fix="rename the file.",
    )


def _place(key: Key) -> Location | None:
    output = output_of(key)
    return Location(path=output.source(key)) if output is not None and output.source is not None else None
