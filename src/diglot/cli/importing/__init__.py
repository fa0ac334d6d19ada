"""`diglot import`."""

from pathlib import Path

from diglot.cli.command import Command, option

_IMPORT = """\
Convert the posts and pages of another system into a project: pairs of articles, their pictures, their old
addresses as aliases, and site.yaml from the old configuration. Two files of one post, or one file with
both languages, become a pair. diglot only reads the source, and runs nothing in it. What has no counterpart
stays in the text, and is listed here and in IMPORT.md, with its file and line."""

_IMPORT_NOTES = """\
SOURCE is the folder of a whole site, a folder of posts, or one post. Existing files are not changed without
--force: an article is written completely or not at all.

examples:
  diglot import hugo ../old-blog -o blog --dry-run
  diglot import jekyll ../old-blog -o blog && cd blog && diglot serve
  diglot import hexo ../old-blog/source/_posts/hello.md -o .
  diglot import myst ../lectures -o site"""


_SYSTEMS = ("jekyll", "hugo", "hexo", "myst", "quarto", "notebook", "obsidian")


command = Command(
    name="import",
    about="import a blog, a MyST or Quarto project, notebooks or a vault",
    group="write",
    run="diglot.cli.importing.running:run",
    detail=_IMPORT,
    epilog=_IMPORT_NOTES,
    output_help="the project to write to, created if it does not exist (required)",
    options={
        "system": option("what the source was made for", choices=_SYSTEMS),
        "source SOURCE": option("a site, a folder of posts, or one post", Path),
        "-n --dry-run": "list what would be written, and write nothing",
        "--force": "replace existing files",
    },
)
