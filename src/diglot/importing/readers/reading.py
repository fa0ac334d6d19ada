"""One reading of a blog: its files, what was said about them, and why some were left out."""

from diglot.importing.readers.source_files import decoded
from diglot.importing.records import Findings
from diglot.importing.source_folder import SourceFolder, Unreadable
from diglot.output_paths import folders_of


class Reading:
    """Reads the files of a blog, and remembers what became of each."""

    def __init__(self, folder: SourceFolder) -> None:
        self.folder = folder
        self.findings = Findings()
        self.configurations: set[str] = set()
        """Files that were read as configuration."""
        self.left: dict[str, str] = {}
        """Files that were left out, with the reason."""
        self.files = [path for path in folder.files if not is_hidden(path)]
        """The files that may be part of the site."""
        self.folders = folders_of(self.files)
        """Their folders, with a slash at the end of each."""

    def text(self, path: str) -> str | None:
        """The text of a file; None, and said, if it cannot be read."""
        try:
            text = decoded(self.folder.file(path).read_bytes())
        except Unreadable as error:
            is_large = str(error).startswith("has ")
            fix = "split it into smaller files" if is_large else "correct the file"
            self.leave(path, str(error), f"{fix}, and import again.")
            return None
        return text

    def leave(self, path: str, reason: str, fix: str = "") -> None:
        """Leave a file out, and say so."""
        self.left[path] = reason
        self.findings.tell(path, f"it {reason} and is not imported", fix)


def is_hidden(path: str) -> bool:
    """Whether a file is hidden, or was left by an editor."""
    name = path.rpartition("/")[2]
    return name.startswith((".", "~")) or name.endswith("~")
