"""The base class of the tests of hostile clients. It opens a house, and connects a player who
stays connected during all tests."""

import unittest

import house
import peer
import player

SETTINGS = "[door]\ndenial_ms = 20\n[chat]\nburst = 1000\ninterval_ms = 1\n"
ECHO_S = 15  # time limit from a key press to its echo, however busy the machine is

# Messages that a client which has not signed in must never receive.
GAINS = (
    peer.AUTH_SUCCESS,
    peer.REQUEST_SUCCESS,
    peer.OPEN_CONFIRMATION,
    peer.DATA,
    peer.CHANNEL_SUCCESS,
)


class HouseCase(unittest.TestCase):
    """A test case that checks after each test that the player can still play in the same
    house."""

    settings = SETTINGS

    @classmethod
    def setUpClass(cls):
        cls.deaths = 0
        cls.house = house.House(cls.settings)
        cls.addClassCleanup(lambda: cls.house.close(cls.deaths))
        cls.player = player.Player(cls.house.port)
        cls.addClassCleanup(cls.player.close)
        cls.crew = cls.house.list_children()

    def setUp(self):
        self.peers = []

    def tearDown(self):
        for client in self.peers:
            client.close()
        self.assertLess(self.player.measure_echo(), ECHO_S)
        self.assertLess(self.player.measure_chat(), ECHO_S)
        self.assertEqual(self.house.list_children(), self.crew)

    def connect(self, **options):
        """Opens a connection that has sent nothing yet."""
        client = peer.Peer(self.house.port, **options)
        self.peers.append(client)
        return client

    def connect_and_exchange_keys(self):
        """Opens a connection and exchanges keys."""
        return self.connect().exchange_keys()

    def connect_to_sign_in(self):
        """Opens a connection, exchanges keys and requests the service for signing in."""
        return self.connect_and_exchange_keys().request_service()

    def connect_as_guest(self):
        """Opens a connection that is signed in as a guest."""
        return self.connect().sign_in_by_name()

    def read_answers(self, client):
        """Reads the numbers of all messages that answer what was sent so far, including the end
        of the connection. Answers arrive in order, so the answer to one more request shows
        where they end."""
        numbers = []
        try:
            client.send(peer.SERVICE_REQUEST, "ssh-userauth")
            while peer.SERVICE_ACCEPT not in numbers:
                numbers.append(client.receive()[0])
        except peer.Closed:
            numbers.append(peer.DISCONNECT)
        return numbers

    def assert_not_signed_in(self, client):
        """Checks that the house has granted the client nothing, and refuses to open a
        channel."""
        try:
            client.request_channel()
        except peer.Closed:
            pass
        for number in self.read_answers(client):
            self.assertNotIn(number, GAINS)

    def assert_closed(self, client, timeout=peer.DEADLINE_S):
        """Checks that the house closes the connection without having granted anything."""
        for number in client.read_until_closed(timeout):
            self.assertNotIn(number, GAINS)


def main():
    unittest.main(verbosity=2)
