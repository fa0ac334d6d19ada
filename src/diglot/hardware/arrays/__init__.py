"""Matrix products on systolic arrays: cycles, traffic, energy, and the matrix units (MXUs) of a TPU."""
