#include "tests/faults/late.h"

#include "games/card.h"
#include "storage/sql/sql.h"

#include <stdio.h>

#define FATES 400 /* one barrier in so many fails, and one is never answered */
#define SHORT_MS 60
#define LONG_MS 1200

static struct late *find_late(const struct storage *storage)
{
    return ((const struct late_engine *)(const void *)storage->engine)->late;
}

static bool sync_log(struct storage *storage)
{
    sqlite3_file *log = NULL;
    return sqlite3_file_control(storage->db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) ==
               SQLITE_OK &&
           log != NULL && log->pMethods != NULL &&
           log->pMethods->xSync(log, SQLITE_SYNC_NORMAL) == SQLITE_OK;
}

static uint32_t draw_below(const struct late *late, uint32_t below)
{
    return quick_random_draw_below(late->random, below);
}

static int64_t draw_answer_ms(const struct late *late)
{
    switch (draw_below(late, 4)) {
    case 0:
        return *late->now_ms;
    case 1:
        return *late->now_ms + draw_below(late, LONG_MS);
    default:
        return *late->now_ms + draw_below(late, SHORT_MS);
    }
}

/* Starts a barrier, which covers all turns committed by now. Returns false if the disk fails. */
static bool begin_barrier(struct late *late, struct storage *storage)
{
    const uint32_t fate = draw_below(late, FATES);
    late->begun = storage_last_turn(storage);
    late->begun_ms = *late->now_ms;
    late->fails = fate == 0;
    late->answer_ms = fate == 1 ? INT64_MAX : draw_answer_ms(late);
    late->is_synced = draw_below(late, 2) == 0;
    return !late->is_synced || sync_log(storage);
}

/* Takes the answer to the barrier under way, if it has come. Returns false if the barrier has
 * failed or was not answered in time. */
static bool take_answer(struct late *late, struct storage *storage)
{
    if (*late->now_ms < late_next_ms(late)) {
        return true;
    }
    if (late->answer_ms > *late->now_ms) {
        late->unanswered++;
        return false;
    }
    if (late->fails) {
        late->failed++;
        return false;
    }
    if (!late->is_synced && !sync_log(storage)) {
        return false;
    }
    late->confirmed++;
    late->durable = late->begun;
    late->begun = 0;
    return true;
}

static bool settle_at_once(struct late *late, struct storage *storage)
{
    late->begun = 0;
    late->durable = storage_last_turn(storage);
    return sync_log(storage);
}

static enum storage_result settle_late(struct storage *storage, uint64_t *durable)
{
    struct late *late = find_late(storage);
    bool is_good = false;
    if (late->is_prompt) {
        is_good = settle_at_once(late, storage);
    } else {
        is_good = late->begun == 0 || take_answer(late, storage);
        if (is_good && late->begun == 0 && storage_last_turn(storage) > late->durable) {
            is_good = begin_barrier(late, storage);
        }
    }
    if (!is_good) {
        (void)snprintf(storage->why, sizeof(storage->why), "the barrier has failed");
        return STORAGE_IO;
    }
    *durable = late->durable;
    return STORAGE_OK;
}

void late_init(struct late *late, struct quick_random *random, const int64_t *now_ms)
{
    *late = (struct late){.random = random, .now_ms = now_ms};
}

bool late_install(struct late *late, struct storage *storage)
{
    late->engine = (struct late_engine){.engine = *storage->engine, .late = late};
    late->engine.engine.settle = settle_late;
    late->durable = 0;
    late->begun = 0;
    storage->engine = &late->engine.engine;
    return sqlite3_exec(storage->db, "PRAGMA synchronous = NORMAL", NULL, NULL, NULL) == SQLITE_OK;
}

int64_t late_next_ms(const struct late *late)
{
    const int64_t give_up_ms = late->begun_ms + LATE_ANSWER_MS_MAX;
    if (late->begun == 0) {
        return INT64_MAX;
    }
    return late->answer_ms < give_up_ms ? late->answer_ms : give_up_ms;
}
