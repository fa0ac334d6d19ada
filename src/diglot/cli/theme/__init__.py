"""`diglot theme`."""

from diglot import DOCS_URL
from diglot.cli.command import Command, option

_THEMES = f"The guide to themes: {DOCS_URL}/themes.md"

_LIST = Command(
    name="list",
    about="list the theme's files and what the project does with them",
    run="diglot.cli.theme.running:run_list",
    detail=(
        "List every template, file of words and static file of the theme: whether it is built-in, and\n"
        "which file of the project replaces, extends or adds to it."
    ),
    epilog=_THEMES,
)
_COPY = Command(
    name="copy",
    about="copy files of the built-in theme into the project",
    run="diglot.cli.theme.running:run_copy",
    detail=(
        "Copy files of the built-in theme into templates/, where they replace the built-in ones, and print\n"
        "their paths. Existing files stay as they are. The first line of a copy names the version that it\n"
        "comes from. A copy does not change with diglot; `diglot theme list` shows when the built-in file\n"
        "has changed.\n"
        "\n"
        "Most changes need no copy: extend a template to replace one of its blocks, write single words into\n"
        "templates/strings/en.yaml, and style sheets into site/static/custom.css."
    ),
    epilog=f"examples:\n  diglot theme copy article.html\n  diglot theme copy style.css\n\n{_THEMES}",
    options={
        "files FILE": option("a file as `diglot theme list` names it: base.html, style.css", nargs="+"),
    },
)

command = Command(
    name="theme",
    about="list the theme's files, or copy one to change it",
    group="adapt and tidy",
    verbs=(
        _LIST,
        _COPY,
    ),
)
