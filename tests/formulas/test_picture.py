"""The picture of a formula: for viewers without equations, drawn once and kept."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image
from support import ROOT

from deck_builder.formulas import FormulaCache, Formulas, size
from deck_builder.formulas.picture import PIXELS_PER_POINT, png

ATTENTION = r"\mathrm{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)V"


def image(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content)).convert("RGBA")


def ink(tex: str, **options: object) -> set[str]:
    """Colours of the solid pixels."""
    picture = image(png(tex, 20, **options))  # type: ignore[arg-type]
    colours = picture.getcolors(maxcolors=100_000) or []
    return {f"{red:02X}{green:02X}{blue:02X}" for _, (red, green, blue, alpha) in colours if alpha == 255}


@pytest.mark.parametrize("tex", ["x", ATTENTION, r"\begin{pmatrix}a\\b\\c\end{pmatrix}", r"\text{注意力}=\text{值}"])
@pytest.mark.parametrize("size_pt", [14, 24])
def test_it_fills_its_shape_at_more_than_200_dpi(tex: str, size_pt: float) -> None:
    width, height = size(tex, size_pt)
    picture = image(png(tex, size_pt))
    assert picture.size == pytest.approx((width * PIXELS_PER_POINT, height * PIXELS_PER_POINT), abs=2)
    assert PIXELS_PER_POINT * 72 >= 200


@pytest.mark.parametrize("tex", ["x", ATTENTION, r"\sum_{i=1}^{n} x_i", r"\underbrace{a+b+c}_{n}", r"\vec{v}^2_i"])
def test_all_of_the_ink_is_inside(tex: str) -> None:
    picture = image(png(tex, 20))
    left, top, right, bottom = picture.getchannel("A").getbbox() or (0, 0, 0, 0)
    assert left > 0
    assert top > 0
    assert right < picture.width
    assert bottom < picture.height


def test_same_input_same_bytes() -> None:
    assert png(ATTENTION, 20) == png(ATTENTION, 20)


def test_ink_roles_and_named_colours_are_drawn() -> None:
    assert ink("x") == {"1B2A41"}
    assert ink("x", colour="FFFFFF") == {"FFFFFF"}
    assert ink(r"\textcolor{q}{Q}{\color[HTML]{00AA00} x}") == {"2A66CF", "00AA00"}
    assert ink(r"\textcolor{q}{Q}", palette={"q": "ABCDEF"}) == {"ABCDEF"}


def test_han_is_drawn_by_the_face_that_ships() -> None:
    """A missing glyph is a box, the same for every character."""
    pictures = {image(png(rf"\text{{{character}}}", 20)).tobytes() for character in "注意力值"}
    assert len(pictures) == 4


class TestTheCache:
    def entries(self, folder: Path) -> list[Path]:
        return sorted((folder / ".deckbuild" / "formulas").iterdir())

    def test_a_picture_is_drawn_once(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        cache = FormulaCache(tmp_path / ".deckbuild")
        drawn = cache.png(ATTENTION, 20)
        assert drawn == png(ATTENTION, 20)
        monkeypatch.setattr("deck_builder.formulas.picture.png", lambda *_args, **_more: pytest.fail("drawn again"))
        assert cache.png(ATTENTION, 20) == drawn
        assert cache.png(r"\att", 20, macros={r"\att": ATTENTION}) == drawn

    def test_what_changes_the_picture_changes_the_entry(self, tmp_path: Path) -> None:
        cache = FormulaCache(tmp_path / ".deckbuild")
        cache.png("x", 20)
        cache.png("x", 18)
        cache.png("y", 20)
        cache.png("x", 20, colour="FFFFFF")
        assert len(self.entries(tmp_path)) == 4

    @pytest.mark.parametrize("damage", [b"", b"not a picture", b"0" * 500])
    def test_a_damaged_entry_is_drawn_again(self, tmp_path: Path, damage: bytes) -> None:
        cache = FormulaCache(tmp_path / ".deckbuild")
        whole = cache.png("x", 20)
        (entry,) = self.entries(tmp_path)
        kept = entry.read_bytes()
        for content in (damage, kept[:-1], kept[:-1] + b"!"):
            entry.write_bytes(content)
            assert cache.png("x", 20) == whole
            assert entry.read_bytes() == kept

    def test_a_folder_that_cannot_be_written_is_as_good_as_none(self, tmp_path: Path) -> None:
        blocked = tmp_path / "file"
        blocked.write_text("in the way")
        assert FormulaCache(blocked).png("x", 20) == FormulaCache(None).png("x", 20)

    def test_it_ignores_itself_for_git(self, tmp_path: Path) -> None:
        FormulaCache(tmp_path / ".deckbuild").png("x", 20)
        assert (tmp_path / ".deckbuild" / ".gitignore").read_text() == "*\n"

    def test_no_path_of_this_machine_is_kept(self, tmp_path: Path) -> None:
        FormulaCache(tmp_path / ".deckbuild").png("x", 20)
        assert all(str(tmp_path).encode() not in entry.read_bytes() for entry in self.entries(tmp_path))


def test_an_unchanged_deck_loads_neither_ziamath_nor_resvg(tmp_path: Path) -> None:
    folder = tmp_path / ".deckbuild"
    tex = r"\text{注意力}=" + ATTENTION
    Formulas(cache=FormulaCache(folder)).png(tex, 20)
    code = (
        "import sys\nfrom pathlib import Path\nfrom deck_builder.formulas import FormulaCache, Formulas\n"
        f"formulas = Formulas(cache=FormulaCache(Path({str(folder)!r})))\n"
        f"tex = {tex!r}\n"
        "formulas.runs('x_1'), formulas.linear(tex), formulas.spoken(tex)\n"
        "formulas.size(tex, 20), formulas.omml(tex, 20), formulas.png(tex, 20)\n"
        "loaded = {'ziamath', 'ziafont', 'resvg_py', 'fontTools', 'matplotlib', 'numpy'} & set(sys.modules)\n"
        "assert not loaded, loaded\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
