#!/usr/bin/python3 -Wignore
"""Connects a terminal to the house through the library asyncssh: asyncssh_client.py PORT USER
[KEY_FILE]"""

import asyncio
import getpass
import os
import signal
import sys
import tty

import asyncssh


class Client(asyncssh.SSHClient):
    def kbdint_auth_requested(self):
        return ""

    def kbdint_challenge_received(self, name, instructions, lang, prompts):
        print(instructions, end="")
        return [getpass.getpass(prompt) for prompt, _is_echoed in prompts]


async def talk(process):
    """Copies input and output until the house closes the connection."""
    loop = asyncio.get_running_loop()
    loop.add_reader(0, lambda: process.stdin.write(os.read(0, 4096)))
    loop.add_signal_handler(
        signal.SIGWINCH, lambda: process.change_terminal_size(*os.get_terminal_size())
    )
    while data := await process.stdout.read(65536):
        os.write(1, data)
    loop.remove_reader(0)
    return (await process.wait()).exit_status


async def main(port, user, key_file=None):
    keys = [] if key_file is None else [key_file]
    connection, _client = await asyncssh.create_connection(
        Client,
        "127.0.0.1",
        int(port),
        username=user,
        client_keys=keys,
        known_hosts=None,
        agent_path=None,
        config=None,
    )
    async with connection:
        kept = tty.tcgetattr(0)
        tty.setraw(0)
        try:
            process = await connection.create_process(
                term_type=os.environ["TERM"], term_size=os.get_terminal_size(), encoding=None
            )
            return await talk(process)
        finally:
            tty.tcsetattr(0, tty.TCSADRAIN, kept)


sys.exit(asyncio.run(main(*sys.argv[1:])))
