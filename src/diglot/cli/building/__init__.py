"""`diglot build`."""

from diglot.cli.command import Command

command = Command(
    name="build",
    about="build the site (the default)",
    group="see",
    run="diglot.cli.building.running:run",
    detail=(
        "Build the site into the output folder, redoing only what changed. If the site has errors, all of\n"
        "them are printed and the output stays as it was."
    ),
    options={
        "--verify": "also build a copy of the project from scratch, and compare every file byte for byte",
        "--atomic": ("write a complete new output folder next to the old one, then swap the two in one step"),
        "--relative": "write relative addresses on pages, so that browsers can open them from files",
    },
)
