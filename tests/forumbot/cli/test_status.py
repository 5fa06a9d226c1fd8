"""What ``forumbot status`` says of a game that is over; running games are seen in ``test_host_commands``."""

import json
from pathlib import Path

from click.testing import CliRunner

from forumbot.cli.main import main
from forumbot.store.tables import games, turns
from tests.forumbot.hosting.hosts import day_one
from tests.forumbot.hosting.world import MONDAY


def test_the_winner_is_named_in_words_and_in_json_by_his_id(tmp_path: Path) -> None:
    world = day_one(tmp_path)
    with world.store.write() as connection:
        connection.execute(games.update().values(stage="over", winner="townsfolk"))
        ended = {"type": "Ended", "winner": "townsfolk", "kind": "faction"}
        connection.execute(turns.update().values(closed_at=MONDAY, events=[ended]))
    settings = '[site]\ndata = "."\n[forum]\nengine = "ucoz"\nurl = "http://forum.invalid"\nuser = "Ведущий"\n'
    (tmp_path / "forumbot.toml").write_text(settings, encoding="utf-8")
    call = ["status", "--config", str(tmp_path / "forumbot.toml")]
    told = CliRunner().invoke(main, call, env={"COLUMNS": "200"}).output
    assert "окончена" in told
    assert "Горожане" in told
    (game,) = json.loads(CliRunner().invoke(main, [*call, "--json"]).output)["games"]
    assert (game["stage"], game["winner"], game["winner_kind"]) == ("over", "townsfolk", "faction")
