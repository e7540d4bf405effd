"""A house for a test: `trickhouse serve` on free loopback ports, with its data in a folder."""

import os
import pathlib
import random
import select
import shutil
import signal
import socket
import stat
import subprocess
import tempfile
import time

OPEN_S = 60
ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("TRICKHOUSE", str(ROOT / "build/release/trickhouse"))


reservations = []


def reserve_port(port):
    """Reserves a port against the other tests that run meanwhile, as tests/ports.h does."""
    reservation = socket.socket(socket.AF_UNIX)
    try:
        reservation.bind(f"\0trickhouse-test-port-{port}")
    except OSError:
        reservation.close()
        return False
    reservations.append(reservation)
    return True


def find_free_ports(count):
    """Finds different ports that nobody uses, below those that the kernel gives to connections."""
    ports = set()
    while len(ports) < count:
        port = random.randrange(10000, 32000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        if reserve_port(port):
            ports.add(port)
    return list(ports)


class House:
    """Runs a house until it is closed; `settings` is the text of its house.conf."""

    def __init__(self, settings=""):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="trickhouse-hostile-"))
        # When root starts a house, the house runs as another user, who must be able to enter the
        # folder.
        self.folder.chmod(0o711)
        self.port, self.telnet_port = find_free_ports(2)
        config = self.folder / "house.conf"
        config.write_text(settings)
        self.log = self.folder / "data" / "house.log"
        ports = ["--ssh-port", str(self.port), "--telnet-port", str(self.telnet_port)]
        options = ["--data", str(self.folder / "data"), "--config", str(config), "--log"]
        self.process = subprocess.Popen(
            [PROGRAM, "serve", *options, *ports, "--bind", "127.0.0.1"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
        )
        self.wait_until_open()

    def wait_until_open(self):
        said, deadline = b"", time.monotonic() + OPEN_S
        while b"is open" not in said:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                raise AssertionError(f"the house did not open; it said: {said!r}")
            got = os.read(self.process.stdout.fileno(), 4096)
            if not got:
                raise AssertionError(f"the house ended; it said: {said!r}")
            said += got

    def wait_for_log(self):
        """Waits until all lines logged so far are in the log file: logs one more line and waits
        for that line."""
        mark = f"mark-{time.monotonic_ns()}"
        try:
            with open(f"/proc/{self.process.pid}/fd/2", "wb", buffering=0) as pipe:
                if not stat.S_ISFIFO(os.fstat(pipe.fileno()).st_mode):
                    return
                line = f"2026-11-20T06:26:46.123Z test info conn=- event=note what={mark}\n"
                pipe.write(line.encode())
        except OSError:
            return  # the house has closed and has written all lines
        deadline = time.monotonic() + OPEN_S
        while mark not in self.log.read_text():
            if time.monotonic() > deadline:
                raise AssertionError("the log is not written")
            time.sleep(0.005)

    def read_log(self, words=""):
        """Reads the lines that are written by now and contain these words, but for marks."""
        lines = self.log.read_text().splitlines()
        return [line for line in lines if words in line and "what=mark" not in line]

    def count_log_lines(self, words):
        """Counts the lines of the log that contain these words."""
        self.wait_for_log()
        return len(self.read_log(words))

    def wait_for_log_lines(self, words, count=1, timeout=OPEN_S):
        deadline = time.monotonic() + timeout
        while len(self.read_log(words)) < count:
            if time.monotonic() > deadline:
                raise AssertionError(f"the log does not say {count} times: {words}")
            time.sleep(0.02)

    def list_children(self, pid=None):
        """Lists the child processes, as (pid, name), once none is executing its program again: until it
        has named itself, the arguments of the new program stand in the place of its name."""
        found = self._read_children(pid)
        while any("\0--image\0" in name for _, name in found):
            time.sleep(0.02)
            found = self._read_children(pid)
        return found

    def _read_children(self, pid):
        parent = str(pid or self.process.pid)
        found = []
        for status in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = status.read_text().rpartition(")")[2].split()
                command = (status.parent / "cmdline").read_text().rstrip("\0")
            except OSError:
                continue  # the process has ended in the meantime
            if fields[1] == parent and fields[0] != "Z":
                found.append((int(status.parent.name), command))
        return found

    def find_child(self, name):
        return next(pid for pid, command in self.list_children() if name in command)

    def count_sessions(self):
        """Counts the connections being served."""
        return len(self.list_children(self.find_child("gate")))

    def close(self, expected_deaths=0):
        """Closes the house. Expects that `expected_deaths` sessions have died of a signal."""
        try:
            self.process.send_signal(signal.SIGTERM)
            status = self.process.wait(OPEN_S)
            died = self.count_log_lines("reason=signal") + self.count_log_lines("reason=watchdog")
        finally:
            self.process.kill()
            self.process.stdout.close()
            end = "\n".join(self.read_log()[-200:])
            print(f"---- the end of the log\n{end}\n----", flush=True)
            shutil.rmtree(self.folder, ignore_errors=True)
        if status != 0 or died != expected_deaths:
            raise AssertionError(
                f"exit status {status}; {died} sessions died, not {expected_deaths}")
