"""Pictures that other sites show for a link to an article."""

from collections.abc import Mapping

from diglot.engine import Key
from diglot.rules.cards import has_card, make_card
from diglot.rules.features import HALF, Feature, Output
from diglot.rules.ids import HalfId
from diglot.rules.projects import read_site_settings
from diglot.rules.sources import kind_of
from diglot.rules.summaries import summarise
from diglot.rules.tasks import Fetch
from diglot.site_map import card_path


async def _find_card(fetch: Fetch, half: HalfId) -> Mapping[str, Key]:
    if kind_of(half.article) == "talk" or not await has_card(fetch, await fetch(read_site_settings), half):
        return {}
    path = (await fetch(summarise, half.article)).path(half.language)
    return {card_path(path): make_card.key(half)}


feature = Feature("cards", outputs=(Output(HALF, files=_find_card, makes=(make_card,)),))
