"""Models of accelerators: sourced figures of chips, roofline, systolic arrays, matrix products on GPUs.

A leaf: imports nothing else of diglot. SI base units inside, the unit in the name; one multiply-accumulate
is two FLOPs; peaks are dense. Sizes may be Python integers or NumPy arrays of integers, which broadcast.

    catalogue            chips by id, with a source for every figure (chips, catalogue_schema, tables,
                         located_yaml, units)
    kernels, attention   FLOPs and bytes of operations (dtypes, sizes)
    layer_kernels        the same for convolution, normalisation, embedding, layers of experts
    attention_backward   the same for the gradients of attention
    roofline             attainable rate, ridge, time, what binds
    hierarchical_roofline  the same with several memories and the network (layered_kernels, chip_roofs)
    attention_time       fused attention with the exponentials of its scores
    critical_batch       rows from which a matrix product is bound by arithmetic
    systolic             cycles and accesses as SCALE-Sim 3.0.0 counts them
    systolic_simulator   the same array, register by register
    systolic_memory      traffic of each operand behind the array, stalls
    access_energy        energy by counts of accesses
    mxu, tpu_gemm        matrix product on a TPU's double-buffered arrays, on a TPU
    gpu_gemm             matrix product on a GPU: tiles, waves, parts of k (gemm_traffic)
    networks             tori, islands of GPUs, islands over a network (chip_networks, pods)
    collectives          all-reduce and its kind over them; transfers: one message
    collective_algorithms  classic algorithms by steps and bytes
    sharding             arrays over a mesh: copies, when moving weights is hidden
    operator_time        one operator on one chip, ideal or calibrated
    calibration          what families of chips reach of their roofs, as measured (calibration_fit)
    model_catalogue      transformers by id (models): parameters and KV cache
    transformer          their operators with FLOPs and bytes, on a layout of chips (layouts)
    serving, batching    step times, what fits, and the steady state under load
    serving_bounds       the same on the back of an envelope, for a model known by its parameters
    training             memory and time of a step; FLOPs and MFU (training_flops)
    parallelism          batches from which a layout is not bound by its links
    economics            dollars and joules for tokens and FLOPs
    placement            stages of a pipeline on pools of different chips
"""
