"""Entropic solvers: cheap approximations that select likely pairs for the exact ones."""
