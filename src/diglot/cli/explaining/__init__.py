"""`diglot explain`."""

from pathlib import Path

from diglot.cli.command import Command, option

command = Command(
    name="explain",
    about="show why a page or figure was, or would be, rebuilt, or where a value comes from",
    group="see",
    run="diglot.cli.explaining.running:run",
    detail=(
        "Show what a page or figure depends on, why it was last rebuilt, and what would rebuild it now.\n"
        "For a value in prose, show the chain from its expression through the figure to facts about chips,\n"
        "with their sources and dates."
    ),
    epilog=(
        "examples:\n  diglot explain /zh/posts/roofline/\n  diglot explain roofline --graph x.dot\n"
        "  diglot explain value 'roofline.h200.ridge | number(0)'\n"
        "  diglot explain value content/posts/roofline/zh.md:12"
    ),
    options={
        "target": "a page's address such as /zh/posts/x/, an article's slug, a figure's id, or `value`",
        "expression EXPRESSION": option(
            "after `value`: an expression as in {eval}, or FILE or FILE:LINE for all values there",
            nargs="?",
        ),
        "--graph FILE": option(
            "write all its dependencies as a graph, for Graphviz, or as JSON if FILE ends in .json", Path
        ),
    },
)
