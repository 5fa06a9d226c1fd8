"""What a demo has started ends with it (H21)."""

import os
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from adapters.clock import VirtualClock

_PARENT = """
import subprocess, sys, time
from pathlib import Path
from forumbot.demo import daemon_process
daemon_process.sys.executable = sys.argv[2]
with daemon_process.running(Path("none"), Path("none"), Path(sys.argv[1])) as process:
    print(process.pid, flush=True)
    time.sleep(60)
"""


def test_h21_the_daemon_ends_with_a_demo_that_was_killed(tmp_path: Path) -> None:
    stub = tmp_path / "stub"
    stub.write_text("#!/bin/sh\nexec sleep 60\n")
    stub.chmod(0o755)
    parent = subprocess.Popen(
        [sys.executable, "-c", _PARENT, str(tmp_path / "log"), str(stub)], stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    time.sleep(0.3)
    parent.send_signal(signal.SIGKILL)
    parent.wait(10)
    parent.stdout.close()
    for _ in range(100):
        if not _lives(child):
            return
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    raise AssertionError("the daemon of a killed demo goes on")


def test_h21_after_the_game_the_clock_goes_on_as_the_one_on_the_wall(tmp_path: Path) -> None:
    """Without a jump, and for every process that looks at it."""
    from forumbot.demo.rehearsal import Rehearsal

    rehearsal = Rehearsal("goldenkey", "ucoz", 1, tmp_path, 0, str)
    clock = VirtualClock.create(tmp_path / "clock.json", datetime(2026, 12, 1, tzinfo=UTC), 900)
    rehearsal._clock = clock
    other = VirtualClock(tmp_path / "clock.json")
    before = other.now()
    rehearsal.to_real_time()
    assert timedelta() <= other.now() - before < timedelta(hours=1)
    assert other.wall_seconds(10) == 10


def _lives(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
