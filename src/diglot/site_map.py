"""Addresses of a site and who stands beside whom: what pages need to know of other pages."""
