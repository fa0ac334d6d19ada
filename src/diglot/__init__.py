"""A static site generator for bilingual (zh/en) technical articles with live figures."""

__version__ = "0.1.0"

DOCS_URL = "https://github.com/diglot/diglot/tree/main/docs"
"""Where the guides are read online; `--help` and messages lead there."""
