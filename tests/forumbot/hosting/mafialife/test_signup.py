"""The sign-up of mafialife has as many places as the set-up list has roles (R180)."""

from pathlib import Path

from forumbot import resources
from tests.forumbot.hosting.world import NICKS, make_world


def test_whoever_comes_when_all_roles_are_taken_waits(tmp_path: Path) -> None:
    setup = resources.toml("rulesets/mafialife.toml")["setup"][:8]
    world = make_world(tmp_path, players=9, ruleset="mafialife", id="g1", title="Партия", tables={"setup": setup})
    assert "Нужно игроков: от 8 до 8." in world.forum.texts(world.forum.find("Запись"))[0]
    welcomed = [nick for nick in NICKS[:9] if any("вы записаны" in subject for subject, _ in world.forum.pms_to(nick))]
    assert welcomed == list(NICKS[:8])
    assert [subject for subject, _ in world.forum.pms_to(NICKS[8])] != []
