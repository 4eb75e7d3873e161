"""Certification: bounds on the optimal cost from plans and feasible potentials."""
