"""What many sellers add to each other, through a real service."""
