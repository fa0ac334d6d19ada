# ruff: noqa: E501  (prose is not wrapped)
"""A hand-made article with every element that a page can have, and a site around it."""

import datetime
import json
from functools import cache
from pathlib import Path

from diglot.content.records import (
    Alignment,
    Block,
    Document,
    FigureEmbed,
    FrontMatter,
    Note,
    Placeholder,
    Row,
    TableEmbed,
)
from diglot.digests import digest_of
from diglot.figures.chips import chip
from diglot.figures.records import ComputedFigure, DrawnFigure, Table
from diglot.languages import LANGUAGES, Bilingual, Language
from diglot.listings import Listing, ListTopic, listing_of
from diglot.project import NavigationEntry, Person, Project, Term
from diglot.render.article import article_page
from diglot.render.assets import FOLDER, hashed_name, rewrite_css
from diglot.render.feeds import FeedEntry, articles_of_feed, atom_feed, json_feed
from diglot.render.lists import archive_page, landing_page, list_page, terms_page
from diglot.render.materials import Article, FigureMaterial, Half, ImageFile
from diglot.render.sitemaps import robots_txt, sitemap_xml
from diglot.render.small_files import web_manifest
from diglot.render.small_pages import not_found_page, redirect_page
from diglot.render.strings import parse_strings
from diglot.render.templates import Templates, TemplateSource
from diglot.render.theme import Theme, built_in_theme
from diglot.site_map import (
    MANIFEST_PATH,
    FeedTopic,
    HalfSummary,
    Neighbours,
    SiteMap,
    Summary,
    archive_path,
    article_path,
    both_path,
    feed_path,
    map_site,
    output_path,
    terms_path,
)

PROJECT = Project(
    title=Bilingual("脊点两侧", "Both sides of the ridge"),
    description=Bilingual(
        "用可复算的图表谈矩阵单元。", "Matrix units, with figures that can be computed again."
    ),
    base_url="https://example.org/blog/",
    authors=(Person(id="lin", name=Bilingual("林", "Lin"), url="https://example.org/lin"),),
    tags=(
        Term(id="roofline", label=Bilingual("屋顶线", "Roofline")),
        Term(id="tpu", label=Bilingual("TPU", "TPU")),
    ),
    navigation=(
        NavigationEntry(label=Bilingual("文章", "Articles"), path="/"),
        NavigationEntry(label=Bilingual("标签", "Tags"), path="/tags/"),
    ),
    licence=Bilingual("文字 CC BY 4.0，图表可自由取用", "Text CC BY 4.0, figures free to reuse"),
)

DATA = {
    "h200": {"ridge": 206.04, "peak": 989e12, "name": "H200"},
    "v6e": {"ridge": 559.8, "peak": 918e12, "share": 0.966},
    "batches": [1, 2, 4],
}


@cache
def built_in() -> tuple[Theme, dict[str, bytes]]:
    """The built-in theme, and its static files by published path."""
    folder = built_in_theme()
    sources = {
        path.name: TemplateSource(path=f"templates/{path.name}", text=path.read_text())
        for path in folder.glob("*.html")
    }
    static = folder / "static"
    files = {
        path.relative_to(static).as_posix(): path.read_bytes()
        for path in sorted(static.rglob("*"))
        if path.is_file()
    }
    assets, contents = publish_assets(files)
    strings = {
        one: parse_strings((folder / f"strings/{one}.yaml").read_text(), f"templates/strings/{one}.yaml", one)
        for one in LANGUAGES
    }
    return Theme(templates=Templates(sources), strings=strings, assets=assets), contents


def publish_assets(files: dict[str, bytes]) -> tuple[dict[str, str], dict[str, bytes]]:
    """Static files with hashed names: from name to path from the site's root, and from path to content."""
    names = {name: hashed_name(name, digest_of(content)) for name, content in files.items()}
    contents = dict(files)
    for name, content in files.items():
        if name.endswith(".css"):
            contents[name] = rewrite_css(content.decode(), name, names.__getitem__).encode()
            names[name] = hashed_name(name, digest_of(contents[name]))
    paths = {name: f"{FOLDER}/{published}" for name, published in names.items()}
    return paths, {paths[name]: content for name, content in contents.items()}


def svg(size: str, language: Language, name: str = "roofline") -> str:
    """A drawing in place of a figure's: axes, two roofs, direct labels; that of the roofline has many words."""
    width = {"narrow": 350, "column": 680, "wide": 1000}[size]
    height = 300
    quantity = {"zh": "算术强度，", "en": "Arithmetic intensity, "}[language] if name == "roofline" else ""
    right = width - 90
    kernels = (
        {
            "zh": ("加法", "归一化", "激活", "求和", "解码", "注意力", "路由", "预填充", "训练"),
            "en": ("add", "norm", "gelu", "sum", "decode", "attention", "routing", "prefill", "training"),
        }[language]
        if name == "roofline"
        else ()
    )
    labels = "".join(f'<text x="{30 * n}" y="20">{label}</text>' for n, label in enumerate(kernels))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'id="{name}-{size}-{language}" style="font:13px var(--fig-font)">'
        f'<path d="M30 {height - 40}H{width - 20}" stroke="var(--fig-soft)"/>'
        f'<path d="M30 100H{width - 20}M30 180H{width - 20}" stroke="var(--fig-rule)" stroke-width=".75"/>'
        f'<path d="M30 {height - 60}L{width * 0.5} 60H{right}" fill="none" '
        'stroke="var(--fig-gpu3)" stroke-width="2"/>'
        f'<path d="M30 {height - 50}L{width * 0.7} 75H{right}" fill="none" '
        'stroke="var(--fig-tpu3)" stroke-width="2"/>'
        f'<text x="{right + 6}" y="62" fill="var(--fig-gpu3)">H200 989</text>'
        f'<text x="{right + 6}" y="82" fill="var(--fig-tpu3)">v6e 918</text>'
        f'<text x="{width - 20}" y="{height - 12}" text-anchor="end" fill="var(--fig-ink)">{quantity}FLOP/B</text>{labels}</svg>'
    )


def drawn(language: Language, *, wide: bool = False, name: str = "roofline") -> DrawnFigure:
    sizes = ("narrow", "column", "wide") if wide else ("narrow", "column")
    zh = language == "zh"
    return DrawnFigure(
        title="屋顶线" if zh else "Roofline",
        alt="H200 的脊点在 206 FLOP/B。" if zh else 'The ridge of H200 is at 206 FLOP/B, "far" left.',
        svgs=tuple((size, svg(size, language, name)) for size in sizes),
        table=Table(
            columns=("芯片", "峰值\nTFLOP/s", "带宽\nGB/s", "脊点\nFLOP/B")
            if zh
            else ("Chip", "Peak\nTFLOP/s", "Bandwidth\nGB/s", "Ridge\nFLOP/B"),
            rows=(("H200", "989", "4,800", "206"), ("TPU v6e", "918", "1,640", "560")),
            raw=(("H200", "989.4", "4800", "206.1"), ("TPU v6e", "918", "1640", "559.8")),
            numeric=(False, True, True, True),
            chips=(chip("h200-sxm"), chip("tpu-v6e")),
        ),
        csv="",
        provenance=("diglot/hardware/data/accelerators.yaml",),
    )


def material(*, wide: bool = False, name: str = "roofline") -> FigureMaterial:
    return FigureMaterial(
        computed=ComputedFigure(
            data=json.dumps(DATA).encode(),
            digest="9c41e7a0",
            parameters=(("dtype", "bf16"),),
            drawable=True,
            sizes=("narrow", "column", "wide") if wide else ("narrow", "column"),
            provenance=("diglot/hardware/data/accelerators.yaml",),
        ),
        script_path=f"figures/{name}.py",
        drawn={one: drawn(one, wide=wide, name=name) for one in LANGUAGES},
        downloads={
            one: tuple((kind, f"figures/{name}.{one}.{kind.lower()}") for kind in ("SVG", "PNG", "CSV"))
            for one in LANGUAGES
        },
    )


def value(expression: str, line: int = 9, context: str = "html") -> Placeholder:
    return Placeholder(kind="eval", target=expression, line=line, context=context, figures=("roofline",))


PYTHON = (
    '<pre><code class="language-python"><span class="k">def</span><span class="w"> </span>'
    '<span class="nf">utilisation</span><span class="p">(</span><span class="n">m</span><span class="p">,</span> '
    '<span class="n">n</span><span class="p">,</span> <span class="n">rows</span><span class="o">=</span>'
    '<span class="mi">128</span><span class="p">):</span>\n    <span class="s2">&quot;&quot;&quot;A share.&quot;&quot;&quot;</span>\n'
    '    <span class="n">tiles</span> <span class="o">=</span> <span class="n">math</span><span class="o">.</span>'
    '<span class="n">ceil</span><span class="p">(</span><span class="n">n</span> <span class="o">/</span> '
    '<span class="mi">128</span><span class="p">)</span>  <span class="c1"># {comment}</span>\n'
    '    <span class="k">return</span> <span class="n">n</span> <span class="o">/</span> '
    '<span class="p">(</span><span class="n">tiles</span> <span class="o">*</span> <span class="mi">128</span>'
    '<span class="p">)</span>\n</code></pre>'
)
FORMULA = (
    '<div class="eq"><math display="block"><mrow><mi>P</mi><mo>(</mo><mi>I</mi><mo>)</mo><mo>=</mo><mi>min</mi>'
    "<mo>(</mo><msub><mi>P</mi><mtext>peak</mtext></msub><mo>,</mo><mi>I</mi><mo>⋅</mo><mi>β</mi><mo>)</mo>"
    "</mrow></math></div>"
)


def _blocks(language: Language) -> tuple[Block, ...]:
    zh = language == "zh"

    def say(zh_text: str, en_text: str) -> str:
        return zh_text if zh else en_text

    mark = f'<sup class="mark"><a href="#note-{language}-1" id="mark-{language}-1">1</a></sup>'
    blocks: list[Block] = []

    def add(kind: str, *parts: object, level: int = 0, text: str = "", notes: tuple[Note, ...] = ()) -> None:
        line = 8 + 2 * len(blocks)
        blocks.append(Block(kind=kind, line=line, parts=tuple(parts), level=level, text=text, notes=notes))

    def heading(text: str, level: int = 2) -> None:
        add("heading", f"<h{level}>{text}</h{level}>", level=level, text=text)

    def prose(*parts: object, notes: tuple[Note, ...] = ()) -> None:
        add("paragraph", "<p>", *parts, "</p>", notes=notes)

    prose(
        say(
            "一块加速卡有两个上限：每秒能算多少，每秒能搬多少。两条线相交的地方叫脊点。脊点左边，再多的乘加单元也只是在等数据；脊点右边，再快的内存也帮不上忙。",
            "An accelerator has two ceilings: how much it can compute in a second, and how much it can move. They cross at the ridge point. To its left, more multipliers only wait for data; to its right, faster memory buys nothing.",
        )
    )
    heading(say("同样的峰值，不同的脊", "Equal peaks, unequal ridges"))
    prose(
        say(
            "H200 与 TPU v6e 的 bf16 稠密峰值相差不到一成，",
            "H200 and TPU v6e are within a tenth of each other in dense bf16 peak,",
        ),
        mark,
        say(
            "内存带宽却差了近三倍。于是前者每搬 1 字节只需做 ",
            " yet almost a factor of three apart in memory bandwidth. One is busy from ",
        ),
        value("roofline.h200.ridge | number(0)"),
        say(" 次运算就能吃满算力，后者要做 ", " operations per byte, the other only from "),
        value("roofline.v6e.ridge | number(0)"),
        say(
            " 次，见",
            ": see ",
        ),
        Placeholder(kind="ref", target="fig-roofline", line=12),
        say(
            "。<em>同一个算子</em>，在一块卡上受限于算力，在另一块上可能仍在<strong>等内存</strong>。",
            ". <em>The same kernel</em> may be limited by arithmetic on one and still be <strong>waiting for memory</strong> on the other.",
        ),
        notes=(
            Note(
                number=1,
                parts=(
                    say(
                        "<p>此处一律用稠密峰值。厂商表格里常见的两倍数字，多半算上了 2:4 结构化稀疏。</p>",
                        "<p>Dense peaks throughout. The doubled figures in vendors’ tables usually count 2:4 structured sparsity.</p>",
                    ),
                ),
                line=80,
            ),
        ),
    )
    add("formula", FORMULA)
    add("figure", Placeholder(kind="figure", target="0", line=20))
    prose(
        say(
            "解码时每生成一个词元都要把权重读一遍，脊点见",
            "Decoding reads every weight once per step; of the ridge see ",
        ),
        '<a href="',
        Placeholder(kind="link", target="../other", line=22, context="attribute"),
        '">',
        say("另一篇", "another article"),
        "</a>",
        say(
            "。权重用 bf16 存放，算术强度就约等于批量大小，代码里写作 <code>batch</code>。",
            ". With bf16 weights the intensity is about the batch size, <code>batch</code> in the code.",
        ),
    )
    heading(say("算一算", "A little arithmetic"), 3)
    add(
        "code",
        PYTHON.replace(
            "{comment}", say("N 方向补齐到整块", "N padded to whole tiles, however many there are of them")
        ),
    )
    add(
        "table",
        '<div class="scroll"><table><thead><tr><th>',
        say("芯片", "Chip"),
        '</th><th class="r">FLOP/B</th></tr></thead><tbody><tr><td>H200</td><td class="r">',
        value("roofline.h200.ridge | number(1)"),
        '</td></tr><tr><td>TPU v6e</td><td class="r">',
        value("roofline.v6e.ridge | number(1)"),
        "</td></tr></tbody></table></div>",
    )
    add(
        "admonition",
        f'<div class="admonition note"><b>{say("注意", "Note")}</b><div><p>',
        say(
            "这里没有计入换权重的时间。若双缓冲藏不住它，左侧几列还会更低。",
            "Loading the next weights is not counted. Where double buffering cannot hide it, the left columns drop further.",
        ),
        "</p></div></div>",
    )
    heading(say("屋顶之下还有台阶", "Under the roof, stairs"))
    add(
        "list",
        say(
            "<ul><li>输出驻留：累加器不动，两边的操作数流过。</li><li>权重驻留：权重不动。<ul><li>换权重要等排空。</li></ul></li></ul>",
            "<ul><li>Output-stationary: accumulators stay, both operands stream past.</li><li>Weight-stationary: weights stay.<ul><li>Changing them waits for the drain.</li></ul></li></ul>",
        ),
    )
    add(
        "list",
        say(
            '<ul class="tasks"><li class="task"><input type="checkbox" disabled checked aria-label="已完成"> 峰值</li><li class="task"><input type="checkbox" disabled aria-label="未完成"> 能耗</li></ul>',
            '<ul class="tasks"><li class="task"><input type="checkbox" disabled checked aria-label="done"> Peaks</li><li class="task"><input type="checkbox" disabled aria-label="to do"> Energy</li></ul>',
        ),
    )
    add("figure", Placeholder(kind="figure", target="1", line=52))
    add(
        "quote",
        say(
            "<blockquote><p>屋顶线不是预言，是上限。</p></blockquote>",
            "<blockquote><p>A roofline is no prophecy; it is a ceiling.</p></blockquote>",
        ),
    )
    add(
        "definitions",
        say(
            "<dl><dt>脊点</dt><dd>两条屋顶相交处的算术强度。</dd><dt>算术强度</dt><dd>每搬一字节所做的运算。</dd></dl>",
            "<dl><dt>Ridge point</dt><dd>The intensity at which the two roofs meet.</dd><dt>Arithmetic intensity</dt><dd>Operations per byte moved.</dd></dl>",
        ),
    )
    add("table", Placeholder(kind="table", target="0", line=70))
    add(
        "paragraph",
        '<p><img src="',
        Placeholder(kind="image", target="die.svg", line=72, context="attribute"),
        '"',
        Placeholder(kind="picture-size", target="die.svg", line=72),
        ' alt="',
        value("roofline.h200.name", 72, "attribute"),
        '" loading="lazy"></p>',
    )
    add("rule", "<hr>")
    if not zh:
        prose("A closing remark that only the English half makes.")
    prose(
        say(
            "谁的带宽高谁就快。这句话对<strong>访存受限</strong>的算子都成立，对别的算子都不成立，而一个算子属于哪一边，要看它落在谁的屋顶下。",
            "The one with the most bandwidth wins. That holds for every memory-bound kernel and for no other, and on which side a kernel falls depends on whose roof it stands under.",
        )
    )
    return tuple(blocks)


_ANCHORS = {1: "ridges", 4: "fig-roofline", 10: "stairs", 13: "fig-generations", 16: "tab-roofline"}


def document(language: Language) -> Document:
    zh = language == "zh"

    def embed(name: str, zh_text: str, en_text: str) -> FigureEmbed:
        return FigureEmbed(
            figure_id=name,
            name=f"fig-{name}",
            parameters=(),
            caption=(
                zh_text if zh else en_text,
                value("roofline.h200.ridge | number(0)"),
                "。" if zh else ".",
            ),
            line=20,
        )

    return Document(
        path=f"content/posts/roofline/{language}.md",
        language=language,
        blocks=_blocks(language),
        figures=(
            embed(
                "roofline",
                "三块芯片的屋顶线。圆点为 GPU，方块为 TPU，落在各自的脊点上；H200 在 ",
                "Rooflines of three chips. Circles are GPUs and squares TPUs, each at its ridge point; H200 at ",
            ),
            embed(
                "generations",
                "七代 TPU。算力涨了五十倍，带宽只涨了十倍，脊点因此右移，越过 ",
                "Seven TPU generations. Arithmetic grew fifty times, bandwidth ten, and the ridge moved past ",
            ),
        ),
        tables=(
            TableEmbed(
                figure_id="roofline",
                name="tab-roofline",
                parameters=(),
                caption=("两块芯片。" if zh else "Two chips.",),
                line=70,
            ),
        ),
        reading_minutes=6 if zh else 7,
        first_text=("一块加速卡有两个上限。",) if zh else ("An accelerator has two ceilings.",),
    )


def alignment() -> Alignment:
    shared = len(_blocks("zh"))
    rows = [Row(id=_ANCHORS.get(at, f"b-{at}"), zh=at, en=at) for at in range(shared - 1)]
    rows.append(Row(id="b-remark", zh=None, en=shared - 1))
    rows.append(Row(id="b-last", zh=shared - 1, en=shared))
    return Alignment(rows=tuple(rows))


def half(language: Language, **changes: object) -> Half:
    zh = language == "zh"
    title = (
        ("屋顶在哪里转弯：", value("roofline.h200.ridge | number(0)", 2), " 之后")
        if zh
        else ("Where the roof bends: past ", value("roofline.h200.ridge | number(0)", 2))
    )
    front_matter = {
        "title": title,
        "date": datetime.date(2026, 11, 20),
        "description": ("带宽 & 算力，",) if zh else ("Bandwidth & arithmetic",),
        "updated": datetime.date(2026, 11, 21),
        "tags": ("roofline", "tpu"),
        "authors": ("lin",),
        **changes,
    }
    return Half(
        front_matter=FrontMatter(**front_matter),
        document=document(language),
        links={"../other": article_path(language, "other")},
        images={"die.svg": ImageFile(path="content/posts/roofline/die.svg", width_px=340, height_px=120)},
    )


def article(**changes: object) -> Article:
    values = {
        "paths": {one: article_path(one, "roofline") for one in LANGUAGES},
        "halves": {one: half(one) for one in LANGUAGES},
        "alignment": alignment(),
        "figures": {"roofline": material(), "generations": material(wide=True, name="generations")},
        "neighbours": {one: Neighbours(newer=None, older=OTHER) for one in LANGUAGES},
        "source_urls": {"figures/roofline.py": "https://example.org/source/figures/roofline.py"},
        **changes,
    }
    return Article(**values)


def _summary(slug: str, zh: str, en: str, date: datetime.date, **changes: object) -> Summary:
    texts: dict[Language, str] = {"zh": zh, "en": en}
    halves = tuple(
        HalfSummary(
            language=one,
            title=text,
            description="带宽 & 算力。" if one == "zh" else "Bandwidth & arithmetic, once more.",
            reading_minutes=6,
        )
        for one, text in texts.items()
        if text
    )
    return Summary(name=slug, slug=slug, halves=halves, date=date, **changes)


MAIN = _summary(
    "roofline",
    "屋顶在哪里转弯：206 之后",
    "Where the roof bends: past 206",
    datetime.date(2026, 11, 20),
    updated=datetime.date(2026, 11, 21),
    tags=("roofline", "tpu"),
    authors=("lin",),
    aliases=(("old/roofline/", "zh"),),
)
OTHER = _summary(
    "other", "波次量化 <一>", "Wave quantisation <one>", datetime.date(2026, 3, 2), tags=("roofline",)
)
ONLY_ZH = _summary("only-zh", "只有中文", "", datetime.date(2025, 5, 1))
SITE_MAP: SiteMap = map_site((MAIN, OTHER, ONLY_ZH))


def listed(language: Language, *, number: int = 1, site_map: SiteMap = SITE_MAP, **of: object) -> Listing:
    """A page of one of the sample's lists."""
    topic = ListTopic(language=language, **of)
    return listing_of(site_map, topic, number, PROJECT.list_entries, PROJECT.first)


def site_files(project: Project = PROJECT) -> dict[str, bytes]:
    """A small complete site: the content of each file by its path from the site's root."""
    theme, static = built_in()
    one_half = article(
        paths={"zh": article_path("zh", "only-zh")},
        halves={"zh": half("zh")},
        alignment=Alignment(rows=tuple(row for row in alignment().rows if row.zh is not None)),
        neighbours={},
    )
    pages: dict[str, str] = {
        "": landing_page(theme, project, SITE_MAP),
        "404.html": not_found_page(theme, project, SITE_MAP),
        "sitemap.xml": sitemap_xml(project, SITE_MAP),
        "robots.txt": robots_txt(project),
        MANIFEST_PATH: web_manifest(project, theme.assets).decode(),
        "old/roofline/": redirect_page(
            theme, project, article_path("zh", "roofline"), "屋顶在哪里转弯", "zh"
        ),
        article_path("zh", "only-zh"): article_page(theme, project, one_half, "zh", "single"),
    }
    for one in LANGUAGES:
        years = {year for language, year in SITE_MAP.by_year if language == one}
        for listing in (
            listed(one),
            listed(one, taxonomy="tags", term="roofline"),
            listed(one, taxonomy="tags", term="tpu"),
            listed(one, taxonomy="authors", term="lin"),
            *(listed(one, year=year) for year in years),
        ):
            pages[listing.topic.page] = list_page(theme, project, listing)
        pages[archive_path(one)] = archive_page(theme, project, SITE_MAP, one)
        for taxonomy in ("tags", "authors"):
            pages[terms_path(one, taxonomy)] = terms_page(
                theme, project, SITE_MAP, language=one, taxonomy=taxonomy
            )
        topic = FeedTopic(language=one)
        entries = tuple(FeedEntry(article=each) for each in articles_of_feed(project, SITE_MAP, topic))
        pages[feed_path(topic.page)] = atom_feed(project, topic, entries)
        pages[feed_path(topic.page, "json")] = json_feed(project, topic, entries)
        pages[article_path(one, "roofline")] = article_page(theme, project, article(), one, "single")
        pages[both_path(article_path(one, "roofline"))] = article_page(theme, project, article(), one, "both")
    picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 340 120"><path d="M0 0h340v120H0z" fill="#888"/></svg>'
    return {
        **{output_path(path): text.encode() for path, text in pages.items()},
        **static,
        "content/posts/roofline/die.svg": picture.encode(),
    }


def write_site(folder: Path, project: Project = PROJECT) -> Path:
    """Write the small site to disk, below the path in its base URL."""
    for path, content in site_files(project).items():
        file = folder / project.base_path.strip("/") / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return folder
