"""The commands of buyers and sellers: each in the module, and the function, of its name."""
