"""Alembic's entry: runs the migrations on the connection that ``forumbot.store.migrate`` hands over."""

from alembic import context

from forumbot.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    transactional_ddl=False,
    transaction_per_migration=False,
)
context.run_migrations()
