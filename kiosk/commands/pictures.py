"""`trueroll read` and `trueroll watch`: dice in still pictures, and dice as they fall.

OpenCV and the reader's model are loaded when a command runs, so that a broken one costs these commands alone.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from kiosk.commands.ending import INTERRUPTED, told_to_end
from kiosk.devices.camera_words import hint_words
from rules.dice import DieReading, DieState
from rules.words import say

if TYPE_CHECKING:
    from vision.frames.pictures import Picture
    from vision.ports import Survey
    from vision.read.reader import PictureReader

_FIELD_OF_VIEW: Final = click.FloatRange(10.0, 170.0)
"""Degrees of a camera's horizontal field of view: narrower or wider lenses are a slip of the finger."""

_hfov = click.option(
    "--hfov",
    type=_FIELD_OF_VIEW,
    show_default="what the picture or the camera tells, else 60",
    metavar="DEGREES",
    help="Field of view of the camera along the longer side of its pictures, 10 to 170 degrees; most have 48 to 66.",
)
_at_table = click.option(
    "--data",
    "data_path",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Look with the calibration and the dice that are kept in this data folder.",
)


@click.command()
@click.argument("images", nargs=-1, required=True, metavar="IMAGE...", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a picture, a line each.")
@_hfov
@click.option(
    "--explain",
    type=click.Path(dir_okay=False, writable=True),
    metavar="PNG",
    help="Write the picture with what was seen drawn into it; for one IMAGE.",
)
@_at_table
def read(
    images: tuple[str, ...], *, as_json: bool, hfov: float | None, explain: str | None, data_path: Path | None
) -> None:
    """Read the dice in still pictures.

    A die that cannot be known is called doubtful, never guessed. A file that is no picture is named on standard error,
    the others are still read, and the exit status is 1. Where several d20s tell that a picture is mirrored, that is
    said there too, and none of its d20s is called read; so is where dice are too small or too large to be read.
    """
    if explain is not None and len(images) > 1:
        raise click.UsageError("--explain draws one picture; name a single IMAGE with it.")
    if explain is not None and Path(explain).resolve() == Path(images[0]).resolve():
        raise click.UsageError("--explain would overwrite the IMAGE that is read; name another file.")
    failed = False
    with _orderly():
        reader = _load_reader(hfov, data_path)
        for image in images:
            failed = not _read_one(image, reader, as_json=as_json, explain=explain) or failed
    if failed:
        sys.exit(1)


@click.command()
@click.argument("source")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object an event, a line each.")
@click.option(
    "--fps",
    type=click.FloatRange(0.0, 1000.0, min_open=True),
    metavar="N",
    help="Frames a second of a folder or video file; each picture of a folder is then one frame.",
)
@click.option(
    "--hold",
    type=click.FloatRange(0.0, 3600.0, min_open=True),
    metavar="SECONDS",
    help="Take a folder as unrelated stills, each standing for so long.",
)
@_hfov
@_at_table
def watch(
    source: str, *, as_json: bool, fps: float | None, hold: float | None, hfov: float | None, data_path: Path | None
) -> None:
    """Follow a camera or a recording and say what the dice do.

    SOURCE is a camera (0, /dev/video0, picamera2), an address (http://, rtsp://), a video file, or a folder of
    pictures in name order. Without --fps and --hold a folder decides by itself: pictures that rest for three frames
    are a recording at 30 frames a second, others are unrelated stills of 1.5 seconds each. Frames count from 0; of
    stills, pictures are counted. End it with Ctrl-C.
    """
    if fps is not None and hold is not None:
        raise click.UsageError("--fps plays a recording, --hold shows stills; use one of them.")
    with _orderly():
        from vision.frames.follow import Follower  # noqa: PLC0415 - see the module
        from vision.frames.sources import open_source  # noqa: PLC0415 - see the module
        from vision.watch.watcher import watch_events  # noqa: PLC0415 - see the module

        frames = open_source(source, fps=fps, hold=hold)
        follower = Follower(frames, must_open=True)
        line: Callable[[dict[str, object]], str] = json.dumps if as_json else _event_in_words
        rested = False
        with (
            told_to_end(follower.stop) as told,
            closing(watch_events(follower, _load_reader(hfov, data_path), notice=_notice)) as events,
        ):
            for event in events:
                rested = rested or event["event"] == "settled"
                _print(line(event))
        if told.is_set():
            sys.exit(INTERRUPTED)
        if not rested:
            click.echo(f"Nothing came to rest in {frames.name}; --hold 1 shows unrelated stills one by one.", err=True)


def _read_one(path: str, reader: PictureReader, *, as_json: bool, explain: str | None) -> bool:
    from vision.desk.sizes import size_hint  # noqa: PLC0415 - see the module
    from vision.errors import MIRRORED, PictureError  # noqa: PLC0415 - see the module
    from vision.frames.pictures import load_picture  # noqa: PLC0415 - see the module
    from vision.ports import look_through  # noqa: PLC0415 - see the module
    from vision.pose.thresholds import LONGEST_SIDE  # noqa: PLC0415 - see the module
    from vision.read.framed import framed  # noqa: PLC0415 - see the module
    from vision.read.mirror import told_by  # noqa: PLC0415 - see the module
    from vision.watch.watcher import others_as_json  # noqa: PLC0415 - see the module

    begun = time.perf_counter()
    try:
        picture = load_picture(path)
    except PictureError as why:
        click.echo(f"Error: {why}", err=True)
        return False
    look_through(reader, picture.hfov)
    try:
        seen = told_by(reader, picture.pixels)
        if not seen.dice and not seen.survey.others:
            seen = replace(seen, survey=replace(seen.survey, dice=framed(reader, picture.pixels)))
    except Exception as why:  # noqa: BLE001 - one picture that breaks the reader costs itself alone
        click.echo(f"Error: {path}: the reader failed on this picture ({type(why).__name__}: {why})", err=True)
        return False
    spent = (time.perf_counter() - begun) * 1000
    dice = [_as_given(die, picture) for die in seen.dice]
    others = others_as_json(replace(one, box=picture.box_as_given(one.box)) for one in seen.survey.others)
    if as_json:
        told = {"image": path, "width": picture.width, "height": picture.height, "ms": round(spent, 1)}
        _print(json.dumps({**told, "dice": [_json(die) for die in dice], "others": others}))
    else:
        names = {die.die_id: die.name for die in reader.table.dice}
        lines = [
            f"{names.get(die.die_id or '', '')}: {_words(_json(die))}{_not_sure(die, place, seen.survey)}".removeprefix(
                ": "
            )
            for place, die in enumerate(dice)
        ]
        _print(f"{path}: {', '.join([*lines, *_not_counted(others)]) or 'no dice'}")
    if seen.mirrored:
        _notice(f"{path}: {MIRRORED}")
    elif (hint := size_hint(reader, picture.pixels, seen.dice, longest=LONGEST_SIDE)) is not None:
        _notice(f"{path}: {hint_words(hint)}")
    if explain is not None:
        _write_explained(picture, reader, Path(explain), mirrored=seen.mirrored)
    return True


def _write_explained(picture: Picture, reader: PictureReader, path: Path, *, mirrored: bool) -> None:
    from vision.frames.pictures import encode_png  # noqa: PLC0415 - see the module
    from vision.read.reader import explained  # noqa: PLC0415 - see the module

    try:
        path.write_bytes(encode_png(explained(picture.pixels, reader, mirrored=mirrored)))
    except OSError as why:
        raise click.ClickException(f"{path} cannot be written: {why.strerror}; name another file") from why


def _as_given(die: DieReading, picture: Picture) -> DieReading:
    return replace(die, box=picture.box_as_given(die.box)) if die.box is not None else die


def _json(die: DieReading) -> dict[str, object]:
    from vision.watch.watcher import die_as_json  # noqa: PLC0415 - see the module

    return die_as_json(die)


def _load_reader(hfov: float | None, data: Path | None) -> PictureReader:
    from vision.read.reader import load_reader  # noqa: PLC0415 - see the module

    if data is None:
        return load_reader(hfov=hfov)
    from vision.table.folder import TableFolder  # noqa: PLC0415 - see the module

    return load_reader(hfov=hfov, table=TableFolder(data).load())


def _event_in_words(event: dict[str, object]) -> str:
    told = event["dice"]
    words = [_words(die) for die in told] if isinstance(told, list) else []
    dice = ", ".join([*words, *_not_counted(event.get("others"))])
    line = f"{event['t']:8.2f} s  frame {event['frame']}  {event['event']}"
    return f"{line}: {dice}" if dice else line


def _words(die: dict[str, object]) -> str:
    """A die in words: `d20 17`, `challenge effect`, `d20 doubtful`, `d6 or challenge 2`."""
    kinds = die.get("kinds")
    kind = " or ".join(kinds) if isinstance(kinds, list) else die["kind"]
    return f"{kind} {die['face'] if die['state'] == DieState.READ else die['state']}"


def _not_counted(others: object) -> list[str]:
    """Dice of other kinds in words: `d8 (not counted)`."""
    return [f"{one['kind']} (not counted)" for one in others] if isinstance(others, list) else []


def _guessed(die: DieReading) -> str:
    """What a die that was not read may show: ` (17: 62 %, 3: 21 %)`, or nothing."""
    if die.state is DieState.READ or not die.guesses:
        return ""
    return f" ({', '.join(f'{guess.face}: {guess.chance * 100:.0f} %' for guess in die.guesses)})"


def _not_sure(die: DieReading, place: int, survey: Survey) -> str:
    """What a die that was not read may show, and where only one thing keeps it from being read, that."""
    if place in survey.maybe_print and die.guesses:
        told = say("it shows {face}; it may be print", face=str(die.guesses[0].face))
        return f" ({told})"
    return _guessed(die)


def _print(line: str) -> None:
    """Print and flush, so that a pipe gets each line at once."""
    click.echo(line)
    sys.stdout.flush()


def _notice(words: str) -> None:
    """Say beside the results what a person can mend, on standard error: a pipe gets dice alone."""
    click.echo(words, err=True)


def _require_eyes() -> None:
    """Load what looks at pictures. Raises `ClickException` with one clear line where a library is missing or broken."""
    try:
        import vision.read.reader  # noqa: PLC0415 - see the module
        import vision.watch.watcher  # noqa: F401, PLC0415 - see the module
    except Exception as why:  # a broken OpenCV fails in its own ways
        reason = str(why).strip().partition("\n")[0] or type(why).__name__
        raise click.ClickException(
            f"pictures need OpenCV and NumPy, and they do not load here ({reason}); run make install"
        ) from why


@contextmanager
def _orderly() -> Iterator[None]:
    """End without a traceback: by Ctrl-C, by a closed pipe, by a broken library, by a source that is not there."""
    try:
        _require_eyes()
        yield
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # What Python still holds for the closed pipe must go nowhere when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except Exception as why:
        if _is_ours(why):
            raise click.ClickException(str(why)) from why
        raise


def _is_ours(why: Exception) -> bool:
    """Whether `vision` raised it on purpose; does not import `vision`, which may be broken."""
    return any(kind.__module__ == "vision.errors" for kind in type(why).__mro__)
