#include "lobby/house/parts.h"

#include "lobby/house/say.h"
#include "lobby/house/words.h"

#include <inttypes.h>
#include <stdio.h>

void read_only_refuse(const struct request *request)
{
    answer_no(request, "read_only", _("The disk is full: try that again when there is room."));
}

static void read_only_log(const struct house *house, const char *event)
{
    char seconds[24];
    (void)snprintf(seconds, sizeof(seconds), "%" PRId64,
                   (house->now_ms - house->full_since_ms) / 1000);
    journal_write_house_event(house, event, JOURNAL_PAIRS("after_s", seconds));
}

/* Undoes what this pass of the core's loop wrote and queued. Returns false if the house cannot be
 * rebuilt from its data. */
static bool read_only_undo_loop_pass(struct house *house)
{
    storage_rollback(house->storage);
    house->is_full = false;
    bool is_built = rebuild_house(house);
    if (house->is_full) { /* the rebuild had to write something, but found no room; this can
                             wait */
        storage_rollback(house->storage);
        house->is_full = false;
    }
    return is_built;
}

static void read_only_mark_begun(struct house *house)
{
    house->is_read_only = true;
    house->full_since_ms = house->now_ms;
    read_only_log(house, "disk-full");
    if (!house->has_written) {
        PARTS_CALL(full, house);
    }
}

bool read_only_begin(struct house *house)
{
    if (!house->is_read_only) {
        read_only_mark_begun(house);
    }
    house->room_due_ms = house->now_ms + READ_ONLY_RETRY_MS;
    return read_only_undo_loop_pass(house);
}

/* Stores where each person is now: while the disk was full, arrivals and departures could not be
 * stored. */
static void read_only_store_people(struct house *house)
{
    struct conn *conn = NULL;
    INDEX_EACH(&house->conns, conn)
    {
        if (conn->peer == PEER_SESSION && (conn->phase & (PHASE_IN | PHASE_UNREGISTERED)) != 0) {
            conn_save(house, conn);
        }
    }
    PARTS_CALL(save, house);
    returning_forget_gone_conns(house);
    PARTS_CALL(announce, house,
               say(_("The disk was full for a while; no clock has run meanwhile.")));
}

/* Called after the commit that stored what was kept in memory during read-only mode. Forgets what
 * was kept. */
static void read_only_forget_kept_changes(struct house *house)
{
    struct conn *conn = NULL;
    INDEX_EACH(&house->conns, conn)
    {
        conn->unsaved.conn = 0;
    }
    house->has_written = true;
    PARTS_CALL(saved, house);
}

/* Ends read-only mode: the house is rebuilt from what is stored, and every session resyncs. */
static void read_only_end(struct house *house)
{
    house->is_read_only = false;
    read_only_store_people(house);
    enum storage_result result = house->is_full ? STORAGE_FULL : storage_commit(house->storage);
    if (result == STORAGE_FULL) {
        house->is_read_only = true;
        stored_or_fail(house, read_only_undo_loop_pass(house) ? STORAGE_OK : STORAGE_IO);
        return;
    }
    stored_or_fail(house, result);
    read_only_forget_kept_changes(house);
    stored_or_fail(house, rebuild_house(house) ? STORAGE_OK : STORAGE_IO);
    read_only_log(house, "disk-has-room");
    struct conn *conn = NULL;
    INDEX_EACH(&house->conns, conn)
    {
        conn->was_read_only = true;
    }
}

void read_only_check_for_room(struct house *house)
{
    if (!house->is_read_only || house->now_ms < house->room_due_ms) {
        return;
    }
    house->room_due_ms = house->now_ms + READ_ONLY_RETRY_MS;
    enum storage_result result = storage_test_disk_space(house->storage);
    if (result == STORAGE_OK) {
        read_only_end(house);
    } else if (result != STORAGE_FULL) {
        stored_or_fail(house, result);
    }
}

int64_t read_only_next_check_ms(const struct house *house)
{
    return house->is_read_only ? house->room_due_ms : INT64_MAX;
}

void read_only_notify_session(struct house *house, struct conn *conn)
{
    if (house->is_read_only) {
        conn_send_notice(
            house, conn, "warn",
            conn->phase == PHASE_IN
                ? say(_("The disk is full: look around, but nothing changes until there is room."))
                : say(_("The disk is full: no account can be made until there is room.")));
    } else if (conn->was_read_only) {
        conn_send_notice(house, conn, "info",
                         say(_("There is room on the disk again: play goes on.")));
    }
    conn->was_read_only = false;
}

void read_only_tell_newcomer(struct house *house, struct conn *conn)
{
    if (house->is_read_only) {
        read_only_notify_session(house, conn);
    }
}
