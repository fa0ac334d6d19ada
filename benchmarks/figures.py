"""Measure what figures cost: ten plain charts, computed, drawn and exported, and what an edit redraws.

    python benchmarks/figures.py [--rounds 5]

Creates a project in a temporary folder. Times are processor time of the figure processes (user and system),
so that other work on the machine disturbs them less. Each kind of call is made several times for all ten
figures in its own session; the cost of the session itself is subtracted. What drawing adds to a build is
wall-clock time with two workers side by side. All values are medians over the rounds.
"""

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from diglot.figure_request import FigureRequest
from diglot.figures.execution.workers import FigureWorkers
from diglot.figures.jobs import Sheet
from diglot.figures.records import ComputedFigure, Script
from diglot.languages import LANGUAGES
from diglot.rules.building import Site
from diglot.rules.options import SiteOptions

COUNT = 10
TIMES = 3
"""How often each figure is called in a session."""
HEAVY = ("numpy", "matplotlib", "PIL", "yaml", "jinja2", "markdown_it")
SITE = "title: {zh: 测, en: Measured}\nbase_url: https://example.org/\n"
CHART = '''\
"""A plain chart: two lines on a logarithmic and a linear axis."""

from diglot.figures import charts

TITLE = {{"zh": "图{number}", "en": "Figure {number}"}}
COLUMNS = {{
    "batch": {{"zh": "批量", "en": "Batch"}},
    "rate": {{"zh": "吞吐", "en": "Throughput", "unit": "TB/s"}},
}}


def compute():
    batches = [2**n for n in range(11)]
    upper = [min(100, 2 * x) for x in batches]
    return {{"x": batches, "a": upper, "b": [min(80, x / {number}) for x in batches]}}


def draw(figure, data, t):
    chart = charts.frame(figure, x="batch", y="rate", x_scale="log2")
    chart.lines({{"batch": data["x"], "rate": data["a"]}}, color="gpu3", name=t(zh="甲", en="first"))
    second = t(zh="乙", en="second")
    chart.lines({{"batch": data["x"], "rate": data["b"]}}, color="tpu2", dash="8bit", name=second)


def describe(data, t):
    top = max(data["a"])
    return t(zh=f"两条线，高的到{{top}}。", en=f"Two lines, the upper one reaches {{top}}.")
'''


def main() -> None:
    """Run the measurements, and print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory(prefix="diglot-figures-") as folder:
        root = Path(folder)
        make_project(root)
        measure_calls(root, rounds)
        count_redraws(root)
        print(
            f"imported by a build without changes: {', '.join(imported_without_changes(root)) or 'none'} "
            f"of {', '.join(HEAVY)}"
        )


def make_project(root: Path) -> None:
    """Write a site with one article that shows ten figures."""
    (root / "figures").mkdir()
    (root / "site").mkdir()
    (root / "site/site.yaml").write_text(SITE, "utf-8")
    for number in range(1, COUNT + 1):
        (root / f"figures/chart_{number}.py").write_text(CHART.format(number=number), "utf-8")
    post = root / "content/posts/charts"
    post.mkdir(parents=True)
    for language, title in (("zh", "十张图"), ("en", "Ten figures")):
        shown = "\n".join(f"```{{figure}} chart_{n}\n{n}\n```\n" for n in range(1, COUNT + 1))
        text = f"---\ntitle: {title}\ndate: 2026-01-01\n---\n\nProse.\n\n{shown}"
        (post / f"{language}.md").write_text(text, "utf-8")


def measure_calls(root: Path, rounds: int) -> None:
    """Print the cost of starting and of each kind of call."""
    scripts = [Script(figure_id=f"chart_{n}", path=f"figures/chart_{n}.py") for n in range(1, COUNT + 1)]
    computed = compute_all(root, scripts)

    def drawing(workers: FigureWorkers, script: Script) -> None:
        workers.draw(script, request(script), computed[script]).result()

    def exporting(workers: FigureWorkers, script: Script) -> None:
        sheet = Sheet(theme="light", formats=("svg", "png"), size="column")
        workers.export(script, request(script), computed[script], LANGUAGES, sheet).result()

    def computing(workers: FigureWorkers, script: Script) -> None:
        workers.compute(script, request(script)).result()

    kinds = {
        "compute": computing,
        "draw, both languages, two sizes each": drawing,
        "SVG and PNG to download, both languages": exporting,
    }
    starts, costs = [], {kind: [] for kind in kinds}
    passed = []
    for _ in range(rounds):
        one, many = session(root, computing, scripts[:1]), session(root, computing, scripts * TIMES)
        starts.append(one - (many - one) / (COUNT * TIMES - 1))
        for kind, call in kinds.items():
            costs[kind].append((session(root, call, scripts * TIMES) - starts[-1]) / (COUNT * TIMES))
        passed.append(passed_s(root, computed, scripts * TIMES) / (COUNT * TIMES))
    print(f"processor time, medians of {rounds} rounds")
    print(f"  {'start of the figure processes, once a build':<48}{1e3 * statistics.median(starts):>8.0f} ms")
    for kind, found in costs.items():
        print(f"  {kind + ', a figure':<48}{1e3 * statistics.median(found):>8.0f} ms")
    print(
        f"time that passes, two workers\n  {'draw, a figure':<48}{1e3 * statistics.median(passed):>8.0f} ms"
    )


def passed_s(root: Path, computed: Mapping[Script, ComputedFigure], scripts: Sequence[Script]) -> float:
    """Seconds until all figures are drawn in both languages, by workers already started, as in a build."""
    with FigureWorkers(root=root, cache=root / ".diglot/matplotlib", jobs=2) as workers:
        workers.compute(scripts[0], request(scripts[0])).result()
        since = time.perf_counter()
        calls = [workers.draw(script, request(script), computed[script]) for script in scripts]
        for call in calls:
            call.result()
        return time.perf_counter() - since


def session(root: Path, call: Callable[[FigureWorkers, Script], None], scripts: Iterable[Script]) -> float:
    """Processor time of the figure processes for some calls, in seconds."""
    before = children_s()
    with FigureWorkers(root=root, cache=root / ".diglot/matplotlib", jobs=1) as workers:
        for script in scripts:
            call(workers, script)
    return children_s() - before


def children_s() -> float:
    """Processor time of all child processes that have ended, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def compute_all(root: Path, scripts: Iterable[Script]) -> dict[Script, ComputedFigure]:
    """The data of all figures; this also makes matplotlib's list of faces."""
    with FigureWorkers(root=root, cache=root / ".diglot/matplotlib", jobs=1) as workers:
        return {
            script: msgspec.msgpack.decode(
                workers.compute(script, request(script)).result().result, type=ComputedFigure
            )
            for script in scripts
        }


def request(script: Script) -> FigureRequest:
    """The figure with its default parameters."""
    return FigureRequest.of(script.figure_id)


def count_redraws(root: Path) -> None:
    """Print how many figures are computed and drawn after each edit."""
    options = SiteOptions(root=root, output=root / "public", jobs=2)

    def counted(what: str) -> None:
        with Site(options) as site:
            report = site.build().report
        kinds = [run.key.kind for run in report.ran]
        print(f"{what:<38}{kinds.count('data'):>4} computed{kinds.count('drawing'):>4} drawn")

    counted("first build")
    edit(root / "content/posts/charts/en.md", "Prose.", "Prose, mended.")
    counted("prose edited")
    edit(root / "figures/chart_7.py", "min(100", "min(90")
    counted("one figure of ten edited")


def edit(path: Path, old: str, new: str) -> None:
    """Replace a text in a file."""
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")


def imported_without_changes(root: Path) -> list[str]:
    """The heavy modules that a build in a new process imports when nothing has changed."""
    program = (
        "import sys; from diglot.cli import main; sys.argv[1:] = ['build', '-q', '-C', sys.argv[1]]; "
        f"main(); print(*[name for name in {HEAVY!r} if name in sys.modules])"
    )
    command = [sys.executable, "-c", program, str(root)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


if __name__ == "__main__":
    main()
