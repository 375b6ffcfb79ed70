"""The figures of the vision bench as a table people read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

HEAD = (
    f"{'':<36}{'pictures':>9}{'cells right':>24}{'wrong':>7}{'perfect if sure':>24}"
    f"{'perfect':>9}{'abstained':>11}{'refused':>9}{'x Lab':>7}"
)


def table(figures: Mapping[str, Any]) -> str:
    lights = figures["lights"]
    lines = [f"split {figures['split']}, seed {figures['seed']}, lit boards read {lights}", HEAD]
    lines += [row(name, found) for name, found in figures["boards"].items()]
    lines.append(row("all", figures["all"]))
    for kind, named in figures["by"].items():
        lines += ["", f"by {kind}"]
        lines += [row(f"  {name}", found) for name, found in named.items()]
    lines += ["", "boards that fill but a part of the picture", row("  small", figures["far"])]
    lines += [
        "",
        "boards painted, burnt and lit in ways that few are",
        row("  bold", figures["bold"]),
    ]
    lines += ["", "the lit boards, each read with the lights"]
    lines += [row(f"  {name}", found) for name, found in figures["lit"].items()]
    lines += ["", "piece claims kept by confidence, and how many of them are wrong"]
    lines += [
        f"  {100 * point['coverage']:>6.1f} %  {100 * point['error']:.4f} % wrong"
        f"  (confidence from {point['least_confidence']})"
        for point in figures["coverage"]
    ]
    if figures["confused"]:
        lines += ["", "most frequent errors"]
        lines += [f"  {count:>5}  {what}" for what, count in figures["confused"].items()]
    if figures["hardest"]:
        lines += ["", "hardest tables"]
        lines += [row(f"  {name}", found) for name, found in figures["hardest"].items()]
    low = figures["low"]
    lines += ["", f"camera below 60°: {low['warned']} of {low['pictures']} pictures warned"]
    lines.append(f"camera above 60°: {figures['all']['warned']} pictures with a warning")
    lines += [f"not learned: {text}" for text in figures["unlearned"]]
    if figures["hands"] or figures["bumps"]:
        lines += watch_lines(figures)
    for one in figures.get("enduring", ()):
        lines.append(
            f"{one['frames']} frames of {one['board']}: {one['boards_reported']} boards reported, "
            f"memory {one['memory_mb'][0]:.0f} to {one['memory_mb'][-1]:.0f} MB, in the second "
            f"half {one['second_half_mb']:+.1f} MB"
        )
    if "outside" in figures:
        lines += outside_lines(figures["outside"])
    return "\n".join(lines) + "\n"


def row(name: str, found: Mapping[str, Any]) -> str:
    lab = found.get("vs_lab")
    return (
        f"{name:<36}{found['pictures']:>9}"
        f"{ranged(found['cells_right'], found['cells_right_range']):>24}{found['wrong']:>7}"
        f"{ranged(found['boards_perfect'], found['boards_perfect_range']):>24}"
        f"{percent(found['boards_perfect_of_all']):>9}{percent(found['abstained'], 3):>11}"
        f"{found['refused']:>9}{'' if lab is None else f'{lab:.1f}':>7}"
    )


def percent(value: float | None, digits: int = 1) -> str:
    return "-" if value is None else f"{100 * value:.{digits}f} %"


def ranged(value: float | None, between: tuple[float, float] | None) -> str:
    if value is None or between is None:
        return "-"
    return f"{100 * value:.3f} [{100 * between[0]:.2f}–{100 * between[1]:.2f}]"


def watch_lines(figures: Mapping[str, Any]) -> list[str]:
    return [
        "",
        f"hands: {figures['hands']} in {figures['hand_frames']} frames, "
        f"{figures['false_commits']} wrong boards called still "
        f"({figures['false_while_covered']} under a hand), {figures['late']} later than 8 frames "
        f"{figures['late_kinds'] or ''}",
        f"  frames until the right board (-1 never): {figures['frames_until_right']}",
        f"bumps: {figures['bumps']}, {figures['bump_wrong']} read wrongly, "
        f"{figures['bump_late']} not recovered within 30 frames",
        f"  frames until read again (-1 never): {figures['frames_until_recovered']}",
        f"lights made dark {figures['blinks']} times, for {figures['dark_frames']} frames in all",
        *(f"not learned: {text}" for text in figures["hands_unlearned"]),
    ]


def outside_lines(outside: Mapping[str, Any]) -> list[str]:
    lines = ["", "pictures made by others", HEAD]
    for learned, found in outside.items():
        lines.append(f"learned from {learned}")
        lines += [row(f"  {name}", tally) for name, tally in found["tables"].items()]
        lines.append(row("  all", found["all"]))
        hands = found["hands"]
        lines.append(
            f"  with a hand: {hands['pictures']} pictures, {hands['called_blocked']} called "
            f"blocked, {hands['wrong']} wrong claims"
        )
        lines += [f"  not learned: {text}" for text in found["unlearned"]]
    return lines
