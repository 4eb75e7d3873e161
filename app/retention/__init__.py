"""Take back what was sent: delete arrays, close accounts, and keep nothing longer than set."""
