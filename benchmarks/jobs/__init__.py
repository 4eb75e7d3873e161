"""Measure throughput and latency of evaluations, and how soon a cancelled one ends."""
