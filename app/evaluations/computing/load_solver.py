"""Load POT's solver before the first task, which would otherwise wait for it."""

import wassay.transport.solvers.dense.pot  # noqa: F401
