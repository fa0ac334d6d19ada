"""Numbers that name or date something and are no quantities: `Figure 3`, `v5.2`, `H100`, `2026-11-20`.

They are blanked out before a text is read, so that all places in it stay as they are.
"""

import re
from collections import Counter

from diglot.quantities.units import SYMBOL, is_unit_behind

_MONTHS = (
    "January|February|March|April|May|June|July|August|September|October|November|December"
    "|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec"
)
_YEAR = r"(?<![\d.,$])(?:19[5-9]\d|20[0-4]\d)s?(?![\d%A-Za-z]|[.,]\d|[ \u00a0]?[a-zA-Z×/°µ]+/)"
"""It is none with a unit behind it, see `is_unit_behind`."""
_DATES = (
    r"\b\d{4}-\d{2}(?:-\d{2})?(?![\d-])",
    r"\b\d{1,4}/\d{1,2}/\d{1,4}\b",
    r"(?<!\d)(?:19|20)\d{2}[ \u00a0]?年"
    r"(?:[ \u00a0]?\d{1,2}[ \u00a0]?月(?:[ \u00a0]?\d{1,2}[ \u00a0]?[日号])?)?",
    r"(?<!\d)\d{1,2}[ \u00a0]?月[ \u00a0]?\d{1,2}[ \u00a0]?[日号]",
    r"(?<!\d)\d{1,2}[ \u00a0]?月份?(?![\d个])",
    rf"\b\d{{1,2}}[ \u00a0](?:{_MONTHS})\b(?:[ \u00a0]\d{{4}})?",
    rf"\b(?:{_MONTHS})\b\.?[ \u00a0]\d{{1,2}}(?:,[ \u00a0]\d{{4}}|\b(?!\d))",
    rf"\b(?:{_MONTHS})\b\.?[ \u00a0]\d{{4}}\b",
    r"\b1[5-9]\d0s\b",
    rf"(?P<year>{_YEAR})",
    r"\bQ[1-4]\b",
    r"\d{1,2}[ \u00a0]?世纪(?:[ \u00a0]?\d0[ \u00a0]?年代)?|(?<!\d)\d0[ \u00a0]?年代",
)
_NUMBERED_THINGS = (
    "[Ff]ig(?:ure)?|[Tt]able|[Ss]ection|[Cc]hapter|[Pp]art|[Ss]tep|[Ee]quation|[Ss]lide|[Nn]ote|[Pp]age|[Ss]tage"
    "|[Cc]ycle|[Rr]ow|[Cc]olumn|[Ll]ayer|[Aa]ppendix|[Ll]ine|[Aa]lgorithm|[Ff]ormula|[Ee]xample|[Cc]ase|[Ll]evel"
    "|[Pp]hase|[Ii]tem|[Rr]ule|[Qq]uestion|[Vv]ersion|[Cc]laim|[Nn]umber|[Dd]ay|[Ww]eek|[Mm]onth|[Ee]poch|[Rr]ank"
)
_ORDINALS = (
    r"第[ \u00a0]?(?:\d+|[零〇一二三四五六七八九十百千两]+)",
    rf"\b(?:{_NUMBERED_THINGS}|[Nn]o\.|[Ee]q\.|[Ff]ig\.)[ \u00a0]"
    r"\d+(?:\.\d+)*(?:[ \u00a0]?[–-][ \u00a0]?\d+(?:\.\d+)*)?",
    rf"\b(?:{_NUMBERED_THINGS})s[ \u00a0]\d+(?:\.\d+)*"
    r"(?:(?:[ \u00a0]?[–-][ \u00a0]?|, | and )\d+(?:\.\d+)*)*",
    r"(?:图|(?<![词列报代])表|(?<![模方形格])式|公式|脚注|算法|步骤|版本|(?<!比)例|问题)[ \u00a0]?"
    r"\d+(?:\.\d+)*(?:[、和至到–-][ \u00a0]?\d+)*(?![\d万亿%])",
    r"(?<![A-Za-z0-9.])\d+(?:st|nd|rd|th)\b",
    r"(?m:^[ \t]*\d+[.)、](?=\s))",
    r"[(（]\d[)）]",
    # The numbers of sources: [2], ［2］, 【3–5】. Brackets need not be of one kind: people mix them.
    r"[\[［【〔〖]\d{1,4}(?:[ \u00a0]?[,，、;；–—~-][ \u00a0]?\d{1,4})*[\]］】〕〗]",
)
_PRODUCTS = (
    r"Llama|LLaMA|GPT|PaLM|Gemma|Gemini|Qwen|Mistral|Mixtral|DeepSeek|Claude|Kimi|GLM|Phi|BERT|T5|OPT|BLOOM|Falcon|Grok"
    r"|Python|CUDA|PyTorch|TensorFlow|JAX|FlashAttention|FA|NVLink|NVSwitch|PCIe|CXL|HBM|DDR|GDDR|InfiniBand|MLPerf"
    r"|SCALE-Sim|TensorRT-LLM|vLLM|Blackwell|Hopper|Inferentia|Trainium|Gaudi|Instinct|Xeon|EPYC|RTX|GTX|Jetson"
    r"|RFC|ISO|HTTP"
)
_MEASURED = rf"[\d.,]+(?:[ \u00a0]?[%％倍×]|[ \u00a0](?:{SYMBOL}))"
"""What is no part of a name before it, as in `NVLink 900 GB/s`."""
_NUMBERED_NAMES = (
    rf"\b(?:{_PRODUCTS})[- \u00a0]?v?(?!{_MEASURED})\d+(?:\.\d+)*[A-Za-z]*"
    r"(?:[- \u00a0]\d+(?:\.\d+)?[BMT]\b)?(?:-[A-Za-z0-9]+)*",
    r"(?<![A-Za-z0-9])[vV]\d+(?:\.\d+)*[a-z]*",
    r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z_]*[-_]?\d[\w.-]*",
    # Models are called by their size, `a 70B`, `70B模型`; `a 32B sector` has 32 bytes.
    r"(?<![\w.,$])\d{1,4}(?:\.\d)?B(?=[- \u00a0]?(?:models?|LLMs?|class|级|的?模型|推理|训练|部署|服务))",
    r"(?:(?<=\b[Aa] )|(?<=\b[Aa]n )|(?<=\b[Tt]he )|(?<=[个跑把让给对]|署|务|练|理|于)|(?<=个 ))"
    r"\d{1,4}(?:\.\d)?B(?![\w/]|[- \u00a0](?:blocks?|sectors?|lines?|reads?|writes?"
    r"|transfers?|chunks?|packets?|align))",
)
_NAMES = (
    r"https?://[^\s<>）)。，；]+",
    r"\b(?:arXiv|doi)[:/ ][ \u00a0]?[\w./-]+",
    *_NUMBERED_NAMES,
    r"(?<![A-Za-z0-9.])\d+(?:\.\d+){2,}",
    r"(?<![A-Za-z0-9.])(?!\d+[eE]\d+\b)\d+[A-Zac-jl-wyz][A-Za-z]*\d+\w*",
    r"(?<![A-Za-z0-9.])\dD\b",
    r"\b0x[0-9a-fA-F]+\b",
)
_NUMBERED = re.compile("|".join((_NAMES[0], *_NUMBERED_NAMES)), re.ASCII)
_FREE = re.compile("|".join((*_NAMES, *_DATES, *_ORDINALS)), re.ASCII)  # a word ends where Han begins
_WIDE = str.maketrans("０１２３４５６７８９．％＋－～", "0123456789.%+-~")


def without_free_numbers(text: str) -> str:
    """The text, as long as before, without free numbers; wide digits become narrow."""
    text = text.translate(_WIDE)

    def blanked(found: re.Match[str]) -> str:
        is_year = found["year"] is not None
        return found[0] if is_year and is_unit_behind(text, found.end()) else "\0" * len(found[0])

    return _FREE.sub(blanked, text)


def numbered_names(text: str) -> Counter[str]:
    """How often a text has each name with a number in it, such as `H200`, in one way of writing it."""
    found = (name for name in _NUMBERED.findall(text) if "://" not in name and not _QUARTER.fullmatch(name))
    return Counter(_PLURAL.sub("", _JOINED.sub("", name)) for name in found)


_JOINED = re.compile("[- \u00a0_.]")
_QUARTER = re.compile(r"Q[1-4][.-]?")
"""A quarter of a year is read as an ordinal number: Q1 is 第一季度."""
_PLURAL = re.compile("(?<=[A-Z0-9a-z]{2})s$")


_YEARS = re.compile(_YEAR, re.ASCII)


def years_in(text: str) -> frozenset[str]:
    """The years that a text names, as written."""
    return frozenset(one[0] for one in _YEARS.finditer(text) if not is_unit_behind(text, one.end()))
