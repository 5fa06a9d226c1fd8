"""The vocabulary of a ruleset: ``config/rulesets/<name>.words.toml`` with the words of everyday Russian, compiled once.

A new ruleset brings such a file and no code. docs in the file's own head say what each key means.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from forumbot import resources
from forumbot.reading.everyday import common, everyday, grammar, patterns
from forumbot.reading.facts import is_past, verb_lemmas
from forumbot.reading.phrases import PhraseTable
from forumbot.reading.taught import Taught
from forumbot.reading.text import tokens


class Meaning(NamedTuple):
    """What a phrase stands for: ``kind`` "action", "hint", "role", "mark", "number", or the name of an argument."""

    kind: str
    id: Any


@dataclass(frozen=True, slots=True)
class Action:
    """How an action is written. Rules are no matter of this: they are asked of the engine."""

    id: str
    examples: tuple[str, ...] = ()
    """Plain orders that must be taken (with Анна, Борис and Вера alive and Дина dead), and with no hedge on them
    (tests/forumbot/reading/test_pairs.py)."""
    least: int = 1
    most: int = 1
    """Numbers of targets that the sentence should name."""
    args: tuple[str, ...] = ()
    """Arguments that words of the sentence fill (kinds of ``[words]``, or "number", "coins", "count", "role")."""
    needs: tuple[str, ...] = ()
    """Arguments without which the host must ask."""
    fixed: Mapping[str, Any] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)
    story: bool = False
    """What follows the order is a story for the newspaper."""
    shots: bool = False
    """Several targets are several orders, numbered by ``args.shot``."""
    shot_item: str = ""
    """The good that gives a further shot, bought in the same message ..."""
    shot_known: str = ""
    """... or before: the key of ``Known.more`` that counts such shots."""
    several: bool = False
    """Several orders of this action may stand side by side."""
    slot: str = ""
    condition: str = "review"
    """What a condition makes of it: "review" or "rejected"."""
    free_conditions: tuple[str, ...] = ()
    channel: str = "letter"
    """"post", "letter" or "any"."""
    self_target: str = "target"
    """"target": oneself is named as a target; "none": oneself is meant when nobody is named."""
    predicate: bool = False
    """The nick after its word stands in the nominative («Виновен Лис»)."""
    first: bool = False
    """Carried out before the other orders of the message."""
    dead_targets: bool = False
    ahead: bool = False
    """It is asked for ahead: «заявка на завтра» is no putting off."""
    talk: bool = False
    """Spoken of all day: what is only supposed, announced or said of a thing is no order and no question."""
    leads: bool = False
    """Takes over the target of the verb behind it («по лицензии … стреляю в …»)."""
    wraps: bool = False
    """Holds another order, whose action is ``args.action``."""
    absorbs: tuple[str, ...] = ()
    """Actions whose target it takes when it has none («Покупаю смену голоса. Виновен Лис»)."""
    holds: tuple[str, ...] = ()
    """Actions that it includes when both are said of one player («Переспать с … и заразить его СПИДом»)."""
    nick_refused: str = ""
    """Reason to refuse a nick where something else must stand (the lawyer's number)."""
    repeat: str = ""
    """Number words like «двойной» double the target ("double")."""
    govern: tuple[str, ...] = ("accs",)
    """What its verbs govern: cases of the bare nick, and "preposition case" («за ablt»); "из gent" with a leading "-" names what
    stands beside and is no target («-от gent»)."""


@dataclass(frozen=True, slots=True)
class Role:
    """A role as players call it, the actions it owns and those that its bare name means."""

    id: str
    actions: tuple[str, ...]
    default: tuple[str, ...]


class Abilities(NamedTuple):
    """The actions that a writer owns, those that a nick alone may mean, and all of their roles."""

    owned: frozenset[str]
    defaults: tuple[str, ...]
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """A compiled vocabulary."""

    name: str
    table: PhraseTable
    actions: Mapping[str, Action]
    roles: Mapping[str, Role]
    settings: Mapping[str, Any]
    signup: Mapping[str, Any]
    together: tuple[tuple[frozenset[str], str], ...]
    """Actions that fall together when one of them is refused for this reason beside the other in one letter."""
    reasons: Mapping[str, str]

    def owned(self, roles: tuple[str, ...]) -> frozenset[str]:
        """The actions of these roles."""
        return frozenset(action for role in roles if role in self.roles for action in self.roles[role].actions)

    def abilities(self, roles: tuple[str, ...], lent: tuple[str, ...]) -> Abilities:
        """What somebody with these roles may order, those ``lent`` by their clan and what everybody may included."""
        mine = [self.roles[role] for role in roles if role in self.roles]
        everybody = frozenset(self.settings.get("everyone", ())) | everyday()["book"].keys()
        return Abilities(
            self.owned((*roles, *lent)) | everybody,
            tuple(dict.fromkeys(action for role in mine for action in role.default)),
            tuple(dict.fromkeys(action for role in mine for action in role.actions)),
        )


_FLAGS = {"true": True, "false": False}
"""Values of flags, which a TOML key can only spell."""
_ACTION_KEYS = frozenset(Action.__dataclass_fields__) - {"id"}


def _frozen(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}


@cache
def vocabulary(name: str, taught: tuple[Taught, ...] = ()) -> Vocabulary:
    """The vocabulary of a ruleset, with the words that a host has taught. Raises FileNotFoundError for none, ValueError
    naming a wrong key."""
    return compile_vocabulary(name, resources.toml(f"rulesets/{name}.words.toml"), taught)


def compile_vocabulary(name: str, data: Mapping[str, Any], taught: tuple[Taught, ...] = ()) -> Vocabulary:
    """A vocabulary from the content of its file. Raises ValueError naming the place of a wrong key."""
    actions: dict[str, Action] = {}
    entries: list[tuple[str, Any]] = []
    candidates: dict[str, dict[str, list[str]]] = {"action": {}, "hint": {}}
    for book_id, entry in everyday()["book"].items():
        actions[book_id] = Action(book_id, least=0, most=0)
        for pattern in entry["words"]:
            candidates["action"].setdefault(pattern, []).append(book_id)
    for action_id, entry in data["actions"].items():
        known: dict[str, Any] = {key: value for key, value in entry.items() if key not in ("words", "hints")}
        if unknown := known.keys() - _ACTION_KEYS:
            raise ValueError(f"{name}: actions.{action_id}: unknown key {sorted(unknown)[0]!r}")
        actions[action_id] = Action(action_id, **_frozen(known))
        for kind, key in (("action", "words"), ("hint", "hints")):
            for word in dict.fromkeys((*entry.get(key, ()), *(common(action_id) if key == "words" else ()))):
                candidates[kind].setdefault(word, []).append(action_id)
    for word, action_id in data["reading"].get("forms", {}).items():
        if action_id not in candidates["action"].get(word, ()):
            raise ValueError(f"{name}: reading.forms: {action_id} has no word «{word}»")
        candidates["action"][word].sort(key=action_id.__ne__)
    entries.extend((f"~{lemma}", Meaning("verb", ids)) for lemma, ids in _verbs(candidates["action"]).items())
    for kind, words in candidates.items():
        entries.extend((word, Meaning(kind, tuple(ids))) for word, ids in words.items())
    roles: dict[str, Role] = {}
    for role_id, entry in data.get("roles", {}).items():
        owned = tuple(entry.get("actions", ()))
        roles[role_id] = Role(role_id, owned, tuple(entry.get("default", owned[:1])))
        entries.extend((word, Meaning("role", role_id)) for word in entry.get("words", ()))
    for kind, values in data.get("words", {}).items():
        entries.extend((word, Meaning(kind, _FLAGS.get(value, value))) for value, words in values.items() for word in words)
    entries.extend(_common(actions))
    entries.extend(_taught(actions, taught))
    together = tuple((frozenset(row["actions"]), row["reason"]) for row in data.get("together", ()))
    return Vocabulary(
        name,
        PhraseTable(entries),
        actions,
        roles,
        data["reading"],
        data.get("signup", {}),
        together,
        data.get("reasons", {}),
    )


def _common(actions: Mapping[str, Action]) -> Iterator[tuple[str, Meaning]]:
    for pattern, meaning in patterns():
        yield pattern, Meaning(*meaning)
    for action in actions.values():
        for pattern in action.free_conditions:
            yield pattern, Meaning("free_condition", action.id)


def _verbs(words: Mapping[str, list[str]]) -> dict[str, tuple[str, ...]]:
    """The infinitives of the verbs that name actions, by whose lemma their other forms are found. A form that belongs to two
    verbs («лечу») counts for the one that more of the action's words have."""
    told: dict[str, Counter[str]] = {}
    for word, ids in words.items():
        if " " in word or "*" in word or "|" in word:
            continue
        lemmas = verb_lemmas(word)
        for action_id in ids:
            told.setdefault(action_id, Counter()).update({lemma: 3 - len(lemmas) for lemma in lemmas} if len(lemmas) < 3 else {})
    found: dict[str, list[str]] = {}
    for action_id, counted in told.items():
        for lemma, weight in counted.items():
            if weight > 1 and lemma not in grammar().lists["helpers"]:
                found.setdefault(lemma, []).append(action_id)
    return {lemma: tuple(dict.fromkeys(ids)) for lemma, ids in found.items()}


def _taught(actions: Mapping[str, Action], taught: tuple[Taught, ...]) -> Iterator[tuple[str, Meaning]]:
    """The words of a host: fillers, and forms of this ruleset's moves. They are words and no patterns: no sign of his counts."""
    for word in taught:
        plain = " ".join(token.folded for token in tokens(word.text) if token.kind in "wn")
        if plain and word.kind == "filler" and not is_past(plain):
            yield plain, Meaning("cover", "taught")
        elif plain and word.kind == "form" and word.value in actions:
            yield plain, Meaning("action", (word.value,))
