"""A cache that cannot be used or written any more: said in one line, and nothing more is asked."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from models.base import Reply, Request, RunMustStop
from models.cache import AnswerCache, CachedModel, CacheFailed, DamagedCache, copy_answers
from models.limited import LimitedModel
from models.scripted import Scripted, always
from tests.conftest import ROOT
from tests.small_worlds import about, request

FILLING = """
import subprocess, sys
from pathlib import Path
from models.base import Reply, RunMustStop
from models.cache import AnswerCache
folder, then = Path(sys.argv[1]), sys.argv[2]
cache = AnswerCache(folder / "answers.sqlite")
cache.put("first", Reply("Yes"))
if then == "limited":
    import resource
    resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))
if then == "read-only":
    cache.close()
    subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
    cache = AnswerCache(folder / "answers.sqlite")
try:
    for number in range(10_000):
        cache.put(str(number), Reply("word " * 100))
except RunMustStop as reason:
    print(type(reason).__name__, reason)
print(cache.get("first").text)
cache.close()
"""


def mounts_are_allowed() -> bool:
    unshare = shutil.which("unshare")
    if unshare is None:
        return False
    trial = "mount -t tmpfs -o size=100k tmpfs /mnt"
    return subprocess.run([unshare, "-rm", "sh", "-c", trial], capture_output=True, check=False).returncode == 0


NEEDS_MOUNTS = pytest.mark.skipif(not mounts_are_allowed(), reason="file systems cannot be mounted here")


def in_a_small_file_system(folder: Path, *command: str, size: str = "300k") -> subprocess.CompletedProcess[str]:
    """A command with a file system of its own on the folder, which goes when the command ends."""
    mounted = f'mount -t tmpfs -o size={size} tmpfs "$0" && exec "$@"'
    words = ["unshare", "-rm", "sh", "-c", mounted, str(folder), *command]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


def assert_one_line(ran: subprocess.CompletedProcess[str], folder: Path) -> None:
    assert (ran.returncode, ran.stderr) == (0, "")
    failed, first = ran.stdout.splitlines()
    assert failed.startswith(f"CacheFailed {folder / 'answers.sqlite'}: an answer could not be saved: ")
    assert first == "Yes"


@NEEDS_MOUNTS
@pytest.mark.parametrize("then", ["full", "read-only"])
def test_a_disk_that_takes_no_more_stops_the_run(tmp_path: Path, then: str) -> None:
    ran = in_a_small_file_system(tmp_path, sys.executable, "-c", FILLING, str(tmp_path), then)
    assert_one_line(ran, tmp_path)


def test_a_file_that_may_not_grow_stops_the_run(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FILLING, str(tmp_path), "limited"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert_one_line(ran, tmp_path)


@NEEDS_MOUNTS
def test_a_full_disk_is_not_called_a_damaged_cache(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from models.cache import AnswerCache, DamagedCache\n"
        "folder = Path(sys.argv[1])\n"
        "with (folder / 'fill').open('wb') as fill:\n"
        "    try: fill.write(bytes(10**6))\n"
        "    except OSError: pass\n"
        "try: AnswerCache(folder / 'answers.sqlite')\n"
        "except DamagedCache as error: print(error)"
    )
    ran = in_a_small_file_system(tmp_path, sys.executable, "-c", code, str(tmp_path), size="40k")
    assert "answers.sqlite cannot be opened: " in ran.stdout, ran.stderr
    assert "not a cache" not in ran.stdout


@pytest.mark.slow
@NEEDS_MOUNTS
def test_a_run_whose_cache_is_full_ends_with_one_line(tmp_path: Path) -> None:
    full, folder = tmp_path / "full", tmp_path / "run"
    full.mkdir()
    words = ("--agent", "ground", "--split", "simple", "--limit", "12", "--model", "sim")
    command = (sys.executable, "-m", "evals.viplan", *words, "--cache", f"{full}/answers", "--out", str(folder))
    ran = in_a_small_file_system(full, *command, size="48k")
    assert ran.returncode == 3, ran.stderr
    assert "answers: an answer could not be saved: " in ran.stderr
    assert "Traceback" not in ran.stderr
    assert "--resume" in ran.stderr


@pytest.mark.parametrize("away", ["moved", "deleted", "replaced"])
def test_a_cache_that_is_gone_stops_the_run(tmp_path: Path, away: str) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    cache = AnswerCache(folder / "answers.sqlite")
    cache.put("first", Reply("Yes"))
    if away == "moved":
        folder.rename(tmp_path / "elsewhere")
    else:
        (folder / "answers.sqlite").unlink()
    if away == "replaced":
        (folder / "answers.sqlite").write_bytes(b"")
    with pytest.raises(CacheFailed, match=r"answers\.sqlite: it was moved or deleted while it was in use"):
        cache.put("second", Reply("Yes"))
    cache.close()


def test_once_nothing_can_be_kept_nothing_is_asked(tmp_path: Path) -> None:
    cache, model = AnswerCache(tmp_path / "answers.sqlite"), Scripted(always("Yes"))
    cached = CachedModel(model, cache)
    (tmp_path / "answers.sqlite").unlink()

    async def ask_on() -> None:
        for fact in ("on r,b", "on b,r", "clear r"):
            with pytest.raises(RunMustStop, match="moved or deleted"):
                await cached.ask(about(fact))

    asyncio.run(ask_on())
    assert len(model.asked) == 1
    assert not cache.under_way
    cache.close()


def test_a_cache_that_breaks_while_it_is_read_stops_the_run(tmp_path: Path) -> None:
    file = tmp_path / "answers.sqlite"
    cache = AnswerCache(file)
    for number in range(200):
        cache.put(str(number), Reply("word " * 100))
    cache.close()
    cache = AnswerCache(file)
    content = file.read_bytes()
    with file.open("r+b") as broken:
        broken.seek(4096)
        broken.write(b"\xff" * (len(content) - 4096))
    with pytest.raises(CacheFailed, match="can no longer be read"):
        all(cache.get(str(number)) for number in range(200))
    cache.close()


OPENING = """
import sys, time
from pathlib import Path
from models.base import Reply
from models.cache import AnswerCache
while not Path(sys.argv[2]).exists():
    time.sleep(0.001)
for number in range(20):
    cache = AnswerCache(Path(sys.argv[1]) / f"answers{number}.sqlite")
    cache.put(sys.argv[3], Reply("Yes"))
    cache.close()
"""


def test_eight_processes_may_make_one_cache_at_the_same_time(tmp_path: Path) -> None:
    start = tmp_path / "start"
    commands = [[sys.executable, "-c", OPENING, str(tmp_path), str(start), str(number)] for number in range(8)]
    running = [subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) for command in commands]
    start.touch()
    said = [process.communicate(timeout=120)[1] for process in running]
    assert said == [""] * 8
    for number in range(20):
        cache = AnswerCache(tmp_path / f"answers{number}.sqlite")
        assert len(cache) == 8
        cache.close()


def test_who_finds_the_cache_busy_waits_for_it(tmp_path: Path) -> None:
    file = tmp_path / "answers.sqlite"
    AnswerCache(file).close()
    other = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN EXCLUSIVE")
    release = threading.Timer(0.5, other.execute, ["COMMIT"])
    release.start()
    cache = AnswerCache(file)
    cache.put("key", Reply("Yes"))
    release.join()
    cache.close()
    other.close()


def test_who_is_busy_for_too_long_is_not_called_corrupt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.cache.BUSY_SECONDS", 0.2)
    file = tmp_path / "answers.sqlite"
    AnswerCache(file).close()
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(DamagedCache, match=r"answers\.sqlite has been in use by another process") as busy:
        AnswerCache(file)
    assert "move it away" not in str(busy.value)
    other.close()


def test_a_cache_of_an_earlier_version_is_taken_over(tmp_path: Path) -> None:
    file = tmp_path / "answers.sqlite"
    older = sqlite3.connect(file, isolation_level=None)
    older.execute("PRAGMA journal_mode=WAL")
    older.execute("CREATE TABLE answers (key TEXT PRIMARY KEY, reply TEXT) WITHOUT ROWID")
    older.execute("INSERT INTO answers VALUES ('key', ?)", ('["Yes", [1, 1, 0.0], null, null, false, 0.0]',))
    older.close()
    cache = AnswerCache(file)
    kept = cache.get("key")
    assert kept is not None
    assert kept.text == "Yes"
    cache.put("other", Reply("No"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["answers.sqlite", "answers.sqlite-journal"]
    cache.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["answers.sqlite"]


@pytest.mark.parametrize("mode", ["DELETE", "WAL"])
def test_a_copy_has_what_a_killed_process_left_beside_the_file(tmp_path: Path, mode: str) -> None:
    killed = """
import os, signal, sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute(f"PRAGMA journal_mode={sys.argv[2]}")
db.execute("PRAGMA cache_size=2")
db.execute("CREATE TABLE answers (key TEXT PRIMARY KEY, reply TEXT) WITHOUT ROWID")
whole = '["Yes", [1, 1, 0.0], null, null, false, 0.0]'
db.executemany("INSERT INTO answers VALUES (?, ?)", [(str(number), whole) for number in range(50)])
db.execute("BEGIN")
db.executemany("INSERT INTO answers VALUES (?, ?)", [(f"lost {number}", "x" * 500) for number in range(500)])
os.kill(os.getpid(), signal.SIGKILL)
"""
    source, target = tmp_path / "killed.sqlite", tmp_path / "copy.sqlite"
    subprocess.run([sys.executable, "-c", killed, str(source), mode], check=False, timeout=60)
    beside = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert len(beside) > 1
    copy_answers(source, target)
    cache = AnswerCache(target)
    assert len(cache) == 50
    assert cache.get("49") is not None
    cache.close()
    target.unlink()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == beside


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no FIFOs here")
def test_a_pipe_in_place_of_a_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "answers.sqlite")
    with pytest.raises(DamagedCache, match=r"answers\.sqlite is not a file"):
        AnswerCache(tmp_path / "answers.sqlite")


def test_nothing_is_mapped_into_memory(tmp_path: Path) -> None:
    maps = Path("/proc/self/maps")
    if not maps.exists():
        pytest.skip("the system does not say what is mapped")
    cache = AnswerCache(tmp_path / "answers.sqlite")
    cache.put("key", Reply("Yes"))
    cache.get("key")
    assert str(tmp_path) not in maps.read_text()
    cache.close()


def test_replies_that_come_together_fail_together(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "answers.sqlite")

    async def keep_three() -> list[object]:
        keeping = [cache.keep(str(number), Reply("Yes")) for number in range(3)]
        cache.path.unlink()
        return await asyncio.gather(*keeping, return_exceptions=True)

    assert [type(outcome) for outcome in asyncio.run(keep_three())] == [CacheFailed] * 3
    assert cache.failure is not None
    cache.close()


def test_a_transaction_that_fails_keeps_none_of_its_replies(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "answers.sqlite")
    cache._db.execute(
        "CREATE TRIGGER full BEFORE INSERT ON answers WHEN new.key = 'third' BEGIN SELECT raise(ABORT, 'full'); END"
    )

    async def keep_three() -> list[object]:
        keeping = [cache.keep(key, Reply("Yes")) for key in ("first", "second", "third")]
        return await asyncio.gather(*keeping, return_exceptions=True)

    assert [type(outcome) for outcome in asyncio.run(keep_three())] == [CacheFailed] * 3
    assert not cache._db.in_transaction
    assert len(cache) == 0
    cache.close()


def test_a_reply_is_kept_before_anyone_hears_it(tmp_path: Path) -> None:
    class Deleting(Scripted):
        async def ask(self, request: Request) -> Reply:
            (tmp_path / "answers.sqlite").unlink()
            return await super().ask(request)

    cache = AnswerCache(tmp_path / "answers.sqlite")
    with pytest.raises(CacheFailed):
        asyncio.run(CachedModel(Deleting(always("Yes")), cache).ask(about("on r,b")))
    cache.close()


def test_a_reply_is_written_before_the_next_question_takes_its_slot(tmp_path: Path) -> None:
    """With one slot, a write that fails is known before anything else is asked."""
    cache = AnswerCache(tmp_path / "answers.sqlite")
    asked: list[str] = []

    class Slow:
        identity, looks, simulated, cacheable = "slow", False, False, True

        async def ask(self, request: Request) -> Reply:
            asked.append(request.text)
            await asyncio.sleep(0.01)
            return Reply("Yes")

    def full(replies: object) -> None:
        raise cache._failed("the disk is full")

    cache._write = full  # type: ignore[method-assign, assignment]
    model = CachedModel(LimitedModel(Slow(), asyncio.Semaphore(1), None, cache), cache)

    async def run() -> list[object]:
        questions = [request(f"Question {number}?") for number in range(5)]
        return await asyncio.gather(*(model.ask(one) for one in questions), return_exceptions=True)

    assert all(isinstance(one, CacheFailed) for one in asyncio.run(run()))
    assert asked == ["Question 0?"]
