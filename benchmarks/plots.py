#!/usr/bin/env python3
"""Draws the plots of docs/performance.md from benchmarks/results.json.

    plots.py [--out docs/performance]

growth.svg: seconds over rows, both logarithmic. rivals.svg: how many times as long each rival takes.
"""
import argparse
import math
import os

import results

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COLOURS = ["#1f6feb", "#bf3989", "#1a7f37", "#9a6700", "#6e7781"]
STYLE = "<style>text{font:12px sans-serif;fill:#24292f}.grid{stroke:#d0d7de}.line{fill:none;stroke-width:2}</style>"


class Drawing:
    """An SVG on white, so that it can be read on any page."""

    def __init__(self, width, height, title):
        self.size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        self.parts = [STYLE, f'<rect width="{width}" height="{height}" fill="#ffffff"/>']
        self.text(16, 22, title)

    def text(self, x, y, words, anchor="start"):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{words}</text>')

    def line(self, points, colour):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polyline class="line" stroke="{colour}" points="{path}"/>')
        self.parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]

    def grid(self, x1, y1, x2, y2):
        self.parts.append(f'<line class="grid" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>')

    def bar(self, x, y, width, height, colour):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}"/>')

    def save(self, path):
        with open(path, "w", encoding="utf-8") as out:
            out.write(f'<svg xmlns="http://www.w3.org/2000/svg" {self.size}>\n' + "\n".join(self.parts) + "\n</svg>\n")


def growth(figures, path):
    sizes = sorted(figures["sizes"], key=int)
    names = ["fresh", "unchanged", "one in a thousand changed", "one array, mapped"]
    seconds = {name: [figures["sizes"][size][name] for size in sizes] for name in names}
    low, high = (edge(time for times in seconds.values() for time in times) for edge in (min, max))
    low, high = math.floor(math.log10(low)), math.ceil(math.log10(high))
    first, last = (math.log10(int(size)) for size in (sizes[0], sizes[-1]))
    drawing = Drawing(640, 400, "Seconds over rows, both logarithmic")
    x = lambda size: 70 + 340 * (math.log10(int(size)) - first) / (last - first)
    y = lambda time: 350 - 300 * (math.log10(time) - low) / (high - low)
    for power in range(low, high + 1):
        drawing.grid(70, y(10**power), 410, y(10**power))
        drawing.text(62, y(10**power) + 4, f"{10.0**power:g} s", "end")
    for size in sizes:
        drawing.grid(x(size), 50, x(size), 350)
        drawing.text(x(size), 370, f"{int(size):,}", "middle")
    for index, name in enumerate(names):
        drawing.line([(x(size), y(time)) for size, time in zip(sizes, seconds[name])], COLOURS[index])
        drawing.bar(430, 62 + 24 * index, 12, 12, COLOURS[index])
        drawing.text(450, 72 + 24 * index, name)
    drawing.save(path)


def rivals(figures, path):
    rows = [(name, what, ratio) for name, found in figures.items() for what, ratio in found.items()]
    drawing = Drawing(640, 60 + 22 * len(rows), "How many times as long as ingest, logarithmic; the line is 1")
    high = math.log10(max(ratio for _, _, ratio in rows))
    low = min(0.0, math.log10(min(ratio for _, _, ratio in rows)))
    x = lambda ratio: 230 + 350 * (math.log10(ratio) - low) / (high - low)
    colours = {name: COLOURS[index % len(COLOURS)] for index, name in enumerate(figures)}
    drawing.grid(x(1), 36, x(1), 44 + 22 * len(rows))
    for index, (name, what, ratio) in enumerate(rows):
        top = 40 + 22 * index
        left, right = sorted((x(1), x(ratio)))
        drawing.text(222, top + 13, f"{name}: {what}", "end")
        drawing.bar(left, top, max(right - left, 1), 16, colours[name])
        drawing.text(right + 6, top + 13, f"{ratio:g}")
    drawing.save(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--out", default=os.path.join(ROOT, "docs", "performance"))
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    kept = results.read()
    growth(kept["growth"]["figures"], os.path.join(options.out, "growth.svg"))
    rivals(kept["rivals"]["figures"], os.path.join(options.out, "rivals.svg"))


main()
