"""Alembic's entry: runs the revisions on the connection that `database` hands over."""

from alembic import context

from studio.storage.schema import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
