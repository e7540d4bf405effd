#ifndef STORAGE_PEOPLE_PEOPLE_H
#define STORAGE_PEOPLE_PEOPLE_H

#include <stddef.h>
#include <stdint.h>

/* Inside storage/ only: a set of accounts as one text that can be looked up: each once, ascending,
 * decimal, commas between. Sorts `accounts`, at most STORAGE_SCORES_MAX of them. */
#define PEOPLE_SIZE 673

void people_write(int64_t *accounts, size_t count, char text[PEOPLE_SIZE]);

#endif
