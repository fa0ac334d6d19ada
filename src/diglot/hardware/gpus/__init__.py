"""Matrix products and attention on GPUs: thread blocks, waves and L2 traffic."""
