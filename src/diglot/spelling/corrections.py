"""What OpenCC's dictionaries get wrong about chips and models; a project's exceptions overrule it."""

CORRECTIONS = {
    "舍入": "捨入",
    "复算": "複算",
    "并发": "並發",
    "喂饱": "餵飽",
    "喂不饱": "餵不飽",
    "喂满": "餵滿",
    "喂不满": "餵不滿",
    "喂给": "餵給",
}
"""In every variant."""

TAIWANESE_TERMS = {
    "参数": "參數",  # of a model or function; the dictionary has the arguments of a call, 引數
    "函数": "函數",  # of mathematics; the dictionary has those of programs, 函式
    "算子": "運算子",  # operators; the dictionary has operands, 運算元
    "激活": "激活",  # of neurons; the dictionary has the activation of software, 啟用
    "循环神经网络": "循環神經網路",  # the dictionary has loops of programs, 迴圈
    "内核": "內核",  # kernels; the dictionary has cores, 核心
    "类型": "類型",
    "对象": "對象",
    "实例": "實例",
    "扩展": "擴展",
    "局部": "局部",
    "发布": "發布",
    "性价比": "性價比",
    "网卡": "網路卡",
    "脚本": "腳本",
    "联系": "聯繫",
    "显存": "顯示記憶體",
    "账": "帳",
    "推理": "推論",  # of models
    "访存受限": "記憶體受限",
    "访存": "記憶體存取",
    "幻灯片": "投影片",
}
"""Where words become those of Taiwan."""
