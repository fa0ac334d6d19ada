"""Which OpenCC is installed, found out without loading it."""

import os
import re
from importlib.util import find_spec


def opencc_version() -> str:
    """The installed version, from the extra `diglot[hant]`; empty without it."""
    package = find_spec("opencc")
    if package is None or package.origin is None:
        return ""
    beside = os.listdir(os.path.dirname(os.path.dirname(package.origin)))  # importlib.metadata takes 20 ms
    found = (one for one in beside if re.fullmatch(r"opencc-[\w.]+\.dist-info", one, re.IGNORECASE))
    return next(found, "-unknown").removesuffix(".dist-info").rpartition("-")[2]
