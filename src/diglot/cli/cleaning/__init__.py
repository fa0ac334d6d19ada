"""`diglot clean`."""

from diglot.cli.command import Command, age_s, option

command = Command(
    name="clean",
    about="remove the output and the cache",
    group="adapt and tidy",
    run="diglot.cli.cleaning.running:run",
    detail=("Remove the cache, and the output folder if diglot made it. The next build rebuilds everything."),
    alternatives={
        "--cache": "remove the cache only",
        "--older-than AGE": option(
            "remove only cached data that the last build did not use and that is older than AGE: 30d, "
            "12h, or 0d for any age",
            age_s,
        ),
    },
)
