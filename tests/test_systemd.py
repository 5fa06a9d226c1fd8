"""The units: they say the same, systemd finds nothing wrong with them, and they are hardened."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

UNITS = Path(__file__).parent.parent / "systemd"
MOST_EXPOSED = 2.0

needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not on this machine")


def test_the_template_unit_is_the_plain_one_for_many_sites() -> None:
    plain = (UNITS / "forumbot.service").read_text(encoding="utf-8")
    many = (UNITS / "forumbot@.service").read_text(encoding="utf-8")
    assert many.replace("/%i", "").replace(" (%i)", "") == plain
    assert "/%i/" in many


@needs_systemd
@pytest.mark.parametrize("unit", ["forumbot.service", "forumbot@.service"])
def test_the_unit_is_hardened(unit: str, tmp_path: Path) -> None:
    shutil.copy(UNITS / unit, tmp_path / unit.replace("@", "@site"))
    told = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", str(tmp_path / unit.replace("@", "@site"))],
        capture_output=True,
        text=True,
        check=False,
    )
    found = re.search(r"exposure level for .*?: ([\d.]+)", told.stdout)
    assert found, told.stderr
    assert float(found[1]) <= MOST_EXPOSED


def test_no_secret_stands_in_a_unit() -> None:
    for unit in UNITS.glob("*.service"):
        text = unit.read_text(encoding="utf-8")
        assert "Environment=" not in text
        assert "LoadCredential=forum_password" in text
