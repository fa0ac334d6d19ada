"""Tags, categories and authors as readers see them."""

from collections.abc import Iterable

from msgspec.structs import replace

from diglot.languages import Bilingual, Language
from diglot.project import Person, Project, Term
from diglot.render.page_parts import addresses_of
from diglot.render.views import Link
from diglot.site_map import FeedTopic, Taxonomy, has_author_page, term_path


def label_of(terms: tuple[Term, ...], id_: str, language: Language) -> str:
    """The label of a tag or category; its id where it has none."""
    return next((term.label.of(language) for term in terms if term.id == id_), id_)


def feed_title(project: Project, topic: FeedTopic) -> str:
    """The title of a feed for readers."""
    site = project.title.of(topic.language)
    if topic.taxonomy is None:
        return site
    return f"{label_of(known_terms(project, topic.taxonomy), topic.term, topic.language)} · {site}"


def known_terms(project: Project, taxonomy: Taxonomy) -> tuple[Term, ...]:
    """The tags, categories, series or authors that have labels."""
    match taxonomy:
        case "tags":
            return project.tags
        case "categories":
            return project.categories
        case "series":
            return project.series
        case "authors":
            return tuple(Term(id=one.id, label=one.name, description=one.text) for one in project.authors)


def linked_terms(
    project: Project, taxonomy: Taxonomy, terms: tuple[str, ...], language: Language
) -> tuple[Link, ...]:
    """Tags or categories as links to their lists."""
    addresses, known = addresses_of(project), known_terms(project, taxonomy)
    return tuple(
        Link(text=label_of(known, term, language), url=addresses.path(term_path(language, taxonomy, term)))
        for term in terms
    )


def linked_authors(
    project: Project, authors: tuple[str, ...], language: Language, *, of_post: bool
) -> tuple[Link, ...]:
    """Authors by name. Those of a post have pages; others have the addresses that the configuration gives."""
    addresses = addresses_of(project)
    return tuple(
        Link(
            text=one.name.of(language),
            url=addresses.path(term_path(language, "authors", one.id))
            if of_post and has_author_page(one.id)
            else one.url or "",
        )
        for one in people_of(project, authors)
    )


def people_of(project: Project, authors: Iterable[str]) -> tuple[Person, ...]:
    """The authors of an article; one whom the configuration does not list is named as the article does."""
    known = {person.id: person for person in project.authors}
    return tuple(known.get(one) or Person(id=one, name=Bilingual(one, one)) for one in authors)


def authors_of_post(project: Project, authors: Iterable[str], language: Language) -> tuple[Person, ...]:
    """The authors of a post for programs: each with an address, here or elsewhere, if there is any."""
    whole = addresses_of(project).whole
    return tuple(
        replace(one, url=whole(term_path(language, "authors", one.id)))
        if one.url is None and has_author_page(one.id)
        else one
        for one in people_of(project, authors)
    )
