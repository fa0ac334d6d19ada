"""Which blocks of a half are behind their twins, by what the file next to a pair remembers of both."""
