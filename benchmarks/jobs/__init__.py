"""Measure the throughput and latency of evaluations, and how soon a cancelled evaluation ends."""
