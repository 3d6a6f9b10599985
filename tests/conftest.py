"""What every room's tests share: tools that may be missing, small projects made of a dictionary of files."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Generator, Mapping
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("house", deadline=None, max_examples=60, derandomize=True)
settings.load_profile("house")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, object, None]:
    """With CI=true nothing may skip for a missing tool."""
    outcome = yield
    report = outcome.get_result()  # type: ignore[attr-defined]
    if report.skipped and os.environ.get("CI") == "true" and "needs " in str(report.longrepr):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} skipped for a missing tool: {report.longrepr}"


@pytest.fixture
def project(tmp_path: Path) -> Callable[[Mapping[str, str]], Path]:
    """Write files by their relative names; returns the folder."""

    def write(files: Mapping[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return tmp_path

    return write


@pytest.fixture(scope="session")
def to_pdf(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Path]:
    """Convert a deck with LibreOffice, one profile for the whole session."""
    home = tmp_path_factory.mktemp("office")

    def convert(deck: Path) -> Path:
        out = tmp_path_factory.mktemp("pdf")
        profile = f"-env:UserInstallation={home.as_uri()}"
        command = ["soffice", profile, "--headless", "--convert-to", "pdf", "--outdir", str(out), str(deck)]
        subprocess.run(command, check=True, capture_output=True, timeout=300)
        return out / f"{deck.stem}.pdf"

    return convert
