"""XML without a document type, which could define entities that expand without end."""

from xml.etree import ElementTree
from xml.parsers import expat


class XmlMistake(ValueError):
    """Why a file is not XML that diglot reads."""


class _Builder(ElementTree.TreeBuilder):
    def doctype(self, _name: str, _public: str | None, _system: str | None) -> None:
        """Refuse it."""
        raise expat.ExpatError("it has a document type")


def parse_xml(content: bytes) -> ElementTree.Element:
    """The root of a file. Raises XmlMistake if it is not XML, or has a document type."""
    try:
        return ElementTree.fromstring(content, ElementTree.XMLParser(target=_Builder()))
    except (ElementTree.ParseError, expat.ExpatError, ValueError, LookupError) as error:
        raise XmlMistake(str(error)) from error
