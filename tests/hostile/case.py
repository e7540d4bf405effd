"""Shared by the tests of hostile clients: a house, and a player who is connected all the
time."""

import unittest

import house
import peer
import player

SETTINGS = "[door]\ndenial_ms = 20\n[chat]\nburst = 1000\ninterval_ms = 1\n"
ECHO_S = 5  # on a machine that is busy with other tests

# Messages that a client which has not signed in must never receive.
GAINS = (
    peer.AUTH_SUCCESS,
    peer.REQUEST_SUCCESS,
    peer.OPEN_CONFIRMATION,
    peer.DATA,
    peer.CHANNEL_SUCCESS,
)


class HouseCase(unittest.TestCase):
    """After every test the player still plays in the same house."""

    settings = SETTINGS

    @classmethod
    def setUpClass(cls):
        cls.deaths = 0
        cls.house = house.House(cls.settings)
        cls.addClassCleanup(lambda: cls.house.close(cls.deaths))
        cls.player = player.Player(cls.house.port)
        cls.addClassCleanup(cls.player.close)
        cls.crew = cls.house.children()

    def setUp(self):
        self.peers = []

    def tearDown(self):
        for client in self.peers:
            client.close()
        self.assertLess(self.player.echo(), ECHO_S)
        self.assertLess(self.player.say(), ECHO_S)
        self.assertEqual(self.house.children(), self.crew)

    def connect(self, **kinds):
        """A connection that has sent nothing yet."""
        client = peer.Peer(self.house.port, **kinds)
        self.peers.append(client)
        return client

    def keyed(self):
        """A connection after its key exchange."""
        return self.connect().exchange_keys()

    def asking(self):
        """A connection that may start to sign in."""
        return self.keyed().ask_service()

    def entered(self):
        """A connection signed in as guest."""
        return self.connect().enter()

    def answered(self, client):
        """The numbers of all answers to what was sent so far, including the end of the
        connection. Answers come in order, so one more request shows where they end."""
        numbers = []
        try:
            client.send(peer.SERVICE_REQUEST, "ssh-userauth")
            while peer.SERVICE_ACCEPT not in numbers:
                numbers.append(client.receive()[0])
        except peer.Closed:
            numbers.append(peer.DISCONNECT)
        return numbers

    def assert_not_in(self, client):
        """The client has gained nothing and still may not open a channel."""
        try:
            client.open()
        except peer.Closed:
            pass
        for number in self.answered(client):
            self.assertNotIn(number, GAINS)

    def assert_closed(self, client, timeout=peer.DEADLINE_S):
        """The house closes the connection without having granted anything."""
        for number in client.read_until_closed(timeout):
            self.assertNotIn(number, GAINS)


def main():
    unittest.main(verbosity=2)
