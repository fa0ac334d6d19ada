"""The characters of all formulas, for which the formula font is published."""

from diglot.render.formula_font import with_letters
from diglot.rules.ids import HalfId
from diglot.rules.outlines import outlines_of
from diglot.rules.sources import find_post, find_posts
from diglot.rules.tasks import Fetch, task


@task("formula-characters")
async def find_formula_characters(fetch: Fetch, _name: None) -> str:
    """Each character that is in a formula of an article, once, with all letters and digits."""
    posts = await fetch(find_posts)
    files = await fetch.all(find_post, posts.names)
    halves = [
        HalfId(name, language)
        for name, post in zip(posts.names, files, strict=True)
        for language in post.languages
    ]
    outlines = await outlines_of(fetch, halves)
    return with_letters({*"".join(outline.formulas for outline in outlines if outline)})
