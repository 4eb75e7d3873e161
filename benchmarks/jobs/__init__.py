"""How fast evaluations go through the queue, and how soon a cancelled one ends."""
