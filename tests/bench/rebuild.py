"""A rebuild after a text edit: against pandoc on the same file, in turn; how it grows with slides; the whole course.

    python tests/bench/rebuild.py [--rounds 5]

Prints ratios: the machines that run this are shared, so seconds alone say little. The course is measured where it was
built before, on a copy.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-c", "from deck_builder.cli import main; main()")
"""What the command `deckbuild` runs."""
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


@dataclass(frozen=True)
class Cost:
    """What a command took: seconds by the clock, seconds of the processor, memory at its highest in MB."""

    wall: float
    cpu: float
    memory: float


def cost(command: Sequence[str | Path]) -> Cost:
    """Run a command and its children."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment())
    output = process.stdout.read() if process.stdout else ""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} failed:\n{output}")
    return Cost(time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def environment() -> dict[str, str]:
    """This process's, in which Python keeps what it compiles, as it does for users."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), kept.get("PYTHONPATH", ""))))}


def against_pandoc(folder: Path, rounds: int) -> None:
    """Sixty slides, edited and rebuilt."""
    import pypandoc

    path, deck, other = folder / "lesson.md", folder / "deck.pptx", folder / "pandoc.pptx"
    path.write_text(lesson(59, 0), encoding="utf-8")
    cost([*COMMAND, path, "-o", deck])  # the first build fills the cache; what follows are rebuilds after a text edit
    own, peer = [], []
    for edit in range(1, rounds + 1):
        path.write_text(lesson(59, edit), encoding="utf-8")
        own.append(cost([*COMMAND, path, "-o", deck]))
        peer.append(cost([pypandoc.get_pandoc_path(), "--slide-level=2", "-o", str(other), str(path)]))
    ratio = statistics.median(mine.cpu / its.cpu for mine, its in zip(own, peer, strict=True))
    mine, its = best(own), best(peer)
    print(
        f"60 slides: {mine.cpu:.2f} s of CPU and {mine.memory:.0f} MB, pandoc {its.cpu:.2f} s and {its.memory:.0f} MB; "
        f"ratio {mine.cpu / its.cpu:.2f}, median of the rounds {ratio:.2f}"
    )


def growth(folder: Path, rounds: int) -> None:
    """A hundred and a thousand slides."""
    path, deck = folder / "long.md", folder / "long.pptx"
    costs = {}
    for slides in (100, 1000):
        path.write_text(lesson(slides, 0), encoding="utf-8")
        cost([*COMMAND, path, "-o", deck])
        found = []
        for edit in range(1, rounds + 1):
            path.write_text(lesson(slides, edit), encoding="utf-8")
            found.append(cost([*COMMAND, path, "-o", deck]))
        costs[slides] = best(found)
    few, many = costs[100], costs[1000]
    print(
        f"1,000 slides cost {many.cpu / few.cpu:.1f} times 100 ({many.cpu:.2f} s and {many.memory:.0f} MB, "
        f"{few.cpu:.2f} s and {few.memory:.0f} MB)"
    )


def course(folder: Path, rounds: int) -> None:
    """The whole course, one list item edited."""
    if not (ROOT / "content" / ".deckbuild").is_dir():
        print("the course was not built here; run deckbuild content/ -o attention.pptx first")
        return
    for name in ("content", "figures"):
        shutil.copytree(ROOT / name, folder / name)
    path = folder / "content" / "03-scaled-dot-product.md"
    text = path.read_text(encoding="utf-8")
    deck = folder / "attention.pptx"
    cost([*COMMAND, path.parent, "-o", deck])
    found = []
    for edit in range(1, rounds + 1):
        path.write_text(text.replace("\n- ", f"\n- ({edit}) ", 1), encoding="utf-8")
        found.append(cost([*COMMAND, path.parent, "-o", deck]))
    least = best(found)
    print(
        f"the course: {least.cpu:.2f} s of CPU, {min(c.wall for c in found):.2f} s by the clock, {least.memory:.0f} MB"
    )


def best(costs: Sequence[Cost]) -> Cost:
    """The run that took least: others were disturbed."""
    return min(costs, key=lambda cost: cost.cpu)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        against_pandoc(Path(folder), rounds)
        growth(Path(folder), min(rounds, 3))
        course(Path(folder), rounds)


if __name__ == "__main__":
    main()
