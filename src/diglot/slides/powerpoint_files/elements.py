"""Elements of XML parts, made as python-pptx makes its own."""

from collections.abc import Mapping
from typing import Any

from lxml import etree


def add(parent: Any, tag: str, nsmap: Mapping[str, str] | None = None, /, **attributes: str) -> Any:
    """A new last child of an element."""
    return etree.SubElement(parent, tag, attributes, nsmap)
