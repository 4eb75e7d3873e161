"""Programs, run by hand, that measure speed, accuracy and disclosure."""
