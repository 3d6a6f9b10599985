"""Packages: the same parts give the same bytes, and nothing else."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from deck_builder.paths import templates
from deck_builder.writing.package import Package, Part, read_package


def small() -> Package:
    root = Part("", "", b"")
    root.relate("officeDocument", "ppt/presentation.xml")
    package = Package({}, root)
    package.add(Part("ppt/presentation.xml", "application/x-presentation+xml", b"<p/>"))
    return package


def test_a_template_survives_reading_and_saving_part_by_part(tmp_path: Path) -> None:
    package = read_package(templates() / "lecture.pptx")
    package.save(tmp_path / "copy.pptx")
    copy = read_package(tmp_path / "copy.pptx")
    assert {n: p.blob for n, p in copy.parts.items()} == {n: p.blob for n, p in package.parts.items()}
    for name, part in package.parts.items():
        assert copy.parts[name].content_type == part.content_type
        assert copy.parts[name].relationships == part.relationships


def test_the_same_package_saved_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        small().save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_what_no_relationship_leads_to_is_left_out(tmp_path: Path) -> None:
    package = small()
    package.add(Part("ppt/orphan.xml", "application/x-orphan+xml", b"<o/>"))
    package.save(tmp_path / "deck.pptx")
    assert "ppt/orphan.xml" not in zipfile.ZipFile(tmp_path / "deck.pptx").namelist()


def test_a_relationship_to_the_same_target_is_made_once() -> None:
    part = Part("a.xml", "", b"")
    assert part.relate("image", "m.png") == part.relate("image", "m.png") == "rId1"
    assert part.relate("hyperlink", "m.png", external=True) == "rId2"


def test_a_part_name_is_used_once() -> None:
    package = small()
    with pytest.raises(ValueError, match="already has a part"):
        package.add(Part("ppt/presentation.xml", "", b""))
