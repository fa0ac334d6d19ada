"""A small project in a temporary folder: write, build, read."""

import re
import shutil
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from diglot.diagnostics import Diagnostic
from diglot.rules.building import Site, SiteBuild
from diglot.rules.guards import guards_of
from diglot.rules.options import SiteOptions

SITE_YAML = """\
title: {zh: 试验站, en: Test site}
base_url: https://example.org/
tags:
  roofline: {zh: 屋顶线, en: Roofline}
cards: none
"""

CHIPS = '''\
"""The numbers of two chips."""

TITLE = {"zh": "芯片", "en": "Chips"}


def compute():
    return {"h200": {"peak_flops_per_s": 989e12, "ridge": 206.04}, "names": ["H200", "v6e"]}
'''

BARS = '''\
"""Two bars."""

TITLE = {"zh": "两根柱", "en": "Two bars"}


def compute():
    return {"values": [3, 5]}


def draw(figure, data, t):
    from matplotlib.patches import Rectangle  # all without axes, which take most of the time of a drawing

    figure.set_height_px(120)
    for n, (height, name) in enumerate(zip(data["values"], t(zh="甲 乙", en="A B").split())):
        figure.text(0.3 + 0.4 * n, 0.1, name)
        figure.add_artist(Rectangle((0.2 + 0.4 * n, 0.2), 0.2, height / 8))


def describe(data, t):
    top = max(data["values"])
    return t(zh=f"两根柱，高的是{top}。", en=f"Two bars, the taller is {top}.")
'''

_DRAWN_ON_AXES = """\
    figure.set_height_px(120)
    axes = figure.axes_px(40, 30, figure.width_px - 60, 70)
    axes.bar([0, 1], data["values"])
    axes.set_xticks([0, 1], [t(zh="甲", en="A"), t(zh="乙", en="B")])
    axes.set_yticks([])
"""
BARS_ON_AXES = re.sub(r"(?s)(?<=data, t\):\n).*?\n(?=\n\n)", _DRAWN_ON_AXES, BARS, count=1)
"""The same for tests of what is drawn; it takes three times as long."""


class Space:
    """A project with a configuration and nothing else."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.write("site/site.yaml", SITE_YAML)

    def copied_from(self, other: "Space") -> "Space":
        """Copy another project into this one, with its cache and output."""
        shutil.copytree(other.root, self.root, dirs_exist_ok=True)
        return self

    def write(self, path: str, text: str | bytes) -> None:
        """Write a file of the project."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(text, bytes):
            target.write_bytes(text)
        else:
            target.write_text(text, "utf-8")

    def change(self, path: str, old: str, new: str) -> None:
        """Replace a text that occurs once in a file."""
        text = (self.root / path).read_text("utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path}"
        self.write(path, text.replace(old, new))

    def remove(self, path: str) -> None:
        """Remove a file, or a folder with all that is below it."""
        target = self.root / path
        shutil.rmtree(target) if target.is_dir() else target.unlink()

    def post(self, name: str, *, zh: str | None = "", en: str | None = "", **front: str) -> None:
        """Write an article; a half that is None is left out."""
        for language, body, title in (("zh", zh, f"文章{name}"), ("en", en, f"Article {name}")):
            if body is not None:
                keys = {"title": title, "date": "2026-11-01", **front}
                matter = "\n".join(f"{key}: {value}" for key, value in keys.items())
                text = textwrap.dedent(body)
                self.write(f"content/posts/{name}/{language}.md", f"---\n{matter}\n---\n\n{text}\n")

    @contextmanager
    def site(self, *, output: str = "public", **options: object) -> Iterator[Site]:
        """The site, its workers alive for several builds."""
        chosen = SiteOptions(root=self.root, output=self.root / output, **options)
        with Site(chosen) as site:
            yield site

    def build(self, **options: object) -> SiteBuild:
        """One build, as a command would do it."""
        with self.site(**options) as site:
            return site.build()

    def page(self, path: str, *, output: str = "public") -> str:
        """The HTML of a page, by its address without a slash at the front."""
        return (self.root / output / path / "index.html").read_text("utf-8")

    def outputs(self, output: str = "public") -> dict[str, bytes]:
        """Every file of the output folder."""
        return outputs(self.root / output)


def bring_own_cache(folder: Path) -> None:
    """Copy the cache that `python build.py` left in this checkout, if it ran here, as in CI.

    This saves half a minute's work.
    """
    kept = Path(__file__).parents[1] / ".diglot"
    if kept.is_dir():
        shutil.copytree(kept, folder, ignore=shutil.ignore_patterns("preview", "verify", "unreferenced"))


def outputs(folder: Path) -> dict[str, bytes]:
    """Every file of a folder that a site was published into."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def ran(result: SiteBuild) -> list[str]:
    """The keys of the tasks that ran, as texts."""
    return [str(one.key) for one in result.report.ran]


def errors(result: SiteBuild) -> list[Diagnostic]:
    """The errors, which kept the build from being published."""
    return [one for one in result.diagnostics if one.severity == "error"]


def told(result: SiteBuild) -> str:
    """All diagnostics as the terminal shows them."""
    return "\n\n".join(map(str, result.diagnostics))


def guarded(site: Site, *parts: str) -> list[Diagnostic]:
    """What parts of `diglot check` that look at articles say of a site."""
    report, _ = site.bring_up(guards_of(parts))
    return [*report.diagnostics]
