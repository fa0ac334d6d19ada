"""Where Chinese titles may break."""

from markupsafe import Markup

from diglot.render.titles import title_html

TITLES = (
    "再多64列，|H200就从97%掉到50%：|TPU挑什么，|GPU迁就什么",
    "50人同时用，|每人|还有|独占时53%的|速度",
    "脉动阵列|想要|什么：|每个|单元多|一个|寄存器，|利用率|从25%|升到99.9%",
    "三种|芯片的|屋顶线|与七个|算子",
    "参与|制定|标准的人说：|“够了”",
    "GPU的|分块|（tile）|与波次",
    "Add 64 columns and an H200 falls from 97% to 50%",
)


def test_chinese_titles_break_between_words_but_not_inside_terms() -> None:
    for title in TITLES:
        shown = title_html(title.replace("|", ""), terms=("屋顶线", "同时用"))
        assert shown == title.replace("|", "<wbr>")
    assert title_html("<b>") == "&lt;b&gt;"
    heading = Markup("<h2>把<b>自己的形状</b>放进<i>三个</i>模型算一遍</h2>")
    assert (
        title_html(heading)
        == "<h2>把<b>自己的<wbr>形状<wbr></b>放进<wbr><i>三个<wbr></i>模型算<wbr>一遍</h2>"
    )


def test_names_stay_on_a_line() -> None:
    kept = (
        "ResNet-50", "TPU v7", "GB200 NVL72", "A100-80G", "Llama 3 70B", "v5p-8960", "FP8/BF16", "GPT-4o",
        "TPU v5p", "DeepSeek-V3", "H100 80GB", "RTX 5090",
    )  # fmt: skip
    free = (
        "state-of-the-art",
        "GPU/TPU",
        "a 70B model",
        "than 3 chips",
        "64 columns",
        "Add 64",
        "A-very-long-name-of-2026",
    )
    for name in (*kept, *free):
        for title in (f"what {name} does", f"跑{name}要多久"):
            shown = f'<span class="keep">{name}</span>' in title_html(title)
            assert shown == (name in kept), title
    assert title_html("R&D on TPU v7") == 'R&amp;D on <span class="keep">TPU v7</span>'
    assert title_html(Markup("<i>TPU v7</i> &amp; 3")) == '<i><span class="keep">TPU v7</span></i> &amp; 3'
