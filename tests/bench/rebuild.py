"""CPU seconds of a rebuild after a text edit, against pandoc on the same file, in turn; and how it grows with slides.

    python tests/bench/rebuild.py [--rounds 5]

Prints ratios: the machines that run this are shared, so seconds alone say little.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

KINDS = ("list", "code", "table", "math", "text")


def slide(number: int) -> str:
    """One slide of a lecture: every fifth of a kind, each with notes."""
    body = {
        "list": "\n".join(f"- point {k} of slide {number}, with **weight** and `code`" for k in range(1, 6)),
        "code": "```python\n"
        + "\n".join(f"value_{k} = function(argument_{k}, {number})  # step {k}" for k in range(1, 9))
        + "\n```",
        "table": "| model | steps | loss |\n|:--|--:|--:|\n"
        + "\n".join(f"| run {k} | {k * number} | {1 / (k + number):.3f} |" for k in range(1, 6)),
        "math": f"The score of query $q_{{{number}}}$ and key $k_j$:\n\n"
        f"$$e_{{{number % 7}j}} = \\frac{{q_{{{number % 7}}}^\\top k_j}}{{\\sqrt{{d_k}}}}$$",
        "text": "注意力机制让解码器在每一步都回头看编码器的所有状态，按相关程度加权求和。 " * 3,
    }[KINDS[number % len(KINDS)]]
    return f"## Slide {number}\n\n{body}\n\n::: notes\nSay what slide {number} is for.\n:::\n"


def lesson(slides: int, edit: int) -> str:
    """A deck of so many slides; `edit` changes one sentence."""
    head = "---\ntitle: A lecture\nlang: zh-CN\n---\n\n# Part one\n\n"
    return head + "\n".join(slide(n) for n in range(1, slides + 1)) + f"\n## Last\n\nEdit number {edit}.\n"


def cpu_seconds(command: list[str]) -> float:
    """User and system seconds of a command and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure in turn and print the ratios."""
    import pypandoc

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lesson.md"
        deck, other = Path(folder) / "deck.pptx", Path(folder) / "pandoc.pptx"
        own = [sys.executable, "-m", "deck_builder.cli", str(path), "-o", str(deck)]
        pandoc = [pypandoc.get_pandoc_path(), "--slide-level=2", "-o", str(other), str(path)]
        ratios, seconds = [], []
        path.write_text(lesson(59, 0), encoding="utf-8")
        cpu_seconds(own)  # the first build fills the cache; what follows are rebuilds after a text edit
        for edit in range(1, rounds + 1):
            path.write_text(lesson(59, edit), encoding="utf-8")
            mine, peer = cpu_seconds(own), cpu_seconds(pandoc)
            ratios.append(mine / peer)
            seconds.append((mine, peer))
        mine, peer = (statistics.median(column) for column in zip(*seconds, strict=True))
        print(f"60 slides: deckbuild {mine:.2f} s, pandoc {peer:.2f} s, median ratio {statistics.median(ratios):.2f}")
        growth = {}
        for slides in (100, 1000):
            path.write_text(lesson(slides, 0), encoding="utf-8")
            cpu_seconds(own)
            path.write_text(lesson(slides, 1), encoding="utf-8")
            growth[slides] = min(cpu_seconds(own) for _ in range(3))
        print(
            f"1,000 slides cost {growth[1000] / growth[100]:.1f} times 100 ({growth[1000]:.1f} s, {growth[100]:.2f} s)"
        )


if __name__ == "__main__":
    main()
