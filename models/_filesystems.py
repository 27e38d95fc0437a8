"""File systems on which several processes cannot share a database: their locks do not hold over a network."""

from __future__ import annotations

import re
from pathlib import Path

MOUNTS = Path("/proc/self/mounts")
"""What is mounted where, on Linux; elsewhere nothing is known."""
OVER_NETWORK = frozenset(
    {
        *("nfs", "nfs3", "nfs4", "cifs", "smb3", "smbfs", "afs", "ceph", "lustre", "gpfs", "beegfs", "glusterfs"),
        *("pvfs2", "orangefs", "panfs", "wekafs", "ocfs2", "gfs2", "davfs", "fuse.sshfs", "fuse.glusterfs"),
        *("fuse.ceph", "fuse.beegfs", "fuse.s3fs", "fuse.gcsfuse", "fuse.juicefs", "fuse.rclone", "fuse.davfs2"),
        *("fuse.mount-s3", "fuse.goofys", "fuse.blobfuse2"),
    }
)
_ESCAPED = re.compile(r"\\([0-7]{3})")


def network_of(path: Path) -> str | None:
    """The type of the network file system that a path is on, such as `nfs4`; None if it is on none."""
    try:
        mounts = MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    place, found = path.expanduser().resolve(), (0, "")
    for line in mounts:
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        mounted = Path(_ESCAPED.sub(lambda code: chr(int(code[1], 8)), fields[1]))
        # Of several mounts at one place, the last one is seen.
        if place.is_relative_to(mounted) and len(mounted.parts) >= found[0]:
            found = (len(mounted.parts), fields[2])
    return found[1] if found[1] in OVER_NETWORK else None
