#!/usr/bin/python3
"""Tests that letters typed by others soon appear on their screens while a client attacks the
house."""

import unittest

import figures
import house

SAMPLES = 12
LETTER_S = 1.0  # limit for 99 % of typed letters; the attacker and other tests use the machine too


class Figures(unittest.TestCase):
    def test_typed_letters_appear_soon_during_attacks(self):
        opened_house = house.House(figures.SETTINGS)
        keys = []
        try:
            for name, alone, meanwhile in figures.measure_attacks(opened_house, SAMPLES):
                print(figures.format_row(name, alone, meanwhile), flush=True)
                if name == "control":
                    self.assertGreater(max(meanwhile.keys), figures.STOP_S / 2)
                else:
                    keys += meanwhile.keys
        finally:
            opened_house.close(opened_house.count_log_lines("reason=watchdog"))
        self.assertLess(figures.Times.compute_percentile(keys, 99), LETTER_S)


if __name__ == "__main__":
    unittest.main(verbosity=2)
