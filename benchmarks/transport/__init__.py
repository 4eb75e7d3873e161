"""How fast the exact solver is, and whether it reproduces known right values."""
