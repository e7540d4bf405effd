#pragma once

#include <stddef.h>
#include <stdint.h>

/* Inside storage/ only: writes a set of accounts as a text for exact lookup: each account once,
 * ascending, in decimal, separated by commas. Sorts `accounts`, which has at most
 * STORAGE_SCORES_MAX elements. */
#define PLAYER_SET_SIZE 673

void player_set_write(int64_t *accounts, size_t count, char text[PLAYER_SET_SIZE]);
