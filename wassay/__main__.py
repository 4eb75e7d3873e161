"""Run the command line by `python -m wassay`."""

from wassay.cli import main

main()
