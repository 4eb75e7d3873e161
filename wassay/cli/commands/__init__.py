"""The commands of buyers and sellers. Each is a function of its name, in a module of its name."""
