"""`diglot cache`."""

from diglot.cli.command import Command

command = Command(
    name="cache",
    about="keys of a cache that colleagues and CI share",
    group="adapt and tidy",
    verbs=(
        Command(
            name="keys",
            about="make a pair of keys: one to trust, one to write with",
            run="diglot.cli.sharing.running:run_keys",
            detail=(
                "Print a new pair of keys. The public one goes into site/site.yaml, `cache: {keys: …}`:\n"
                "everybody who builds the project then believes what was written with the other one. The\n"
                "secret one goes into the secrets of CI, as DIGLOT_SHARED_CACHE_KEY, and into no file."
            ),
        ),
    ),
)
