"""What an exported picture says about itself: `roofline?dtype=fp8 en light 16:9 data 9c41e7b2`."""

import re

import msgspec

from diglot.figure_request import FigureRequest
from diglot.figures.palette import THEMES, Theme
from diglot.languages import LANGUAGES, Language

_KEY = re.compile(
    r"(?P<request>[a-z][a-z0-9_]*(?:\?\S+)?)"
    r"(?: (?P<language>zh|en) (?P<theme>light|dark) (?P<size>[\w:.]+)(?P<options>(?: \w+=\S+)*))?"
    r" data (?P<digest>[0-9a-f]{6,64})"
)


class PictureKey(msgspec.Struct, frozen=True, kw_only=True):
    """The figure that a picture shows, how it was exported, and the data that it was drawn from."""

    request: FigureRequest
    digest: str
    """Short digest of the figure's data."""
    language: Language | None = None
    """None, like the theme and the size, in pictures of older versions, which do not say it."""
    theme: Theme | None = None
    size: str = ""
    options: tuple[tuple[str, str], ...] = ()
    """Other options of the export that differ from their defaults, as `("dpi", "96")`."""

    def __str__(self) -> str:
        how = [str(self.language), str(self.theme), self.size] if self.language else []
        how += [f"{name}={value}" for name, value in self.options]
        return " ".join([str(self.request), *how, "data", self.digest])


def picture_key(text: str) -> PictureKey | None:
    """The key that is a line of a text, as in metadata and descriptions; None if there is none."""
    found = next(filter(None, (_KEY.fullmatch(line.strip()) for line in text.splitlines())), None)
    if found is None:
        return None
    options = (found["options"] or "").split()
    return PictureKey(
        request=FigureRequest.parse(found["request"]),
        digest=found["digest"],
        language=next((one for one in LANGUAGES if one == found["language"]), None),
        theme=next((one for one in THEMES if one == found["theme"]), None),
        size=found["size"] or "",
        options=tuple((name, value) for name, _, value in (one.partition("=") for one in options)),
    )
