"""The arguments of `diglot import`."""

from pathlib import Path
from typing import Any

from diglot.cli.parsing import Parser, add_command

_DETAIL = """\
Convert the posts and pages of another system into a project: pairs of articles, their pictures, their old
addresses as aliases, and site.yaml from the old configuration. Two files of one post, or one file with
both languages, become a pair. The source is read only, and nothing in it is run. What has no counterpart
stays in the text; it is listed here and in IMPORT.md, with its file and line."""

_EPILOG = """\
SOURCE is the folder of a whole site, a folder of posts, or one post. Files that are there already are never
changed, unless --force is given: an article is written whole or not at all.

examples:
  diglot import hugo ../old-blog -o blog --dry-run
  diglot import jekyll ../old-blog -o blog && cd blog && diglot serve
  diglot import hexo ../old-blog/source/_posts/hello.md -o ."""


def add_import(commands: Any) -> None:
    """Add the command to the parser."""
    parser: Parser = add_command(
        commands,
        "import",
        "bring in a blog of Jekyll, Hugo or Hexo",
        _DETAIL,
        epilog=_EPILOG,
        output_help="the project to write to, made if it is not there (needed)",
    )
    parser.add_argument("system", choices=("jekyll", "hugo", "hexo"), help="what the source was made for")
    parser.add_argument("source", type=Path, metavar="SOURCE", help="a site, a folder of posts, or one post")
    parser.add_argument(
        "-n", "--dry-run", action="store_true", help="list what would be written, and write nothing"
    )
    parser.add_argument("--force", action="store_true", help="replace files that are there already")
