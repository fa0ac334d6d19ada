"""Halves that say the opposite: denials, directions, shares in words; and free translations that do not."""

from collections import Counter
from pathlib import Path

import pytest

from diglot.content.agreement import compare_texts
from diglot.content.sentence_pairs import sentence_pairs, sentences_in
from diglot.languages import Language
from tests.content.test_agreement import found_in

BOUND = "￼"
DENIED = """
H200不支持FP4。 | H200 supports FP4.
这不是瓶颈。 | This is the bottleneck.
没有开销。 | It has overhead.
模型装不下。 | The model fits.
延迟不受影响。 | Latency is affected.
带宽不够。 | Bandwidth is sufficient.
不需要重启。 | It needs a restart.
这里没有缓存。 | There is a cache here.
编译器不会融合它们。 | The compiler will fuse them.
批次很重要。 | The batch does not matter.
它会写回内存。 | It never writes back to memory.
两者相关。 | The two are not related.
数据可以复用。 | The data can't be reused.
这个结论成立。 | This conclusion does not hold.
未启用压缩。 | Compression is enabled.
结果是可信的。 | The result is not credible.
有人用它。 | Nobody uses it.
无法并行。 | It can run in parallel.
缓存命中。 | The cache is not hit.
TPU没有缓存。 | TPUs have caches.
这并不奇怪。 | This is surprising.
算力不重要。 | Compute is important.
TPU不支持FP4。 | TPUs support FP4.
它没有专门的单元。 | It has a dedicated unit.
延迟没有增加。 | Latency increased.
结果不可靠。 | The results are reliable.
模型不能放进一张卡。 | The model can fit on one card.
H200并不更快。 | H200 is faster.
该接口未公开。 | The interface is public.
不建议这样做。 | We recommend this.
数据不会丢失。 | The data will be lost.
它不依赖批次。 | It depends on the batch.
不需要校准。 | Calibration is required.
两者不相等。 | The two are equal.
没有差别。 | There is a difference.
不适合推理。 | It suits inference.
无需重新训练。 | It needs retraining.
这一步可以省略。 | This step cannot be skipped.
内存足够。 | The memory is not enough.
它总是更快。 | It is never faster.
所有芯片都支持。 | No chip supports it.
带宽受限。 | It is not bandwidth-bound.
公式成立。 | The formula does not hold.
可以并行执行。 | It cannot run in parallel.
这个方法难以扩展到多台机器。 | The method scales to many machines with ease.
别在训练时打开这个选项。 | Turn this option on during training.
莫把峰值当成测量值。 | Take the peak for a measured value.
显存不足以放下整个模型。 | The memory is enough to hold the whole model.
这份报告缺少误差分析。 | The report has an error analysis.
编译器几乎不展开这个循环。 | The compiler almost always unrolls this loop.
调度器拒绝超时的请求。 | The scheduler accepts requests that time out.
缓存从不失效。 | The cache often expires.
这种布局很难向量化。 | This layout is easy to vectorise.
芯片不再发热。 | The chip still heats up.
我们没有重复实验。 | We repeated the experiment.
权重无需转置。 | The weights need to be transposed.
结果与批量无关。 | The result depends on the batch.
带宽并不是瓶颈。 | Bandwidth is the bottleneck.
不要相信这个数字。 | Believe this number.
这一步不可省略。 | This step can be skipped.
模型未经微调。 | The model was fine-tuned.
没有人测过它。 | Everyone has measured it.
数据不在片上。 | The data are on the chip.
驱动禁止并发访问。 | The driver allows concurrent access.
它支持稀疏。 | It hardly supports sparsity.
程序带校验运行。 | The program runs without checks.
优化器找到了最优解。 | The optimiser fails to find the optimum.
它用测量值。 | It uses estimates rather than measurements.
这台机器有风扇。 | The machine lacks a fan.
预取总有帮助。 | Prefetching never helps.
数据装得进缓存。 | The data cannot fit into the cache.
每个核都有调度器。 | None of the cores has a scheduler.
这项优化值得做。 | The optimisation is not worth doing.
两个结果相符。 | The two results disagree.
输入必须对齐。 | The input need not be aligned.
它在大批量时更快。 | It is not faster with large batches.
这条路径是安全的。 | The path is unsafe.
编译成功了。 | Compilation failed.
结果可以复现。 | The result is not reproducible.
用户看得到它。 | The user is unable to see it.
时钟是同步的。 | The clocks are not synchronised.
阵列常常是满的。 | The array is seldom full.
他们公布了数据。 | They did not publish the data.
请先清空缓存。 | Do not clear the cache first.
吞吐随批量增长。 | Throughput does not grow with the batch.
所有芯片都受影响。 | No chip is affected.
这个假设很合理。 | The assumption is unreasonable.
他们很少测量功耗。 | They always measure the power.
避免使用锁。 | Use locks.
请勿修改这个文件。 | Modify this file.
这样做毫无意义。 | Doing so makes sense.
没有必要重排数据。 | It is necessary to reorder the data.
误差无法忽略。 | The error can be ignored.
测试全部通过。 | None of the tests pass.
它忽略了延迟。 | It takes latency into account.
模型可以不微调直接使用。 | The model has to be fine-tuned before use.
编译器会内联这个函数。 | The compiler refuses to inline this function.
它保留旧的格式。 | It no longer keeps the old format.
这个近似足够准确。 | The approximation is far too inaccurate.
写操作会阻塞。 | Writes complete without blocking.
我们建议升级。 | We advise against an upgrade.
两种实现等价。 | The two implementations are not equivalent.
它需要联网。 | It works without a network.
这个结论可以推广。 | The conclusion does not generalise.
调度器莫要打断长任务。 | The scheduler should interrupt long jobs.
权重不足以填满缓存。 | The weights suffice to fill the cache.
该库缺少文档。 | The library has documentation.
这种写法几乎不增加开销。 | This style greatly increases the overhead.
服务器拒绝匿名请求。 | The server accepts anonymous requests.
这个接口从不返回空值。 | This interface often returns null.
别把两个单位混用。 | Mix the two units.
这套参数难以复现。 | These parameters are easily reproduced.
缓冲区足够大。 | The buffer is hardly large enough.
程序带着日志运行。 | The program runs without logs.
没有索引的查询更慢。 | A query with an index is slower.
不用缓存更快。 | With the cache it is faster.
不加填充，阵列是满的。 | With padding the array is full.
校准修正了偏差。 | Calibration fails to correct the bias.
新版本有类型检查。 | The new version lacks type checking.
这个数字可以公开。 | This number may not be published.
请重启服务。 | Do not restart the service.
旧驱动仍然兼容。 | The old driver is no longer compatible.
两种格式是兼容的。 | The two formats are incompatible.
结果很稳定。 | The results are unstable.
我们没有做消融实验。 | We ran ablations.
该模型未开源。 | The model is open-source.
芯片不带风扇。 | The chip comes with a fan.
请务必备份数据。 | There is no need to back up the data.
"""
LED_ELSEWHERE = """
H200比H100快2倍。 | H200 is 2 times slower than H100.
它快30%。 | It is 30% slower.
延迟降低了30%。 | Latency rises by 30%.
功耗低20%。 | It draws 20% higher power.
便宜40%。 | It is 40% more expensive.
少用3 GB。 | It uses 3 GB more.
多用3 GB。 | It uses 3 GB less.
吞吐增加25%。 | Throughput drops 25%.
长12 ms。 | It is 12 ms shorter.
高于￼。 | It is below ￼.
至少￼个芯片。 | At most ￼ chips.
不超过￼。 | More than ￼.
价格上涨了8%。 | Prices fell by 8%.
带宽大1.5倍。 | Its bandwidth is 1.5 times smaller.
新芯片比旧芯片慢30%。 | The new chip is 30% faster than the old one.
低于￼ FLOP/B时受带宽限制。 | Above ￼ FLOP/B it is bound by bandwidth.
至少需要8个芯片。 | It needs at most 8 chips.
不到3 ms。 | More than 3 ms.
每一步都慢于3毫秒。 | Every step is faster than 3 ms.
每一步都快于约3毫秒。 | Every step is slower than about 3 ms.
这些线都短于12 mm。 | All of these wires are longer than 12 mm.
它轻于5千克。 | It is heavier than 5 kg.
"""
OPPOSITE = """
数据从左边进入。 | Data enter from the right.
图中都是下界，即下限。 | All of these are upper bounds.
部分和从底边流出。 | Partial sums leave at the top.
所以这条线偏乐观。 | So this line is pessimistic.
v5p拐得最早。 | The v5p bends latest.
脊点越高，越需要融合。 | The lower the ridge, the more it needs fusion.
波数越多，锯齿越深。 | The more waves, the shallower the teeth.
左边访存受限，右边算力受限。 | The right is memory-bound, the left compute-bound.
结果按升序排列。 | The results are in descending order.
先读输入。 | It reads the output first.
"""
NOT_OPPOSITE = """
占三成左右。 | It is about 30%, on the right of the map.
左右对照。 | Compare left and right.
批量越小越慢。 | The larger the batch, the faster.
左边还剩一个。 | One is left on the left.
这是对的。 | That is right.
越便宜越好。 | The lower the price, the better.
最晚的一步最先做。 | What comes latest is done first.
从上往下看。 | Read from the top.
输入变成输出。 | Inputs become outputs.
输出取决于输入。 | Inputs determine the output.
"""
OTHER_SHARES = """
过半的时间花在读内存上。 | A third of the time goes to reading memory.
大多数请求都短。 | A third of the requests are short.
近半的时间。 | Nearly a third of the time.
一半的带宽。 | A third of the bandwidth.
四成的算力。 | Sixty percent of the compute.
九成的时间。 | Half of the time.
半数芯片空闲。 | A quarter of the chips are idle.
三分之一的时间。 | Two thirds of the time.
少数请求很长。 | Most requests are long.
大部分时间在等。 | A minority of the time is spent waiting.
三分之一的请求落空。 | Most of the requests miss.
超过三分之二。 | Over half.
八成以上。 | Over 60%.
百分之91。 | 19%.
近四成。 | Nearly half.
超半数的卡。 | Less than half of the cards.
大半时间在算。 | A tenth of the time it computes.
"""
FAITHFUL = """
每一步都快于3毫秒。 | Every step is faster than 3 ms.
每一步都快于3毫秒。 | Every step takes less than 3 ms.
每一步都短于3毫秒。 | Every step is faster than 3 ms.
没有一步慢于3毫秒。 | Every step is faster than 3 ms.
每一步都不慢于3毫秒。 | Every step is at least as fast as 3 ms.
快于3毫秒的不算。 | Only what is slower than 3 ms counts.
每一步慢3毫秒。 | Every step is slower than before by 3 ms.
不到三成的请求会丢失。 | Under 30% of requests are lost.
差别不大。 | The difference is small.
两者差别不大。 | The two differ little.
没有比它更快的芯片。 | It is the fastest chip.
再快也没有用。 | Being faster does not help.
更快，但不更便宜。 | It is faster, but no cheaper.
不必重新训练，微调就行。 | Fine-tuning is enough; there is no need to train again.
训练不是瓶颈，推理才是。 | Inference is the bottleneck, and training is not.
它不读权重，只写结果。 | It only writes results and reads no weights.
别的芯片都支持，它不支持。 | All other chips support it; this one does not.
用不着等待。 | There is no need to wait.
等待不可避免。 | Waiting is inevitable.
这里的等待不是浪费。 | Waiting is no waste here.
不相等的部分补零。 | What differs is padded with zeros.
不对齐的部分要补齐。 | Unaligned parts are padded.
跳过不需要的部分。 | Skip the parts that you do not need.
不需要的部分可以跳过。 | What is not needed can be skipped.
模型小，所以不需要切分。 | The model is small enough to run unsharded.
没有索引的查询更慢。 | A query with an index is faster.
不用缓存更快。 | With the cache it is slower.
不用改动，代码照样跑得快。 | Plain code runs just as fast, with the same results.
没有校准的模型与测量值相差一倍。 | Ideal models are compared with measurements and are off by two.
没有命中时读内存。 | On a miss it reads memory.
没有命中时读内存。 | If it does not hit, memory is read.
不用的专家留在内存里。 | Idle experts stay in memory.
不支持的格式会被转换。 | Other formats are converted.
不支持的格式报错。 | Unsupported formats are errors.
在不支持FP8的芯片上用BF16。 | Chips without FP8 use BF16.
批次不大时，延迟更短。 | With a small batch, latency is shorter.
不考虑通信时，两者相同。 | Communication aside, the two are the same.
它不一定更快。 | It may or may not be faster.
未必更好。 | It is not necessarily better.
这并不总是成立。 | This does not always hold.
它不受带宽限制，而受算力限制。 | It is bound by compute, not by bandwidth.
在不改变结果的前提下，它快30%。 | With the same results it is 30% faster.
不断增加的批次最终会溢出。 | A batch that keeps growing overflows in the end.
不同的编译器生成不同的代码。 | Compilers generate different code.
没有开销的并行并不存在。 | Every kind of parallelism has its overhead.
并行都有开销。 | There is no parallelism without overhead.
H200没有公布功耗，H100公布了。 | Power is published for H100, and not for H200.
不高的利用率也够用。 | A low utilisation is enough.
它没有变慢。 | It is as fast as before.
性能没有下降。 | Performance stays the same.
结果没有变化。 | The results are the same.
不能只看峰值。 | Peaks are not all that counts.
说它不重要是错的。 | It is wrong to call it unimportant.
没人能解释原因。 | Nobody can explain why.
这不奇怪，因为内存慢。 | No wonder: memory is slow.
不难解释。 | It is easy to explain.
难以解释。 | It is not easy to explain.
不够快。 | It is too slow.
不太贵。 | It is fairly cheap.
这不是免费的。 | This comes at a price.
带宽不是无限的，算力也不是。 | Bandwidth is finite, and so is compute.
没有哪块芯片在所有批次下都最快。 | No chip is fastest at every batch.
这一结论只在批次较大时成立。 | The conclusion holds only for large batches.
把模型放进一张卡，需要至少80 GB内存。 | To fit the model on one card takes no less than 80 GB of memory.
与直觉相反，更大的阵列不一定更快。 | Contrary to intuition, a larger array need not be faster.
瓶颈不在算力，而在内存。 | The bottleneck is memory rather than compute.
瓶颈不在算力，而在内存。 | It is memory, not compute, that binds.
编译器无法预知形状，于是补零。 | The compiler cannot know the shapes ahead of time, so it pads.
形状不规则时，阵列有一部分闲着。 | With irregular shapes, a part of the array idles.
数据没有复用，就得一遍遍重读。 | Data that are not reused have to be read again and again.
它几乎不占面积。 | It takes hardly any area.
这并不意味着TPU更差。 | That does not make TPUs worse.
不妨先算一算强度。 | Let us compute the intensity first.
差别微乎其微。 | The difference is negligible.
没有人公布过这个数字。 | The number has never been published.
厂商未公布功耗。 | The vendor publishes no power.
厂商未公布功耗，我们只能估计。 | Power is unpublished, so we estimate it.
这里不考虑网络。 | The network is left out here.
我们忽略网络。 | We do not consider the network.
读一次就够了。 | One read is all it takes.
它不需要额外的硬件。 | It works without extra hardware.
额外的硬件是多余的。 | It does not need extra hardware.
H200的内存不比H100快多少。 | The memory of H200 is only slightly faster than that of H100.
慢了将近一半。 | It is nearly half as slow again.
快出一倍多。 | More than twice as fast.
只有不到三成的时间在计算。 | Under 30% of the time goes to computing.
剩下的七成时间都在等。 | The other 70% is spent waiting.
过半的周期浪费在等待上。 | More cycles are wasted waiting than not.
绝大多数权重只读一次。 | Nearly all weights are read just once.
少数专家接走了大部分词元。 | A few experts take most of the tokens.
至少要两块芯片才装得下。 | It takes two chips or more to hold it.
两块芯片仍装不下。 | Even two chips are too small.
批次从8涨到64，延迟才翻一倍。 | From batch 8 to 64, latency only doubles.
功耗降了三分之一。 | It draws a third less power.
价格高出20%。 | It costs 20% more.
便宜20%，但慢30%。 | It is 20% cheaper but 30% slower.
每瓦性能提高40%。 | Performance per watt is up 40%.
能耗减少40%。 | It needs 40% less energy.
不看价格，H200更划算。 | Price aside, H200 is the better buy.
它从不超过屋顶。 | It always stays below the roof.
它始终在屋顶之下。 | It never exceeds the roof.
这种写法并不少见，甚至很常见。 | This style is not uncommon; it is even frequent.
不用多久，内存就会用完。 | Before long, memory runs out.
我没说它慢。 | I said nothing about its being slow.
除了带宽，其他都一样。 | All but the bandwidth is the same.
不换芯片也能快30%。 | It gets 30% faster on the same chip.
别把峰值当成实测。 | Do not mistake the peak for a measurement.
显存够用，就不必切分。 | With enough memory there is no need to shard.
直到第三层才出现差别。 | No difference shows before the third layer.
它要么命中，要么落空。 | It either hits or misses.
与其等待，不如重算。 | Recomputing beats waiting.
结果对不上，说明模型有误。 | The results do not match, so the model is wrong.
模型错了：结果不一致。 | The model is wrong, for the results disagree.
不考虑开销时，两者一样快。 | Overheads aside, both are equally fast.
两者差不多快。 | Neither is much faster than the other.
高于脊点时，算力是瓶颈。 | Above the ridge, compute binds.
没有一种调度能避免它。 | Every schedule runs into it.
这套接口支持FP8，不支持FP4。 | FP8 is supported by the interface; FP4 is not.
它不依赖编译器的版本。 | It is independent of the compiler’s version.
不到一秒就能读完。 | It is read in less than a second.
这并不少见。 | This is not uncommon.
这很常见。 | This is not uncommon.
我们不得不重算。 | We have to compute it again.
至多8个。 | No more than 8.
不到20%。 | Less than 20%.
只是内存读取。 | It is nothing but reads of memory.
我们忍不住试了试。 | We could not help trying it.
不禁要问为什么。 | One wonders why.
它不仅快，还便宜。 | It is fast and cheap.
不同的芯片有不同的屋顶。 | Each chip has its own roof.
误差不断累积。 | Errors accumulate.
带宽不变。 | Bandwidth stays constant.
不难看出，它受限于内存。 | It is easy to see that memory binds it.
这不可避免。 | This is inevitable.
毫无疑问，内存是瓶颈。 | Memory is certainly the bottleneck.
别忘了预热。 | Remember to warm up.
记得预热。 | Do not forget to warm up.
很快就好。 | It does not take long.
难怪它慢。 | No wonder it is slow.
两者不相上下。 | The two are on a par.
这离不开高带宽。 | This depends on high bandwidth.
不如把它拆开。 | It is better to split it.
说白了就是搬数据。 | It is nothing more than moving data.
不管批次多大，结果都一样。 | Whatever the batch, the result is the same.
它毫不费力地跑满。 | It runs at its peak with ease.
规模不小。 | Its scale is considerable.
开销不大。 | The overhead is small.
直到写回才结束。 | It does not end until the write-back.
这没什么奇怪的。 | It is natural.
是不是更快，要看批次。 | Whether it is faster depends on the batch.
未来会更快。 | It will get faster.
无论如何都要读一次。 | It has to be read once anyway.
除非命中，否则要读内存。 | Memory is read unless it hits.
这不值一提。 | This is negligible.
谁也没想到它这么快。 | It is surprisingly fast.
它只读一次。 | It does not read twice.
照旧。 | Nothing changes.
算力闲着。 | Compute has nothing to do.
结果没变。 | The result is the same.
没有带宽，算力就白费。 | Without bandwidth, compute is wasted.
这是常识。 | It is no secret.
事与愿违。 | Things did not go as planned.
内存说了算。 | Compute does not decide; memory does.
原地等待。 | It waits and does not move.
不必惊慌。 | There is no need to panic.
不用手动调。 | Tuning is automatic.
不需要驱动。 | It works out of the box.
不求最快。 | It settles for less than the fastest.
H100比H200慢30%。 | H200 is 30% faster than H100.
快30%。 | It takes 30% less time.
延迟降低30%。 | It saves 30% of the latency.
大约30%。 | About 30% more.
提高了30%。 | It is 30% faster.
至少8个。 | No fewer than 8.
至多8个。 | No more than 8.
不到3 ms。 | Less than 3 ms.
最多3 GB。 | Up to 3 GB.
慢一倍。 | It is half as fast.
它是￼以上。 | It is over ￼.
不低于￼。 | At least ￼.
价格跌了8%。 | It is 8% cheaper.
多花3 ms。 | It takes 3 ms longer.
节省40%。 | It costs 40% less.
没有超过￼。 | It stays below ￼.
增加到3倍。 | It grows to 3 times the size.
少于10%的请求更慢。 | Fewer than 10% of requests are slower.
高达￼。 | Up to ￼.
过半的时间。 | More than half of the time.
过半的时间。 | Over half of the time.
过半（62%）。 | Over half (62%).
过半。 | It is 56%.
近半。 | Nearly half.
近半。 | 48% of it.
大多数请求都短。 | Most requests are short.
多数情况下。 | In most cases.
九成的时间。 | Nine tenths of the time.
九成的时间。 | 90% of the time.
半数芯片。 | Half of the chips.
大部分时间。 | The bulk of the time.
少数请求。 | A minority of requests.
三分之二的请求都短。 | Most requests are short, two thirds of them.
大多数（七成）。 | The majority (70%).
最多三分之一。 | At most a third.
它跑得最多，占三成。 | It runs the most, at 30%.
四分之三。 | Three quarters.
两成。 | A fifth.
过半的请求。 | The majority of requests.
不到一半。 | Less than half.
不得不重新编译。 | It has to be recompiled.
它不仅更快，而且更省电。 | It is not only faster but also saves power.
除非批量很大，否则阵列是空的。 | Unless the batch is large, the array idles.
无论精度如何，结果都一样。 | Regardless of precision, the result is the same.
这并不罕见。 | This is common.
两者不无关系。 | The two are related.
不能不考虑带宽。 | Bandwidth has to be considered.
它不比H200慢。 | It is as fast as H200.
显存放不下整个模型。 | The model is too large for the memory.
这种情况很少见。 | This does not happen often.
结果保持不变。 | The result stays the same.
不同的芯片有不同的脊点。 | Each chip has its own ridge.
数据不断到来。 | Data keep arriving.
不妨试一试。 | It is worth a try.
无非是多读一遍。 | It only reads once more.
它没有H200快。 | It is slower than H200.
不用说，这很重要。 | Of course this matters.
只有大批量才值得。 | It does not pay unless batches are large.
这里不考虑延迟。 | Latency is ignored here.
请不要关闭电源。 | Keep the power on.
毫无疑问，带宽是瓶颈。 | Bandwidth is certainly the bottleneck.
不难看出，阵列是空的。 | It is easy to see that the array idles.
没有缓存时，每次都要读内存。 | Without a cache, each access reads memory.
缺少带宽的芯片需要更大的批量。 | Chips short of bandwidth need larger batches.
这个值难以预测。 | The value is hard to predict.
几乎没有差别。 | There is hardly any difference.
我们拒绝了这个假设。 | We rejected this assumption.
直到2020年才公布。 | It was not published until 2020.
它从不失败。 | It always succeeds.
与其重算，不如保存。 | Keeping it is better than recomputing it.
不是带宽，而是延迟。 | Latency rather than bandwidth.
没有什么比这更快。 | This is the fastest.
无需改代码即可运行。 | It runs with the code as it is.
不止一个原因。 | There are several reasons.
它还没有发布。 | It is still to be released.
差不多一样快。 | It is about as fast.
不久之后就坏了。 | Soon it broke.
两者缺一不可。 | Both are needed.
区别在于内存。 | The difference is the memory.
小批量时特别快。 | It is especially fast with small batches.
个别芯片更快。 | Some chips are faster.
别的芯片更快。 | Other chips are faster.
两者分别测量。 | They are measured separately.
约莫三成。 | About 30%.
难点在带宽。 | Bandwidth is the crux.
美中不足的是功耗高。 | Its one flaw is its high power.
带宽不足。 | Bandwidth is scarce.
这是不可避免的。 | This is inevitable.
非常快。 | It is very fast.
除了H200都支持。 | All but H200 support it.
并非所有芯片都支持。 | Only some chips support it.
未来会更快。 | It will be faster.
不过它更快。 | However, it is faster.
不然会溢出。 | Otherwise it overflows.
好不容易跑通了。 | It ran at last.
它不会失败。 | It never fails.
超时的请求会重试。 | Requests that fail to finish in time are retried.
不带校验的程序更快。 | Programs without checks are faster.
请用测量值代替估计值。 | Use measurements rather than estimates.
数据只读一次。 | The data are read no more than once.
每次都要写。 | No run goes without a write.
用完立即释放。 | It is freed without delay.
全部失败。 | None succeeded.
只剩一条路。 | There is no other way.
谁都知道。 | There is nobody who does not know.
阵列闲着。 | The array has nothing to do.
它始终有效。 | It never stops working.
缓存已满。 | There is no room left in the cache.
结果出人意料。 | Nobody expected the result.
它首屈一指。 | It is second to none.
这很正常。 | There is nothing unusual about it.
两者完全一样。 | There is no difference.
精度照旧。 | Precision does not change.
它是免费的。 | It costs nothing.
离线也能用。 | It works without a network.
它读寄存器，绕过内存。 | It reads registers rather than memory.
我们改用实测带宽。 | We use measured rather than peak bandwidth.
只要批量够大就不慢。 | With a large enough batch it is fast.
这一级别的缓存会缺失。 | This level of the cache misses.
识别率提高了。 | Recognition has improved.
它比上一代难用。 | It is harder to use than its predecessor.
速度取决于有没有缓存。 | The speed depends on whether there is a cache.
少了这一步，结果照样正确。 | The result is right without this step.
省去转置后更快。 | It is faster without the transpose.
裸跑时更快。 | It runs faster without virtualisation.
它直接写出结果，跳过缓存。 | It writes the result directly instead of caching it.
单机就够了。 | One machine is enough; more would not help.
必须先停机才能升级。 | It cannot be upgraded without a stop.
难度不大。 | It is fairly easy.
不少芯片支持FP8。 | Many chips support FP8.
不到半秒就收敛。 | It converges in less than half a second.
缺省打开压缩。 | Compression is on by default.
拒绝服务攻击会拖慢它。 | Denial-of-service attacks slow it down.
禁用缓存后更慢。 | It is slower with the cache disabled.
这一版禁止了动态形状。 | This version bans dynamic shapes.
勿需多言。 | This needs no comment.
测不准是难免的。 | Some inaccuracy is unavoidable.
未必更快。 | It may be slower.
所有芯片都一样。 | No chip differs.
名称相同，大小各异。 | They share a name and differ in size.
阵列闲置一半。 | Half of the array is busy.
容易崩溃。 | It is difficult to keep it running.
任何一块芯片都放得下。 | There is no chip on which it does not fit.
没有缓存的芯片更简单。 | Chips that lack a cache are simpler.
关掉缓存，延迟反而稳定。 | With the cache disabled, latency is stable.
它很少出错。 | It is mostly right.
请检查输入。 | Never trust the input.
别用峰值，要用实测值。 | Use measured values, not peaks.
避免频繁重启。 | Restart as rarely as you can.
停止训练后保存权重。 | The weights are saved once training ends.
禁止裸写显存，所有写入都走驱动。 | All writes go through the driver.
它难以置信地快。 | It is incredibly fast.
很少有人知道它。 | It is little known.
数据在片上，省去了搬运。 | The data are on the chip, so they need not move.
有的芯片有缓存，有的没有。 | Some chips have caches and some lack them.
他有理由怀疑。 | His doubts are not unreasonable.
它有三个优点。 | It lacks nothing in three respects.
用户需要自己释放内存。 | Memory is not released automatically.
结果要等全部完成才返回。 | It does not return until everything is complete.
这个假设对小批量失效。 | This assumption does not hold for small batches.
模型参数冻结。 | The parameters of the model do not change.
这样就省得重新编译。 | This avoids recompiling.
它自带网络。 | It needs no external network.
新版不需要联网。 | The new version works without a network.
与缓存无关。 | It is independent of the cache.
这很不合理。 | This is unreasonable.
除非必要，勿增实体。 | Entities should not be multiplied beyond necessity.
"""


def rows(table: str) -> list[tuple[str, str]]:
    """The pairs of sentences in a table."""
    pairs = (line.partition(" | ") for line in table.strip().splitlines())
    return [(zh, en) for zh, _, en in pairs]


@pytest.mark.parametrize(
    ("table", "rule"),
    [
        (DENIED, "halves-negation"),
        (LED_ELSEWHERE, "halves-quantity"),
        (OTHER_SHARES, "halves-quantity"),
        (OPPOSITE, "halves-opposite"),
    ],
)
def test_halves_that_say_the_opposite(table: str, rule: str) -> None:
    found = {(zh, en): [one.rule for one in compare_texts(zh, en)] for zh, en in rows(table)}
    assert not [pair for pair, rules in found.items() if rule not in rules]


def test_free_translations_say_the_same() -> None:
    found = {
        (zh, en): [one.message for one in compare_texts(zh, en)] for zh, en in rows(FAITHFUL + NOT_OPPOSITE)
    }
    assert len(found) >= 100
    assert not {pair: messages for pair, messages in found.items() if messages}


@pytest.mark.parametrize(
    ("zh", "en"),
    [
        ("- 快。\n- 不支持FP4。", "- Fast.\n- It supports FP4."),
        ("> 它不支持FP4。", "> It supports FP4."),
        ("| a |\n|---|\n| 不支持FP4 |", "| a |\n|---|\n| supports FP4 |"),
        ("它快。“不支持FP4。”它贵。", "It is fast. “It supports FP4.” It is expensive."),
        ("有脚注。[^a]\n\n[^a]: 它不支持FP4。", "A note.[^a]\n\n[^a]: It supports FP4."),
        ("![不支持FP4](a.png)", "![supports FP4](a.png)"),
        ("**不支持**FP4。", "It **supports** FP4."),
    ],
)
def test_a_denial_is_found_wherever_it_stands(zh: str, en: str) -> None:
    assert [rule for rule, _ in found_in(zh, en)] == ["halves-negation"]


def test_names_of_capitals_that_were_exchanged() -> None:
    both = "TPU与GPU。", "TPUs and GPUs."
    assert found_in(f"{both[0]}\n\n给TPU取整。", f"{both[1]}\n\nRound it for a GPU.") == [
        ("halves-name", "“TPU” here, “GPU” in the English half")
    ]
    assert found_in(f"{both[0]}\n\n给TPU取整。", f"{both[1]}\n\nRound it for an MXU.") == []
    assert found_in(f"{both[0]}\n\n给TPU取整。", f"{both[1]}\n\nRound it for the chip.") == []


def test_sentences_that_may_not_belong_together_are_not_compared() -> None:
    assert [*sentence_pairs("甲。乙。", "A and b.")] == []
    assert [*sentence_pairs("甲。\n乙。丙。", "A.\nB, c.")] == [("甲。", "A.")]


@pytest.mark.parametrize(
    ("line", "language", "count"),
    [
        ("甲。乙！丙？", "zh", 3),
        ("他说“甲。”乙。", "zh", 2),
        ("One. Two. Three?", "en", 3),
        ("See Fig. 3, e.g. No. 5 of A. Smith vs. others. Two.", "en", 2),
        ("It takes 3.5 ms. “Good.” Then 4.", "en", 3),
        (f"It takes {BOUND}. {BOUND} is more.", "en", 2),
    ],
)
def test_where_sentences_end(line: str, language: Language, count: int) -> None:
    assert len(sentences_in(line, language)) == count


PARAGRAPH_ZH = "先看内存带宽决定的斜线。再看峰值算力决定的平顶。这一步常被忽略。两条线在脊点相交。"
PARAGRAPH_EN = (
    "Look first at the slope that memory bandwidth gives. Then look at the flat roof that peak compute"
    " gives. This step is often forgotten. The two lines meet at the ridge point."
)


def test_a_short_sentence_that_one_half_has_dropped() -> None:
    zh, en = [PARAGRAPH_ZH] * 8, [PARAGRAPH_EN] * 8
    assert found_in("\n\n".join(zh), "\n\n".join(en)) == []
    en[4] = PARAGRAPH_EN.replace("This step is often forgotten. ", "")
    ((rule, message),) = found_in("\n\n".join(zh), "\n\n".join(en))
    assert (rule, message.partition(" (")[0]) == (
        "halves-length",
        "4 sentences here, 3 in the English half: some seem to be missing in the English half",
    )
    en[4], zh[4] = PARAGRAPH_EN, PARAGRAPH_ZH.replace("这一步常被忽略。", "")
    ((rule, message),) = found_in("\n\n".join(zh), "\n\n".join(en))
    assert (rule, message.partition(" (")[0]) == (
        "halves-length",
        "3 sentences here, 4 in the English half: some seem to be missing here",
    )


DATA = Path(__file__).parent / "data"
SENTENCE_BY_SENTENCE = (DATA / "sentence-by-sentence.txt").read_text("utf-8")
JOINED = (DATA / "joined-sentences.txt").read_text("utf-8")
ENGINEERS = (DATA / "engineers-pairs.txt").read_text("utf-8")
CONTRADICTIONS = (DATA / "contradictions.txt").read_text("utf-8")
FREE = (DATA / "free-translations.txt").read_text("utf-8")


def test_of_contradictions_most_are_found_and_none_in_free_translations() -> None:
    found = {pair: compare_texts(*pair) for pair in rows(CONTRADICTIONS)}
    missed = [pair for pair, differences in found.items() if not differences]
    assert len(missed) <= 5 < 60 <= len(found), missed
    alarms = {pair: [one.message for one in compare_texts(*pair)] for pair in rows(FREE)}
    assert len(alarms) >= 120
    assert not {pair: messages for pair, messages in alarms.items() if messages}


def test_of_ten_kinds_of_mistakes_most_are_found_and_none_in_faithful_translations() -> None:
    missed: list[str] = []
    counts = Counter[str]()
    for section in ENGINEERS.split("# ")[1:]:
        kind, _, table = section.partition("\n")
        for mark, pair in (line.split(" ", 1) for line in table.strip().splitlines()):
            differences = found_in(*rows(pair)[0])
            counts[mark] += 1
            if mark == "✓":
                assert not differences, (kind, pair)
            elif not differences:
                missed.append(f"{kind}: {pair}")
    assert counts["✗"] >= 90 <= counts["✓"]
    assert len(missed) <= 0.1 * counts["✗"], missed


MODALS = [
    ("无法", "不会", "不必", "可以", "必须"),
    ("cannot", "will not", "need not", "can", "must"),
]


@pytest.mark.parametrize(
    ("zh", "en"), [(zh, en) for zh in range(5) for en in range(5) if zh != en and {zh, en} != {1, 2}]
)
def test_what_can_and_must_happen_is_the_same_in_both_halves(zh: int, en: int) -> None:
    """Of all pairs of modals, those that contradict each other are reported, and no others."""
    contradict = ({0, 3}, {0, 4}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4})
    here, there = f"驱动{MODALS[0][zh]}重启。", f"The driver {MODALS[1][en]} restart."
    rules = {one.rule for one in compare_texts(here, there)}
    assert bool(rules) == ({zh, en} in contradict), (here, there, rules)


def test_most_sentences_that_a_half_drops_are_missed_and_none_that_it_joins() -> None:
    drops: list[tuple[str, str]] = []
    for zh, en in rows(SENTENCE_BY_SENTENCE):
        here, there = sentences_in(zh, "zh"), sentences_in(en, "en")
        assert len(here) == len(there)
        for place in range(len(here)):
            drops.append(("".join((*here[:place], *here[place + 1 :])), en))
            drops.append((zh, " ".join((*there[:place], *there[place + 1 :]))))
    assert len(drops) == 120
    assert sum(bool(found_in(*halves)) for halves in drops) >= 110
    assert not [halves for halves in (*rows(SENTENCE_BY_SENTENCE), *rows(JOINED)) if found_in(*halves)]


def test_sentences_that_are_joined_are_not_missed() -> None:
    zh, en = [PARAGRAPH_ZH] * 8, [PARAGRAPH_EN] * 8
    en[2] = PARAGRAPH_EN.replace(" gives. Then look", " gives; then look")
    zh[5] = PARAGRAPH_ZH.replace("平顶。这一步", "平顶，这一步")
    assert found_in("\n\n".join(zh), "\n\n".join(en)) == []
