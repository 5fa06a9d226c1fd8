"""The gender by which texts speak of a player"""

import sqlalchemy as sa
from alembic import op

revision = "0121"
down_revision = "0101"
branch_labels = None
depends_on = None


def upgrade() -> None:
    comment = "m | f; empty: the forum's page does not tell; NULL: not asked yet"
    op.add_column("holders", sa.Column("gender", sa.String(), nullable=True, comment=comment))
