"""Three guests who play while a house is upgraded.

people.py PORT: signs three guests in and lets each begin a game against bots. Prints "playing" when
all are at their tables, and then waits for a line on standard input. After it, each guest must still
be connected, and the house must show the line that the guest says at the table. Prints "still playing", or why not, with exit status 1.
"""
import re
import sys

import paramiko

PATIENCE_S = 20
STYLE = re.compile(r"\x1b(?:\[[\d;]*m|\(B)")


class Guest:
    def __init__(self, port):
        self.transport = paramiko.Transport(("127.0.0.1", port))
        self.transport.start_client(timeout=PATIENCE_S)
        self.transport.auth_none("guest")
        self.channel = self.transport.open_session()
        self.channel.get_pty("xterm-256color", 80, 24)
        self.channel.invoke_shell()

    def expect(self, words):
        """Reads until the words arrive, in whatever colours."""
        seen = ""
        self.channel.settimeout(PATIENCE_S)
        while words not in STYLE.sub("", seen):
            try:
                got = self.channel.recv(65536)
            except TimeoutError:
                sys.exit(f"not shown: {words!r}")
            if not got:
                sys.exit("a guest was disconnected")
            seen += got.decode("utf-8", "replace")

    def type(self, keys):
        self.channel.sendall(keys.encode())


def main():
    guests = [Guest(int(sys.argv[1])) for _ in range(3)]
    for guest in guests:
        guest.expect("Play against bots")
        guest.type("4")
        guest.expect("Oh Hell")
    print("playing", flush=True)
    sys.stdin.readline()
    for guest in guests:
        guest.type("chello\r")
        guest.expect("> hello")  # behind the name, which the core adds
    print("still playing", flush=True)


main()
