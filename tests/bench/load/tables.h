#pragma once

#include "tests/bench/load/phases.h"

/*
 * Seats the first people at tables of four and lets them play. Reports the time from the key that
 * makes a move until each of the three others at the table gets output.
 *
 * The games have no clock, and a move is only made when nobody at the table has got output for a
 * while. So the first output after the key shows the move.
 */
void tables_measure(struct run *run);
