#include "storage/archive/player_sets.h"

#include "storage/archive/games.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int compare_accounts(const void *a, const void *b)
{
    const int64_t left = *(const int64_t *)a;
    const int64_t right = *(const int64_t *)b;

    return (left > right) - (left < right);
}

void player_set_write(int64_t *accounts, size_t count, char text[PLAYER_SET_SIZE])
{
    size_t len = 0;

    _Static_assert(PLAYER_SET_SIZE > STORAGE_SCORES_MAX * sizeof "-9223372036854775808",
                   "PLAYER_SET_SIZE must fit the longest numbers");
    assert(count <= STORAGE_SCORES_MAX);
    qsort(accounts, count, sizeof accounts[0], compare_accounts);
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && accounts[i] == accounts[i - 1]) {
            continue;
        }
        const int wrote = snprintf(&text[len], PLAYER_SET_SIZE - len, "%s%" PRId64,
                                   i > 0 ? "," : "", accounts[i]);
        assert(wrote > 0 && (size_t)wrote < PLAYER_SET_SIZE - len);
        len += (size_t)wrote;
    }
}
