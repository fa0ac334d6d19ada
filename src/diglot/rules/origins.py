"""Tasks that read figure scripts: which lines give the values of their data, and what these are made of."""

from diglot.engine import FILE
from diglot.figures.records import Script
from diglot.figures.scripts.origins import Origins, read_origins
from diglot.figures.scripts.value_parts import Parts, read_parts
from diglot.rules.figures import find_script
from diglot.rules.tasks import Fetch, task


@task("origins")
async def find_origins(fetch: Fetch, figure_id: str) -> Origins:
    """The lines of a figure's script that give the values of its data."""
    script = await fetch(find_script, figure_id)
    if script is None:
        return Origins()
    return read_origins(await _code_of(fetch, script), first_line=script.first_line)


@task("value-parts")
async def find_parts(fetch: Fetch, figure_id: str) -> Parts:
    """The values of a figure that are made of others alone, or of constants and parameters."""
    script = await fetch(find_script, figure_id)
    return () if script is None else read_parts(await _code_of(fetch, script))


async def _code_of(fetch: Fetch, script: Script) -> str:
    if script.source is not None:
        return script.source
    return (await fetch(FILE, script.path) or b"").decode("utf-8", "replace")
