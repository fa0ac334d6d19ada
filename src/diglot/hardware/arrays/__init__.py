"""Matrix products on systolic arrays: cycles, traffic, energy, and a TPU's matrix units (MXUs)."""
