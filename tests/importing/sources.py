"""Sources in a temporary folder, imported and built."""

from pathlib import Path
from typing import NamedTuple

from diglot.importing.site_import import Import, System, import_site
from diglot.importing.writing.files import write_batches
from diglot.rules.building import Site, SiteBuild
from diglot.rules.options import SiteOptions
from tests.space import errors, told

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c6360f8cfc0f01f0005000201a5d1b2a30000000049454e44ae426082"
)

HEXO = {"_config.yml": "title: 站\nurl: https://old.example\npermalink: :year/:month/:day/:title/\n"}
HUGO = {
    "hugo.toml": 'baseURL = "https://old.example/"\ntitle = "Site"\ndefaultContentLanguage = "zh"\n'
    '[languages.zh]\ntitle = "站"\n[languages.en]\ntitle = "Site"\n'
}
JEKYLL = {"_config.yml": "title: 站\nurl: https://old.example\npermalink: pretty\n"}


class Imported(NamedTuple):
    """An import that was written into a project."""

    result: Import
    root: Path

    def text(self, path: str) -> str:
        """A file of the project."""
        return (self.root / path).read_text("utf-8")

    def body(self, path: str) -> str:
        """A half without its front matter."""
        return self.text(path).split("---\n", 2)[2].strip("\n")

    def matter(self, path: str) -> str:
        """The front matter of a half, or a whole `meta.yaml`."""
        text = self.text(path)
        return text.split("---\n", 2)[1] if text.startswith("---") else text

    def files(self) -> list[str]:
        """All files that were written."""
        return sorted(path for batch in self.result.batches for path in batch.files)

    def told(self) -> list[str]:
        """All findings, without what to do about them."""
        return [str(finding).partition("\n")[0] for finding in self.result.findings]

    def build(self) -> SiteBuild:
        """A build with drafts and future articles, which has no errors."""
        options = SiteOptions(root=self.root, output=self.root / "public", drafts=True, future=True)
        with Site(options) as site:
            result = site.build()
        assert not errors(result), told(result)
        return result


def write_source(root: Path, files: dict[str, str | bytes]) -> Path:
    """Write the files of a source."""
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            (root / path).write_bytes(content)
        else:
            (root / path).write_text(content, "utf-8")
    return root


def imported(system: System, folder: Path, files: dict[str, str | bytes], *, only: str = "") -> Imported:
    """Import a source, whole or one file of it, into a project beside it."""
    source = write_source(folder / "source of the blog", files)
    result = import_site(system, source / only)
    root = folder / "project"
    root.mkdir()
    write_batches(list(result.batches), root)
    return Imported(result, root)


def converted(
    system: System, folder: Path, body: str, files: dict[str, str | bytes] | None = None
) -> Imported:
    """One English post with a body, imported: its half is content/posts/x/en.md."""
    post = f"---\ntitle: X\ndate: 2020-02-03\nlang: en\n---\n\n{body}\n"
    places = {
        "jekyll": (JEKYLL, "_posts/2020-02-03-x.md"),
        "hugo": (HUGO, "content/posts/x.en.md"),
        "hexo": (HEXO, "source/_posts/x.md"),
    }
    configuration, path = places[system]
    return imported(system, folder, {**configuration, path: post, **(files or {})})


HALF = "content/posts/x/en.md"
