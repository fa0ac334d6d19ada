"""Pages that only lead elsewhere: not found, moved."""

from diglot.languages import HTML_LANG, Language
from diglot.project import Project
from diglot.render.lists import pair_view
from diglot.render.page_parts import addresses_of, page_view, render_page, toggle_words
from diglot.render.theme import Theme
from diglot.render.views import Link
from diglot.site_map import SiteMap, articles_in, home_path
from diglot.which_pages import page_languages

NOT_FOUND_PATH = "404.html"


def not_found_path(language: Language) -> str:
    """The page that some hosts show for unknown addresses below a language's home page."""
    return f"{home_path(language)}{NOT_FOUND_PATH}"


def not_found_page(
    theme: Theme, project: Project, site_map: SiteMap, language: Language | None = None
) -> str:
    """The page `404.html`: a sentence, the way home, and articles (nearest first by script).

    With a language, for addresses below its home page; otherwise for all, in both languages.
    """
    addresses = addresses_of(project)
    languages = page_languages(site_map, project.languages)
    shown = (language,) if language else project.languages
    paths = {one: not_found_path(one) if language else home_path(one) for one in languages}
    page = page_view(
        project,
        language=language or languages[0],
        path=not_found_path(language) if language else NOT_FOUND_PATH,
        title=" · ".join(theme.strings[one]("not_found") for one in shown),
        toggle=toggle_words(theme.strings, project, language or languages[0], paths=paths, current=language),
        indexed=False,
    )
    articles = articles_in(site_map, language) if language else site_map.articles
    return render_page(
        theme,
        project,
        "not_found.html",
        page,
        languages=[(HTML_LANG[one], theme.strings[one]) for one in shown],
        homes={HTML_LANG[one]: addresses.path(home_path(one) if one in languages else "") for one in shown},
        entries=tuple(pair_view(project, article, shown, described=False) for article in articles),
        slugs=tuple(article.slug_in(language or languages[0]) for article in articles),
    )


def redirect_page(theme: Theme, project: Project, path: str, title: str, language: Language) -> str:
    """The page at an old address of an article; it leads to the new path with or without a script."""
    page = page_view(project, language=language, path=path, title=title, indexed=False)
    to = Link(text=title, url=addresses_of(project).path(path))
    return render_page(theme, project, "redirect.html", page, to=to)
