"""Example programs that use the SDK as a buyer and as sellers."""
