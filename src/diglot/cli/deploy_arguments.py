"""The arguments of `diglot deploy`."""

from typing import Any

from diglot.cli.parsing import add_command


def add_deploy(commands: Any) -> None:
    """Add `deploy` to the commands."""
    deploy = add_command(
        commands,
        "deploy",
        "build the site and publish it on the web",
        "Build the site and put it where readers find it: by default onto the branch gh-pages of the remote\n"
        "origin, as GitHub Pages serves it; with --to, into a folder or onto another machine. Your own\n"
        "branch, index and files are not touched. A site with errors is not deployed, nor one with drafts\n"
        "or future articles, nor one whose sources are not committed and pushed. Defaults can be set in\n"
        "site.yaml, under `deploy:`.",
        epilog="examples:\n"
        "  diglot deploy --dry-run\n"
        "  diglot deploy --cname example.org\n"
        "  diglot deploy --to ada@example.org:/var/www/blog --delete",
    )
    deploy.add_argument(
        "-n", "--dry-run", action="store_true", help="say what would be added, changed and removed, and stop"
    )
    deploy.add_argument("--branch", metavar="NAME", help="the branch that holds the site (default: gh-pages)")
    deploy.add_argument("--remote", metavar="NAME", help="the Git remote to push to (default: origin)")
    deploy.add_argument(
        "--cname",
        metavar="DOMAIN",
        help="the site's own domain, for a file CNAME (default: the one in the branch)",
    )
    deploy.add_argument(
        "-m", "--message", help="message of the commit (default: names the commit of the sources)"
    )
    deploy.add_argument(
        "--to",
        metavar="TARGET",
        help="instead of a branch: a folder, or USER@HOST:PATH, which needs rsync",
    )
    deploy.add_argument(
        "--delete",
        action="store_true",
        help="with --to USER@HOST:PATH, also remove files there that are not part of the site",
    )
    deploy.add_argument(
        "--allow-dirty", action="store_true", help="deploy although the project has uncommitted changes"
    )
    deploy.add_argument(
        "--allow-unpushed", action="store_true", help="deploy although the last commit is on no remote"
    )
