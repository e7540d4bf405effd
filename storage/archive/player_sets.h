#ifndef STORAGE_ARCHIVE_PLAYER_SETS_H
#define STORAGE_ARCHIVE_PLAYER_SETS_H

#include <stddef.h>
#include <stdint.h>

/* Inside storage/ only: a set of accounts as one text that can be looked up: each once, ascending,
 * decimal, commas between. Sorts `accounts`, at most STORAGE_SCORES_MAX of them. */
#define PLAYER_SET_SIZE 673

void player_set_write(int64_t *accounts, size_t count, char text[PLAYER_SET_SIZE]);

#endif
