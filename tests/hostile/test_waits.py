#!/usr/bin/python3
"""Tests that others can sign in and get answers soon, however much work a client causes for the
core or the password workers."""

import statistics
import unittest

import house
import waits

SAMPLES = 24
SIGN_IN_S = 1.0  # longest delay by an attack; the attackers use the same machine
REQUEST_S = 0.5  # limit for 90 % of requests, in seconds


class Waits(unittest.TestCase):
    def test_others_wait_only_briefly_during_attacks(self):
        opened_house = house.House(waits.SETTINGS)
        try:
            waits.create_accounts(opened_house)
            for attack, alone, meanwhile in waits.measure_attacks(opened_house, SAMPLES):
                print(waits.format_row(attack.__name__, alone, meanwhile), flush=True)
                with self.subTest(attack.__name__):
                    usual = statistics.median(alone.sign_ins)
                    self.assertLess(statistics.median(meanwhile.sign_ins) - usual, SIGN_IN_S)
                    self.assertLess(statistics.quantiles(meanwhile.requests, n=10)[-1], REQUEST_S)
        finally:
            opened_house.close(opened_house.count_log_lines("reason=watchdog"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
