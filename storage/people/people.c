#include "storage/people/people.h"

#include "storage/archive/games.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const int64_t left = *(const int64_t *)a;
    const int64_t right = *(const int64_t *)b;

    return (left > right) - (left < right);
}

void people_write(int64_t *accounts, size_t count, char text[PEOPLE_SIZE])
{
    size_t len = 0;

    _Static_assert(PEOPLE_SIZE > STORAGE_SCORES_MAX * sizeof "-9223372036854775808",
                   "room for the longest numbers");
    assert(count <= STORAGE_SCORES_MAX);
    qsort(accounts, count, sizeof accounts[0], compare);
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && accounts[i] == accounts[i - 1]) {
            continue;
        }
        const int wrote =
            snprintf(&text[len], PEOPLE_SIZE - len, "%s%" PRId64, i > 0 ? "," : "", accounts[i]);
        assert(wrote > 0 && (size_t)wrote < PEOPLE_SIZE - len);
        len += (size_t)wrote;
    }
}
