"""Training: memory and time of a step, FLOPs and MFU."""
