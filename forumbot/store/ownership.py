"""Whose the files of the data folder are, when root runs a command at the site of a service that has a user of its own."""

from __future__ import annotations

import os
from pathlib import Path


def hand_over(folder: Path) -> None:
    """Give the files that root has made here to the folder's owner: the service could not open them else. Others do nothing."""
    if os.geteuid() != 0 or not folder.is_dir():
        return
    owner = folder.stat()
    if owner.st_uid == 0:
        return
    for entry in os.scandir(folder):
        known = entry.stat(follow_symlinks=False)
        if entry.is_file(follow_symlinks=False) and known.st_uid == 0 and known.st_nlink == 1:
            os.chown(entry.path, owner.st_uid, owner.st_gid, follow_symlinks=False)


def private(file: Path) -> None:
    """An empty file that its owner alone may read, from its first moment on. Raises FileExistsError."""
    os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
