"""Texts in traditional characters: what naive conversions get wrong, words of Taiwan, exceptions."""

import pytest

from diglot.diagnostics import DiagnosticError
from diglot.spelling.conversion import Converter
from diglot.traditional.exceptions import read_exceptions
from tests.traditional.settings import spelling

pytest.importorskip("opencc", reason="OpenCC is not installed (pip install 'diglot[hant]')")

PITFALLS = """
全面 全面  面条 麵條  界面 界面  厉害 厲害  日历 日曆  历史 歷史  不划算 不划算  划分 劃分
呵呵 呵呵  只有一只 只有一隻  只读 只讀  以后 以後  皇后 皇后  里面 裡面  公里 公里  里程碑 里程碑
内存里 內存裡  发展 發展  头发 頭髮  触发 觸發  干净 乾淨  主干 主幹  干预 干預  若干 若干
相干 相干  台湾 臺灣  台风 颱風  关系 關係  系统 系統  维系 維繫  系数 係數  周期 週期
四周 四周  复杂 複雜  重复 重複  恢复 恢復  覆盖 覆蓋  制程 製程  控制 控制  准确 準確
批准 批准  缓冲 緩衝  冲刷 沖刷  汇编 彙編  汇合 匯合  时钟 時鐘  云端 雲端  特征 特徵
长征 長征  松散 鬆散  松树 松樹  余数 餘數  对于 對於  卷积 卷積  谷底 谷底  仿佛 彷彿
回路 迴路  舍入 捨入  四舍五入 四捨五入  宿舍 宿舍  并发 並發  并行 並行  合并 合併  折叠 摺疊
迭代 迭代  可复算 可複算  喂不饱 餵不飽
脉动阵列 脈動陣列  屋顶线 屋頂線  算术强度 算術強度  访存受限 訪存受限
为了 為了  着手 著手  峰值 峰值
"""

TERMS = """
内存带宽 記憶體頻寬  芯片 晶片  缓存 快取  服务器 伺服器  软件 軟體  硬件 硬體  默认 預設
字节 位元組  寄存器 暫存器  线程 執行緒  晶体管 電晶體  网络 網路  数据 資料  信息 資訊
优化 最佳化  存储 儲存  参数量 參數量  激活值 激活值  算子 運算子  操作数 運算元  显存 顯示記憶體
脚本 腳本  脉动阵列 脈動陣列
扩展到八卡 擴展到八卡  局部性 局部性  网卡 網路卡  性价比 性價比  一笔账 一筆帳
模型推理 模型推論  计算与访存 計算與記憶體存取  访存受限 記憶體受限  幻灯片 投影片
损失函数 損失函數  循环神经网络 循環神經網路  各种类型 各種類型  时钟频率 時脈頻率
"""


def pairs(words: str) -> dict[str, str]:
    listed = words.split()
    return dict(zip(listed[::2], listed[1::2], strict=True))


def test_a_character_with_several_traditional_ones_becomes_the_one_that_its_word_has() -> None:
    converted = Converter(spelling("taiwan"))
    expected = pairs(PITFALLS)
    assert {word: converted.text(word) for word in expected} == expected


def test_words_are_those_of_taiwan_where_the_site_asks_for_them() -> None:
    expected = pairs(TERMS)
    with_terms, without = Converter(spelling("taiwan-terms")), Converter(spelling("taiwan"))
    assert {word: with_terms.text(word) for word in expected} == expected
    assert without.text("内存带宽和芯片") == "內存帶寬和芯片"


def test_variants_write_some_characters_differently() -> None:
    written = {
        one: Converter(spelling(one)).text("平台里为")
        for one in ("standard", "taiwan", "hong-kong", "hong-kong-terms")
    }
    assert written == {
        "standard": "平臺裏爲",
        "taiwan": "平臺裡為",
        "hong-kong": "平台裏為",
        "hong-kong-terms": "平台裏為",
    }


def test_quotation_marks_are_those_of_taiwan_and_hong_kong() -> None:
    quoted = "他说“先看‘脊点’”，vendors’ tables"
    assert Converter(spelling("taiwan")).text(quoted) == "他說「先看『脊點』」，vendors’ tables"
    assert Converter(spelling("standard")).text(quoted) == "他說“先看‘脊點’”，vendors’ tables"
    texts = ["一个‘", "’后"]
    assert Converter(spelling("hong-kong")).texts(texts) == ["一個‘", "’後"], "each text is by itself"


def test_exceptions_come_first_and_the_longest_wins() -> None:
    converted = Converter(spelling("taiwan-terms", 内存="主記憶體", 内存墙="記憶牆", 参数="引數"))
    assert converted.text("内存墙挡住内存，参数也是。") == "記憶牆擋住主記憶體，引數也是。"


def test_many_texts_in_one_call_are_converted_as_each_alone() -> None:
    converted = Converter(spelling("taiwan-terms"))
    texts = ["面", "条", "", "内", "存", "内存 12.5%\n参数", "8 × H200", "头", "发"]
    assert converted.texts(texts) == [converted.text(one) for one in texts]


def test_labels_keep_their_number_of_characters() -> None:
    converted = Converter(spelling("taiwan-terms", 峰值="最高值"))
    labels = ["内存带宽", "带宽，GB/s", "芯片", "峰值带宽", "“访存”与舍入"]
    assert converted.labels(labels) == ["內存帶寬", "頻寬，GB/s", "晶片", "峰值帶寬", "「訪存」與捨入"]


def test_exceptions_are_read_from_a_file_with_all_its_mistakes() -> None:
    assert read_exceptions("内存: 主記憶體\n算力: 算力\n") == (("内存", "主記憶體"), ("算力", "算力"))
    with pytest.raises(DiagnosticError) as refused:
        read_exceptions("HBM: HBM\n内存: [主記憶體]\n带宽:\n芯片: ''\n")
    assert [(one.location.line, one.message) for one in refused.value.diagnostics if one.location] == [
        (1, '"HBM" has no Chinese character'),
        (2, "内存: expected text, found a list"),
        (3, '"带宽" becomes nothing'),
        (4, '"芯片" becomes nothing'),
    ]
