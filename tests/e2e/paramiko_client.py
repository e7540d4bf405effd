#!/usr/bin/python3 -Wignore
"""Connects a terminal to the house through the library paramiko: paramiko_client.py PORT USER
[KEY_FILE]"""

import getpass
import os
import select
import signal
import sys
import tty

import paramiko


def answer_prompts(_name, instructions, prompts):
    print(instructions, end="")
    return [getpass.getpass(prompt) for prompt, _is_echoed in prompts]


def sign_in(transport, user, key_file):
    if key_file is not None:
        transport.auth_publickey(user, paramiko.Ed25519Key.from_private_key_file(key_file))
    elif user == "guest":
        transport.auth_none(user)
    else:
        transport.auth_interactive(user, answer_prompts)


def copy_until_closed(channel):
    """Copies input and output until the house closes the connection."""
    while True:
        ready, _, _ = select.select([channel, sys.stdin], [], [])
        if channel in ready:
            data = channel.recv(65536)
            if not data:
                return
            os.write(1, data)
        if sys.stdin in ready:
            channel.sendall(os.read(0, 4096))


def main(port, user, key_file=None):
    transport = paramiko.Transport(("127.0.0.1", int(port)))
    transport.start_client(timeout=15)
    sign_in(transport, user, key_file)
    channel = transport.open_session()
    size = os.get_terminal_size()
    channel.get_pty(os.environ["TERM"], size.columns, size.lines)
    channel.invoke_shell()
    signal.signal(signal.SIGWINCH, lambda *_: channel.resize_pty(*os.get_terminal_size()))
    kept = tty.tcgetattr(0)
    tty.setraw(0)
    try:
        copy_until_closed(channel)
    finally:
        tty.tcsetattr(0, tty.TCSADRAIN, kept)
    status = channel.recv_exit_status()
    transport.close()
    return status


sys.exit(main(*sys.argv[1:]))
