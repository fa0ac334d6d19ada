"""A cache that colleagues and CI share: bundles of traces and values in a folder or an object store.

Everybody who can reach it reads, and believes only bundles that were signed with the secret half of a key
whose public half is in the project's configuration (docs/decisions/047-shared-caches-are-signed.md).
"""
