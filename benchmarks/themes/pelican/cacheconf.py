"""The same settings with Pelican's cache of parsed articles, for later builds."""

import sys

sys.path.insert(0, ".")
from pelicanconf import *  # noqa: F403  (how one Pelican settings file includes another)

CACHE_CONTENT = True
LOAD_CONTENT_CACHE = True
CONTENT_CACHING_LAYER = "generator"
CHECK_MODIFIED_METHOD = "mtime"
