"""Pages that only lead elsewhere: not found, moved."""

from diglot.languages import HTML_LANG, LANGUAGES, Language
from diglot.project import Project
from diglot.render.lists import entry_view
from diglot.render.page_parts import addresses_of, page_view, render_page, toggle_words
from diglot.render.theme import Theme
from diglot.render.views import Link
from diglot.site_map import SiteMap, home_path, page_languages

NOT_FOUND_PATH = "404.html"


def not_found_page(theme: Theme, project: Project, site_map: SiteMap) -> str:
    """The page `404.html`: a sentence in each language, home links and articles (nearest first by script)."""
    addresses = addresses_of(project)
    languages = page_languages(site_map)
    homes = {language: home_path(language) for language in languages}
    page = page_view(
        project,
        language=languages[0],
        path=NOT_FOUND_PATH,
        title=" · ".join(theme.strings[one]("not_found") for one in LANGUAGES),
        toggle=toggle_words(theme.strings, addresses, languages[0], paths=homes, current=None),
        indexed=False,
    )
    return render_page(
        theme,
        project,
        "not_found.html",
        page,
        languages=[(HTML_LANG[one], theme.strings[one]) for one in LANGUAGES],
        entries=tuple(entry_view(theme, project, article, None) for article in site_map.articles),
        slugs=tuple(article.slug for article in site_map.articles),
    )


def redirect_page(theme: Theme, project: Project, path: str, title: str, language: Language) -> str:
    """The page at an old address of an article; it leads to the new path with or without a script."""
    page = page_view(project, language=language, path=path, title=title, indexed=False)
    to = Link(text=title, url=addresses_of(project).path(path))
    return render_page(theme, project, "redirect.html", page, to=to)
