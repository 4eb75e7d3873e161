"""Alembic's environment: migrate with the connection and the options of `app.schema.scripts`."""

from alembic import context


def run() -> None:
    """Run the requested migrations in one transaction."""
    attributes = context.config.attributes
    connection = attributes["connection"]
    context.configure(
        connection=connection,
        render_as_batch=connection.dialect.name == "sqlite",
        **attributes["options"],
    )
    with context.begin_transaction():
        context.run_migrations()


run()
