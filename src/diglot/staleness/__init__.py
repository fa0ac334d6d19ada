"""Which blocks of a half are behind their twins, by what the file beside a pair remembers of both."""
