"""Settings files: every mistake is one sentence with its place, and what was likely meant."""

from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from forumbot.settings import SettingsError, load_game, load_games, load_site, time_zone
from forumbot.settingsfile import load_forum_strings

SITE = '[site]\ndata = "data"\n[forum]\nengine = "ucoz"\nurl = "https://x.example"\nuser = "Бот"\n'
MAIL = SITE + '[mail]\naddress = "i@x.example"\nimap_host = "i"\nimap_port = 993\nsmtp_host = "s"\n'
GAME = 'id = "gk1"\ntitle = "Игра"\nruleset = "goldenkey"\nsection = "12"\n[signup]\ncloses = 2026-12-04T20:00:00\n'


def written(folder: Path, text: str, name: str = "forumbot.toml") -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def test_the_packaged_examples_load() -> None:
    example = Path(__file__).parent.parent.parent / "config" / "example"
    site = load_site(example / "forumbot.toml")
    assert site.mail is not None
    assert [game.ruleset for game in load_games(site)] == ["goldenkey"]


def test_files_of_windows_editors_are_read_or_told(tmp_path: Path) -> None:
    file = written(tmp_path, GAME, "games/gk1.toml")
    file.write_bytes(b"\xef\xbb\xbf" + GAME.replace("\n", "\r\n").encode())
    assert load_game(file).title == "Игра"
    file.write_bytes(GAME.encode("cp1251"))
    with pytest.raises(SettingsError, match="сохраните его в редакторе как UTF-8"):
        load_game(file)


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "a = ",
        "a = [1",
        "a = {b = 1",
        "[a",
        "[[a]",
        "[a]\n[a]",
        "a = {b=1,b=2}",
        "день = 1",
        'a = "\\q"',
        "a = 'x",
        "a = 1 2",
    ],
)
def test_no_mistake_of_toml_is_told_in_the_parsers_own_words(tmp_path: Path, text: str) -> None:
    with pytest.raises(SettingsError) as told:
        load_game(written(tmp_path, text, "gk1.toml"))
    _, place, problem = str(told.value).split(": ", 2)
    assert place.startswith("строка ")
    assert not set("qwertuiopsdfghjkl") & set(problem.replace("TOML", "")), problem
    assert problem != "это не TOML"


def test_paths_start_at_the_file(tmp_path: Path) -> None:
    site = load_site(written(tmp_path, SITE))
    assert site.site.data == tmp_path / "data"
    assert site.site.games == tmp_path / "games"


@pytest.mark.parametrize(
    ("text", "place", "meant"),
    [
        (SITE.replace("data", "date", 1), "site.data", ""),
        (SITE.replace("[forum]", "poll_second = 3\n[forum]"), "site.poll_second", "poll_seconds"),
        (SITE.replace('"ucoz"', '"ucos"'), "forum.engine", "ucoz"),
        (SITE.replace("https://", "ftp://"), "forum.url", "http://"),
        (SITE + 'zone = "Europe/Moskow"\n', "forum.zone", "Europe/Moskow"),
        (SITE + "[male]\n", "male", "mail"),
        (SITE + 'zone = "Europe/Moskow"\n', "forum.zone", "Europe/Moscow"),
        (SITE.replace("https://x.example", "https://"), "forum.url", "нет имени сайта"),
        (SITE.replace('"Бот"', '""'), "forum.user", "пустая строка"),
        (SITE.replace('"data"', "5"), "site.data", "в кавычках"),
        (SITE + 'overrides = "x"\n', "forum.overrides", "нужен раздел"),
        (MAIL.replace("993", "99999"), "mail.imap_port", "слишком велико"),
        (MAIL.replace("993", "true"), "mail.imap_port", "целое число"),
        (MAIL.replace("i@x.example", "почта"), "mail.address", "адрес почты"),
        (SITE.replace('"Бот"', '"Бот'), "строка 6", "кавычки"),
        (SITE.replace('"Бот"', "Бот"), "строка 6", "в кавычках"),
        (SITE + 'user = "Бот"\n', "строка 7", "дважды"),
    ],
)
def test_a_mistake_is_named_with_its_place(tmp_path: Path, text: str, place: str, meant: str) -> None:
    with pytest.raises(SettingsError) as told:
        load_site(written(tmp_path, text))
    sentence = str(told.value)
    assert place in sentence
    assert meant in sentence
    assert "\n" not in sentence


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (GAME.replace('"goldenkey"', '"goldenky"'), "ruleset"),
        (GAME.replace("2026-12-04T20:00:00", '"завтра"'), "signup.closes"),
        (GAME.replace("2026-12-04T20:00:00", "2026-12-04"), "signup.closes: нужны дата и время"),
        (GAME.replace("2026-12-04T20:00:00", "завтра"), "строка 6"),
        (GAME.replace("[signup]", 'hosts = "Анна"\n[signup]'), "hosts: нужен список"),
        (GAME.replace('"gk1"', '"Игра 1"'), "id"),
        (GAME + "close = 1\n", "signup.close"),
    ],
)
def test_a_mistake_in_a_games_file_is_named(tmp_path: Path, text: str, place: str) -> None:
    with pytest.raises(SettingsError, match=place):
        load_game(written(tmp_path, text, "gk1.toml"))


def test_two_files_of_one_game_are_refused(tmp_path: Path) -> None:
    site = load_site(written(tmp_path, SITE))
    for name in ("a", "b"):
        written(tmp_path / "games", GAME, f"{name}.toml")
    with pytest.raises(SettingsError, match="уже описана"):
        load_games(site)


def test_no_file_and_no_toml_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="файла нет"):
        load_site(tmp_path / "forumbot.toml")
    with pytest.raises(SettingsError, match="строка 1: нет закрывающей скобки"):
        load_site(written(tmp_path, "[site\n"))


def test_secrets_come_from_files_and_systemds_go_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path / "secrets", "из папки\n", "forum_password")
    file = written(tmp_path, SITE)
    assert load_site(file).forum_settings({}).password == "из папки"
    written(tmp_path / "credentials", "от systemd\n", "forum_password")
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path / "credentials"))
    assert load_site(file).forum_settings({}).password == "от systemd"
    assert "systemd" not in repr(load_site(file))


@pytest.mark.parametrize(
    ("engine", "text", "told"),
    [
        ("ucoz", 'autor_classes = "nick"', "autor_classes: такой настройки нет; вероятно, имелось в виду «author_classes»"),
        ("phpbb", 'pm_body = "td["', "pm_body: такой настройки нет"),
        ("ucoz", 'pm_body = "td["', "pm_body: «td[» не селектор CSS"),
        ("ucoz", 'topic_link = ""', "topic_link: «» не селектор CSS"),
        ("ucoz", 'author_classes = "a.nick"', "author_classes: «a.nick» не имя"),
        ("phpbb", 'post_ids = ""', "post_ids: не может быть пустой строкой"),
        ("phpbb", 'forbidden_words = ["нельзя"]', "forbidden_words: нужна строка в кавычках"),
        ("phpbb", 'max_post = "много"', "max_post: нужно целое число"),
    ],
)
def test_a_wrong_string_of_the_forum_is_named_with_file_and_line(tmp_path: Path, engine: str, text: str, told: str) -> None:
    file = written(tmp_path, f'# {text}\nred_classes = "vote-red"\n{text}\n', f"forums/{engine}.toml")
    with pytest.raises(SettingsError) as refused:
        load_forum_strings(file, engine)
    assert str(refused.value).startswith(f"{file}: строка 3: {told}")
    assert "\n" not in str(refused.value)


def test_a_wrong_string_in_the_sites_file_is_named_too(tmp_path: Path) -> None:
    file = written(tmp_path, SITE + 'overrides = { red_classes = ".vote" }\n')
    with pytest.raises(SettingsError, match=r"строка 7: forum\.overrides\.red_classes: «\.vote» не имя"):
        load_site(file)


def test_strings_of_the_forum_may_be_empty_or_a_number(tmp_path: Path) -> None:
    """A phrase that is left empty stands for nothing, not for everything."""
    from adapters.layout import has_one
    from adapters.ucoz.layout import Layout

    file = written(tmp_path, 'max_post = 9000\nactivated_words = ""\nedited_words = "Переписал | | Изменил"\n', "ucoz.toml")
    layout = Layout.of(load_forum_strings(file, "ucoz"))
    assert (layout.max_post, layout.edited_words) == ("9000", "Переписал|Изменил")
    assert not has_one(layout.activated_words, "Сообщение отредактировал")


@pytest.mark.parametrize(
    ("said", "hours"),
    [("GMT+3", 3), ("MSK", 3), ("UTC+3", 3), ("Москва", 3), ("мск+2", 5), ("+07:00", 7), ("UTC−5", -5), ("Владивосток", 10)],
)
def test_h12_a_zone_is_known_as_people_write_it(said: str, hours: int) -> None:
    assert datetime(2026, 12, 1, tzinfo=ZoneInfo(time_zone(said))).utcoffset() == timedelta(hours=hours)


@pytest.mark.parametrize(("said", "meant"), [("Etc/GMT+3", "UTC-3"), ("Etc/GMT-3", "UTC+3"), ("etc/gmt+12", "UTC-12")])
def test_h12_names_with_the_sign_turned_round_are_questioned(said: str, meant: str) -> None:
    with pytest.raises(ValueError, match="знак обратный") as told:
        time_zone(said)
    assert f"это {meant};" in str(told.value)
