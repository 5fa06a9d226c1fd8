"""The tables. What came in is kept as it came; what goes out is an outbox row first; the game is the fold of ``inputs``."""

from __future__ import annotations

import sqlalchemy as sa

from forumbot.store.types import Json, Moment

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _game() -> sa.Column[str]:
    return sa.Column("game_id", sa.String, sa.ForeignKey("games.id"), nullable=False, index=True)


games = sa.Table(
    "games",
    metadata,
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("ruleset", sa.String, nullable=False),
    sa.Column("title", sa.String, nullable=False),
    sa.Column("config", Json, nullable=False, comment="the game's settings as they were when it began"),
    sa.Column("tables", Json, nullable=False, comment="packaged tables with the game's overrides, frozen"),
    sa.Column("templates", Json, nullable=False, comment="name -> text of every template, frozen"),
    sa.Column("seed", sa.Integer, nullable=False),
    sa.Column("version", sa.String, nullable=False, comment="forumbot's version when the game began"),
    sa.Column("stage", sa.String, nullable=False, index=True, comment="signup | setup | turn | over | cancelled"),
    sa.Column("turn", sa.Integer, nullable=False, default=0),
    sa.Column("winner", sa.String),
    sa.Column("paused_at", Moment),
    sa.Column("created_at", Moment, nullable=False),
)

seats = sa.Table(
    "seats",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    _game(),
    sa.Column("seat", sa.String, nullable=False, comment="the engine's name of the player; never changes"),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("state", sa.String, nullable=False, default="in", comment="in | out (signed off before the game) | refused"),
    sa.Column("joined_at", Moment, nullable=False),
    sa.UniqueConstraint("game_id", "seat"),
)

holders = sa.Table(
    "holders",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    _game(),
    sa.Column("seat", sa.String, nullable=False),
    sa.Column("nick", sa.String, nullable=False, comment="as the forum shows it now"),
    sa.Column("uid", sa.Integer, comment="forum account; rights go by it, never by the nick"),
    sa.Column("address", sa.String, comment="proven mail address"),
    sa.Column("proof_code", sa.String, nullable=False, comment="sent by PM; a letter with it proves its sender's address"),
    sa.Column("code_until", Moment, comment="when the code ends; it ends with its first use anyway"),
    sa.Column("since", Moment, nullable=False),
    sa.Column("until", Moment, comment="replaced at; the old holder has no rights from then on"),
    sa.Column("gender", sa.String, comment="m | f; empty: the forum's page does not tell; NULL: not asked yet"),
    sa.Index("ix_holders_living_uid", "uid", sqlite_where=sa.text("until IS NULL")),
    sa.Index("ix_holders_living_address", sa.text("lower(address)"), sqlite_where=sa.text("until IS NULL")),
    sa.Index("ix_holders_living_code", "proof_code", sqlite_where=sa.text("until IS NULL")),
)

aliases = sa.Table(
    "aliases",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    _game(),
    sa.Column("alias", sa.String, nullable=False),
    sa.Column("seat", sa.String, nullable=False),
    sa.UniqueConstraint("game_id", "alias"),
)

reserves = sa.Table(
    "reserves",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    _game(),
    sa.Column("nick", sa.String, nullable=False),
    sa.Column("uid", sa.Integer, nullable=False),
    sa.Column("at", Moment, nullable=False, comment="when the wish was posted; the first of the list comes first"),
    sa.Column("state", sa.String, nullable=False, default="waiting", comment="waiting | playing | out"),
    sa.UniqueConstraint("game_id", "uid"),
)

questions = sa.Table(
    "questions",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    _game(),
    sa.Column("turn", sa.Integer, nullable=False),
    sa.Column("source", sa.String, nullable=False, comment="post:<row> or letter:<row>"),
    sa.Column("kind", sa.String, nullable=False, comment="leave | report | complaint | question | reply | outsider | dead | ..."),
    sa.Column("author", sa.String, nullable=False),
    sa.Column("seat", sa.String, comment="empty: the writer does not play"),
    sa.Column("uid", sa.Integer, comment="forum account of a writer who does not play"),
    sa.Column("channel", sa.String, nullable=False, comment="post | letter | pm"),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("at", Moment, nullable=False, comment="the forum's or mail server's time"),
    sa.Column("noted_at", Moment, nullable=False),
    sa.Column("closed_at", Moment),
    sa.Column("closed_by", sa.String, comment="the host's act that dealt with it"),
    sa.Column("answer", sa.Text, comment="what the host answered"),
    sa.UniqueConstraint("game_id", "source"),
)

offers = sa.Table(
    "offers",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    _game(),
    sa.Column("turn", sa.Integer, nullable=False),
    sa.Column("seat", sa.String, nullable=False),
    sa.Column("number", sa.Integer, nullable=False, comment="by which the player names this reading"),
    sa.Column("verdict_id", sa.Integer, sa.ForeignKey("verdicts.id"), nullable=False, index=True),
    sa.Column("orders", Json, nullable=False, comment="the orders that would stand"),
    sa.Column("made_at", Moment, nullable=False),
    sa.Column("retired_at", Moment, comment="its number means a reading of a later question from then on"),
)

threads = sa.Table(
    "threads",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    _game(),
    sa.Column("kind", sa.String, nullable=False, comment="signup | day | season | final"),
    sa.Column("turn", sa.Integer, nullable=False),
    sa.Column("topic", sa.String, comment="the forum's address of the topic; empty until it is opened"),
    sa.Column("last_id", sa.Integer, nullable=False, default=0),
    sa.Column("page", sa.Integer, nullable=False, default=1),
    sa.Column("own_id", sa.Integer, comment="the highest id of a post of our own that was read there"),
    sa.Column("watched", sa.Boolean, nullable=False, default=True),
    sa.Column("complete_at", Moment, comment="moment when the last complete reading of the whole thread began"),
    sa.Column("polled_at", Moment),
    sa.UniqueConstraint("game_id", "kind", "turn"),
    sa.Index("ix_threads_watched", "polled_at", "kind", sqlite_where=sa.text("watched = 1")),
)

posts = sa.Table(
    "posts",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    _game(),
    sa.Column("thread_id", sa.Integer, sa.ForeignKey("threads.id"), nullable=False, index=True),
    sa.Column("post_id", sa.Integer, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("number", sa.Integer),
    sa.Column("author", sa.String, nullable=False),
    sa.Column("author_uid", sa.Integer),
    sa.Column("posted_at", Moment, nullable=False),
    sa.Column("exact", sa.Boolean, nullable=False),
    sa.Column("edited", sa.Boolean, nullable=False),
    sa.Column("edited_by", sa.String),
    sa.Column("html", sa.Text, nullable=False),
    sa.Column("digest", sa.String, nullable=False, comment="of the visible content: tells silent edits"),
    sa.Column("seen_at", Moment, nullable=False),
    sa.Column("gone_at", Moment, comment="a complete reading after this moment no longer held the post"),
    sa.Column("problems", Json, nullable=False),
    sa.Column("judged", sa.Boolean, nullable=False, default=False, server_default="0", comment="it has its verdict"),
    sa.UniqueConstraint("thread_id", "post_id", "version"),
    sa.Index("ix_posts_unjudged", "game_id", sqlite_where=sa.text("judged = 0")),
    sa.Index("ix_posts_gone", "game_id", sqlite_where=sa.text("gone_at IS NOT NULL")),
)

letters = sa.Table(
    "letters",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("channel", sa.String, nullable=False, comment="mail | pm"),
    sa.Column("source", sa.String, nullable=False, unique=True, comment="uidvalidity/uid of the mailbox or pm id"),
    sa.Column("message_id", sa.String, index=True),
    sa.Column("digest", sa.String, nullable=False, index=True),
    sa.Column("raw", sa.LargeBinary, nullable=False, comment="bytes of the letter or HTML of the PM, as it came"),
    sa.Column("sender", sa.String, nullable=False, comment="mail address or nick"),
    sa.Column("sender_uid", sa.Integer),
    sa.Column("subject", sa.String, nullable=False),
    sa.Column("text", sa.Text, nullable=False, comment="the writer's new words"),
    sa.Column("kind", sa.String, nullable=False),
    sa.Column("auth", sa.String, nullable=False),
    sa.Column("received_at", Moment, nullable=False, comment="the mail server's or the forum's time"),
    sa.Column("stored_at", Moment, nullable=False),
    sa.Column("problems", Json, nullable=False),
    sa.Column("game_id", sa.String, sa.ForeignKey("games.id"), index=True),
    sa.Column("seat", sa.String),
    sa.Column("routed", sa.String, comment="how the sender was told: uid, address, proof, or why he was not"),
    sa.Column("judged", sa.Boolean, nullable=False, default=False, server_default="0", comment="it has its verdict"),
    sa.Index("ix_letters_unrouted", "received_at", "id", sqlite_where=sa.text("routed IS NULL")),
    sa.Index("ix_letters_unjudged", "game_id", sqlite_where=sa.text("judged = 0")),
)

verdicts = sa.Table(
    "verdicts",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    _game(),
    sa.Column("source", sa.String, nullable=False, comment="post:<row> or letter:<row>"),
    sa.Column("seat", sa.String),
    sa.Column("author", sa.String, nullable=False),
    sa.Column("channel", sa.String, nullable=False, comment="post | letter | pm"),
    sa.Column("turn", sa.Integer, nullable=False),
    sa.Column("at", Moment, nullable=False, comment="the forum's or mail server's time"),
    sa.Column("judged_at", Moment, nullable=False),
    sa.Column("outcome", sa.String, nullable=False),
    sa.Column("reason", sa.String),
    sa.Column("rule", sa.String, nullable=False, default=""),
    sa.Column("text", sa.Text, nullable=False, comment="the words that were read"),
    sa.Column("orders", Json, nullable=False, comment="action, targets, args, status, reason, spans"),
    sa.Column("unexplained", Json, comment="words of the text that nothing explained, which the host may teach"),
    sa.Column("explained", Json, comment="words of the text that were understood, each with its class"),
    sa.Column("reread", sa.Integer, comment="the host's act for which the message is to be read again"),
    sa.Column("version", sa.String, nullable=False, comment="forumbot's version that judged"),
    sa.Column("decided_by", sa.String, comment="host's act that settled a review"),
    sa.UniqueConstraint("game_id", "source"),
    sa.Index("ix_verdicts_turn", "game_id", "turn"),
    sa.Index("ix_verdicts_open", "game_id", "turn", sqlite_where=sa.text("outcome = 'review' AND decided_by IS NULL")),
    sa.Index("ix_verdicts_reread", "game_id", sqlite_where=sa.text("reread IS NOT NULL")),
)

inputs = sa.Table(
    "inputs",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    _game(),
    sa.Column("seq", sa.Float, nullable=False, comment="the order of the fold; a host's correction may stand between two"),
    sa.Column("turn", sa.Integer, nullable=False),
    sa.Column("kind", sa.String, nullable=False, comment="deal | open | hours | order | heard | mark | close | force"),
    sa.Column("at", Moment, nullable=False),
    sa.Column("payload", Json, nullable=False),
    sa.Column("verdict_id", sa.Integer, sa.ForeignKey("verdicts.id")),
    sa.Column("struck", sa.String, comment="why and by whom it no longer counts"),
    sa.UniqueConstraint("game_id", "seq"),
    sa.Index("ix_inputs_taught", "game_id", sqlite_where=sa.text("kind = 'teach'")),
)

turns = sa.Table(
    "turns",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    _game(),
    sa.Column("turn", sa.Integer, nullable=False),
    sa.Column("opened_at", Moment, nullable=False),
    sa.Column("closed_at", Moment),
    sa.Column("report", sa.Text, comment="the newspaper as plain text"),
    sa.Column("names", Json, comment="seat -> nick as they were when the newspaper was made"),
    sa.Column("events", Json, comment="everything that followed, for explanation and replay"),
    sa.Column("draws", Json),
    sa.Column("replaced", Json, comment="earlier reports of a corrected turn"),
    sa.UniqueConstraint("game_id", "turn"),
)

deadlines = sa.Table(
    "deadlines",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    _game(),
    sa.Column("turn", sa.Integer, nullable=False),
    sa.Column("name", sa.String, nullable=False),
    sa.Column("call", sa.String, nullable=False, comment="signup | mark | close | announce | remind"),
    sa.Column("due_at", Moment, nullable=False, index=True),
    sa.Column("done_at", Moment),
    sa.Column("held_since", Moment),
    sa.Column("held_reason", sa.String),
    sa.UniqueConstraint("game_id", "turn", "name", "call"),
    sa.Index("ix_deadlines_open", "due_at", "game_id", sqlite_where=sa.text("done_at IS NULL")),
    sa.Index("ix_deadlines_next", "game_id", "due_at", sqlite_where=sa.text("done_at IS NULL")),
)

outbox = sa.Table(
    "outbox",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("game_id", sa.String, sa.ForeignKey("games.id"), index=True),
    sa.Column("key", sa.String, nullable=False, unique=True, comment="what it is; the same thing is never put in twice"),
    sa.Column("kind", sa.String, nullable=False, comment="topic | post | pm | letter"),
    sa.Column("priority", sa.Integer, nullable=False),
    sa.Column("target", Json, nullable=False),  # of a PM ``plain``: nothing in the body is mark-up
    sa.Column("subject", sa.String, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("after", sa.String, comment="key of the row that must be sent first; key/*: rows to be tried"),
    sa.Column("state", sa.String, nullable=False, comment="waiting | sending | sent | failed | held | shadow"),
    sa.Column("attempts", sa.Integer, nullable=False, default=0),
    sa.Column("not_before", Moment, nullable=False),
    sa.Column("created_at", Moment, nullable=False),
    sa.Column("sent_at", Moment),
    sa.Column("result", Json),
    sa.Column("error", sa.String),
    sa.Index(
        "ix_outbox_letters", "priority", "id", sqlite_where=sa.text("state IN ('waiting', 'sending') AND kind = 'letter'")
    ),
    sa.Index(
        "ix_outbox_writings", "priority", "id", sqlite_where=sa.text("state IN ('waiting', 'sending') AND kind != 'letter'")
    ),
    sa.Index("ix_outbox_posts", "game_id", sqlite_where=sa.text("kind = 'post' AND state IN ('waiting', 'held', 'sending')")),
    sa.Index("ix_outbox_settled", "state", sqlite_where=sa.text("state NOT IN ('waiting', 'sending')")),
    sa.Index("ix_outbox_after", "after", sqlite_where=sa.text("after IS NOT NULL")),
)

places = sa.Table(
    "places",
    metadata,
    sa.Column("name", sa.String, primary_key=True, comment="mail | pm | marks (what marks.py makes its marks with)"),
    sa.Column("value", Json, nullable=False),
    sa.Column("complete_at", Moment, comment="moment when the last complete reading began"),
    sa.Column("polled_at", Moment),
)

acts = sa.Table(
    "acts",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("game_id", sa.String, sa.ForeignKey("games.id"), index=True),
    sa.Column("who", sa.String, nullable=False),
    sa.Column("kind", sa.String, nullable=False),
    sa.Column("payload", Json, nullable=False),
    sa.Column("asked_at", Moment, nullable=False),
    sa.Column("done_at", Moment),
    sa.Column("error", sa.String),
    sa.Column("result", Json, comment="what is needed to undo it"),
    sa.Column("undoes", sa.Integer, comment="the act that this one takes back"),
    sa.Index("ix_acts_open", "id", sqlite_where=sa.text("done_at IS NULL")),
)

troubles = sa.Table(
    "troubles",
    metadata,
    sa.Column("key", sa.String, primary_key=True, comment="what is wrong; told once until it is over"),
    sa.Column("game_id", sa.String, sa.ForeignKey("games.id")),
    sa.Column("text", sa.String, nullable=False),
    sa.Column("since", Moment, nullable=False),
    sa.Column("told_at", Moment),
)

tellings = sa.Table(
    "tellings",
    metadata,
    sa.Column("key", sa.String, primary_key=True, comment="of the trouble"),
    sa.Column("game_id", sa.String, sa.ForeignKey("games.id")),
    sa.Column("text", sa.String, nullable=False),
    sa.Column("by_pm", sa.Boolean, nullable=False),
    sa.Column("told_at", Moment, nullable=False),
    sa.Column("quiet", sa.Integer, nullable=False, comment="seconds after the telling in which it is not told anew"),
    sa.Column("times", sa.Integer, nullable=False, comment="how often it has come again since it was told"),
    sa.Column("items", Json, nullable=False, comment="what else it concerns that was not told yet"),
    sa.Column("known", Json, nullable=False, comment="what it concerns that was told"),
)

people = sa.Table(
    "people",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("nick", sa.String, nullable=False),
    sa.Column("uid", sa.Integer, unique=True),
    sa.Column("first_seen", Moment, nullable=False),
)

taught = sa.Table(
    "taught",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("ruleset", sa.String, nullable=False),
    sa.Column("text", sa.String, nullable=False),
    sa.Column("kind", sa.String, nullable=False, comment="filler | form"),
    sa.Column("value", sa.String, nullable=False),
    sa.Column("act", sa.Integer, nullable=False, comment="the host's act that taught it for all games of these rules"),
    sa.Column("at", Moment, nullable=False),
    sa.Column("taken_back_at", Moment),
)

bars = sa.Table(
    "bars",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("nick", sa.String, nullable=False),
    sa.Column("uid", sa.Integer),
    sa.Column("until", Moment, comment="empty: until it is lifted"),
    sa.Column("why", sa.String, nullable=False, default=""),
    sa.Column("by", sa.String, nullable=False),
    sa.Column("at", Moment, nullable=False),
    sa.Column("lifted_at", Moment),
)

lookups = sa.Table(
    "lookups",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    _game(),
    sa.Column("nick", sa.String),
    sa.Column("uid", sa.Integer),
    sa.Column("asked_at", Moment, nullable=False),
    sa.Column("done_at", Moment),
    sa.Column("found", Json, comment="nick, uid and lines of the profile"),
    sa.Column("error", sa.String, comment="why such a one cannot be seated"),
)

bookings = sa.Table(
    "bookings",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("person_id", sa.Integer, sa.ForeignKey("people.id"), nullable=False, index=True),
    sa.Column("game_id", sa.String, sa.ForeignKey("games.id")),
    sa.Column("currency", sa.String, nullable=False),
    sa.Column("amount", sa.Float, nullable=False),
    sa.Column("reason", sa.String, nullable=False),
    sa.Column("key", sa.String, nullable=False, unique=True, comment="a booking is made once"),
    sa.Column("at", Moment, nullable=False),
)

accounts = sa.Table(
    "accounts",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.String, nullable=False, unique=True, comment="the host's name at the desk"),
    sa.Column("address", sa.String, comment="own mail address, where login links go"),
    sa.Column("nick", sa.String, comment="own forum account, for links by PM"),
    sa.Column("uid", sa.Integer),
    sa.Column("password", sa.String, comment="scrypt with its salt; empty: login by link alone"),
    sa.Column("created_at", Moment, nullable=False),
)

grants = sa.Table(
    "grants",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("account_id", sa.Integer, sa.ForeignKey("accounts.id"), nullable=False, index=True),
    sa.Column("game_id", sa.String, nullable=False, comment="in the database or not yet; * means every game"),
    sa.Column("role", sa.String, nullable=False, comment="host | cohost | observer"),
    sa.UniqueConstraint("account_id", "game_id"),
)

sessions = sa.Table(
    "sessions",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("digest", sa.String, nullable=False, unique=True, comment="of the cookie; the cookie itself is nowhere"),
    sa.Column("account_id", sa.Integer, sa.ForeignKey("accounts.id"), nullable=False, index=True),
    sa.Column("created_at", Moment, nullable=False),
    sa.Column("seen_at", Moment, nullable=False),
)

login_links = sa.Table(
    "login_links",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("digest", sa.String, nullable=False, unique=True, comment="of the word in the link"),
    sa.Column("account_id", sa.Integer, sa.ForeignKey("accounts.id"), nullable=False, index=True),
    sa.Column("ends_at", Moment, nullable=False),
    sa.Column("used_at", Moment),
)
