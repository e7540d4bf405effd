#include "lobby/house/read_only.h"

#include "lobby/house/answers.h"
#include "lobby/house/conns.h"
#include "lobby/house/journal.h"
#include "lobby/house/parts.h"
#include "lobby/house/rebuild.h"
#include "lobby/house/returning.h"
#include "lobby/house/say.h"
#include "lobby/house/stored.h"
#include "lobby/house/words.h"

#include <inttypes.h>
#include <stdio.h>

void read_only_answer(const struct request *request)
{
    answer_no(request, "read_only", _("The disk is full: try that again when there is room."));
}

static void read_only_journal(const struct house *house, const char *event)
{
    const struct conn nobody = {0};
    char seconds[24];
    (void)snprintf(seconds, sizeof(seconds), "%" PRId64,
                   (house->now_ms - house->full_since_ms) / 1000);
    journal_write(house, &nobody, event, JOURNAL_PAIRS("after_s", seconds));
}

/* Undoes what this turn wrote and queued. */
static bool read_only_rebuild(struct house *house)
{
    storage_rollback(house->storage);
    house->is_full = false;
    bool is_built = rebuild(house);
    if (house->is_full) { /* the write that found no room is not needed: people can only look */
        storage_rollback(house->storage);
        house->is_full = false;
    }
    return is_built;
}

bool read_only_begin(struct house *house)
{
    if (!house->is_read_only) {
        house->is_read_only = true;
        house->full_since_ms = house->now_ms;
        read_only_journal(house, "disk-full");
        if (!house->has_written) {
            parts_full(house);
        }
    }
    house->room_due_ms = house->now_ms + READ_ONLY_RETRY_MS;
    return read_only_rebuild(house);
}

/* Stores where people are now, which could not be stored as they entered and left. */
static void read_only_catch_up(struct house *house)
{
    struct conn *conn = NULL;
    struct index_at next;
    INDEX_EACH(&house->conns, conn, next)
    {
        if (conn->peer == PEER_SESSION && (conn->phase & (PHASE_IN | PHASE_VISITOR)) != 0) {
            conn_save(house, conn);
        }
    }
    parts_save(house);
    returning_end_gone(house);
    parts_announce(house, say(_("The disk was full for a while; no clock has run meanwhile.")));
}

/* Stores what was kept in memory during read-only mode. */
static void read_only_caught_up(struct house *house)
{
    struct conn *conn = NULL;
    struct index_at next;
    INDEX_EACH(&house->conns, conn, next)
    {
        conn->unsaved.conn = 0;
    }
    house->has_written = true;
    parts_saved(house);
}

/* There is room: everybody starts again from what is stored. */
static void read_only_end(struct house *house)
{
    house->is_read_only = false;
    read_only_catch_up(house);
    enum storage_result result = house->is_full ? STORAGE_FULL : storage_commit(house->storage);
    if (result == STORAGE_FULL) {
        house->is_read_only = true;
        stored_or_fail(house, read_only_rebuild(house) ? STORAGE_OK : STORAGE_IO);
        return;
    }
    stored_or_fail(house, result);
    read_only_caught_up(house);
    stored_or_fail(house, rebuild(house) ? STORAGE_OK : STORAGE_IO);
    read_only_journal(house, "disk-has-room");
    struct conn *conn = NULL;
    struct index_at next;
    INDEX_EACH(&house->conns, conn, next)
    {
        conn->was_read_only = true;
    }
}

void read_only_tick(struct house *house)
{
    if (!house->is_read_only || house->now_ms < house->room_due_ms) {
        return;
    }
    house->room_due_ms = house->now_ms + READ_ONLY_RETRY_MS;
    enum storage_result result = storage_test_for_room(house->storage);
    if (result == STORAGE_OK) {
        read_only_end(house);
    } else if (result != STORAGE_FULL) {
        stored_or_fail(house, result);
    }
}

int64_t read_only_next_ms(const struct house *house)
{
    return house->is_read_only ? house->room_due_ms : INT64_MAX;
}

void read_only_tell(struct house *house, struct conn *conn)
{
    if (house->is_read_only) {
        conn_notice(
            house, conn, "warn",
            conn->phase == PHASE_IN
                ? say(_("The disk is full: look around, but nothing changes until there is room."))
                : say(_("The disk is full: no account can be made until there is room.")));
    } else if (conn->was_read_only) {
        conn_notice(house, conn, "info", say(_("There is room on the disk again: play goes on.")));
    }
    conn->was_read_only = false;
}

void read_only_tell_newcomer(struct house *house, struct conn *conn)
{
    if (house->is_read_only) {
        read_only_tell(house, conn);
    }
}
