#include "lobby/backoff.h"

#include "lobby/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct backoff {
    char name[STORAGE_NAME_SIZE];
    uint32_t failures;
    int64_t until_ms;
};

static struct backoff *backoff_find(const struct house *house, const char *name)
{
    return index_find(&house->backoffs, name, strlen(name));
}

static void backoff_forget(struct house *house, struct backoff *backoff)
{
    index_remove(&house->backoffs, backoff->name, strlen(backoff->name));
    free(backoff);
}

int64_t backoff_wait_s(const struct house *house, const char *name)
{
    const struct backoff *backoff = backoff_find(house, name);
    if (backoff == NULL || backoff->until_ms <= house->now_ms) {
        return 0;
    }
    return (backoff->until_ms - house->now_ms + 999) / 1000;
}

void backoff_failed(struct house *house, const char *name)
{
    struct backoff *backoff = backoff_find(house, name);
    if (backoff == NULL) {
        struct index_at at;
        if (index_count(&house->backoffs) >= house->config.limits.backoff_names) {
            backoff_forget(house, index_first(&house->backoffs, &at));
        }
        backoff = memory_new(sizeof(*backoff));
        (void)snprintf(backoff->name, sizeof(backoff->name), "%s", name);
        index_add(&house->backoffs, backoff->name, strlen(backoff->name), backoff);
    }
    uint32_t doublings = backoff->failures < 16 ? backoff->failures : 16;
    int64_t wait_s = INT64_C(1) << doublings;
    backoff->failures++;
    int64_t max_s = house->config.limits.backoff_max_s;
    backoff->until_ms = house->now_ms + 1000 * (wait_s < max_s ? wait_s : max_s);
}

void backoff_succeeded(struct house *house, const char *name)
{
    struct backoff *backoff = backoff_find(house, name);
    if (backoff != NULL) {
        backoff_forget(house, backoff);
    }
}

void backoffs_clear(struct house *house)
{
    struct backoff *backoff = NULL;
    struct index_at next;
    INDEX_EACH(&house->backoffs, backoff, next)
    {
        backoff_forget(house, backoff);
    }
}
