from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from deck_builder.cache import Cache, bundle, unbundle


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(str(tmp_path / ".deckbuild"))


def test_an_entry_comes_back(cache: Cache) -> None:
    cache.write("results", "a", b"content\n")
    assert cache.read("results", "a") == b"content\n"
    assert cache.read("results", "b") is None


def test_git_does_not_see_the_cache(cache: Cache) -> None:
    cache.write("results", "a", b"")
    assert Path(cache.folder, ".gitignore").read_text() == "*\n"


@pytest.mark.parametrize("damage", [lambda old: old[:-1], lambda old: old[:0], lambda old: old[:70] + b"X" + old[71:]])
def test_a_damaged_entry_is_none(cache: Cache, damage: object) -> None:
    cache.write("results", "a", b"some longer content")
    path = Path(cache.folder, "results", "a")
    path.write_bytes(damage(path.read_bytes()))  # type: ignore[operator]
    assert cache.read("results", "a") is None
    cache.write("results", "a", b"made again")
    assert cache.read("results", "a") == b"made again"


def test_keys_with_a_common_beginning_come_newest_first(cache: Cache) -> None:
    for age, key in enumerate(("a.3", "a.1", "b.1", "a.2")):
        cache.write("results", key, b"")
        os.utime(Path(cache.folder, "results", key), (1000 - age, 1000 - age))
    assert cache.keys("results", "a.") == ["a.3", "a.1", "a.2"]


def test_what_was_not_used_for_a_month_is_dropped(cache: Cache) -> None:
    old = time.time() - 40 * 24 * 3600
    for key in ("unused", "used"):
        cache.write("results", key, b"")
        os.utime(Path(cache.folder, "results", key), (old, old))
    cache.read("results", "used")
    cache.prune()
    assert [path.name for path in Path(cache.folder, "results").iterdir()] == ["used"]


def test_old_entries_are_looked_for_once_a_day(cache: Cache) -> None:
    old = time.time() - 40 * 24 * 3600
    for day, left in enumerate([[], ["later"], []]):
        if day == 1:
            cache.write("results", "later", b"")
            os.utime(Path(cache.folder, "results", "later"), (old, old))
        if day == 2:
            os.utime(Path(cache.folder, "pruned"), (old, old))
        cache.open()
        cache.prune()
        assert [path.name for path in Path(cache.folder).glob("results/*")] == left


def test_writers_at_once_leave_one_whole_entry(cache: Cache) -> None:
    content = os.urandom(200_000)
    seen: list[bytes | None] = []

    def write() -> None:
        for _ in range(20):
            cache.write("results", "a", content)
            seen.append(cache.read("results", "a"))

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(seen) == {content}
    assert [path.name for path in Path(cache.folder, "results").iterdir()] == ["a"]


def test_a_cache_that_cannot_be_made_is_an_os_error(tmp_path: Path) -> None:
    (tmp_path / ".deckbuild").write_text("a file in the way")
    with pytest.raises(OSError, match=r"exists|directory"):
        Cache(str(tmp_path / ".deckbuild")).open()


@pytest.mark.parametrize("blobs", [[], [b""], [b"one\ntwo", b"", b"\0\n"]])
def test_a_bundle_comes_apart_again(blobs: list[bytes]) -> None:
    assert unbundle(bundle({"name": "图\n", "n": [1, None]}, blobs)) == ({"name": "图\n", "n": [1, None]}, blobs)
