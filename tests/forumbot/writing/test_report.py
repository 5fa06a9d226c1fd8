"""The newspaper's renderer: plain text, a forum's markup, a host's own template, and what a template may not do."""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import TemplateError, TemplateSyntaxError, UndefinedError
from jinja2.exceptions import SecurityError

from engine.model import Line
from forumbot.writing import report

LINES = [
    Line("lynch", "life_lost", {"player": "Анна[b]"}),
    Line(
        "actions",
        "spy",
        {"actor": "pierro", "action": "spy", "effective": True, "faction": "villains", "roles": ("alisa", "killer")},
    ),
    Line("kills", "kill", {"actor": "artemon"}),
    Line("role_lives", "role_lost", {"role": "malvina", "lost": 2, "left": 1}),
    Line("dead", "dead", {"players": ("Анна[b]", "Борис")}),
]


def own(folder: Path, text: str) -> Path:
    """A host's folder with his own goldenkey newspaper."""
    file = folder / "templates" / "goldenkey" / "newspaper.j2"
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")
    return folder


def test_plain_text_has_one_empty_line_between_sections_and_none_at_the_ends() -> None:
    assert report.plain("goldenkey", 3, LINES) == (
        "Итоги Линча:\nАнна[b] - минус 1 жизнь\n\n"
        "Действия ролей:\nПьеро: шпионаж - Злодей, Лиса Алиса, Киллер Злодеев\n\n"
        "Убийства\nАртемон убивает Горожанина\n\n"
        "Потеря жизни переходящих ролей:\nМальвина - минус 2 жизни (осталось 1)\n\n"
        "Погибшие:\nАнна[b], Борис"
    )


def test_no_lines_make_no_text() -> None:
    assert report.plain("goldenkey", 1, []) == ""


def test_everything_that_comes_from_players_is_escaped_and_seats_are_shown_by_their_nicks_of_the_day() -> None:
    text = report.render(
        "goldenkey", 3, LINES, escape=lambda raw: raw.replace("[", "(").replace("]", ")"), nicks={"Анна[b]": "Анюта[i]"}
    )
    assert "Анюта(i) - минус 1 жизнь" in text
    assert text.endswith("Погибшие:\nАнюта(i), Борис")
    assert "[" not in text


def test_a_hosts_own_template_wins_and_sees_the_turn(tmp_path: Path) -> None:
    folder = own(tmp_path, "Ночь {{ news.turn }}: {% for l in news.section('dead', 'kills') %}{{ l.kind }} {% endfor %}")
    assert report.render("goldenkey", 3, LINES, own=folder) == "Ночь 3: kill dead"


def test_a_word_that_a_line_has_not_is_an_error_not_an_empty_place(tmp_path: Path) -> None:
    folder = own(tmp_path, "{% for l in news.section('kills') %}{{ l.victim }}{% endfor %}")
    with pytest.raises(UndefinedError):
        report.render("goldenkey", 3, LINES, own=folder)


def test_a_template_cannot_reach_behind_the_public_lines(tmp_path: Path) -> None:
    folder = own(tmp_path, "{{ news.section.__globals__ }}")
    with pytest.raises((SecurityError, UndefinedError)):
        report.render("goldenkey", 3, LINES, own=folder)
    line = report.PublicLine(Line("dead", "dead", {"players": ()}, rule="R63", refs=("secret",)), None)
    assert not hasattr(line, "refs") and not hasattr(line, "rule")


def test_a_faulty_template_is_told(tmp_path: Path) -> None:
    folder = own(tmp_path, "{% for %}")
    with pytest.raises(TemplateError) as caught:
        report.render("goldenkey", 3, LINES, own=folder)
    assert isinstance(caught.value, TemplateSyntaxError)


def test_a_ruleset_without_a_template_is_told() -> None:
    with pytest.raises(FileNotFoundError):
        report.plain("chess", 1, LINES)


@pytest.mark.parametrize(
    ("number", "form"),
    [
        (1, "жизнь"),
        (2, "жизни"),
        (4, "жизни"),
        (5, "жизней"),
        (11, "жизней"),
        (12, "жизней"),
        (21, "жизнь"),
        (112, "жизней"),
        (0.5, "жизни"),
    ],
)
def test_russian_plurals(number: float, form: str) -> None:
    assert report.plural(number, "жизнь", "жизни", "жизней") == form
