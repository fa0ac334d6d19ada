"""The text of the corpus: the same sentences in Chinese and English, chosen by a seed."""

import random
from dataclasses import dataclass
from typing import NamedTuple


class Words(NamedTuple):
    """A text in both languages."""

    zh: str
    en: str


def _words(text: str) -> tuple[Words, ...]:
    """Pairs from lines of the form `Chinese | English`."""
    return tuple(Words(*(part.strip() for part in line.split("|"))) for line in text.strip().splitlines())


TAGS = _words(
    """
    缓存 | caches
    带宽 | bandwidth
    延迟 | latency
    稀疏 | sparsity
    量化 | quantisation
    调度 | scheduling
    编译器 | compilers
    预取 | prefetching
    互连 | interconnects
    排队 | queueing
    功耗 | power
    注意力 | attention
    舍入 | rounding
    剖析 | profiling
    虚拟内存 | virtual-memory
    向量指令 | vector-units
    流水线 | pipelines
    一致性 | coherence
    """
)
CATEGORIES = _words(
    """
    机器 | machines
    软件 | software
    数值 | numerics
    测量 | measurement
    网络 | networks
    """
)
TOPICS = _words(
    """
    写合并 | Write combining
    环形归约 | Ring reductions
    页表遍历 | Page walks
    解码批量 | Decode batches
    双缓冲 | Double buffering
    尾延迟 | Tail latency
    寄存器分块 | Register tiling
    存储体冲突 | Bank conflicts
    归约顺序 | Order of reduction
    核函数融合 | Kernel fusion
    时钟与温度 | Clocks and heat
    稀疏索引 | Sparse indices
    """
)
ANGLES = _words(
    """
    一笔账 | an account
    三次测量 | three measurements
    从头推导 | from first principles
    常见误解 | what is often said
    一个反例 | a counterexample
    实用界限 | a useful bound
    """
)
_THINGS = _words(
    """
    外层循环 | the outer loop
    一条存储指令 | a store instruction
    片上网络 | the network on the chip
    每个工作线程 | every worker thread
    小矩阵乘 | a small matrix product
    分支预测器 | the branch predictor
    请求队列 | the queue of requests
    键值缓存 | the cache of keys and values
    压缩后的权重 | compressed weights
    中断处理程序 | the interrupt handler
    二级缓存 | the second-level cache
    累加器 | the accumulator
    内存分配器 | the allocator
    转置步骤 | the transposition
    远端节点 | the remote node
    校验和 | the checksum
    """
)
_DEEDS = _words(
    """
    决定 | decides
    推迟 | delays
    吸收 | absorbs
    放大 | magnifies
    避开 | avoids
    占用 | occupies
    触发 | triggers
    抵消 | cancels
    遮住 | covers
    拆分 | splits
    浪费 | wastes
    均摊 | spreads
    """
)
_OBJECTS = _words(
    """
    整段预热时间 | the whole warm-up
    一半的总线周期 | half of the bus cycles
    第三级流水线的空泡 | the bubbles of the third stage
    重复的地址计算 | repeated address arithmetic
    最慢的那一次传输 | the slowest transfer
    舍入误差的增长 | the growth of rounding errors
    页面缺失的代价 | the price of a page miss
    相邻任务的份额 | the share of its neighbours
    空闲的执行单元 | units that have nothing to do
    同一行的冲突 | conflicts within a row
    批量带来的好处 | what batching gains
    锁的争抢 | contention for the lock
    电源的上限 | the limit of the power supply
    编译时的常量 | constants known to the compiler
    """
)
_WHENS = _words(
    """
    只要工作集不超过二级缓存 | as long as the working set fits the second level
    一旦批量大于六十四 | once a batch exceeds sixty-four
    在没有其他进程的机器上 | on a machine that runs nothing else
    即使频率保持不变 | even where the clock stays the same
    除非数据已经按行对齐 | unless the data is aligned to rows
    直到队列第一次排满 | until the queue first fills
    因为地址在运行时才知道 | because addresses are known only at run time
    在前三次迭代里尤其如此 | above all in the first three iterations
    与手册里的说法相反 | contrary to what the manual says
    代价是多读一遍索引 | at the price of reading the indices twice
    每个插槽都测得同样的结果 | and each socket shows the same
    这一点从汇编里就能看出 | as the assembly already shows
    """
)
_OPENINGS = _words(
    """
    先看最简单的情形 | Take the simplest case first
    换一个角度 | Seen from the other side
    测量显示 | Measurements show this
    从模型出发 | The model says this
    实际运行时 | In a real run
    按最坏情况估计 | In the worst case
    去掉噪声以后 | Without the noise
    同样的道理 | By the same argument
    """
)
HEADINGS = _words(
    """
    问题从哪里来 | Where the question comes from
    最小的例子 | The smallest example
    一次传输的账单 | The bill of one transfer
    下界 | A lower bound
    能省下多少 | What can be saved
    实现 | An implementation
    计数器里的证据 | Evidence from the counters
    误差从何而来 | Where the error comes from
    规模变大之后 | When sizes grow
    与手册对照 | Beside the manual
    还剩下什么 | What remains
    怎样复现 | How to repeat it
    边界情形 | Edge cases
    小结 | In short
    """
)
_ADVICE = _words(
    """
    先固定时钟，再开始计时。 | Fix the clock before you start the watch.
    把每次运行都写进文件，不要只留最好的一次。 | Keep every run in a file, not only the best.
    说明缓存是冷是热。 | Say whether caches were cold or warm.
    按字节计数，不按元素计数。 | Count bytes, not elements.
    比较两种写法时交替运行。 | Alternate the runs of two variants.
    给出中位数和四分位数。 | Give the median and the quartiles.
    检查结果是否仍然正确。 | Check that results are still right.
    记下内核与编译器的版本。 | Note the versions of kernel and compiler.
    在第二台机器上再做一遍。 | Do it again on a second machine.
    """
)
_COLUMNS = _words(
    """
    方案 | Variant
    大小 | Size
    流量 | Traffic
    速率 | Rate
    占比 | Share
    """
)
_VARIANTS = _words(
    """
    朴素 | naive
    分块 | tiled
    融合 | fused
    预取 | prefetched
    压缩 | compressed
    转置 | transposed
    双缓冲 | buffered
    向量化 | vectorised
    """
)
_INLINE = (
    r"$t = \alpha + n / \beta$",
    r"$\rho = \lambda / \mu < 1$",
    r"$x_{k+1} = x_k - H^{-1} \nabla f(x_k)$",
    r"$\|A - A_r\|_2 = \sigma_{r+1}$",
    r"$O(n^3 / \sqrt{M})$",
    r"$u = 2^{-24}$",
)
_DISPLAYED = (
    r"T(n) = \max\left( \frac{2 n^3}{\pi},\; \frac{3 n^2 w}{\beta} \right) + \tau \log_2 p",
    r"Q \ge \frac{m n k}{2 \sqrt{2 M}} - M, \qquad \frac{m n k}{Q} \le 2 \sqrt{2 M}",
    r"E[W] = \frac{\rho}{1 - \rho} \cdot \frac{1 + c_v^2}{2} \cdot \frac{1}{\mu}",
    r"\begin{pmatrix} y_1 \\ y_2 \end{pmatrix} = \sum_{j=1}^{n} \begin{pmatrix} a_j \\ b_j \end{pmatrix} x_j",
)


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def sentence(choose: random.Random) -> Words:
    """A sentence and its translation."""
    thing, deed, what, when = (choose.choice(part) for part in (_THINGS, _DEEDS, _OBJECTS, _WHENS))
    kind = choose.randrange(3)
    if kind == 0:
        opening = choose.choice(_OPENINGS)
        return Words(
            f"{opening.zh}：{thing.zh}{deed.zh}{what.zh}，{when.zh}。",
            f"{opening.en}: {thing.en} {deed.en} {what.en}, {when.en}.",
        )
    if kind == 1:
        return Words(
            f"{thing.zh}{deed.zh}{what.zh}，{when.zh}。",
            f"{_capital(thing.en)} {deed.en} {what.en}, {when.en}.",
        )
    other, does, that = (choose.choice(part) for part in (_THINGS, _DEEDS, _OBJECTS))
    return Words(
        f"{thing.zh}{deed.zh}{what.zh}，而{other.zh}{does.zh}{that.zh}。",
        f"{_capital(thing.en)} {deed.en} {what.en}, while {other.en} {does.en} {that.en}.",
    )


def paragraph(choose: random.Random, *, maths: bool) -> Words:
    """Three to five sentences with the markup of prose: emphasis, code, links, formulas."""
    zh, en = [], []
    for _ in range(choose.randint(3, 5)):
        said = sentence(choose)
        zh.append(said.zh)
        en.append(said.en)
        kind, number = choose.randrange(9), choose.randint(2, 90)
        if kind == 0:
            zh.append(f"**改动之后差了 {number}%**，与预期相符。")
            en.append(f"**The change was {number}%**, as expected.")
        elif kind == 1:
            zh.append(f"编译时加上 `-funroll={number}` 和 `--tile {8 * number}`，*不用*别的选项。")
            en.append(f"It was built with `-funroll={number}` and `--tile {8 * number}`, and *nothing* else.")
        elif kind == 2:
            zh.append(f"推导见[附录 {number}](https://example.org/notes/{number}/)。")
            en.append(f"The proof is in [appendix {number}](https://example.org/notes/{number}/).")
        elif kind == 3 and maths:
            formula = choose.choice(_INLINE)
            zh.append(f"这时 {formula} 成立。")
            en.append(f"Here {formula} holds.")
    return Words("".join(zh), " ".join(en))


def bullets(choose: random.Random) -> Words:
    """A list of four items: numbered, or with two items nested below the second."""
    items = choose.sample(_ADVICE, 4)
    if choose.randrange(3) == 0:
        return Words(
            *("\n".join(f"{n}. {one[side]}" for n, one in enumerate(items, start=1)) for side in (0, 1))
        )
    below = (sentence(choose), sentence(choose))
    return Words(
        *(
            "\n".join(
                (
                    *(f"- {one[side]}" for one in items[:2]),
                    *(f"    - {one[side]}" for one in below),
                    *(f"- {one[side]}" for one in items[2:]),
                )
            )
            for side in (0, 1)
        )
    )


def table(choose: random.Random) -> Words:
    """A table of five to seven rows, with the same numbers in both languages."""
    rows = [
        (
            variant,
            2 ** choose.randint(8, 24),
            choose.uniform(0.1, 16),
            choose.uniform(1, 800),
            choose.randint(1, 99),
        )
        for variant in choose.sample(_VARIANTS, choose.randint(5, 7))
    ]
    return Words(
        *(
            "\n".join(
                (
                    f"| {' | '.join(column[side] for column in _COLUMNS)} |",
                    "| :--- | ---: | ---: | ---: | ---: |",
                    *(
                        f"| `{variant[side]}` | {size} | {traffic:.2f} GB | {rate:.1f} GB/s | {share}% |"
                        for variant, size, traffic, rate, share in rows
                    ),
                )
            )
            for side in (0, 1)
        )
    )


def formula(choose: random.Random) -> Words:
    """A displayed formula."""
    text = f"$$\n{choose.choice(_DISPLAYED)}\n$$"
    return Words(text, text)


def picture(choose: random.Random, count: int) -> Words:
    """One of the site's `count` pictures."""
    number = choose.randint(1, count)
    return Words(
        f"![第 {number} 台机器的测量值](/img/machine-{number}.svg)",
        f"![Measurements of machine {number}](/img/machine-{number}.svg)",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """The subject of a post."""

    title: Words
    tags: tuple[str, ...]
    category: str


def subject(choose: random.Random, number: int) -> Subject:
    """The title, tags and category of the post with a number."""
    topic, angle = choose.choice(TOPICS), choose.choice(ANGLES)
    return Subject(
        title=Words(f"{topic.zh}：{angle.zh}之{number}", f"{topic.en}, {angle.en} ({number})"),
        tags=tuple(sorted(tag.en for tag in choose.sample(TAGS, choose.randint(2, 4)))),
        category=choose.choice(CATEGORIES).en,
    )
