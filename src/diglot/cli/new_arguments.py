"""The arguments of `diglot new`, a verb for each thing that can be made."""

import argparse
import datetime
from typing import Any

from diglot import DOCS_URL
from diglot.cli.parsing import Parser, add_command


def add_new(commands: Any) -> None:
    """Add the command to the parser."""
    new = add_command(commands, "new", "make a new article, page, talk or figure")
    verbs = new.add_subparsers(
        dest="new_command", metavar="post|page|talk|figure", required=True, parser_class=Parser
    )
    _add_post(verbs)
    _add_page(verbs)
    _add_talk(verbs)
    _add_figure(verbs)


def _add_post(verbs: Any) -> None:
    post = add_command(
        verbs,
        "post",
        "make a new article",
        "Make the files of a new article: both halves with their titles, and meta.yaml with what they\n"
        "share. The paths of the files are printed. The address is made from the English title, or else\n"
        "from the sounds of the Chinese one; --slug sets another. Nothing that is there is changed.",
        epilog="examples:\n"
        '  diglot new post "脉动阵列" "Systolic arrays" --tags tpu,systolic-array\n'
        '  diglot new post "Notes on HBM4" --only en\n'
        '  diglot new post "显存的账" --draft     # the English half follows later',
    )
    _add_pair(post, slug_help="the article's address: lower-case ASCII letters, digits and hyphens")
    post.add_argument(
        "--date", type=_date, metavar="DATE", help="date of the article, such as 2026-11-20 (default: today)"
    )
    post.add_argument(
        "--tags", type=_words, default=(), metavar="TAGS", help="ids of tags, as in roofline,gpu"
    )


def _add_page(verbs: Any) -> None:
    page = add_command(
        verbs,
        "page",
        "make a new page that is no article, such as About",
        "Make the files of a page that is in no list of articles. Its address is made from its title, as\n"
        "for an article; --slug sets another, with slashes if it is to lie deeper. The paths of the files\n"
        "are printed. Readers find it by a link, or by an entry below `navigation:` in site/site.yaml.",
        epilog="examples:\n  diglot new page 关于 About\n  diglot new page 报告 Talks --slug projects/talks",
    )
    _add_pair(page, slug_help="the page's address below the language, as in about or projects/talks")


def _add_talk(verbs: Any) -> None:
    talk = add_command(
        verbs,
        "talk",
        "make a new talk",
        "Make the files of a talk, whose page shows slides. With --from, it begins with the blocks\n"
        ":::{slide} of an article and the figures of their sections, and has the article's titles, unless\n"
        "others are given. The paths of the files are printed.",
        epilog='examples:\n  diglot new talk "屋顶线" "Rooflines"\n  diglot new talk --from roofline\n\n'
        f"guide: {DOCS_URL}/talks.md",
    )
    _add_pair(talk, slug_help="the talk's address: lower-case ASCII letters, digits and hyphens", titles="*")
    talk.add_argument("--from", dest="from_post", metavar="SLUG", help="the article that it begins with")


def _add_pair(parser: Parser, *, slug_help: str, titles: str = "+") -> None:
    """Add what posts, pages and talks have in common."""
    parser.add_argument(
        "titles",
        nargs=titles,
        metavar="TITLE",
        help="the title in Chinese and the title in English, each in quotes",
    )
    parser.add_argument("--slug", help=slug_help)
    parser.add_argument("--flat", action="store_true", help="files side by side instead of a folder")
    parser.add_argument(
        "--draft",
        action="store_true",
        help="mark it as a draft, which only the preview shows; a draft may have one half",
    )
    parser.add_argument("--only", choices=("zh", "en"), help="it has one half on purpose, in this language")


def _add_figure(verbs: Any) -> None:
    figure = add_command(
        verbs,
        "figure",
        "make the script of a new figure",
        "Make a figure script that already computes and draws something, for you to change. It uses chips\n"
        "of diglot's catalogue and draws in both languages and all sizes. The path of the script is printed.",
        epilog="examples:\n  diglot new figure peaks --kind bars\n"
        "  diglot new figure decode_time --kind lines --post batch-size",
    )
    figure.add_argument(
        "name", metavar="NAME", help="the figure's name: lower-case ASCII letters, digits and underscores"
    )
    figure.add_argument(
        "--kind",
        choices=KINDS,
        default="lines",
        help=f"what to begin with: {', '.join(KINDS)} (default: lines)",
    )
    figure.add_argument(
        "--post",
        metavar="SLUG",
        help="put it into this article's own figures/ (default: the project's figures/)",
    )


KINDS = ("roofline", "lines", "bars", "heatmap", "table")


def _date(text: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f'"{text}" is not a date such as 2026-11-20') from None


def _words(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))
