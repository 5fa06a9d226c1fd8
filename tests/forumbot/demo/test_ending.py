"""What a demo has started ends with it (H21)."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

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


def _lives(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
