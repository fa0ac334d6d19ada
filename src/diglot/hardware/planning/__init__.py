"""Plans: chips, layouts, precisions, batches and ways of serving within limits of latency."""
