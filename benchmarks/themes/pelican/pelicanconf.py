"""Pelican's settings for the corpus."""

SITENAME = "Corpus"
SITEURL = "https://example.org"
AUTHOR = "corpus"
TIMEZONE = "UTC"
DEFAULT_LANG = "zh"
PATH = "content"
ARTICLE_PATHS = ["posts"]
STATIC_PATHS = ["img", "extra"]
EXTRA_PATH_METADATA = {"extra/style.css": {"path": "style.css"}}
THEME = "theme"
ARTICLE_URL = "zh/posts/{slug}/"
ARTICLE_SAVE_AS = "zh/posts/{slug}/index.html"
ARTICLE_LANG_URL = "{lang}/posts/{slug}/"
ARTICLE_LANG_SAVE_AS = "{lang}/posts/{slug}/index.html"
TAG_URL = TAG_SAVE_AS = "tags/{slug}.html"
CATEGORY_URL = CATEGORY_SAVE_AS = "categories/{slug}.html"
AUTHOR_SAVE_AS = AUTHORS_SAVE_AS = ARCHIVES_SAVE_AS = DRAFT_SAVE_AS = ""
DIRECT_TEMPLATES = ["index", "tags", "categories"]
DEFAULT_PAGINATION = False
FEED_ALL_ATOM = CATEGORY_FEED_ATOM = AUTHOR_FEED_ATOM = AUTHOR_FEED_RSS = None
TRANSLATION_FEED_ATOM = None
TRANSLATION_FEED_RSS = "feeds/{lang}.rss.xml"  # summaries only, like the feeds of the others
FEED_MAX_ITEMS = 20
MARKDOWN = {
    "output_format": "html5",
    "extension_configs": {
        "markdown.extensions.extra": {},
        "markdown.extensions.meta": {},
        "markdown.extensions.codehilite": {"css_class": "highlight", "guess_lang": False},
        "markdown.extensions.toc": {"toc_depth": "2-3"},
    },
}
LOAD_CONTENT_CACHE = False
PLUGINS = ["pelican.plugins.sitemap"]
SITEMAP = {"format": "xml"}
