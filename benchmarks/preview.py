"""Measure a running preview: from a save to the new content in a browser, and to the server's answer.

    python benchmarks/preview.py                          # 10, 100 and 1,000 pairs, 20 edits of a kind
    python benchmarks/preview.py -n 100 --edits 5 --csv preview.csv
    python benchmarks/preview.py --only text --only style # some kinds of edits
    python benchmarks/preview.py --no-browser             # without Playwright or Chromium: the server alone

Each site has one figure and is served by a copy of this checkout's diglot, so that edits of the theme and of
the hardware library leave the checkout unchanged. An edit writes a file under another name and renames it.
`visible` ends with the frame in which a real browser's page has what was written: a text, a computed style, a
figure's description. `served` ends when a request for the page (for a style sheet: for the address in the
page) gets it.
"""

import argparse
import http.client
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from measuring import Results, print_table

HERE = Path(__file__).resolve().parent
CASES = ("text", "template", "style", "figure", "library")
_PATIENCE_S = 60.0
_PAUSE_S = 0.4
"""Seconds between edits, so that all work caused by one edit is done before the next."""

_LIBRARY = "diglot/hardware/benchmark_marker.py"
_FIGURE = '''\
"""A row of bars whose description says which edit it is of."""

from diglot.hardware.benchmark_marker import MARKER

TITLE = {"zh": "柱", "en": "Bars"}
OWN = "figure-0"


def compute():
    return {"heights": [3, 1, 4, 1, 5, 9, 2, 6], "library": MARKER}


def draw(figure, data, t):
    figure.set_height_px(240)
    axes = figure.axes_px(50, 20, figure.width_px - 70, 170)
    axes.bar(range(len(data["heights"])), data["heights"])


def describe(data, t):
    return t(zh=f"柱，{OWN}，{data['library']}。", en=f"Bars, {OWN}, {data['library']}.")
'''


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One kind of edit: a file, and its text with a mark in it."""

    file: Path
    marked: Callable[[str], str]
    """The file's text with a mark, such as `text-7`."""
    seen: str = "mark => document.documentElement.outerHTML.includes(mark)"
    """Whether a page has the mark, as JavaScript."""


class Site:
    """A generated project with one figure, and the copy of diglot that serves it."""

    def __init__(self, work: Path, pairs: int) -> None:
        self.pairs = pairs
        self.root = work / str(pairs)
        self._copy = work / "copy"
        self._log = work / "preview.log"
        if not self.root.is_dir():
            made = [sys.executable, str(HERE / "corpus.py"), "-n", str(pairs), "-o", str(self.root)]
            subprocess.run([*made, "--figures", "1"], check=True)
        shutil.rmtree(self._copy, ignore_errors=True)
        for name in ("src", "templates"):
            ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
            shutil.copytree(HERE.parent / name, self._copy / name, ignore=ignored)
        (self._copy / "src" / _LIBRARY).write_text('MARKER = "library-0"\n')
        (script,) = self.root.glob("figures/*.py")
        script.write_text(_FIGURE, "utf-8")
        (self._half,) = (
            half
            for half in self.root.glob("content/posts/*.en.md")
            if "```{figure}" in half.read_text("utf-8")
        )
        self.path = f"en/posts/{self._half.name.removesuffix('.en.md')}/"
        self.edits = {
            "text": Edit(file=self._half, marked=_replacing("\n---\n\n", "\n---\n\n{}\n\n", self._half)),
            "template": self._theme("article.html", "<article>", "<article><p>{}</p>"),
            "style": Edit(
                file=self._copy / "templates/static/style.css",
                marked=_replacing(
                    None, ":root {{ --mark: {}; }}\n", self._copy / "templates/static/style.css"
                ),
                seen="mark => getComputedStyle(document.body).getPropertyValue('--mark').trim() === mark",
            ),
            "figure": Edit(file=script, marked=_replacing("figure-0", "{}", script)),
            "library": Edit(
                file=self._copy / "src" / _LIBRARY,
                marked=_replacing("library-0", "{}", self._copy / "src" / _LIBRARY),
            ),
        }

    def _theme(self, name: str, old: str, new: str) -> Edit:
        file = self._copy / "templates" / name
        return Edit(file=file, marked=_replacing(old, new, file))

    @contextmanager
    def served(self) -> Iterator[str]:
        """Serve the site; gives its URL once its first build is done."""
        with self._log.open("w") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "diglot", "serve", "--port", "0"],
                cwd=self.root,
                env={**os.environ, "PYTHONPATH": str(self._copy / "src")},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
            )
        try:
            address = self._await(process, r"serving (\S+)")
            self._await(process, r"built in .* changed$")
            yield address
        finally:
            process.terminate()
            process.wait(20)

    def _await(self, process: "subprocess.Popen[bytes]", pattern: str) -> str:
        while process.poll() is None:
            if found := re.search(pattern, self._log.read_text("utf-8"), re.MULTILINE):
                return found[found.lastindex or 0]
            time.sleep(0.1)
        raise SystemExit(f"the preview ended:\n{self._log.read_text('utf-8')[-2000:]}")


def _replacing(old: str | None, new: str, file: Path) -> Callable[[str], str]:
    """A function that marks a file: it replaces `old` by the mark, or appends the mark if `old` is None."""
    before = file.read_text("utf-8")
    if old is None:
        return lambda mark: before + new.format(mark)
    if old not in before:
        raise SystemExit(f"{file} has no {old!r}")
    return lambda mark: before.replace(old, new.format(mark), 1)


def save(file: Path, text: str) -> float:
    """Write under another name and rename, as editors do; returns the time after that (s since 1970)."""
    beside = file.with_name(f".{file.name}.swp")
    beside.write_text(text, "utf-8")
    beside.replace(file)
    return time.time()


def measure(site: Site, cases: Sequence[str], edits: int, results: Results, page: Any) -> None:
    """Make edits of some kinds, and wait for each in a browser's page if there is one, then by requests."""
    with site.served() as address:
        if page is not None:
            page.goto(address + site.path)
        for case in cases:
            edit = site.edits[case]
            before = edit.file.read_text("utf-8")
            looks = {"visible": partial(seen, page, edit)} if page is not None else {}
            looks["served"] = partial(answered, address, site.path, case)
            for metric, look in looks.items():
                for number in range(edits + 1):
                    mark = f"{case}-{metric}-{number + 1}"
                    began_s = save(edit.file, edit.marked(mark))
                    took_s = look(mark) - began_s
                    if number:  # the first edit of a kind only warms caches
                        results.add(site.pairs, "diglot", f"{case} {metric}_ms", 1000 * took_s)
                    time.sleep(_PAUSE_S)
            save(edit.file, before)
            time.sleep(_PAUSE_S)
            print(f"{site.pairs} pairs, {case}", flush=True)


def seen(page: Any, edit: Edit, mark: str) -> float:
    """When the browser's page had the mark, in seconds since 1970 by its clock, which is this machine's."""
    script = f"mark => ({edit.seen})(mark) && performance.timeOrigin + performance.now()"
    handle = page.wait_for_function(script, arg=mark, timeout=1000 * _PATIENCE_S)
    return float(handle.json_value()) / 1000


def answered(address: str, path: str, case: str, mark: str) -> float:
    """When a request got the mark, in seconds since 1970."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=_PATIENCE_S)
    end = time.time() + _PATIENCE_S
    while time.time() < end:
        text = _get(connection, parts.path + path)
        if case == "style":
            found = re.search(r'href="([^"]+/style[^"]*\.css)"', text)
            text = _get(connection, found[1]) if found else ""
        if mark in text:
            return time.time()
        time.sleep(0.005)
    raise SystemExit(f"{mark} was not served within {_PATIENCE_S:g} s")


def _get(connection: http.client.HTTPConnection, path: str) -> str:
    connection.request("GET", path)
    return connection.getresponse().read().decode("utf-8", "replace")


@contextmanager
def browser_page(wanted: bool) -> Iterator[Any]:
    """A page of Chromium; None if it is not wanted."""
    if not wanted:
        yield None
        return
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise SystemExit(
            "Playwright is not installed (`pip install playwright`); or say --no-browser"
        ) from None
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as playwright:
        sandbox = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=path, args=sandbox)
        try:
            yield browser.new_page()
        finally:
            browser.close()


def print_results(sizes: Sequence[int], cases: Sequence[str], results: Results) -> None:
    """Print medians, a line for each kind of edit."""
    metrics = [
        one for one in ("visible_ms", "served_ms") if results.median(sizes[0], "diglot", f"{cases[0]} {one}")
    ]
    print("\nmedian milliseconds from save")
    print_table(
        ("edit", *(f"{size} {metric}" for size in sizes for metric in metrics)),
        (
            (case, *(results.median(size, "diglot", f"{case} {one}") for size in sizes for one in metrics))
            for case in cases
        ),
    )


def main() -> int:
    """Run the measurements that the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-n", default="10,100,1000", help="pairs of posts, several with commas")
    parser.add_argument("--edits", type=int, default=20, help="edits of a kind (default: 20)")
    parser.add_argument(
        "--only", metavar="CASE", action="append", choices=CASES, help=f"of {', '.join(CASES)}: those named"
    )
    parser.add_argument("--no-browser", action="store_true", help="time the server's answers alone")
    parser.add_argument("--work", type=Path, default=Path("build/benchmarks"), help="folder for the sites")
    parser.add_argument("--csv", type=Path, help="append the results to this file")
    arguments = parser.parse_args()
    results = Results()
    sizes = [int(one) for one in arguments.n.split(",")]
    cases = arguments.only or CASES
    with browser_page(not arguments.no_browser) as page:
        for pairs in sizes:
            site = Site(arguments.work.resolve() / "preview", pairs)
            measure(site, cases, arguments.edits, results, page)
    print_results(sizes, cases, results)
    if arguments.csv:
        results.write_csv(arguments.csv)
    return 0


if __name__ == "__main__":
    sys.exit(main())
