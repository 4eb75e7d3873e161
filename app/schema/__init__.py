"""The schema of the database: its migrations, its versions, and which of them the code can use."""
