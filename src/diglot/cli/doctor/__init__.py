"""`diglot doctor`."""

from diglot.cli.command import Command

command = Command(
    name="doctor",
    about="say what this installation lacks, and how to get it",
    group="adapt and tidy",
    run="diglot.cli.doctor.running:run",
    detail=(
        "List the optional packages and programs that diglot works with: which are here, what each is for,\n"
        "how to get it, and whether the settings of the site in this folder need it. Exit code 1 if they do\n"
        "and it is missing."
    ),
)
