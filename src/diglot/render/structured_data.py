"""What a page is about, for search engines: JSON-LD with the vocabulary of https://schema.org.

A script element of this kind holds data and runs nothing, so a strict Content-Security-Policy allows it.
"""

from typing import Any

import msgspec
from markupsafe import Markup

from diglot.content.records import FrontMatter
from diglot.figures.records import DrawnFigure
from diglot.languages import HTML_LANG, TRADITIONAL, Language
from diglot.project import Person, Project
from diglot.render.embeds import table_view
from diglot.render.page_parts import addresses_of
from diglot.render.terms import authors_of_post, label_of, people_of
from diglot.render.versions import Versions
from diglot.render.views import EmbedView, Link, TableView
from diglot.site_map import UNDATED, ArticleKind, figure_path

_LEAST_DESCRIPTION = 50
"""Characters that a description of a dataset must have for search engines."""


class AboutArticle(msgspec.Struct, frozen=True, kw_only=True):
    """An article in one language."""

    language: Language
    kind: ArticleKind
    title: str
    description: str
    front_matter: FrontMatter
    minutes: int
    image: str
    """Whole address of the picture that stands for it; empty where there is none."""
    embeds: tuple[tuple[str, EmbedView], ...]
    """Its figures and tables of numbers, each with its id on the page."""


def site_data(project: Project, language: Language) -> Markup:
    """What the home page of a language is about."""
    addresses = addresses_of(project)
    traditional = () if project.traditional is None else (TRADITIONAL,)
    return _script(
        {
            "@type": "WebSite",
            "@id": _site(project),
            "name": project.title.of(language),
            "alternateName": [one for one in project.title if one != project.title.of(language)],
            "description": project.description.of(language),
            "url": addresses.whole(""),
            "inLanguage": [HTML_LANG[one] for one in (*project.languages, *traditional)],
        }
    )


def article_data(project: Project, versions: Versions, about: AboutArticle) -> Markup:
    """What the page of an article is about. The first language of the site counts as the original."""
    addresses, language, front = addresses_of(project), about.language, about.front_matter
    page = addresses.whole(versions.paths[language])
    first = next(one for one in project.languages if one in versions.written)
    others = [_work(addresses.whole(versions.paths[one])) for one in versions.written if one != language]
    named = (
        authors_of_post(project, front.authors, language)
        if about.kind == "post"
        else people_of(project, front.authors)
    )
    people = [_person(one, language) for one in named or project.authors]
    dated = {} if front.date == UNDATED else {"datePublished": front.date.isoformat()}
    datasets = [
        _dataset(
            project,
            _Dataset(
                id=f"{page}#{anchor}",
                title=embed.title,
                about=embed.message or embed.alt,
                table=embed.table,
                downloads=embed.downloads,
            ),
            language,
            people,
        )
        for anchor, embed in about.embeds
        if embed.table is not None
    ]
    types = ["BlogPosting", "ScholarlyArticle"] if about.embeds else ["BlogPosting"]
    return _script(
        {
            "@type": types if about.kind == "post" else "WebPage",
            "@id": _work(page)["@id"],
            "mainEntityOfPage": page,
            "url": page,
            "headline" if about.kind == "post" else "name": about.title,
            "description": about.description,
            "inLanguage": HTML_LANG[language],
            **dated,
            "dateModified": (front.updated or front.date).isoformat() if dated or front.updated else "",
            "author": people or [_publisher(project, language)],
            "publisher": _publisher(project, language),
            "isPartOf": {"@id": _site(project)},
            "image": about.image,
            **_licence(project, language),
            "keywords": [label_of(project.tags, one, language) for one in front.tags],
            "articleSection": [label_of(project.categories, one, language) for one in front.categories],
            "timeRequired": f"PT{about.minutes}M" if about.kind == "post" else "",
            "workTranslation" if language == first else "translationOfWork": others,
            "hasPart": datasets,
        }
    )


def figure_data(
    project: Project, language: Language, figure_id: str, drawn: DrawnFigure, downloads: tuple[Link, ...]
) -> Markup:
    """What the page of a figure is about: the table of its numbers; nothing for a figure without one."""
    if drawn.table is None:
        return Markup()
    page = addresses_of(project).whole(figure_path(language, figure_id))
    people = [_person(one, language) for one in project.authors]
    data = _Dataset(
        id=page,
        title=drawn.title,
        about=drawn.message or drawn.alt,
        table=table_view(drawn.table),
        downloads=downloads,
    )
    return _script(_dataset(project, data, language, people))


_FORMATS = {"CSV": "text/csv", "JSON": "application/json"}


class _Dataset(msgspec.Struct, frozen=True, kw_only=True):
    """The table of a figure's numbers."""

    id: str
    title: str
    about: str
    table: TableView
    downloads: tuple[Link, ...]


def _dataset(
    project: Project, data: _Dataset, language: Language, people: list[dict[str, str]]
) -> dict[str, Any]:
    columns = [f"{one.name} ({one.unit})" if one.unit else one.name for one in data.table.columns]
    description = (
        f"{data.title}{'：' if language == 'zh' else ': '}{data.about}" if data.about else data.title
    )
    if len(description) < _LEAST_DESCRIPTION:
        description += f" ({', '.join(columns)})"
    return {
        "@type": "Dataset",
        "@id": data.id,
        "url": data.id,
        "name": data.title,
        "description": description,
        "inLanguage": HTML_LANG[language],
        "creator": people or [_publisher(project, language)],
        **_licence(project, language),
        "isAccessibleForFree": True,
        "variableMeasured": columns,
        "distribution": [
            {
                "@type": "DataDownload",
                "encodingFormat": _FORMATS[link.text],
                "contentUrl": project.origin + link.url,
            }
            for link in data.downloads
            if link.text in _FORMATS
        ],
    }


def _site(project: Project) -> str:
    return f"{addresses_of(project).whole('')}#site"


def _work(page: str) -> dict[str, str]:
    return {"@id": f"{page}#article"}


def _person(person: Person, language: Language) -> dict[str, str]:
    url = {"url": person.url} if person.url else {}
    return {"@type": "Person", "name": person.name.of(language), **url}


def _licence(project: Project, language: Language) -> dict[str, Any]:
    if project.licence is None:
        return {}
    return {"license": {"@type": "CreativeWork", "name": project.licence.of(language)}}


def _publisher(project: Project, language: Language) -> dict[str, str]:
    url = addresses_of(project).whole("")
    return {"@type": "Organization", "name": project.title.of(language), "url": url}


def _script(record: dict[str, Any]) -> Markup:
    """A record for a script element, without what is not known. Nothing in it can end the element."""
    known = {key: value for key, value in record.items() if value not in ("", [], {})}
    text = msgspec.json.encode({"@context": "https://schema.org", **known}).decode()
    return Markup(text.replace("<", "\\u003c"))
