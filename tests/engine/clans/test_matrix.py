"""Tables 20.1 and 20.2 of the rules, read from their text and played cell by cell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engine.clans.board import Board, Result

RULES = (Path(__file__).parents[3] / "docs" / "rules" / "clans.md").read_text(encoding="utf-8")

TOWN = """
Борис don red
Тимур thug red
Гоша bodyguard red
Лола seductress red
Арт artist red
Дина don black
Лев thug black
Мила seductress black
Макс maniac
Ким commissioner vest=false
Док doctor
Вит witness
Луна sleepwalker
Жора journalist
Глеб shooter
Таня taxi_driver
Миша miner
Иза chosen
Егор citizen
Цель citizen
Зоя citizen
"""


def rows(title: str) -> Iterator[tuple[str, list[str]]]:
    """The rows of a table: name and cells, the head and its rule left out."""
    table = RULES.split(title)[1].split("\n\n")[0]
    for line in table.splitlines()[1:]:
        if line.startswith("|") and not line.startswith(("|---", "| move", "| attack")):
            name, *cells = (cell.strip() for cell in line.strip("|").split("|"))
            yield name, cells


# 20.1: row -> its moves.
MOVES = {
    "extra_votes": ("Иза extra_votes Цель",),
    "mine": ("Миша mine Цель",),
    "seduce": ("Лола seduce Цель",),
    "heal": ("Док heal Цель",),
    "poison_mistake": ("Док poison_mistake Цель",),
    "beat": ("Тимур beat Цель",),
    "invite": ("Макс invite Цель",),
    "guard": ("Гоша guard Арт",),
    "kill": ("Борис kill Цель",),
    "ride": ("Таня ride Цель",),
    "watch": ("Вит watch Цель",),
    "shoot, hunt": ("Глеб shoot Цель", "Егор hunt Арт"),
    "check, don": ("Борис check Цель",),
    "check, commissioner": ("Ким check Цель",),
    "interview": ("Жора interview Цель Зоя",),
    "walk": ("Луна walk Тимур",),
}

# 20.1: column -> what makes it so, and the reason that it gives. {a}: the mover, {t}: his target.
COLUMNS = (
    ("Зоя vote {a}", "actor_dead"),
    ("Глеб shoot {a}", "actor_dead"),
    ("Мила seduce {a}", "actor_at_seductress"),
    ("Мила seduce {mate}", "clan_at_seductress"),
    ("Лев beat {a}", "actor_beaten"),
    ("Макс invite {a}", "actor_at_maniac"),
    ("Зоя vote {t}", "target_dead"),
    ("Глеб shoot {t}", "target_dead"),
    ("Мила seduce {t}", "target_at_seductress"),
    ("Лев beat {t}", "target_beaten"),
    ("Макс invite {t}", "target_at_maniac"),
)
REASONS = {
    ("kill", 2): "clan_at_seductress",  # 1.5: never ``actor_at_seductress``
    ("guard", 8): "clan_at_seductress",  # R53: at the other clan's ЖЛП
}
MAKES_IT_SO = {
    ("watch", 6): "Дина kill {t}",  # a lynch is nothing to be seen (R81)
    ("walk", 9): "{t} beat {t}",  # anybody else's blow hits the walker, too (R45)
    ("seduce", 7): "Борис kill {t}",  # nobody else reaches her guest
}
CANNOT_BE = {(row, 7) for row in ("heal", "poison_mistake", "invite", "guard")} | {(row, 1) for row in ("shoot", "hunt")}
"""The move itself keeps the shot away, or nobody dies after it."""


def _stops() -> Iterator[object]:
    for name, cells in rows("### 20.1"):
        row = re.sub(r" \(\d+\)", "", name)
        for move in MOVES[row]:
            action = move.split()[1]
            for column, cell in enumerate(cells):
                if cell and not cell.startswith(("R28", "only against")) and (action, column) not in CANNOT_BE:
                    yield pytest.param(move, column, cell, id=f"{row.replace(', ', '-')}-{action}-{column}")


def _night(move: str, how: str) -> Result:
    actor, _, target, *_ = move.split()
    mate = "Тимур" if actor == "Арт" else "Арт"
    seen = [] if "watch" not in move or "{t}" in how else ["Егор hunt Цель"]
    return Board(TOWN).turn(how.format(a=actor, t=target, mate=mate), move, *seen, force={"seductress_draw": ["Мила"]})


@pytest.mark.parametrize(("move", "column", "cell"), list(_stops()))
def test_what_stops_a_move(move: str, column: int, cell: str) -> None:
    actor, action, target, *_ = move.split()
    how, reason = COLUMNS[column]
    how = MAKES_IT_SO.get((action, column), how)
    told = REASONS.get((action, column), reason)
    outcome = _night(move, how).outcomes[f"{actor}:{action}"]
    if cell.startswith("only phase 0"):
        assert outcome == "done"
        gone = actor if column == 0 else target
        assert _night(move, f"{gone} host_disqualify").outcomes[f"{actor}:{action}"] == reason
    elif cell.startswith("stops"):
        assert outcome == told
    else:
        assert cell == "-" and outcome == "done"


# 20.2: column -> who is the victim, and what gives him the state. A row may have its own.
STATES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Цель", ("Док heal {v}",)),
    ("Арт", ("Гоша guard {v}",)),
    ("Цель", ("Лев beat {v}",)),
    ("Цель", ("Лола seduce {v}",)),
    ("Цель", ("Макс invite {v}",)),
    ("Ким", ()),
    ("Зер", ()),
    ("Арт", ()),
    ("Шах", ()),
)
ATTACKS: dict[str, tuple[str, tuple[str, ...]]] = {
    "lynch": ("lynch", ("Зоя vote {v}",)),
    "mine": ("mine", ("Зоя vote {v}",)),
    "exhaustion": ("exhaustion", ()),
    "showdown (the ЖЛП)": ("showdown", ("Лола seduce Дина",)),
    "cyanide": ("poison", ("Док poison_mistake {v}",)),
    "clan's kill": ("clan_kill", ("Дина kill {v}",)),
    "clan's kill, guest of own ЖЛП": ("clan_kill", ("Дина kill {v}", "Мила seduce {v}")),
    "shooter": ("shot", ("Глеб shoot {v}",)),
    "hunt at mafioso or maniac": ("hunt", ("Егор hunt {v}",)),
    "hunt at civilian: the hunter (whatever the target has)": ("failed_hunt", ("{v} hunt Зоя",)),
    "reflected bullet: who fired": ("reflected", ("{v} kill Зер",)),
    "explosion of ЖЛП's room: guest": ("room_blast", ("Глеб shoot Лола", "Лола seduce {v}")),
    "explosion of maniac's room: guest": ("room_blast", ("Глеб shoot Макс", "Макс invite {v}")),
    "shahid's house: neighbour": ("house_blast", ("Дина kill Шах",)),
    "autokill, disqualification": ("disqualified", ("{v} host_disqualify",)),
}
OWN_GUEST, HUNT, REFLECTED = "clan's kill, guest of own ЖЛП", "hunt at mafioso or maniac", "reflected bullet: who fired"
BROUGHT = ("Макс invite {v}", "Лола seduce Макс")
"""D56: the only way for a mafioso into the room of his own ЖЛП."""
INSTEAD: dict[tuple[str, int], tuple[str, tuple[str, ...]]] = {
    ("exhaustion", 3): ("Цель", ("Док heal {v}", "Лола seduce {v}")),  # without a healing he dies before he is invited
    ("showdown (the ЖЛП)", 0): ("Лола", ("Док heal {v}",)),
    ("showdown (the ЖЛП)", 1): ("Лола", ("Гоша guard {v}",)),
    (OWN_GUEST, 2): ("Цель", ("Тимур beat {v}",)),
    (OWN_GUEST, 3): ("Цель", ()),
    (OWN_GUEST, 4): ("Цель", ("Макс invite Мила",)),
    (OWN_GUEST, 7): ("Лев", ("Макс invite {v}", "Мила seduce Макс")),
    (HUNT, 0): ("Арт", ("Док heal {v}",)),
    (HUNT, 2): ("Арт", ("Лев beat {v}",)),
    (HUNT, 3): ("Арт", ("Мила seduce {v}",)),
    (HUNT, 4): ("Арт", ("Макс invite {v}",)),
    (REFLECTED, 0): ("Борис", ("Док heal {v}",)),
    (REFLECTED, 1): ("Борис", ("Гоша guard {v}",)),
    (REFLECTED, 2): ("Борис", ("Лев beat {v}",)),
    (REFLECTED, 3): ("Борис", BROUGHT),
    (REFLECTED, 4): ("Борис", ("Макс invite {v}",)),
    (REFLECTED, 7): ("Борис", ()),
    ("explosion of ЖЛП's room: guest", 7): ("Арт", BROUGHT),
}
NO_BULLET = {(REFLECTED, 5)}
"""A commissioner fires only by the table ``hunt_miss_kills = "victim"``."""


def _saves() -> Iterator[object]:
    for number, (row, cells) in enumerate(rows("### 20.2")):
        for column, cell in enumerate(cells):
            if cell and not cell.startswith("(") and (row, column) not in NO_BULLET:
                yield pytest.param(row, column, cell, id=f"{number}-{column}")


def _attacked(row: str, column: int) -> tuple[Result, str, list[str]]:
    """The night, the victim, and the attack's orders."""
    victim, state = INSTEAD.get((row, column), STATES[column])
    cast = (TOWN + "Зер mirror\nШах shahid\n").replace("vest=false", "")
    if row == "shahid's house: neighbour":
        cast = re.sub(rf"\b({victim} .*)", r"\1\nШах shahid", cast.replace("Шах shahid\n", ""))
    keys = {"exhaustion": " exhausted", "mine": " mined_by=Миша"}.get(row, "")
    cast = re.sub(rf"\b({victim} .*)", rf"\1{keys}", cast)
    attack = [order.format(v=victim) for order in ATTACKS[row][1]]
    return Board(cast, mine_votes=1).turn(*(order.format(v=victim) for order in state), *attack), victim, attack


@pytest.mark.parametrize(("row", "column", "cell"), list(_saves()))
def test_what_saves_from_what(row: str, column: int, cell: str) -> None:
    night, victim, attack = _attacked(row, column)
    cause = ATTACKS[row][0]
    if cell.startswith("dies"):
        assert night.causes.get(victim) == cause
    elif cell.startswith("lives"):
        assert victim not in night.dead and victim in night.saved
    elif cell == "reflected":
        assert victim in night.saved and night.causes == {attack[0].split()[0]: "reflected"}
    else:
        assert cell == "not fired"
        actor, action, *_ = attack[0].split()
        assert victim not in night.dead | night.saved
        assert night.outcomes[f"{actor}:{action}"] not in ("done", "target_healed", "guarded", "civilian_target")
    if "explo" in cell:
        assert ("house_blast" in night.causes.values()) == ("no explosion" not in cell)
    if "pierced" in cell:
        assert ("vest_pierced", {}) in night.told(victim)
