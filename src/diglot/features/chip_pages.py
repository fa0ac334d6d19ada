"""The pages of the chips of the catalogue and of the site's own."""

from collections.abc import Mapping

from diglot.engine import Key
from diglot.rules.chips import check_chips, list_chips
from diglot.rules.features import SITE_WIDE, Feature, Output
from diglot.rules.hardware import make_chip_page, make_hardware_page, write_chip_data
from diglot.rules.ids import ChipId
from diglot.rules.projects import read_site_settings
from diglot.rules.summaries import find_page_languages
from diglot.rules.tasks import Fetch
from diglot.site_map import chip_data_path, chip_path, hardware_path, output_path


async def _find_pages(fetch: Fetch, _site: None) -> Mapping[str, Key]:
    if not (await fetch(read_site_settings)).hardware:
        return {}
    slugs = [chip.slug for chip in (await fetch(list_chips)).chips]
    found = {chip_data_path(slug): write_chip_data.key(slug) for slug in slugs}
    for language in (await fetch(find_page_languages)) if slugs else ():
        found[output_path(hardware_path(language))] = make_hardware_page.key(language)
        for slug in slugs:
            found[output_path(chip_path(language, slug))] = make_chip_page.key(ChipId(slug, language))
    return found


feature = Feature(
    "chip-pages",
    outputs=(
        Output(SITE_WIDE, files=_find_pages, makes=(write_chip_data, make_hardware_page, make_chip_page)),
    ),
    checks=(check_chips,),
)
