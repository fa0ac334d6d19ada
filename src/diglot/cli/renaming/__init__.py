"""`diglot rename`."""

from diglot.cli.command import Command

_POST = Command(
    name="post",
    about="rename an article and update links to it",
    run="diglot.cli.renaming.running:run",
    detail=(
        "Give an article a new name and address: move its files, update links to it in all articles and in\n"
        "the navigation, and keep its old addresses as aliases, which redirect to the new ones. Prints\n"
        "every file that changes."
    ),
    epilog="example:\n  diglot rename post roofline where-the-roof-bends --dry-run",
    options={
        "old OLD": "the article's current name: that of its folder or files, or its slug",
        "new NEW": "its new name: lower-case ASCII letters, digits and hyphens",
        "--dry-run": "print what would change, and change nothing",
    },
)

command = Command(
    name="rename", about="rename an article and update links to it", group="write", verbs=(_POST,)
)
