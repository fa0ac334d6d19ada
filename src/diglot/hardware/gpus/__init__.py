"""Matrix products and attention on GPUs: thread blocks, waves, traffic through L2."""
