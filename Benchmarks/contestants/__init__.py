"""The contestants of the benchmarks, each with the scripts, sites and programs that it needs."""
