"""What was read: the parse log, the list of doubtful messages, posts and letters in full. Letters are shown as text only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from starlette.responses import Response

from adapters.markup import html_runs
from forumbot.desk import accounts, wording
from forumbot.desk.core import Asked, Refusal
from forumbot.desk.rights import IN_A_GAME, may
from forumbot.hosting.core import choosing
from forumbot.hosting.inbox import digest, letterbox
from forumbot.hosting.inbox.routing import without_codes
from forumbot.hosting.turns import teaching
from forumbot.reading.explain import class_text
from forumbot.store.prepared import Row
from forumbot.store.tables import inputs, letters, posts, threads, verdicts

PAGE = 50
"""Entries on one page of a list."""
RAW_MOST = 20_000
"""Signs of a raw letter that are shown; the rest is in the database."""


def log(asked: Asked) -> Response:
    """Every verdict, newest first, with filters by turn, player, outcome and action."""
    wanted = {name: asked.query(name) for name in ("turn", "player", "outcome", "action")}
    start = max(0, asked.number("from") or 0)
    shown, total = _verdicts(asked, wanted, start)
    turns = asked.connection.execute(
        sa.select(verdicts.c.turn).where(verdicts.c.game_id == asked.row.id).distinct().order_by(verdicts.c.turn)
    ).scalars()
    return asked.page(
        "log.html",
        tab="log",
        entries=_entries(asked, shown),
        wanted=wanted,
        turns=list(turns),
        actions=[(action, asked.word("actions", action)) for action in asked.match.ruleset.spec.actions],
        start=start,
        total=total,
        size=PAGE,
    )


def entry(asked: Asked) -> Response:
    found = asked.connection.execute(
        sa.select(verdicts).where(verdicts.c.id == asked.path_number(), verdicts.c.game_id == asked.row.id)
    ).mappings()
    entries = _entries(asked, found.all())
    if not entries:
        raise Refusal(404, "Такой записи нет.")
    return asked.page("entry.html", tab="log", entry=entries[0])


def review(asked: Asked) -> Response:
    """What waits for the host: doubtful messages with their candidate readings, and letters of nobody known."""
    closed = digest.closed_reviews(asked.connection, asked.row.id)[:PAGE]
    # Whoever can settle a doubt himself is asked first: what only the host can decide stands above.
    put = choosing.asked_about(asked.connection, asked.row.id, asked.row.turn)
    waiting = sorted(digest.reviews(asked.connection, asked.row.id), key=lambda row: row["id"] in put)
    return asked.page(
        "review.html",
        tab="review",
        entries=_entries(asked, waiting),
        put=put,
        wide=_wide(asked),
        closed=_entries(asked, closed),
        strays=_strays(asked),
        moves=_moves(asked),
        players=list(asked.names.values()),
    )


def words(asked: Asked) -> Response:
    """What the host has taught the reader, the last first."""
    named = {"form": lambda value: asked.word("actions", value), "nick": asked.name}
    taught = [
        {
            "id": row["id"],
            "text": row["payload"]["text"],
            "way": teaching.WAYS[row["payload"]["kind"]],
            "value": named.get(row["payload"]["kind"], str)(row["payload"]["value"]),
            "everywhere": "for_all" in row["payload"],
            "at": row["at"],
        }
        for row in teaching.listed(asked.connection, asked.row.id)
    ]
    players = list(asked.names.values())
    return asked.page("words.html", tab="words", taught=taught, wide=_wide(asked), moves=_moves(asked), players=players)


def _wide(asked: Asked) -> bool:
    """Whether this person may teach for all games."""
    return may(asked.account, "stray", live=accounts.live_games(asked.connection))


def _moves(asked: Asked) -> list[tuple[str, str]]:
    spec = asked.match.ruleset.spec
    return [(action, asked.word("actions", action)) for action in spec.actions if action not in spec.host_actions]


def texts(asked: Asked) -> Response:
    """Posts and letters of the game, newest first."""
    start = max(0, asked.number("from") or 0)
    most = start + PAGE + 1
    post_rows = asked.connection.execute(
        sa.select(posts).where(posts.c.game_id == asked.row.id).order_by(posts.c.posted_at.desc()).limit(most)
    ).mappings()
    letter_rows = asked.connection.execute(
        sa.select(letters).where(letters.c.game_id == asked.row.id).order_by(letters.c.received_at.desc()).limit(most)
    ).mappings()
    found: list[dict[str, Any]] = [
        {
            "kind": "post",
            "id": row["id"],
            "at": row["posted_at"],
            "author": row["author"],
            "more": f"№{row['number'] or row['post_id']}",
            "version": row["version"],
            "gone": row["gone_at"],
            "text": own_words(row["html"]),
        }
        for row in post_rows
    ]
    found += [
        {
            "kind": "letter",
            "id": row["id"],
            "at": row["received_at"],
            "author": asked.name(row["seat"]) or row["sender"],
            "more": without_codes(row["subject"]),
            "version": 1,
            "gone": None,
            "text": without_codes(row["text"]),
        }
        for row in letter_rows
    ]
    found.sort(key=lambda item: item["at"], reverse=True)
    return asked.page(
        "texts.html", tab="texts", items=found[start : start + PAGE], start=start, size=PAGE, more=len(found) > start + PAGE
    )


def post(asked: Asked) -> Response:
    """One version of a post in full, with the other versions."""
    row = (
        asked.connection.execute(
            sa.select(posts, threads.c.topic)
            .join(threads, threads.c.id == posts.c.thread_id)
            .where(posts.c.id == asked.path_number(), posts.c.game_id == asked.row.id)
        )
        .mappings()
        .first()
    )
    if row is None:
        raise Refusal(404, "Такого сообщения нет.")
    versions = asked.connection.execute(
        sa.select(posts.c.id, posts.c.version, posts.c.seen_at)
        .where(posts.c.thread_id == row["thread_id"], posts.c.post_id == row["post_id"])
        .order_by(posts.c.version)
    ).mappings()
    return asked.page(
        "post.html",
        tab="texts",
        post=row,
        runs=[(run.text, _look(run)) for run in html_runs(row["html"])],
        versions=versions.all(),
        verdict=_verdict_of(asked, f"post:{row['id']}"),
    )


def letter(asked: Asked) -> Response:
    """One letter or private message in full, as text."""
    row = asked.connection.execute(sa.select(letters).where(letters.c.id == asked.path_number(), _mine(asked))).mappings().first()
    if row is None:
        raise Refusal(404, "Такого письма нет.")
    raw = row["raw"].decode("utf-8", "replace")
    return asked.page(
        "letter.html",
        tab="texts",
        letter={**row, "text": without_codes(row["text"]), "subject": without_codes(row["subject"])},
        # An observer is not shown what hides a code (base64 and the like).
        raw=without_codes(raw[:RAW_MOST]) if asked.role in IN_A_GAME["act"] else "",
        cut=len(raw) > RAW_MOST,
        verdict=_verdict_of(asked, f"letter:{row['id']}"),
        players=list(asked.names.values()),
        route=wording.ROUTES.get(row["routed"] or "", row["routed"] or "ещё не разобрано"),
    )


def source_path(source: str) -> str:
    """Where the message of a verdict stands: "post:7" is "/post/7"."""
    kind, _, number = source.partition(":")
    return f"/{kind}/{number}"


def _verdicts(asked: Asked, wanted: Mapping[str, str], start: int) -> tuple[Sequence[sa.RowMapping], int]:
    """A page of the verdicts that are wanted, the newest first, and how many there are."""
    mine = [verdicts.c.game_id == asked.row.id]
    if asked.number("turn") is not None:
        mine.append(verdicts.c.turn == asked.number("turn"))
    if wanted["outcome"] in wording.OUTCOMES:
        mine.append(verdicts.c.outcome == wanted["outcome"])
    if wanted["player"]:
        seat = next((seat for seat, nick in asked.names.items() if nick == wanted["player"]), wanted["player"])
        mine.append(sa.or_(verdicts.c.seat == seat, verdicts.c.author == wanted["player"]))
    if wanted["action"]:
        order = sa.func.json_each(verdicts.c.orders).table_valued("value")
        mine.append(sa.exists().where(sa.func.json_extract(order.c.value, "$.action") == wanted["action"]))
    total = asked.connection.execute(sa.select(sa.func.count()).select_from(verdicts).where(*mine)).scalar_one()
    newest = verdicts.c.at.desc(), verdicts.c.id.desc()
    # Ids first: what a verdict says is long, and is read of one page alone.
    page = sa.select(verdicts.c.id).where(*mine).order_by(*newest).limit(PAGE).offset(start)
    rows = asked.connection.execute(sa.select(verdicts).where(verdicts.c.id.in_(page)).order_by(*newest)).mappings().all()
    return rows, total


def _entries(asked: Asked, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Verdicts as a page shows them."""
    struck: dict[int, str] = {}
    counted: set[str] = set()
    given = sa.select(inputs.c.verdict_id, inputs.c.struck, inputs.c.payload).where(
        inputs.c.game_id == asked.row.id, inputs.c.verdict_id.in_([row["id"] for row in rows])
    )
    for verdict_id, why, payload in asked.connection.execute(given):
        if why is None:
            counted.add(payload.get("ref", ""))
        else:
            struck[int(verdict_id)] = str(why)
    state = asked.match.ruleset.state(asked.match.game) if asked.match.game is not None else {}
    numbers = _post_numbers(asked, [row["source"] for row in rows])
    return [
        {
            "id": row["id"],
            "at": row["at"],
            "judged_at": row["judged_at"],
            "turn": row["turn"],
            "author": asked.name(row["seat"]) or row["author"],
            "seat": row["seat"],
            "role": asked.word("roles", state.get(row["seat"] or "", {}).get("role")),
            "channel": wording.CHANNELS.get(row["channel"], row["channel"]),
            "source": source_path(row["source"]),
            "number": numbers.get(row["source"], ""),
            "outcome": row["outcome"],
            "outcome_word": wording.OUTCOMES.get(row["outcome"], row["outcome"]),
            "reason": asked.word("reasons", row["reason"]),
            "rule": row["rule"],
            "version": row["version"],
            "pieces": wording.pieces(without_codes(row["text"]), row["orders"]),
            "orders": [
                said(asked, order) | {"counts": f"{row['id']}.{index}" in counted} for index, order in enumerate(row["orders"])
            ],
            "struck": struck.get(row["id"]),
            "decided": row["decided_by"],
            "unexplained": list(dict.fromkeys(row["unexplained"] or ())),
            "explained": [(word, _class(asked, by)) for word, by in row["explained"] or ()],
        }
        for row in rows
    ]


def said(asked: Asked, order: Mapping[str, Any]) -> dict[str, Any]:
    """An order (of a verdict or of an input) in words."""
    args = []
    for key, value in order.get("args", {}).items():
        kind = asked.match.ruleset.spec.args.get(order["action"], {}).get(key, "any")
        values = value if isinstance(value, list) else [value]
        args.append((key, ", ".join(_arg(asked, kind, item) for item in values)))
    return {
        "action": order["action"],
        "action_word": asked.word("actions", order["action"]),
        "targets": [asked.name(target) for target in order["targets"]],
        "args": args,
        "status": order.get("status", "accepted"),
        "reason": asked.word("reasons", order.get("reason")),
        "rule": order.get("rule", ""),
    }


def _class(asked: Asked, by: str) -> str:
    """What explains a word: its class, with the move, the player or the role that it names."""
    kind, _, id_ = by.partition(":")
    group = {"action": "actions", "hint": "actions", "role": "roles"}.get(kind, "")
    named = asked.name(id_) if kind == "nick" else asked.word(group, id_) if group else ""
    return f"{class_text(by)} «{named}»" if named else class_text(by)


_ARG_GROUPS = {"role": "roles", "action": "actions", "faction": "factions", "item": "items"}


def _arg(asked: Asked, kind: str, value: Any) -> str:
    if isinstance(value, bool):
        return "да" if value else "нет"
    if kind == "nick":
        return asked.name(str(value))
    return asked.word(_ARG_GROUPS[kind], str(value)) if kind in _ARG_GROUPS else str(value)


def _post_numbers(asked: Asked, sources: Sequence[str]) -> dict[str, str]:
    """Source of a post -> its number in the thread, with the version where it was changed."""
    ids = [int(source.partition(":")[2]) for source in sources if source.startswith("post:")]
    rows = asked.connection.execute(
        sa.select(posts.c.id, posts.c.number, posts.c.post_id, posts.c.version).where(posts.c.id.in_(ids))
    ).all()
    return {
        f"post:{id_}": f"№{number or post_id}" + (f", правка {version - 1}" if version > 1 else "")
        for id_, number, post_id, version in rows
    }


def _mine(asked: Asked) -> sa.ColumnElement[bool]:
    """Letters of this game; those of no game only for whom any of them may concern."""
    own: sa.ColumnElement[bool] = letters.c.game_id == asked.row.id
    if may(asked.account, "stray", live=accounts.live_games(asked.connection)):
        return sa.or_(own, letters.c.game_id.is_(None))
    return own


def _strays(asked: Asked) -> list[sa.RowMapping]:
    """Letters that found no seat: the host may bind their address to a player."""
    routes = ("unknown_sender", "not_proven", "which_game", "shared", "old_code", letterbox.BROKEN)
    stray = letters.c.game_id.is_(None), letters.c.routed.in_(routes)
    return list(
        asked.connection.execute(sa.select(letters).where(_mine(asked), *stray).order_by(letters.c.received_at)).mappings()
    )


def _verdict_of(asked: Asked, source: str) -> dict[str, Any] | None:
    rows = asked.connection.execute(
        sa.select(verdicts).where(verdicts.c.game_id == asked.row.id, verdicts.c.source == source)
    ).mappings()
    entries = _entries(asked, rows.all())
    return entries[0] if entries else None


def own_words(html: str) -> str:
    """What the writer of a post says in it; quotes are out."""
    return "".join(run.text for run in html_runs(html) if run.voice == "own").strip()


def _look(run: Any) -> str:
    """CSS classes of a run: only names of our own, nothing that the writer chose."""
    looks = [f"color-{run.color}" if run.color in ("red", "blue") else "", "struck" if run.struck else ""]
    looks.append("" if run.voice == "own" else "quoted")
    return " ".join(look for look in looks if look)
