"""The first tables"""

import sqlalchemy as sa
from alembic import op

from forumbot.store.types import Json, Moment

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False, comment="the host's name at the desk"),
        sa.Column("address", sa.String(), nullable=True, comment="own mail address, where login links go"),
        sa.Column("nick", sa.String(), nullable=True, comment="own forum account, for links by PM"),
        sa.Column("uid", sa.Integer(), nullable=True),
        sa.Column("password", sa.String(), nullable=True, comment="scrypt with its salt; empty: login by link alone"),
        sa.Column("created_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_accounts")),
        sa.UniqueConstraint("name", name=op.f("uq_accounts_name")),
    )
    op.create_table(
        "games",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("ruleset", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("config", Json(), nullable=False, comment="the game's settings as they were when it began"),
        sa.Column("tables", Json(), nullable=False, comment="packaged tables with the game's overrides, frozen"),
        sa.Column("templates", Json(), nullable=False, comment="name -> text of every template, frozen"),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("version", sa.String(), nullable=False, comment="forumbot's version when the game began"),
        sa.Column("stage", sa.String(), nullable=False, comment="signup | setup | turn | over | cancelled"),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("winner", sa.String(), nullable=True),
        sa.Column("paused_at", Moment(), nullable=True),
        sa.Column("created_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
    )
    op.create_table(
        "people",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("nick", sa.String(), nullable=False),
        sa.Column("uid", sa.Integer(), nullable=True),
        sa.Column("first_seen", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_people")),
        sa.UniqueConstraint("uid", name=op.f("uq_people_uid")),
    )
    op.create_table(
        "places",
        sa.Column("name", sa.String(), nullable=False, comment="mail | pm"),
        sa.Column("value", Json(), nullable=False),
        sa.Column("complete_at", Moment(), nullable=True, comment="moment when the last complete reading began"),
        sa.Column("polled_at", Moment(), nullable=True),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_places")),
    )
    op.create_table(
        "acts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(), nullable=True),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("payload", Json(), nullable=False),
        sa.Column("asked_at", Moment(), nullable=False),
        sa.Column("done_at", Moment(), nullable=True),
        sa.Column("error", sa.String(), nullable=True),
        sa.Column("result", Json(), nullable=True, comment="what is needed to undo it"),
        sa.Column("undoes", sa.Integer(), nullable=True, comment="the act that this one takes back"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_acts_game_id_games")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_acts")),
    )
    with op.batch_alter_table("acts", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_acts_game_id"), ["game_id"], unique=False)

    op.create_table(
        "aliases",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("alias", sa.String(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_aliases_game_id_games")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_aliases")),
        sa.UniqueConstraint("game_id", "alias", name=op.f("uq_aliases_game_id_alias")),
    )
    with op.batch_alter_table("aliases", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_aliases_game_id"), ["game_id"], unique=False)

    op.create_table(
        "bookings",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(), nullable=True),
        sa.Column("currency", sa.String(), nullable=False),
        sa.Column("amount", sa.Float(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False, comment="a booking is made once"),
        sa.Column("at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_bookings_game_id_games")),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name=op.f("fk_bookings_person_id_people")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bookings")),
        sa.UniqueConstraint("key", name=op.f("uq_bookings_key")),
    )
    with op.batch_alter_table("bookings", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_bookings_person_id"), ["person_id"], unique=False)

    op.create_table(
        "deadlines",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("call", sa.String(), nullable=False, comment="signup | mark | close | announce | remind"),
        sa.Column("due_at", Moment(), nullable=False),
        sa.Column("done_at", Moment(), nullable=True),
        sa.Column("held_since", Moment(), nullable=True),
        sa.Column("held_reason", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_deadlines_game_id_games")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deadlines")),
        sa.UniqueConstraint("game_id", "turn", "name", "call", name=op.f("uq_deadlines_game_id_turn_name_call")),
    )
    with op.batch_alter_table("deadlines", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_deadlines_due_at"), ["due_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_deadlines_game_id"), ["game_id"], unique=False)

    op.create_table(
        "grants",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(), nullable=False, comment="in the database or not yet; * means every game"),
        sa.Column("role", sa.String(), nullable=False, comment="host | cohost | observer"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_grants_account_id_accounts")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_grants")),
        sa.UniqueConstraint("account_id", "game_id", name=op.f("uq_grants_account_id_game_id")),
    )
    with op.batch_alter_table("grants", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_grants_account_id"), ["account_id"], unique=False)

    op.create_table(
        "holders",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("nick", sa.String(), nullable=False, comment="as the forum shows it now"),
        sa.Column("uid", sa.Integer(), nullable=True, comment="forum account; rights go by it, never by the nick"),
        sa.Column("address", sa.String(), nullable=True, comment="proven mail address"),
        sa.Column("proof_code", sa.String(), nullable=False, comment="sent by PM; a letter with it proves its sender's address"),
        sa.Column("since", Moment(), nullable=False),
        sa.Column("until", Moment(), nullable=True, comment="replaced at; the old holder has no rights from then on"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_holders_game_id_games")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_holders")),
    )
    with op.batch_alter_table("holders", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_holders_game_id"), ["game_id"], unique=False)

    op.create_table(
        "letters",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False, comment="mail | pm"),
        sa.Column("source", sa.String(), nullable=False, comment="uidvalidity/uid of the mailbox or pm id"),
        sa.Column("message_id", sa.String(), nullable=True),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False, comment="bytes of the letter or HTML of the PM, as it came"),
        sa.Column("sender", sa.String(), nullable=False, comment="mail address or nick"),
        sa.Column("sender_uid", sa.Integer(), nullable=True),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False, comment="the writer's new words"),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("auth", sa.String(), nullable=False),
        sa.Column("received_at", Moment(), nullable=False, comment="the mail server's or the forum's time"),
        sa.Column("stored_at", Moment(), nullable=False),
        sa.Column("problems", Json(), nullable=False),
        sa.Column("game_id", sa.String(), nullable=True),
        sa.Column("seat", sa.String(), nullable=True),
        sa.Column(
            "routed", sa.String(), nullable=True, comment="how the sender was told: uid, address, proof, or why he was not"
        ),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_letters_game_id_games")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_letters")),
        sa.UniqueConstraint("source", name=op.f("uq_letters_source")),
    )
    with op.batch_alter_table("letters", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_letters_digest"), ["digest"], unique=False)
        batch_op.create_index(batch_op.f("ix_letters_game_id"), ["game_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_letters_message_id"), ["message_id"], unique=False)

    op.create_table(
        "login_links",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False, comment="of the word in the link"),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("ends_at", Moment(), nullable=False),
        sa.Column("used_at", Moment(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_login_links_account_id_accounts")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_login_links")),
        sa.UniqueConstraint("digest", name=op.f("uq_login_links_digest")),
    )
    with op.batch_alter_table("login_links", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_login_links_account_id"), ["account_id"], unique=False)

    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(), nullable=True),
        sa.Column("key", sa.String(), nullable=False, comment="what it is; the same thing is never put in twice"),
        sa.Column("kind", sa.String(), nullable=False, comment="topic | post | pm | letter"),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("target", Json(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("after", sa.String(), nullable=True, comment="key of the row that must be sent first"),
        sa.Column("state", sa.String(), nullable=False, comment="waiting | sending | sent | failed | held | shadow"),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("not_before", Moment(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("sent_at", Moment(), nullable=True),
        sa.Column("result", Json(), nullable=True),
        sa.Column("error", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_outbox_game_id_games")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint("key", name=op.f("uq_outbox_key")),
    )
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_outbox_game_id"), ["game_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_outbox_state"), ["state"], unique=False)

    op.create_table(
        "reserves",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("nick", sa.String(), nullable=False),
        sa.Column("uid", sa.Integer(), nullable=False),
        sa.Column("at", Moment(), nullable=False, comment="when the wish was posted; the first of the list comes first"),
        sa.Column("state", sa.String(), nullable=False, comment="waiting | playing | out"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_reserves_game_id_games")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reserves")),
        sa.UniqueConstraint("game_id", "uid", name=op.f("uq_reserves_game_id_uid")),
    )
    with op.batch_alter_table("reserves", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_reserves_game_id"), ["game_id"], unique=False)

    op.create_table(
        "seats",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False, comment="the engine's name of the player; never changes"),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False, comment="in | out (signed off before the game) | refused"),
        sa.Column("joined_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_seats_game_id_games")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seats")),
        sa.UniqueConstraint("game_id", "seat", name=op.f("uq_seats_game_id_seat")),
    )
    with op.batch_alter_table("seats", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_seats_game_id"), ["game_id"], unique=False)

    op.create_table(
        "sessions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False, comment="of the cookie; the cookie itself is nowhere"),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("seen_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_sessions_account_id_accounts")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
        sa.UniqueConstraint("digest", name=op.f("uq_sessions_digest")),
    )
    with op.batch_alter_table("sessions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_sessions_account_id"), ["account_id"], unique=False)

    op.create_table(
        "threads",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False, comment="signup | day"),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("topic", sa.String(), nullable=True, comment="the forum's address of the topic; empty until it is opened"),
        sa.Column("last_id", sa.Integer(), nullable=False),
        sa.Column("page", sa.Integer(), nullable=False),
        sa.Column("watched", sa.Boolean(), nullable=False),
        sa.Column(
            "complete_at", Moment(), nullable=True, comment="moment when the last complete reading of the whole thread began"
        ),
        sa.Column("polled_at", Moment(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_threads_game_id_games")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_threads")),
        sa.UniqueConstraint("game_id", "kind", "turn", name=op.f("uq_threads_game_id_kind_turn")),
    )
    with op.batch_alter_table("threads", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_threads_game_id"), ["game_id"], unique=False)

    op.create_table(
        "troubles",
        sa.Column("key", sa.String(), nullable=False, comment="what is wrong; told once until it is over"),
        sa.Column("game_id", sa.String(), nullable=True),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("since", Moment(), nullable=False),
        sa.Column("told_at", Moment(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_troubles_game_id_games")),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_troubles")),
    )
    op.create_table(
        "turns",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("opened_at", Moment(), nullable=False),
        sa.Column("closed_at", Moment(), nullable=True),
        sa.Column("report", sa.Text(), nullable=True, comment="the newspaper as plain text"),
        sa.Column("names", Json(), nullable=True, comment="seat -> nick as they were when the newspaper was made"),
        sa.Column("events", Json(), nullable=True, comment="everything that followed, for explanation and replay"),
        sa.Column("draws", Json(), nullable=True),
        sa.Column("replaced", Json(), nullable=True, comment="earlier reports of a corrected turn"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_turns_game_id_games")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_turns")),
        sa.UniqueConstraint("game_id", "turn", name=op.f("uq_turns_game_id_turn")),
    )
    with op.batch_alter_table("turns", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_turns_game_id"), ["game_id"], unique=False)

    op.create_table(
        "verdicts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False, comment="post:<row> or letter:<row>"),
        sa.Column("seat", sa.String(), nullable=True),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False, comment="post | letter | pm"),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("at", Moment(), nullable=False, comment="the forum's or mail server's time"),
        sa.Column("judged_at", Moment(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("rule", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False, comment="the words that were read"),
        sa.Column("orders", Json(), nullable=False, comment="action, targets, args, status, reason, spans"),
        sa.Column("version", sa.String(), nullable=False, comment="forumbot's version that judged"),
        sa.Column("decided_by", sa.String(), nullable=True, comment="host's act that settled a review"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_verdicts_game_id_games")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_verdicts")),
        sa.UniqueConstraint("game_id", "source", name=op.f("uq_verdicts_game_id_source")),
    )
    with op.batch_alter_table("verdicts", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_verdicts_game_id"), ["game_id"], unique=False)

    op.create_table(
        "inputs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("seq", sa.Float(), nullable=False, comment="the order of the fold; a host's correction may stand between two"),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False, comment="deal | open | order | mark | close | force"),
        sa.Column("at", Moment(), nullable=False),
        sa.Column("payload", Json(), nullable=False),
        sa.Column("verdict_id", sa.Integer(), nullable=True),
        sa.Column("struck", sa.String(), nullable=True, comment="why and by whom it no longer counts"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_inputs_game_id_games")),
        sa.ForeignKeyConstraint(["verdict_id"], ["verdicts.id"], name=op.f("fk_inputs_verdict_id_verdicts")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inputs")),
        sa.UniqueConstraint("game_id", "seq", name=op.f("uq_inputs_game_id_seq")),
    )
    with op.batch_alter_table("inputs", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_inputs_game_id"), ["game_id"], unique=False)

    op.create_table(
        "posts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("thread_id", sa.Integer(), nullable=False),
        sa.Column("post_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("author_uid", sa.Integer(), nullable=True),
        sa.Column("posted_at", Moment(), nullable=False),
        sa.Column("exact", sa.Boolean(), nullable=False),
        sa.Column("edited", sa.Boolean(), nullable=False),
        sa.Column("edited_by", sa.String(), nullable=True),
        sa.Column("html", sa.Text(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False, comment="of the visible content: tells silent edits"),
        sa.Column("seen_at", Moment(), nullable=False),
        sa.Column("gone_at", Moment(), nullable=True, comment="a complete reading after this moment no longer held the post"),
        sa.Column("problems", Json(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_posts_game_id_games")),
        sa.ForeignKeyConstraint(["thread_id"], ["threads.id"], name=op.f("fk_posts_thread_id_threads")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_posts")),
        sa.UniqueConstraint("thread_id", "post_id", "version", name=op.f("uq_posts_thread_id_post_id_version")),
    )
    with op.batch_alter_table("posts", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_posts_game_id"), ["game_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_posts_thread_id"), ["thread_id"], unique=False)
