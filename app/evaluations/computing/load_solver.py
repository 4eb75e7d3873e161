"""Load the solver of the package POT before the first task, which would otherwise wait for it."""

import wassay.transport.solvers.dense.pot  # noqa: F401
