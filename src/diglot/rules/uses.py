"""Tasks that find which articles use a figure, for messages about a script that fails."""

from diglot.content.records import FrontMatter
from diglot.engine import UpstreamFailed
from diglot.figure_request import FigureRequest
from diglot.render.parts import placeholders_in
from diglot.rules.front_matters import read_front_matter
from diglot.rules.halves import cut_references
from diglot.rules.ids import HalfId
from diglot.rules.parsed_halves import References
from diglot.rules.sources import find_post, find_posts
from diglot.rules.tasks import Fetch, task


@task("figure-uses")
async def find_uses(fetch: Fetch, _name: None) -> dict[str, tuple[str, ...]]:
    """The files that show or quote each figure, sorted, by the figure's id. Broken halves are left out."""
    found: dict[str, set[str]] = {}
    posts = await fetch(find_posts)
    for name, post in zip(posts.names, await fetch.all(find_post, posts.names), strict=True):
        for language in post.languages:
            half = HalfId(name, language)
            for figure_id in await _used_by(fetch, half):
                found.setdefault(figure_id, set()).add(post.path(language))
    return {figure_id: tuple(sorted(files)) for figure_id, files in sorted(found.items())}


async def _used_by(fetch: Fetch, half: HalfId) -> set[str]:
    used: set[str] = set()
    try:
        references: References = await fetch(cut_references, half)
        used |= {text for text, _ in (*references.embedded, *references.quoted)}
        front: FrontMatter = await fetch(read_front_matter, half)
        for parts in (front.title, front.description, front.event):
            used |= {text for placeholder in placeholders_in(parts) for text in placeholder.figures}
    except UpstreamFailed:
        pass
    return {FigureRequest.parse(text).figure_id for text in used}


@task("figure-users")
async def find_users(fetch: Fetch, figure_id: str) -> tuple[str, ...]:
    """The files that use one figure, sorted. A task, so that other articles' changes run no script again."""
    uses = await fetch(find_uses)
    return uses.get(figure_id, ())
