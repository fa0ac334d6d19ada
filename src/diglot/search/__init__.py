"""Search: finished pages as texts for Pagefind, and the index that Pagefind makes of them."""
