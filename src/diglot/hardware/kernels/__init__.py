"""FLOPs and bytes of operations, whatever chip runs them."""
