"""Models of accelerators: sourced figures of chips, roofline, systolic arrays, matrix products on GPUs.

A leaf: imports nothing else of diglot. SI base units inside, the unit in the name; one multiply-accumulate
is two FLOPs; peaks are dense. Sizes may be Python integers or NumPy arrays of integers, which broadcast.

    catalogue            chips by id, with a source for every figure (chips, catalogue_schema, tables,
                         located_yaml, units)
    kernels, attention   FLOPs and bytes of operations (dtypes, sizes)
    roofline             attainable rate, ridge, time, what binds
    critical_batch       rows from which a matrix product is bound by arithmetic
    systolic             cycles and accesses as SCALE-Sim 3.0.0 counts them
    systolic_simulator   the same array, register by register
    systolic_memory      traffic of each operand behind the array, stalls
    access_energy        energy by counts of accesses
    mxu, tpu_gemm        matrix product on a TPU's double-buffered arrays, on a TPU
    gpu_gemm             matrix product on a GPU: tiles, waves, parts of k (gemm_traffic)
    operator_time        one operator on one chip, ideal or calibrated
    calibration          what families of chips reach of their roofs, as measured (calibration_fit)
    model_catalogue      transformers by id (models): parameters and KV cache
    transformer          their operators with FLOPs and bytes, on a layout of chips (layouts)
    serving, batching    step times, what fits, and the steady state under load
    serving_bounds       the same on the back of an envelope, for a model known by its parameters
    training             FLOPs, MFU, memory and time of a step
    parallelism          batches from which a layout is not bound by its links
    economics            dollars and joules for tokens and FLOPs
    placement            stages of a pipeline on pools of different chips
"""
