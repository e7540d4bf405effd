"""Creates accounts over SSH, as real players do."""

import peer
import player

PASSWORD = "correct horse battery"


def sign_up(port, name, password=PASSWORD, key=None):
    """Creates an account with a password, and with a key if one is given."""
    newcomer = peer.Peer(port).exchange_keys().request_service()
    if key is None:
        newcomer.request_prompt(name)
        newcomer.answer_prompt("")
    else:
        newcomer.sign_in_with_key(name, key)
    newcomer.expect_message(peer.AUTH_SUCCESS)
    screen = player.Screen(newcomer.open_channel().start_shell())
    screen.wait_for_words(b"The name is free")
    newcomer.write(b"\r")
    screen.wait_for_words(b"assword")
    screen.read_until_quiet()
    newcomer.write(password.encode() + b"\r")
    screen.wait_for_words(b"once more")
    newcomer.write(password.encode() + b"\r")
    screen.wait_for_words(b"Welcome")
    newcomer.close()
