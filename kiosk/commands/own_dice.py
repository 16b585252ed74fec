"""`trueroll dice`: teach the reader one's own dice; `trueroll bench-cases`: read the kept misreadings again."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import click

from kiosk.commands.eyes import StillEye, bench_at, seen
from kiosk.commands.options import data_option
from kiosk.devices.camera_desk import parsed
from kiosk.devices.camera_words import face_words, next_words, why_words
from kiosk.errors import CameraDeskError
from kiosk.storage.paths import data_folder
from rules.dice import FACES, DieKind, DieReading, Face
from rules.words import say, say_count

_kind = click.option(
    "--kind", type=click.Choice([kind.value for kind in DieKind]), default="d20", show_default=True, help="What it is."
)


@click.group()
def dice() -> None:
    """Teach the reader your own dice, and keep them.

    Needed only for dice that are read badly: a logo in place of a number, worn paint, rare letters, other signs.
    """


@dice.command()
@click.argument("name")
@_kind
@click.option("--source", default="0", show_default=True, help="The camera or address to look through.")
@click.option(
    "--picture",
    "pictures",
    nargs=2,
    multiple=True,
    metavar="FILE FACE",
    help="A picture of the die alone and the face that is up; may be repeated. Nothing is asked then.",
)
@click.option("--yes", is_flag=True, help="Learn a face also where the reader is sure of another one.")
@data_option
def enrol(
    name: str, kind: str, source: str, pictures: tuple[tuple[str, str], ...], data_path: Path | None, *, yes: bool
) -> None:
    """Teach the die NAME: lay it alone under the camera, type the face that is up, turn it, and again.

    A few faces help at once, all of them are best. An empty line takes the face that was read; q ends. A face other
    than the one that was surely read is asked about once more, and with --picture passed over without --yes. While a
    kiosk runs, teach on its page /dice.
    """
    taught = 0
    with bench_at(data_path, teaching=True) as bench:
        given: Iterator[tuple[str, str]] = iter(pictures) if pictures else _asked(source)
        for where, typed in given:
            bench.attend(StillEye(seen(where), bench))
            last = bench.last_throw()
            lying = last.dice if last is not None else ()
            if len(lying) != 1:
                click.echo(say("{count} dice were seen; only the one that is taught may lie there.", count=len(lying)))
                continue
            read = lying[0].face
            face = _face(kind, typed or (str(getattr(read, "value", read)) if read is not None else ""))
            sure = yes or bench.agrees(0, DieKind(kind), face) or _insisted(lying[0], face, ask=not pictures)
            if not sure:
                continue
            die = bench.teach(name, 0, DieKind(kind), face, sure=True)
            taught += 1
            click.echo(
                say(
                    "{name} was learnt: {seen} of {all} faces.",
                    name=die.name,
                    seen=len(die.faces),
                    all=len(FACES[die.kind]),
                )
            )
            click.echo(next_words([one for one in FACES[die.kind] if one not in die.faces]))
    if not taught:
        click.echo(say("{name} was not taught; nothing was changed.", name=name), err=True)
        sys.exit(1)


@dice.command("list")
@data_option
def listed(data_path: Path | None) -> None:
    """List the dice that were taught."""
    from vision.errors import VisionError  # noqa: PLC0415  # only where a camera is in use
    from vision.table.folder import TableFolder  # noqa: PLC0415  # likewise

    try:
        own = TableFolder(data_folder(data_path)).dice()
    except VisionError as error:
        raise click.ClickException(why_words(error)) from error
    for die in own:
        click.echo(f"{die.die_id}  {die.kind.value:9}  {len(die.faces):2}/{len(FACES[die.kind])}  {die.name}")
    if not own:
        click.echo(say("No dice were taught yet."))


@dice.command("export")
@data_option
def exported(data_path: Path | None) -> None:
    """Print the taught dice as a file: `trueroll dice export > my-dice.json`."""
    from vision.errors import VisionError  # noqa: PLC0415  # only where a camera is in use
    from vision.table.folder import TableFolder  # noqa: PLC0415  # likewise
    from vision.taught.own_dice import as_text  # noqa: PLC0415  # likewise

    try:
        click.echo(as_text(TableFolder(data_folder(data_path)).dice()), nl=False)
    except VisionError as error:
        raise click.ClickException(why_words(error)) from error


@dice.command("import")
@click.argument("file", type=click.File("r", encoding="utf-8"))
@data_option
def imported(file: TextIO, data_path: Path | None) -> None:
    """Take the dice of a FILE that was exported; dice of the same id are replaced."""
    from vision.taught.own_dice import LARGEST_FILE  # noqa: PLC0415  # only where a camera is in use

    with bench_at(data_path) as bench:
        try:
            text = file.read(LARGEST_FILE + 1)  # one that is longer is damaged: it ends amid what it tells
        except UnicodeDecodeError:
            text = ""  # no text at all, so no file of dice either
        click.echo(say_count(bench.import_dice(text), "{number} die was taken.", "{number} dice were taken."))


@dice.command("forget")
@click.argument("name")
@data_option
def forgotten(name: str, data_path: Path | None) -> None:
    """Forget the die NAME."""
    with bench_at(data_path) as bench:
        known = next((die for die in bench.setup.dice if name.casefold() in (die.name.casefold(), die.die_id)), None)
        if known is None:
            raise click.ClickException(f"No die is called {name}. `trueroll dice list` lists those that were taught.")
        bench.forget(known.die_id)
        click.echo(say("{name} was forgotten.", name=known.name))


@click.command("bench-cases")
@click.argument("folder", required=False, type=click.Path(path_type=Path, file_okay=False, exists=True))
@data_option
def bench_cases(folder: Path | None, data_path: Path | None) -> None:
    """Read the kept misreadings again: FOLDER, or those of the data folder.

    One line a die. A test case that cannot be read is named, and the others are read. Exit status 1 if a die is still
    called read with another face or is not seen at all, if a test case cannot be read, or if FOLDER holds none.
    """
    from vision.desk.cases import FOLDER_NAME, run_all  # noqa: PLC0415  # only where a camera is in use
    from vision.errors import VisionError  # noqa: PLC0415  # likewise
    from vision.read.reader import load_reader  # noqa: PLC0415  # likewise
    from vision.table.folder import TableFolder  # noqa: PLC0415  # likewise

    data = data_folder(data_path)
    counts = {"right": 0, "asked": 0, "missed": 0, "wrong": 0}
    unreadable = 0
    try:
        reader = load_reader(table=TableFolder(data).load())
        for outcome in run_all(folder or data / FOLDER_NAME, reader):
            if isinstance(outcome, str):
                click.echo(f"Error: {outcome}", err=True)
                unreadable += 1
                continue
            for line in outcome.lines:
                click.echo(line)
            counts["right"] += outcome.right
            counts["asked"] += outcome.asked
            counts["missed"] += outcome.missed
            counts["wrong"] += outcome.wrong
    except VisionError as error:
        raise click.ClickException(why_words(error)) from error
    if not unreadable and not any(counts.values()):
        click.echo(
            say(
                "There is no test case in {folder}. The page /dice keeps one of each misreading.",
                folder=str(folder or data / FOLDER_NAME),
            )
        )
        sys.exit(1 if folder is not None else 0)
    click.echo("{right} right, {asked} asked about, {missed} missed, {wrong} wrong".format(**counts))
    if counts["wrong"] or counts["missed"] or unreadable:
        sys.exit(1)


def _insisted(seen: DieReading, face: Face, *, ask: bool) -> bool:
    """Whether a person wants `face` learnt of a die that was surely read as another one; nobody is asked unless `ask`.

    Says what is passed over.
    """
    was, shown = face_words(seen.face) if seen.face is not None else "", face_words(face)
    if ask:
        return click.confirm(say("It was read as {read}. Does it show {shown}?", read=was, shown=shown), default=False)
    click.echo(
        say(
            "It was read as {read}, not {shown}: passed over. With --yes it is learnt all the same.",
            read=was,
            shown=shown,
        ),
        err=True,
    )
    return False


def _asked(source: str) -> Iterator[tuple[str, str]]:
    """What a person types before each look."""
    while True:
        typed = click.prompt("Face that is up (Enter: as read, q: end)", default="", show_default=False).strip().lower()
        if typed in {"q", "quit"}:
            return
        yield source, typed


def _face(kind: str, typed: str) -> Face:
    try:
        return parsed(f"{kind} {typed}")[1]
    except CameraDeskError as error:
        raise click.ClickException(
            say("Say which face is up: {faces}.", faces=", ".join(str(one) for one in FACES[DieKind(kind)]))
        ) from error
