"""The tasks of a site. The only package that imports both the engine and the stages."""
