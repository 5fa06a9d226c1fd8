"""``make bench``: runs every module of this folder, prints what it measured and records it in ``docs/bench.json``.

Named modules (``python -m tests.bench reading``) are measured alone and take their places in the record. Figures of one
run belong together (same machine, same load); ratios are the ones to compare over time. ``QUICK=1`` lets the long modules
measure less and records nothing.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import time
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).parent
RECORD = HERE.parent.parent / "docs" / "bench.json"
QUICK = bool(os.environ.get("QUICK"))
SECONDS = "seconds of the wall, whole module"


def main(wanted: list[str]) -> None:
    """Run all modules, or those named on the command line."""
    names = sorted(file.stem for file in HERE.glob("*.py") if not file.stem.startswith("_"))
    names = [name for name in names if not wanted or name in wanted]
    record = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.is_file() else {"measured": {}}
    if QUICK:
        print("QUICK: about a minute; nothing is recorded", flush=True)
    else:
        known = [record["measured"].get(name, {}).get(SECONDS, 0.0) for name in names]
        print(f"about {sum(known) / 60:.0f} minutes by the last record", flush=True)
    measured: dict[str, dict[str, float]] = {}
    for name in names:
        print(name, flush=True)
        began = time.monotonic()
        measured[name] = {label: round(value, 3) for label, value in import_module(f"tests.bench.{name}").run().items()}
        measured[name][SECONDS] = round(time.monotonic() - began, 1)
        for label, value in measured[name].items():
            print(f"    {label:<60} {value:>12,.3f}", flush=True)
    if QUICK:
        return
    kept = record if wanted else {"measured": {}}
    machine = f"{platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} cores, {platform.machine()}"
    at = datetime.now(UTC).isoformat(timespec="seconds")
    for name, figures in measured.items():
        kept["measured"][name] = {"at": at, "machine": machine, **figures}
    RECORD.write_text(json.dumps(kept, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
