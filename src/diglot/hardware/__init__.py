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
    mxu                  matrix product on a TPU's double-buffered arrays
    gpu_gemm             matrix product on a GPU: tiles, waves, parts of k (gemm_traffic)
    operator_time        one operator on one chip, ideal or calibrated
    calibration          what families of chips reach of their roofs, as measured (calibration_fit)
"""
