"""How many small changes of the core its tests notice."""
