"""Whatever a writer does, in whatever order: in the end the preview serves what a clean build makes.

DIGLOT_LONG_TESTS=1 makes it 300 edits; DIGLOT_SEED begins elsewhere.
"""

import os
import random
import re
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import httpx2
import pytest

from diglot.rules.building import Site
from diglot.rules.options import SiteOptions
from tests.cli.sites import CONFIG, LINE, article, write
from tests.serve.test_serving import Serving, serve

__all__ = ["serve"]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="figures are drawn in forked processes")

LONG = bool(os.environ.get("DIGLOT_LONG_TESTS"))
EDITS, COMPARED_EVERY = (300, 15) if LONG else (20, 10)
_OURS = re.compile(rb"<script[^>]*/__diglot/[^>]*></script>")
SCALED = LINE.replace("from typing", "import scales\nfrom typing").replace("int(slope)", "scales.TIMES")


class Writer:
    """Edits a project at random."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root = root
        self.done: list[str] = []
        self._random = random.Random(seed)
        self._count = 0
        self._mended: dict[str, str | None] = {}
        """What to write into broken files to mend them; None for files that have to go."""
        write(root, {"site/site.yaml": CONFIG, "figures/line.py": SCALED, "figures/scales.py": "TIMES = 1\n"})
        for name in ("first", "second"):
            self._write_pair(name)

    def edit(self) -> None:
        """One edit."""
        does = self._random.choice(
            [self.change] * 4
            + [self.create, self.rename, self.delete, self.shared, self.own_theme, self.static, self.figure]
            + [self.break_something] * 2
            + [self.mend] * 2
        )
        does()

    def change(self) -> None:
        """A half has other words."""
        if halves := sorted(self.root.glob("content/posts/*/*.md")):
            half = self._random.choice(halves)
            self._save(half.relative_to(self.root).as_posix(), self._half(half.parent.name, half.stem))

    def create(self) -> None:
        """One more article."""
        self._count += 1
        self._write_pair(f"new-{self._count}")

    def rename(self) -> None:
        """An article's folder has another name."""
        if post := self._post():
            self._count += 1
            post.rename(post.with_name(f"renamed-{self._count}"))
            self._note(f"rename {post.name} to renamed-{self._count}")
            self._mended = {
                p: t for p, t in self._mended.items() if not p.startswith(f"content/posts/{post.name}/")
            }
            self._write_pair(f"renamed-{self._count}")

    def delete(self) -> None:
        """An article is gone."""
        posts = list(self.root.glob("content/posts/*/"))
        if len(posts) > 1 and (post := self._post()):
            shutil.rmtree(post)
            self._note(f"delete {post.name}")
            self._mended = {
                p: t for p, t in self._mended.items() if not p.startswith(f"content/posts/{post.name}/")
            }

    def shared(self) -> None:
        """Keys of both halves, there or not."""
        if post := self._post():
            path = f"content/posts/{post.name}/meta.yaml"
            if (self.root / path).exists():
                self._remove(path)
            else:
                self._save(path, f"draft: {self._random.choice(['true', 'false'])}\n")

    def own_theme(self) -> None:
        """A template or a style sheet of the project's own, there or not."""
        path = self._random.choice(["templates/static/own.css", "templates/not-found.html"])
        if (self.root / path).exists():
            self._remove(path)
        else:
            self._save(path, f"p {{ order: {self._random.randint(1, 99)} }}\n")

    def static(self) -> None:
        """A file that is published as it is, there or not."""
        path = f"site/static/{self._random.choice(['a.txt', 'deep/b.txt', 'deep/er/c.txt'])}"
        if (self.root / path).exists():
            self._remove(path)
        else:
            self._save(path, str(self._random.random()))

    def figure(self) -> None:
        """A figure's script, or the module it imports."""
        number = self._random.randint(1, 9)
        if self._random.random() < 0.5:
            self._save("figures/line.py", SCALED.replace("A line", f"A line, {number}"))
            self._mended.pop("figures/line.py", None)
        else:
            self._save("figures/scales.py", f"TIMES = {number}\n")
            self._mended.pop("figures/scales.py", None)

    def break_something(self) -> None:
        """A mistake, in one of the places where writers make them."""
        faults: dict[str, str | None] = {
            "figures/line.py": "def compute(:\n",
            "figures/scales.py": "TIMES = 1 / 0\n",
            "site/site.yaml": "title: [\n",
            "figures/Bad-Name.py": "",
            "templates/article.html": "{% if %}",
            "content/posts/odd.md": article("Words."),
            "site/static/zh/index.html": "An address that is taken.",
        }
        if post := self._post():
            faults[f"content/posts/{post.name}/zh.md"] = article("Words.", more="datte: 1\n")
            faults[f"content/posts/{post.name}/en.md"] = self._random.choice(
                [
                    article("```{figure} nowhere\nA caption.\n```"),
                    article("Words.", more="slug: first\ndate: 2026-02-03\n"),
                    article("A date that differs.").replace("2026-01-02", "2026-01-03"),
                    None,
                ]
            )
        path = self._random.choice(sorted(faults))
        if path not in self._mended:
            there = (self.root / path).exists()
            self._mended[path] = (self.root / path).read_text("utf-8") if there else None
        if (text := faults[path]) is None:
            self._remove(path)
        else:
            self._save(path, text)

    def mend(self) -> None:
        """One mistake less."""
        if self._mended:
            path = self._random.choice(sorted(self._mended))
            text = self._mended.pop(path)
            if text is None:
                self._remove(path)
            else:
                self._save(path, text)

    def mend_all(self) -> None:
        """No mistakes any more."""
        while self._mended:
            self.mend()
        for half in sorted(self.root.glob("content/posts/*/*.md")):
            if any(word in half.read_text("utf-8") for word in ("datte", "nowhere", "slug", "differs")):
                self._save(half.relative_to(self.root).as_posix(), self._half(half.parent.name, half.stem))

    def _post(self) -> Path | None:
        posts = sorted(self.root.glob("content/posts/*/"))
        return self._random.choice(posts) if posts else None

    def _write_pair(self, name: str) -> None:
        for language in ("zh", "en"):
            self._save(f"content/posts/{name}/{language}.md", self._half(name, language))

    def _half(self, name: str, language: str) -> str:
        words = f"Words {self._random.randint(0, 999)}."
        if self._random.random() < 0.4:
            words += "\n\n```{figure} line\nA caption.\n```"
        return article(words, title=f"{name} {language}")

    def _save(self, path: str, text: str) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if self._random.random() < 0.5:
            target.write_text(text, "utf-8")
        else:
            beside = target.with_name(f".{target.name}.swp")
            beside.write_text(text, "utf-8")
            beside.replace(target)
        self._note(f"write {path}")

    def _remove(self, path: str) -> None:
        (self.root / path).unlink(missing_ok=True)
        self._note(f"remove {path}")

    def _note(self, what: str) -> None:
        self.done.append(what)


def _clean_build(root: Path, elsewhere: Path) -> dict[str, bytes]:
    """What a build without a cache makes of the project."""
    shutil.rmtree(elsewhere, ignore_errors=True)
    shutil.copytree(root, elsewhere, ignore=shutil.ignore_patterns(".diglot", "__pycache__"))
    output = elsewhere / "public"
    options = SiteOptions(root=elsewhere, output=output, drafts=True, future=True, jobs=2)
    with Site(options) as site:
        result = site.build()
    assert result.published is not None, result.diagnostics
    files = [path for path in output.rglob("*") if path.is_file() and path.name != ".diglot-site"]
    return {path.relative_to(output).as_posix(): path.read_bytes() for path in files}


def _differences(client: httpx2.Client, expected: dict[str, bytes], known: set[str]) -> list[str]:
    found = []
    for path in sorted(known | expected.keys()):
        if path.split("/")[-1].startswith("."):
            continue  # `.nojekyll` is not served
        answer = client.get(quote(path.removesuffix("index.html")))
        served = _OURS.sub(b"", answer.content) if answer.status_code == 200 else None
        if served != expected.get(path):
            found.append(f"{path} ({answer.status_code})")
    return found


def test_random_edits_end_in_what_a_clean_build_makes(tmp_path: Path, serve: Callable[..., Serving]) -> None:
    seed = int(os.environ.get("DIGLOT_SEED", "1"))
    writer = Writer(tmp_path / "site", seed)
    serving = serve(writer.root)
    pauses = random.Random(seed)
    known: set[str] = set()
    with httpx2.Client(base_url=serving.address, timeout=20) as client:
        for number in range(1, EDITS + 1):
            writer.edit()
            time.sleep(pauses.choice([0, 0, 0.02, 0.1, 0.5]))
            if number % COMPARED_EVERY:
                continue
            writer.mend_all()
            expected = _clean_build(writer.root, tmp_path / "clean")
            known |= expected.keys()
            end = time.monotonic() + 30
            while differing := _differences(client, expected, known):
                if time.monotonic() > end:
                    serving.builds()
                    told = "".join(serving.said)[-3000:]
                    raise AssertionError(f"{differing} after {writer.done[-40:]} (seed {seed}): {told}")
                time.sleep(0.1)
            serving.builds(quiet_s=0.2)
            assert not any("itself failed" in line for line in serving.said)
