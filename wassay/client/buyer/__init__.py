"""The buyer's side: open requests, invite sellers and evaluate the sellers' contributions."""
