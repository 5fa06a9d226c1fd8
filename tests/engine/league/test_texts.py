"""Private letters of the league promise no more than the rules do."""

from __future__ import annotations

import pytest

from forumbot import resources
from forumbot.writing.writer import PublicFacts, Writer, gather


def letter(kind: str, turn: int = 2, **data: object) -> str:
    """Subject and text of a notice to Глеб."""
    facts = PublicFacts("Лига", turn, living=("Анна", "Глеб"), tables=resources.tables("league"))
    writer = Writer(gather("league"), "Europe/Moscow")
    return "\n".join(writer.private("notices.j2", str, facts=facts, nick="Глеб", kind=kind, data=data))


@pytest.mark.parametrize("item", ["armour_mafia", "armour_yakuza_strong", "armour_commissioner", "necro_shield"])
def test_a_used_up_protection_tells_neither_of_an_attack_nor_of_survival(item: str) -> None:
    """R62: a plain look uses armour up as well; and who was spared once may still have died that night."""
    text = letter("attempt_survived", item=item)
    assert "израсходовано" in text
    assert "живы" not in text and "покушались" not in text


def test_armour_against_both_gangs_keeps_its_other_half() -> None:
    """R93: after the first shot it works on against the other gang."""
    text = letter("attempt_survived", item="armour_both")
    assert "ещё действует" in text and "израсходовано" not in text


@pytest.mark.parametrize(("turn", "choice"), [(0, False), (1, True)])
def test_a_bodyguard_is_asked_to_choose_only_when_he_can(turn: int, choice: bool) -> None:
    """R81, D4: equal bids of the opening night are drawn."""
    assert ("«Охрана: ник»" in letter("guard_targets", turn, targets=["Анна", "Вера"])) == choice


@pytest.mark.parametrize(
    ("after", "count", "said"),
    [(2, 1, "за следующее такое будет штраф"), (2, 2, "удержат штраф"), (2, 3, "удержат штраф"), (4, 1, "с 4-го будет штраф")],
)
def test_p23_what_an_unpaid_order_costs_is_said_by_the_notice_alone(after: int, count: int, said: str) -> None:
    """R17: by the game's own table; the receipt's reason says no more than that the coins did not reach."""
    tables = resources.tables("league")
    facts = PublicFacts("Лига", 2, tables=tables | {"fines": tables["fines"] | {"after": after}})
    writer = Writer(gather("league"), "Europe/Moscow")
    data = {"count": count, "cost": 5}
    assert said in writer.private("notices.j2", str, facts=facts, nick="Глеб", kind="warning", data=data)[1]
    assert writer.word("reasons", "not_enough_coins") == "не хватает монет"
