"""Options of an export as the key of a picture has them, and back, so that it can be made again."""

from msgspec.structs import replace

from diglot.figure_request import FigureRequest
from diglot.figures.jobs import PNG_DPI, Format, Sheet
from diglot.figures.picture_key import PictureKey
from diglot.invariants import certain
from diglot.languages import NO_TEXT, Bilingual, Language


def options_of(sheet: Sheet) -> tuple[tuple[str, str], ...]:
    """The options that differ from their defaults, without the resolution, which only PNG files have."""
    options = {
        "text": f"{sheet.text:g}" if sheet.text != 1 else "",
        "background": sheet.background,
        "title": "yes" if sheet.titled else "",
        "credit": "yes" if sheet.credit.en else "",
    }
    return tuple((name, value) for name, value in options.items() if value)


def key_of(request: FigureRequest, digest: str, language: Language, sheet: Sheet) -> PictureKey:
    """The key of a picture, but for the resolution of a PNG file. `digest` is that of the figure's data."""
    return PictureKey(
        request=request,
        digest=digest,
        language=language,
        theme=sheet.theme,
        size=sheet.size,
        options=options_of(sheet),
    )


def with_resolution(key: PictureKey, dpi: int) -> PictureKey:
    """The key of a PNG file, which names its resolution unless that is the usual one."""
    return replace(key, options=(*key.options, ("dpi", str(dpi)))) if dpi != PNG_DPI else key


def sheet_of(key: PictureKey, formats: tuple[Format, ...], credit: Bilingual) -> Sheet:
    """The sheet that a picture was drawn on. `credit` is the line below drawings that have one."""
    options = dict(key.options)
    return Sheet(
        theme=certain(key.theme, "the key of a picture that can be made again has a theme"),
        formats=formats,
        size=key.size,
        dpi=int(options.get("dpi", PNG_DPI)),
        text=float(options.get("text", 1)),
        background=options.get("background", ""),
        titled="title" in options,
        credit=credit if "credit" in options else NO_TEXT,
    )
