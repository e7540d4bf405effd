#pragma once

#include "storage/sql/sql.h"

#include <stdbool.h>
#include <stdint.h>

struct quick_random;
struct storage;

/*
 * SQLite on the simulated disk as an engine whose commits become durable later (storage_settle),
 * like a database that is asked to confirm them with barriers. A commit writes the log but does not
 * sync it, so a power cut may undo any of the newest turns. A barrier covers the turns that were
 * committed before it began, and syncs the log when it begins or just before it is answered. It is
 * answered at once or many turns later, fails, or is never answered.
 */
struct late {
    struct late_engine {
        struct sql_engine engine;
        struct late *late;
    } engine;
    struct quick_random *random; /* borrowed, like the clock */
    const int64_t *now_ms;
    bool is_prompt;   /* from now on all turns are durable at once */
    uint64_t durable; /* the newest turn that a barrier has confirmed */
    uint64_t begun;   /* the turn that the barrier under way covers; 0: none is under way */
    int64_t begun_ms;
    int64_t answer_ms; /* when the barrier is answered; INT64_MAX: never */
    bool fails;
    bool is_synced;
    uint64_t confirmed, failed, unanswered; /* how many barriers have ended so */
};

/* How long the engine waits for an answer before it gives up. */
#define LATE_ANSWER_MS_MAX 2500

void late_init(struct late *late, struct quick_random *random, const int64_t *now_ms);

/* Gives the engine to a storage that was just opened on the simulated disk. Returns false if the
 * database library refuses. */
bool late_install(struct late *late, struct storage *storage);

/* Returns when storage_settle must be called next; INT64_MAX: at the next commit. */
int64_t late_next_ms(const struct late *late);
