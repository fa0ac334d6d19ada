"""A PowerPoint file with the same bytes whenever it is made from the same contents."""

import io
import re
import zipfile
from collections.abc import Callable

_FIRST = "[Content_Types].xml"
_DAY = (1980, 1, 1, 0, 0, 0)
_DATES = re.compile(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*(</dcterms:)")


def stable_package(package: bytes, *, theme: Callable[[str], str] | None = None) -> bytes:
    """The parts in a fixed order without the time of packing; workbooks inside likewise.

    `theme` changes the XML of the theme.
    """
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as old, zipfile.ZipFile(target, "w") as new:
        for name in sorted(old.namelist(), key=lambda name: (name != _FIRST, name)):
            content = old.read(name)
            if name.endswith(".xlsx"):
                content = stable_package(content)
            elif name == "docProps/core.xml":
                content = _DATES.sub(rb"\g<1>1980-01-01T00:00:00Z\2", content)
            elif theme is not None and name == "ppt/theme/theme1.xml":
                content = theme(content.decode("utf-8")).encode("utf-8")
            member = zipfile.ZipInfo(name, _DAY)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = 0o600 << 16
            new.writestr(member, content)
    return target.getvalue()
