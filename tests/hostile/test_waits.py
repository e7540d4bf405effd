#!/usr/bin/python3
"""Whatever a client makes the core or the password workers do, others are let in and answered
soon."""

import statistics
import unittest

import house
import waits

SAMPLES = 24
SIGN_IN_S = 1.0  # longer than alone, on a machine that the attackers and other tests use too
REQUEST_S = 0.5  # for 90 % of requests


class Waits(unittest.TestCase):
    def test_others_wait_little_while_somebody_attacks(self):
        place = house.House(waits.SETTINGS)
        try:
            waits.prepare(place)
            for attack, alone, meanwhile in waits.measure(place, SAMPLES):
                print(waits.row(attack.__name__, alone, meanwhile), flush=True)
                with self.subTest(attack.__name__):
                    usual = statistics.median(alone.sign_ins)
                    self.assertLess(statistics.median(meanwhile.sign_ins) - usual, SIGN_IN_S)
                    self.assertLess(statistics.quantiles(meanwhile.requests, n=10)[-1], REQUEST_S)
        finally:
            place.close(place.logged("reason=watchdog"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
