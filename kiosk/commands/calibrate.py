"""`trueroll calibrate`: the printed card, the tray's corners, the lens, the empty tray, and what a picture lacks."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from kiosk.commands.eyes import StillEye, bench_at, seen
from kiosk.commands.options import data_option
from kiosk.devices.camera_card import card_file
from kiosk.devices.camera_words import calibration_words, hint_words
from kiosk.errors import CameraDeskError
from rules.words import say

_source = click.argument("source", default="0")
_hfov = click.option(
    "--hfov",
    type=click.FloatRange(10.0, 170.0),
    show_default="what the picture or the camera tells, else 60",
    metavar="DEGREES",
    help="Field of view that the lens is supposed to have, along the longer side of its pictures.",
)


@click.group()
def calibrate() -> None:
    """Tell the camera where the table is.

    SOURCE is a camera (0, /dev/video0, picamera2), an address, or a picture file. While a kiosk runs, its page /camera
    does the same.
    """


@calibrate.command()
@click.argument("out", type=click.Path(dir_okay=False, writable=True, path_type=Path))
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="The sheet, lying.")
def card(out: Path, paper: str) -> None:
    """Write the card to print: OUT.svg or OUT.pdf."""
    kind = out.suffix.lower().lstrip(".")
    if kind not in {"svg", "pdf"}:
        raise click.UsageError("Name a file that ends in .svg or .pdf.")
    try:
        out.write_bytes(card_file(kind, letter=paper == "letter"))
    except CameraDeskError as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"{out} cannot be written: {error.strerror}; name another file") from error
    click.echo(say("{file} is written. Print it at 100 %: its line is 100 mm long then.", file=str(out)))


@calibrate.command()
@_source
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@_hfov
@data_option
def check(source: str, *, as_json: bool, hfov: float | None, data_path: Path | None) -> None:
    """Say what the camera's picture lacks: light, focus, nearness. Exit status 1 where anything does."""
    with bench_at(data_path, hfov) as bench:
        bench.attend(StillEye(seen(source), bench))
        hints = bench.hints()
        if as_json:
            rows = [{**asdict(one), "kind": one.kind.value, "words": hint_words(one)} for one in hints]
            click.echo(json.dumps({"hints": rows, "calibration": calibration_words(bench.setup.calibration)}))
        else:
            for one in hints:
                click.echo(f"{'well' if one.fine else 'MEND'}  {hint_words(one)}")
            click.echo(calibration_words(bench.setup.calibration))
    if not all(one.fine for one in hints):
        raise SystemExit(1)


@calibrate.command()
@_source
@_hfov
@data_option
def table(source: str, hfov: float | None, data_path: Path | None) -> None:
    """Calibrate by the printed card, which lies flat on the table (or its four corners in the tray's)."""
    with bench_at(data_path, hfov) as bench:
        bench.attend(StillEye(seen(source), bench))
        bench.by_card()
        click.echo(calibration_words(bench.setup.calibration))


@calibrate.command(context_settings={"ignore_unknown_options": True})  # a corner may begin with a minus sign
@click.argument("corners", nargs=4, metavar="X,Y X,Y X,Y X,Y")
@click.option("--source", default="0", show_default=True, help="The camera, address or picture.")
@_hfov
@data_option
def corners(corners: tuple[str, ...], source: str, hfov: float | None, data_path: Path | None) -> None:
    """Calibrate by the corners of a rectangular tray, in pixels of the picture, in order round it."""
    spots = []
    for typed in corners:
        x, comma, y = typed.partition(",")
        try:
            spots.append((float(x), float(y)))
        except ValueError:
            raise click.UsageError(f"{typed!r} is no corner; write two numbers as 120,85.") from None
        if not comma:
            raise click.UsageError(f"{typed!r} is no corner; write two numbers as 120,85.")
    with bench_at(data_path, hfov) as bench:
        frame = seen(source)
        bench.attend(StillEye(frame, bench))
        height, width = frame.image.shape[:2]
        for across, down in spots:
            if not (0 <= across <= width and 0 <= down <= height):
                raise click.ClickException(
                    say(
                        "The corner {x},{y} lies outside of the picture: it is {width} pixels wide and {height} high.",
                        x=f"{across:g}",
                        y=f"{down:g}",
                        width=width,
                        height=height,
                    )
                )
        bench.by_corners([(x / width, y / height) for x, y in spots])
        click.echo(calibration_words(bench.setup.calibration))


@calibrate.command()
@click.argument("pictures", nargs=-1, required=True, metavar="PICTURE...")
@_hfov
@data_option
def lens(pictures: tuple[str, ...], hfov: float | None, data_path: Path | None) -> None:
    """Measure the lens from three or more pictures of the tilted card, taken with the table's camera.

    Corners that were kept before stay; calibrate the table once more afterwards.
    """
    with bench_at(data_path, hfov) as bench:
        frames = [seen(one) for one in pictures]
        bench.look_through(frames[0].hfov)
        told, bend, off = bench.measure_lens([one.image for one in frames])
        click.echo(
            say(
                "The lens sees {width}° wide and bends by {bend}; its corners are off by {off} pixels.",
                width=f"{told:.1f}",
                bend=f"{bend:+.3f}",
                off=f"{off:.2f}",
            )
        )


@calibrate.command()
@_source
@click.option("--printed", is_flag=True, help="Keep it also where dice are seen: they are printed or carved there.")
@_hfov
@data_option
def empty(source: str, *, printed: bool, hfov: float | None, data_path: Path | None) -> None:
    """Keep a picture of the empty tray: what is printed or carved there is no die.

    A picture in which dice are read is refused without --printed: those dice would not be seen any more.
    """
    with bench_at(data_path, hfov) as bench:
        bench.attend(StillEye(seen(source), bench))
        bench.remember_empty(printed=printed)
        click.echo(say("The empty tray is kept: what lies there now is no die."))


@calibrate.command()
@data_option
def forget(data_path: Path | None) -> None:
    """Forget the calibration and the empty tray."""
    with bench_at(data_path) as bench:
        bench.forget_calibration()
        bench.forget_empty()
        click.echo(say("The calibration is forgotten."))
