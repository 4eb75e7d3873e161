"""Count how many small changes of the core modules the tests notice."""

# The number of noticed changes, of ten changes of each module (`make mutate`), before and after
# tests were added for changes that survived:
#
# ================================================  ======  =====
# module                                            before  after
# ================================================  ======  =====
# wassay/transport/concealing/isometry.py                   6     10
# app/evaluations/privacy/laplace_mechanism.py           8      8
# app/jobs/liveness.py                                   8     10
# app/ledger/service.py                                  9     10
# app/evaluations/privacy/cap_check.py                   –      8
# ================================================  ======  =====
#
# The two survivors of the Laplace mechanism subtract noise that is symmetric, and draw its sign
# from the other of two equally likely numbers. Three of the five changes of `app/accounts/caps.py`
# change nothing but the example that OpenAPI shows.
