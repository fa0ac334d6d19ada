"""What OpenCC's dictionaries get wrong about chips and models; a project's exceptions overrule it."""

CORRECTIONS = {
    "舍入": "捨入",
    "复算": "複算",
    "并发": "並發",
}
"""In every variant."""

TERMS = {
    "参数": "參數",  # of a model or function; the dictionary has the arguments of a call, 引數
    "算子": "運算子",  # operators; the dictionary has operands, 運算元
    "激活": "激活",  # of neurons; the dictionary has the activation of software, 啟用
    "脚本": "腳本",
    "联系": "聯繫",
    "显存": "顯示記憶體",
}
"""Where words are replaced, too."""
