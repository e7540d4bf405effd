#include "lobby/house/answers.h"
#include "lobby/house/conns.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/stored.h"
#include "lobby/mod/backups.h"
#include "lobby/mod/mod_line.h"
#include "lobby/sanctions/disabled.h"
#include "lobby/sanctions/voice.h"
#include "storage/house/meta.h"
#include "storage/mod/rules.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Draining (no new games begin; lobby/sanctions/disabled.h) and the announced shutdown. Both
 * survive a restart of the core. Draining lasts until staff end it; both end once the house has
 * shut down as announced. */

#define MOTD_META "motd"
#define DRAINING_META "draining"  /* "1", or "" */
#define CLOSING_META "closing_ms" /* a number, or "" */
#define CLOSING_WHY "closing_why"
#define CLOSE_AGAIN_MS 1000 /* no keeper was there to close the house */
#define MINUTE_MS INT64_C(60000)
#define SHUTDOWN_MINUTES_MAX 1440

/* A scheduled closing of the house. */
struct closing {
    bool is_draining; /* no new games may begin */
    bool was_away;    /* time came while no core ran: unknown if closed */
    int64_t at_ms;    /* closing time; 0: none scheduled */
    int64_t due_ms;   /* next announcement, or the closing; INT64_MAX: already closing */
    char why[STORAGE_REASON_SIZE];
};

static struct closing *closing_of(const struct house *house)
{
    return PART_STATE(house, closing);
}

/* Shows the sentence to everybody in the house. */
static void closing_tell_all(struct house *house, const char *kind, json_t *sentence)
{
    const struct conn *conn = NULL;
    struct index_at next;
    INDEX_EACH(&house->conns, conn, next)
    {
        if (conn->person != NULL) {
            conn_notice(house, conn, kind, json_incref(sentence));
        }
    }
    json_decref(sentence);
}

/* Shows the message of the day, if there is one, to somebody who enters. */
static void closing_tell_motd(struct house *house, struct conn *conn)
{
    char text[STORAGE_META_SIZE];
    if (stored(house, storage_meta_get(house->storage, MOTD_META, text)) && text[0] != '\0') {
        conn_notice(house, conn, "motd", say("%s", text));
    }
}

/* When people are reminded next: after half of the time left, in whole minutes. */
static int64_t next_word_ms(const struct closing *closing, int64_t now_ms)
{
    int64_t left = (closing->at_ms - now_ms) / MINUTE_MS;
    return left < 2 ? closing->at_ms : closing->at_ms - left / 2 * MINUTE_MS;
}

static json_t *closing_say(const struct house *house)
{
    const struct closing *closing = closing_of(house);
    int64_t left_ms = closing->at_ms - house->now_ms;
    int64_t minutes = left_ms < 0 ? 0 : (left_ms + MINUTE_MS - 1) / MINUTE_MS;
    return say(_("The house closes in %lld min: %s"), (long long)minutes, closing->why);
}

static void tell_closing(struct house *house)
{
    struct closing *closing = closing_of(house);
    closing_tell_all(house, "warn", closing_say(house));
    closing->due_ms = next_word_ms(closing, house->now_ms);
}

static const char *draining_words(bool is_on)
{
    return is_on ? _("No new games begin for now; those that are on go on.")
                 : _("New games may begin again.");
}

/* Tells a person who enters (again) that the house is about to close and when, or that it is
 * draining. */
static void closing_tell(struct house *house, struct conn *conn, UNUSED int64_t heard)
{
    const struct closing *closing = closing_of(house);
    if (closing->at_ms != 0 && !closing->was_away) {
        conn_notice(house, conn, "warn", closing_say(house));
    } else if (closing->is_draining) {
        conn_notice(house, conn, "info", say("%s", draining_words(true)));
    }
}

static void closing_drain(struct house *house)
{
    const struct closing *closing = closing_of(house);
    disabled_drain(house, closing->is_draining || closing->at_ms != 0);
}

/* Stores what is about to be announced. */
static void closing_keep(struct house *house)
{
    const struct closing *closing = closing_of(house);
    char at[24] = "";
    if (closing->at_ms != 0) {
        (void)snprintf(at, sizeof(at), "%" PRId64, closing->at_ms);
    }
    stored_or_fail(
        house, storage_meta_set(house->storage, DRAINING_META, closing->is_draining ? "1" : ""));
    stored_or_fail(house, storage_meta_set(house->storage, CLOSING_META, at));
    stored_or_fail(house, storage_meta_set(house->storage, CLOSING_WHY,
                                           closing->at_ms == 0 ? "" : closing->why));
    closing_drain(house);
}

/* "" when there is none. */
static bool closing_read(struct house *house, const char *name, char value[STORAGE_META_SIZE])
{
    enum storage_result result = storage_meta_get(house->storage, name, value);
    if (result == STORAGE_NOT_FOUND) {
        value[0] = '\0';
        return true;
    }
    return stored(house, result);
}

/* Loads what was announced. */
static void closing_begin(struct house *house)
{
    struct closing *closing = closing_of(house);
    char draining[STORAGE_META_SIZE];
    char at[STORAGE_META_SIZE];
    char why[STORAGE_META_SIZE];
    bool was_away = closing->was_away;
    if (!closing_read(house, DRAINING_META, draining) || !closing_read(house, CLOSING_META, at) ||
        !closing_read(house, CLOSING_WHY, why)) {
        return;
    }
    *closing = (struct closing){
        .is_draining = draining[0] != '\0',
        .at_ms = strtoll(at, NULL, 10),
    };
    (void)snprintf(closing->why, sizeof(closing->why), "%.*s", (int)sizeof(closing->why) - 1, why);
    bool is_past = closing->at_ms != 0 && closing->at_ms <= house->now_ms;
    /* A core that starts has no connections yet; one that has waited for disk space has some. */
    closing->was_away = is_past && (was_away || index_count(&house->conns) == 0);
    closing->due_ms = is_past ? house->now_ms : next_word_ms(closing, house->now_ms);
    closing_drain(house);
}

/* All connections that outlived the last core have been handed over. If there are none, the house
 * closed as announced while no core was running. If there are any, it did not, and closes now. */
static void closing_connections_end(struct house *house, bool has_survivors)
{
    struct closing *closing = closing_of(house);
    if (!closing->was_away) {
        return;
    }
    if (has_survivors) {
        closing->was_away = false;
    } else {
        *closing = (struct closing){0};
        closing_keep(house);
    }
}

static int64_t closing_next_ms(const struct house *house)
{
    const struct closing *closing = closing_of(house);
    return closing->at_ms == 0 || closing->was_away ? INT64_MAX : closing->due_ms;
}

static void closing_tick(struct house *house)
{
    struct closing *closing = closing_of(house);
    if (house->now_ms < closing_next_ms(house)) {
        return;
    }
    if (house->now_ms < closing->at_ms) {
        tell_closing(house);
        return;
    }
    /* The announcement stays stored until a house starts with nobody in it, since this core may end
     * before the house does. */
    closing->due_ms = backups_close(house) ? INT64_MAX : house->now_ms + CLOSE_AGAIN_MS;
}

static void drain_run(struct order *order)
{
    struct closing *closing = closing_of(order->house);
    bool is_on = order->word[0] == '\0' || strcmp(order->word, "on") == 0;
    if (!is_on && strcmp(order->word, "off") != 0) {
        order_no(order, "bad", "%s", _("Say on or off."));
        return;
    }
    closing->is_draining = is_on;
    closing_keep(order->house);
    order_say(order, "%s",
              is_on ? _("No new games begin; those that are on go on.") : _("Games begin again."));
    closing_tell_all(order->house, "info", say("%s", draining_words(is_on)));
}

const struct mod_command mod_command_drain = {
    .parts = {PART_WORD_MAYBE},
    .run = drain_run,
};

static void shutdown_cancel(struct order *order)
{
    struct closing *closing = closing_of(order->house);
    if (closing->at_ms == 0 || closing->due_ms == INT64_MAX) {
        order_no(order, "unknown", "%s", _("The house is not about to close."));
        return;
    }
    closing->at_ms = 0;
    closing_keep(order->house);
    closing_tell_all(order->house, "info", say(_("The house stays open.")));
    order_say(order, "%s", _("The house stays open."));
}

static void shutdown_run(struct order *order)
{
    struct closing *closing = closing_of(order->house);
    char *end = NULL;
    if (strcmp(order->word, "cancel") == 0) {
        shutdown_cancel(order);
        return;
    }
    long minutes = strtol(order->word, &end, 10);
    if (*end != '\0' || minutes < 0 || minutes > SHUTDOWN_MINUTES_MAX) {
        order_no(order, "bad", _("In how many minutes? 0 to %d, or cancel."), SHUTDOWN_MINUTES_MAX);
        return;
    }
    if (order->reason[0] == '\0') {
        order_no(order, "reason", "%s", _("Say why: everybody in the house reads it."));
        return;
    }
    closing->at_ms = order->house->now_ms + minutes * MINUTE_MS;
    order->expires_ms = closing->at_ms;
    closing->was_away = false;
    (void)snprintf(closing->why, sizeof(closing->why), "%s", order->reason);
    closing_keep(order->house);
    tell_closing(order->house);
    order_say(order, _("The house closes in %ld min."), minutes);
}

const struct mod_command mod_command_shutdown = {
    .parts = {PART_WORD, PART_REASON_MAYBE},
    .run = shutdown_run,
};

static void motd_run(struct order *order)
{
    char was[STORAGE_META_SIZE] = "";
    struct house *house = order->house;
    if (!stored(house, storage_meta_get(house->storage, MOTD_META, was))) {
        was[0] = '\0';
    }
    if (order->reason[0] == '\0') {
        order->flags |= MOD_READS | MOD_OWN;
        order_say(order, "%p",
                  say_word(was[0] == '\0' ? _("Nothing is told to those who come in.") : was));
        return;
    }
    if (!mod_needs(order, RANK_ADMIN) || !voice_admits_order(order, MUTE_LOBBY)) {
        return;
    }
    bool is_none = strcmp(order->reason, "@") == 0;
    stored_or_fail(house,
                   storage_meta_set(house->storage, MOTD_META, is_none ? "" : order->reason));
    order->before = json_pack("{s:s}", "motd", was);
    order_say(order, "%s",
              is_none ? _("Nothing is told to those who come in any more.")
                      : _("Whoever comes in reads that from now on."));
}

const struct mod_command mod_command_motd = {
    .parts = {PART_TEXT_MAYBE},
    .flags = MOD_LOOKS,
    .run = motd_run,
};

static void wall_run(struct order *order)
{
    if (!voice_admits_order(order, MUTE_LOBBY)) {
        return;
    }
    closing_tell_all(order->house, "wall",
                     say(_("%p to everybody: %s"), order_by(order), order->reason));
    order_say(order, "%s", _("Everybody reads it."));
}

const struct mod_command mod_command_wall = {
    .parts = {PART_TEXT},
    .run = wall_run,
};

const struct part closing_part = {
    .name = "closing",
    .house_size = sizeof(struct closing),
    .works_when_full = true,
    .load = closing_begin,
    .tick = closing_tick,
    .next_ms = closing_next_ms,
    .hello = closing_tell,
    .greet = closing_tell_motd,
    .settled = closing_connections_end,
};
