"""Code blocks of the corpus: small programs with their own names and numbers, which hardly ever repeat.

Repeated code would make a tool that caches highlighted blocks look better than it is.
"""

import random

_NOUNS = (
    "tile",
    "row",
    "lane",
    "slab",
    "page",
    "packet",
    "weight",
    "token",
    "block",
    "sample",
    "queue",
    "cell",
)
_VERBS = (
    "scan",
    "pack",
    "merge",
    "fold",
    "fetch",
    "split",
    "score",
    "drain",
    "sort",
    "shift",
    "trace",
    "count",
)
_WHAT = ("bytes moved", "rows left", "cycles lost", "seconds a run", "entries a page", "hits in a thousand")


def code_block(choose: random.Random) -> str:
    """A fenced block in one of six languages."""
    language, write = choose.choice(_LANGUAGES)
    return f"```{language}\n{write(choose)}\n```"


def _name(choose: random.Random) -> str:
    return f"{choose.choice(_VERBS)}_{choose.choice(_NOUNS)}s"


def _python(choose: random.Random) -> str:
    name, each, limit = _name(choose), choose.choice(_NOUNS), choose.randint(3, 4000)
    helper = _name(choose)
    return "\n".join(
        (
            "from collections import Counter",
            "",
            "",
            f"def {name}(source, limit={limit}):",
            f'    """Return {choose.choice(_WHAT)}, at most `limit`."""',
            "    seen, total = Counter(), 0.0",
            f"    for {each} in source:",
            f"        if {each} is None or {each} > {choose.randint(2, 99)}e{choose.randint(1, 9)}:",
            f"            continue  # {choose.choice(_WHAT)}",
            f"        seen[{each} % {choose.randint(2, 97)}] += 1",
            f"        total += {helper}({each}, key=lambda one: -one * {choose.random():.3f})",
            '    return {"total": min(total, limit), "common": seen.most_common(3)}',
            "",
            "",
            f'print(f"{{{name}(range({choose.randint(10, 9999)}))!r:>{choose.randint(8, 40)}}}")',
        )
    )


def _cpp(choose: random.Random) -> str:
    name, each, width = _name(choose), choose.choice(_NOUNS), choose.choice((4, 8, 16, 32))
    return "\n".join(
        (
            "#include <array>",
            "#include <cstdint>",
            "",
            f"// {choose.choice(_WHAT)}, {width} at a time.",
            f"template <std::size_t Width = {width}>",
            f"std::uint64_t {name}(const float* first, const float* last) {{",
            f"    constexpr float scale = {choose.random():.4f}f;",
            "    std::array<double, Width> partial{};",
            f"    for (auto {each} = first; {each} + Width <= last; {each} += Width) {{",
            "        for (std::size_t i = 0; i < Width; ++i)",
            f"            partial[i] += {each}[i] > 0x{choose.randrange(1 << 16):04x} ? scale : 0.0;",
            "    }",
            f"    double sum = {choose.randint(0, 9)}.0;  /* the rest is dropped */",
            "    for (double one : partial) sum += one;",
            f"    return static_cast<std::uint64_t>(sum) % {choose.randint(100, 99999)}u;",
            "}",
        )
    )


def _rust(choose: random.Random) -> str:
    name, each = _name(choose), choose.choice(_NOUNS)
    kind = choose.choice(_NOUNS).capitalize()
    return "\n".join(
        (
            "#[derive(Debug, Clone, Copy, PartialEq)]",
            f"pub struct {kind} {{ start: usize, length: u{choose.choice((16, 32, 64))} }}",
            "",
            f"/// {choose.choice(_WHAT).capitalize()}, or nothing where the input is empty.",
            f"pub fn {name}<'a>(input: &'a [{kind}], least: usize) -> Option<&'a {kind}> {{",
            "    let mut best = None;",
            f"    for {each} in input.iter().filter(|one| one.start >= least + {choose.randint(1, 999)}) {{",
            "        best = match best {",
            f"            Some(other) if other == {each} => Some(other),",
            f"            _ => Some({each}),",
            "        };",
            "    }",
            f'    assert!(least < {choose.randint(1000, 99999)}, "too long: {{}}", least);',
            "    best",
            "}",
        )
    )


def _shell(choose: random.Random) -> str:
    name, runs = _name(choose), choose.randint(3, 60)
    return "\n".join(
        (
            f"# {choose.choice(_WHAT)}, {runs} runs on core {choose.randint(0, 63)}",
            "set -eu",
            f"for size in $(seq {choose.randint(1, 9)} {choose.randint(2, 9)} {choose.randint(20, 900)}); do",
            f'    ./{name} --size "$((size << {choose.randint(2, 20)}))" \\',
            f"        >> {name}-{choose.randint(100, 999)}.log 2>&1",
            "done",
            f"awk '$2 > {choose.random():.2f} {{ sum += $3 }} END {{ print sum / NR }}' {name}-*.log",
        )
    )


def _yaml(choose: random.Random) -> str:
    return "\n".join(
        (
            f"{_name(choose)}:",
            f"  sockets: {choose.choice((1, 2, 4))}",
            f"  cores: {choose.randint(4, 128)}  # {choose.choice(_WHAT)}",
            f"  caches: [{choose.randint(32, 64)}KiB, {choose.randint(16, 384)}MiB]",
            "  hot: [true, false, null, ~]",
            "  steps:",
            *(
                f"    - {{run: {_name(choose)}, repeat: {choose.randint(3, 99)}, warm: true}}"
                for _ in range(choose.randint(2, 5))
            ),
        )
    )


def _json(choose: random.Random) -> str:
    rows = ",\n".join(
        f'    {{"size": {2 ** choose.randint(8, 26)}, "rate": {choose.uniform(1, 900):.3f}, "steady": true}}'
        for _ in range(choose.randint(3, 6))
    )
    head = f'  "kernel": "{_name(choose)}",\n  "seed": {choose.randint(1, 9999)},'
    return f'{{\n{head}\n  "rows": [\n{rows}\n  ]\n}}'


_LANGUAGES = (
    ("python", _python),
    ("cpp", _cpp),
    ("rust", _rust),
    ("sh", _shell),
    ("yaml", _yaml),
    ("json", _json),
)
