"""How fast messages are read: the agreed corpus with rosters already declined, and what the dictionary costs at start."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from engine import rulesets
from engine.messages import Message
from forumbot import resources
from forumbot.reading import reader
from forumbot.reading.names.roster import Roster

CORPUS = Path(__file__).parents[1] / "corpus"
THIRTY = [
    "Анна", "Борис", "Вера", "Глеб", "Дина", "Егор", "Жанна", "Захар", "Инна", "Кира", "Лев", "Марк", "Нина", "Олег",
    "Павел", "Рита", "Семён", "Тимур", "Ульяна", "Фёдор", "Харитон", "Цапля", "Чиж", "Шмель", "Щука", "Эмма", "Юла", "Яна",
    "Zorro", "Vik70r",
]  # fmt: skip
_ROUNDS = 4
_SCRIPT = """
import time
from pathlib import Path
def resident(): return int(Path("/proc/self/statm").read_text().split()[1])
before, started = resident(), time.process_time()
from forumbot.reading.decline import dictionary
dictionary()
print(time.process_time() - started, resident() - before)
"""


def run() -> dict[str, float]:
    """``messages_per_second`` (one core, goal 3000), ``roster_of_30_ms`` (declined once a game, goal 30),
    ``dictionary_start_ms`` and ``dictionary_memory_mb`` (in a fresh process)."""
    read = reader()
    messages = _messages()
    for game in messages:
        read.read(*game)
    started = time.process_time()  # of the processor: a busy machine does not count
    for _ in range(_ROUNDS):
        for game in messages:
            read.read(*game)
    per_second = _ROUNDS * len(messages) / (time.process_time() - started)
    started = time.process_time()
    Roster(THIRTY)
    declined = time.process_time() - started
    start_ms, memory = _dictionary()
    return {
        "messages_per_second": per_second,
        "roster_of_30_ms": declined * 1000,
        "dictionary_start_ms": start_ms,
        "dictionary_memory_mb": memory,
    }


def _messages() -> list[tuple[Any, Any, Message]]:
    found: list[tuple[Any, Any, Message]] = []
    for path in sorted(CORPUS.glob("*.jsonl")):
        for text in path.read_text(encoding="utf-8").splitlines():
            line = json.loads(text)
            rules = rulesets.ruleset(line["ruleset"])
            tables = rules.tables(resources.tables(line["ruleset"]), {})
            game = rules.sketch(tuple(line["roster"]), line["author"], line["author_role"], line["ctx"], tables)
            kind: Any = "post" if line["channel"] == "post" else "letter"
            signup = line["kind"] == "signup" and kind == "post"
            found.append(
                (rules, game, Message(kind, line["author"], line["text"], line["subject"], line["format"], signup=signup))
            )
    return found


def _dictionary() -> tuple[float, float]:
    """(milliseconds, megabytes) that a fresh process needs for the dictionary."""
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2]
    )
    seconds, pages = done.stdout.split()
    return float(seconds) * 1000, float(pages) * resource.getpagesize() / 2**20


if __name__ == "__main__":
    for name, value in run().items():
        print(f"{name:25} {value:10.1f}")
    print(f"{'peak_memory_mb':25} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:10.1f}")
