"""Generate a site of posts to benchmark builds with, for diglot or for one of its peers.

    python benchmarks/corpus.py -n 1000 -o site                  # a diglot project
    python benchmarks/corpus.py -n 1000 -o site --figures 10     # with ten figures, each in one post
    python benchmarks/corpus.py -n 1000 -o site --for hugo       # the same posts as a Hugo site

A post is a pair with 6 to 8 KB of Markdown per half: prose, tables, much code, lists, pictures, two
footnotes, and formulas in one post of four. Both halves have the same blocks in the same order, like
translations. A post depends only on its number and the seed: 100 pairs are the first 100 of 1,000.
"""

import argparse
import sys
from pathlib import Path

from corpus_layouts import write_diglot, write_hugo, write_pelican
from corpus_pairs import make_pair


def main() -> int:
    """Write the corpus that the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-n", type=int, default=100, help="pairs of posts (default: 100)")
    parser.add_argument("-o", "--output", type=Path, required=True, help="a folder that is not there yet")
    parser.add_argument("--for", dest="tool", choices=("diglot", "hugo", "pelican"), default="diglot")
    parser.add_argument(
        "--figures", type=int, default=0, help="figure scripts, each in one post (diglot only)"
    )
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.n < 1 or arguments.figures < 0:
        parser.error("-n is at least 1, --figures at least 0")
    if arguments.figures and arguments.tool != "diglot":
        parser.error("only diglot draws figures")
    if arguments.output.exists():
        parser.error(f"{arguments.output} is there already")
    write_corpus(
        arguments.output, arguments.n, tool=arguments.tool, figures=arguments.figures, seed=arguments.seed
    )
    return 0


def write_corpus(root: Path, count: int, *, tool: str = "diglot", figures: int = 0, seed: int = 1) -> None:
    """Write `count` pairs as a tool's site into an empty or missing folder."""
    pairs = (make_pair(number, seed) for number in range(count))
    match tool:
        case "diglot":
            write_diglot(pairs, root, figures=figures)
        case "hugo":
            write_hugo(pairs, root)
        case "pelican":
            write_pelican(pairs, root)
        case _:
            raise ValueError(f'no layout for "{tool}"')


if __name__ == "__main__":
    sys.exit(main())
