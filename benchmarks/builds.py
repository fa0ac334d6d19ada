"""Measure diglot's builds of generated sites: their cost, and where the time goes.

    python benchmarks/builds.py                          # 10, 100 and 1,000 pairs, three rounds
    python benchmarks/builds.py -n 1000,10000 --rounds 5 --csv builds.csv
    python benchmarks/builds.py -n 10 --figures 1        # a site with one figure; with 10, the
    python benchmarks/builds.py -n 10 --figures 10       # difference is the cost of nine more figures

Each round of a size runs three builds, each in a new process, as a user would: `cold` without output and
cache, `nothing` with nothing changed, and `edit` after a paragraph was added to the Chinese half of one post
(another post each round; the page is checked for it). On sites with figures, `figure` follows, after an edit
of one script. Separate builds, because measuring slows them, give the memory of all processes together and,
twice, samples of where processor time goes.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from measuring import Results, absolute_path, can_see_trees, peak_memory_mib, print_table, run

HERE = Path(__file__).resolve().parent
CASES = ("cold", "nothing", "edit", "figure")
_RAN = re.compile(r"\((\d+) tasks? ran, (\d+) up to date")


class Site:
    """A generated project and its builds."""

    def __init__(self, root: Path, pairs: int, figures: int, diglot: list[str]) -> None:
        self.root = root
        self.pairs = pairs
        self._command = [*diglot, "build"]
        if not root.is_dir():
            made = [sys.executable, str(HERE / "corpus.py"), "-n", str(pairs), "-o", str(root)]
            subprocess.run([*made, "--figures", str(figures)], check=True)
        self._posts = sorted((root / "content/posts").glob("*.zh.md"))
        self._scripts = sorted((root / "figures").glob("*.py"))

    def forget(self) -> None:
        """Remove the output and the cache."""
        for name in ("public", ".diglot"):
            shutil.rmtree(self.root / name, ignore_errors=True)

    def measure(self, results: Results, case: str) -> None:
        """Run one build in a new process, and record its cost."""
        usage = run(self._command, self.root)
        results.add_usage(self.pairs, "diglot", case, usage)
        ran = _RAN.search(usage.output)
        if ran is None:
            raise SystemExit(f"diglot did not say how many tasks ran:\n{usage.output[-2000:]}")
        results.add(self.pairs, "diglot", f"{case} tasks", int(ran[1]))

    def measure_edit(self, results: Results, turn: int) -> None:
        """Measure a build after a paragraph was added to one half; the edit is undone afterwards."""
        post = self._posts[(len(self._posts) // 2 + turn) % len(self._posts)]
        before, mark = post.read_bytes(), f"Added in round {turn}."
        post.write_bytes(before + f"\n{mark}\n".encode())
        try:
            self.measure(results, "edit")
        finally:
            post.write_bytes(before)
        page = self.root / "public/zh/posts" / post.name.removesuffix(".zh.md") / "index.html"
        if mark not in page.read_text("utf-8"):
            raise SystemExit(f"the edit of {post.name} did not reach {page}")

    def measure_figure(self, results: Results, turn: int) -> None:
        """Measure a build after one figure's numbers changed; the edit is undone afterwards."""
        if not self._scripts:
            return
        script = self._scripts[turn % len(self._scripts)]
        before = script.read_text("utf-8")
        script.write_text(before.replace("random.Random(", "random.Random(1000 + "), "utf-8")
        try:
            self.measure(results, "figure")
        finally:
            script.write_text(before, "utf-8")

    def measure_memory(self, results: Results) -> None:
        """Measure the memory of a cold build."""
        if can_see_trees():
            self.forget()
            results.add(self.pairs, "diglot", "cold together_mib", peak_memory_mib(self._command, self.root))

    def sample_stages(self, results: Results) -> None:
        """Sample a cold build and one with nothing changed: processor time of all processes by stage."""
        self.forget()
        for case in ("cold", "nothing"):
            with tempfile.TemporaryDirectory() as samples:
                paths = os.pathsep.join(filter(None, (str(HERE / "sampling"), absolute_path())))
                environment = {"BENCHMARK_SAMPLES": samples, "PYTHONPATH": paths}
                usage = run(self._command, self.root, environment)
                stages = read_samples(Path(samples))
            stages["elsewhere"] = max(0.0, usage.cpu_s - sum(stages.values()))
            for stage, seconds in sorted(stages.items(), key=lambda one: -one[1]):
                results.add(self.pairs, "diglot", f"{case} stage {stage} cpu_s", seconds)

    def task_kinds(self) -> dict[str, tuple[int, float]]:
        """The number of tasks of each kind in a cold build, and their own seconds."""
        self.forget()
        report = json.loads(run([*self._command, "--json"], self.root).output)
        kinds: dict[str, tuple[int, float]] = {}
        for one in report["ran"]:
            kind = one["task"].partition(" ")[0].partition(":")[0]
            count, seconds = kinds.get(kind, (0, 0.0))
            kinds[kind] = (count + 1, seconds + one["seconds"])
        return dict(sorted(kinds.items(), key=lambda one: -one[1][1]))


def read_samples(folder: Path) -> dict[str, float]:
    """Processor time by stage, in seconds, of all processes that wrote samples into a folder."""
    stages: dict[str, float] = {}
    for path in folder.glob("*.json"):
        if text := path.read_text().strip():
            for stage, seconds in json.loads(text).items():
                stages[stage] = stages.get(stage, 0.0) + seconds
    return stages


def measure(site: Site, rounds: int, results: Results) -> None:
    """Run all measurements of one site."""
    for turn in range(rounds):
        print(f"{site.pairs} pairs, round {turn + 1} of {rounds}", flush=True)
        site.forget()
        site.measure(results, "cold")
        site.measure(results, "nothing")
        site.measure_edit(results, turn)
        site.measure_figure(results, turn)
    site.measure_memory(results)
    site.sample_stages(results)


def print_results(site: Site, results: Results) -> None:
    """Print the medians of one size: a line for each case, then a line for each stage."""

    def median(metric: str) -> float | None:
        return results.median(site.pairs, "diglot", metric)

    print(f"\n{site.pairs} pairs")
    measured = [case for case in CASES if median(f"{case} wall_s") is not None]
    metrics = ("wall_s", "cpu_s", "largest_mib", "together_mib", "tasks")
    print_table(
        ("case", *metrics), ((case, *(median(f"{case} {one}") for one in metrics)) for case in measured)
    )
    stages = [one for one in results.metrics(site.pairs, "diglot") if one.startswith("cold stage ")]
    print("\nwhere processor time goes, in seconds")
    print_table(
        ("stage", "cold", "nothing"),
        (
            (
                name.split(maxsplit=2)[2].removesuffix(" cpu_s"),
                median(name),
                median(name.replace("cold", "nothing")),
            )
            for name in stages
        ),
    )


def main() -> int:
    """Run the measurements that the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-n", default="10,100,1000", help="pairs of posts, several with commas")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--figures", type=int, default=0, help="figure scripts in each site")
    parser.add_argument("--jobs", type=int, help="passed on to diglot")
    parser.add_argument("--work", type=Path, default=Path("build/benchmarks"), help="folder for the sites")
    parser.add_argument("--tasks", action="store_true", help="also count tasks by kind")
    parser.add_argument("--csv", type=Path, help="append the results to this file")
    arguments = parser.parse_args()
    diglot = [sys.executable, "-m", "diglot"]
    if arguments.jobs:
        diglot += ["--jobs", str(arguments.jobs)]
    results = Results()
    for pairs in (int(one) for one in arguments.n.split(",")):
        name = f"{pairs}-{arguments.figures}" if arguments.figures else str(pairs)
        site = Site(arguments.work.resolve() / "diglot" / name, pairs, arguments.figures, diglot)
        measure(site, arguments.rounds, results)
        print_results(site, results)
        if arguments.tasks:
            print("\ntasks of a cold build")
            rows = ((kind, count, seconds) for kind, (count, seconds) in site.task_kinds().items())
            print_table(("kind", "tasks", "own_s"), rows)
    if arguments.csv:
        results.write_csv(arguments.csv)
    return 0


if __name__ == "__main__":
    sys.exit(main())
