"""`diglot new`."""

from diglot import DOCS_URL
from diglot.cli.command import Command, Options, day, option

FIGURES = ("roofline", "lines", "bars", "heatmap", "table")


def _words(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))


def _pair(slug_help: str, *, titles: str = "+") -> Options:
    """What posts, pages and talks have in common."""
    return {
        "titles TITLE": option("the title in Chinese and the title in English, each in quotes", nargs=titles),
        "--slug": option(slug_help),
        "--flat": "write files without a folder of their own",
        "--draft": "mark it as a draft, which only the preview shows; a draft may have one half",
        "--only": option("it has one half on purpose, in this language", choices=("zh", "en")),
    }


_POST = Command(
    name="post",
    about="make a new article",
    run="diglot.cli.creating.running:run",
    detail=(
        "Make the files of a new article: both halves with their titles, and meta.yaml with what they\n"
        "share. Prints the paths of the files. The address comes from the English title, or else from the\n"
        "pinyin of the Chinese one; --slug sets another. Existing files are not changed."
    ),
    epilog=(
        "examples:\n"
        '  diglot new post "脉动阵列" "Systolic arrays" --tags tpu,systolic-array\n'
        '  diglot new post "Notes on HBM4" --only en\n'
        '  diglot new post "显存的账" --draft     # the English half follows later'
    ),
    options={
        **_pair("the article's address: lower-case ASCII letters, digits and hyphens"),
        "--date DATE": option("date of the article, such as 2026-11-20 (default: today)", day),
        "--tags TAGS": option("ids of tags, such as roofline,gpu", _words, default=()),
    },
)
_PAGE = Command(
    name="page",
    about="make a new page that is not an article, such as About",
    run="diglot.cli.creating.running:run",
    detail=(
        "Make the files of a page, which appears in no list of articles. Its address comes from its title,\n"
        "as for an article; --slug sets another, which may have slashes. Prints the paths of the files. To\n"
        "lead readers to the page, link to it or add it to `navigation:` in site/site.yaml."
    ),
    epilog="examples:\n  diglot new page 关于 About\n  diglot new page 报告 Talks --slug projects/talks",
    options=_pair("the page's address below the language, such as about or projects/talks"),
)
_TALK = Command(
    name="talk",
    about="make a new talk",
    run="diglot.cli.creating.running:run",
    detail=(
        "Make the files of a talk, whose page shows slides. With --from, it begins with the blocks\n"
        ":::{slide} of an article and the figures of their sections, and has the article's titles, unless\n"
        "you give others. Prints the paths of the files."
    ),
    epilog=(
        'examples:\n  diglot new talk "屋顶线" "Rooflines"\n  diglot new talk --from roofline\n\n'
        f"guide: {DOCS_URL}/talks.md"
    ),
    options={
        **_pair("the talk's address: lower-case ASCII letters, digits and hyphens", titles="*"),
        "--from SLUG": option("begin with the slides of this article", dest="from_post"),
    },
)
_FIGURE = Command(
    name="figure",
    about="make the script of a new figure",
    run="diglot.cli.creating.running:run",
    detail=(
        "Make a figure script that already computes and draws something, which you then change. It uses\n"
        "chips of diglot's catalogue and draws in both languages and all sizes. Prints its path."
    ),
    epilog=(
        "examples:\n  diglot new figure peaks --kind bars\n"
        "  diglot new figure decode_time --kind lines --post batch-size"
    ),
    options={
        "name NAME": "the figure's name: lower-case ASCII letters, digits and underscores",
        "--kind": option(
            f"what to begin with: {', '.join(FIGURES)} (default: lines)", choices=FIGURES, default="lines"
        ),
        "--post SLUG": "put it into this article's own figures/ (default: the project's figures/)",
    },
)

command = Command(
    name="new",
    about="make a new article, page, talk or figure",
    group="write",
    verbs=(
        _POST,
        _PAGE,
        _TALK,
        _FIGURE,
    ),
)
