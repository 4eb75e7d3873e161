"""Measure how much one key at full power delays the holders of others."""
