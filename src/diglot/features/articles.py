"""Articles: their pages, and the pictures and files of the project that they show or link to."""

from collections.abc import Mapping

from diglot.engine import Key
from diglot.rules.features import ARTICLE, HALF, Feature, Output
from diglot.rules.files import copy_file
from diglot.rules.ids import HalfId
from diglot.rules.pages import make_article_page, make_both_page, make_fallback_page
from diglot.rules.pictures import PictureId, scale_picture
from diglot.rules.references import resolve_references
from diglot.rules.sources import HOME_PAGE
from diglot.rules.tasks import Fetch
from diglot.site_map import Summary, both_path, output_path


async def _find_pages(_fetch: Fetch, article: Summary) -> Mapping[str, Key]:
    found: dict[str, Key] = {}
    for language in article.shown_in:
        half, path = HalfId(article.name, language), article.path(language)
        if language not in article.languages:
            found[output_path(path)] = make_fallback_page.key(half)
            continue
        if article.name != HOME_PAGE and article.kind != "talk":
            found[output_path(path)] = make_article_page.key(half)
        if article.has_both:
            found[output_path(both_path(path))] = make_both_page.key(half)
    return found


async def _find_files(fetch: Fetch, half: HalfId) -> Mapping[str, Key]:
    needs = await fetch(resolve_references, half)
    copies = {published: copy_file.key(path) for path, published in needs.files.items()}
    pictures = {path: scale_picture.key(PictureId.parse(name)) for path, name in needs.pictures.items()}
    return {**copies, **pictures}


feature = Feature(
    "articles",
    outputs=(
        Output(
            ARTICLE,
            files=_find_pages,
            makes=(make_article_page, make_both_page, make_fallback_page),
            called=lambda key: f"a page of {HalfId.parse(key.name).article}",
        ),
        Output(HALF, files=_find_files, makes=(scale_picture,)),
    ),
    pages={"post": make_article_page, "page": make_article_page},
)
