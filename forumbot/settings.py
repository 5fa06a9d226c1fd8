"""The host's files: one TOML file for the site, one per game, secrets apart. Every mistake is one Russian sentence."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, time
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SecretsSettingsSource, SettingsConfigDict

from adapters import engines
from adapters.forum import ForumSettings
from adapters.mailbox import MailSettings
from engine import rulesets
from forumbot.settingsfile import SettingsError as SettingsError
from forumbot.settingsfile import check_strings, read

GAME_ID = r"^[a-z0-9][a-z0-9_-]{0,30}$"
MAIL_ADDRESS = r"^[^@\s]+@[^@\s]+$"
"""What a mail address looks like, without names and brackets about it."""


def web_address(value: str) -> str:
    """A forum's address without a slash at its end. Raises ValueError with one Russian sentence."""
    value = value.strip()
    if not value.startswith(("http://", "https://")):
        raise ValueError("адрес форума начинается с http:// или https://")
    if not urlsplit(value).hostname:
        raise ValueError("в адресе форума нет имени сайта; нужно, например, https://mafia.example.org")
    return value.rstrip("/")


def time_zone(value: str) -> str:
    """The name of a time zone as ``zoneinfo`` knows it, of a name, a city or an offset as people write them. Raises ValueError
    with one Russian sentence."""
    value = value.strip()
    folded = " ".join(value.casefold().replace("\N{MINUS SIGN}", "-").replace("\N{EN DASH}", "-").split())
    swapped = re.fullmatch(r"(?:etc/)?gmt([+-])(\d{1,2})", folded)
    if swapped and folded.startswith("etc/"):
        other = "-" if swapped[1] == "+" else "+"
        raise ValueError(
            f"в именах Etc/GMT знак обратный: «{value}» - это UTC{other}{swapped[2]}; напишите «UTC{other}{swapped[2]}», если "
            f"нужен он, или «UTC{swapped[1]}{swapped[2]}», если нет"
        )
    if (city := _CITIES.get(folded.replace("ё", "е"))) is not None:
        return city
    offset = re.fullmatch(r"(?:(utc|gmt|msk|мск) ?)?(?:([+-]) ?(\d{1,2})(?::?(00))?)?", folded)
    if offset and (offset[1] or offset[2]):
        hours = int(f"{offset[2] or '+'}{offset[3] or 0}") + (3 if offset[1] in ("msk", "мск") else 0)
        if -12 <= hours <= 14:
            return "Europe/Moscow" if hours == 3 and offset[1] in ("msk", "мск") else _fixed(hours)
    try:
        ZoneInfo(value)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        near = [zone for zone in sorted(available_timezones()) if zone.rpartition("/")[2].lower() == value.lower()]
        near += difflib.get_close_matches(value, [zone for zone in available_timezones() if not zone.startswith("Etc/")], n=1)
        likely = f"вероятно, имелось в виду «{near[0]}»" if near else "нужен, например, «Europe/Moscow» или «UTC+3»"
        raise ValueError(f"нет такого часового пояса: «{value}»; {likely}") from error
    return value


def _fixed(hours: int) -> str:
    """The zone so many hours ahead of UTC. Those of the database are named by how far behind they are."""
    return "UTC" if hours == 0 else f"Etc/GMT{-hours:+d}"


_CITIES: Mapping[str, str] = {
    "москва": "Europe/Moscow",
    "по москве": "Europe/Moscow",
    "московское": "Europe/Moscow",
    "московское время": "Europe/Moscow",
    "moscow": "Europe/Moscow",
    "петербург": "Europe/Moscow",
    "санкт-петербург": "Europe/Moscow",
    "спб": "Europe/Moscow",
    "калининград": "Europe/Kaliningrad",
    "самара": "Europe/Samara",
    "саратов": "Europe/Saratov",
    "волгоград": "Europe/Volgograd",
    "екатеринбург": "Asia/Yekaterinburg",
    "челябинск": "Asia/Yekaterinburg",
    "пермь": "Asia/Yekaterinburg",
    "уфа": "Asia/Yekaterinburg",
    "омск": "Asia/Omsk",
    "новосибирск": "Asia/Novosibirsk",
    "томск": "Asia/Tomsk",
    "барнаул": "Asia/Barnaul",
    "кемерово": "Asia/Novokuznetsk",
    "красноярск": "Asia/Krasnoyarsk",
    "иркутск": "Asia/Irkutsk",
    "чита": "Asia/Chita",
    "якутск": "Asia/Yakutsk",
    "владивосток": "Asia/Vladivostok",
    "хабаровск": "Asia/Vladivostok",
    "магадан": "Asia/Magadan",
    "сахалин": "Asia/Sakhalin",
    "камчатка": "Asia/Kamchatka",
    "киев": "Europe/Kyiv",
    "минск": "Europe/Minsk",
    "рига": "Europe/Riga",
    "вильнюс": "Europe/Vilnius",
    "таллин": "Europe/Tallinn",
    "кишинев": "Europe/Chisinau",
    "тбилиси": "Asia/Tbilisi",
    "ереван": "Asia/Yerevan",
    "баку": "Asia/Baku",
    "алматы": "Asia/Almaty",
    "астана": "Asia/Almaty",
    "ташкент": "Asia/Tashkent",
    "бишкек": "Asia/Bishkek",
}
"""Cities and names in the words of those who live there -> the zone of the database."""


def _found(value: str, package: Callable[[str], str], names: Callable[[], Sequence[str]]) -> str:
    """The value, where something of this name is found; all names are looked for only to tell them. Raises what pydantic says of
    a wrong literal."""
    try:
        package(value)
    except KeyError:
        raise PydanticCustomError("literal_error", "no such value", {"expected": ", ".join(names())}) from None
    return value


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


_HOURS_MOST = 10_000.0
"""Hours of more than a year are a slip of the keyboard, and a moment that they lead to may be none."""


class SitePart(_Section):
    """[site]: where things lie."""

    data: Path
    """Folder of the database, cookies and logs."""
    games: Path = Path("games")
    """Folder of the games' files."""
    secrets: Path = Path("secrets")
    """Folder with ``forum_password`` and ``mail_password``; ``$CREDENTIALS_DIRECTORY`` (systemd) goes first."""
    own: Path | None = None
    """Folder with the host's own tables, templates and themes, laid out like ``config/``."""
    host_address: str = ""
    """Where the bot writes when something needs the host."""
    host_nick: str = ""
    """Forum account of the host, for the same by PM."""
    host_uid: int = 0
    poll_seconds: float = Field(default=60, gt=0, le=86_400)
    """How often threads and mailbox are looked at; a mail server that knows IDLE tells of letters before that."""
    grace_seconds: float = Field(default=20, ge=0, le=86_400)
    """A reading counts for a deadline when it began at least so many seconds after it: what the forum took in the last
    second must be there to be read."""
    metrics_port: int = Field(default=0, ge=0, lt=65536)
    """Figures for Prometheus on this port of the loopback address; 0: none. Needs the extra ``metrics``."""
    hold_hours: float = Field(default=6, gt=0, le=_HOURS_MOST)
    """After so many hours of a held deadline the bot stops trying by itself and waits for the host."""
    forget_days: float = Field(default=30, ge=0, le=_HOURS_MOST)
    """Players' addresses are deleted so many days after the end of their game; 0: never."""


class ForumPart(_Section):
    """[forum]: the forum and our account there."""

    engine: str
    url: str
    user: str = Field(min_length=1)
    zone: str = "Europe/Moscow"
    min_interval: float = Field(default=2.0, ge=0)
    form_delay: float = Field(default=3.0, ge=0)
    flood_interval: float = Field(default=16.0, ge=0)
    list_first: bool = False
    """Look at the section's list first and open a topic only when it has new posts (each opening counts as a view). Edits of
    older posts are then seen only before deadlines, when everything is read."""
    overrides: dict[str, str] = {}

    @field_validator("engine")
    @classmethod
    def _engine_is_known(cls, value: str) -> str:
        return _found(value, engines.package, engines.names)

    @field_validator("zone")
    @classmethod
    def _zone_exists(cls, value: str) -> str:
        return time_zone(value)

    @field_validator("url")
    @classmethod
    def _url_is_http(cls, value: str) -> str:
        return web_address(value)


class MailPart(_Section):
    """[mail]: the mailbox for letters. Left out: moves come by PM alone."""

    address: str = Field(pattern=MAIL_ADDRESS)
    user: str = ""
    imap_host: str = Field(min_length=1)
    imap_port: int = Field(default=993, gt=0, lt=65536, strict=True)
    imap_security: Literal["tls", "starttls", "none"] = "tls"
    smtp_host: str = Field(min_length=1)
    smtp_port: int = Field(default=465, gt=0, lt=65536, strict=True)
    smtp_security: Literal["tls", "starttls", "none"] = "tls"
    folder: str = "INBOX"
    authserv: str = ""
    unproven: Literal["review", "accept"] = "review"
    """What a letter is worth whose origin nobody vouches for and nobody denies: ``review``, it waits for the player's word by PM
    or for the host; ``accept``, it counts, and whoever can write a sender's line moves for that player."""
    max_bytes: int = 2_000_000


class DeskPart(_Section):
    """[desk]: the hosts' web page."""

    host: str = "127.0.0.1"
    port: int = Field(default=8321, gt=0, lt=65536)
    url: str = ""
    """Where hosts open it, as a reverse proxy shows it ("https://mafia.example.org/desk"); empty: ``host`` and ``port``.
    Login links start with it, and a path in it is where the desk stands."""
    proxies: str = "127.0.0.1"
    """Addresses whose X-Forwarded headers are believed, with commas."""
    hosts_bar: bool = False
    """Whether the host of one game may keep an account out of all games of the site; else only whoever runs them all may."""

    @field_validator("url")
    @classmethod
    def _url_is_http(cls, value: str) -> str:
        if value and not value.startswith(("http://", "https://")):
            raise ValueError("адрес пульта начинается с http:// или https://")
        return value.rstrip("/")

    @property
    def address(self) -> str:
        """Where the desk is opened, without a slash at its end."""
        return self.url or f"http://{self.host}:{self.port}"


class Site(BaseSettings):
    """The site's file, with the two secrets beside it."""

    model_config = SettingsConfigDict(extra="forbid", frozen=True)

    site: SitePart
    forum: ForumPart
    mail: MailPart | None = None
    desk: DeskPart = DeskPart()
    forum_password: SecretStr = SecretStr("")
    mail_password: SecretStr = SecretStr("")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        folders = [str(folder) for folder in _secret_folders(init_settings()) if folder.is_dir()]
        return (init_settings, *(SecretsSettingsSource(settings_cls, secrets_dir=folder) for folder in folders))

    def forum_settings(self, strings: Mapping[str, Any]) -> ForumSettings:
        """``strings``: the engine's file of ``config/forums``; the site's own ``overrides`` go before it."""
        part = self.forum
        return ForumSettings(
            url=part.url,
            user=part.user,
            password=self.forum_password.get_secret_value().strip(),
            zone=part.zone,
            state_file=str(self.site.data / "forum-session.json"),
            min_interval=part.min_interval,
            form_delay=part.form_delay,
            flood_interval=part.flood_interval,
            overrides={**strings, **part.overrides},
        )

    def mail_settings(self) -> MailSettings | None:
        part = self.mail
        if part is None:
            return None
        return MailSettings(
            address=part.address,
            user=part.user or part.address,
            password=self.mail_password.get_secret_value().strip(),
            imap_host=part.imap_host,
            imap_port=part.imap_port,
            imap_security=part.imap_security,
            smtp_host=part.smtp_host,
            smtp_port=part.smtp_port,
            smtp_security=part.smtp_security,
            folder=part.folder,
            authserv=part.authserv,
            max_bytes=part.max_bytes,
        )

    @property
    def database(self) -> Path:
        return self.site.data / "forumbot.db"


class SignupPart(_Section):
    """[signup]: where and until when players sign up."""

    closes: datetime
    """Aware, or local time of ``zone``."""
    topic: str = ""
    """An existing topic; empty: the bot opens one."""
    running_list: bool = False
    """Whether the first post of the bot's topic is edited whenever somebody signs up or off: who plays, and places left."""

    @field_validator("closes", mode="before")
    @classmethod
    def _closes_at_an_hour(cls, value: object) -> object:
        """A day alone would mean its first minute, which no host means."""
        if isinstance(value, datetime) or (isinstance(value, str) and ":" in value):
            return value
        raise ValueError(_WORDS["datetime_type"])


class Game(_Section):
    """One game's file."""

    id: str = Field(pattern=GAME_ID)
    title: str = Field(min_length=1, max_length=60)
    ruleset: str
    section: str
    """The forum section where the game's topics stand: uCoz "12", phpBB "7"."""
    signup: SignupPart
    first_day: date | None = None
    mode: Literal["auto", "host", "shadow"] = "auto"
    seed: int | None = None
    """Only for rehearsals: fixes the chance of the game. Left out, it is drawn when the game begins."""
    tables: dict[str, Any] = {}
    hosts: list[str] = []
    """Nicks whose posts are never votes (the bot's own is always among them)."""
    count_every_votes: int = Field(default=0, ge=0, le=1_000_000)
    """Post the running count after so many new votes; 0 never."""
    count_every_hours: float = Field(default=0, ge=0, le=_HOURS_MOST)
    remind_hours: float = Field(default=3, ge=0, le=_HOURS_MOST)
    """Remind those who owe a move or vote so many hours before the deadline; 0 never."""
    review_hours: float = Field(default=1, ge=0, le=_HOURS_MOST)
    """One letter to the host so many hours before a deadline when something is doubtful; 0 never."""
    digest_at: str = ""
    """Wall time of a daily letter to the host ("09:00"); empty: none."""
    approve_until: str = ""
    """Mode ``host``: until when the newspaper waits: a wall time ("07:50"), hours ("2.5"), "never", or empty: until the
    next turn opens."""
    accounts_topic: str = Field(default="", max_length=60)
    """Title of a topic with everybody's account, kept up to date from game to game ("Финансы"); empty: none."""
    day_topics: dict[int, str] = {}
    """Mode ``shadow``: turn -> existing topic to read ("1" = "12-345"); the bot opens none itself."""
    theme: str = ""
    """Scenes above the newspaper: a file of ``config/themes`` without its ending; empty: none."""

    @field_validator("ruleset")
    @classmethod
    def _ruleset_is_known(cls, value: str) -> str:
        return _found(value, rulesets.package, rulesets.names)

    @field_validator("digest_at")
    @classmethod
    def _digest_is_a_time(cls, value: str) -> str:
        if value:
            _wall(value)
        return value

    @field_validator("approve_until")
    @classmethod
    def _approval_is_a_time(cls, value: str) -> str:
        if value in ("", "never"):
            return value
        if ":" in value:
            _wall(value)
        else:
            try:
                if not 0 <= float(value) <= _HOURS_MOST:
                    raise ValueError
            except ValueError as error:
                raise ValueError("нужно время («07:50»), число часов («2.5») или «never»") from error
        return value


def _wall(value: str) -> None:
    try:
        time.fromisoformat(value)
    except ValueError as error:
        raise ValueError(f"«{value}» не время суток; нужно, например, «09:00»") from error


def load_site(file: Path) -> Site:
    """The site's settings; relative paths start at the file's folder. Raises SettingsError."""
    said = read(file)
    here = file.resolve().parent
    site = said.get("site")
    if isinstance(site, dict):
        for key in ("data", "games", "secrets", "own"):
            default = {"games": "games", "secrets": "secrets"}.get(key)
            value = site.get(key, default)
            if isinstance(value, str):
                site[key] = str(here / value)
    try:
        loaded = Site(**said)
    except ValidationError as error:
        raise SettingsError(_sentence(file, error, Site)) from error
    check_strings(file, loaded.forum.engine, loaded.forum.overrides, "forum.overrides.")
    return loaded


def load_game(file: Path) -> Game:
    """One game's settings. Raises SettingsError."""
    try:
        return Game.model_validate(read(file))
    except ValidationError as error:
        raise SettingsError(_sentence(file, error, Game)) from error


def changed(game: Game, settings: Mapping[str, Any]) -> Game:
    """The game with other settings, by their names (``signup.closes``); a list or table may be written as text: "Анна, Борис",
    "1 = 12-345". Raises SettingsError."""
    data = game.model_dump(mode="json")
    for name, value in settings.items():
        part, _, key = name.rpartition(".")
        place = data[part] if part else data
        place[key] = _like(place.get(key), value)
    try:
        return Game.model_validate(data)
    except ValidationError as error:
        raise SettingsError(_sentence(None, error, Game)) from error


def _like(known: Any, said: Any) -> Any:
    """Text in the form of the setting that it is for."""
    if not isinstance(said, str):
        return said
    if isinstance(known, list):
        return [item.strip() for item in said.split(",") if item.strip()]
    if isinstance(known, dict):
        pairs = (item.partition("=") for item in said.split(",") if item.strip())
        return {key.strip(): value.strip() for key, _, value in pairs}
    return said or None if known is None else said


def load_games(site: Site) -> tuple[Game, ...]:
    """All games of the site, by file name. Raises SettingsError, also when two files name one game."""
    games: dict[str, Game] = {}
    for file in sorted(site.site.games.glob("*.toml")):
        game = load_game(file)
        if game.id in games:
            raise SettingsError(f"{file}: игра «{game.id}» уже описана в другом файле: дайте этой другое имя (id)")
        games[game.id] = game
    return tuple(games.values())


def _secret_folders(said: dict[str, Any]) -> tuple[Path, ...]:
    site = said.get("site", {})
    own = Path(site["secrets"]) if isinstance(site, dict) and isinstance(site.get("secrets"), str) else Path("secrets")
    systemd = os.environ.get("CREDENTIALS_DIRECTORY")
    # The later source is the weaker one: systemd's credentials go first.
    return (Path(systemd), own) if systemd else (own,)


_WORDS = {
    "missing": "не хватает этой настройки",
    "extra_forbidden": "такой настройки нет",
    "literal_error": "такого значения нет",
    "int_parsing": "нужно целое число",
    "int_type": "нужно целое число",
    "float_parsing": "нужно число",
    "float_type": "нужно число",
    "string_type": "нужна строка в кавычках",
    "path_type": "нужна строка в кавычках",
    "list_type": 'нужен список в скобках, например ["Анна", "Борис"]',
    "dict_type": 'нужен раздел или { имя = "значение" }',
    "model_type": "нужен раздел: [имя], и под ним его настройки",
    "model_attributes_type": "нужен раздел: [имя], и под ним его настройки",
    "bool_type": "нужно true или false",
    "int_from_float": "нужно целое число",
    "bool_parsing": "нужно true или false",
    "datetime_from_date_parsing": "нужны дата и время, например 2026-12-01T20:00:00",
    "datetime_type": "нужны дата и время, например 2026-12-01T20:00:00",
    "datetime_parsing": "нужны дата и время, например 2026-12-01T20:00:00",
    "date_from_datetime_parsing": "нужна дата, например 2026-12-01",
    "date_type": "нужна дата, например 2026-12-01",
    "string_pattern_mismatch": "только строчные латинские буквы, цифры, «-» и «_»",
    "greater_than": "число слишком мало",
    "greater_than_equal": "число слишком мало",
    "less_than": "число слишком велико",
    "less_than_equal": "число слишком велико",
    "finite_number": "нужно число",
    "string_too_short": "пустая строка",
    "string_too_long": "строка слишком длинна",
}


def _sentence(file: Path | None, error: ValidationError, model: type[BaseModel]) -> str:
    first = error.errors(include_url=False, include_input=True)[0]
    place = ".".join(str(part) for part in first["loc"])
    problem = str(first["msg"]).removeprefix("Value error, ")
    if first["type"] != "value_error":
        problem = _WORDS.get(first["type"], "значение не подходит")
    if first.get("ctx", {}).get("pattern") == MAIL_ADDRESS:
        problem = "нужен адрес почты, например mafia@example.org"
    likely = ""
    if first["type"] == "extra_forbidden":
        near = difflib.get_close_matches(str(first["loc"][-1]), _keys(model, first["loc"][:-1]), n=1)
        likely = f"; вероятно, имелось в виду «{near[0]}»" if near else ""
    elif first["type"] == "literal_error":
        expected = str(first.get("ctx", {}).get("expected", "")).replace("'", "").replace(" or ", ", ").split(", ")
        near = difflib.get_close_matches(str(first["input"]), expected, n=1)
        likely = f"; вероятно, имелось в виду «{near[0]}»" if near else f"; можно: {', '.join(expected)}"
    return f"{place}: {problem}{likely}" if file is None else f"{file}: {place}: {problem}{likely}"


def _keys(model: type[BaseModel], path: tuple[int | str, ...]) -> list[str]:
    for part in path:
        annotation = model.model_fields[str(part)].annotation if str(part) in model.model_fields else None
        options = [a for a in (annotation, *getattr(annotation, "__args__", ())) if isinstance(a, type)]
        nested = [a for a in options if issubclass(a, BaseModel)]
        if not nested:
            return []
        model = nested[0]
    return list(model.model_fields)
