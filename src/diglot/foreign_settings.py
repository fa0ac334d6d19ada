"""Settings that other tools have in their configuration, and what to do instead in `site/site.yaml`."""

_FIXES = {
    "it is called `title` here.": "name site_name site_title",
    "it is called `description` here.": "subtitle tagline slogan desc site_description",
    "it is called `base_url` here, the whole address.": (
        "base_url url site_url root canonical canonical_url domain host"
    ),
    "it is called `source_url` here, the address of a folder.": (
        "repo repository repo_url github_repo git_repo edit_url edit_link edit_uri"
    ),
    "it is called `navigation` here.": "menu menus nav navbar header_pages",
    "it is called `list_entries` here.": "paginate paginate_by per_page pagination posts_per_page page_size",
    "it is called `licence` here.": "copyright rights",
    "it is called `timezone` here, such as Asia/Shanghai.": "tz",
    "it is called `params` here.": "variables extra data custom",
    "it is called `ignore` here, a list of `rule` and `path`.": "ignore_warnings ignored suppress",
    "write `authors:`, with the people by id.": "author author_name owner email social twitter mastodon",
    "write `languages:`; zh and en are there without it.": (
        "language_code default_content_language default_language lang language"
    ),
    "write it below `comments`.": "disqus disqus_shortname giscus utterances gitalk waline twikoo",
    "write it below `analytics`, as plausible, goatcounter or umami.": (
        "google_analytics ga gtag plausible goatcounter umami baidu baidu_analytics"
    ),
    "write it below `deploy`.": "cname branch remote",
    "delete it, and change what `diglot theme copy` brings into templates/.": (
        "theme themes style css color colors colour colours dark_mode appearance skin logo header footer "
        "sidebar icp beian code_theme"
    ),
    "delete it, and put the picture at templates/static/favicon.svg.": "favicon icon avatar",
    "addresses follow from the names of files; an article can have a `slug`.": "permalink permalinks slugify",
    "delete it: what a site adds to diglot is in extensions/.": "plugins gems extensions hooks",
    "delete it: articles are in content/, and files that stay as they are in site/static/.": (
        "source_dir content_dir static_dir posts_dir docs_dir static"
    ),
    "delete it, and name the folder with `diglot build --output`.": (
        "output output_dir public_dir publish_dir destination dest build_dir out_dir site_dir"
    ),
    "delete it, and build with --drafts, --future or --strict.": (
        "draft drafts build_drafts show_drafts future build_future strict"
    ),
    "delete it, and write `aliases:` in the articles that old addresses led to.": "redirects aliases",
    "delete it, and put a file _headers into site/static/.": "headers",
    "delete it; names of files that begin with _ are left alone.": "exclude exclude_files ignore_files",
    "it is not needed here: delete it.": (
        "date_format locale i18n markup markdown_extensions math mathjax katex mermaid highlight syntax toc "
        "rss sitemap robots minify cache cdn keywords include taxonomies"
    ),
}
"""What to do about keys of other tools, however their words are joined: `siteURL`, `site_url`."""
_BY_WORDS = {word.replace("_", ""): fix for fix, words in _FIXES.items() for word in words.split()}


def fix_of_setting(key: str) -> str | None:
    """What to do about a key of the configuration; None if no other tool is known that has it."""
    return _BY_WORDS.get(key.replace("_", "").casefold())
