"""What a talk shows, gathered from its half, its figures' values and the rest of the site."""

from collections.abc import Mapping, Sequence

import msgspec

from diglot.content.records import Alignment, Document, FrontMatter, Parts, Placeholder
from diglot.content.slides import STEP, Slide, first_notes, slides_of
from diglot.content.tree.nodes import Embed, Tree
from diglot.diagnostics import did_you_mean
from diglot.figure_request import CELLS, FigureRequest
from diglot.figures.records import ComputedFigure, DrawnFigure, Script
from diglot.languages import LANGUAGES, TRADITIONAL, Edition, Language, format_date
from diglot.project import Project
from diglot.render.addresses import WholeAddresses
from diglot.render.cell_outputs import shown_by_cells
from diglot.render.controls import value_text
from diglot.render.materials import Half
from diglot.render.numbering import number_embeds
from diglot.render.parts import Problems, fill_text
from diglot.render.placeholders import ArticleResolver, references_in
from diglot.render.strings import Strings
from diglot.render.talk_lists import link_to
from diglot.rules.articles import align_article
from diglot.rules.building import Site
from diglot.rules.figures import compute_figure, draw_figure, find_script
from diglot.rules.front_matters import read_front_matter
from diglot.rules.halves import read_document
from diglot.rules.ids import DrawingId, HalfId
from diglot.rules.parsed_halves import ParsedHalf
from diglot.rules.projects import read_project
from diglot.rules.references import ResolvedReferences, Targets, resolve_references
from diglot.rules.site_paths import source_of
from diglot.rules.sources import find_post, find_posts, kind_of
from diglot.rules.summaries import find_addresses, summarise
from diglot.rules.talk_lists import find_article_of_talk
from diglot.rules.words import read_words
from diglot.site_map import UNDATED
from diglot.slides.contents import (
    BlockContents,
    CoverContents,
    FigureContents,
    Paragraph,
    Run,
    SlideContents,
    TableContents,
    TalkContents,
)
from diglot.slides.mistakes import wrong
from diglot.slides.node_contents import SlideWriter, appearing, left_out_of
from diglot.use.talk_sources import SlideSources


class GatheredTalk(msgspec.Struct, frozen=True, kw_only=True):
    """A talk in one language, with the figures that it shows or quotes, by request."""

    contents: TalkContents
    scripts: dict[str, Script]
    computed: dict[str, ComputedFigure]


def find_talk(site: Site, name: str, editions: Sequence[Edition]) -> list[tuple[Edition, HalfId]]:
    """The halves that a talk has for some editions. Raises DiagnosticError if there is none."""
    names = site.value(find_posts, None).names
    talks = {one.partition("/")[2]: one for one in names if kind_of(one) == "talk"}
    wanted = name.removeprefix("talks/").strip("/")
    if wanted not in talks:
        raise wrong(
            "slides-talk",
            f'there is no talk named "{name}"',
            did_you_mean(wanted, talks)
            if talks
            else "write one in content/talks/, or try `diglot new talk`.",
        )
    written = site.value(find_post, talks[wanted]).languages
    of: dict[Edition, Language] = {"zh": "zh", "en": "en", TRADITIONAL: "zh"}
    found = [(one, HalfId(talks[wanted], of[one])) for one in editions if of[one] in written]
    if not found:
        said = f'the talk "{wanted}" has no half in "{of[editions[0]]}"'
        raise wrong("slides-talk", said, f"use --lang {written[0]}.")
    if TRADITIONAL in editions and site.value(read_project, None).traditional is None:
        said = "the site has no pages in traditional characters"
        raise wrong("slides-talk", said, "add `traditional: taiwan` to site.yaml, or leave out zh-hant.")
    return found


def gather_talk(site: Site, talk: HalfId) -> GatheredTalk:
    """All that one half of a talk shows. Raises DiagnosticError with all mistakes in it."""
    decode = msgspec.msgpack.decode
    name, language = talk
    files = site.value(find_post, name)
    halves = [HalfId(name, one) for one in LANGUAGES if files.half(one) is not None]
    shared = site.encoded_values(
        [
            read_project.key(None),
            read_words.key(language),
            align_article.key(name),
            resolve_references.key(HalfId(name, language)),
            *(task.key(half) for half in halves for task in (read_document, read_front_matter)),
        ]
    )
    project, words = decode(shared[0], type=Project), decode(shared[1], type=Strings)
    alignment, needs = decode(shared[2], type=Alignment), decode(shared[3], type=ResolvedReferences)
    parsed = {half.language: decode(shared[4 + 2 * at], type=ParsedHalf) for at, half in enumerate(halves)}
    documents = {language: decode(one.body, type=Document) for language, one in parsed.items()}
    front = {half.language: decode(shared[5 + 2 * at], type=FrontMatter) for at, half in enumerate(halves)}
    document = documents[language]
    requests = [FigureRequest.parse(text) for text in dict.fromkeys((*needs.embedded, *needs.quoted))]
    tables = [*dict.fromkeys(FigureRequest.of(one.figure_id, one.parameters) for one in document.tables)]
    made = site.encoded_values(
        [
            *(compute_figure.key(one) for one in requests),
            *(find_script.key(one.figure_id) for one in requests),
            *(draw_figure.key(DrawingId(one, language)) for one in tables),
        ]
    )
    count = len(requests)
    computed = {str(one): decode(made[at], type=ComputedFigure) for at, one in enumerate(requests)}
    found = [decode(made[count + at], type=Script | None) for at, _ in enumerate(requests)]
    scripts = {
        str(one): script or Script(figure_id=CELLS, path=one.cells_path or "")
        for one, script in zip(requests, found, strict=True)
    }
    drawn = {str(one): decode(made[2 * count + at], type=DrawnFigure) for at, one in enumerate(tables)}
    targets = decode(needs.targets, type=Targets)
    half = Half(
        front_matter=front[language],
        document=document,
        links=targets.links,
        images=targets.images,
        citations=targets.citations,
        diagrams=targets.diagrams,
    )
    numbered = number_embeds(documents, alignment, pictures=False)
    summary = site.value(summarise, name)
    addresses, about = WholeAddresses(base_url=project.base_url), site.value(find_article_of_talk, name)
    paths = site.value(find_addresses, name).paths
    resolver = ArticleResolver(
        half,
        data={request: one.data for request, one in computed.items()},
        shown=shown_by_cells(computed.values()),
        references=references_in(document, alignment, numbered, words),
        addresses=addresses,
    )
    published = {path: file for file, path in needs.files.items()}
    reader = _Talk(
        document,
        decode(parsed[language].tree, type=Tree),
        resolver,
        path=files.path(language),
        computed=computed,
        drawn=drawn,
        sources=SlideSources(site, computed, scripts, words),
        words=words,
        address=addresses.path(paths[language]) if language in paths else "",
        twin=next((one.title for one in summary.halves if one.language != language), ""),
        article=link.url if (link := link_to(about, language, addresses)) is not None else "",
        pictures={
            addresses.path(image.path): source_of(image.path, published)
            for image in targets.images.values()
            if "://" not in image.path  # a picture of another site stays there
        },
    )
    names = {person.id: person.name.of(language) for person in project.authors}
    return GatheredTalk(
        contents=reader.contents(front[language], [names.get(one, one) for one in front[language].authors]),
        scripts=scripts,
        computed=computed,
    )


class _Talk:
    """One half of a talk whose placeholders are resolved."""

    def __init__(
        self,
        document: Document,
        tree: Tree,
        resolver: ArticleResolver,
        *,
        path: str,
        computed: Mapping[str, ComputedFigure],
        drawn: Mapping[str, DrawnFigure],
        sources: SlideSources,
        pictures: Mapping[str, str],
        words: Strings,
        article: str,
        address: str,
        twin: str,
    ) -> None:
        """`pictures` are files by address; `article` is the address of what the talk is about, `address` its
        own, and `twin` the title in the other language, or empty."""
        self._words, self._article, self._address, self._twin = words, article, address, twin
        self._sources = sources
        self._quoted: dict[str, None] = {}
        """The expressions on the slide that is being read."""
        self._shown: dict[str, None] = {}
        """The figures on it, as requests."""
        self._left_out: dict[str, None] = {}
        """What no file can show of it."""
        self._document, self._resolver, self._path = document, resolver, path
        self._tree, self._computed, self._drawn = tree, computed, drawn
        self._problems = Problems()
        self._fill = self._problems.caught(self._resolved)
        self._writer = SlideWriter(document.language, self._fill, pictures)

    def contents(self, front: FrontMatter, authors: Sequence[str]) -> TalkContents:
        """All of it. Raises DiagnosticError with every mistake."""
        talk = TalkContents(
            language=self._document.language,
            path=self._path,
            authors=tuple(authors),
            date="" if front.date == UNDATED else front.date.isoformat(),
            cover=self._cover(front, authors),
            slides=tuple(self._slide(one) for one in slides_of(self._document)),
            occasion=_separated([*_dates(front, self._document.language), self._line(front.event)]),
            address=self._address,
            turned=tuple(dict.fromkeys(one.figure_id for one in self._document.figures if one.explored)),
        )
        self._problems.raise_found()
        return talk

    def _cover(self, front: FrontMatter, authors: Sequence[str]) -> CoverContents:
        self._quoted, self._shown = {}, {}
        title, subtitle, event = map(self._line, (front.title, front.description, front.event))
        draft = (self._words("draft"),) if front.draft else ()
        named = ((Run(text=text),) for text in (*draft, *authors))
        facts = [*named, *_dates(front, self._document.language)]
        notes = [self._block(index) for index in first_notes(self._document)]
        return CoverContents(
            title=title,
            twin=(Run(text=self._twin, muted=True),) if self._twin else (),
            subtitle=subtitle,
            facts=_separated([*facts, event]),
            article=(Run(text=self._words("talk_article"), link=self._article),) if self._article else (),
            notes=tuple(one for blocks in notes for one in blocks if isinstance(one, Paragraph)),
            sources=self._sources.paragraphs(self._quoted, self._shown),
        )

    def _line(self, parts: Parts) -> tuple[Run, ...]:
        """A text of the front matter."""
        return tuple(
            run
            for run in (
                Run(text=part)
                if isinstance(part, str)
                else Run(text=fill_text((part,), self._fill), expression=self._quoted_by(part))
                for part in parts
            )
            if run.text
        )

    def _quoted_by(self, placeholder: Placeholder) -> str:
        if placeholder.kind != "eval":
            return ""
        self._quoted[placeholder.target] = None
        return placeholder.target

    def _slide(self, slide: Slide) -> SlideContents:
        blocks = self._tree.blocks
        self._quoted, self._shown, self._left_out = {}, {}, {}
        title = () if slide.title is None else self._writer.runs(blocks[slide.title].nodes)
        columns = tuple(
            tuple(one for index in column for one in self._block(index)) for column in slide.columns
        )
        notes = [one for index in slide.notes for one in self._block(index)]
        footnotes = tuple(
            Paragraph(runs=(Run(text=f"{note.number} "), *self._writer.runs(note.children)))
            for index in slide.body
            for note in blocks[index].notes
        )
        return SlideContents(
            layout=slide.layout,
            line=slide.line,
            title=title,
            columns=columns,
            notes=tuple(one for one in notes if isinstance(one, Paragraph)),
            sources=self._sources.paragraphs(self._quoted, self._shown),
            footnotes=footnotes,
            left_out=tuple(self._left_out),
        )

    def _block(self, index: int) -> tuple[BlockContents, ...]:
        block = self._tree.blocks[index]
        embed = next((node for node in block.nodes if isinstance(node, Embed)), None)
        if embed is None:
            self._left_out |= dict.fromkeys(left_out_of(block.nodes))
            return self._writer.contents(block.nodes)
        request = str(FigureRequest.of(embed.figure_id, embed.parameters))
        self._shown[request] = None
        caption = self._writer.runs(embed.caption)
        shown: tuple[BlockContents, ...]
        if embed.kind == "figure":
            message = self._computed[request].message.of(self._document.language)
            shown = (FigureContents(request=request, caption=caption, message=message),)
        else:
            shown = _table(self._drawn[request], caption)
        return tuple(appearing(shown)) if STEP in block.classes else shown

    def _resolved(self, placeholder: Placeholder) -> str:
        """The text of a placeholder."""
        if placeholder.kind == "control":
            return self._control(placeholder)
        if placeholder.kind == "eval" and placeholder.context != "attribute":
            self._quoted[placeholder.target] = None
        return self._resolver(placeholder)

    def _control(self, placeholder: Placeholder) -> str:
        """The value with which a parameter is shown first, as nobody can turn it in a file."""
        figure, _, name = placeholder.target.rpartition(".")
        for request, one in self._computed.items():
            domain = next((domain for domain in one.domains if domain.name == name), None)
            if domain is not None and figure in ("", FigureRequest.parse(request).figure_id):
                return value_text(domain, dict(one.parameters)[name], self._document.language)
        return name


def _dates(front: FrontMatter, language: Language) -> list[tuple[Run, ...]]:
    return [] if front.date == UNDATED else [(Run(text=format_date(front.date, language)),)]


def _separated(texts: Sequence[tuple[Run, ...]]) -> tuple[Run, ...]:
    """Texts in one line, with a point between them."""
    found: list[Run] = []
    for runs in filter(None, texts):
        found += (Run(text="\u00a0· "), *runs) if found else runs
    return tuple(found)


def _table(drawn: DrawnFigure, caption: tuple[Run, ...]) -> tuple[BlockContents, ...]:
    """The table of a figure's numbers."""
    table = drawn.table
    if table is None:
        return ()
    rows = [tuple(one.replace("\n", ", ") for one in table.columns), *table.rows]
    contents = TableContents(
        rows=tuple(tuple((Run(text=cell),) for cell in row) for row in rows),
        has_head=True,
        right=table.numeric,
    )
    return (contents, Paragraph(runs=caption)) if caption else (contents,)
