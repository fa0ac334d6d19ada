"""Texts of a drawing in traditional characters: as long as those that it was laid out with."""

from matplotlib import font_manager
from matplotlib.font_manager import FontProperties

from diglot.figures.drawing.style import FACES, TRADITIONAL_FACE
from diglot.spelling.conversion import converter, is_chinese
from diglot.spelling.settings import Spelling


class Respelling:
    """Converts the texts of a drawing whose layout is done."""

    def __init__(self, spelling: Spelling) -> None:
        self._converter = converter(spelling)
        self._fonts = [
            font_manager.get_font(font_manager.findfont(FontProperties(family=face)))
            for face in (*FACES["zh"], TRADITIONAL_FACE)
        ]

    def label(self, text: str) -> str:
        """A label with as many characters as before. One that no face can write stays as it is."""
        if not is_chinese(text):
            return text
        (respelt,) = self._converter.labels([text])
        return respelt if all(map(self._has, respelt)) else text

    def words(self, text: str) -> str:
        """A text that is read and not drawn."""
        return self._converter.text(text)

    def face(self, properties: FontProperties) -> FontProperties:
        """The same face, with another one for the characters that it lacks."""
        wider = properties.copy()
        wider.set_family([*properties.get_family(), TRADITIONAL_FACE])
        return wider

    def _has(self, character: str) -> bool:
        return any(font.get_char_index(ord(character)) for font in self._fonts)
