"""What is good to know about a site without being a mistake."""

from urllib.parse import urlsplit


def robots_note(base_url: str) -> str | None:
    """A note that crawlers do not find the site's `robots.txt`; None for a site at the root of its host."""
    parts = urlsplit(base_url)
    if parts.path == "/":
        return None
    return (
        f"note: crawlers read only {parts.scheme}://{parts.netloc}/robots.txt, not the one below "
        f"{parts.path}: submit {base_url}sitemap.xml to search engines yourself"
    )
