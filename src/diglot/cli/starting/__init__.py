"""`diglot init`."""

from pathlib import Path

from diglot.cli.command import Command, option

command = Command(
    name="init",
    about="make a new site that works at once",
    group="write",
    run="diglot.cli.starting.running:run",
    detail=(
        "Write a small site in Chinese and English into DIR: a configuration, an article with a figure and\n"
        "values from its data, a README, and settings for editors. Existing files stay as they are. Prints\n"
        "what was added and what was left alone."
    ),
    epilog=(
        "examples:\n"
        "  diglot init blog && cd blog && diglot serve\n"
        '  diglot init blog --title 脊点两侧 --title "Both sides of the ridge"\n'
        "  diglot init --ci github            # in this folder, with a workflow that publishes the site"
    ),
    options={
        "folder DIR": option(
            "folder of the site, created if it does not exist (default: the current folder)",
            Path,
            nargs="?",
            default=Path(),
        ),
        "--title TITLE": option(
            "name of the site, in both languages; give it twice for one in Chinese and one in English",
            action="append",
            dest="titles",
            default=[],
        ),
        "--first-language": option(
            "language that comes first on pages in both, and for readers of neither (default: zh)",
            choices=("zh", "en"),
        ),
        "--ci": option(
            "add a workflow that checks, builds and publishes the site on every push: to GitHub Pages or "
            "GitLab Pages",
            choices=("github", "gitlab"),
        ),
        "--empty": "write no example: no article, no figure, no page about the site",
        "--ask": "ask for title, address and the rest (only on a terminal)",
    },
)
