"""What the paper reports, run again: every table with its value beside ours."""
