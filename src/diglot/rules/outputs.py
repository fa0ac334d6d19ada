"""Makes the manifest: the task that fetches all others."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from contextlib import suppress
from typing import NamedTuple

from diglot.characters import visible
from diglot.diagnostics import Diagnostic, Location
from diglot.digests import ABSENT
from diglot.engine import FILE, LISTING, Key, UpstreamFailed
from diglot.figure_request import FigureRequest
from diglot.figures.records import DrawnFigure
from diglot.languages import Language
from diglot.listings import ListTopic, page_counts
from diglot.output_paths import Clash, PathFault, any_clash, check_path, find_clashes
from diglot.project import DEFAULT_LIST_ENTRIES, Project
from diglot.render.sitemaps import ROBOTS_PATH, SITEMAP_PATH
from diglot.render.small_pages import NOT_FOUND_PATH, not_found_path
from diglot.rules.cards import has_card, make_card
from diglot.rules.chips import check_chips, list_chips
from diglot.rules.compressing import CompressedId, compress, is_compressible
from diglot.rules.feeds import make_feed
from diglot.rules.figure_materials import downloads_of
from diglot.rules.figures import compute_figure, draw_figure, export_figure, find_scripts, write_answers
from diglot.rules.file_names import check_names
from diglot.rules.files import STATIC, copy_file, write_no_jekyll
from diglot.rules.frames import (
    find_explorations,
    make_following_values,
    make_frames,
    make_slide_frames,
)
from diglot.rules.gallery import (
    find_page_exploration,
    find_tables,
    make_embedded_page,
    make_figure_page,
    make_gallery_page,
    write_data,
    write_oembed,
)
from diglot.rules.glossary import make_glossary_page
from diglot.rules.halves import read_document, read_front_matter
from diglot.rules.hardware import make_chip_page, make_hardware_page, write_chip_data
from diglot.rules.ids import ChipId, DownloadId, DrawingId, FeedId, HalfId, ListId, TermListId
from diglot.rules.manifest import Manifest, Output
from diglot.rules.markdown_twins import LLMS_PATH, make_llms, make_markdown_twin
from diglot.rules.options import ENCODINGS, RELATIVE, Encoding
from diglot.rules.pages import (
    make_archive_page,
    make_article_page,
    make_both_page,
    make_fallback_page,
    make_home_page,
    make_landing_page,
    make_list_page,
    make_not_found_page,
    make_redirect_page,
    make_robots,
    make_sitemap,
    make_terms_page,
)
from diglot.rules.pictures import PictureId, scale_picture
from diglot.rules.projects import read_site_settings
from diglot.rules.references import resolve_references
from diglot.rules.relative import relative_files
from diglot.rules.requests import answers_path, download_path
from diglot.rules.search import cut_search_file, find_search_files
from diglot.rules.site import SITE
from diglot.rules.small_files import REDIRECTS_PATH, write_redirects, write_web_manifest
from diglot.rules.sources import HOME_PAGE, find_post, kind_of
from diglot.rules.staleness import find_staleness
from diglot.rules.summaries import alias_location, find_page_languages, map_articles, summarise
from diglot.rules.talk_lists import find_talk_files, make_talks_page
from diglot.rules.talks import find_slide_explorations, make_talk_page, make_whole_talk
from diglot.rules.tasks import Fetch, task
from diglot.rules.theme import list_assets, make_asset
from diglot.rules.traditional import read_settings, traditional_files
from diglot.rules.traditional_pictures import export_traditional
from diglot.rules.values import cut_values, write_figures, write_values
from diglot.rules.words import compare_words
from diglot.site_map import (
    FEED_FORMATS,
    MANIFEST_PATH,
    TAXONOMIES,
    FeedTopic,
    SiteMap,
    Summary,
    archive_path,
    both_path,
    card_path,
    chip_data_path,
    chip_path,
    data_path,
    embed_path,
    feed_path,
    figure_path,
    figures_path,
    gallery_path,
    glossary_path,
    hardware_path,
    home_path,
    list_path,
    markdown_path,
    oembed_path,
    output_path,
    talk_file_path,
    talks_path,
    terms_in,
    terms_path,
    values_path,
)
from diglot.which_pages import archive_languages, page_languages, talk_languages, terms_languages


@task("article-outputs")
async def list_article_outputs(fetch: Fetch, name: str) -> Manifest:
    """The files of one article that could be made: its pages, pictures and downloads."""
    summary = await fetch(summarise, name)
    wanted = _article_pages(summary)
    await _bring_up(fetch, wanted.values())  # in parallel, and to find all their mistakes
    whole = True
    project = await fetch(read_site_settings)
    for language in summary.languages:
        try:
            needs = await fetch(resolve_references, HalfId(name, language))
        except UpstreamFailed:
            whole = False
            continue
        wanted |= {published: copy_file.key(path) for path, published in needs.files.items()}
        wanted |= {
            published: scale_picture.key(PictureId.parse(one)) for published, one in needs.pictures.items()
        }
        half = HalfId(name, language)
        if needs.quoted:
            with suppress(UpstreamFailed):  # of mistakes in the text, which its page reports
                if (await fetch(cut_values, half)).values:
                    wanted[values_path(summary.path(language))] = write_values.key(half)
        if needs.has_controls:
            find = find_slide_explorations if summary.kind == "talk" else find_explorations
            try:
                wanted |= (await find(fetch, half)).files
            except UpstreamFailed:
                whole = False
        if summary.kind == "talk":  # its slides contain their drawings
            await _look_over_sync_file(fetch, name)
            files = (await fetch(find_talk_files, name)).get(language, ())
            wanted |= {published: copy_file.key(path) for _, published, path in files}
            continue
        for request in map(FigureRequest.parse, needs.embedded):
            drawing = DrawingId(request, language)
            try:
                drawn = await fetch(draw_figure, drawing)
            except UpstreamFailed:
                whole = False
                continue
            wanted |= _downloads(drawing, drawn) | await _answers(fetch, request, drawn)
        if project.markdown and name != HOME_PAGE:
            wanted[markdown_path(summary.path(language))] = make_markdown_twin.key(half)
        with suppress(UpstreamFailed):  # of figures that failed, which is known from above
            if await has_card(fetch, project, half):
                wanted[card_path(summary.path(language))] = make_card.key(half)
    await _bring_up(fetch, wanted.values())
    made = await _manifest(fetch, wanted)
    return Manifest(outputs=made.outputs, whole=whole and made.whole)


@task("figure-outputs")
async def list_figure_outputs(fetch: Fetch, figure_id: str) -> Manifest:
    """The files of one figure that could be made: its pages, its data and its downloads."""
    languages = await fetch(find_page_languages)
    wanted = _figure_pages(figure_id, languages)
    await _bring_up(fetch, wanted.values())
    whole = True
    request = FigureRequest.of(figure_id)
    for drawing in (DrawingId(request, language) for language in languages):
        try:
            drawn = await fetch(draw_figure, drawing)
        except UpstreamFailed:
            whole = False
            continue
        wanted[data_path(request)] = write_data.key(request)
        if drawn.svgs:
            wanted[embed_path(drawing.language, figure_id)] = make_embedded_page.key(drawing)
            wanted[oembed_path(drawing.language, figure_id)] = write_oembed.key(drawing)
        wanted |= (await find_page_exploration(fetch, drawing))[1] | await find_tables(fetch, drawing)
        wanted |= _downloads(drawing, drawn) | await _answers(fetch, request, drawn)
    made = await _manifest(fetch, wanted)
    return Manifest(outputs=made.outputs, whole=whole and made.whole)


async def _look_over_sync_file(fetch: Fetch, talk: str) -> None:
    """Report its mistakes. Slides show no notices: a room cannot follow the link."""
    if (await fetch(find_post, talk)).sync is not None:
        await _bring_up(fetch, [find_staleness.key(talk)])


@task(SITE.kind)
async def list_outputs(fetch: Fetch, _name: None) -> Manifest:
    """The manifest of the site. Brings all its files up to date."""
    site_map = await fetch(map_articles)
    project = await _project(fetch)
    wanted = await _wanted(fetch, site_map, project)
    # Run all tasks first, so that all their mistakes are found before a failed one stops the list.
    await _bring_up(fetch, [*wanted.parts, *wanted.files.values()])
    await _bring_up_broken(fetch, site_map.broken)
    manifests = [await _manifest(fetch, wanted.files), *await _made(fetch, wanted.parts)]
    are_all_made = len(manifests) == 1 + len(wanted.parts)
    found: dict[str, Output] = {}
    mistakes = wanted.mistakes
    for manifest in manifests:
        mistakes += await _add(fetch, site_map, manifest.outputs, found)
    mistakes += await _leave_out_clashes(fetch, site_map, found)
    if project is not None and project.traditional is not None:
        manifests.append(await _converted(fetch, found.values()))
        mistakes += await _add(fetch, site_map, manifests[-1].outputs, found)
    if await fetch(RELATIVE):
        manifests.append(await _manifest(fetch, relative_files(found.values())))
        found |= {output.path: output for output in manifests[-1].outputs}
    if encodings := await fetch(ENCODINGS):
        manifests.append(await _compressed(fetch, found, encodings))
        found |= {output.path: output for output in manifests[-1].outputs}
    fetch.report(*mistakes)  # errors, but a preview still publishes the other files
    return Manifest(
        outputs=tuple(found[path] for path in sorted(found)),
        left_out=site_map.left_out,
        whole=not mistakes
        and project is not None
        and wanted.knows_chips
        and not (site_map.broken or site_map.hidden)
        and are_all_made
        and all(manifest.whole for manifest in manifests),
    )


class _Wanted(NamedTuple):
    """What the site is to consist of."""

    files: dict[str, Key]
    """By output path, without those of articles and figures."""
    parts: tuple[Key, ...]
    """The tasks that list the files of an article or a figure."""
    mistakes: list[Diagnostic]
    knows_chips: bool
    """False if files of chips have mistakes, so that their pages are missing."""


async def _wanted(fetch: Fetch, site_map: SiteMap, project: Project | None) -> _Wanted:
    files = _pages(
        site_map,
        size=DEFAULT_LIST_ENTRIES if project is None else project.list_entries,
        tag_feeds=project is not None and project.tag_feeds,
    )
    if project is not None and project.markdown:
        files[LLMS_PATH] = make_llms.key(None)
    languages = page_languages(site_map)
    if project is not None and project.glossary:
        files |= {output_path(glossary_path(one)): make_glossary_page.key(one) for one in languages}
    files |= {output_path(talks_path(one)): make_talks_page.key(one) for one in talk_languages(site_map)}
    figures = (await fetch(find_scripts)).ids if project is not None and project.gallery else ()
    if figures:
        files |= {output_path(gallery_path(one)): make_gallery_page.key(one) for one in languages}
        files |= {figures_path(one): write_figures.key(one) for one in languages}
    chips = await _chip_slugs(fetch) if project is not None and project.hardware else ()
    files |= _chip_files(chips or (), languages)
    static = await _static_files(fetch)
    taken = _paths_of_articles(site_map, static)
    of_figures = {path for one in figures for path in _figure_pages(one, languages)}
    mistakes = _static_mistakes(static, files.keys() | taken | of_figures)
    refused = {mistake.location.path for mistake in mistakes if mistake.location}
    files |= {path: key for path, key in static.items() if key.name not in refused}
    await fetch.digest(compare_words)
    await _bring_up(fetch, [check_chips.key(None), check_names.key(None)])
    mistakes += await _redirects(fetch, site_map, files, taken, of_figures)
    files |= await _search_files(fetch)
    files |= {path: make_asset.key(name) for name, path in await fetch(list_assets)}
    parts = (
        *(list_article_outputs.key(article.name) for article in site_map.everything),
        *map(list_figure_outputs.key, figures),
    )
    return _Wanted(files, parts, mistakes, chips is not None)


def _chip_files(slugs: Collection[str], languages: Iterable[Language]) -> dict[str, Key]:
    """The pages and data of chips by output path."""
    found = {chip_data_path(slug): write_chip_data.key(slug) for slug in slugs}
    for language in languages if slugs else ():
        found[output_path(hardware_path(language))] = make_hardware_page.key(language)
        found |= {
            output_path(chip_path(language, slug)): make_chip_page.key(ChipId(slug, language))
            for slug in slugs
        }
    return found


def _paths_of_articles(site_map: SiteMap, static: Iterable[str]) -> Set[str]:
    """The paths of the pages of articles, where a static file or a redirect could be at one of them."""
    articles = site_map.everything
    if any(article.aliases for article in articles) or any(path.endswith("index.html") for path in static):
        return {path for article in articles for path in _article_pages(article)}
    return frozenset()


def _static_mistakes(static: Mapping[str, Key], taken: Set[str]) -> list[Diagnostic]:
    """Static files that cannot be published where they are."""
    mistakes = [
        Diagnostic(
            rule="static-clash",
            message=f'"/{path}" is generated by diglot and cannot also be a static file',
            location=Location(path=static[path].name),
            fix="rename the static file, or change the generated one in the theme.",
        )
        for path in sorted(static.keys() & taken)
    ]
    mistakes += [
        Diagnostic(
            rule="path-name",
            message=f'"{visible(path)}" cannot be published: its path {fault}',
            location=Location(path=static[path].name),
            fix="rename the file.",
        )
        for path, fault in _faults(static)
    ]
    return mistakes


async def _bring_up_broken(fetch: Fetch, articles: Iterable[str]) -> None:
    """Run what can be run of articles that have no place in the site, to find all their mistakes."""
    for name in articles:
        post = await fetch(find_post, name)
        halves = [HalfId(name, one) for one in post.languages]
        page = make_talk_page if kind_of(name) == "talk" else make_article_page
        parts = (read_front_matter, read_document, resolve_references, page)
        await _bring_up(fetch, [part.key(half) for part in parts for half in halves])


async def _leave_out_clashes(fetch: Fetch, site_map: SiteMap, found: dict[str, Output]) -> list[Diagnostic]:
    """Remove files that cannot be beside another one. Returns the mistakes."""
    if not any_clash(found):
        return []
    mistakes = []
    for clash in find_clashes(_by_standing(found)):
        left_out = found.pop(clash.second)
        mistakes.append(await _clash(fetch, site_map, left_out, found[clash.first], clash))
    return mistakes


async def _compressed(fetch: Fetch, found: Mapping[str, Output], encodings: Iterable[Encoding]) -> Manifest:
    """Compressed files beside those that are texts."""
    wanted = {
        f"{output.path}.{one}": compress.key(CompressedId(one, output.kind, output.name))
        for output in found.values()
        if is_compressible(output)
        for one in encodings
        if f"{output.path}.{one}" not in found
    }
    return await _manifest(fetch, wanted)


async def _add(
    fetch: Fetch, site_map: SiteMap, outputs: Iterable[Output], found: dict[str, Output]
) -> list[Diagnostic]:
    """Add outputs to those found by their paths. Returns the mistakes: other contents at the same path."""
    mistakes = []
    for output in outputs:
        first = found.setdefault(output.path, output)
        if first.digest != output.digest:
            clash = Clash(first.path, output.path, "is the same as")
            mistakes.append(await _clash(fetch, site_map, output, first, clash))
    return mistakes


async def _converted(fetch: Fetch, outputs: Iterable[Output]) -> Manifest:
    """The files in traditional characters; none where they cannot be converted."""
    try:
        settings = await fetch(read_settings)
    except UpstreamFailed:
        return Manifest(whole=False)
    return await _manifest(fetch, traditional_files(outputs, settings))


async def _made(fetch: Fetch, parts: Collection[Key]) -> list[Manifest]:
    """The manifests of those articles and figures that have one."""
    articles, figures = list_article_outputs.names_in(parts), list_figure_outputs.names_in(parts)
    try:
        return [
            *await fetch.all(list_article_outputs, [*articles]),
            *await fetch.all(list_figure_outputs, [*figures]),
        ]
    except UpstreamFailed as failed:
        return await _made(fetch, [one for one in parts if one not in failed.keys])


async def _manifest(fetch: Fetch, wanted: Mapping[str, Key]) -> Manifest:
    """A manifest of the wanted files that could be made."""
    digests = await _digests(fetch, wanted.values())
    return Manifest(
        outputs=tuple(
            Output(path=path, kind=key.kind, name=key.name, digest=digests[key])
            for path, key in wanted.items()
            if key in digests
        ),
        whole=digests.keys() >= set(wanted.values()),
    )


async def _digests(fetch: Fetch, keys: Collection[Key]) -> dict[Key, str]:
    """The digests of the values that could be made."""
    try:
        return dict(zip(keys, await fetch.digests(keys), strict=True))
    except UpstreamFailed as failed:
        return await _digests(fetch, [key for key in keys if key not in failed.keys])


async def _bring_up(fetch: Fetch, keys: Iterable[Key]) -> None:
    """Run tasks without using their values or failing with them."""
    with suppress(UpstreamFailed):
        await fetch.digests(keys)


def _pages(site_map: SiteMap, *, size: int, tag_feeds: bool) -> dict[str, Key]:
    """Pages, feeds and sitemaps by output path, except for articles."""
    found: dict[str, Key] = {
        output_path(""): make_landing_page.key(None),
        NOT_FOUND_PATH: make_not_found_page.key(""),
        SITEMAP_PATH: make_sitemap.key(None),
        ROBOTS_PATH: make_robots.key(None),
        ".nojekyll": write_no_jekyll.key(None),
        MANIFEST_PATH: write_web_manifest.key(None),
    }
    if any(article.aliases for article in site_map.everything):
        found[REDIRECTS_PATH] = write_redirects.key(None)
    for language in page_languages(site_map):
        found[output_path(home_path(language))] = make_home_page.key(language)
        found |= _feeds(FeedTopic(language=language))
        found[not_found_path(language)] = make_not_found_page.key(language)
        found |= _further_pages(site_map, ListTopic(language=language), 2, size)
        years = [year for one, year in site_map.by_year if one == language]
        if language in archive_languages(site_map):
            found[output_path(archive_path(language))] = make_archive_page.key(language)
        for year in years:
            found |= _further_pages(site_map, ListTopic(language=language, year=year), 1, size)
        for taxonomy in TAXONOMIES:
            if language in terms_languages(site_map, taxonomy):
                page = make_terms_page.key(TermListId(taxonomy, language))
                found[output_path(terms_path(language, taxonomy))] = page
            for term, _count in terms_in(site_map, language, taxonomy):
                topic = ListTopic(language=language, taxonomy=taxonomy, term=term)
                found |= _further_pages(site_map, topic, 1, size)
                if tag_feeds:
                    found |= _feeds(FeedTopic(language=language, taxonomy=taxonomy, term=term))
    return found


def _further_pages(site_map: SiteMap, topic: ListTopic, begin: int, size: int) -> dict[str, Key]:
    """The pages of a list, from one on, by output path."""
    last = page_counts(site_map, topic, size).get(topic.language, 0)
    return {
        output_path(list_path(topic.page, number)): make_list_page.key(ListId(topic, number))
        for number in range(begin, last + 1)
    }


def _feeds(topic: FeedTopic) -> dict[str, Key]:
    """The feeds about something, by output path."""
    return {feed_path(topic.page, one): make_feed.key(FeedId(topic, one)) for one in FEED_FORMATS}


def _article_pages(article: Summary) -> dict[str, Key]:
    """The pages of an article by output path, except for the home pages."""
    found: dict[str, Key] = {}
    for language in article.languages:
        half, path = HalfId(article.name, language), article.path(language)
        if article.kind == "talk":
            found[output_path(path)] = make_talk_page.key(half)
            found[talk_file_path(path, article.name, language)] = make_whole_talk.key(half)
            continue
        if article.name != HOME_PAGE:
            found[output_path(path)] = make_article_page.key(half)
        if article.has_both:
            found[output_path(both_path(path))] = make_both_page.key(half)
    for language in article.shown_in:
        if language not in article.languages:
            found[output_path(article.path(language))] = make_fallback_page.key(
                HalfId(article.name, language)
            )
    return found


async def _project(fetch: Fetch) -> Project | None:
    """The configuration; None if it has mistakes, beside which those of articles are found all the same."""
    try:
        return await fetch(read_site_settings)
    except UpstreamFailed:
        return None


async def _chip_slugs(fetch: Fetch) -> tuple[str, ...] | None:
    """The chips that have pages; None if files of chips have mistakes, so that nothing is known of them."""
    try:
        return tuple(one.slug for one in (await fetch(list_chips)).chips)
    except UpstreamFailed:
        return None


def _figure_pages(figure_id: str, languages: Iterable[Language]) -> dict[str, Key]:
    """The pages of a figure by output path."""
    request = FigureRequest.of(figure_id)
    return {
        output_path(figure_path(one, figure_id)): make_figure_page.key(DrawingId(request, one))
        for one in languages
    }


async def _answers(fetch: Fetch, request: FigureRequest, drawn: DrawnFigure) -> dict[str, Key]:
    """The table behind a figure's form, by output path; nothing for a figure that is drawn."""
    form = None if drawn.svgs else (await fetch(compute_figure, request)).form
    return {answers_path(request, form): write_answers.key(request)} if form is not None else {}


def _downloads(drawing: DrawingId, drawn: DrawnFigure) -> dict[str, Key]:
    """The files of a figure for readers to download, by output path."""
    return {
        download_path(drawing.request, drawing.language, word): export_figure.key(DownloadId(drawing, word))
        for word in downloads_of(drawn)
    }


async def _static_files(fetch: Fetch) -> dict[str, Key]:
    paths = [*await fetch(LISTING, f"{STATIC}/**"), *await fetch(LISTING, f"{STATIC}/.well-known/**")]
    if await fetch.digest(FILE, rules := f"{STATIC}/.htaccess") != ABSENT:
        paths.append(rules)  # hidden files are left out, but for those that hosts and programs look for
    return {path.removeprefix(f"{STATIC}/"): copy_file.key(path) for path in paths}


async def _search_files(fetch: Fetch) -> dict[str, Key]:
    """The index of the search; none where a page of it could not be made."""
    try:
        return {path: cut_search_file.key(file) for path, file in (await find_search_files(fetch)).items()}
    except UpstreamFailed:
        return {}


def _faults(paths: Iterable[str]) -> Iterator[tuple[str, PathFault]]:
    for path in paths:
        try:
            check_path(path)
        except PathFault as fault:
            yield path, fault


async def _redirects(
    fetch: Fetch,
    site_map: SiteMap,
    wanted: dict[str, Key],
    of_articles: Collection[str],
    of_figures: Collection[str],
) -> list[Diagnostic]:
    """Add redirects to `wanted`, and return errors for clashes."""
    mistakes = []
    for article in site_map.everything:
        for alias, language in article.aliases:
            path, key = output_path(alias), make_redirect_page.key(HalfId(article.name, language))
            if path in wanted or path in of_articles or path in of_figures:
                other = wanted.get(path)
                what = _named(other, path) if other else "another article"
                what = "a figure's page" if path in of_figures else what
                mistakes.append(await _alias_clash(fetch, article, alias, f"is the address of {what}"))
            else:
                wanted[path] = key
    return mistakes


async def _alias_clash(fetch: Fetch, article: Summary, alias: str, why: str) -> Diagnostic:
    return Diagnostic(
        rule="alias-clash",
        message=f'the alias "/{alias}" of {article.name} {why}',
        location=await alias_location(fetch, article.name, alias),
        fix="delete it from `aliases:`.",
    )


_STANDING = tuple(
    one.kind
    for one in (
        *(make_asset, export_figure, make_frames, make_slide_frames, make_following_values),
        *(copy_file, make_redirect_page),
    )
)
"""Tasks whose files make way if their path clashes with a page's, or with one of a task before them."""


def _by_standing(found: Mapping[str, Output]) -> list[str]:
    """All paths, pages first: of two that clash, the later one is left out."""
    standing = {kind: place for place, kind in enumerate(_STANDING, 1)}
    return sorted(found, key=lambda path: standing.get(found[path].kind, 0))


async def _clash(fetch: Fetch, site_map: SiteMap, refused: Output, first: Output, clash: Clash) -> Diagnostic:
    """The error for two files that cannot both exist, of which `refused` is left out."""
    why = f'{clash.why} "/{first.path}", which is {_named(first.key, first.path)}'
    redirected = [half.article for half in make_redirect_page.names_in([refused.key])]
    for article in site_map.everything:
        for alias, _ in article.aliases:
            if article.name in redirected and output_path(alias) == refused.path:
                return await _alias_clash(fetch, article, alias, why)
    copied = [*copy_file.names_in([refused.key]), *copy_file.names_in([first.key])]
    return Diagnostic(
        rule="path-clash",
        message=f'"/{refused.path}" {why}',
        location=Location(path=copied[0]) if copied else None,
        fix="rename one of them.",
    )


def _named(key: Key, path: str) -> str:
    """A file in terms that its author knows."""
    match key.kind:
        case copy_file.kind:
            return key.name
        case make_asset.kind:
            return f"{key.name} of the theme"
        case make_frames.kind | make_slide_frames.kind | make_following_values.kind:
            return "a file that controls of figures need"
        case export_figure.kind | export_traditional.kind:
            return f"a file of the figure {key.name}"
        case make_redirect_page.kind:
            return f"an alias of {make_redirect_page.read_name(key.name).article}"
        case make_article_page.kind | make_both_page.kind | make_fallback_page.kind | make_talk_page.kind:
            return f"a page of {HalfId.parse(key.name).article}"
        case make_whole_talk.kind:
            return f"{HalfId.parse(key.name).article} as one file"
    return "a page that diglot generates" if path.endswith(".html") else "a file that diglot generates"
