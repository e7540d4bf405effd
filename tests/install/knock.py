"""Connects to a house again and again while it is restarted.

knock.py PORT: connects, reads the beginning of the house's banner, closes the connection, and so on,
until standard input ends. Prints "knocking" after the first banner. At the end prints how many
connections were let in and how long the slowest waited, or fails: if one was refused, or if more
than one, which the closing house had just let in, ended without a banner.
"""
import select
import socket
import sys
import time

PATIENCE_S = 30
BANNER = b"SSH-2.0-"


def knock(port):
    """Returns whether the house answered with its banner."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as client:
        try:
            return client.recv(len(BANNER), socket.MSG_WAITALL) == BANNER
        except ConnectionResetError:
            return False


def main():
    port = int(sys.argv[1])
    let_in = cut_off = 0
    slowest_s = 0.0
    while not select.select([sys.stdin], [], [], 0)[0]:
        began = time.monotonic()
        try:
            has_banner = knock(port)
        except OSError as error:
            sys.exit(f"after {let_in} connections: {error}")
        slowest_s = max(slowest_s, time.monotonic() - began)
        let_in += has_banner
        cut_off += not has_banner
        if let_in == 1:
            print("knocking", flush=True)
    if cut_off > 1:
        sys.exit(f"{cut_off} connections ended without a banner")
    print(f"{let_in} connections were let in, the slowest after {slowest_s:.1f} s", flush=True)


main()
