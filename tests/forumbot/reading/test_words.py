"""Patterns, own words, stories, counting of words."""

from __future__ import annotations

import pytest

from adapters.markup import bbcode_runs
from engine.messages import Message
from forumbot.reading import count_words
from forumbot.reading.own import own_words
from forumbot.reading.phrases import PhraseTable, compile_pattern
from forumbot.reading.text import fold, other_layout, sound, to_cyrillic, tokens
from forumbot.reading.vocabulary import compile_vocabulary, vocabulary

TABLE = PhraseTable(
    [
        ("виновен", ("w", "vote")),
        ("сбить ход", ("w", "divert")),
        ("ход", ("w", "move")),
        ("снимаю .. голос", ("w", "unvote")),
        ("стреля*", ("w", "kill")),
        ("не", ("mark", "not")),
        ("# монет*", ("w", "coins")),
    ]
)


@pytest.mark.parametrize(
    ("text", "meanings"),
    [
        ("Виновен Кот", ["vote"]),
        ("веновен Кот", ["vote"]),
        ("Vinoven Kot", ["vote"]),
        ("сбить ход", ["divert", "move"]),
        ("снимаю свой голос", ["unvote"]),
        ("снимаю один два три четыре голос", []),
        ("не стреляю", ["not", "kill"]),
        ("5 монет", ["coins"]),
        ("невиновен", []),
    ],
)
def test_phrases_are_found(text, meanings):
    assert [hit.meaning[1] for hit in TABLE.hits(tokens(text))] == meanings


def test_verb_in_the_past_is_told():
    assert [hit.past for hit in TABLE.hits(tokens("стрелял стреляю"))] == [True, False]


@pytest.mark.parametrize("pattern", ["", ".. голос", "слово? голос"])
def test_pattern_needs_a_beginning(pattern):
    with pytest.raises(ValueError, match="pattern"):
        compile_pattern(pattern)


@pytest.mark.parametrize("name", ["league", "clans", "goldenkey", "mafialife"])
def test_vocabulary_names_only_actions_of_its_ruleset(name):
    from engine.rulesets import ruleset

    spec = ruleset(name).spec
    words = vocabulary(name)
    assert words.actions.keys() <= {*spec.actions, "pass", "cancel"}
    assert {action for role in words.roles.values() for action in (*role.actions, *role.default)} <= words.actions.keys()
    assert set(spec.actions) - set(spec.host_actions) <= words.actions.keys()


def test_wrong_key_of_a_vocabulary_is_named():
    with pytest.raises(ValueError, match=r"actions\.heal.*wrods"):
        compile_vocabulary("x", {"reading": {}, "actions": {"heal": {"wrods": ["лечу"]}}})
    with pytest.raises(ValueError, match=r"reading\.forms: heal .*«спасаю»"):
        compile_vocabulary("x", {"reading": {"forms": {"спасаю": "heal"}}, "actions": {"heal": {"words": ["лечу"]}}})


def test_tokens_point_into_the_text():
    text = "Виновен Д’Артаньян, №5!"
    assert [text[t.start : t.end] for t in tokens(text)] == ["Виновен", "Д’Артаньян", ",", "№", "5", "!"]


def test_spellings():
    assert fold("ЁлКА\u200b") == fold("Е\u0308лка") == "елка"
    assert sound("котофей") == sound("kotofey")
    assert to_cyrillic("vinovna") == "виновна"
    assert other_layout("Dbyjdty Uhjvjd") == "виновен громов"
    assert other_layout("Ыещкьн") == "stormy"


def test_own_words_of_a_post_leave_out_quotes_code_and_struck_words():
    own = own_words(Message("post", "А", "раз [quote]два[/quote] [s]три[/s] [code]пять[/code] [color=red]шесть[/color]"))
    assert own.text.split() == ["раз", "шесть"]
    assert [(own.text[start:end], color) for start, end, color in own.colors] == [("шесть", "red")]
    assert own.quoted.strip() == "два"


def test_reply_subject_is_not_the_writers():
    own = own_words(Message("letter", "А", "лечу Анну", "Re: лечу Бориса", "plain"))
    assert own.text == "лечу Анну"


def test_edit_note_makes_a_post_edited():
    assert own_words(Message("post", "А", "да\nСообщение отредактировала Анна - Среда, 14:06")).edited


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("раз два три", 3),
        ("кто-то где-то", 2),
        ("д'Артаньян д’Артаньян", 4),
        ("[quote=А]раз два[/quote] три", 1),
        ("смотри http://a.ru/b?c=d :smile: тут", 2),
        ("[url=http://a.ru]две штуки[/url]", 2),
        ("— ... !!!", 0),
        ("5 раз", 2),
        ("газета в 20:59:30 вышла :8ball:", 6),
    ],
)
def test_words_of_a_post_are_counted(text, count):
    assert count_words(bbcode_runs(text)) == count
