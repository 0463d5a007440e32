"""What the benchmarks share: fetching, measuring process trees, rounds, and the record of the figures."""
