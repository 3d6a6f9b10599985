"""The file that a build replaces: nothing of a user's is lost."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from deck_builder.errors import DeckError
from deck_builder.paths import templates
from deck_builder.writing.package import read_package
from deck_builder.writing.properties import stamp
from deck_builder.writing.target import Target


@pytest.fixture
def built(tmp_path: Path) -> Path:
    path = tmp_path / "deck.pptx"
    package = read_package(templates() / "lecture.pptx")
    stamp(package, {"fig-a": "0123"})
    package.save(path)
    return path


def edit(path: Path) -> None:
    package = read_package(path)
    part = package.parts["ppt/presentation.xml"]
    part.content = part.blob.replace(b"<p:sldSz", b"<!-- edited --><p:sldSz")
    package.save(path)


def test_a_deck_as_built_may_be_replaced(built: Path) -> None:
    Target(built).check()


def test_a_deck_edited_by_hand_is_refused_in_one_line(built: Path) -> None:
    edit(built)
    with pytest.raises(DeckError, match="was edited since it was built") as caught:
        Target(built).check()
    assert len(caught.value.lines()) == 1


def test_a_deck_packed_again_without_a_change_is_still_the_builds_own(built: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.pptx"
    with zipfile.ZipFile(built) as old, zipfile.ZipFile(again, "w", zipfile.ZIP_STORED) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
    Target(again).check()


def test_a_file_that_is_no_deck_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "deck.pptx"
    path.write_bytes(b"my thesis")
    with pytest.raises(DeckError, match="was not built by deckbuild"):
        Target(path).check()
    assert path.read_bytes() == b"my thesis"


def test_force_keeps_the_edited_deck_as_a_numbered_backup(built: Path, tmp_path: Path) -> None:
    edit(built)
    edited = built.read_bytes()
    for number in (1, 2):
        target = Target(built, force=True)
        target.check()
        temporary = target.temporary()
        temporary.write_bytes(b"new")
        backup = target.replace(temporary)
        assert backup == tmp_path / f"deck.backup-{number}.pptx"
        assert built.read_bytes() == b"new"
    assert (tmp_path / "deck.backup-1.pptx").read_bytes() == edited


@pytest.mark.parametrize("lock", ["~$deck.pptx", ".~lock.deck.pptx#"])
def test_a_deck_open_in_another_program_is_refused(built: Path, lock: str) -> None:
    (built.parent / lock).touch()
    with pytest.raises(DeckError, match="open in another program"):
        Target(built, force=True).check()


def test_a_read_only_deck_is_refused(built: Path) -> None:
    built.chmod(0o444)
    with pytest.raises(DeckError, match="read-only"):
        Target(built, force=True).check()


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match="is a folder"):
        Target(tmp_path).check()


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match="there is no folder"):
        Target(tmp_path / "out" / "deck.pptx").check()


def test_the_temporary_file_stands_beside_the_target(built: Path) -> None:
    assert Target(built).temporary().parent == built.parent
