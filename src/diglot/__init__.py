"""A static site generator for bilingual (zh/en) technical articles with live figures."""

__version__ = "0.1.0"
DOCS_URL = "https://github.com/diglot/diglot/blob/main/docs"
"""Where the documents are read online. Messages and `--help` lead there."""
