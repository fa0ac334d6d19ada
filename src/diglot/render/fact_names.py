"""What the facts of chips are called, by groups, in the order in which pages show them."""

from collections.abc import Mapping
from types import MappingProxyType

from diglot.languages import Bilingual

_FORMATS = ("fp64", "fp32", "tf32", "bf16", "fp16", "fp8", "int8", "fp6", "fp4", "int4")


def _each(prefix: str, zh: str, en: str) -> dict[str, Bilingual]:
    return {f"{prefix}.{one}": Bilingual(f"{one} {zh}", f"{one} {en}") for one in _FORMATS}


_GROUPS: tuple[tuple[Bilingual, dict[str, Bilingual]], ...] = (
    (Bilingual("稠密峰值", "Dense peaks"), _each("peak_dense", "峰值", "peak")),
    (
        Bilingual("2:4稀疏", "2:4 sparsity"),
        {
            "sparsity.ratio": Bilingual("峰值与稠密峰值之比", "Peak over the dense peak"),
            **_each("sparsity", "峰值与稠密峰值之比", "peak over the dense peak"),
        },
    ),
    (
        Bilingual("内存", "Memory"),
        {
            "memory.capacity": Bilingual("容量", "Capacity"),
            "memory.bandwidth": Bilingual("带宽", "Bandwidth"),
        },
    ),
    (Bilingual("脊点：峰值除以带宽", "Ridge points: peak over bandwidth"), _each("ridge", "脊点", "ridge")),
    (
        Bilingual("片上存储", "On-chip memory"),
        {
            "on_chip.l2": Bilingual("L2", "L2"),
            "on_chip.l2_bandwidth": Bilingual("L2 带宽", "L2 bandwidth"),
            "on_chip.infinity_cache": Bilingual("Infinity Cache", "Infinity Cache"),
            "on_chip.l1_shared_per_sm": Bilingual("L1 与共享内存，每 SM", "L1 and shared memory, each SM"),
            "on_chip.l1_per_sm": Bilingual("L1，每 SM", "L1, each SM"),
            "on_chip.l1_per_cu": Bilingual("L1，每 CU", "L1, each CU"),
            "on_chip.shared_memory_per_sm": Bilingual("共享内存，每 SM", "Shared memory, each SM"),
            "on_chip.shared_memory_max_per_sm": Bilingual(
                "共享内存上限，每 SM", "Most shared memory, each SM"
            ),
            "on_chip.sram_bandwidth": Bilingual("共享内存带宽", "Bandwidth of shared memory"),
            "on_chip.lds_per_cu": Bilingual("LDS，每 CU", "LDS, each CU"),
            "on_chip.register_file_per_sm": Bilingual("寄存器堆，每 SM", "Registers, each SM"),
            "on_chip.tensor_memory_per_sm": Bilingual("张量内存，每 SM", "Tensor memory, each SM"),
            "on_chip.vmem": Bilingual("VMEM", "VMEM"),
            "on_chip.vmem_per_core": Bilingual("VMEM，每核", "VMEM, each core"),
            "on_chip.vmem_bandwidth_over_hbm": Bilingual(
                "VMEM 带宽是 HBM 的倍数", "VMEM bandwidth over HBM's"
            ),
            "on_chip.cmem": Bilingual("CMEM", "CMEM"),
            "on_chip.unified_buffer": Bilingual("统一缓冲", "Unified buffer"),
            "on_chip.accumulators": Bilingual("累加器", "Accumulators"),
            "on_chip.weight_tile": Bilingual("权重块", "Weight tile"),
            "on_chip.weight_fifo_depth": Bilingual("权重队列深度", "Depth of the weight queue"),
        },
    ),
    (
        Bilingual("计算单元", "Compute units"),
        {
            "tensor_cores": Bilingual("TensorCore", "TensorCores"),
            "compute_units.sms": Bilingual("SM", "SMs"),
            "compute_units.cus": Bilingual("CU", "CUs"),
            "compute_units.tensor_cores": Bilingual("张量核心", "Tensor cores"),
            "compute_units.matrix_cores": Bilingual("矩阵核心", "Matrix cores"),
            "compute_units.fp32_cores": Bilingual("fp32 核心", "fp32 cores"),
            "compute_units.fma_per_tensor_core_per_cycle": Bilingual(
                "每个张量核心的速率", "Rate of a tensor core"
            ),
            "compute_units.fma_per_matrix_core_per_cycle": Bilingual(
                "每个矩阵核心的速率", "Rate of a matrix core"
            ),
            "mxu.total": Bilingual("脉动阵列", "Systolic arrays"),
            "mxu.per_tensor_core": Bilingual("脉动阵列，每 TensorCore", "Systolic arrays, each TensorCore"),
            "mxu.rows": Bilingual("阵列行数", "Rows of an array"),
            "mxu.cols": Bilingual("阵列列数", "Columns of an array"),
            "mxu.weight_tile_load_cycles": Bilingual("装载权重块", "Loading a weight tile"),
        },
    ),
    (
        Bilingual("时钟与功耗", "Clock and power"),
        {
            "clock.base": Bilingual("基础时钟", "Base clock"),
            "clock.boost": Bilingual("加速时钟", "Boost clock"),
            "clock.tensor_boost": Bilingual("张量核心加速时钟", "Boost clock of tensor cores"),
            "clock.nominal": Bilingual("标称时钟", "Nominal clock"),
            "clock.peak": Bilingual("峰值时钟", "Peak clock"),
            "clock.max": Bilingual("最高时钟", "Highest clock"),
            "mxu.derived_clock": Bilingual("由峰值推出的时钟", "Clock that follows from the peak"),
            "mxu.derived_cell_rate": Bilingual(
                "由峰值推出的单元乘加速率", "Multiply-accumulates of a cell that follow from the peak"
            ),
            "tdp": Bilingual("设计功耗", "Design power"),
            "power.min": Bilingual("实测最低功耗", "Lowest measured power"),
            "power.mean": Bilingual("实测平均功耗", "Mean measured power"),
            "power.max": Bilingual("实测最高功耗", "Highest measured power"),
            "power.busy": Bilingual("满载功耗", "Power at full load"),
            "power.tenth_load": Bilingual("负载10%时的功耗", "Power at 10% load"),
            "power.idle": Bilingual("空闲功耗", "Idle power"),
        },
    ),
    (
        Bilingual("互连", "Links"),
        {
            "interconnect.links": Bilingual("链路", "Links"),
            "interconnect.per_link_per_direction": Bilingual("每条链路，单向", "Each link, one way"),
            "interconnect.per_direction": Bilingual("合计，单向", "All links, one way"),
            "interconnect.both_directions": Bilingual("合计，双向", "All links, both ways"),
            "interconnect.hop_latency": Bilingual("每跳延迟", "Latency of a hop"),
            "interconnect.domain_size": Bilingual("域内芯片", "Chips of a domain"),
            "interconnect.achieved_collective": Bilingual("集合通信实测", "Measured in collectives"),
            "interconnect.scale_out_per_node": Bilingual("节点间，每节点", "Between nodes, each node"),
            "interconnect.scale_out_latency": Bilingual("节点间延迟", "Latency between nodes"),
            "dcn.per_chip": Bilingual("数据中心网络，每芯片", "Data-centre network, each chip"),
        },
    ),
    (
        Bilingual("Pod", "Pod"),
        {
            "pod.max_chips": Bilingual("芯片上限", "Most chips"),
            "pod.max_job_chips": Bilingual("单个任务的芯片上限", "Most chips of a job"),
            "pod.peak_bf16": Bilingual("bf16 峰值", "bf16 peak"),
            "pod.all_reduce_bandwidth": Bilingual("全归约带宽", "All-reduce bandwidth"),
            "pod.bisection_bandwidth": Bilingual("对分带宽", "Bisection bandwidth"),
        },
    ),
)

FACT_GROUPS: tuple[tuple[Bilingual, Mapping[str, Bilingual]], ...] = tuple(
    (name, MappingProxyType(facts)) for name, facts in _GROUPS
)
"""Each group with the names of its facts by the catalogue's dotted path."""

OTHER_FACTS = Bilingual("其他", "Other")
"""The group of facts that have no name here: a project's own chips may have any."""

_NAMES = {
    **{
        "year": Bilingual("年份", "Year"),
        "clock": Bilingual("时钟", "Clock"),
        "pod.shape": Bilingual("Pod 形状", "Pod shape"),
        "prices": Bilingual("租价", "Price"),
    },
    **{field: name for _, facts in _GROUPS for field, name in facts.items()},
}


def fact_name(field: str) -> Bilingual:
    """What a fact is called; one without a name, by the last part of its path."""
    plain = field.rpartition(".")[2].replace("_", " ")
    return _NAMES.get(field, Bilingual(plain, plain))
