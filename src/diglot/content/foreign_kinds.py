"""The kinds of foreign syntax: how each is recognised in a text, and what to write instead."""

import re
from collections.abc import Callable
from typing import NamedTuple

from markdown_it.token import Token

from diglot.content.admonitions.kinds import KINDS, kind_named
from diglot.content.attributes import read_attributes
from diglot.content.foreign_names import (
    ANY_TAG,
    emoji_named,
    fix_of_shortcode,
    fix_of_tag,
    is_environment,
)
from diglot.content.leftovers.addresses import PICTURE
from diglot.content.roles import ROLES
from diglot.diagnostics import did_you_mean

LONGEST_SHOWN = 60
"""Maximum number of characters that a message quotes."""

_COMMENT = "for a comment, write <!-- … -->."

Advice = tuple[str, str]
"""What is wrong, as the end of the sentence “… is shown as text: …”, and the fix."""


class Finding(NamedTuple):
    """Something found in a text, with what is around it."""

    found: re.Match[str]
    before: Token | None
    """The token before the text; None at the beginning of a block."""
    above: str
    """The text at the end of the line above, in the same block."""
    after: Token | None
    """The token after the text."""


class Syntax(NamedTuple):
    """One kind of syntax."""

    pattern: str
    """Finds it in a text. A line break at its beginning is the beginning of a line."""
    advise: Callable[[Finding], Advice | None]
    """Returns the advice, None if the match turns out to be something else."""
    written: str | None = None
    """Finds it in the line of the file, if that differs from the text, which has lost its backslashes."""
    quoted: str = ""
    """What a message quotes; the match, if empty."""
    rule: str = "syntax-unsupported"


def _always(what: str, fix: str) -> Callable[[Finding], Advice]:
    return lambda _finding: (what, fix)


def _comment(finding: Finding) -> Advice | None:
    """A line may begin with a percent sign because it was broken there: `about 90` `% of the peak`."""
    if finding.before is not None and finding.above.rstrip()[-1:] not in tuple(".!?:;。！？：；"):
        return None
    return "a line that begins with % is no comment here", f"{_COMMENT[:-1]}; for the sign, \\%."


def _callout(finding: Finding) -> Advice | None:
    if finding.before is not None or not finding.found.string.startswith(f"\n{finding.found.group()}"):
        return None
    name, _fold, _title = finding.found.groups()
    if kind_named(name) is None:
        return f'there is no callout "{name}"', did_you_mean(name.lower(), KINDS)
    if f"[!{name}]" not in finding.found.group():
        return "a callout has no space inside its brackets", f"write [!{name}]."
    return "a callout is a quotation with text below its first line", "write > before the text, too."


def _attributes(finding: Finding) -> Advice | None:
    if read_attributes(finding.found.group().strip()) is None:
        return None  # another kind
    return "attributes belong above their block", "put them on the line above the block."


def _tag(finding: Finding) -> Advice | None:
    if finding.found.group()[2:-2].strip() in ROLES:
        return None  # a role with braces too many
    return "articles have no template tags", fix_of_tag(finding.found.group())


def _admonition(finding: Finding) -> Advice | None:
    name, title = finding.found.groups()
    if kind_named(name) is None:
        return None
    return (
        "an admonition has indented text below it",
        f"indent its text by four spaces, or write :::{{{name.lower()}}}{f' {title}' if title else ''}, "
        "the text, and ::: below it.",
    )


def _emoji(finding: Finding) -> Advice | None:
    name = finding.found.group()[1:-1]
    if name in _OF_GITHUB:
        return "names do not become pictures", "delete it, or write a character."
    character = emoji_named(name)
    return None if character is None else ("names do not become emoji", f"write the character: {character}")


_OF_GITHUB = frozenset(
    ("octocat", "shipit", "trollface", "godmode", "suspect", "feelsgood", "hurtrealbad", "rage1")
)
"""Pictures of GitHub's own that are written as emoji."""


def _wikilink(finding: Finding) -> Advice | None:
    found, text = finding.found, finding.found.string
    target, _, label = found.group(1).partition("|")
    if target.casefold().strip("_") == "toc" or not re.search(r"[^\W\d]", target):
        return None
    if text[found.start() - 1 : found.start()] in ("!", "！") and PICTURE.search(target):
        return "files are not embedded like this", f"write ![what it shows]({target.strip()})."
    if text[found.start() - 1 : found.start()] == "!":
        place = target.partition("#")[2].strip().lstrip("^")
        return (
            "parts of articles are not embedded like this",
            f"write ![](/posts/…/#{place or 'name'}) on a line alone, or `wikilinks: true` in site.yaml.",
        )
    label = label.strip() or target.strip()
    return (
        "it is not a link",
        f"write [{label}](/posts/…/) with the article's address, or `wikilinks: true` in site.yaml.",
    )


def _environment(finding: Finding) -> Advice | None:
    name = finding.found.group(1)
    if not is_environment(name.removesuffix("*")):
        return None
    body = "the formula" if name.removesuffix("*") in ("equation", "displaymath", "math") else "it"
    return (
        "LaTeX outside of $ is not a formula",
        f"put {body} between lines of $$, with `aligned` for lines of formulas.",
    )


def _dollars(finding: Finding) -> Advice:
    if re.search(r"\{#|\\label", finding.found.string[finding.found.end() :]):
        return (
            "a formula's name is in parentheses",
            "write its name in parentheses after the closing dollars: $$ (eq:name)",
        )
    return (
        "these dollars neither begin nor end a formula",
        "put $$ at the beginning of a line and at the end of one, with no empty line between; "
        "only (eq:name) may follow.",
    )


def _shortcode(finding: Finding) -> Advice:
    name = finding.found.group(1) or finding.found.group(2)
    return "words in brackets or braces mark nothing", fix_of_shortcode(name.lower())


def _block_id(finding: Finding) -> Advice | None:
    if finding.after is not None:
        return None
    return "it names nothing", "write {#name} on the line above the block, or delete it."


def _role(finding: Finding) -> Advice | None:
    if finding.after is None or finding.after.type != "code_inline":
        return None
    name = finding.found.group(1)
    if name in ("ref", "numref", "eq"):
        return "it is not a role", "write the name in braces: {ref}`fig-…`."
    return "it is not a role", "write a link, or `code` alone."


SYNTAXES = (
    Syntax(r"\n%(?!%)[^\n]{0,200}", _comment),
    Syntax(r"%%(?<!%%%)[^%\n]{1,300}%%(?!%)", _always("it is not a comment here", _COMMENT)),
    Syntax(r"\{# [^{}\n]{0,300} #\}", _always("it is not a comment here", _COMMENT)),
    Syntax(
        r"\n\([^()\s]{1,100}\)=[ \t]*$",
        _always("it names nothing", "write {#name} on the line above the block, or after the heading."),
    ),
    Syntax(
        r"\n\+{3,}[ \t]*(?:\{[^\n]{0,200}\}[ \t]*)?$",
        _always("it does not divide blocks", "delete it; a line of ---, between empty lines, draws a rule."),
    ),
    Syntax(r"\[![ \t]{0,3}([^\W\d_][\w-]{0,30})[ \t]{0,3}\]([+-]?)([^\n]{0,200})", _callout),
    Syntax(
        r"\n(?i:@?\[toc\]|\[\[_?toc_?\]\]|\{:[ \t]*toc\b[^{}\n]{0,100}\})[ \t]*$",
        _always(
            "there is no table of contents",
            "delete it, or write a list of links to sections: - [Ridge](#ridge)",
        ),
    ),
    Syntax(
        r"\n\{:?[ \t]*[.#][\w:-]{1,100}(?:[ \t][^{}\n]{0,200})?\}[ \t]*$",
        _attributes,
        rule="attributes-below",
    ),
    Syntax(r"\{\{(?<!=\{\{)(?:[<%][^\n]{0,300}?[>%]\}\}|[^{}<%\n]{1,300}\}\}|[<%][^\n]{0,300}$|$)", _tag),
    Syntax(
        r"<[%?](?:=|-|php)?[ \t][^<>\n]{1,300}?-?[%?]>", _always("articles have no template tags", ANY_TAG)
    ),
    Syntax(
        r"\[([A-Za-z]{1,20})(?:[ =][^\[\]\n]{0,200})?\][^\n]{0,300}?\[/\1\]"
        r"|\n\[(gallery|caption|embed|video|audio|playlist|youtube)(?: [^\[\]\n]{0,200})?\][ \t]*$",
        _shortcode,
    ),
    Syntax(
        r"\n\{(code|quote|noformat|panel|color)(?::[^{}\n]{0,100})?\}[ \t]*$"
        r"|\{(code|quote|noformat|color)(?::[^{}\n]{0,100})?\}[^\n]{0,300}?\{\2\}",
        _shortcode,
    ),
    Syntax(
        r"\n#\+(?i:begin|end)_[A-Za-z]{2,20}[^\n]{0,100}$",
        _always("it is no block here", "write ``` above code and below it, or > before a quotation."),
    ),
    Syntax(
        r"\n(?:import|export) [^\n]{1,200} from [\"'][^\"'\n]{1,200}[\"'];?[ \t]*$"
        r"|\nexport (?:const|default|function) [^\n]{1,200}[=({][^\n]{0,200}$|\{/\*[^\n]{0,200}?\*/\}",
        _always(
            "articles have no components", "write Markdown or HTML itself; to show it, put it into `code`."
        ),
    ),
    Syntax(
        r"@(?<![A-Za-z0-9_@./-]@)(?:lst-|(?:fig|tbl|tab|eq|sec|lst):)[A-Za-z][\w-]{0,60}",
        _always(
            "it is not a reference",
            "write {ref}`fig-…` with the name of the figure or table; of a formula, [](#eq:name).",
        ),
    ),
    Syntax(r"(?<=\S) \^(?=[a-z0-9-]*[a-z])[a-z0-9-]{3,40}$", _block_id),
    Syntax(
        rf"\n/{{3,4}}[ \t]+(?:{'|'.join(KINDS)}|tab)\b[^\n]{{0,200}}$",
        _always(
            "it does not begin an admonition", "write :::{note}, the text, and ::: on lines of their own."
        ),
    ),
    Syntax(
        r"\n-{1,2}8<-{1,2}[^\n]{0,200}$",
        _always("no file is put in its place", "write the text itself, or the code between lines of ```."),
    ),
    Syntax(r"\{%(?<!\{\{%)-?[ \t]*\w[^\n]{0,300}?%\}", _tag),
    Syntax(
        rf"\n(?:!!!|\?\?\?\+?)[ \t]*({'|'.join(KINDS)})\b"
        r'(?:[ \t]+[\w-]{1,30}){0,3}(?:[ \t]+"([^"\n]{0,200})")?[ \t]*$',
        _admonition,
    ),
    Syntax(r":(?<![A-Za-z0-9_:]:)(?:[a-z][a-z0-9_]{1,30}|[+-]1):(?![A-Za-z0-9_:])", _emoji),
    Syntax(
        r"#(?<![^\s(]#)[^\W\d_][\w-]{0,40}/[^\W\d_][\w/-]{0,60}",
        _always("it is no tag", "write it below `tags:` in the front matter, and delete it here."),
    ),
    Syntax(r"\[\[(?<![A-Za-z0-9_\])]\[\[)([^\[\]\n]{1,200})\]\]", _wikilink),
    Syntax(r"\\begin\{([A-Za-z]{1,30}\*?)\}", _environment),
    Syntax(
        r"\([^\n]{0,300}(?:\\[A-Za-z]|\^)[^\n]{0,300}\)",
        _always("a backslash shows the bracket after it", "write $…$ around a formula in a line."),
        written=r"\\\([^\n]{0,300}(?:\\[A-Za-z]|\^)[^\n]{0,300}\\\)",
        quoted=r"\( … \)",
    ),
    Syntax(
        r"\n\[(?:|[^\n]{0,300}(?:\\[A-Za-z]|\^)[^\n]{0,300}\])[ \t]*$",
        _always("a backslash shows the bracket after it", "put the formula between lines of $$."),
        written=r"^\W*\\\[(?:|[^\n]{1,600}\\\])[ \t]*$",
        quoted=r"\[ … \]",
    ),
    Syntax(
        r"\([^\n]{1,300}?\]",
        _always("these brackets are not a pair", "write \\( … \\), or $…$."),
        written=r"\\\((?:(?!\\\))[^\n]){1,300}?\\\]",
        quoted=r"\( … \]",
        rule="formula-left-over",
    ),
    Syntax(
        r"\[[^\n]{1,300}?\)",
        _always("these brackets are not a pair", "write \\[ … \\], or $…$."),
        written=r"\\\[(?:(?!\\\])[^\n]){1,300}?\\\)",
        quoted=r"\[ … \)",
        rule="formula-left-over",
    ),
    Syntax(
        r"\n%%[ \t]*$",
        _always("it begins or ends no comment here", _COMMENT),
    ),
    Syntax(
        r"\n\(@[\w-]{0,40}\)[ \t]+\S[^\n]{0,200}",
        _always("examples are not numbered through an article", "write a numbered list: 1. …"),
    ),
    Syntax(
        r"\{(?:::|:/)(?:comment|options|nomarkdown)\b[^{}\n]{0,200}\}|\{:/\}",
        _always("it is no instruction here", "delete it; for a comment, write <!-- … -->."),
    ),
    Syntax(
        r"\{(?<!\{\{)(?:props|frontMatter|frontmatter|siteConfig|metadata)(?:\.\w{1,40}){1,6}\}",
        _always("articles have no components", "write what it stands for; a value of a figure is {eval}`…`."),
    ),
    Syntax(
        r"\n<<<[ \t]*\S[^\n]{0,200}$",
        _always("no file is put in its place", "write the code itself between lines of ```."),
    ),
    Syntax(r"\$\$(?:[^\n]{0,300}\$\$)?", _dollars, quoted="$$", rule="formula-left-over"),
    Syntax(r":(?<![A-Za-z0-9_:]:)([a-z][a-z:]{1,20}):$", _role),
    Syntax(
        r"\n\.\. [\w-]{1,30}::[^\n]{0,200}",
        _always("it is no directive here", "write ```{figure}, :::{note} or Markdown instead."),
    ),
    Syntax(
        r"\n\*\[[^\]\n]{1,60}\]:[^\n]{0,200}",
        _always(
            "abbreviations are not expanded", 'write <abbr title="in full">short</abbr> where you use one.'
        ),
    ),
)
"""All kinds: what Obsidian, MyST, Jekyll, Hugo, Quarto, MkDocs and others have, and diglot does not."""
