"""Turn a folder of plain posts into a diglot project.

    python benchmarks/plain_layout.py plain -o site     # a project beside it
    python benchmarks/plain_layout.py plain             # a project in place: posts stay where they were

Plain posts are `posts/<slug>.zh.md` and `posts/<slug>.en.md` with YAML front matter of one-line keys
(`title`, `date`, `lang`, `slug`, `description`, `tags`, `categories`), and pictures in `img/` with links of
the form `/img/…`. What diglot writes differently is converted: dates have no time, only the file name says
the language, and a configuration labels every tag. In place, `posts` becomes a link to `content/posts`, so
that a harness that edits `posts/<slug>.zh.md` edits the project.
"""

import argparse
import os
import re
import shutil
import sys
from pathlib import Path

_POST = re.compile(r"[a-z0-9-]+\.(?:zh|en)\.md")
_LISTED = re.compile(r"^(tags|categories): *\[(.*)\] *$", re.MULTILINE)


def convert(plain: Path, root: Path) -> int:
    """Write the project for a folder of plain posts, and return the number of its post files.

    `root` may be the same as `plain`. Raises ValueError if there are no posts.
    """
    sources = sorted(path for path in (plain / "posts").iterdir() if _POST.fullmatch(path.name))
    if not sources:
        raise ValueError(f"no <slug>.zh.md or <slug>.en.md in {plain / 'posts'}")
    terms: dict[str, set[str]] = {"tags": set(), "categories": set()}
    target = root / "content/posts"
    target.mkdir(parents=True, exist_ok=True)
    for source in sources:
        text = as_diglot(source.read_text("utf-8"))
        for key, ids in _LISTED.findall(text):
            terms[key].update(one.strip() for one in ids.split(",") if one.strip())
        (target / source.name).write_text(text, "utf-8")
    if (plain / "img").is_dir():
        shutil.copytree(plain / "img", root / "site/static/img", dirs_exist_ok=True)
    labels = "".join(
        f"{key}:\n" + "".join(f"  {one}: {one}\n" for one in sorted(ids)) for key, ids in terms.items() if ids
    )
    (root / "site").mkdir(exist_ok=True)
    (root / "site/site.yaml").write_text(
        f"title: {{zh: 语料, en: Corpus}}\nbase_url: https://example.org/\n{labels}", "utf-8"
    )
    if root.resolve() == plain.resolve():
        shutil.rmtree(plain / "posts")
        os.symlink("content/posts", plain / "posts")
    return len(sources)


def as_diglot(text: str) -> str:
    """A plain post with its front matter in diglot's form."""
    begin, matter, body = text.split("---\n", 2)
    kept = []
    for line in matter.splitlines():
        key, _, value = line.partition(":")
        if key == "date":
            kept.append(f"date: {value.strip()[:10]}")
        elif key != "lang":
            kept.append(line)
    return begin + "\n".join(("---", *kept, "---", body))


def main() -> int:
    """Convert the folder that the command line names."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("plain", type=Path, help="a folder with posts/")
    parser.add_argument("-o", "--output", type=Path, help="the project (default: in place)")
    arguments = parser.parse_args()
    root = arguments.output or arguments.plain
    if (arguments.plain / "posts").is_symlink():
        parser.error(f"{arguments.plain} has been converted")
    if not (arguments.plain / "posts").is_dir():
        parser.error(f"no folder {arguments.plain / 'posts'}")
    if arguments.output is not None and arguments.output.exists():
        parser.error(f"{arguments.output} is there already")
    try:
        count = convert(arguments.plain, root)
    except ValueError as error:
        parser.error(str(error))
    print(f"{count} posts in {root}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
