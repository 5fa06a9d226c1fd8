"""What the tests of the reading share: the corpus lines, how an answer is scored, and the corpus with other nicks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from engine.messages import Verdict
from forumbot.cli.parse import read
from forumbot.reading import reader
from forumbot.reading.decline import forms
from forumbot.reading.everyday import grammar
from forumbot.reading.names.roster import Roster
from forumbot.reading.names.spelling import FORM, lexical, pieces
from forumbot.reading.text import tokens
from forumbot.reading.vocabulary import vocabulary

AGREED = Path(__file__).parents[2] / "corpus"
SECOND = Path(__file__).parents[2] / "corpus2"
OWN = Path(__file__).parent / "own.jsonl"
READER = reader()


def lines(*paths: Path) -> list[dict[str, Any]]:
    """Corpus lines of some files; of all agreed ones without arguments."""
    files = paths or tuple(sorted(AGREED.glob("*.jsonl")))
    return [json.loads(line) for path in files for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def answer(line: Mapping[str, Any]) -> Verdict:
    return read(READER, line)


def _standing(orders: Sequence[Mapping[str, Any]], outcome: str) -> list[Mapping[str, Any]]:
    return [order for order in orders if (order.get("status") or outcome) == "accepted"]


def _same(want: Mapping[str, Any], got: Mapping[str, Any]) -> bool:
    if want["action"] != got["action"] or list(want.get("targets") or []) != list(got["targets"]):
        return False
    args = got["args"]
    return all(bool(args.get(k)) == bool(v) if k == "story" else args.get(k) == v for k, v in (want.get("args") or {}).items())


def score(line: Mapping[str, Any], verdict: Verdict) -> tuple[bool, bool]:
    """(exact, silent wrong) as tools/check_corpus.py counts them."""
    want = line["expect"]
    wanted = _standing(want.get("orders", ()), want["outcome"])
    extra = [
        {"action": o.action, "targets": list(o.targets), "args": dict(o.args)} for o in verdict.orders if o.status == "accepted"
    ]
    missing = 0
    for one in wanted:
        hit = next((got for got in extra if _same(one, got)), None)
        if hit is None:
            missing += 1
        else:
            extra.remove(hit)
    right = verdict.outcome in (want["outcome"], *want.get("or", ()))
    return right and not missing and not extra, bool(extra)


# --- other nicks ----------------------------------------------------------------------------------------------------------

MEN = [
    "Артур", "Богдан", "Вадим", "Гарик", "Демид", "Ермак", "Захар", "Ипполит", "Кузьмич", "Лаврентий", "Мирон", "Назар",
    "Остап", "Прохор", "Родион", "Савелий", "Трофим", "Устин", "Филимон", "Харитон", "Яромир", "Бублик", "Валет", "Гвоздь",
    "Дятел", "Кирпич", "Лапоть", "Морж", "Ноготь", "Окунь",
]  # fmt: skip
WOMEN = [
    "Аглая", "Белка", "Варежка", "Гайка", "Дуняша", "Зарница", "Искра", "Капитолина", "Лисичкина", "Метель", "Ниточка",
    "Осока", "Пальма", "Репка", "Слива", "Тучка", "Улитка", "Фиалка", "Хлоя", "Цапля", "Шапокляк", "Щука", "Эмма", "Яблоня",
]  # fmt: skip
SPECIAL = frozenset(
    [
        "typo",
        "translit",
        "digits",
        "emoji",
        "homoglyph",
        "layout",
        "abbrev",
        "diminutive",
        "nickname_pair",
        "prefix",
        "ambiguous",
        "common_word",
        "list_number",
        "role_word",
        "gender",
        "unknown",
        "indecl",
        "spaces",
        "yo",
    ]
)
"""Lines whose point is the spelling of their own nicks: they mean nothing with others."""


def exchanged(shift: int) -> Iterator[dict[str, Any]]:
    """The corpus with every nick replaced by another, in the same case. Lines that live of their nicks are left out."""
    for line in lines():
        made = _exchange(line, shift)
        if made is not None:
            yield made


@cache
def _declined(nicks: tuple[str, ...]) -> Roster:
    return Roster(nicks)


def _exchange(line: Mapping[str, Any], shift: int) -> dict[str, Any] | None:
    if SPECIAL & set(line["expect"].get("tags", ())) or SPECIAL & set(line.get("tags", ())):
        return None
    roster = _declined(tuple(line["roster"]))
    men, women = MEN[shift:] + MEN[:shift], WOMEN[shift:] + WOMEN[:shift]
    new: dict[str, str] = {}
    words = vocabulary(line["ruleset"]).table
    for nick in line["roster"]:
        if any(hit.meaning.kind == "role" for hit in words.hits(tokens(nick))):
            new[nick] = nick  # its point is to be spelled like a role
            continue
        stock = women if roster.genders.get(nick) == "f" else men
        if not stock:
            return None
        new[nick] = stock.pop(0)
    texts = [_rename(line[field] or "", roster, new) for field in ("text", "subject")]
    if None in texts:
        return None
    dumped = json.dumps({key: value for key, value in line.items() if key not in ("text", "subject")}, ensure_ascii=False)
    made: dict[str, Any] = _swap(json.loads(dumped), new)
    return {**made, "id": f"{line['id']}+{shift}", "text": texts[0], "subject": texts[1] or None}


def _swap(value: Any, new: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return new.get(value, value)
    if isinstance(value, list):
        return [_swap(one, new) for one in value]
    return {key: _swap(one, new) for key, one in value.items()} if isinstance(value, dict) else value


def _rename(text: str, roster: Roster, new: Mapping[str, str]) -> str | None:
    found = tokens(text)
    words = lexical(found)
    parts: list[str] = []
    done = at = 0
    while at < len(words):
        size, candidates = roster.find(found, words, at)
        if not candidates:
            at += 1
            continue
        first = found[words[at]]
        if candidates[0].rank > FORM or (not first.capital and len(candidates) == 1 and candidates[0].rank > 0):
            return None
        sure = [c for c in candidates if c.rank == candidates[0].rank]
        spelled = _form(new[sure[0].seat], sure[0].cases, found[words[at] - 1].folded if words[at] else "")
        if len([c for c in candidates if c.rank <= FORM]) > 1 or spelled is None:
            return None
        start, end = first.start, found[words[at + size - 1]].end
        raw = text[start:end]
        if raw.endswith("К") and text[end : end + 1] == ".":
            end += 1
        parts += [text[done:start], spelled.upper() if raw.isupper() and len(raw) > 1 else spelled]
        done = end
        at += size
    return "".join(parts) + text[done:]


def _form(nick: str, cases: frozenset[str], preposition: str) -> str | None:
    wanted = cases & grammar().prepositions.get(preposition, cases) or cases
    if "nomn" in wanted:
        return nick
    spelled = {form.text for form in forms(pieces(nick)[0]) if form.case in wanted}
    if len(spelled) > 1 and "accs" in wanted:
        spelled = {
            form.text
            for form in forms(pieces(nick)[0])
            if form.case == "accs" and (form.gender != "m" or form.text != pieces(nick)[0])
        }
    return sorted(spelled)[0].capitalize() if len(spelled) == 1 else None
