"""What editors show beside the keys of `site.yaml` and of front matter, and the limits of their values."""

from typing import Any

from diglot.editors import EDITORS
from diglot.project import (
    DEFAULT_FRAMES,
    DEFAULT_LIST_ENTRIES,
    DEFAULT_MEMORY_MB,
    DEFAULT_RELATED,
    DEFAULT_TIMEOUT_S,
    LONGEST_TIMEOUT_S,
    MOST_FEED_ENTRIES,
    MOST_FRAMES,
    MOST_LIST_ENTRIES,
    MOST_MEMORY_MB,
    MOST_RELATED,
    TERM_ID,
)

Notes = dict[str, dict[str, Any]]

BILINGUAL: dict[str, Any] = {
    "type": "object",
    "properties": {"zh": {"type": "string"}, "en": {"type": "string"}},
    "required": ["zh", "en"],
    "additionalProperties": False,
}
"""A text that must be given in both languages."""

_WHOLE = "^https?://"
_TERM_IDS: dict[str, Any] = {"propertyNames": {"pattern": f"^{TERM_ID.pattern}$"}}


def _note(description: str, **more: Any) -> dict[str, Any]:
    return {"description": description, **more}


_TEXTS: dict[str, Any] = {"anyOf": [{"type": "string"}, BILINGUAL]}
_TERM: dict[str, Any] = _note(
    "What readers see; or label, and a description for its page.",
    anyOf=[
        {"type": "string"},
        BILINGUAL,
        {
            "type": "object",
            "properties": {"label": _TEXTS, "description": _TEXTS},
            "required": ["label"],
            "additionalProperties": False,
        },
    ],
)


SITE: Notes = {
    "title": _note("Name of the site."),
    "description": _note("A sentence for the landing page, feeds and search engines."),
    "base_url": _note(
        "Where the site will be published, including its folder if it has one, as in "
        "https://example.org/blog/.",
        pattern=_WHOLE,
    ),
    "authors": _note("People, by the ids that articles name them with."),
    "authors.*.name": _note("What readers see."),
    "authors.*.url": _note("A page about this person.", pattern=_WHOLE),
    "authors.*.text": _note("Who this is, in a few sentences, for the author's page."),
    "authors.*.links": _note("Pages elsewhere, for the author's page."),
    "authors.*.links[].label": _note("What readers see."),
    "authors.*.links[].url": _note("A complete address.", pattern=f"{_WHOLE}|^mailto:"),
    "tags": _note("Labels of tags, by the ids that articles use; ids appear in addresses.", **_TERM_IDS),
    "tags.*": _TERM,
    "categories": _note("Labels of categories, like tags.", **_TERM_IDS),
    "categories.*": _TERM,
    "series": _note("Labels of series, like tags.", **_TERM_IDS),
    "series.*": _TERM,
    "navigation": _note("Links in the navigation bar."),
    "navigation[].label": _note("What readers see."),
    "navigation[].path": _note(
        "A path such as /tags/ or /about/, which leads to the page in the reader's language, or a complete "
        "address.",
        pattern=f"^/|{_WHOLE}",
    ),
    "languages": _note("Which language comes first."),
    "languages.first": _note("The language that comes first, zh by default."),
    "traditional": _note("The traditional characters in which Chinese pages are there, too."),
    "fallback": _note("Whether an article in one language has a page for readers of the other, too."),
    "gallery": _note("Whether every figure has a page of its own, listed at /figures/."),
    "hardware": _note("Whether every chip of the catalogue has a page, listed at /hardware/."),
    "glossary": _note("Whether the terms in site/glossary.yaml have a page, /glossary/.", default=False),
    "first_use": _note(
        "Whether the first use of a term in an article shows its name in the other language.", default="alone"
    ),
    "licence": _note("Shown at the foot of every page."),
    "source_url": _note(
        "Where the project's files can be read online, as in https://github.com/someone/site/blob/main/.",
        pattern=_WHOLE,
    ),
    "feed_text": _note("What feeds hold of an article: all of its text, or its description.", default="full"),
    "markdown": _note("Whether articles are published as Markdown, too, with a list of them.", default=False),
    "search": _note("Whether readers can search the site.", default=False),
    "cards": _note(
        "Which articles have a picture that stands for them where they are shared.", default="figures"
    ),
    "pictures": _note("The format of pictures in several widths; none leaves them alone.", default="webp"),
    "tag_feeds": _note("Whether tags, categories, series and authors have feeds.", default=False),
    "list_entries": _note(
        "Number of articles on a page of a list.",
        minimum=1,
        maximum=MOST_LIST_ENTRIES,
        default=DEFAULT_LIST_ENTRIES,
    ),
    "related": _note(
        "Number of related articles below an article; 0 for none.",
        minimum=0,
        maximum=MOST_RELATED,
        default=DEFAULT_RELATED,
    ),
    "feed_entries": _note("Number of articles in a feed.", minimum=1, maximum=MOST_FEED_ENTRIES, default=20),
    "figure_timeout_s": _note(
        "Seconds after which a figure script is stopped.",
        exclusiveMinimum=0,
        maximum=LONGEST_TIMEOUT_S,
        default=DEFAULT_TIMEOUT_S,
    ),
    "frames": _note(
        "States that a figure may have which readers can turn.",
        minimum=1,
        maximum=MOST_FRAMES,
        default=DEFAULT_FRAMES,
    ),
    "figure_memory_mb": _note(
        "Memory that a call of a figure script may use, in millions of bytes.",
        minimum=1,
        maximum=MOST_MEMORY_MB,
        default=DEFAULT_MEMORY_MB,
    ),
    "ignore": _note("Warnings that are not reported."),
    "ignore[].rule": _note("The name of the warning, as messages show it."),
    "ignore[].path": _note("A file, or a pattern such as content/posts/old/**; everywhere without one."),
    "html": _note("What becomes of HTML in articles; all by default."),
    "comments": _note("A comment box below every article; without it, nothing is loaded."),
    "comments.giscus": _note("Comments in the discussions of a repository on GitHub, by giscus.app."),
    "comments.giscus.repo": _note("The repository, as in ada/blog."),
    "comments.giscus.repo_id": _note("As giscus.app says it."),
    "comments.giscus.category": _note("The category of its discussions."),
    "comments.giscus.category_id": _note("As giscus.app says it."),
    "comments.giscus.mapping": _note("Which pages share a discussion; by default those of an article."),
    "comments.giscus.strict": _note("Whether titles of discussions are compared exactly."),
    "comments.giscus.reactions": _note("Whether readers can react to the article itself."),
    "comments.giscus.input": _note("Where the box to write in is."),
    "analytics": _note("The service that counts visits; without it, nothing is loaded."),
    "analytics.plausible": _note("Visits are counted by Plausible."),
    "analytics.plausible.domain": _note("The domain as in your account: example.org."),
    "analytics.plausible.src": _note("Address of its script.", pattern=_WHOLE),
    "analytics.goatcounter": _note(
        "Visits are counted by GoatCounter.", anyOf=[{"required": ["code"]}, {"required": ["endpoint"]}]
    ),
    "analytics.goatcounter.code": _note("The first part of your address there: example.goatcounter.com."),
    "analytics.goatcounter.endpoint": _note("Address that visits are sent to.", pattern=_WHOLE),
    "analytics.goatcounter.src": _note("Address of its script.", pattern=_WHOLE),
    "analytics.umami": _note("Visits are counted by Umami."),
    "analytics.umami.website_id": _note("The site's id in Umami."),
    "analytics.umami.src": _note("Address of its script.", pattern=_WHOLE),
    "params": _note("Values of your own, for templates."),
    "deploy": _note("Where `diglot deploy` publishes the site."),
    "deploy.branch": _note("The branch to publish to.", default="gh-pages"),
    "deploy.remote": _note("The remote repository to publish to.", default="origin"),
    "deploy.cname": _note("The site's own domain, for a file CNAME in the branch."),
    "deploy.to": _note("Instead of a branch: a folder, or user@host:path."),
    "deploy.delete": _note("Whether files at user@host:path that are not part of the site are removed."),
    "preview": _note("Settings of `diglot serve`."),
    "preview.editor": _note(
        "The editor in which the preview opens files, or an address with {path} and {line}.",
        anyOf=[{"enum": sorted(EDITORS)}, {"pattern": r"\{path\}"}],
    ),
}

FRONT_MATTER: Notes = {
    "title": _note("Title of the article; may contain {eval} values."),
    "date": _note("Day of publication, as in 2026-11-20, without quotes and without a time."),
    "description": _note("One or two sentences for lists, feeds and search engines."),
    "updated": _note("Day of the last large change, not earlier than `date`."),
    "expires": _note("The last day on which the article is shown."),
    "draft": _note("Whether the article is left out of the site; the preview shows it."),
    "tags": _note("Ids of tags; their labels are in site.yaml."),
    "categories": _note("Ids of categories; their labels are in site.yaml."),
    "authors": _note("Ids of authors in site.yaml."),
    "aliases": _note("Old addresses, from the site's root, that redirect here."),
    "only": _note("The article has only this half, on purpose."),
    "slug": _note("The address to use instead of the folder's name.", pattern="^[a-z0-9][a-z0-9-]*$"),
    "fallback": _note("Whether readers of the other language get a page with this text, too."),
    "translation_key": _note("Joins two halves whose files have different names."),
    "comments": _note("Whether readers can comment; by default on posts, not on pages."),
    "contents": _note("Whether the page has a table of contents, if there are enough headings."),
    "series": _note("Id of the series that the article is a part of.", pattern="^[a-z0-9][a-z0-9-]*$"),
    "part": _note("Its number in the series; by date without it.", minimum=1),
    "params": _note("Values of your own, for templates."),
    "event": _note("Of a talk: where it is given."),
    "article": _note("Of a talk: the folder of the post that it is about."),
}
