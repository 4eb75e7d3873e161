"""The schema of the database: its migrations and versions, and which of them the code can use."""
