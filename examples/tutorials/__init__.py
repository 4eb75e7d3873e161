"""Run the tutorials in docs/tutorials, write their output into the pages, and make notebooks."""
