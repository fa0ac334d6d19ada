"""Code cells of an article: they run one after another in one process, and what they show is kept."""
