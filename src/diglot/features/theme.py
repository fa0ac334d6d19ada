"""Files of the theme."""

from collections.abc import Mapping

from diglot.engine import Key
from diglot.rules.features import SITE_WIDE, Feature, Output
from diglot.rules.tasks import Fetch
from diglot.rules.theme import check_own_templates, list_assets, make_asset
from diglot.rules.words import compare_words


async def _find_files(fetch: Fetch, _site: None) -> Mapping[str, Key]:
    return {path: make_asset.key(name) for name, path in await fetch(list_assets)}


feature = Feature(
    "theme",
    outputs=(
        Output(
            SITE_WIDE,
            files=_find_files,
            makes=(make_asset,),
            called=lambda key: f"{key.name} of the theme",
            gives_way=True,
        ),
    ),
    checks=(compare_words, check_own_templates),
)
