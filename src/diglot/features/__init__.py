"""What a site consists of, in slices: each declares its files, and knows no other slice.

A declaration imports tasks, and nothing that makes their values: a change of code runs only these again.
"""
