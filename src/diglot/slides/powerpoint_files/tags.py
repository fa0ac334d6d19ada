"""Notes on shapes, for programs: which of their texts are values, and of which expressions."""

import json
from collections.abc import Sequence
from typing import Any
from xml.sax.saxutils import quoteattr

from pptx.opc.package import Part
from pptx.opc.packuri import PackURI

from diglot.slides.powerpoint import VALUES_TAG
from diglot.slides.powerpoint_files.elements import add
from diglot.slides.powerpoint_files.texts import Value
from diglot.slides.xml import P, R

_TAGS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/tags"
_TAGS_TYPE = "application/vnd.openxmlformats-officedocument.presentationml.tags+xml"


def tag_values(slide: Any, shape: Any, values: Sequence[Value]) -> None:
    """Note on a shape which of its texts are values, and their expressions."""
    if not values:
        return
    package = slide.part.package
    held = quoteattr(json.dumps(values, ensure_ascii=False))
    part = Part(
        PackURI(package.next_partname("/ppt/tags/tag%d.xml")),
        _TAGS_TYPE,
        package,
        f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<p:tagLst xmlns:p="{P[1:-1]}">'
        f'<p:tag name="{VALUES_TAG}" val={held}/></p:tagLst>'.encode(),
    )
    leads = slide.part.relate_to(part, _TAGS)
    own = shape.element.find(f".//{P}nvPr")
    data = add(own, f"{P}custDataLst")
    add(data, f"{P}tags").set(f"{R}id", leads)
