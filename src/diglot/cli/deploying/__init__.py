"""`diglot deploy`."""

from diglot.cli.command import Command, option

command = Command(
    name="deploy",
    about="build the site and publish it on the web",
    group="publish and present",
    run="diglot.cli.deploying.running:run",
    detail=(
        "Build the site and put it where readers find it: by default onto the branch gh-pages of the remote\n"
        "origin, as GitHub Pages serves it; with --to, into a folder or onto another machine. Your own\n"
        "branch, index and files are not touched. A site with errors is not deployed, nor one with drafts\n"
        "or future articles, nor one whose sources are not committed and pushed. Set defaults in site.yaml,\n"
        "under `deploy:`."
    ),
    epilog=(
        "examples:\n"
        "  diglot deploy --dry-run\n"
        "  diglot deploy --cname example.org\n"
        "  diglot deploy --to ada@example.org:/var/www/blog --delete"
    ),
    options={
        "-n --dry-run": "print what would be added, changed and removed, and stop",
        "--branch NAME": "the branch that holds the site (default: gh-pages)",
        "--remote NAME": "the Git remote to push to (default: origin)",
        "--cname DOMAIN": "the site's own domain, for a file CNAME (default: the one in the branch)",
        "-m --message": option("message of the commit (default: names the commit of the sources)"),
        "--to TARGET": "instead of a branch: a folder, or USER@HOST:PATH, which needs rsync",
        "--delete": "with --to USER@HOST:PATH, also remove files there that are not part of the site",
        "--allow-dirty": "deploy although the project has uncommitted changes",
        "--allow-unpushed": "deploy although the last commit is on no remote",
    },
)
