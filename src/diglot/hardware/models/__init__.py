"""Transformers by id: their sizes, parameters and KV cache."""
