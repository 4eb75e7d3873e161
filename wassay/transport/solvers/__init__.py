"""Exact optimal transport: solvers, their common data, and the certification of results.

Importing this package raises `SolverMissing` if the extra `solver` is not installed.
"""

from wassay.transport.optional_packages import require_solver

require_solver("solving a transport problem")
