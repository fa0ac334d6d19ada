"""Prints pages of a site with Chromium, which loads them from this machine."""

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote

from diglot.check.chromium import made_of


def print_page(executable: str, folder: Path, path: str, file: Path) -> None:
    """Write a page of the site in a folder as a PDF file, with bookmarks. Raises ChromiumFailed.

    The folder is served to this machine alone, for as long as it takes: pages name what they need from the
    site's root.
    """
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/{quote(path)}"
        options = ("--no-pdf-header-footer", "--generate-pdf-document-outline")
        try:
            made = made_of(executable, "", *options, writes="print-to-pdf=page.pdf", address=address)
        finally:
            server.shutdown()
    file.write_bytes(made)


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Nothing: what is asked for is known."""
