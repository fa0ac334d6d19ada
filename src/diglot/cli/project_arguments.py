"""The arguments of the commands that make and change the files of a project."""

from pathlib import Path
from typing import Any

from diglot import DOCS_URL
from diglot.cli.parsing import Options, add_command, add_verbs, day, option


def add_init(commands: Any) -> None:
    """Add the command to the parser."""
    add_command(
        commands,
        "init",
        "make a new site that works at once",
        "Write a small site in Chinese and English into DIR: a configuration, an article with a figure and\n"
        "values from its data, a README, and settings for editors. Existing files stay as they are. Prints\n"
        "what was added and what was left alone.",
        epilog="examples:\n"
        "  diglot init blog && cd blog && diglot serve\n"
        '  diglot init blog --title 脊点两侧 --title "Both sides of the ridge"\n'
        "  diglot init --ci github            # in this folder, with a workflow that publishes the site",
        options={
            "folder DIR": option(
                "folder of the site, created if it does not exist (default: the current folder)",
                Path,
                nargs="?",
                default=Path(),
            ),
            "--title TITLE": option(
                "name of the site, in both languages; give it twice for one in Chinese and one in English",
                action="append",
                dest="titles",
                default=[],
            ),
            "--first-language": option(
                "language that comes first on pages in both, and for readers of neither (default: zh)",
                choices=("zh", "en"),
            ),
            "--ci": option(
                "add a workflow that checks, builds and publishes the site on every push: to GitHub Pages or "
                "GitLab Pages",
                choices=("github", "gitlab"),
            ),
            "--empty": "write no example: no article, no figure, no page about the site",
            "--ask": "ask for title, address and the rest (only on a terminal)",
        },
    )


def add_new(commands: Any) -> None:
    """Add the command to the parser."""
    new = add_command(commands, "new", "make a new article, page, talk or figure")
    verbs = add_verbs(new, "post|page|talk|figure")
    add_command(
        verbs,
        "post",
        "make a new article",
        "Make the files of a new article: both halves with their titles, and meta.yaml with what they\n"
        "share. Prints the paths of the files. The address comes from the English title, or else from the\n"
        "pinyin of the Chinese one; --slug sets another. Existing files are not changed.",
        epilog="examples:\n"
        '  diglot new post "脉动阵列" "Systolic arrays" --tags tpu,systolic-array\n'
        '  diglot new post "Notes on HBM4" --only en\n'
        '  diglot new post "显存的账" --draft     # the English half follows later',
        options={
            **_pair("the article's address: lower-case ASCII letters, digits and hyphens"),
            "--date DATE": option("date of the article, such as 2026-11-20 (default: today)", day),
            "--tags TAGS": option("ids of tags, such as roofline,gpu", _words, default=()),
        },
    )
    add_command(
        verbs,
        "page",
        "make a new page that is not an article, such as About",
        "Make the files of a page, which appears in no list of articles. Its address comes from its title,\n"
        "as for an article; --slug sets another, which may have slashes. Prints the paths of the files. To\n"
        "lead readers to the page, link to it or add it to `navigation:` in site/site.yaml.",
        epilog="examples:\n  diglot new page 关于 About\n  diglot new page 报告 Talks --slug projects/talks",
        options=_pair("the page's address below the language, such as about or projects/talks"),
    )
    add_command(
        verbs,
        "talk",
        "make a new talk",
        "Make the files of a talk, whose page shows slides. With --from, it begins with the blocks\n"
        ":::{slide} of an article and the figures of their sections, and has the article's titles, unless\n"
        "you give others. Prints the paths of the files.",
        epilog='examples:\n  diglot new talk "屋顶线" "Rooflines"\n  diglot new talk --from roofline\n\n'
        f"guide: {DOCS_URL}/talks.md",
        options={
            **_pair("the talk's address: lower-case ASCII letters, digits and hyphens", titles="*"),
            "--from SLUG": option("begin with the slides of this article", dest="from_post"),
        },
    )
    add_command(
        verbs,
        "figure",
        "make the script of a new figure",
        "Make a figure script that already computes and draws something, which you then change. It uses\n"
        "chips of diglot's catalogue and draws in both languages and all sizes. Prints its path.",
        epilog="examples:\n  diglot new figure peaks --kind bars\n"
        "  diglot new figure decode_time --kind lines --post batch-size",
        options={
            "name NAME": "the figure's name: lower-case ASCII letters, digits and underscores",
            "--kind": option(
                f"what to begin with: {', '.join(FIGURES)} (default: lines)", choices=FIGURES, default="lines"
            ),
            "--post SLUG": "put it into this article's own figures/ (default: the project's figures/)",
        },
    )


def _pair(slug_help: str, *, titles: str = "+") -> Options:
    """What posts, pages and talks have in common."""
    return {
        "titles TITLE": option("the title in Chinese and the title in English, each in quotes", nargs=titles),
        "--slug": option(slug_help),
        "--flat": "write files without a folder of their own",
        "--draft": "mark it as a draft, which only the preview shows; a draft may have one half",
        "--only": option("it has one half on purpose, in this language", choices=("zh", "en")),
    }


FIGURES = ("roofline", "lines", "bars", "heatmap", "table")


def _words(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))


def add_rename(commands: Any) -> None:
    """Add the command to the parser."""
    rename = add_command(commands, "rename", "rename an article and update links to it")
    verbs = add_verbs(rename, "post")
    add_command(
        verbs,
        "post",
        "rename an article and update links to it",
        "Give an article a new name and address: move its files, update links to it in all articles and in\n"
        "the navigation, and keep its old addresses as aliases, which redirect to the new ones. Prints\n"
        "every file that changes.",
        epilog="example:\n  diglot rename post roofline where-the-roof-bends --dry-run",
        options={
            "old OLD": "the article's current name: that of its folder or files, or its slug",
            "new NEW": "its new name: lower-case ASCII letters, digits and hyphens",
            "--dry-run": "print what would change, and change nothing",
        },
    )


_IMPORT = """\
Convert the posts and pages of another system into a project: pairs of articles, their pictures, their old
addresses as aliases, and site.yaml from the old configuration. Two files of one post, or one file with
both languages, become a pair. diglot only reads the source, and runs nothing in it. What has no counterpart
stays in the text, and is listed here and in IMPORT.md, with its file and line."""

_IMPORT_NOTES = """\
SOURCE is the folder of a whole site, a folder of posts, or one post. Existing files are not changed without
--force: an article is written completely or not at all.

examples:
  diglot import hugo ../old-blog -o blog --dry-run
  diglot import jekyll ../old-blog -o blog && cd blog && diglot serve
  diglot import hexo ../old-blog/source/_posts/hello.md -o .
  diglot import myst ../lectures -o site"""


_SYSTEMS = ("jekyll", "hugo", "hexo", "myst", "quarto", "notebook", "obsidian")


def add_import(commands: Any) -> None:
    """Add the command to the parser."""
    add_command(
        commands,
        "import",
        "import a blog, a MyST or Quarto project, notebooks or a vault",
        _IMPORT,
        epilog=_IMPORT_NOTES,
        output_help="the project to write to, created if it does not exist (required)",
        options={
            "system": option("what the source was made for", choices=_SYSTEMS),
            "source SOURCE": option("a site, a folder of posts, or one post", Path),
            "-n --dry-run": "list what would be written, and write nothing",
            "--force": "replace existing files",
        },
    )


SCHEMAS = ("site", "front-matter", "meta", "chips")


def add_schema(commands: Any) -> None:
    """Add the command to the parser."""
    add_command(
        commands,
        "schema",
        "print a JSON Schema, for editors",
        "Print the JSON Schema of a kind of file, with which an editor completes keys, explains them and\n"
        "marks mistakes: site (site/site.yaml), front-matter (of one half), meta (meta.yaml), chips\n"
        "(site/hardware/*.yaml). `diglot init` writes them to .vscode/, with the settings that use them.",
        epilog="example:\n  diglot schema site > .vscode/diglot/site.json   # after an update of diglot",
        options={
            "kind KIND": option(", ".join(SCHEMAS), choices=SCHEMAS),
        },
    )
