"""Which tasks exist: the only package that knows both the engine and the stages."""
