from tests.browser import _pages, browser, open_page

__all__ = ("_pages", "browser", "open_page")
