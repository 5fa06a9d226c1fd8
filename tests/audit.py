"""``make audit``: are holes known in the packages that are installed here? By pip-audit, where its database can be reached.

It runs from a folder of its own, so that it is no package of this project. Exit code 1 when a hole is known; where nothing can
be asked, one line says why, and the exit code is 0: a check that could not be made is not one that failed.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

AUDITOR = "pip-audit>=2.9,<3"
_NO_WAY = ("ConnectionError", "Max retries", "ConnectTimeout", "ProxyError", "ReadTimeout", "Failed to resolve", "HTTPError")
"""Words of an auditor that did not reach its database."""
_UNASKED = "could not be audited"
"""Its words of a package that the database it reached does not know: a mirror without a database knows none."""


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        own = Path(folder) / "venv"
        python = own / "bin" / "python"
        made = subprocess.run([sys.executable, "-m", "venv", str(own)], capture_output=True, text=True, check=False)
        if made.returncode == 0:
            install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", AUDITOR]
            made = subprocess.run(install, capture_output=True, text=True, check=False)
        if made.returncode != 0:
            return skipped(f"{AUDITOR} cannot be installed", made.stderr)
        freeze = [sys.executable, "-m", "pip", "freeze", "--exclude-editable"]
        listed = subprocess.run(freeze, capture_output=True, text=True, check=True)
        wanted = Path(folder) / "installed.txt"
        wanted.write_text(listed.stdout, encoding="utf-8")
        asked = [str(python), "-m", "pip_audit", "--no-deps", "--disable-pip", "--progress-spinner", "off", "-r", str(wanted)]
        ran = subprocess.run(asked, capture_output=True, text=True, check=False)
    if ran.returncode != 0 and any(word in ran.stderr for word in _NO_WAY):
        return skipped("the database of known holes is not reachable", ran.stderr)
    if (ran.stdout + ran.stderr).count(_UNASKED) >= len(listed.stdout.split("\n")) - 1:
        return skipped("the database that was reached knows none of the installed packages", ran.stderr)
    print(ran.stdout + ran.stderr, end="")
    return ran.returncode


def skipped(why: str, words: str) -> int:
    last = words.strip().splitlines()[-1:] or [""]
    print(f"skipped: {why} ({last[0][:200]})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
