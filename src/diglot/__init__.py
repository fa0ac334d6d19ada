"""A static site generator for bilingual (zh/en) technical articles with live figures."""

__version__ = "0.1.0"
