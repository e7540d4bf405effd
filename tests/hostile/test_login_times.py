#!/usr/bin/python3
"""Tests the statistics of login_times.py, and that a few attempts reveal no difference between
names with and without an account."""

import random
import unittest

import login_times
from login_times import ALPHA, compute_mann_whitney_p

ATTEMPTS = 25


class LoginTimes(unittest.TestCase):
    def test_tied_values_get_the_mean_rank(self):
        self.assertEqual(login_times.rank_values([3, 1, 3, 2]), ([3.5, 1, 3.5, 2], [1, 1, 2]))

    def test_the_p_value_of_a_worked_example_is_right(self):
        """The ranks of the first sample are 1 4 6 7 8, so U is 11, one more than expected; z is
        0.5 / 4.0825."""
        p = compute_mann_whitney_p([78, 64, 75, 45, 82], [110, 70, 53, 51])
        self.assertAlmostEqual(p, 0.9025, 4)

    def test_the_p_value_of_equal_times_is_one(self):
        self.assertEqual(compute_mann_whitney_p([300] * 20, [300] * 20), 1)

    def test_a_shift_of_times_is_detected_and_equal_times_are_not(self):
        dice = random.Random(4)
        times = [[dice.gauss(300, 3) for _ in range(500)] for _ in range(2)]
        self.assertGreater(compute_mann_whitney_p(*times), ALPHA)
        late = [time_ms + 1 for time_ms in times[1]]
        self.assertLessEqual(compute_mann_whitney_p(times[0], late), ALPHA)

    def test_equal_times_are_called_different_once_in_a_hundred_runs(self):
        dice = random.Random(5)
        runs = [[[dice.random() for _ in range(50)] for _ in range(2)] for _ in range(1000)]
        failed = sum(compute_mann_whitney_p(*run) <= ALPHA for run in runs)
        self.assertLess(failed, 25)

    def test_refusal_times_do_not_reveal_names(self):
        self.assertTrue(login_times.main(ATTEMPTS))


if __name__ == "__main__":
    unittest.main(verbosity=2)
