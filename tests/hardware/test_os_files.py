"""The Pi's OS files: the unit as systemd reads it, and the tray's rule."""

from __future__ import annotations

import configparser
import hashlib
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

OS_FILES = Path(__file__).resolve().parents[2] / "hardware/os"
UNIT = (OS_FILES / "trueroll.service").read_text(encoding="utf-8")
RULES = (OS_FILES / "70-trueroll-tray.rules").read_text(encoding="utf-8")


def verified(unit: str, folder: Path) -> str:
    """What systemd has to say about a unit whose program is there. It exits 0 even for a key it does not know."""
    place = folder / "trueroll.service"
    true = shutil.which("true")
    place.write_text(re.sub(r"^(Exec\w+=\+?)\S+", rf"\g<1>{true}", unit, flags=re.MULTILINE))
    command = ["systemd-analyze", "verify", "--man=no", str(place)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    said = [line for line in done.stderr.splitlines() if "trueroll.service" in line]
    return "\n".join(said) or ("" if done.returncode == 0 else done.stderr)


def test_the_unit_says_what_the_kiosk_relies_on() -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]  # systemd's keys have capitals
    unit.read_string(UNIT)
    service = unit["Service"]
    assert service["Type"] == "notify"
    assert int(service["WatchdogSec"]) >= 10
    assert service["Restart"] == "always"
    assert unit["Unit"]["StartLimitIntervalSec"] == "0"
    assert service["RemoveIPC"] == "no", "what an end leaves in /dev/shm outlasts it"
    assert service["User"] == "trueroll"
    assert service["WorkingDirectory"] == f"%t/{service['RuntimeDirectory']}"
    assert service["ExecStart"].endswith("trueroll run --data %S/trueroll")
    assert service["StateDirectory"] == "trueroll"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="NOT CHECKED: systemd-analyze is not installed")
def test_systemd_has_nothing_to_say_against_the_unit(tmp_path: Path) -> None:
    assert verified(UNIT, tmp_path) == ""
    assert "WatchdogSek" in verified(UNIT.replace("WatchdogSec", "WatchdogSek"), tmp_path)


def test_every_line_of_the_rule_is_one() -> None:
    part = re.compile(r'^[A-Z_]+(\{[A-Za-z_]+\})?(==|!=|=|\+=)"[^"]*"$')
    lines = [line for line in RULES.splitlines() if line and not line.startswith("#")]
    assert len(lines) > 10
    for line in lines:
        assert all(part.match(one.strip()) for one in line.split(", ")), line


def test_every_jump_of_the_rule_lands_further_down() -> None:
    for jump in re.finditer(r'GOTO="(\w+)"', RULES):
        assert RULES.find(f'LABEL="{jump[1]}"', jump.end()) > 0, jump[1]


def test_the_rule_keeps_modemmanager_off_and_names_the_port() -> None:
    _, _, tray = RULES.partition('LABEL="trueroll_tray"')
    assert 'ENV{ID_MM_DEVICE_IGNORE}="1"' in tray
    assert 'SYMLINK+="trueroll-tray"' in tray
    assert 'SUBSYSTEM=="tty"' in tray


def test_the_browser_script_is_a_program_and_says_what_it_lacks() -> None:
    script = OS_FILES / "trueroll-browser"
    assert os.access(script, os.X_OK)
    # Found by path, with nowhere to find a browser in.
    shell = "/bin/sh"
    tools = {"PATH": "/nonexistent"}
    done = subprocess.run([shell, str(script)], env=tools, capture_output=True, text=True, check=False, timeout=20)
    assert done.returncode == 1
    assert "sudo apt install chromium" in done.stderr


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="NOT CHECKED: systemd-analyze is not installed")
@pytest.mark.parametrize("unit", ["trueroll.service", "trueroll-settled.service"])
def test_the_units_may_do_little(unit: str) -> None:
    """Exposure from 0 to 10, as systemd-analyze counts it; below 2."""
    command = ["systemd-analyze", "security", "--offline=yes", "--threshold=19", str(OS_FILES / unit)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout.splitlines()[-1:]


def test_a_start_counts_before_and_a_stop_after() -> None:
    """By root, for the kiosk's user may not change its own program; on a full card the kiosk starts uncounted."""
    assert "ExecStartPre=-+/opt/trueroll/trueroll-versions start\n" in UNIT
    assert "ExecStopPost=-+/opt/trueroll/trueroll-versions stopped\n" in UNIT
    assert "ExecStart=/opt/trueroll/current/.venv/bin/trueroll run" in UNIT
    longest = sum(
        int(found) for found in re.findall(r"^(?:WatchdogSec|Timeout\w+Sec|RestartSec)=(\d+)$", UNIT, re.MULTILINE)
    )
    chooser = (OS_FILES / "trueroll-versions").read_text()
    assert int(re.findall(r"^SETTLED_SECONDS=(\d+)$", chooser, re.MULTILINE)[0]) > longest


@pytest.mark.parametrize("name", ["install.sh", "trueroll-versions"])
def test_what_runs_as_root_takes_no_module_from_the_current_folder(name: str) -> None:
    calls = re.findall(r"(?m)^(?!\s*#).*?\bpython3?\"? (-\S*)", (OS_FILES / name).read_text())
    assert calls
    assert set(calls) == {"-I"}


def files(folder: Path) -> dict[str, tuple[int, str]]:
    """Each file under a folder with mode and checksum, each folder and link with its name alone."""
    return {
        str(one.relative_to(folder)): (one.stat().st_mode, hashlib.sha256(one.read_bytes()).hexdigest())
        if one.is_file() and not one.is_symlink()
        else (0, "")
        for one in folder.rglob("*")
    }


def install(root: Path, *options: str) -> str:
    """What install.sh says of files put under `root`."""
    command = [str(OS_FILES / "install.sh"), "--destdir", str(root), *options]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=100).stdout


@pytest.fixture
def system(tmp_path: Path) -> Path:
    """The few files of a Pi that the script changes rather than makes."""
    for name, content in (("etc/fstab", "proc /proc proc defaults 0 0\n"), ("etc/hosts", "127.0.0.1 localhost\n"),
                          ("etc/hostname", "raspberrypi\n"), ("boot/firmware/cmdline.txt", "rootwait\n")):  # fmt: skip
        place = tmp_path / "system" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content)
    (tmp_path / "system/etc/fstab").chmod(0o600)
    return tmp_path / "system"


def test_an_install_is_made_once_and_taken_away_whole(system: Path) -> None:
    before = files(system)
    options = ("--name", "trueroll", "--read-only-root")
    would = install(system, "--dry-run", *options)
    assert files(system) == before, "a dry run does nothing"
    assert install(system, *options) == would, "and says all that is done"
    installed = files(system)
    assert {"etc/systemd/system/trueroll.service", "etc/udev/rules.d/70-trueroll-tray.rules", "usr/local/bin/trueroll",
            "etc/systemd/system/multi-user.target.wants/trueroll.service", "opt/trueroll/trueroll-versions",
            "opt/trueroll/screen/trueroll-browser"} <= set(installed)  # fmt: skip
    assert (system / "etc/hostname").read_text() == "trueroll\n"
    assert (system / "boot/firmware/cmdline.txt").read_text() == "rootwait overlayroot=tmpfs:recurse=0\n"
    assert (
        (system / "etc/fstab")
        .read_text()
        .startswith("proc /proc proc defaults 0 0\n# trueroll: begin\nLABEL=TRUEROLL ")
    )
    assert install(system, *options) == "Nothing to change.\n"
    assert install(system) == "Nothing to change.\n", "what was chosen once stays"
    assert files(system) == installed
    with (system / "etc/fstab").open("a") as fstab:
        fstab.write("UUID=1 /games ext4 defaults 0 2\n")
    install(system, "--undo")
    assert (system / "etc/fstab").read_text() == "proc /proc proc defaults 0 0\nUUID=1 /games ext4 defaults 0 2\n"
    (system / "etc/fstab").write_text("proc /proc proc defaults 0 0\n")
    assert files(system) == before
    assert "Nothing of trueroll" in install(system, "--undo")


@pytest.mark.parametrize("name", ["etc/fstab", "etc/hosts"])
def test_a_last_line_without_an_end_stays_a_line(system: Path, name: str) -> None:
    line = (system / name).read_text()
    (system / name).write_text(line.rstrip("\n"))
    install(system, "--name", "trueroll", "--no-screen")
    assert (system / name).read_text().startswith(f"{line}# trueroll: begin\n")
    assert install(system, "--name", "trueroll", "--no-screen") == "Nothing to change.\n"
    install(system, "--undo")
    assert (system / name).read_text() == line.rstrip("\n"), "as it was, byte by byte"
    install(system, "--name", "trueroll", "--no-screen")
    with (system / name).open("a") as added:
        added.write("more\n")
    install(system, "--undo")
    assert (system / name).read_text() == f"{line}more\n"


def test_an_empty_folder_takes_an_install_and_is_empty_again(tmp_path: Path) -> None:
    install(tmp_path / "root")
    assert (tmp_path / "root/etc/fstab").is_file()
    assert install(tmp_path / "root") == "Nothing to change.\n"
    install(tmp_path / "root", "--undo")
    assert list((tmp_path / "root").rglob("*")) == []


def test_an_install_cut_off_is_finished_by_the_next_and_taken_away_whole(system: Path) -> None:
    before = files(system)
    install(system, "--no-screen")
    (system / "etc/systemd/system/trueroll.service").unlink()
    (system / "usr/local/bin/trueroll").write_text("half")
    assert install(system, "--no-screen").splitlines() == [
        "write /etc/systemd/system/trueroll.service", "write /usr/local/bin/trueroll",
    ]  # fmt: skip
    install(system, "--undo")
    assert files(system) == before


def test_a_system_that_is_covered_by_memory_is_uncovered_first(system: Path) -> None:
    """What an undo takes away while the partition is covered is there again after the next start."""
    install(system, "--read-only-root", "--no-screen")
    boot = system / "boot/firmware/cmdline.txt"
    (system / "proc").mkdir()
    (system / "proc/cmdline").write_text(boot.read_text())
    (system / "proc/mounts").write_text("overlayroot / overlay rw,lowerdir=/media/root-ro 0 0\n")
    before = files(system / "etc")
    refused = subprocess.run(
        [OS_FILES / "install.sh", "--destdir", system], capture_output=True, text=True, check=False, timeout=20
    )
    assert (refused.returncode, "would be gone after the next start" in refused.stdout) == (1, True)
    assert "run this once more" in install(system, "--undo")
    assert boot.read_text() == "rootwait\n"
    assert files(system / "etc") == before
    (system / "proc/mounts").write_text("/dev/mmcblk0p2 / ext4 rw 0 0\n")
    install(system, "--undo")
    assert "trueroll" not in (system / "etc/fstab").read_text()


def test_the_program_is_taken_away_whole_and_nothing_beside_it(system: Path) -> None:
    """It once stopped at the program, where the folder of all is the system's own."""
    install(system, "--no-screen")
    (system / "opt/trueroll/versions/1.0").mkdir(parents=True)
    (system / "opt/trueroll/current").symlink_to("versions/1.0")
    with (system / "etc/trueroll-installed").open("a") as made:
        made.write("tree /opt/trueroll\n")
    script = (OS_FILES / "install.sh").read_text()
    assert "${root:?}" not in script, "on a real system it is empty"
    install(system, "--undo")
    assert not (system / "opt").exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--name", "Table 1"), "small letters"),
        (("--colour",), "no option --colour"),
        (("--name",), "Give --name a name"),
    ],
)
def test_an_option_that_cannot_be_is_refused(options: tuple[str, ...], words: str) -> None:
    done = subprocess.run([OS_FILES / "install.sh", *options], capture_output=True, text=True, check=False, timeout=20)
    assert done.returncode == 2
    assert words in done.stderr


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="NOT CHECKED: dpkg-deb is not installed")
def test_a_package_brings_the_service_and_asks_before_data_go(tmp_path: Path) -> None:
    """Of a wheel with one module; scripts/try-package.sh installs a real one."""
    (tmp_path / "wheels").mkdir()
    with zipfile.ZipFile(tmp_path / "wheels/trueroll-0.1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("kiosk/cli.py", "def main(prog_name): print(prog_name)")
    world = {**os.environ, "WHEELS": str(tmp_path / "wheels"), "OUT": str(tmp_path)}
    script = OS_FILES.parents[1] / "scripts/package.sh"
    subprocess.run([script, "trixie", "arm64"], env=world, capture_output=True, check=True, timeout=100)
    (package,) = tmp_path.glob("trueroll_*~deb13_arm64.deb")
    subprocess.run(["dpkg-deb", "-R", package, tmp_path / "made"], check=True, timeout=60)
    made = tmp_path / "made"
    control = (made / "DEBIAN/control").read_text()
    assert "python3 (>= 3.13~), python3 (<< 3.14~)" in control
    assert {one.name for one in (made / "DEBIAN").iterdir()} >= {"preinst", "postinst", "prerm", "postrm", "md5sums"}
    assert "Default: false" in (made / "DEBIAN/templates").read_text()
    unit = (made / "usr/lib/systemd/system/trueroll.service").read_text()
    assert "ExecStart=/usr/bin/python3 -s /usr/lib/trueroll run --data %S/trueroll\n" in unit
    assert "/opt/" not in unit
    ours, theirs = (set(one.splitlines()) for one in (UNIT, unit))
    other = {line.partition("=")[0] for line in ours ^ theirs if not line.startswith("#")}
    assert other == {"Documentation", "ExecStart", "ExecStartPre", "ExecStopPost"}, "it may do what the Pi's may"
    assert {line.split(".")[0] for line in ours - theirs if line.startswith("#")} == {
        "# The trueroll kiosk as a system service", "# A version on trial is counted, and gives way after three starts",
        "# read-only card does not let it count, the kiosk starts all the same",
    }, "what is said of a line goes with it, and nothing else"  # fmt: skip
    if shutil.which("systemd-analyze") is not None:
        assert verified(unit, tmp_path) == ""
    command: list[str | Path] = [sys.executable, "-s", made / "usr/lib/trueroll"]
    assert subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout == "trueroll\n"


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="NOT CHECKED: shellcheck is not installed")
def test_the_scripts_are_sound_shell() -> None:
    scripts = [
        *OS_FILES.glob("*.sh"),
        *OS_FILES.glob("trueroll-[bv]*"),
        *(OS_FILES.parents[1] / "scripts").glob("*.sh"),
        *(one for one in (OS_FILES.parents[1] / "scripts/debian").iterdir() if one.read_bytes().startswith(b"#!")),
    ]
    assert len(scripts) > 5
    done = subprocess.run(["shellcheck", *scripts], capture_output=True, text=True, check=False, timeout=100)
    assert done.stdout == ""


def test_a_file_that_is_no_update_is_refused_before_anything_is_done(system: Path, tmp_path: Path) -> None:
    before = files(system)
    (tmp_path / "other.zip").write_bytes(b"PK")
    for options in ([], ["--dry-run"]):
        with pytest.raises(subprocess.CalledProcessError) as refused:
            install(system, *options, str(tmp_path / "other.zip"))
        assert "is no update of trueroll" in refused.value.stderr
    assert files(system) == before
