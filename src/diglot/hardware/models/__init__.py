"""Transformer models by id: sizes, parameter counts and KV cache."""
