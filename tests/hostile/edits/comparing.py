"""A project whose incremental builds are compared with clean ones."""

import datetime
import os
import re
import shutil
import signal
import subprocess
import sys
import traceback
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import cast

import diglot
from diglot.diagnostics import DiagnosticError
from diglot.engine import Progress
from diglot.figures.execution import fork_server_process
from diglot.figures.execution.workers import FigureWorkers
from diglot.processes import WorkerPool
from diglot.render.theme import built_in_theme
from diglot.rules.building import Site, SiteBuild, Tell
from diglot.rules.options import SiteOptions
from tests.hostile.edits import start
from tests.hostile.edits.project import BuildOptions, Project, Tools, Tree
from tests.hostile.edits.remembered import RememberedWorkers, ground_of
from tests.waiting import HANG_S

_MARK = ".diglot-site"
_MOST_IN_THE_WAY = 40
"""Maximum number of foreign files that are moved away for one build."""
_RETRIED = ("file-unsteady", "figure-timeout", "figure-crash")
"""Rules of diagnostics after which the next build tries again."""
_IN_THE_WAY = re.compile(r'the output folder ".*" contains "(.+)", which diglot did not make')


class Compared:
    """Builds a project after each batch of edits, and reports what is wrong with the result."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        package = Path(diglot.__file__).parent
        # Workers import a copy of diglot, so that tests can edit its hardware library too.
        shutil.copytree(package, folder / "lib/diglot", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(built_in_theme(), folder / "lib/diglot/theme")
        root = folder / "project"
        root.mkdir()
        self.project = Project(root)
        self.project.tools = Tools(lambda: root / self.project.build_options.output, root / ".diglot")
        self.project.tools.interrupted = self._interrupted
        self.project.tools.command = self._command
        self.project.tools.killed = self._killed
        self.project.tools.forget = self._forget
        self.project.tools.begin_anew = self._close_workers
        start.begin(self.project)
        self.last_good: tuple[Tree, BuildOptions] = {}, self.project.build_options
        """Sources and build options of the last publication."""
        self.failures = 0
        """Number of builds in a row that published nothing."""
        self.lost: list[str] = []
        self.said = ""
        """The result of the last build, in one line."""
        self._workers: FigureWorkers | None = None
        self._settled: tuple[Tree, BuildOptions] | None = None
        """Sources and build options of the last build if building them again should run no task, else None.
        """
        self._own_environment = dict(os.environ)
        self._environment: tuple[tuple[str, str], ...] = ()
        self._remembered = RememberedWorkers()
        self._pool = WorkerPool(2, worth_calls=1)
        self._packages = fork_server_process.PACKAGES  # the only way to have workers import another copy

    def close(self) -> None:
        """End all processes."""
        self._close_workers()
        self._pool.close()
        fork_server_process.PACKAGES = self._packages
        os.environ.clear()
        os.environ.update(self._own_environment)

    def check(self, *, only_sources: bool) -> list[str]:
        """Build incrementally and from nothing, and return the problems found, empty if there are none.

        Where `only_sources` were edited and they equal those of the last build, no task may run.
        """
        try:
            return self._problems(only_sources)
        except Exception:
            return [traceback.format_exc()]

    def mend(self) -> None:
        """Restore the sources of the last publication."""
        sources, self.project.build_options = self.last_good
        self.project.restore(sources)

    def _problems(self, only_sources: bool) -> list[str]:
        found: list[str] = []
        sources = self.project.tree()
        is_as_it_was = only_sources and (sources, self.project.build_options) == self._settled
        self.project.past.append(sources)
        public = self.project.build_options.output
        before = self._outputs(self.project.root / public)
        built = self._build_where_nothing_is_in_the_way(before)
        if is_as_it_was and built.report.ran:
            found.append(f"nothing changed, and this ran: {_ran(built)}")
        clean = self._build(clean=True)
        said, expected = _words_on_sources(built), _words_on_sources(clean)
        if said != expected:
            found.append("other words:\n" + _lines("- ", said) + _lines("+ ", expected))
        if (built.published is None) != (clean.published is None):
            found.append(f"published: {built.published is not None}, from nothing: {not built.published}")
        after = self._outputs(self.project.root / public)
        if built.published is None:
            self.failures += 1
            errors = [one for one in built.diagnostics if one.severity == "error"]
            self.said = "fails: " + "; ".join(str(one).splitlines()[0] for one in errors[:3])
            if after != before:
                self.lost.append(f"a site that failed changed the output: {_differing(after, before)}")
        else:
            self.failures = 0
            self.said = f"{len(built.report.ran)} tasks, {len(built.published.written)} files"
            self.last_good = sources, self.project.build_options
            self.lost += _not_kept(built.published.foreign_files, before, after)
            if clean.published is not None:
                made = self._outputs(self.folder / "clean")
                ours = _without(after, built.published.foreign_files)
                if ours != made:
                    found.append(f"differs from a build from nothing: {_differing(ours, made)}")
        again = self._build()
        retried = any(one.rule in _RETRIED for one in built.diagnostics)
        self._settled = None if retried else (sources, self.project.build_options)
        if again.report.ran and not retried:
            found.append(f"the build after a build ran {_ran(again)}")
        if again.published and (again.published.written or again.published.removed):
            found.append(f"the build after a build published {again.published}")
        if again.diagnostics != built.diagnostics:
            found.append("the build after a build says\n" + _lines("- ", map(str, again.diagnostics)))
        now = self.project.tree()
        if now != sources:
            self.lost.append(f"builds changed sources: {_differing(now, sources)}")
        for name in ("clean", "clean-cache"):
            shutil.rmtree(self.folder / name, ignore_errors=True)
        return found

    def _build_where_nothing_is_in_the_way(self, before: Mapping[str, bytes | None]) -> SiteBuild:
        """Build; if an error names foreign files in the way of pages, remove these and build again."""
        folder = self.project.root / self.project.build_options.output
        for _ in range(_MOST_IN_THE_WAY):
            try:
                return self._build()
            except DiagnosticError as error:
                named = [found[1] for one in error.diagnostics if (found := _IN_THE_WAY.match(one.message))]
                if {one.rule for one in error.diagnostics} != {"output-in-the-way"}:
                    raise
                if (now := self._outputs(folder)) != before:
                    self.lost.append(f"a refusal changed the output: {_differing(now, before)}")
                for path in named:
                    (folder / path).unlink()
                before = self._outputs(folder)
        raise AssertionError("there is always something else in the way")

    def _build(self, *, clean: bool = False, progress: Tell = lambda _: None) -> SiteBuild:
        build_options = self.project.build_options
        wanted = (*build_options.variables, ("SOURCE_DATE_EPOCH", _epoch(build_options.day)))
        if wanted != self._environment:
            os.environ.clear()
            os.environ.update(self._own_environment | dict(wanted))
            self._environment = wanted
            self._close_workers()  # workers keep the environment they started with, as a command's do
        if self._workers is None:
            fork_server_process.PACKAGES = self.folder / "lib"
            self._workers = FigureWorkers(root=self.project.root, cache=self.folder / "matplotlib", jobs=2)
        options = SiteOptions(
            root=self.project.root,
            output=self.folder / "clean" if clean else self.project.root / build_options.output,
            cache_folder=self.folder / "clean-cache" if clean else None,
            config=build_options.config,
            drafts=build_options.drafts,
            future=build_options.future,
            jobs=2 if clean else build_options.jobs,
        )
        workers, pool = self._workers, self._pool if build_options.jobs > 1 else None
        if clean:
            ground = (ground_of(self.project), wanted)
            workers, pool = cast("FigureWorkers", self._remembered.on(ground, workers)), None
        with Site(options, progress=progress, workers=workers, pool=pool) as site:
            return site.build()

    def _close_workers(self) -> None:
        if self._workers is not None:
            self._workers.close()
            self._workers = None

    def _outputs(self, folder: Path) -> dict[str, bytes | None]:
        """Return every file and folder of an output folder. Links are not followed."""
        found: dict[str, bytes | None] = {}
        for path in folder.rglob("*"):
            name = path.relative_to(folder).as_posix()
            if path.is_symlink():
                found[name] = f"a link to {os.readlink(path)}".encode()
            elif name != _MARK:
                found[name] = path.read_bytes() if path.is_file() else None
        return found

    def _interrupted(self, steps: int) -> bool:
        """Build, interrupted as by Ctrl-C after `steps` progress reports; return whether it was."""
        left = steps

        def count(_: Progress) -> None:
            nonlocal left
            left -= 1
            if not left:
                raise KeyboardInterrupt

        try:
            self._build(progress=count)
        except KeyboardInterrupt:
            return True
        except DiagnosticError:  # the next build reports the errors
            return False
        return False

    def _words(self, command: str, *words: str) -> list[str]:
        build_options = self.project.build_options
        flags = ["--drafts"] * build_options.drafts + ["--future"] * build_options.future
        output = ["-o", build_options.output, *flags] if command == "build" else []
        return [sys.executable, "-m", "diglot", command, "-q", "-j", "2", *output, *words]

    def _environment_of_commands(self) -> dict[str, str]:
        build_options = self.project.build_options
        kept = {
            **self._own_environment,
            **dict(build_options.variables),
            "SOURCE_DATE_EPOCH": _epoch(build_options.day),
        }
        return {**kept, "PYTHONPATH": str(self.folder / "lib")}

    def _command(self, command: str, *words: str) -> int:
        done = subprocess.run(
            self._words(command, *words),
            cwd=self.project.root,
            env=self._environment_of_commands(),
            capture_output=True,
            text=True,
            check=False,
            timeout=HANG_S,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return done.returncode

    def _killed(self, after_s: float) -> None:
        process = subprocess.Popen(
            self._words("build"),
            cwd=self.project.root,
            env=self._environment_of_commands(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            process.wait(after_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def _forget(self, older_than_s: float) -> None:
        options = SiteOptions(
            root=self.project.root, output=self.project.root / self.project.build_options.output
        )
        with Site(options, workers=self._workers) as site:
            site.cache.forget(older_than_s=older_than_s)


def _epoch(day: str) -> str:
    moment = datetime.datetime.fromisoformat(day).replace(tzinfo=datetime.UTC)
    return str(int(moment.timestamp()))


def _words_on_sources(build: SiteBuild) -> list[str]:
    return [str(one) for one in build.diagnostics if one.rule != "output-strangers"]


def _without(output: Mapping[str, bytes | None], strangers: Iterable[str]) -> dict[str, bytes | None]:
    """An output folder without foreign files and the folders that hold nothing else."""
    left = {path: content for path, content in output.items() if path not in set(strangers)}
    theirs = {str(folder) for path in strangers for folder in Path(path).parents}
    needed = {
        str(folder) for path, content in left.items() if content is not None for folder in Path(path).parents
    }
    return {path: content for path, content in left.items() if path not in theirs or path in needed}


def _not_kept(
    strangers: Iterable[str], before: Mapping[str, bytes | None], after: Mapping[str, bytes | None]
) -> list[str]:
    """Report foreign files that a publication changed."""
    return [
        f"not diglot's, and changed: {path} ({_what(before.get(path))} / {_what(after.get(path))})"
        for path in strangers
        if before.get(path, "absent") != after.get(path, "absent")
    ]


def _ran(build: SiteBuild) -> list[str]:
    return [f"{one.key} ({one.reason.kind})" for one in build.report.ran][:8]


def _lines(mark: str, texts: Iterable[str]) -> str:
    return "".join(f"{mark}{text}\n" for text in texts)


def _differing(left: Mapping[str, object], right: Mapping[str, object]) -> str:
    paths = sorted(path for path in left.keys() | right.keys() if left.get(path, ...) != right.get(path, ...))
    told = []
    for path in paths[:6]:
        one, other = left.get(path, "absent"), right.get(path, "absent")
        told.append(f"{path}{_first_difference(one, other)}")
    return ", ".join(told) + (f" and {len(paths) - 6} more" if len(paths) > 6 else "")


def _first_difference(left: object, right: object) -> str:
    if not isinstance(left, bytes) or not isinstance(right, bytes):
        return f" ({_what(left)} / {_what(right)})"
    at = next((n for n, (one, other) in enumerate(zip(left, right, strict=False)) if one != other), 0)
    start_at = max(0, at - 40)
    return f" ({left[start_at : at + 60]!r} / {right[start_at : at + 60]!r})"


def _what(content: object) -> str:
    return "a folder" if content is None else content if isinstance(content, str) else "a file"
