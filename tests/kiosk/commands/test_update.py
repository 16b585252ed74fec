"""A new version in and the one before back: whole or not at all, whenever the plug is pulled."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import zipfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from kiosk.cli import main as command_line
from kiosk.clock import SystemClock
from kiosk.commands.trying import try_out
from kiosk.commands.update import _installation
from kiosk.commands.update_file import MANIFEST, UpdateError, unpack
from kiosk.commands.versions import Installation, TriedVersion
from kiosk.storage.backup import back_up, verified
from kiosk.storage.journal import open_for_reading
from kiosk.storage.kept_twice import open_kept_twice
from tests.e2e.program import TRUEROLL
from tests.kiosk.commands.shelf import CHOOSER, FORM, choose, means, runs, shelf, update_file
from tests.kiosk.desk import StillClock
from tests.kiosk.forked import ended
from tests.kiosk.storage.test_journal import decision

STARTS = 3
"""How often a version on trial is started before it is given up."""


def cut_at_every_change(folder: Path, action: str) -> list[Path]:
    program = f"""
from pathlib import Path
from tests.kiosk.commands.shelf import cut_everywhere
cut_everywhere(Path({str(folder)!r}), {action!r})
"""
    assert ended(program) == 0
    return sorted(folder.glob("cut-*"), key=lambda place: int(place.name.removeprefix("cut-")))[:-1]


def test_an_update_runs_and_the_version_before_comes_back(tmp_path: Path) -> None:
    kiosk = shelf(tmp_path)
    kiosk.update(update_file(tmp_path, "2.0"), means(tmp_path))
    assert runs(kiosk) == "2.0"
    assert kiosk.previous.startswith("1.0-")
    with pytest.raises(UpdateError, match="runs already"):
        kiosk.update(tmp_path / "2.0.update", means(tmp_path))
    kiosk.roll_back(means(tmp_path))
    assert (runs(kiosk), kiosk.trial) == ("1.0", {})
    choose(kiosk)
    assert runs(kiosk) == "1.0"
    kiosk.roll_back(means(tmp_path))
    assert runs(kiosk) == "2.0", "there and back again"
    for version in ("3.0", "4.0"):
        kiosk.update(update_file(tmp_path, version), means(tmp_path))
    assert sorted(one.name[:3] for one in kiosk.versions.iterdir()) == ["2.0", "3.0", "4.0"], "older ones take no room"


def test_an_update_cut_off_at_every_change_of_the_disk_leaves_a_version_that_runs(
    tmp_path: Path, *, whole: bool
) -> None:
    shelf(tmp_path / "before")
    update_file(tmp_path / "before", "2.0")
    places = cut_at_every_change(tmp_path, "update")
    assert len(places) > 15
    for place in places if whole else places[1::5]:
        kiosk = Installation(place / "root")
        choose(kiosk)
        assert (place / "data/rolls").read_text() == "17\n"
        if runs(kiosk) == "1.0":
            assert kiosk.trial == {}, place
            kiosk.update(place / "2.0.update", means(place))
        assert runs(kiosk) == "2.0", "once more is enough"
        assert kiosk.trial["back"].startswith("1.0-"), place


def test_a_way_back_cut_off_at_every_change_of_the_disk_leaves_a_version_that_runs(
    tmp_path: Path, *, whole: bool
) -> None:
    kiosk = shelf(tmp_path / "before")
    kiosk.update(update_file(tmp_path / "before", "2.0"), means(tmp_path / "before"))
    places = cut_at_every_change(tmp_path, "rollback")
    assert len(places) > 5
    for place in places if whole else places[1::3]:
        kiosk = Installation(place / "root")
        choose(kiosk)
        assert runs(kiosk) in {"1.0", "2.0"}
        assert (place / "data/rolls").read_text() == "17\n"


def on_trial(folder: Path) -> Installation:
    kiosk = shelf(folder)
    kiosk.update(update_file(folder, "2.0"), means(folder))
    return kiosk


def test_a_version_that_does_not_last_is_given_up_by_its_starts(tmp_path: Path) -> None:
    kiosk = on_trial(tmp_path)
    for start in range(STARTS):
        assert choose(kiosk) == ""
        choose(kiosk, "stopped")
        choose(kiosk, "settled")
        assert (runs(kiosk), kiosk.trial["starts"]) == ("2.0", str(start + 1))
    assert "1.0" in choose(kiosk)
    assert (runs(kiosk), kiosk.trial) == ("1.0", {})
    assert (kiosk.root / "gave-up").read_text().startswith("2.0-")
    assert choose(kiosk) == ""
    kiosk.update(tmp_path / "2.0.update", means(tmp_path))
    assert runs(kiosk) == "2.0", "a person may try it again"


def test_two_bad_updates_one_after_the_other_give_way_to_the_version_that_lasted(tmp_path: Path) -> None:
    """The second gave way to the first, which was no longer on trial, and went on failing."""
    kiosk = on_trial(tmp_path)
    first = kiosk.trial
    choose(kiosk)
    kiosk.update(update_file(tmp_path, "3.0"), means(tmp_path))
    assert {**kiosk.trial, "new": ""} == {**first, "new": ""}, "what goes back is what was there before both"
    assert kiosk.previous.startswith("1.0-")
    for _ in range(STARTS + 1):
        choose(kiosk)
        choose(kiosk, "stopped")
    assert (runs(kiosk), kiosk.trial) == ("1.0", {})


def test_the_version_that_lasted_can_be_installed_once_more(tmp_path: Path) -> None:
    kiosk = on_trial(tmp_path)
    kiosk.update(tmp_path / "1.0.update", means(tmp_path))
    assert (runs(kiosk), kiosk.trial) == ("1.0", {})
    assert kiosk.previous.startswith("2.0-")


def test_copies_from_before_versions_that_are_gone_take_no_room(tmp_path: Path) -> None:
    kiosk = shelf(tmp_path)
    for version in ("2.0", "3.0", "4.0", "5.0"):
        kiosk.update(update_file(tmp_path, version), means(tmp_path))
        (kiosk.root / "trial").unlink()  # it lasted
    found = sorted(one.name for one in (tmp_path / "data/backups").iterdir())
    assert found == [f"before-{kiosk.previous}.zip", f"before-{kiosk.current}.zip"]


def test_a_program_that_another_python_broke_is_installed_anew(tmp_path: Path) -> None:
    kiosk = shelf(tmp_path)
    program = kiosk.root / "current/.venv/bin/trueroll"
    program.write_text("#!/bin/sh\nexit 1\n")
    (kiosk.root / "current/whole").unlink()  # as install.sh does
    kiosk.update(tmp_path / "1.0.update", means(tmp_path))
    assert (runs(kiosk), kiosk.trial) == ("1.0", {})


@pytest.mark.parametrize("error", [UpdateError("pip failed"), OSError("the card is full")])
def test_a_version_that_runs_stays_where_it_cannot_be_installed_anew(tmp_path: Path, error: Exception) -> None:
    """Its folder was taken away first: no version was left."""
    kiosk = shelf(tmp_path)
    (kiosk.root / "current/whole").unlink()

    def fails(version: Path) -> None:
        (version / "half").write_text("")
        raise error

    with pytest.raises(type(error)):
        kiosk.update(tmp_path / "1.0.update", replace(means(tmp_path), environment=fails))
    assert [one.name for one in kiosk.versions.iterdir()] == [kiosk.current]
    choose(kiosk)
    assert runs(kiosk) == "1.0"


def test_an_install_once_more_cut_off_at_every_change_of_the_disk_leaves_it_running(
    tmp_path: Path, *, whole: bool
) -> None:
    (shelf(tmp_path / "before").root / "current/whole").unlink()
    places = cut_at_every_change(tmp_path, "again")
    assert len(places) > 15
    for place in places if whole else places[1::5]:
        kiosk = Installation(place / "root")
        with kiosk.held():
            choose(kiosk)  # a start while an update runs leaves its folders alone
        choose(kiosk)
        assert runs(kiosk) == "1.0", place
        if not (kiosk.root / "current/whole").exists():
            kiosk.update(place / "1.0.update", means(place))
        assert (runs(kiosk), kiosk.trial) == ("1.0", {}), "once more is enough"


@pytest.mark.parametrize(("lived", "settles"), [(179, False), (181, True), (-5, False)])
def test_a_version_that_runs_for_three_minutes_stays(tmp_path: Path, lived: int, *, settles: bool) -> None:
    kiosk = on_trial(tmp_path)
    choose(kiosk)
    since = kiosk.root / "since"
    now = int(float(Path("/proc/uptime").read_text().split()[0]))
    since.write_text(f"{now - lived}\n")
    choose(kiosk, "settled")
    assert (kiosk.trial == {}) is settles
    assert kiosk.previous.startswith("1.0-")


CUTTING = """#!/bin/sh
read -r seen < "$COUNT"
echo $((seen + 1)) > "$COUNT"
if [ "$seen" -ge "$CUT" ]; then kill -KILL "$PPID"; exit 1; fi
exec {real} "$@"
"""


def test_giving_up_cut_off_at_every_change_of_the_disk(tmp_path: Path, *, whole: bool) -> None:
    """Whoever starts next finishes it."""
    on_trial(tmp_path / "before")
    kiosk = Installation(tmp_path / "before/root")
    for _ in range(STARTS):
        choose(kiosk)
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("mv", "ln", "rm", "sync"):
        (tools / name).write_text(CUTTING.format(real=shutil.which(name)))
        (tools / name).chmod(0o755)
    for cut in range(0, 40, 1 if whole else 5):
        place = tmp_path / f"cut-{cut}"
        shutil.copytree(tmp_path / "before", place, symlinks=True)
        kiosk, count = Installation(place / "root"), tmp_path / "count"
        count.write_text("0\n")
        world = {"PATH": f"{tools}:{os.environ['PATH']}", "CUT": str(cut), "COUNT": str(count)}
        done = subprocess.run([CHOOSER, "start", kiosk.root], env=world, capture_output=True, check=False, timeout=60)
        if done.returncode == 0:
            break
        assert runs(kiosk) in {"1.0", "2.0"}
        choose(kiosk)
        assert (runs(kiosk), kiosk.trial) == ("1.0", {}), f"cut before change {cut + 1}"
        assert not (kiosk.root / "giving-up").exists()
    assert 8 < cut < 39
    assert runs(kiosk) == "1.0"


def test_a_version_whose_files_are_gone_gives_way(tmp_path: Path) -> None:
    kiosk = on_trial(tmp_path)
    shutil.rmtree(kiosk.versions / kiosk.current)
    assert "not whole" in choose(kiosk)
    assert runs(kiosk) == "1.0"


def test_a_version_whose_links_are_gone_runs(tmp_path: Path) -> None:
    kiosk = shelf(tmp_path)
    (kiosk.root / "current").unlink()
    choose(kiosk)
    assert runs(kiosk) == "1.0"


def test_a_start_that_cannot_be_counted_still_finds_a_version_that_is_whole(tmp_path: Path) -> None:
    """A folder in the count's place stands for a card that takes nothing more."""
    installation = shelf(tmp_path)
    installation.update(update_file(tmp_path, "2.0"), means(tmp_path))
    (tmp_path / "root/trial.new").mkdir()
    (tmp_path / "root/current/whole").unlink()
    said = choose(installation)
    assert "This start could not be counted." in said
    assert runs(installation) == "1.0"


def test_a_version_that_cannot_be_given_up_whole_keeps_no_start_from_finding_one(tmp_path: Path) -> None:
    """As above, in the place of what is written last."""
    kiosk = on_trial(tmp_path)
    (kiosk.root / "gave-up.new").mkdir()
    said = [choose(kiosk) for _ in range(STARTS + 1)][-1]
    assert "goes on at the next start" in said
    assert runs(kiosk) == "1.0"
    (kiosk.root / "gave-up.new").rmdir()
    choose(kiosk)
    assert not (kiosk.root / "giving-up").exists()


def test_what_cannot_be_tried_changes_nothing(tmp_path: Path) -> None:
    kiosk = shelf(tmp_path)

    def refuses(_: Path) -> TriedVersion:
        raise UpdateError("it ended with 1")

    broken = replace(means(tmp_path), try_out=refuses)
    with pytest.raises(UpdateError, match="ended with 1"):
        kiosk.update(update_file(tmp_path, "2.0"), broken)
    assert (runs(kiosk), kiosk.trial) == ("1.0", {})
    assert [one.name for one in kiosk.versions.iterdir()] == [kiosk.current], "no start may take what was refused"
    with pytest.raises(UpdateError, match="no version before"):
        kiosk.roll_back(means(tmp_path))
    with kiosk.held(), pytest.raises(UpdateError, match="Another update"):
        kiosk.update(tmp_path / "2.0.update", means(tmp_path))


def test_a_trial_that_is_cut_off_leaves_a_version_that_no_start_takes(tmp_path: Path) -> None:
    """It stayed marked as whole until the next update, and ran where the files of the one before were lost."""
    kiosk = shelf(tmp_path)

    def is_cut_off(_: Path) -> TriedVersion:
        raise KeyboardInterrupt  # as a pulled plug: nothing is cleared away

    with pytest.raises(KeyboardInterrupt):
        kiosk.update(update_file(tmp_path, "2.0"), replace(means(tmp_path), try_out=is_cut_off))
    (kiosk.root / "current/whole").unlink()
    choose(kiosk)
    assert runs(kiosk) == "1.0", "it was never tried"
    kiosk.update(tmp_path / "2.0.update", means(tmp_path))
    assert runs(kiosk) == "2.0"


def test_a_version_whose_new_install_is_refused_stays(tmp_path: Path) -> None:
    kiosk = shelf(tmp_path)
    (kiosk.root / "current/whole").unlink()

    def refuses(_: Path) -> TriedVersion:
        raise UpdateError("it ended with 1")

    with pytest.raises(UpdateError):
        kiosk.update(tmp_path / "1.0.update", replace(means(tmp_path), try_out=refuses))
    assert [one.name for one in kiosk.versions.iterdir()] == [kiosk.current]
    assert runs(kiosk) == "1.0"


def test_a_damaged_update_is_refused_bit_by_bit(tmp_path: Path, *, whole: bool) -> None:
    file = update_file(tmp_path, "2.0")
    sound = file.read_bytes()
    for place in range(0, len(sound), 7 if whole else 23):
        file.write_bytes(sound[:place] + bytes([sound[place] ^ 4]) + sound[place + 1 :])
        folder = tmp_path / f"at-{place}"
        folder.mkdir()
        try:
            unpack(file, folder)
        except UpdateError:
            continue
        assert (folder / "trueroll-2.0-py3-none-any.whl").read_text() == "2.0"
        assert (folder / "requirements.txt").read_text() == "# of 2.0\n"
    for end in range(0, len(sound) - 1, 11 if whole else 37):
        file.write_bytes(sound[:end])
        with pytest.raises(UpdateError):
            unpack(file)


@pytest.mark.parametrize("name", ["../out.whl", "/out.whl", "a/b.whl", ".hidden", ""])
def test_a_name_that_leads_elsewhere_is_refused(tmp_path: Path, name: str) -> None:
    file = update_file(tmp_path, "2.0")
    with zipfile.ZipFile(file) as archive:
        manifest = json.loads(archive.read(MANIFEST))
    part = {"name": name, "size": 0, "sha256": "0" * 64}
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(MANIFEST, json.dumps({**manifest, "parts": [*manifest["parts"], part]}))
    with pytest.raises(UpdateError, match="no update of trueroll"):
        unpack(file)


def kept_season(data: Path) -> None:
    """A journal of three decisions."""
    with closing(open_kept_twice(data / "journal.sqlite3", StillClock())) as journal:
        for number, name in enumerate(("Smoke", "Snow", "Rain"), start=1):
            journal.append(decision(number, name), f"{name}-{number}")


def real_version(folder: Path, program: str) -> Path:
    """A version whose program is this shell script."""
    place = folder / "root/versions/0.1.0-real/.venv/bin/trueroll"
    place.parent.mkdir(parents=True)
    place.write_text(f"#!/bin/sh\n{program}\n")
    place.chmod(0o755)
    return place.parents[2]


def test_a_version_is_tried_on_a_copy_of_the_table(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir(exist_ok=True)
    kept_season(data)
    before = (data / "journal.sqlite3").read_bytes()
    tried = try_out(real_version(tmp_path, f'exec {TRUEROLL} "$@"'), data, SystemClock())
    assert tried.form == FORM
    assert verified(tried.backup).decisions > 0
    assert (data / "journal.sqlite3").read_bytes() == before


def test_a_version_that_does_not_start_is_not_taken(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir(exist_ok=True)
    kept_season(data)
    broken = real_version(tmp_path, "echo 'No module named cv2'; exit 3")
    with pytest.raises(UpdateError, match=r"ended with 3 at its start[\s\S]*No module named cv2"):
        try_out(broken, data, SystemClock())


def test_a_version_that_loses_a_decision_is_not_taken(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir(exist_ok=True)
    kept_season(data)
    forgets = f'/bin/rm "$3"/journal.*; exec {TRUEROLL} "$@"'
    with pytest.raises(UpdateError, match="kept 0 of"):
        try_out(real_version(tmp_path, forgets), data, SystemClock())


def test_a_version_that_leaves_no_journal_is_not_taken(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir(exist_ok=True)
    kept_season(data)
    spoils = f"""{TRUEROLL} "$@" & program=$!
trap 'kill $program; wait $program; echo no journal >"$3"/journal.sqlite3; exit 0' TERM
wait $program"""
    with pytest.raises(UpdateError, match=r"cannot be tried: .*journal"):
        try_out(real_version(tmp_path, spoils), data, SystemClock())


def test_a_way_back_that_fails_with_the_kiosk_stopped_starts_it_again(tmp_path: Path) -> None:
    kiosk = shelf(tmp_path)
    kiosk.update(update_file(tmp_path, "2.0"), means(tmp_path))
    done: list[str] = []
    watched = replace(means(tmp_path), stop=lambda: done.append("stop"), start=lambda: done.append("start"))

    def refused(_: Path) -> None:
        raise UpdateError("The backup is damaged.")

    with pytest.raises(UpdateError, match="damaged"):
        kiosk.roll_back(watched, with_data=refused)
    assert (done, runs(kiosk)) == (["stop", "start"], "2.0")


def test_data_go_back_to_before_the_version_that_runs(tmp_path: Path) -> None:
    """Not to before one whose update was cut off as it was to be linked."""
    kiosk = shelf(tmp_path)
    kiosk.update(update_file(tmp_path, "2.0"), means(tmp_path))
    ran, given = kiosk.current, list[Path]()
    (kiosk.root / "trial").write_text(f"new 3.0-cut\nback {ran}\nstarts 0\nbackup {tmp_path / 'data/rolls'}\n")
    kiosk.roll_back(means(tmp_path), with_data=given.append)
    assert [one.name for one in given] == [f"before-{ran}.zip"]


def test_giving_up_a_version_that_wrote_a_later_form_brings_the_table_back(tmp_path: Path) -> None:
    """What the later version wrote is kept beside."""
    kiosk = on_trial(tmp_path)
    data = tmp_path / "data"
    data.mkdir(exist_ok=True)
    kept_season(data)
    back_up(data, Path(kiosk.trial["backup"]), SystemClock())
    with closing(open_for_reading(data / "journal.sqlite3", SystemClock())) as journal:
        decisions = journal.decision
    old = kiosk.versions / kiosk.previous / ".venv/bin/trueroll"
    old.write_text(f'#!/bin/sh\nexec {TRUEROLL} "$@"\n')
    later = sqlite3.connect(data / "journal.sqlite3")
    later.execute(f"PRAGMA user_version = {FORM + 1}")
    later.close()
    for _ in range(STARTS + 1):
        told = choose(kiosk)
    assert "goes back to" in told
    assert "could not" not in told, told
    with closing(open_for_reading(data / "journal.sqlite3", SystemClock())) as journal:
        assert journal.decision == decisions
    assert list(data.glob("before-restore-*/journal.sqlite3"))


def test_the_commands_say_where_there_are_no_versions(tmp_path: Path) -> None:
    from click.testing import CliRunner  # noqa: PLC0415 - only here

    runner, file = CliRunner(), update_file(tmp_path, "2.0")
    told = runner.invoke(command_line, ["update", "--data", str(tmp_path), str(file)])
    assert (told.exit_code, "make install" in told.output) == (1, True)
    told = runner.invoke(command_line, ["rollback", "--data", str(tmp_path)])
    assert (told.exit_code, "make install" in told.output) == (1, True)
    told = runner.invoke(command_line, ["update", "--check", str(file)])
    assert (told.exit_code, "is whole: trueroll 2.0" in told.output) == (0, True)
    told = runner.invoke(command_line, ["update", "--check", str(tmp_path / "none")])
    assert (told.exit_code, "cannot be read" in told.output or "cannot be unpacked" in told.output) == (1, True)
    told = runner.invoke(command_line, ["update", "--root", str(tmp_path), "/dev/null"])
    assert (told.exit_code, "is no update" in told.output) == (1, True)
    assert not (tmp_path / "update.lock").exists(), "nothing is left behind"


def test_a_folder_of_versions_may_be_named_from_where_one_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its links, and the service that runs what they lead to, are read from elsewhere."""
    monkeypatch.chdir(tmp_path)
    assert _installation(Path("root")).versions.parent == tmp_path / "root"
