"""Faults planted in copies of the published articles and talks: the guards find them, and nothing else."""
