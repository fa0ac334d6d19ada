"""The tasks of a site. The only package that joins the engine with the stages."""
