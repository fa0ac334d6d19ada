"""Tasks of the catalogue of chips: a project's own are checked, and the facts of all are read."""

from collections.abc import Sequence

import msgspec

from diglot.engine import LISTING, UpstreamFailed
from diglot.figures.chip_sheets import ChipName, ChipSheet
from diglot.figures.records import ComputedFigure
from diglot.render.facts_read import chips_of
from diglot.rules.reading import read_text
from diglot.rules.tasks import Fetch, task

FOLDER = "site/hardware"
"""Folder of a project's own chips."""


@task("chip-files")
async def check_chips(fetch: Fetch, _name: None) -> None:
    """Report the mistakes in files of chips, as figures that use them would."""
    paths = await fetch(LISTING, f"{FOLDER}/*")
    texts = [(path, await read_text(fetch, path)) for path in paths if path.endswith(".yaml")]
    if texts:
        from diglot.figures.custom_chips import check_chip_files  # noqa: PLC0415  (only projects with such files need it)

        fetch.report(*check_chip_files(texts))


class ChipSheets(msgspec.Struct, frozen=True, kw_only=True):
    """The sheets of all chips, in the order of the catalogue."""

    sheets: tuple[ChipSheet, ...]


@task("chip-sheets")
async def read_sheets(fetch: Fetch, _name: None) -> ChipSheets:
    """The facts of all chips. Raises UpstreamFailed if a file of the project's has mistakes."""
    from diglot.figures.catalogue_sheets import read_chip_sheets  # noqa: PLC0415  (only sites with pages of chips need it)

    paths = [path for path in await fetch(LISTING, f"{FOLDER}/*") if path.endswith(".yaml")]
    sheets = read_chip_sheets([(path, await read_text(fetch, path)) for path in paths])
    if not sheets:
        raise UpstreamFailed(check_chips.key(None))
    return ChipSheets(sheets=sheets)


@task("chip-sheet")
async def find_sheet(fetch: Fetch, slug: str) -> ChipSheet:
    """The facts of one chip."""
    for sheet in (await fetch(read_sheets)).sheets:
        if sheet.slug == slug:
            return sheet
    raise UpstreamFailed(read_sheets.key(None))  # it is gone, and the list of files is that of the last build


class ChipNames(msgspec.Struct, frozen=True, kw_only=True):
    """The names of all chips, in the order of the catalogue."""

    chips: tuple[ChipName, ...]


@task("chip-names")
async def list_chips(fetch: Fetch, _name: None) -> ChipNames:
    """The names of all chips: a slice, for pages that lead to the others."""
    sheets = (await fetch(read_sheets)).sheets
    return ChipNames(
        chips=tuple(
            ChipName(id=one.id, slug=one.slug, name=one.short_name, vendor=one.vendor) for one in sheets
        )
    )


async def find_read_chips(fetch: Fetch, computed: ComputedFigure) -> tuple[ChipName, ...]:
    """The chips whose facts a figure has read, by name."""
    ids = chips_of(computed)
    return tuple(one for one in (await fetch(list_chips)).chips if one.id in ids) if ids else ()


async def find_read_sheets(fetch: Fetch, computed: ComputedFigure) -> Sequence[ChipSheet]:
    """The same with all that is known of them."""
    return await fetch.all(find_sheet, [one.slug for one in await find_read_chips(fetch, computed)])
