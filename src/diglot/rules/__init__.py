"""The tasks of a site, which join the engine with the stages, and builds of them."""
