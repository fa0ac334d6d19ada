"""Hostile Markdown: small generators, grouped by syntax, each with a size.

To add a case, add a line: a name, its size in the long profile, and a function of the size that makes the
text.
"""

from collections.abc import Callable, Mapping

Make = Callable[[int], str]
Cases = Mapping[str, tuple[int, Make]]
"""By name: the full size, and the function that makes a text of a given size."""

_ZH = "带宽是每秒四点八太字节，分块越大复用越多；但寄存器也越紧张。"
_EN = "The larger the tile, the more is reused; registers get tighter, though. "
MEGABYTES = 2_000_000


def filled(piece: str, characters: int) -> str:
    """Repeat a piece up to a number of characters."""
    return (piece * (characters // len(piece) + 1))[:characters]


def _rising(piece: str, n: int, between: str = " ") -> str:
    """Runs of one, two, three and more pieces, `n` pieces in all."""
    runs, length = [], 1
    while n > 0:
        runs.append(piece * length)
        n -= length
        length += 1
    return between.join(runs)


def _nested(piece: str, n: int, indent: str = "  ") -> str:
    return "".join(f"{indent * depth}{piece}\n" for depth in range(n))


def _alphabet(i: int) -> str:
    return "abcdefghijklmnopqrstuvwxyz"[i % 26]


QUOTES: Cases = {
    "one line of marks": (10_000, lambda n: ">" * n),
    "one line of marks with spaces": (10_000, lambda n: "> " * n),
    "marks and a word": (10_000, lambda n: "> " * n + "a"),
    "a mark more on each line": (600, lambda n: "".join("> " * i + "a\n" for i in range(n))),
    "a mark less on each line": (600, lambda n: "".join("> " * i + "a\n" for i in range(n, 0, -1))),
    "deep lines, many": (2_000, lambda n: (">" * 50 + " a\n") * n),
    "deep lines, each a block": (1_000, lambda n: (">" * 50 + " a\n\n") * n),
    "lazy lines": (20_000, lambda n: "> a\n" + "a\n" * n),
    "lazy lines behind deep marks": (5_000, lambda n: ">" * 15 + " a\n" + "a\n" * n),
    "each line its own": (10_000, lambda n: "> a\n\n" * n),
    "one of many lines": (20_000, lambda n: "> a b c\n" * n),
    "one of empty lines": (20_000, lambda n: ">\n" * n),
    "with a list in each": (5_000, lambda n: "> - a\n>   > b\n" * n),
    "with fences": (5_000, lambda n: "> ```\n" * n),
    "with a fence that is cut": (5_000, lambda n: "> ```\na\n" * n),
    "wide marks": (10_000, lambda n: "＞ 中\n" * n),
}

LISTS: Cases = {
    "bullets in bullets": (1_000, lambda n: _nested("- a", n)),
    "bullets in bullets, on one line": (10_000, lambda n: "- " * n + "a"),
    "numbers in numbers, on one line": (10_000, lambda n: "1. " * n + "a"),
    "numbers in numbers": (600, lambda n: _nested("1. a", n, "   ")),
    "mixed, one in the other": (
        600,
        lambda n: "".join("  " * i + ("- ", "* ", "+ ")[i % 3] + "a\n" for i in range(n)),
    ),
    "with tabs": (600, lambda n: _nested("- a", n, "\t")),
    "with tabs and spaces": (600, lambda n: _nested("- a", n, " \t")),
    "items": (20_000, lambda n: "- a\n" * n),
    "items with empty lines": (20_000, lambda n: "- a\n\n" * n),
    "empty items": (20_000, lambda n: "-\n" * n),
    "numbered items": (20_000, lambda n: "".join(f"{i}. a\n" for i in range(n))),
    "numbers of many digits": (10_000, lambda n: "".join(f"{i:09}. a\n" for i in range(n))),
    "numbers of too many digits": (1_000, lambda n: f"{'1' * n}. a\n" * 50),
    "bullets that change": (10_000, lambda n: "- a\n* b\n+ c\n" * n),
    "brackets that change": (10_000, lambda n: "1. a\n1) b\n" * n),
    "an item of many paragraphs": (10_000, lambda n: "- a\n\n" + "  b\n\n" * n),
    "lazy lines": (20_000, lambda n: "- a\n" + "b\n" * n),
    "lazy lines behind deep items": (3_000, lambda n: "- " * 8 + "a\n" + "b\n" * n),
    "tasks": (20_000, lambda n: "- [ ] a\n- [x] b\n" * n),
    "tasks that are none": (20_000, lambda n: "- [ ]\n- [x\n- [y] a\n" * n),
    "tasks in tasks": (600, lambda n: _nested("- [ ] a", n)),
    "definitions": (10_000, lambda n: "term\n: what it is\n\n" * n),
    "definitions of one term": (10_000, lambda n: "term\n" + ": what it is\n" * n),
    "definitions in definitions": (3_000, lambda n: "a\n: " * n),
    "definitions, ever deeper": (
        300,
        lambda n: "".join("  " * i + "a\n" + "  " * i + ": b\n\n" for i in range(n)),
    ),
    "terms without definitions": (20_000, lambda n: "a\n\nb\n" * n),
    "lines of tildes": (20_000, lambda n: "a\n~ b\n" * n),
    "rules and bullets": (10_000, lambda n: "- a\n***\n" * n),
    "an item that goes far in": (
        3_000,
        lambda n: "".join("- a\n" + " " * (i % 40) + "b\n" for i in range(n)),
    ),
}

BRACKETS: Cases = {
    "open": (50_000, lambda n: "[" * n),
    "open with a letter": (20_000, lambda n: "[a" * n),
    "open and closed": (20_000, lambda n: "[" * n + "]" * n),
    "open, closed, addressed": (3_000, lambda n: "[" * n + "a" + "](b)" * n),
    "closed": (50_000, lambda n: "]" * n),
    "pictures, open": (50_000, lambda n: "![" * n),
    "pictures in pictures": (3_000, lambda n: "![" * n + "](b)" * n),
    "open links": (20_000, lambda n: "[a](" * n),
    "open links with brackets": (20_000, lambda n: "[a](<b" * n),
    "open titles": (20_000, lambda n: '[a](b "' * n),
    "open titles in brackets": (20_000, lambda n: "[a](b (" * n),
    "open pictures": (20_000, lambda n: "![a](" * n),
    "ends of links": (50_000, lambda n: "](" * n),
    "ends of links with addresses": (20_000, lambda n: "](b)" * n),
    "addresses in brackets": (20_000, lambda n: "[a](" + "(" * n + ")" * n + ")"),
    "addresses in open brackets": (20_000, lambda n: "[a](" + "(" * n),
    "links": (10_000, lambda n: "[a](b) " * n),
    "links with titles": (10_000, lambda n: '[a](b "c") ' * n),
    "links to as many places": (
        10_000,
        lambda n: "".join(f"[a](https://example.org/{i}) " for i in range(n)),
    ),
    "links without words": (10_000, lambda n: "[](b)" * n),
    "links across lines": (10_000, lambda n: "[a\n](b)\n" * n),
    "links of emphasis": (5_000, lambda n: "[**a**](b)*" * n),
    "pairs in pairs": (10_000, lambda n: "[[" * n + "]]" * n),
    "rows of pairs": (20_000, lambda n: "[[a]]" * n),
    "empty pairs": (30_000, lambda n: "[]" * n),
    "nested, each with an end": (2_000, lambda n: "[a " * n + "b](c) " * n),
    "spans": (10_000, lambda n: "[a]{.b}" * n),
    "spans in spans": (3_000, lambda n: "[" * n + "a" + "]{.b}" * n),
    "open spans": (20_000, lambda n: "[a]{" * n),
    "marks of notes, open": (20_000, lambda n: "[^" * n),
    "marks of notes in brackets": (5_000, lambda n: "[" * n + "[^1]" * n),
    "full-width links": (20_000, lambda n: "[a]（b）" * n),
    "full-width links, open": (20_000, lambda n: "[a]（" * n),
    "full-width pictures": (20_000, lambda n: "！[a](b)" * n),
    "code and brackets": (20_000, lambda n: "[`" * n),
    "tags and brackets": (20_000, lambda n: "[<a" * n),
    "an escaped one in each": (20_000, lambda n: r"[\]" * n),
    "a label of many characters": (500_000, lambda n: "[" + "a" * n + "][" + "b" * n + "]"),
}

REFERENCES: Cases = {
    "defined": (10_000, lambda n: "".join(f"[a{i}]: b{i}\n" for i in range(n))),
    "defined and used": (
        5_000,
        lambda n: "".join(f"[a{i}]: b{i}\n" for i in range(n)) + "\n" + "".join(f"[a{i}] " for i in range(n)),
    ),
    "one, used": (20_000, lambda n: "[a]: b\n\n" + "[a] " * n),
    "a long one, used": (10_000, lambda n: "[a]: " + "b" * n + "\n\n" + "[a] " * n),
    "a long title, used": (10_000, lambda n: "[a]: b '" + "c" * n + "'\n\n" + "[a] " * n),
    "undefined": (20_000, lambda n: "[a][b] " * n),
    "undefined, all different": (20_000, lambda n: "".join(f"[a][b{i}] " for i in range(n))),
    "undefined, collapsed": (20_000, lambda n: "[a][] " * n),
    "with titles": (10_000, lambda n: "".join(f"[a{i}]: b 'c'\n" for i in range(n))),
    "with open titles": (10_000, lambda n: "".join(f"[a{i}]: b 'c\n" for i in range(n))),
    "with open titles, apart": (5_000, lambda n: "".join(f"[a{i}]: b 'c\n\n" for i in range(n))),
    "cut behind the colon": (10_000, lambda n: "[a]:\n" * n),
    "cut in the label": (10_000, lambda n: "[a\n" * n),
    "labels without an end": (10_000, lambda n: "[a\\" * n + "\n"),
    "the same label": (10_000, lambda n: "[a]: b\n" * n),
    "labels of brackets": (10_000, lambda n: "[" * n + "]: a\n"),
    "in quotations": (5_000, lambda n: "".join(f"> [a{i}]: b\n" for i in range(n))),
    "labels in capitals": (
        5_000,
        lambda n: "".join(f"[ẞ{i}]: b\n" for i in range(n)) + "\n" + "".join(f"[SS{i}]" for i in range(n)),
    ),
}

EMPHASIS: Cases = {
    "stars": (50_000, lambda n: "*" * n),
    "stars and a letter": (50_000, lambda n: "*" * n + "a"),
    "stars around a letter": (20_000, lambda n: "*" * n + "a" + "*" * n),
    "underscores around a letter": (20_000, lambda n: "_" * n + "a" + "_" * n),
    "open": (20_000, lambda n: "*a " * n),
    "closed": (20_000, lambda n: "a* " * n),
    "open strong": (20_000, lambda n: "**a " * n),
    "closed strong": (20_000, lambda n: "a** " * n),
    "both marks in turns": (20_000, lambda n: "*_" * n),
    "both marks and a letter": (20_000, lambda n: "*a_ " * n),
    "both marks, crossed": (10_000, lambda n: "*a _b* c_ " * n),
    "open and closed in turns": (20_000, lambda n: "a**b" * n),
    "one and two": (20_000, lambda n: "*a **b " * n),
    "the rule of three": (10_000, lambda n: "a***b*c**" * n),
    "underscores in words": (50_000, lambda n: "a_" * n),
    "tildes": (50_000, lambda n: "~" * n),
    "tildes around a letter": (20_000, lambda n: "~" * n + "a" + "~" * n),
    "open tildes": (20_000, lambda n: "~~a " * n),
    "tildes and stars": (20_000, lambda n: "~~*a" * n),
    "all three": (10_000, lambda n: "*_~~a" * n + "~~_*" * n),
    "rising runs": (20_000, lambda n: _rising("*", n)),
    "rising runs of both": (20_000, lambda n: _rising("*_", n, " a ")),
    "many openers, one kind of end": (10_000, lambda n: "*a " * n + "b_ " * n),
    "many openers, both kinds of ends": (10_000, lambda n: "**a " * n + "b* " * n),
    "beside Chinese": (20_000, lambda n: "**中" * n),
    "beside full-width marks": (20_000, lambda n: "**。" * n),
    "in Chinese, closed": (10_000, lambda n: "中**文。**" * n),
    "with spaces, in Chinese": (10_000, lambda n: "中** 文 **。\n\n" * n),
    "nested": (5_000, lambda n: "*a **b " * n + "c** d* " * n),
    "in links": (5_000, lambda n: "*[a](b)" * n),
    "behind selectors": (20_000, lambda n: "“\ufe01**" * n),
}

CODE_SPANS: Cases = {
    "backticks": (50_000, lambda n: "`" * n),
    "rising runs": (100_000, lambda n: _rising("`", n)),
    "rising runs with letters": (100_000, lambda n: _rising("`", n, "a")),
    "falling runs": (100_000, lambda n: " ".join(reversed(_rising("`", n).split(" ")))),
    "one open, one double": (20_000, lambda n: "`a``" * n),
    "spans": (20_000, lambda n: "`a` " * n),
    "spans with attributes": (10_000, lambda n: "`a`{.b} " * n),
    "one of a megabyte": (1_000_000, lambda n: "`" + "a" * n + "`"),
    "one without an end": (1_000_000, lambda n: "`" + "a " * (n // 2)),
    "across lines": (20_000, lambda n: "`a\nb`\n" * n),
    "escaped": (20_000, lambda n: "\\`a`" * n),
}

CHARACTERS: Cases = {
    "backslashes": (100_000, lambda n: "\\" * n),
    "escapes": (50_000, lambda n: "\\*" * n),
    "escapes of what needs none": (50_000, lambda n: "\\a" * n),
    "hard breaks": (20_000, lambda n: "a\\\n" * n),
    "hard breaks by spaces": (20_000, lambda n: "a  \n" * n),
    "spaces before breaks": (2_000, lambda n: (" " * 500 + "\n" + "a") * n),
    "spaces at the end": (1_000_000, lambda n: "a" + " " * n + "b"),
    "spaces at the beginning": (1_000_000, lambda n: " " * n + "a"),
    "entities": (50_000, lambda n: "&amp;" * n),
    "entities without an end": (50_000, lambda n: "&amp" * n),
    "entities of numbers": (50_000, lambda n: "&#1234;" * n),
    "entities of huge numbers": (10_000, lambda n: "&#x" + "f" * n + ";" + "&#9999999;" * n),
    "ampersands": (100_000, lambda n: "&" * n),
    "ampersands and letters": (50_000, lambda n: "&abcdefgh" * n),
    "dollars of money": (20_000, lambda n: "$5 and " * n),
    "tabs": (500_000, lambda n: "\t" * n),
    "tabs before each word": (50_000, lambda n: "a\t" * n),
    "tabs before each line": (20_000, lambda n: "\ta\n" * n),
    "zeros": (200_000, lambda n: "\0" * n),
    "returns": (100_000, lambda n: "a\r" * n),
    "empty lines": (500_000, lambda n: "\n" * n),
    "empty lines and spaces": (100_000, lambda n: "   \n" * n),
    "one letter a line": (50_000, lambda n: "a\n" * n),
    "one character a line": (50_000, lambda n: "中\n" * n),
    "one letter a paragraph": (5_000, lambda n: "a\n\n" * n),
    "line separators": (50_000, lambda n: "a\u2028b\u2029" * n),
    "next lines, form feeds": (50_000, lambda n: "a\x85b\x0c\x0b" * n),
    "no-break spaces": (100_000, lambda n: "\u00a0" * n),
    "wide spaces": (100_000, lambda n: "\u3000" * n),
    "marks in Chinese": (100_000, lambda n: "，。！？" * n),
    "brackets in Chinese": (50_000, lambda n: "「『" * n),
    "quotes": (50_000, lambda n: "\"a' " * n),
    "curly quotes": (50_000, lambda n: "“‘”’" * n),
    "quotes with selectors": (50_000, lambda n: "“\ufe01”\ufe00" * n),
    "dashes and dots": (50_000, lambda n: "--- ... -- " * n),
    "accents on accents": (200_000, lambda n: "e" + "\u0301" * n),
    "joiners": (100_000, lambda n: "\u200d\u200c\u2060\ufeff" * n),
    "families": (20_000, lambda n: "👩‍👩‍👧‍👦" * n),
    "flags": (50_000, lambda n: "🇨🇳" * n),
    "skins": (50_000, lambda n: "👍🏽" * n),
    "right to left": (50_000, lambda n: "\u202e\u2066א" * n),
    "beyond the first plane": (100_000, lambda n: "𠀀𝔸" * n),
    "one of each character": (
        60_000,
        lambda n: "".join(map(chr, [*range(0x20, min(n, 0xD800)), *range(0xE000, n)])),
    ),
    "private characters": (100_000, lambda n: "\ue000\uf8ff" * n),
    "a paragraph in English": (MEGABYTES, lambda n: filled(_EN, n)),
    "a paragraph in Chinese": (MEGABYTES // 3, lambda n: filled(_ZH, n)),
    "a paragraph in English, in lines": (MEGABYTES, lambda n: filled(_EN + "\n", n)),
    "a paragraph in Chinese, in lines": (MEGABYTES // 3, lambda n: filled(_ZH + "\n", n)),
    "a word": (MEGABYTES, lambda n: "a" * n),
    "a word of dots": (MEGABYTES, lambda n: "a." * (n // 2)),
    "a number": (MEGABYTES, lambda n: "1" * n),
    "numbers": (MEGABYTES, lambda n: "1,000.5 " * (n // 8)),
    "a line of hyphens": (500_000, lambda n: "-" * n),
    "a line of hyphens and a letter": (500_000, lambda n: "-" * n + "a"),
    "a line of equal signs": (500_000, lambda n: "a\n" + "=" * n),
    "a line of number signs": (500_000, lambda n: "#" * n),
    "rules": (20_000, lambda n: "---\n\n" * n),
    "rules with spaces": (5_000, lambda n: "* * " * n + "\n"),
    "rules that end in a letter": (20_000, lambda n: "* " * n + "a"),
    "lines of signs": (20_000, lambda n: "a\n===\nb\n---\n" * n),
    "every mark there is": (5_000, lambda n: "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~" * n),
    "every mark there is, a line each": (
        3_000,
        lambda n: "\n".join("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~") * n,
    ),
    "every mark there is, a paragraph each": (
        100,
        lambda n: "\n\n".join("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~") * n,
    ),
}

HTML: Cases = {
    "angles": (100_000, lambda n: "<" * n),
    "angles and a letter": (50_000, lambda n: "<a" * n),
    "open tags": (50_000, lambda n: "<a " * n),
    "open tags in text": (50_000, lambda n: "b" + "<a " * n),
    "open attributes": (50_000, lambda n: "b <a b='" * n),
    "open attributes in two quotes": (30_000, lambda n: "b <a b='\"" * n),
    "attributes": (50_000, lambda n: "b <a" + " b=c" * n + ">"),
    "attributes without an end": (50_000, lambda n: "b <a" + " b=c" * n),
    "attributes in a block": (50_000, lambda n: "<div" + " b=c" * n + ">\n</div>"),
    "attributes in a block without an end": (50_000, lambda n: "<div" + " b='c'" * n),
    "addresses in a tag": (20_000, lambda n: "<div><a" + ' href="b"' * n + "></a></div>"),
    "spaces in a tag": (100_000, lambda n: "b <a" + " " * n),
    "spaces in a tag of an address": (20_000, lambda n: "<div><a" + " " * n + "></a></div>"),
    "spaces behind an equal sign": (20_000, lambda n: "<div><a href=" + " " * n + "></a></div>"),
    "comments": (20_000, lambda n: "b <!-- a --> " * n),
    "open comments": (50_000, lambda n: "<!--" * n),
    "open comments in text": (50_000, lambda n: "b <!--" * n),
    "hyphens in a comment": (200_000, lambda n: "b <!-- " + "-" * n),
    "open data": (50_000, lambda n: "b <![CDATA[" * n),
    "open data in a block": (50_000, lambda n: "<![CDATA[" * n),
    "ends of data": (50_000, lambda n: "b <![CDATA[" + "]]" * n),
    "open instructions": (50_000, lambda n: "b <?" * n),
    "open instructions in a block": (50_000, lambda n: "<?" * n),
    "open declarations": (50_000, lambda n: "b <!A " * n),
    "open declarations in a block": (50_000, lambda n: "<!A " * n),
    "elements in elements": (20_000, lambda n: "<div>" * n + "</div>" * n),
    "elements without an end": (20_000, lambda n: "<div>\n" * n),
    "ends without elements": (20_000, lambda n: "</div>\n" * n),
    "elements in text": (10_000, lambda n: "a <b>" * n + "</b>" * n),
    "elements in text without an end": (20_000, lambda n: "a <b>" * n),
    "ends in text": (20_000, lambda n: "a </b>" * n),
    "blocks": (10_000, lambda n: "<div>\n\na\n\n</div>\n\n" * n),
    "blocks without an end": (5_000, lambda n: "<div>\n\na\n\n" * n),
    "blocks in blocks": (3_000, lambda n: "<div>\n\n" * n + "</div>\n\n" * n),
    "scripts": (5_000, lambda n: "<script>\n</script>\n" * n),
    "scripts in a line": (20_000, lambda n: "<div><script></script>" * n),
    "scripts without an end": (5_000, lambda n: "<script>\n" * n),
    "scripts without an end in a line": (20_000, lambda n: "<div>" + "<script>" * n),
    "styles and titles": (5_000, lambda n: "<div><style></style><title></title></div>" * n),
    "capitals": (20_000, lambda n: "<DIV>" * n),
    "with Markdown": (3_000, lambda n: '<div markdown="1">\n' * n),
    "with Markdown, closed": (3_000, lambda n: '<div markdown="1">\n' * n + "</div>\n" * n),
    "with Markdown, each its own": (3_000, lambda n: '<div markdown="1">\n**a**\n</div>\n\n' * n),
    "with Markdown, in a line": (5_000, lambda n: '<div markdown="1">**a**</div>\n\n' * n),
    "with Markdown and spaces": (100_000, lambda n: "<div" + " " * n + 'markdown="1">\n</div>'),
    "Markdown without a sign": (20_000, lambda n: "<div markdown" + " markdown=" * n + ">"),
    "links in angles": (20_000, lambda n: "<https://example.org/a> " * n),
    "open links in angles": (20_000, lambda n: "<https://example.org/a" * n),
    "letters": (20_000, lambda n: "<a@example.org> " * n),
    "open letters": (50_000, lambda n: "<a@a." * n),
    "a letter with many dots": (100_000, lambda n: "<a@" + "a." * n + ">"),
    "a link of a megabyte": (1_000_000, lambda n: "<https://" + "a" * n + ">"),
    "a scheme without an end": (500_000, lambda n: "<" + "a" * n),
    "bare links": (20_000, lambda n: "https://example.org/a " * n),
    "a bare link of a megabyte": (1_000_000, lambda n: "https://" + "a/" * (n // 2)),
    "bare links without spaces": (50_000, lambda n: "https://" * n),
    "a name with hyphens": (200_000, lambda n: "<a" + "-" * n + ">"),
    "a block's name": (200_000, lambda n: "<div" * n + ">"),
    "pictures": (10_000, lambda n: '<img src="a.png">' * n),
    "a picture in data": (1_000_000, lambda n: '<img src="data:image/png;base64,' + "A" * n + '">'),
}

TABLES: Cases = {
    "columns": (5_000, lambda n: "|a" * n + "|\n" + "|-" * n + "|\n" + "|b" * n + "|\n"),
    "columns of links": (2_000, lambda n: "|[a](b)" * n + "|\n" + "|-" * n + "|\n"),
    "rows": (10_000, lambda n: "|a|b|\n|-|-|\n" + "|c|d|\n" * n),
    "rows of emphasis": (5_000, lambda n: "|a|b|\n|-|-|\n" + "|**c**|`d`|\n" * n),
    "rows too short": (20_000, lambda n: "|a|b|\n|-|-|\n" + "|c\n" * n),
    "many columns, rows too short": (2_000, lambda n: "|a" * n + "|\n" + "|-" * n + "|\n" + "|b|\n" * n),
    "rows too long": (1_000, lambda n: "|a|b|\n|-|-|\n" + ("|c" * n + "|\n") * 100),
    "pipes": (200_000, lambda n: "|" * n),
    "pipes behind a table": (20_000, lambda n: "|a|\n|-|\n" + "|" * n),
    "pipes and a rule": (100_000, lambda n: "|" * n + "\n" + "|-" * n),
    "rules": (100_000, lambda n: "a|b\n" + "-|" * n),
    "rules of colons": (100_000, lambda n: "a|b\n" + ":-:|" * n),
    "rules of hyphens and spaces": (100_000, lambda n: "a|b\n" + "- " * n),
    "rules, line by line": (20_000, lambda n: "|-|\n" * n),
    "heads, line by line": (20_000, lambda n: "a|b\n" * n),
    "heads and rules": (5_000, lambda n: "a|b\n-|-\n\n" * n),
    "heads and rules without a gap": (10_000, lambda n: "a|b\n-|-\n" * n),
    "a rule that does not fit": (5_000, lambda n: "a|b|c\n-|-\n" * n),
    "backslashes": (50_000, lambda n: "|a|\n|-|\n|" + "\\|" * n + "|\n"),
    "code": (20_000, lambda n: "|a|\n|-|\n|`" * n),
    "dollars": (10_000, lambda n: "|a|\n|-|\n" + "|$a|\n" * n),
    "a cell of a megabyte": (1_000_000, lambda n: "|a|\n|-|\n|" + "b " * (n // 2) + "|\n"),
    "in quotations": (5_000, lambda n: "> |a|\n> |-|\n" + "> |b|\n" * n),
    "in lists": (2_000, lambda n: "- |a|\n  |-|\n  |b|\n" * n),
    "in deep lists": (300, lambda n: "- " * 8 + "|a|\n" + " " * 16 + "|-|\n" + (" " * 16 + "|b|\n") * n),
}

FENCES: Cases = {
    "open": (20_000, lambda n: "```\n" * n),
    "open, of two kinds": (20_000, lambda n: "```\n~~~\n" * n),
    "rising": (300, lambda n: "".join("`" * (i + 3) + "\n" for i in range(n))),
    "in fences": (
        300,
        lambda n: (
            "".join("`" * (i + 3) + "\n" for i in range(n, 0, -1))
            + "".join("`" * (i + 3) + "\n" for i in range(n))
        ),
    ),
    "each its own": (5_000, lambda n: "```\na\n```\n\n" * n),
    "of backticks": (100_000, lambda n: "`" * n + "\na"),
    "of unknown languages": (3_000, lambda n: "".join(f"```l{i}\na\n```\n\n" for i in range(n))),
    "of a language of a megabyte": (1_000_000, lambda n: "```" + "a" * n + "\nb\n```\n"),
    "of known languages": (3_000, lambda n: "```python\na = 1\n```\n\n" * n),
    "of as many codes": (2_000, lambda n: "".join(f"```python\na = {i}\n```\n\n" for i in range(n))),
    "a megabyte of Python": (1_000_000, lambda n: "```python\n" + filled("a = b + 1  # c\n", n) + "\n```\n"),
    "a megabyte of a line": (1_000_000, lambda n: "```python\n" + "a " * (n // 2) + "\n```\n"),
    "a megabyte of text": (1_000_000, lambda n: "```\n" + filled("a b c\n", n) + "\n```\n"),
    "with attributes": (3_000, lambda n: "{#a .b}\n```\na\n```\n\n" * n),
    "in quotations": (5_000, lambda n: "> ```\n> a\n" * n),
    "in lists": (3_000, lambda n: "- ```\n  a\n  ```\n" * n),
    "in a deep list": (3_000, lambda n: "- " * 8 + "```\n" + (" " * 16 + "a\n") * n),
    "indented": (50_000, lambda n: "    a\n" * n),
    "indented, with gaps": (50_000, lambda n: "    a\n\n" * n),
    "figures": (3_000, lambda n: "```{figure} a\n```\n\n" * n),
    "figures, all different": (1_000, lambda n: "".join(f"```{{figure}} a{i}\n```\n\n" for i in range(n))),
    "figures without an end": (5_000, lambda n: "```{figure} a\n" * n),
    "tables": (1_000, lambda n: "".join(f"```{{table}} a{i}\n```\n\n" for i in range(n))),
    "options": (20_000, lambda n: "```{figure} a\n" + ":a: b\n" * n + "```\n"),
    "options, all different": (
        5_000,
        lambda n: "```{figure} a\n" + "".join(f":a{i}: b\n" for i in range(n)) + "```\n",
    ),
    "spaces in an option": (
        50_000,
        lambda n: "```{figure} a\n:a:" + " " * n + "b" + " " * n + "\tc" + "\n```\n",
    ),
    "spaces behind a directive": (50_000, lambda n: "```{figure}" + " " * n + "a" + " " * n + "b\n```\n"),
    "captions": (1_000_000, lambda n: "```{figure} a\n" + filled("b c ", n) + "\n```\n"),
    "captions of empty lines": (50_000, lambda n: "```{figure} a\n\nb" + "\n \t" * n + "\n```\n"),
    "scripts": (1_000, lambda n: "".join(f"```{{figure-script}} a{i}\nTITLE = 1\n```\n\n" for i in range(n))),
    "scripts of one name": (3_000, lambda n: "```{figure-script} a\n```\n\n" * n),
    "directives that are none": (3_000, lambda n: "```{figur} a\n```\n\n" * n),
    "names that are none": (100_000, lambda n: "```{figure} " + "A-" * n + "\n```\n"),
}

CONTAINERS: Cases = {
    "open": (5_000, lambda n: ":::{note}\n" * n),
    "open and closed": (3_000, lambda n: ":::{note}\na\n:::\n\n" * n),
    "closed": (10_000, lambda n: ":::\n" * n),
    "in each other": (
        300,
        lambda n: (
            "".join(":" * (n - i + 3) + "{note}\n" for i in range(n))
            + "".join(":" * (i + 4) + "\n" for i in range(n))
        ),
    ),
    "in each other, as many colons": (3_000, lambda n: ":::{note}\n" * n + ":::\n" * n),
    "in each other, fewer outside": (300, lambda n: "".join(":" * (i + 3) + "{note}\n" for i in range(n))),
    "colons": (200_000, lambda n: ":" * n),
    "colons and a name": (100_000, lambda n: ":" * n + "{note}\n"),
    "spaces behind the name": (50_000, lambda n: ":::{note}" + " " * n + "a" + " " * n + "b\n:::\n"),
    "unknown": (3_000, lambda n: ":::{nota}\n:::\n\n" * n),
    "titles": (3_000, lambda n: ":::{note} **a** [b](c)\n:::\n\n" * n),
    "a title of a megabyte": (1_000_000, lambda n: ":::{note} " + filled("a b ", n) + "\n:::\n"),
    "in lists": (2_000, lambda n: "- :::{note}\n  a\n  :::\n" * n),
    "in quotations": (2_000, lambda n: "> :::{note}\n> a\n> :::\n\n" * n),
    "in quotations, open": (3_000, lambda n: "> :::{note}\n" * n),
    "with fences": (3_000, lambda n: ":::{note}\n```\n:::\n" * n),
    "full-width": (20_000, lambda n: "：：：{note}\n\n" * n),
}

NOTES: Cases = {
    "marks": (20_000, lambda n: "a[^1] " * n + "\n\n[^1]: b\n"),
    "as many": (
        5_000,
        lambda n: "".join(f"a[^{i}] " for i in range(n)) + "\n\n" + "".join(f"[^{i}]: b\n" for i in range(n)),
    ),
    "as many, in paragraphs": (2_000, lambda n: "".join(f"a[^{i}]\n\n[^{i}]: b\n\n" for i in range(n))),
    "unknown": (3_000, lambda n: "".join(f"a[^{i}] " for i in range(n))),
    "unknown, among many": (
        1_000,
        lambda n: (
            "".join(f"a[^x{i}] " for i in range(n)) + "\n\n" + "".join(f"[^{i}]: b\n" for i in range(n))
        ),
    ),
    "unused": (5_000, lambda n: "".join(f"[^{i}]: b\n" for i in range(n))),
    "of one name": (5_000, lambda n: "[^1]: b\n" * n),
    "in themselves": (2_000, lambda n: "a[^1]\n\n[^1]: b[^1] " + "c[^1] " * n),
    "in each other": (
        5_000,
        lambda n: "a[^0]\n\n" + "".join(f"[^{i}]: b[^{i + 1}]\n" for i in range(n)) + f"[^{n}]: c\n",
    ),
    "in a ring": (3_000, lambda n: "a[^0]\n\n" + "".join(f"[^{i}]: b[^{(i + 1) % n}]\n" for i in range(n))),
    "defined in each other": (2_000, lambda n: "[^1]: " * n + "a"),
    "defined, ever deeper": (
        100,
        lambda n: "".join("    " * i + f"[^{i}]: a\n\n" for i in range(n)) + "[^0]",
    ),
    "with blocks": (
        2_000,
        lambda n: (
            "".join(f"a[^{i}] " for i in range(n))
            + "\n\n"
            + "".join(f"[^{i}]: b\n\n    - c\n\n" for i in range(n))
        ),
    ),
    "a note of a megabyte": (1_000_000, lambda n: "a[^1]\n\n[^1]: " + filled("b c ", n)),
    "labels of a megabyte": (1_000_000, lambda n: "a[^" + "1" * n + "]\n\n[^" + "1" * n + "]: b\n"),
    "full-width colons": (3_000, lambda n: "[^1]：b\n\n" * n),
}

HEADINGS: Cases = {
    "of one name": (5_000, lambda n: "## a\n\n" * n),
    "of no letter": (5_000, lambda n: "## 甲\n\n" * n),
    "of one name, with paragraphs": (3_000, lambda n: "## a\n\nb\n\n" * n),
    "of names that look counted": (3_000, lambda n: "".join(f"## a\n\n## a {i}\n\n" for i in range(2, n))),
    "empty": (10_000, lambda n: "##\n\n" * n),
    "of level 1": (5_000, lambda n: "# a\n\n" * n),
    "skipping": (5_000, lambda n: "## a\n\n###### b\n\n" * n),
    "of one id": (5_000, lambda n: "## a {#b}\n\n" * n),
    "of as many ids": (5_000, lambda n: "".join(f"## a {{#b{i}}}\n\n" for i in range(n))),
    "ids that look counted": (
        3_000,
        lambda n: "## a {#top-1}\n\n" + "".join(f"b\n\n{{#top-{i}}}\nc\n\n" for i in range(2, n)),
    ),
    "of a megabyte": (1_000_000, lambda n: "## " + filled("a b ", n)),
    "with number signs at the end": (200_000, lambda n: "## a " + "#" * n + " b"),
    "with spaces at the end": (200_000, lambda n: "## a" + " " * n + "#" + " " * n + "b"),
    "with open braces": (50_000, lambda n: "## a " + "{" * n),
    "with braces without an end": (20_000, lambda n: "## a " + "{.b " * n + "}"),
    "with spaces before braces": (20_000, lambda n: "## a" + " " * n + "b}"),
    "underlined": (5_000, lambda n: "a\n---\n\n" * n),
    "underlined, of many lines": (20_000, lambda n: "a\n" * n + "---\n"),
    "referred to": (
        2_000,
        lambda n: (
            "".join(f"## a {{#b{i}}}\n\n" for i in range(n)) + "".join(f"{{ref}}`b{i}` " for i in range(n))
        ),
    ),
    "referred to in vain": (
        300,
        lambda n: (
            "".join(f"## a {{#b{i}}}\n\n" for i in range(n)) + "".join(f"{{ref}}`c{i}` " for i in range(n))
        ),
    ),
    "one linked from everywhere": (5_000, lambda n: "## a {#b}\n\n" + "[c](#b) " * n),
    "linked to in vain": (1_000, lambda n: "".join(f"[c](#b{i}) " for i in range(n))),
}

ATTRIBUTES: Cases = {
    "open": (50_000, lambda n: "{" * n),
    "pairs": (50_000, lambda n: "{}" * n),
    "classes": (50_000, lambda n: "`a`{" + ".b " * n + "}"),
    "classes without an end": (50_000, lambda n: "`a`{" + ".b " * n),
    "values": (50_000, lambda n: "`a`{" + "b=c " * n + "}"),
    "as many values": (20_000, lambda n: "`a`{" + "".join(f"b{i}=c " for i in range(n)) + "}"),
    "open values": (20_000, lambda n: '`a`{b="' * n),
    "open values in two quotes": (20_000, lambda n: "`a`{b='\"" * n),
    "spaces": (100_000, lambda n: "`a`{" + " " * n + "}"),
    "lines": (10_000, lambda n: "{.a}\n" * n),
    "lines and a block": (10_000, lambda n: "{.a}\n" * n + "b"),
    "lines of many classes": (500, lambda n: ("{" + ".a " * 100 + "}\n") * n + "b"),
    "one after the other": (20_000, lambda n: "`a`" + "{.b}" * n),
    "on a link": (10_000, lambda n: "[a](b)" + "{.c}" * n),
    "on links of many words": (3_000, lambda n: "[" + "*a* " * n + "](b)" + "{.c}" * n),
    "a name of a megabyte": (1_000_000, lambda n: "`a`{#" + "b" * n + "}"),
    "colons": (100_000, lambda n: "`a`{" + ":" * n + "}"),
    "lines of one id": (5_000, lambda n: "{#a}\nb\n\n" * n),
}

ROLES: Cases = {
    "values that are not there": (1_000, lambda n: "{eval}`a.b` " * n),
    "values of as many figures": (1_000, lambda n: "".join(f"{{eval}}`a{i}.b` " for i in range(n))),
    "open": (20_000, lambda n: "{eval}`" * n),
    "open, rising": (20_000, lambda n: "".join("{eval}" + "`" * (i % 300 + 1) for i in range(n // 100))),
    "names": (50_000, lambda n: "{a}" * n),
    "a name of a megabyte": (1_000_000, lambda n: "{" + "a" * n + "}`b`"),
    "unknown": (2_000, lambda n: "{evil}`a` " * n),
    "broken by a space": (5_000, lambda n: "{eval} `a`\n\n" * n),
    "with wide braces": (5_000, lambda n: "｛eval｝`a`\n\n" * n),
    "brackets": (5_000, lambda n: "{eval}`" + "(" * n + "a" + ")" * n + "`"),
    "indices": (5_000, lambda n: "{eval}`a" + "[0]" * n + "`"),
    "dots": (5_000, lambda n: "{eval}`a" + ".b" * n + "`"),
    "sums": (5_000, lambda n: "{eval}`a" + "+a" * n + "`"),
    "signs": (5_000, lambda n: "{eval}`" + "-" * n + "a`"),
    "powers": (2_000, lambda n: "{eval}`a" + "**2" * n + "`"),
    "filters": (5_000, lambda n: "{eval}`a" + "|round" * n + "`"),
    "nots": (2_000, lambda n: "{eval}`" + "not " * n + "a`"),
    "conditions": (2_000, lambda n: "{eval}`" + "a if b else " * n + "a`"),
    "comparisons": (5_000, lambda n: "{eval}`a" + "<a" * n + "`"),
    "joined": (5_000, lambda n: "{eval}`a" + "~a" * n + "`"),
    "lists": (2_000, lambda n: "{eval}`" + "[" * n + "a" + "]" * n + "`"),
    "open brackets": (5_000, lambda n: "{eval}`" + "(" * n + "`"),
    "a text of a megabyte": (1_000_000, lambda n: '{eval}`"' + "a" * n + '"`'),
    "a number of many digits": (100_000, lambda n: "{eval}`" + "9" * n + "`"),
    "references that lead nowhere": (1_000, lambda n: "".join(f"{{ref}}`a{i}` " for i in range(n))),
    "one reference that leads nowhere": (2_000, lambda n: "{ref}`a` " * n),
    "a reference of a megabyte": (500_000, lambda n: "{ref}`" + "a" * n + "`"),
    "across lines": (5_000, lambda n: "{ref}`a" + "\n" * 1 + "b` " * n),
}

FORMULAS: Cases = {
    "parentheses": (2_000, lambda n: "$" + "(" * n + "$"),
    "parentheses, closed": (2_000, lambda n: "$" + "(" * n + ")" * n + "$"),
    "escaped braces": (2_000, lambda n: "$" + r"\{" * n + "$"),
    "angles": (600, lambda n: "$" + r"\langle " * n + "$"),
    "parentheses in braces": (1_000, lambda n: "$" + "{(}" * n + "$"),
    "ends of parentheses": (4_000, lambda n: "$" + ")" * n + "$"),
    "dollars": (50_000, lambda n: "$" * n),
    "dollars and letters": (50_000, lambda n: "$a" * n),
    "open": (20_000, lambda n: "$a " * n),
    "open and escaped": (20_000, lambda n: "$a\\" * n),
    "backslashes": (50_000, lambda n: "$" + "\\" * n + "$"),
    "backslashes before each dollar": (2_000, lambda n: "$a" + ("\\" * 99 + "$") * n),
    "as many": (1_000, lambda n: "".join(f"$a_{{{i}}}$ " for i in range(n))),
    "displays": (1_000, lambda n: "".join(f"$$ a_{{{i}}} $$\n\n" for i in range(n))),
    "open displays": (20_000, lambda n: "$$\n" * n),
    "open displays, apart": (10_000, lambda n: "$$ a\n\n" * n),
    "open displays of many lines": (300, lambda n: ("$$ a\n" + "b\n" * n + "\n") * 30),
    "numbered": (1_000, lambda n: "".join(f"$$ a $$ (eq:a{i})\n\n" for i in range(n))),
    "numbered alike": (1_000, lambda n: "$$ a $$ (eq:a)\n\n" * n),
    "labels without an end": (20_000, lambda n: "$$ a $$ (" + "b" * n + "\n"),
    "ends": (50_000, lambda n: "$$ a" + " $$" * n + " b\n"),
    "spaces before the end": (50_000, lambda n: "$$ a" + " " * n + "b\n$$\n"),
    "braces": (4_900, lambda n: "$" + "{" * n + "$"),
    "braces, closed": (2_400, lambda n: "$" + "{" * n + "}" * n + "$"),
    "fractions": (600, lambda n: "$" + r"\frac{1}{" * n + "a" + "}" * n + "$"),
    "fractions without braces": (900, lambda n: "$" + r"\frac1" * n + "a$"),
    "roots": (700, lambda n: "$" + r"\sqrt{" * n + "a" + "}" * n + "$"),
    "roots without braces": (900, lambda n: "$" + r"\sqrt" * n + " a$"),
    "powers": (1_600, lambda n: "$" + "a^{" * n + "a" + "}" * n + "$"),
    "powers without braces": (2_400, lambda n: "$a" + "^a" * n + "$"),
    "brackets of any height": (300, lambda n: "$" + r"\left(" * n + "a" + r"\right)" * n + "$"),
    "open brackets of any height": (800, lambda n: "$" + r"\left(" * n + "$"),
    "ends of brackets": (600, lambda n: "$" + r"\right)" * n + "$"),
    "accents": (900, lambda n: "$" + r"\hat{" * n + "a" + "}" * n + "$"),
    "words": (800, lambda n: "$" + r"\text{a}" * n + "$"),
    "words in words": (800, lambda n: "$" + r"\text{" * n + "}" * n + "$"),
    "styles": (500, lambda n: "$" + r"\mathbf{" * n + "a" + "}" * n + "$"),
    "environments": (200, lambda n: "$$" + r"\begin{matrix}" * n + "a" + r"\end{matrix}" * n + "$$"),
    "open environments": (300, lambda n: "$$" + r"\begin{cases}" * n + "$$"),
    "ends of environments": (300, lambda n: "$$" + r"\end{cases}" * n + "$$"),
    "a matrix": (2_000, lambda n: "$$\\begin{matrix}" + "a&" * n + "\\end{matrix}$$"),
    "a matrix of rows": (1_500, lambda n: "$$\\begin{matrix}" + r"a\\" * n + "\\end{matrix}$$"),
    "macros": (300, lambda n: "$" + r"\def\a{\a}\newcommand{\b}{\b\b}\a\b" * (n // 30) + "$"),
    "macros that grow": (
        26,
        lambda n: (
            "$"
            + "".join(
                rf"\newcommand{{\{_alphabet(i)}}}{{\{_alphabet(i + 1)}\{_alphabet(i + 1)}}}" for i in range(n)
            )
            + r"\a$"
        ),
    ),
    "commands that are none": (1_000, lambda n: "".join(f"$\\a{_alphabet(i)}$ " for i in range(n))),
    "a number": (4_900, lambda n: "$" + "1" * n + "$"),
    "primes": (4_900, lambda n: "$a" + "'" * n + "$"),
    "substacks": (400, lambda n: "$" + r"\substack{" * n + "a" + "}" * n + "$"),
    "colours": (300, lambda n: "$" + r"\color{red}{" * n + "a" + "}" * n + "$"),
    "rows of letters": (4_900, lambda n: "$" + "a" * n + "$"),
    "a formula of a megabyte": (1_000_000, lambda n: "$" + "a" * n + "$"),
    "a display of a megabyte": (1_000_000, lambda n: "$$\n" + "a+" * (n // 2) + "\n$$"),
    "a display of many lines": (50_000, lambda n: "$$\n" + "a +\n" * n + "$$"),
    "text without an end": (
        1_500,
        lambda n: "$$" + r"\text " * (n // 2) + r"\operatorname{" * (n // 20) + "$$",
    ),
    "spaces in text": (4_000, lambda n: "$" + r"\text" + " " * n + "a$"),
    "Chinese": (3_000, lambda n: "$" + "中" * n + "$"),
    "per cent": (3_000, lambda n: "$" + "\\" * n + "%$"),
    "not": (1_500, lambda n: "$" + r"\not" * n + "=$"),
    "limits": (600, lambda n: "$" + r"\sum_{" * n + "a" + "}" * n + "$"),
    "binomials": (600, lambda n: "$" + r"\binom{1}{" * (n // 2) + "a" + "}" * (n // 2) + "$"),
    "braces over": (400, lambda n: "$" + r"\overbrace{" * n + "a" + "}" * n + "^b" * n + "$"),
    "as many deep ones": (
        100,
        lambda n: "".join("$" + "{" * 80 + f"a_{{{i}}}" + "}" * 80 + "$ " for i in range(n)),
    ),
}

_PART = """\
## Part {i}

A[^{i}] **b** `c` [d](https://example.org/) $f_{{{i}}}$

- g

```python
h = {i}
```

|i|j|
|-|-|
|k|l|

[^{i}]: m

"""

MIXED: Cases = {
    "quotation, item, quotation": (5_000, lambda n: "> - " * n + "a"),
    "quotation, number, item": (5_000, lambda n: "> 1. - " * n + "a"),
    "quotation and fence": (2_000, lambda n: "> - ```\n" * n),
    "containers and items": (
        300,
        lambda n: "".join("  " * i + f"- {':' * (n + 3 - i)}{{note}}\n" for i in range(n)),
    ),
    "items and Markdown in HTML": (
        300,
        lambda n: "".join("  " * i + '- <div markdown="1">\n' for i in range(n)),
    ),
    "notes and items": (300, lambda n: "[^1]: - " * n + "a[^1]"),
    "table, item, quotation": (300, lambda n: "- > |a|\n  > |-|\n" * n),
    "deep, then flat": (500, lambda n: ("> - " * 9 + "a\n\nb\n\n") * n),
    "link in picture in link": (1_000, lambda n: "[![" * n + "](a)](b)" * n),
    "emphasis in link in emphasis": (1_000, lambda n: "*[" * n + "](a)*" * n),
    "span in link in span": (1_000, lambda n: "[[" * n + "](a)]{.b}" * n),
    "code in emphasis in tag": (3_000, lambda n: "**`<b>" * n),
    "role in link in role": (2_000, lambda n: "{ref}`[" * n + "](a)`" * n),
    "formula in emphasis": (3_000, lambda n: "**$a" * n + "$**" * n),
    "an article": (300, lambda n: "".join(_PART.format(i=i) for i in range(n))),
}

GROUPS: Mapping[str, Cases] = {
    "quotations": QUOTES,
    "lists": LISTS,
    "brackets": BRACKETS,
    "references": REFERENCES,
    "emphasis": EMPHASIS,
    "code spans": CODE_SPANS,
    "characters": CHARACTERS,
    "HTML": HTML,
    "tables": TABLES,
    "fences": FENCES,
    "containers": CONTAINERS,
    "notes": NOTES,
    "headings": HEADINGS,
    "attributes": ATTRIBUTES,
    "roles": ROLES,
    "formulas": FORMULAS,
    "mixed": MIXED,
}
