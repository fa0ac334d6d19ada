"""The task that checks a project's own chips, whether a figure uses them or not."""

from diglot.diagnostics import Diagnostic, Location
from diglot.engine import LISTING
from diglot.rules.reading import read_text
from diglot.rules.tasks import Fetch, task

_FOLDER = "site/hardware"


@task("chip-files")
async def check_chips(fetch: Fetch, _name: None) -> None:
    """Report the mistakes in files of chips, as figures that use them would, and files that are not read."""
    paths = await fetch(LISTING, f"{_FOLDER}/*")
    for path in paths:
        if path.endswith(".yml"):
            fetch.report(
                Diagnostic(
                    rule="chip-file-name",
                    message="this file is not read: files of chips end in .yaml",
                    severity="warning",
                    location=Location(path=path),
                    fix=f"rename it to {path.removesuffix('.yml')}.yaml.",
                )
            )
    texts = [(path, await read_text(fetch, path)) for path in paths if path.endswith(".yaml")]
    if texts:
        from diglot.figures.custom_chips import check_chip_files  # noqa: PLC0415  (only projects with such files need it)

        fetch.report(*check_chip_files(texts))
