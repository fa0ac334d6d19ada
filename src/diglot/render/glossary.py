"""Renders the page of a site's terms."""

from diglot.content.terms import Term
from diglot.languages import HTML_LANG, Language, twin_of
from diglot.project import Project
from diglot.render.materials import LinkedArticle
from diglot.render.page_parts import addresses_of, generated_page, render_page
from diglot.render.talk_lists import link_to
from diglot.render.theme import Theme
from diglot.render.versions import versions_of
from diglot.render.views import GlossaryTermView
from diglot.site_map import glossary_path


def glossary_page(
    theme: Theme,
    project: Project,
    terms: tuple[tuple[Term, tuple[LinkedArticle, ...]], ...],
    language: Language,
    languages: tuple[Language, ...],
) -> str:
    """The page `/en/glossary/`: each term with the articles that use it.

    `languages` are those that the site has pages in.
    """
    title = theme.strings[language]("glossary")
    names = (term.names.of(language) for term, _ in terms)
    versions = versions_of(project, {one: glossary_path(one) for one in languages})
    page = generated_page(theme, project, language, versions, title=title, names=names)
    views = tuple(_view(project, term, articles, language) for term, articles in terms)
    return render_page(theme, project, "glossary.html", page, terms=views)


def _view(
    project: Project, term: Term, articles: tuple[LinkedArticle, ...], language: Language
) -> GlossaryTermView:
    addresses, twin = addresses_of(project), twin_of(language)
    return GlossaryTermView(
        anchor=f"term-{term.id}",
        name=term.names.of(language),
        twin=term.names.of(twin),
        twin_lang=HTML_LANG[twin],
        definition="" if term.definition is None else term.definition.of(language),
        articles=tuple(link for one in articles if (link := link_to(one, language, addresses)) is not None),
    )
