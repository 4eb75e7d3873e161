"""Exact transport: solvers, what they share, and the proof that they leave.

Importing any of them raises `SolverMissing` where the extra `solver` is not installed.
"""

from wassay.transport.solver import require_solver

require_solver("solving a transport problem")
