"""What is known of a site, as far as an editor asks for it: found by the tasks of its builds."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from diglot.bibliography.works import Entry
from diglot.content.pairs import pair_documents
from diglot.content.records import Alignment, Document
from diglot.content.terms import Term
from diglot.engine import Key
from diglot.figure_request import FigureRequest
from diglot.figures.chip_sheets import ChipSheet
from diglot.figures.records import ComputedFigure, Script
from diglot.languages import LANGUAGES, Language
from diglot.project import Project
from diglot.rules.agreement import compare_article
from diglot.rules.chips import check_chips, read_sheets
from diglot.rules.citations import read_bibliography
from diglot.rules.figures import compute_figure, find_scripts
from diglot.rules.file_names import check_names
from diglot.rules.ids import HalfId
from diglot.rules.manual import check_manual
from diglot.rules.navigation import find_navigation
from diglot.rules.pages import make_article_page, make_both_page
from diglot.rules.projects import read_project
from diglot.rules.readable_articles import ReadableArticle, read_anyway
from diglot.rules.site_lists import check_lists
from diglot.rules.sources import PostFiles, Posts, find_posts, kind_of
from diglot.rules.summaries import ArticleAddresses, find_addresses
from diglot.rules.talks import make_talk_page
from diglot.rules.tasks import Task
from diglot.rules.terms import read_terms

_CHECKED: tuple[Task[None, Any], ...] = (find_navigation, check_lists, check_chips, check_manual, check_names)
"""Tasks that only report."""
_KNOWN: tuple[Task[Any, Any], ...] = (
    *(find_posts, find_scripts, read_project, read_bibliography, read_sheets, read_terms),
    *(read_anyway, find_addresses, compute_figure),
)


class HalfFile(NamedTuple):
    """A half of an article, by its file."""

    article: str
    language: Language


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """All that answers are made of. What cannot be read now is as it was before."""

    posts: Posts = Posts()
    articles: Mapping[str, ReadableArticle] = {}
    """Those that are asked about."""
    addresses: Mapping[str, ArticleAddresses] = {}
    scripts: Mapping[str, Script] = {}
    """By the ids of their figures."""
    figures: Mapping[str, ComputedFigure] = {}
    """By the text of a `FigureRequest`."""
    works: Mapping[str, Entry] = {}
    chips: tuple[ChipSheet, ...] = ()
    terms: tuple[Term, ...] = ()
    project: Project | None = None

    def half_at(self, path: str) -> HalfFile | None:
        """The half that a file is; None for another file."""
        half = self.posts.halves.get(path)
        if half is None:
            return None
        article, language = HalfId.parse(half)
        return HalfFile(article, language)

    def post_of(self, path: str) -> PostFiles | None:
        """The files of the article that a file is a half of, or holds shared keys for."""
        half = self.half_at(path)
        if half is not None:
            return self.posts.articles.get(half.article)
        return next((post for post in self.posts.articles.values() if post.shared == path), None)

    def document_of(self, half: HalfFile | None) -> Document | None:
        """A half as far as it can be read."""
        article = self.articles.get(half.article) if half is not None else None
        if half is None or article is None or half.language not in article.halves:
            return None
        return article.halves[half.language].document

    def alignment_of(self, article: str) -> Alignment:
        """Which blocks of an article belong together; no rows for one that cannot be read."""
        documents = {one: self.document_of(HalfFile(article, one)) for one in LANGUAGES}
        if not any(documents.values()):
            return Alignment()
        return pair_documents(documents["zh"], documents["en"])

    def data_of(self, request: FigureRequest) -> Any:
        """The data of a figure as plain values; None where it is not known."""
        computed = self.figures.get(str(request))
        return None if computed is None else msgspec.json.decode(computed.data)


def questions(known: Known, paths: Collection[str]) -> tuple[Key, ...]:
    """The tasks that say what is wrong with these files, and what else editors ask about them."""
    keys = [task.key(None) for task in (*_CHECKED, *_KNOWN[:6])]
    articles = sorted(_articles_at(known, paths))
    requests = {FigureRequest(figure_id) for figure_id in known.scripts}
    for name in articles:
        post = known.posts.articles[name]
        keys += [read_anyway.key(name), find_addresses.key(name), compare_article.key(name)]
        page = make_talk_page if kind_of(name) == "talk" else make_article_page
        keys += [page.key(HalfId(name, language)) for language in post.languages]
        if kind_of(name) != "talk" and len(post.languages) > 1:
            keys.append(make_both_page.key(HalfId(name, "zh")))
        requests |= _requests_in(known.articles.get(name), known)
    return (*keys, *(compute_figure.key(one) for one in sorted(requests)))


def _articles_at(known: Known, paths: Collection[str]) -> Iterable[str]:
    """The articles that files belong to: halves, shared keys and scripts of figures that articles use."""
    found = {post.name for path in paths if (post := known.post_of(path)) is not None}
    open_ids = {script.figure_id for script in known.scripts.values() if script.path in paths}
    for name, article in known.articles.items():
        uses = {request.figure_id for request in _requests_in(article, known)}
        if uses & open_ids and name in known.posts.articles:
            found.add(name)
    return found


def _requests_in(article: ReadableArticle | None, known: Known) -> set[FigureRequest]:
    halves = () if article is None else article.halves.values()
    texts = {text for half in halves for text, _ in (*half.references.embedded, *half.references.quoted)}
    requests = map(FigureRequest.parse, texts)
    return {one for one in requests if one.figure_id in known.scripts or one.cells_path is not None}


def answered(known: Known, keys: Sequence[Key], values: Sequence[bytes | None]) -> Known:
    """What is known after these tasks have been asked."""
    by_kind: dict[str, dict[Any, Any]] = {}
    for key, value in zip(keys, values, strict=True):
        task = _TASKS.get(key.kind)
        if task is not None and value is not None:
            by_kind.setdefault(key.kind, {})[task.read_name(key.name)] = task.decoded(value)

    def of(task: Task[Any, Any], before: Any) -> Any:
        return by_kind.get(task.kind, {}).get(None, before)

    scripts = of(find_scripts, None)
    sheets = of(read_sheets, None)
    asked = {key.name for key in keys if key.kind == read_anyway.kind}
    articles = {**known.articles, **by_kind.get(read_anyway.kind, {})}
    computed = {str(name): one for name, one in by_kind.get(compute_figure.kind, {}).items()}
    figures = {**known.figures, **{name: one for name, one in computed.items() if not one.refusals}}
    return Known(
        posts=of(find_posts, known.posts),
        articles={name: one for name, one in articles.items() if name in asked},
        addresses={**known.addresses, **by_kind.get(find_addresses.kind, {})},
        scripts=known.scripts if scripts is None else {one.figure_id: one for one in scripts.scripts},
        figures=figures,
        works=of(read_bibliography, known.works),
        chips=known.chips if sheets is None else sheets.sheets,
        terms=of(read_terms, known.terms),
        project=of(read_project, known.project),
    )


_TASKS: Mapping[str, Task[Any, Any]] = {task.kind: task for task in _KNOWN}
