"""Creates accounts the way people do."""

import peer
import player

PASSWORD = "correct horse battery"


def sign_up(port, name, password=PASSWORD, key=None):
    """Creates an account with a password, and with a key when one is given."""
    newcomer = peer.Peer(port).exchange_keys().ask_service()
    if key is None:
        newcomer.prompt(name)
        newcomer.answer("")
    else:
        newcomer.sign(name, key)
    newcomer.expect(peer.AUTH_SUCCESS)
    screen = player.Screen(newcomer.opened().start())
    screen.await_words(b"It is free")
    newcomer.write(b"\r")
    screen.await_words(b"assword")
    screen.drain()
    newcomer.write(password.encode() + b"\r")
    screen.await_words(b"once more")
    newcomer.write(password.encode() + b"\r")
    screen.await_words(b"Welcome")
    newcomer.close()
