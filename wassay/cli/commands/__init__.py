"""The commands of buyers and sellers: for each, a module and a function with its name."""
