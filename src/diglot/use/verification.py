"""Compares a build with one from scratch: files must be the same byte for byte, and diagnostics too.

If they differ, diglot took something for unchanged that was not. So a difference is traced to the task that
went wrong first: its value differs although all its recorded dependencies are the same.
"""

import shutil
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

import msgspec
from msgspec.structs import replace

from diglot.diagnostics import Diagnostic
from diglot.engine import Key
from diglot.engine.traces import Trace, read_dependencies
from diglot.invariants import certain
from diglot.publishing.unpublishing import published_files
from diglot.rules.building import Site, SiteBuild
from diglot.rules.code_cells import run_cells
from diglot.rules.figures import compute_figure, draw_figure, export_figure
from diglot.rules.site_cache import VERIFYING
from diglot.rules.traditional_pictures import export_traditional
from diglot.use.elsewhere import copy_project

_OWN = frozenset({"store-discarded", "output-strangers"})
"""Rules of diagnostics about the cache or the output folder instead of the site."""

_FIGURES = tuple(
    one.kind for one in (compute_figure, run_cells, draw_figure, export_figure, export_traditional)
)
_REPORT = "report it with this text; after `diglot clean --cache`, the next build will be correct."


_OF_A_FIGURE = (
    "the script may give a different figure in another folder or process; check with `diglot "
    "check --twice all`. "
    "If it does not, report it with this text; after `diglot clean --cache`, the next build will be correct."
)


class Verification(msgspec.Struct, frozen=True, kw_only=True):
    """The result of comparing a build with one from scratch."""

    clean: SiteBuild
    """The build from scratch."""
    compared: int
    """How many files of the output folders were compared; 0 if nothing was published."""
    differences: tuple[Diagnostic, ...]
    """Empty if the builds agree."""


def verify(site: Site, result: SiteBuild) -> Verification:
    """Build a copy of the project in another folder with an empty cache, and compare.

    `result` is the build to verify, made just before. Files that are saved meanwhile count as differences.
    """
    with site.cache.alone(site.progress):
        scratch = site.options.cache / VERIFYING
        shutil.rmtree(scratch, ignore_errors=True)  # left by a killed process
        try:
            copy_project(site.options, scratch / "project")
            options = replace(
                site.options,
                root=scratch / "project",
                output=scratch / "public",
                cache_folder=scratch / "cache",
                atomic=False,
                shared=None,  # what others made is compared with what is made here
            )
            with Site(options, progress=site.progress, pool=site.workers.pool) as other:
                clean = other.build()
                clean_traces = other.cache.traces()
            differences = list(_other_words(result, clean))
            compared = 0
            if result.published is not None and clean.published is not None:
                ours, theirs = (published_files(one) for one in (site.options.output, options.output))
                compared = len(ours | theirs)
                differences += _other_files(
                    _Side(
                        folder=site.options.output, files=ours, traces=cache(site.cache.traces), build=result
                    ),
                    _Side(folder=options.output, files=theirs, traces=lambda: clean_traces, build=clean),
                )
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    return Verification(clean=clean, compared=compared, differences=tuple(differences))


class _Side(msgspec.Struct, frozen=True, kw_only=True):
    """One of the two builds."""

    folder: Path
    files: frozenset[str]
    traces: Callable[[], Mapping[Key, Trace]]
    """Called only if there is a difference: reading all traces may find the store damaged and discard it."""
    build: SiteBuild

    def maker(self, path: str) -> Key | None:
        """The task that makes a file."""
        outputs = certain(self.build.manifest, "what is published has a manifest").outputs
        return next((one.key for one in outputs if one.path == path), None)


def _other_words(result: SiteBuild, clean: SiteBuild) -> Iterator[Diagnostic]:
    ours, theirs = ([one for one in build.diagnostics if one.rule not in _OWN] for build in (result, clean))
    for words, known, what in (
        (ours, theirs, "this build reports something that a build from scratch does not"),
        (theirs, ours, "a build from scratch reports something that this one does not"),
    ):
        for one in words:
            if one not in known:
                yield Diagnostic(rule="verify-words", message=what, detail=str(one), fix=_REPORT)


def _other_files(ours: _Side, clean: _Side) -> Iterator[Diagnostic]:
    for path in sorted(ours.files | clean.files):
        if path not in clean.files:
            what, where = "is published, but a build from scratch does not make it", None
        elif path not in ours.files:
            what, where = "is missing, but a build from scratch makes it", None
        else:
            where = _first_difference(ours.folder / path, clean.folder / path)
            if where is None:
                continue
            what = "differs from a build from scratch"
        yield Diagnostic(
            rule="verify-differs",
            message=f'"{path}" {what}',
            detail="\n".join(filter(None, [where, _blame(path, ours, clean)])),
            fix=_OF_A_FIGURE if _is_of_a_figure(path, ours, clean) else _REPORT,
        )


def _first_difference(ours: Path, clean: Path) -> str | None:
    """The first place where two files differ, with both texts; None if they are equal."""
    if (left := ours.read_bytes()) == (right := clean.read_bytes()):
        return None
    pairs = enumerate(zip(left, right, strict=False))
    at = next((n for n, (one, other) in pairs if one != other), min(len(left), len(right)))
    line = left.count(b"\n", 0, at) + 1
    start = max(left.rfind(b"\n", 0, at) + 1, at - 30)
    shown = [side[start : at + 50].split(b"\n")[0].decode("utf-8", "replace") for side in (left, right)]
    return f"line {line}, byte {at}\n  here:         {shown[0]}\n  from scratch: {shown[1]}"


def _blame(path: str, ours: _Side, clean: _Side) -> str:
    maker = clean.maker(path) or ours.maker(path)
    if maker is None:
        return "not made by any task"
    first = _first_wrong(maker, ours.traces(), clean.traces())
    if first == maker:
        return f"made by the task {maker}"
    return f"made by the task {maker}, from {first}, which was the first to differ"


def _is_of_a_figure(path: str, ours: _Side, clean: _Side) -> bool:
    """Whether a figure's task went wrong first, so that its script may be the cause."""
    maker = clean.maker(path) or ours.maker(path)
    return maker is not None and _first_wrong(maker, ours.traces(), clean.traces()).kind in _FIGURES


def _first_wrong(key: Key, ours: Mapping[Key, Trace], clean: Mapping[Key, Trace]) -> Key:
    """The task that went wrong first: goes down from `key` as long as a dependency differs too."""
    met = {key}
    while True:
        traces = [side[key] for side in (clean, ours) if key in side]
        used = (one.key for trace in traces for one in read_dependencies(trace.dependencies))
        wrong = next((one for one in used if one not in met and _differs(one, ours, clean)), None)
        if wrong is None:
            return key
        met.add(wrong)
        key = wrong


def _differs(key: Key, ours: Mapping[Key, Trace], clean: Mapping[Key, Trace]) -> bool:
    return key in ours and key in clean and ours[key].digest != clean[key].digest
