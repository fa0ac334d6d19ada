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
