"""Names of tasks: small records, each written as one text in the store."""

from typing import Literal, NamedTuple, Self, TypeAlias

from diglot.exploration import Explored, read_exploration, written
from diglot.figure_request import FigureRequest
from diglot.figures.records import PAGE_SIZES, Room, Size
from diglot.invariants import require
from diglot.languages import LANGUAGES, TRADITIONAL, Edition, Language
from diglot.listings import ListTopic
from diglot.site_map import ARCHIVE, TAXONOMIES, FeedFormat, FeedTopic, Taxonomy


def as_language(code: str) -> Language:
    """Read a language from a task's name."""
    require(code in LANGUAGES, f"{code!r} is not a language")
    return "zh" if code == "zh" else "en"


def as_edition(code: str) -> Edition:
    """Read what readers choose from a task's name."""
    return TRADITIONAL if code == TRADITIONAL else as_language(code)


def as_taxonomy(word: str) -> Taxonomy:
    """Read a taxonomy from a task's name."""
    require(word in TAXONOMIES, f"{word!r} is not a taxonomy")
    return next(one for one in TAXONOMIES if one == word)


DownloadFormat: TypeAlias = Literal["svg", "png", "csv"]
DOWNLOAD_FORMATS: tuple[DownloadFormat, ...] = ("svg", "png", "csv")


def as_download_format(word: str) -> DownloadFormat:
    """Read the format of a download from a task's name."""
    require(word in DOWNLOAD_FORMATS, f"{word!r} is not a format of downloads")
    return "svg" if word == "svg" else "png" if word == "png" else "csv"


class HalfId(NamedTuple):
    """One language of an article: `gpu-vs-tpu:zh`."""

    article: str
    language: Language

    def __str__(self) -> str:
        return f"{self.article}:{self.language}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a name that `str` wrote."""
        article, _, language = text.rpartition(":")
        return cls(article, as_language(language))


class DiagramId(NamedTuple):
    """A diagram of a half, counted from 0: `serving:zh#2`."""

    half: HalfId
    number: int

    def __str__(self) -> str:
        return f"{self.half}#{self.number}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a name that `str` wrote."""
        half, _, number = text.rpartition("#")
        return cls(HalfId.parse(half), int(number))


class DrawingId(NamedTuple):
    """A figure in one language: `roofline?dtype=fp8@zh`."""

    request: FigureRequest
    language: Language

    def __str__(self) -> str:
        return f"{self.request}@{self.language}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a name that `str` wrote."""
        request, _, language = text.rpartition("@")
        return cls(FigureRequest.parse(request), as_language(language))


class SlideDrawingId(NamedTuple):
    """A figure in one language for the room on a slide: `roofline?dtype=fp8@zh!640x257`."""

    drawing: DrawingId
    room: Room

    def __str__(self) -> str:
        return f"{self.drawing}!{self.room.width}x{self.room.height}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a name that `str` wrote."""
        drawing, _, room = text.rpartition("!")
        width, height = map(int, room.split("x"))
        return cls(DrawingId.parse(drawing), Room(width=width, height=height))


class SlideFramesId(NamedTuple):
    """The states of a figure on a slide: `slide!batch = 1..64!roofline?dtype=fp8@zh!640x257`."""

    size: Size
    """`slide`, or `narrow` for a phone."""
    explored: tuple[Explored, ...]
    drawing: SlideDrawingId

    def __str__(self) -> str:
        return f"{self.size}!{written(self.explored)}!{self.drawing}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a name that `str` wrote."""
        size, explored, drawing = text.split("!", 2)
        known: Size = "narrow" if size == "narrow" else "slide"
        return cls(known, read_exploration(explored), SlideDrawingId.parse(drawing))


class ChipId(NamedTuple):
    """A chip's page in one language: `h200-sxm@zh`."""

    slug: str
    language: Language

    def __str__(self) -> str:
        return f"{self.slug}@{self.language}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a name that `str` wrote."""
        slug, _, language = text.rpartition("@")
        return cls(slug, as_language(language))


class FramesId(NamedTuple):
    """The states of a figure in one size and language: `roofline?dtype=fp8@zh!column!batch = 1..64`."""

    drawing: DrawingId
    size: Size
    explored: tuple[Explored, ...]

    def __str__(self) -> str:
        return f"{self.drawing}!{self.size}!{written(self.explored)}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a name that `str` wrote."""
        drawing, size, explored = text.split("!", 2)
        known = next(one for one in PAGE_SIZES if one == size)
        return cls(DrawingId.parse(drawing), known, read_exploration(explored))


class DownloadId(NamedTuple):
    """A file of a figure for readers to download: `roofline?dtype=fp8@zh.svg`."""

    drawing: DrawingId
    format: DownloadFormat

    def __str__(self) -> str:
        return f"{self.drawing}.{self.format}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a name that `str` wrote."""
        drawing, _, format_ = text.rpartition(".")
        return cls(DrawingId.parse(drawing), as_download_format(format_))


class TopicId(NamedTuple):
    """What a feed is about: `zh`, or `tags/attention:zh`."""

    topic: FeedTopic

    def __str__(self) -> str:
        language, taxonomy, term = self.topic.language, self.topic.taxonomy, self.topic.term
        return language if taxonomy is None else str(TermId(taxonomy, term, language))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a name that `str` wrote."""
        if ":" not in text:
            return cls(FeedTopic(language=as_language(text)))
        term = TermId.parse(text)
        return cls(FeedTopic(language=term.language, taxonomy=term.taxonomy, term=term.term))


class FeedId(NamedTuple):
    """A feed: `zh.xml`, or `tags/attention:zh.json`."""

    topic: FeedTopic
    format: FeedFormat

    def __str__(self) -> str:
        return f"{TopicId(self.topic)}.{self.format}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a name that `str` wrote."""
        topic, _, ending = text.rpartition(".")
        return cls(TopicId.parse(topic).topic, "json" if ending == "json" else "xml")


class TermListId(NamedTuple):
    """The list of all terms of a taxonomy, in one language: `tags:zh`."""

    taxonomy: Taxonomy
    language: Language

    def __str__(self) -> str:
        return f"{self.taxonomy}:{self.language}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a name that `str` wrote."""
        taxonomy, _, language = text.rpartition(":")
        return cls(as_taxonomy(taxonomy), as_language(language))


class TermId(NamedTuple):
    """A term of a taxonomy, in one language: `tags/attention:zh`."""

    taxonomy: Taxonomy
    term: str
    language: Language

    def __str__(self) -> str:
        return f"{self.taxonomy}/{self.term}:{self.language}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a name that `str` wrote."""
        path, _, language = text.rpartition(":")
        taxonomy, _, term = path.partition("/")
        return cls(as_taxonomy(taxonomy), term, as_language(language))


class ListId(NamedTuple):
    """A page of a list: `zh#2`, `tags/attention:zh#1`, `archive/2026:en#1`."""

    topic: ListTopic
    number: int

    def __str__(self) -> str:
        language, taxonomy, term = self.topic.language, self.topic.taxonomy, self.topic.term
        if self.topic.year:
            return f"{ARCHIVE}/{self.topic.year}:{language}#{self.number}"
        of = language if taxonomy is None else str(TermId(taxonomy, term, language))
        return f"{of}#{self.number}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a name that `str` wrote."""
        of, _, number = text.rpartition("#")
        if ":" not in of:
            return cls(ListTopic(language=as_language(of)), int(number))
        if of.startswith(f"{ARCHIVE}/"):
            year, _, language = of.removeprefix(f"{ARCHIVE}/").partition(":")
            return cls(ListTopic(language=as_language(language), year=int(year)), int(number))
        taxonomy, term, language = TermId.parse(of)
        return cls(ListTopic(language=language, taxonomy=taxonomy, term=term), int(number))


class FileId(NamedTuple):
    """A file that is made of a finished one, named by that one's output path and the task that makes it."""

    path: str
    """Percent-encoded."""
    kind: str
    name: str

    def __str__(self) -> str:
        return f"{self.path} {self.kind} {self.name}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a name that `str` wrote."""
        return cls(*text.split(" ", 2))
