"""Shared code of the benchmarks: fetches packages, measures process trees, runs rounds and records the figures."""
