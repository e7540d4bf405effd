#include "lobby/mod/mod.h"

#include "lobby/accounts/accounts.h"
#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "storage/house/house.h"
#include "storage/upkeep/upkeep.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Draining (no new games begin, lobby/sanctions/sanctions.h) and the announced shutdown. Both
 * survive a restart of the core. Draining lasts until staff end it or the house shuts down as
 * announced. */

#define DRAINING_META "draining" /* "1", or "" */
#define CLOSING_META                                                                               \
    "closing_ms" /* key of the closing time, stored as unix ms in decimal; "": none */
#define CLOSING_WHY "closing_why"
/* pause between attempts to close the house while no keeper is connected */
#define CLOSE_AGAIN_MS 1000
#define SHUTDOWN_MINUTES_MAX 1440

/* The announced shutdown, and whether the house is draining. */
struct closing {
    bool is_draining; /* no new games begin */
    bool was_away; /* the closing time passed while no core was running: whether the house closed is
                      not known yet */
    int64_t at_ms; /* the closing time, unix ms; 0: none is announced */
    int64_t due_ms; /* when to remind people or close the house next; INT64_MAX: the house is
                       closing already */
    char why[STORAGE_REASON_SIZE];
};

PART_STATE(closing_state, struct closing, closing);

/* Sends the sentence to everybody in the house. */
static void closing_notify_everybody(struct house *house, const char *kind, json_t *sentence)
{
    CONNS_EACH(conn, house) {
        if (conn->person != NULL) {
            conn_send_notice(house, conn, kind, json_incref(sentence));
        }
    }
    json_decref(sentence);
}

/* Returns when to remind people next: when half of the remaining time, in whole minutes, has
 * passed. */
static int64_t closing_next_reminder_ms(const struct closing *closing, int64_t now_ms)
{
    int64_t left = (closing->at_ms - now_ms) / MINUTE_MS;
    return left < 2 ? closing->at_ms : closing->at_ms - left / 2 * MINUTE_MS;
}

static json_t *make_shutdown_sentence(const struct house *house)
{
    const struct closing *closing = closing_state(house);
    int64_t left_ms = closing->at_ms - house->now_ms;
    int64_t minutes = left_ms < 0 ? 0 : (left_ms + MINUTE_MS - 1) / MINUTE_MS;
    return say(_("The house closes in %lld min: %s"), (long long)minutes, closing->why);
}

static void announce_shutdown(struct house *house)
{
    struct closing *closing = closing_state(house);
    closing_notify_everybody(house, "warn", make_shutdown_sentence(house));
    closing->due_ms = closing_next_reminder_ms(closing, house->now_ms);
}

static const char *make_draining_sentence(bool is_draining)
{
    return is_draining ? _("No new games begin for now; running games continue.")
                       : _("New games may begin again.");
}

/* Tells a person who enters that the house is about to close, or that it is draining. */
static void closing_notify_person(struct house *house, struct conn *conn,
                                  UNUSED int64_t last_chat_line)
{
    const struct closing *closing = closing_state(house);
    if (closing->at_ms != 0 && !closing->was_away) {
        conn_send_notice(house, conn, "warn", make_shutdown_sentence(house));
    } else if (closing->is_draining) {
        conn_send_notice(house, conn, "info", say("%s", make_draining_sentence(true)));
    }
}

static void closing_update_draining(struct house *house)
{
    const struct closing *closing = closing_state(house);
    disabled_set_draining(house, closing->is_draining || closing->at_ms != 0);
}

/* Stores the announced shutdown and whether the house is draining. */
static void store_shutdown_and_draining(struct house *house)
{
    const struct closing *closing = closing_state(house);
    char at[24] = "";
    if (closing->at_ms != 0) {
        (void)snprintf(at, sizeof(at), "%" PRId64, closing->at_ms);
    }
    stored_or_fail(
        house, storage_meta_set(house->storage, DRAINING_META, closing->is_draining ? "1" : ""));
    stored_or_fail(house, storage_meta_set(house->storage, CLOSING_META, at));
    stored_or_fail(house, storage_meta_set(house->storage, CLOSING_WHY,
                                           closing->at_ms == 0 ? "" : closing->why));
    closing_update_draining(house);
}

/* Reads a stored value into `value`: "" when nothing is stored. False when the storage fails. */
static bool read_stored_value(struct house *house, const char *name, char value[STORAGE_META_SIZE])
{
    enum storage_result result = storage_meta_get(house->storage, name, value);
    if (result == STORAGE_NOT_FOUND) {
        value[0] = '\0';
        return true;
    }
    return stored(house, result);
}

/* Loads the announced shutdown and whether the house is draining. */
static void load_shutdown_and_draining(struct house *house)
{
    struct closing *closing = closing_state(house);
    char draining[STORAGE_META_SIZE];
    char at[STORAGE_META_SIZE];
    char why[STORAGE_META_SIZE];
    bool was_away = closing->was_away;
    if (!read_stored_value(house, DRAINING_META, draining) ||
        !read_stored_value(house, CLOSING_META, at) ||
        !read_stored_value(house, CLOSING_WHY, why)) {
        return;
    }
    *closing = (struct closing){
        .is_draining = draining[0] != '\0',
        .at_ms = strtoll(at, NULL, 10),
    };
    (void)snprintf(closing->why, sizeof(closing->why), "%.*s", (int)sizeof(closing->why) - 1, why);
    bool is_past = closing->at_ms != 0 && closing->at_ms <= house->now_ms;
    /* A core that has just started has no connections yet. A core that loads its data again,
     * because the disk has room again, has connections. */
    closing->was_away = is_past && (was_away || index_count(&house->conns) == 0);
    closing->due_ms = is_past ? house->now_ms : closing_next_reminder_ms(closing, house->now_ms);
    closing_update_draining(house);
}

/* Called when all connections that survived a restart of the core have returned. If there are none,
 * the house was shut down as announced, and the announcement is deleted. If there are some, the
 * house was not shut down, and is shut down now. */
static void closing_check_past_shutdown(struct house *house, bool conns_survived)
{
    struct closing *closing = closing_state(house);
    if (!closing->was_away) {
        return;
    }
    if (conns_survived) {
        closing->was_away = false;
    } else {
        *closing = (struct closing){0};
        store_shutdown_and_draining(house);
    }
}

static int64_t next_shutdown_step_ms(const struct house *house)
{
    const struct closing *closing = closing_state(house);
    return closing->at_ms == 0 || closing->was_away ? INT64_MAX : closing->due_ms;
}

static void closing_do_next_shutdown_step(struct house *house)
{
    struct closing *closing = closing_state(house);
    if (house->now_ms < next_shutdown_step_ms(house)) {
        return;
    }
    if (house->now_ms < closing->at_ms) {
        announce_shutdown(house);
        return;
    }
    /* The announcement stays stored, since this core may end before the whole house does. The next
     * core that starts without connections deletes it. */
    closing->due_ms = backups_request_shutdown(house) ? INT64_MAX : house->now_ms + CLOSE_AGAIN_MS;
}

void mod_run_drain(struct order *order)
{
    struct closing *closing = closing_state(order->house);
    bool is_on = strcmp(order->word, "on") == 0;
    if (order->word[0] == '\0') {
        order->flags |= MOD_READS;
        order->data = json_pack("{s:b}", "is_draining", (int)closing->is_draining);
        order_add_line(order, closing->is_draining
                                  ? _("No new games begin; /drain off ends that.")
                                  : _("New games may begin; /drain on lets none begin."));
        return;
    }
    if (!is_on && strcmp(order->word, "off") != 0) {
        order_refuse(order, "bad", _("Say on or off."));
        return;
    }
    closing->is_draining = is_on;
    store_shutdown_and_draining(order->house);
    order_add_line(order, is_on ? _("No new games begin; running games continue.")
                                : _("Games begin again."));
    closing_notify_everybody(order->house, "info", say("%s", make_draining_sentence(is_on)));
}

static void cancel_shutdown(struct order *order)
{
    struct closing *closing = closing_state(order->house);
    if (closing->at_ms == 0 || closing->due_ms == INT64_MAX) {
        order_refuse(order, "unknown", _("The house is not about to close."));
        return;
    }
    closing->at_ms = 0;
    store_shutdown_and_draining(order->house);
    closing_notify_everybody(order->house, "info", say(_("The house stays open.")));
    order_add_line(order, _("The house stays open."));
}

void mod_run_shutdown(struct order *order)
{
    struct closing *closing = closing_state(order->house);
    char *end = NULL;
    if (strcmp(order->word, "cancel") == 0) {
        cancel_shutdown(order);
        return;
    }
    long minutes = strtol(order->word, &end, 10);
    if (*end != '\0' || minutes < 0 || minutes > SHUTDOWN_MINUTES_MAX) {
        order_refuse(order, "bad",
                     _("Type the minutes until the house closes, 0 to %d, or cancel."),
                     SHUTDOWN_MINUTES_MAX);
        return;
    }
    if (order->reason[0] == '\0') {
        order_refuse(order, "reason", _("Say why: everybody in the house reads it."));
        return;
    }
    closing->at_ms = order->house->now_ms + minutes * MINUTE_MS;
    order->expires_ms = closing->at_ms;
    closing->was_away = false;
    (void)snprintf(closing->why, sizeof(closing->why), "%s", order->reason);
    store_shutdown_and_draining(order->house);
    announce_shutdown(order->house);
    order_add_line(order, _("The house closes in %ld min."), minutes);
}

void mod_run_motd(struct order *order)
{
    char was[STORAGE_META_SIZE] = "";
    struct house *house = order->house;
    if (!stored(house, storage_meta_get(house->storage, MOTD_META, was))) {
        was[0] = '\0';
    }
    if (order->reason[0] == '\0') {
        order->flags |= MOD_READS | MOD_OWN;
        order_add_line(
            order, "%p",
            say_word_argument(was[0] == '\0' ? _("There is no message of the day.") : was));
        return;
    }
    if (!mod_require_rank(order, RANK_ADMIN) || !voice_allows_order(order, MUTE_LOBBY)) {
        return;
    }
    bool is_none = strcmp(order->reason, "@") == 0;
    stored_or_fail(house,
                   storage_meta_set(house->storage, MOTD_META, is_none ? "" : order->reason));
    order->before = json_pack("{s:s}", "motd", was);
    order_add_line(order, is_none ? _("There is no message of the day any more.")
                                  : _("From now on, everybody who comes in reads this message."));
}

void mod_run_wall(struct order *order)
{
    if (!voice_allows_order(order, MUTE_LOBBY)) {
        return;
    }
    closing_notify_everybody(
        order->house, "wall",
        say(_("%p to everybody: %s"), order_requester_sentence_argument(order), order->reason));
    order_add_line(order, _("Everybody in the house was told."));
}

const struct part closing_part = {
    .name = "closing",
    .house_size = sizeof(struct closing),
    .works_when_full = true,
    .load = load_shutdown_and_draining,
    .tick = closing_do_next_shutdown_step,
    .next_ms = next_shutdown_step_ms,
    .hello = closing_notify_person,
    .settled = closing_check_past_shutdown,
};

/*
 * Deletes once a day what is older than the settings of the section [retention] allow, a little in
 * each pass of the core's loop.
 *
 *     WAITING ──due──▶ RUNNING ──done──▶ WAITING for a day
 *
 * A machine whose clock is wrong must not cost a house its data. So when the clock is more than
 * RETENTION_GAP_MS past the time of the next run, the house waits another day before it runs: time
 * for somebody to set the clock, or after an upgrade to choose the settings.
 */

#define RETENTION_META "retention_due_ms" /* key of the stored time of the next run */
#define RETENTION_GAP_MS (7 * DAY_MS)
#define RETENTION_ROWS 100   /* rows looked at in one pass of the core's loop */
#define RETENTION_TURN_MS 50 /* pause between two such passes */

struct retention {
    int64_t due_ms; /* when the next run begins, or the running one continues */
    bool is_running;
    struct storage_retention_run run;
};

PART_STATE(retention_state, struct retention, retention);

static void retention_store_next_run(struct house *house, int64_t due_ms)
{
    char value[24];
    retention_state(house)->due_ms = due_ms;
    (void)snprintf(value, sizeof(value), "%" PRId64, due_ms);
    stored_or_fail(house, storage_meta_set(house->storage, RETENTION_META, value));
}

static void retention_load_next_run(struct house *house)
{
    struct retention *retention = retention_state(house);
    char value[STORAGE_META_SIZE];
    *retention = (struct retention){.due_ms = 0}; /* the first run also waits for a day */
    if (stored(house, storage_meta_get(house->storage, RETENTION_META, value))) {
        retention->due_ms = strtoll(value, NULL, 10);
    }
}

/* Whether the clock has moved so far past the time of the next run, or back from it, that it may be
 * wrong. */
static bool retention_clock_has_jumped(const struct house *house)
{
    int64_t due_ms = retention_state(house)->due_ms;
    return due_ms < house->now_ms - RETENTION_GAP_MS || due_ms > house->now_ms + DAY_MS;
}

static int64_t retention_limit(const struct house *house, uint32_t days)
{
    return days == 0 ? 0 : house->now_ms - (int64_t)days * DAY_MS;
}

static void retention_begin_run(struct house *house)
{
    struct retention *retention = retention_state(house);
    const struct house_config *config = &house->config;
    retention->is_running = true;
    retention->run = (struct storage_retention_run){
        .before_ms = {
            [STORAGE_RETENTION_CHAT] = retention_limit(house, config->retention_chat_days),
            [STORAGE_RETENTION_MESSAGES] = retention_limit(house, config->retention_messages_days),
            [STORAGE_RETENTION_ADDRESSES] =
                retention_limit(house, config->retention_addresses_days),
            [STORAGE_RETENTION_CASES] = retention_limit(house, config->retention_cases_days),
        }};
    guests_forget_old(house);
    registrations_forget_old(house);
}

static void retention_end_run(struct house *house)
{
    struct retention *retention = retention_state(house);
    char counts[STORAGE_RETENTION_KINDS][24];
    int64_t sum = 0;
    for (size_t i = 0; i < STORAGE_RETENTION_KINDS; i++) {
        sum += retention->run.deleted[i];
        (void)snprintf(counts[i], sizeof(counts[i]), "%" PRId64, retention->run.deleted[i]);
    }
    if (sum > 0) {
        storage_empty_log_when_idle(house->storage);
    }
    retention->is_running = false;
    retention_store_next_run(house, house->now_ms + DAY_MS);
    journal_write_house_event(house, "retention",
                              JOURNAL_PAIRS("chat", counts[STORAGE_RETENTION_CHAT], "messages",
                                            counts[STORAGE_RETENTION_MESSAGES], "addresses",
                                            counts[STORAGE_RETENTION_ADDRESSES], "cases",
                                            counts[STORAGE_RETENTION_CASES]));
}

static void retention_continue_run(struct house *house)
{
    struct retention *retention = retention_state(house);
    int64_t addresses_ms = retention->run.before_ms[STORAGE_RETENTION_ADDRESSES];
    int64_t sealed = 0;
    bool is_done = false;
    stored_or_fail(house, storage_retention_continue(house->storage, &retention->run,
                                                     RETENTION_ROWS, &is_done));
    if (is_done && addresses_ms > 0) { /* at last the audit log, whose rows stay */
        stored_or_fail(house,
                       storage_audit_seal(house->storage, addresses_ms, RETENTION_ROWS, &sealed));
        is_done = sealed < RETENTION_ROWS;
    }
    retention->due_ms = house->now_ms + RETENTION_TURN_MS;
    if (is_done && stored_can_commit(house)) {
        retention_end_run(house);
    }
}

static void retention_delete_when_due(struct house *house)
{
    struct retention *retention = retention_state(house);
    if (retention_clock_has_jumped(house)) {
        retention->is_running = false;
        retention_store_next_run(house, house->now_ms + DAY_MS);
    }
    if (house->now_ms < retention->due_ms) {
        return;
    }
    if (!retention->is_running) {
        retention_begin_run(house);
    }
    retention_continue_run(house);
}

static int64_t retention_next_due_ms(const struct house *house)
{
    int64_t due_ms = retention_state(house)->due_ms;
    return due_ms > house->now_ms ? due_ms : house->now_ms; /* overdue after a start: at once */
}

const struct part retention_part = {
    .name = "retention",
    .house_size = sizeof(struct retention),
    .load = retention_load_next_run,
    .tick = retention_delete_when_due,
    .next_ms = retention_next_due_ms,
};
