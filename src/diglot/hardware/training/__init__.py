"""Training: memory and time of a step, FLOPs, model FLOPs utilisation (MFU)."""
