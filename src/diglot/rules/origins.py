"""Tasks that read figure scripts: which lines give the values of their data."""

from diglot.engine import FILE
from diglot.figures.scripts.origins import Keys, Origins, read_origins
from diglot.rules.figures import find_script
from diglot.rules.tasks import Fetch, task


@task("origins")
async def find_origins(fetch: Fetch, figure_id: str) -> Origins:
    """The lines of a figure's script that give the values of its data."""
    script = await fetch(find_script, figure_id)
    if script is None:
        return Origins()
    source = script.source
    if source is None:
        source = (await fetch(FILE, script.path) or b"").decode("utf-8", "replace")
    return read_origins(source, first_line=script.first_line)


@task("given-values")
async def find_given(fetch: Fetch, figure_id: str) -> tuple[Keys, ...]:
    """The values that a figure's script gives by constants and parameters alone: a slice."""
    return (await fetch(find_origins, figure_id)).given
