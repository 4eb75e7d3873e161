"""Run the command line by `python -m wassay`."""

from wassay.cli import main

# Processes that the service spawns import this module too, and must not run the command line.
if __name__ == "__main__":
    main()
