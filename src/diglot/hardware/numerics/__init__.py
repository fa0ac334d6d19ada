"""Number formats, blocks with shared scales, structured sparsity, and when narrow weights are quicker."""
