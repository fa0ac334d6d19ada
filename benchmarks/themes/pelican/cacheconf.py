"""The same settings with Pelican's cache of read articles: its way to build again."""

import sys

sys.path.insert(0, ".")
from pelicanconf import *  # noqa: F403  (how a Pelican setting file takes over another)

CACHE_CONTENT = True
LOAD_CONTENT_CACHE = True
CONTENT_CACHING_LAYER = "generator"
CHECK_MODIFIED_METHOD = "mtime"
