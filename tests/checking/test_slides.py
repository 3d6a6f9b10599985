"""What the checker says of one slide's shapes and their identifiers."""

from __future__ import annotations

from lxml import etree

from deck_builder.checking.slides import _identifier_problems

SPACES = (
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
)


def slide(shapes: int, target: int, fallbacks: int = 1) -> etree._Element:
    """Formulas with their fallbacks, then shapes 2 to `shapes` + 1 and an arrow that begins at `target`."""
    formula = (
        "<mc:AlternateContent><mc:Fallback>"
        + '<p:sp><p:cNvPr id="1"/></p:sp>' * 30
        + "</mc:Fallback></mc:AlternateContent>"
    )
    boxes = "".join(f'<p:sp><p:cNvPr id="{number}"/></p:sp>' for number in range(2, shapes + 2))
    arrow = f'<p:cxnSp><p:cNvPr id="{shapes + 2}"/><a:stCxn id="{target}"/></p:cxnSp>'
    return etree.fromstring(f"<p:sld {SPACES}>{formula * fallbacks}{boxes}{arrow}</p:sld>")


def test_shapes_behind_a_fallback_are_all_seen() -> None:
    for shapes in (5, 20, 60, 200):
        assert list(_identifier_problems(slide(shapes, target=shapes + 1, fallbacks=3))) == []


def test_an_arrow_to_no_shape_is_named() -> None:
    assert list(_identifier_problems(slide(5, target=99))) == ["a:stCxn refers to shape 99, which is not on the slide"]
