"""Acts of hosts remember the rows of the inputs they entered, not their numbers in the log, which may be given anew"""

import sqlalchemy as sa
from alembic import op

from forumbot.store.types import Json

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_acts = sa.table("acts", sa.column("id", sa.Integer), sa.column("game_id", sa.String), sa.column("result", Json))
_inputs = sa.table("inputs", sa.column("id", sa.Integer), sa.column("game_id", sa.String), sa.column("seq", sa.Float))


def upgrade() -> None:
    connection = op.get_bind()
    for act in connection.execute(sa.select(_acts).where(_acts.c.result.is_not(None))).mappings().all():
        done = act["result"]
        for part in (done, *done.get("changes", ())):  # a correction keeps what each of its changes did
            if "inputs" in part:
                entered = _inputs.c.game_id == act["game_id"], _inputs.c.seq.in_(part.pop("inputs"))
                part["entered"] = list(connection.execute(sa.select(_inputs.c.id).where(*entered)).scalars())
        connection.execute(_acts.update().where(_acts.c.id == act["id"]).values(result=done))
