"""The thresholds from which columns, facts and their values count as read by an attack."""

READ = 0.9
"""A fact or a column is read if its correlation with what an attack found exceeds this."""

EXACT_SHARE = 0.5
"""A column is read exactly if at least this share of its values is exact."""

EXACT_FACT_SHARE = 0.99
"""A yes-or-no fact is read exactly if this share of rows is on the correct side of a threshold."""
