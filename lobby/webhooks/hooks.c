#include "lobby/webhooks/webhooks.h"

#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/persons/persons.h"
#include "lobby/protocol/protocol.h"
#include "lobby/sanctions/sanctions.h"
#include "lobby/tables/tables.h"
#include "storage/webhooks/hooks.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define HOOK_SECRET_BYTES 32
#define HOOK_POSTS_MAX 16

/* The kinds of events, and the bits of storage_hook.events. Their numbers are stored and never
 * change. */
enum hook_event {
    HOOK_TURN = 0,   /* it is the owner's turn */
    HOOK_OVER = 1,   /* a game in which the owner plays has ended */
    HOOK_TELL = 2,   /* somebody has sent the owner a direct message */
    HOOK_START = 3,  /* a game in which the owner plays has begun */
    HOOK_TEST = 4,   /* never a bit: the owner asks for each test */
    HOOK_LIVE = 5,   /* no event: the owner also wants events of live tables */
    HOOK_REPORT = 6, /* a report or an appeal waits for the owner, who is staff */
};

#define HOOK_EVENTS_DEFAULT (UINT32_C(1) << HOOK_TURN)

static const char *const hook_words[] = {
    [HOOK_TURN] = "turn", [HOOK_OVER] = "over", [HOOK_TELL] = "tell",     [HOOK_START] = "start",
    [HOOK_TEST] = "test", [HOOK_LIVE] = "live", [HOOK_REPORT] = "report", NULL,
};

struct hook {
    struct storage_hook row; /* the stored row; an empty url: the webhook was removed */
    int64_t tested_ms;       /* when the webhook was last tested */
    int64_t posted_event;    /* number of the event that is being sent; 0: none */
    int64_t posted_ms;       /* since when */
};

struct hooks {
    struct index by_account;
    int64_t turns_ms; /* when the next player whose turn it is will count as away */
    int64_t due_ms;   /* when to look at the queue of events next */
    int64_t worker;   /* connection of the process that posts to webhooks; 0: not connected */
};

PART_STATE(hooks_of, struct hooks, hooks);

static struct hook *find_webhook_even_removed(const struct house *house, int64_t account)
{
    return index_find(&hooks_of(house)->by_account, &account, sizeof(account));
}

/* Returns the account's webhook; NULL when it has none, or the house offers no webhooks. */
static struct hook *hook_find(const struct house *house, int64_t account)
{
    struct hook *hook = find_webhook_even_removed(house, account);
    return hook != NULL && hook->row.url[0] != '\0' ? hook : NULL;
}

static void hook_save(struct house *house, const struct hook *hook)
{
    stored_or_fail(house, storage_hook_save(house->storage, &hook->row));
}

static void hook_remove(struct house *house, struct hook *hook)
{
    stored_or_fail(house, storage_hook_remove(house->storage, hook->row.account));
    hook->row = (struct storage_hook){.account = hook->row.account, .events = HOOK_EVENTS_DEFAULT};
}

void hook_delete_for_account(struct house *house, int64_t account)
{
    struct hook *hook = hook_find(house, account);
    if (hook != NULL) {
        hook_remove(house, hook);
    }
}

/* True while the account is banned or suspended: nothing is sent to its webhook. */
static bool hook_owner_is_sanctioned(struct house *house, int64_t account)
{
    SANCTIONS_EACH(sanction, house) {
        if ((sanction->row.kind == STORAGE_SANCTION_BAN ||
             sanction->row.kind == STORAGE_SANCTION_SUSPEND) &&
            sanction_names(&sanction->row, account, "")) {
            return true;
        }
    }
    return false;
}

/* Sends a notice to the connections of the webhook's owner, if any. */
static void hook_notify_owner(struct house *house, const struct hook *hook, const char *kind,
                              json_t *sentence)
{
    CONNS_EACH(conn, house) {
        bool is_owner = conn->person != NULL && conn->person->account == hook->row.account;
        if (is_owner && !conn->awaits_hello) {
            conn_send_notice(house, conn, kind, json_incref(sentence));
        }
    }
    json_decref(sentence);
}

void hook_send_undelivered_count(struct house *house, struct conn *conn)
{
    struct hook *hook = hook_find(house, conn->person->account);
    if (hook == NULL) {
        return;
    }
    if (hook->row.given_up > 0) {
        conn_send_notice(house, conn, "warn",
                         say_plural("%u message did not reach your webhook.",
                                    "%u messages did not reach your webhook.",
                                    (unsigned)hook->row.given_up));
    }
    /* in read-only mode, the number cannot be cleared, and is reported again at the next sign-in */
    if (hook->row.given_up > 0 && !house->is_read_only) {
        hook->row.given_up = 0;
        hook_save(house, hook);
    }
    if (hook->row.is_off) {
        conn_send_notice(
            house, conn, "warn",
            say(_("Your webhook failed too often and is off: /webhook test tries it again.")));
    }
}

/* True when the person counts as away. A person who is not in the house (NULL) counts as away. */
static bool hook_owner_is_away(const struct house *house, const struct person *person)
{
    return person == NULL ||
           house->now_ms - person->active_ms >= 1000 * (int64_t)house->config.webhook_idle_s;
}

/* True when the owner of the webhook (NULL: none) wants this event, of that table if `table` is
 * given. */
static bool hook_wants_event(const struct hook *hook, const struct table *table,
                             enum hook_event event)
{
    return hook != NULL && !hook->row.is_off && (hook->row.events >> event & 1) != 0 &&
           (table == NULL || (hook->row.events >> HOOK_LIVE & 1) != 0 ||
            !clock_rule_is_for_one_sitting(&table->clock.rule));
}

/* Returns the webhook of the player on this seat; NULL: none. */
static struct hook *webhook_of_seat(const struct house *house, const struct table *table, int seat)
{
    const struct storage_seat *holder = &table->row.seats[seat];
    return holder->holder == STORAGE_SEAT_PLAYER ? hook_find(house, holder->account) : NULL;
}

/* Makes the fields "table", "game", "title" and "text" of HOOK_TURN, HOOK_OVER or HOOK_START. */
static json_t *hook_table_fields(const struct table *table, enum hook_event event)
{
    json_t *fields = json_pack("{s:I,s:s,s:s}", "table", (json_int_t)table->row.id, "game",
                               table->game->id, "title", table->game->title);
    (void)json_object_set_new(
        fields, "text",
        say_make_english_string(say(event == HOOK_TURN   ? _("It is your turn at %p.")
                                    : event == HOOK_OVER ? _("The game at %p is over.")
                                                         : _("The game at %p has begun."),
                                    table_title(table))));
    return fields;
}

/* Adds the fields that every event's body has. */
static void put_common_fields(const struct house *house, enum hook_event event, json_t *body)
{
    (void)json_object_set_new(body, "event", json_string(hook_words[event]));
    (void)json_object_set_new(body, "at", json_integer(house->now_ms));
    (void)json_object_set_new(body, "house", json_string(house->config.house_name));
    if (house->config.webhook_command[0] != '\0') {
        (void)json_object_set_new(body, "command", json_string(house->config.webhook_command));
    }
}

/* Queues an event. Its body has `fields`, of which the function takes ownership, and the common
 * fields. If `table` is given, the event is about this seat at the table. */
static void hook_queue_event(struct house *house, struct hook *hook, enum hook_event event,
                             const struct table *table, int seat, json_t *fields)
{
    put_common_fields(house, event, fields);
    char *body = json_dumps(fields, JSON_COMPACT);
    json_decref(fields);
    struct storage_hook_event row = {
        .account = hook->row.account,
        .event = (uint8_t)event,
        .body = memory_check_allocated(body),
        .next_ms = house->now_ms,
    };
    if (table != NULL) {
        row.table = table->row.id;
        row.seat = (uint8_t)seat;
        row.game = table->row.game_id;
        row.step = (uint32_t)table->plays[seat].since_step;
    }
    int64_t id = 0;
    bool was_full = false;
    stored_or_fail(house, storage_hook_event_add(house->storage, &row, &id, &was_full));
    free(body);
    if (was_full) {
        hook->row.given_up++;
        hook_save(house, hook);
    }
    hooks_of(house)->due_ms = house->now_ms;
}

/* Queues an event about the game at the table for each player who wants it and is away. */
static void hook_queue_event_of_table(struct house *house, struct table *table,
                                      enum hook_event event)
{
    for (int seat = 0; seat < table->row.players; seat++) {
        struct hook *hook = webhook_of_seat(house, table, seat);
        if (!hook_wants_event(hook, table, event) ||
            !hook_owner_is_away(house, table_connected_holder(house, table, seat))) {
            continue;
        }
        json_t *fields = hook_table_fields(table, event);
        (void)json_object_set_new(fields, "game_id", json_integer(table->row.game_id));
        (void)json_object_set_new(fields, "player", json_string(table->row.seats[seat].name));
        hook_queue_event(house, hook, event, table, seat, fields);
    }
}

static void queue_direct_message_event(struct house *house, int64_t account,
                                       const struct person *person, const char *recipient,
                                       const char *sender)
{
    struct hook *hook = hook_find(house, account);
    if (hook_wants_event(hook, NULL, HOOK_TELL) && hook_owner_is_away(house, person)) {
        json_t *text = say_make_english_string(say(_("%s has written to you."), sender));
        hook_queue_event(
            house, hook, HOOK_TELL, NULL, 0,
            json_pack("{s:s,s:o,s:s}", "from", sender, "text", text, "player", recipient));
    }
}

/* Calls the webhooks of absent staff. */
static void queue_report_events(struct house *house)
{
    struct storage_account account;
    INDEX_ITEMS_EACH(struct hook, hook, &hooks_of(house)->by_account) {
        if (hook->row.url[0] != '\0' && hook_wants_event(hook, NULL, HOOK_REPORT) &&
            stored(house, storage_account_by_id(house->storage, hook->row.account, &account)) &&
            account.role >= STORAGE_ROLE_MOD &&
            hook_owner_is_away(house, person_find(house, account.name))) {
            hook_queue_event(
                house, hook, HOOK_REPORT, NULL, 0,
                json_pack("{s:o,s:s}", "text",
                          say_make_english_string(say(_("A report or an appeal waits for staff."))),
                          "player", account.name));
        }
    }
}

const struct person_listener hook_events_person_listener = {
    .case_opened = queue_report_events,
};

const struct chat_listener hook_events_chat_listener = {
    .direct_message = queue_direct_message_event,
};

/*
 * Reports turns to the webhooks of players who are away: without a connection for HOOK_GONE_MS, or
 * idle for config.webhook_idle_s. Each turn is reported once. If the turn ends before the report
 * was sent, the report is withdrawn. Reports are stored, so that a restart repeats none.
 */

/* True while the turn that this stored event reports still lasts. */
static bool reported_turn_lasts(const struct table *table, const struct storage_hook_event *event)
{
    return table != NULL && table_is_playing(table) && event->seat < table->row.players &&
           table->row.game_id == event->game &&
           table->row.seats[event->seat].account == event->account &&
           table->plays[event->seat].since_step == event->step &&
           (table_seats_on_turn(table) >> event->seat & 1) != 0;
}

static bool load_stored_turn_report(void *context, const struct storage_hook_event *event)
{
    struct house *house = context;
    struct table *table = table_find(house, event->table);
    if (reported_turn_lasts(table, event)) {
        table->plays[event->seat].turn_reported = (size_t)event->step + 1;
    } else if (!house->is_read_only) {
        stored_or_fail(house, storage_hook_event_delete(house->storage, event->id));
    }
    return true;
}

/* Loads which turns were reported, and drops reports of turns that are over. Called after the
 * tables are loaded. */
static void hook_turns_load(struct house *house)
{
    stored_or_fail(house, storage_hook_events_each_of_kind(house->storage, HOOK_TURN,
                                                           load_stored_turn_report, house));
}

/* Withdraws the report of this seat's turn, so that the turn may be reported again. */
static void withdraw_turn_report(struct house *house, struct table *table, int seat)
{
    if (table->plays[seat].turn_reported != 0) {
        table->plays[seat].turn_reported = 0;
        table_check_storage_result(
            house, table,
            storage_hook_events_delete_at_seat(house->storage, HOOK_TURN, table->row.id, seat));
    }
}

static void withdraw_turn_reports_of_account(struct house *house, struct table *table,
                                             int64_t account)
{
    for (int seat = 0; seat < table->row.players; seat++) {
        if (table->row.seats[seat].account == account) {
            withdraw_turn_report(house, table, seat);
        }
    }
}

/* Reports the present turns of the account's owner again, because the webhook has changed. */
static void hook_turns_report_again(struct house *house, int64_t account)
{
    TABLES_EACH(table, house) {
        withdraw_turn_reports_of_account(house, table, account);
    }
}

static void withdraw_turn_reports_at_table(struct house *house, struct table *table)
{
    for (int seat = 0; seat < SEATS_MAX; seat++) {
        withdraw_turn_report(house, table, seat);
    }
}

/* Returns when the player on this seat counts as away. */
static int64_t player_counts_as_away_at_ms(const struct house *house, const struct table *table,
                                           int seat)
{
    const struct person *person = table_connected_holder(house, table, seat);
    return person == NULL ? table->gone_ms[seat] + HOOK_GONE_MS
                          : person->active_ms + 1000 * (int64_t)house->config.webhook_idle_s;
}

static void report_turn(struct house *house, struct table *table, int seat, struct hook *hook)
{
    json_t *fields = hook_table_fields(table, HOOK_TURN);
    int64_t due_ms = table_times_timeout_at_ms(house, table, seat);
    (void)json_object_set_new(fields, "due_at",
                              due_ms == INT64_MAX ? json_null() : json_integer(due_ms));
    (void)json_object_set_new(fields, "player", json_string(table->row.seats[seat].name));
    hook_queue_event(house, hook, HOOK_TURN, table, seat, fields);
    table->plays[seat].turn_reported = table->plays[seat].since_step + 1;
}

/* Reports or withdraws this seat's turn; returns when to check it again. */
static int64_t update_turn_report(struct house *house, struct table *table, int seat)
{
    struct seat_play *play = &table->plays[seat];
    bool is_on = table_is_playing(table) && table_waits_for_seat(table, seat);
    if (!is_on || table->plays[seat].turn_reported != play->since_step + 1) {
        withdraw_turn_report(house, table, seat);
    }
    struct hook *hook =
        is_on && table->plays[seat].turn_reported == 0 ? webhook_of_seat(house, table, seat) : NULL;
    if (!hook_wants_event(hook, table, HOOK_TURN)) {
        return INT64_MAX;
    }
    int64_t away_ms = player_counts_as_away_at_ms(house, table, seat);
    if (away_ms > house->now_ms) {
        return away_ms;
    }
    report_turn(house, table, seat, hook);
    return INT64_MAX;
}

/* Compares the turns at all tables with those that were reported. */
static void update_turn_reports(struct house *house)
{
    struct hooks *hooks = hooks_of(house);
    hooks->turns_ms = INT64_MAX;
    if (index_count(&hooks->by_account) == 0) {
        return;
    }
    TABLES_EACH(table, house) {
        for (int seat = 0; seat < table->row.players; seat++) {
            int64_t next_ms = update_turn_report(house, table, seat);
            hooks->turns_ms = next_ms < hooks->turns_ms ? next_ms : hooks->turns_ms;
        }
    }
}

static void begin_game(struct house *house, struct table *table)
{
    withdraw_turn_reports_at_table(house, table); /* those of the previous game */
    hook_queue_event_of_table(house, table, HOOK_START);
}

static void end_game(struct house *house, struct table *table)
{
    hook_queue_event_of_table(house, table, HOOK_OVER);
}

const struct table_listener hooks_table_listener = {
    .game_begun = begin_game,
    .game_over = end_game,
    .closed = withdraw_turn_reports_at_table,
};

/*
 * Delivery of queued events. Due events go to the peer `hook`, one per account at a time; the
 * peer's answer says whether the event arrived. Before each attempt starts, the attempt is counted
 * and the next one is scheduled. So even if a process dies meanwhile, an event is sent at least
 * once, and none is retried for ever. Events that are due while the account is banned or suspended
 * are dropped.
 *
 *     waiting ──post──▶ under way ──2xx──▶ delivered
 *        ▲                  │
 *        └─ HOOK_PAUSES ────┴──too often──▶ given up (the owner learns of it at the next sign-in)
 */
#define HOOK_POST_MS INT64_C(60000) /* an attempt fails when it has no answer after this time */
#define POST_WHY_MAX 16

/* the pause after each failed attempt except the last */
static const int64_t post_pauses_ms[HOOK_TRIES - 1] = {60000, 300000, 1800000, 7200000, 43200000};

static void accept_ready_worker(struct house *house, struct conn *worker)
{
    INDEX_ITEMS_EACH(struct hook, hook, &hooks_of(house)->by_account) {
        hook->posted_event = 0;
    }
    hooks_of(house)->worker = worker->id;
    hooks_of(house)->due_ms = house->now_ms;
}

static void forget_gone_worker(struct house *house, struct conn *worker)
{
    if (hooks_of(house)->worker == worker->id) {
        hooks_of(house)->worker = 0;
    }
}

/* The events that are due, to be posted now. */
struct post_batch {
    struct house *house;
    size_t room, count;
    struct storage_hook_event events[HOOK_POSTS_MAX];
    char *bodies[HOOK_POSTS_MAX]; /* copies, to which `events` point */
};

static bool add_due_event(void *context, const struct storage_hook_event *event)
{
    struct post_batch *batch = context;
    struct hook *hook = find_webhook_even_removed(batch->house, event->account);
    if (hook == NULL || hook->posted_event == 0) {
        batch->bodies[batch->count] = memory_check_allocated(strdup(event->body));
        batch->events[batch->count] = *event;
        batch->events[batch->count].body = batch->bodies[batch->count];
        batch->count++;
    }
    if (hook != NULL && hook->posted_event == 0) {
        hook->posted_event = event->id; /* until handle_due_event decides */
        hook->posted_ms = batch->house->now_ms;
    }
    return batch->count < batch->room;
}

static size_t count_posts_under_way(const struct house *house)
{
    size_t count = 0;
    INDEX_ITEMS_EACH(struct hook, hook, &hooks_of(house)->by_account) {
        count += hook->posted_event != 0;
    }
    return count;
}

/* Gives up attempts that got no answer in time; returns how many more posts may begin. */
static size_t count_free_post_slots(struct house *house)
{
    size_t most = house->config.webhook_parallel;
    most = most > HOOK_POSTS_MAX ? HOOK_POSTS_MAX : most;
    INDEX_ITEMS_EACH(struct hook, hook, &hooks_of(house)->by_account) {
        if (house->now_ms >= hook->posted_ms + HOOK_POST_MS) {
            hook->posted_event = 0;
        }
    }
    size_t busy = count_posts_under_way(house);
    return busy < most ? most - busy : 0;
}

/* Makes the body to post. The event's number comes first, so that a receiver recognises repeated
 * posts. */
static char *make_post_body(const struct house *house, const struct storage_hook_event *event)
{
    json_t *rest = json_loads(event->body, 0, NULL);
    json_t *body =
        json_pack("{s:I,s:I}", "id", (json_int_t)event->id, "sent_at", (json_int_t)house->now_ms);
    if (rest != NULL) {
        (void)json_object_update(body, rest);
    }
    char *text = memory_check_allocated(json_dumps(body, JSON_COMPACT));
    json_decref(rest);
    json_decref(body);
    return text;
}

static void send_post(struct house *house, const struct storage_hook_event *event,
                      struct hook *hook)
{
    const struct conn *worker = conn_find(house, hooks_of(house)->worker);
    int64_t pause_ms =
        event->attempts < HOOK_TRIES - 1 ? post_pauses_ms[event->attempts] : HOOK_POST_MS;
    char *body = make_post_body(house, event);
    stored_or_fail(house, storage_hook_event_note_attempt(house->storage, event->id,
                                                          house->now_ms + pause_ms));
    hook->posted_event = event->id;
    conn_send(house, worker,
              json_pack("{s:s,s:I,s:s,s:s,s:I,s:s}", "t", "post", "job", (json_int_t)event->id,
                        "url", hook->row.url, "secret", hook->row.secret, "at_s",
                        (json_int_t)(house->now_ms / 1000), "body", body));
    free(body);
}

static void finish_queued_event(struct house *house, int64_t event_id, bool stays_stored)
{
    stored_or_fail(house, stays_stored ? storage_hook_event_mark_done(house->storage, event_id)
                                       : storage_hook_event_delete(house->storage, event_id));
}

static void switch_webhook_off(struct house *house, struct hook *hook)
{
    struct storage_account account;
    hook->row.is_off = true;
    stored_or_fail(house, storage_hook_events_delete_waiting(house->storage, hook->row.account));
    if (stored(house, storage_account_by_id(house->storage, hook->row.account, &account))) {
        journal_write_house_event(house, "webhook-off", JOURNAL_PAIRS("account", account.name));
    }
    hook_notify_owner(
        house, hook, "warn",
        say(_("Your webhook failed too often and is off: /webhook test tries it again.")));
}

/* Counts a failed attempt for this event. After too many, gives up the event or switches the whole
 * webhook off. */
static void note_failed_post(struct house *house, struct hook *hook,
                             const struct storage_hook_event *event)
{
    bool is_test = event->event == HOOK_TEST;
    hook->row.failures++;
    if (is_test || event->attempts >= HOOK_TRIES) {
        finish_queued_event(house, event->id, event->event == HOOK_TURN);
        hook->row.given_up += !is_test;
    }
    if (hook->row.failures >= HOOK_FAILURES_MAX && !hook->row.is_off) {
        switch_webhook_off(house, hook);
    }
    hook_save(house, hook);
}

static void handle_due_event(struct house *house, const struct storage_hook_event *event)
{
    struct hook *hook = find_webhook_even_removed(house, event->account);
    bool is_test = event->event == HOOK_TEST;
    if (hook != NULL) {
        hook->posted_event = 0;
    }
    if (hook == NULL || hook->row.url[0] == '\0') {
        finish_queued_event(house, event->id, false);
    } else if (hook_owner_is_sanctioned(house, event->account)) {
        finish_queued_event(house, event->id, event->event == HOOK_TURN);
        if (is_test) {
            hook_notify_owner(
                house, hook, "warn",
                say(_("While you are banned or suspended, your webhook is not called.")));
        }
    } else if (event->attempts >= (is_test ? 1 : HOOK_TRIES)) {
        note_failed_post(house, hook, event); /* the last attempt was not answered */
    } else {
        send_post(house, event, hook);
    }
}

/* Returns when the next event is due or the next attempt times out. */
static int64_t next_post_or_timeout_ms(struct house *house)
{
    int64_t due_ms = INT64_MAX;
    stored_or_fail(house,
                   storage_hook_events_read_next_due(house->storage, house->now_ms, &due_ms));
    INDEX_ITEMS_EACH(struct hook, hook, &hooks_of(house)->by_account) {
        int64_t over_ms = hook->posted_ms + HOOK_POST_MS;
        due_ms = hook->posted_event != 0 && over_ms < due_ms ? over_ms : due_ms;
    }
    return due_ms;
}

static void send_due_posts(struct house *house)
{
    struct hooks *hooks = hooks_of(house);
    if (hooks->worker == 0 || house->now_ms < hooks->due_ms || !house->config.webhook_enabled) {
        return;
    }
    struct post_batch batch = {.house = house, .room = count_free_post_slots(house)};
    if (batch.room > 0) {
        stored_or_fail(house, storage_hook_events_each_due(house->storage, house->now_ms,
                                                           add_due_event, &batch));
    }
    for (size_t i = 0; i < batch.count; i++) {
        handle_due_event(house, &batch.events[i]);
        free(batch.bodies[i]);
    }
    hooks->due_ms = next_post_or_timeout_ms(house);
}

static void report_turns_and_send_posts(struct house *house)
{
    update_turn_reports(house);
    send_due_posts(house);
}

static int64_t report_or_post_due_ms(const struct house *house)
{
    const struct hooks *hooks = hooks_of(house);
    int64_t post_ms =
        hooks->worker == 0 || !house->config.webhook_enabled ? INT64_MAX : hooks->due_ms;
    return hooks->turns_ms < post_ms ? hooks->turns_ms : post_ms;
}

static const char *failure_sentence(const char *why)
{
    static const struct {
        const char *why, *words;
    } all[] = {
        {"url", N_("Your webhook cannot be reached: its address is invalid.")},
        {"name", N_("Your webhook cannot be reached: its host's name is not known.")},
        {"address",
         N_("Your webhook cannot be reached: this house sends nothing to its network or port.")},
        {"connect", N_("Your webhook cannot be reached: nobody answers there.")},
        {"tls", N_("Your webhook cannot be reached: its certificate is invalid.")},
        {"store", N_("Your webhook cannot be called: this house has no certificates to check it. "
                     "Tell its operator.")},
        {"slow", N_("Your webhook took too long to answer.")},
    };
    for (size_t i = 0; i < ARRAY_LEN(all); i++) {
        if (strcmp(all[i].why, why) == 0) {
            return all[i].words;
        }
    }
    return _("Your webhook cannot be reached.");
}

/* Tells the webhook's owner the result of a test. */
static void tell_test_result(struct house *house, const struct hook *hook, bool is_good,
                             int64_t status, const char *why)
{
    json_t *told = NULL;
    if (is_good) {
        told = say(_("Your webhook works: it answered with %d."), (int)status);
    } else if (status >= 300 && status < 400) {
        told =
            say(_("Your webhook answered with %d, a redirect: set its new address."), (int)status);
    } else if (status != 0) {
        told = say(_("Your webhook answered with %d: it refused the message."), (int)status);
    } else {
        told = say("%s", failure_sentence(why));
    }
    hook_notify_owner(house, hook, is_good ? "info" : "warn", told);
}

static void note_successful_post(struct house *house, struct hook *hook,
                                 const struct storage_hook_event *event)
{
    finish_queued_event(house, event->id, event->event == HOOK_TURN);
    if (hook->row.is_off) {
        hook->row.is_off = false;
        hook_turns_report_again(house, hook->row.account);
    }
    if (hook->row.failures != 0 || event->event == HOOK_TEST) {
        hook->row.failures = 0;
        hook_save(house, hook);
    }
}

void message_posted(const struct request *request)
{
    struct house *house = request->house;
    const json_t *body = request->body;
    int64_t job = 0;
    int64_t status = 0;
    struct storage_hook_event event;
    const char *why = json_read_text(body, "why", POST_WHY_MAX);
    if (!json_read_number(body, "job", 1, INT64_MAX, &job)) {
        return;
    }
    if (!json_read_number(body, "status", 100, 999, &status)) {
        status = 0;
    }
    INDEX_ITEMS_EACH(struct hook, posted, &hooks_of(house)->by_account) {
        posted->posted_event = posted->posted_event == job ? 0 : posted->posted_event;
    }
    hooks_of(house)->due_ms = house->now_ms;
    /* in read-only mode, the event is sent again once the disk has room */
    bool is_known =
        !house->is_read_only && stored(house, storage_hook_event_read(house->storage, job, &event));
    struct hook *hook = is_known ? hook_find(house, event.account) : NULL;
    if (hook == NULL) {
        return; /* the event was withdrawn while it was being sent */
    }
    bool is_good = status >= 200 && status < 300;
    metrics_count(house, HOUSE_METRIC_webhook_posts, is_good ? "ok" : "failed", NULL, 1);
    if (event.event == HOOK_TEST) {
        tell_test_result(house, hook, is_good, status, why == NULL ? "" : why);
    }
    if (is_good) {
        note_successful_post(house, hook, &event);
    } else {
        note_failed_post(house, hook, &event);
    }
}

static void measure_posts(const struct house *house)
{
    metrics_count(house, HOUSE_METRIC_queue_length, "webhook", NULL, count_posts_under_way(house));
}

static bool add_stored_webhook(void *context, const struct storage_hook *row)
{
    struct house *house = context;
    struct hook *hook = memory_new(sizeof(*hook));
    hook->row = *row;
    index_add(&hooks_of(house)->by_account, &hook->row.account, sizeof(hook->row.account), hook);
    return true;
}

/* Called after the tables are loaded. */
static void hooks_load(struct house *house)
{
    hooks_of(house)->turns_ms = INT64_MAX;
    hooks_of(house)->due_ms = house->now_ms;
    if (house->config.webhook_enabled) {
        stored_or_fail(house, storage_hooks_each(house->storage, add_stored_webhook, house));
        hook_turns_load(house);
    }
}

static void hooks_clear(struct house *house)
{
    INDEX_ITEMS_EACH(struct hook, hook, &hooks_of(house)->by_account) {
        index_remove(&hooks_of(house)->by_account, &hook->row.account, sizeof(hook->row.account));
        free(hook);
    }
    *hooks_of(house) = (struct hooks){.worker = hooks_of(house)->worker};
}

const struct part hooks_part = {
    .name = "hooks",
    .house_size = sizeof(struct hooks),
    .load = hooks_load,
    .clear = hooks_clear,
    .flush = report_turns_and_send_posts,
    .next_ms = report_or_post_due_ms,
    .measure = measure_posts,
    .helper = PEER_HOOK,
    .listens = PEER_HOOK,
    .peer_ready = accept_ready_worker,
    .conn_gone = forget_gone_worker,
};

#define PORT_DIGITS 5

static bool url_has_scheme(const char *url, const char *scheme)
{
    return strncasecmp(url, scheme, strlen(scheme)) == 0;
}

/* True for a host with an optional port from 1 to 65535: "example.org", "192.0.2.1:8443",
 * "[2001:db8::1]:443". */
static bool host_and_port_are_valid(const char *text, size_t len)
{
    const char *end = text + len;
    const char *port = memchr(text, ':', len);
    if (text[0] == '[') {
        const char *bracket = memchr(text, ']', len);
        port = bracket == NULL ? text : bracket + 1;
    }
    if (port == NULL || port == end) {
        return len > (port == NULL ? 0 : 2);
    }
    const size_t digits = strspn(port + 1, "0123456789");
    const long number = strtol(port + 1, NULL, 10);
    return *port == ':' && port != text && port + 1 + digits == end && digits <= PORT_DIGITS &&
           number > 0 && number <= UINT16_MAX;
}

/* True when the text has the form of a webhook URL: https (or http, with is_http_allowed), a host,
 * optionally a port (1 to 65535) and a path. It must have no user or password, contain only visible
 * ASCII, and be shorter than STORAGE_HOOK_URL_SIZE. The host's address is checked when the webhook
 * is called. */
static bool hook_url_is_valid(const char *url, bool is_http_allowed)
{
    static const char https[] = "https://";
    static const char http[] = "http://";
    bool is_http = is_http_allowed && url_has_scheme(url, http);
    if (!is_http && !url_has_scheme(url, https)) {
        return false;
    }
    const char *host = url + strlen(is_http ? http : https);
    size_t host_len = strcspn(host, "/?#");
    size_t len = strlen(url);
    for (size_t i = 0; i < len; i++) {
        if (url[i] < '!' || url[i] > '~') {
            return false;
        }
    }
    return len < STORAGE_HOOK_URL_SIZE && host_and_port_are_valid(host, host_len) &&
           memchr(host, '@', host_len) == NULL && memchr(host, '\\', host_len) == NULL;
}

/* The requests by which people manage their webhook. */

/* Sets the account's URL and generates a new secret. The chosen events stay; a new webhook gets the
 * default ones. */
static struct hook *hook_set_address(struct house *house, int64_t account, const char *url)
{
    uint8_t bytes[HOOK_SECRET_BYTES];
    struct hook *hook = find_webhook_even_removed(house, account);
    if (hook == NULL) {
        hook = memory_new(sizeof(*hook));
        hook->row.account = account;
        hook->row.events = HOOK_EVENTS_DEFAULT;
        index_add(&hooks_of(house)->by_account, &hook->row.account, sizeof(hook->row.account),
                  hook);
    }
    house->config.random(house->config.random_context, bytes, sizeof(bytes));
    struct text secret = text_init(hook->row.secret, sizeof(hook->row.secret));
    text_put_hex(&secret, bytes, sizeof(bytes));
    (void)snprintf(hook->row.url, sizeof(hook->row.url), "%s", url);
    hook->row.failures = 0;
    hook->row.given_up = 0;
    hook->row.is_off = false;
    hook_save(house, hook);
    /* the events in the queue were meant for the old URL */
    stored_or_fail(house, storage_hook_events_delete_waiting(house->storage, account));
    hook_turns_report_again(house, account);
    return hook;
}

#define HOOK_TEST_MS 10000 /* pause between two tests of a webhook */
#define HOOK_WORD_MAX 16

/* True when the requester may have a webhook; otherwise the request is refused. */
bool need_hooks(struct request *request)
{
    struct conn *conn = request->conn;
    if (!request->house->config.webhook_enabled) {
        answer_no(request, "no_hooks",
                  _("Webhooks are off in this house: its operator can switch them on."));
    } else if (conn->person->account == 0) {
        answer_no(request, "guest", _("Guests cannot have a webhook: make an account first."));
    } else if (conn_is_telnet(conn)) {
        answer_no(request, "telnet",
                  _("Telnet would show the secret to others: manage your webhook over SSH."));
    } else if (conn->person->is_held) {
        answer_no(request, "held",
                  _("New accounts can have a webhook once a moderator has released them."));
    } else {
        return true;
    }
    return false;
}

static json_t *hook_events_json(uint32_t events)
{
    json_t *list = json_array();
    for (size_t event = 0; hook_words[event] != NULL; event++) {
        if ((events >> event & 1) != 0) {
            (void)json_array_append_new(list, json_string(hook_words[event]));
        }
    }
    return list;
}

static json_t *webhook_json(struct house *house, const struct hook *hook)
{
    uint32_t waiting = 0;
    if (hook == NULL) {
        return json_pack("{s:n}", "url");
    }
    stored_or_fail(house,
                   storage_hook_events_count_waiting(house->storage, hook->row.account, &waiting));
    return json_pack("{s:s,s:o,s:b,s:i,s:i}", "url", hook->row.url, "events",
                     hook_events_json(hook->row.events), "is_off", hook->row.is_off, "failures",
                     (int)hook->row.failures, "waiting", (int)waiting);
}

void message_hook(const struct request *request)
{
    answer_ok(request, webhook_json(request->house,
                                    hook_find(request->house, request->conn->person->account)));
}

/* Reads the chosen events; false when the list has an unknown word or no event. */
static bool read_chosen_events(const json_t *list, uint32_t *events)
{
    *events = 0;
    for (size_t i = 0; i < json_array_size(list) && i < HOOK_WORD_MAX; i++) {
        int event = text_find_word(hook_words, json_string_value(json_array_get(list, i)));
        if (event < 0 || event == HOOK_TEST) {
            return false;
        }
        *events |= UINT32_C(1) << event;
    }
    return (*events & ~(UINT32_C(1) << HOOK_LIVE)) != 0;
}

/* Returns the requester's webhook. When there is none, answers the request and returns NULL. */
static struct hook *find_own_webhook(const struct request *request)
{
    struct hook *hook = hook_find(request->house, request->conn->person->account);
    if (hook == NULL) {
        answer_no(request, "hook_none",
                  _("You have no webhook: give its address first, as in /webhook "
                    "https://example.org/turn."));
    }
    return hook;
}

static void set_chosen_events(const struct request *request, const json_t *list)
{
    struct house *house = request->house;
    struct hook *hook = find_own_webhook(request);
    uint32_t events = 0;
    if (hook == NULL) {
        return;
    }
    if (!read_chosen_events(list, &events)) {
        answer_no(
            request, "bad",
            _("The events of a webhook are turn, over, tell, start and, for staff, report; add "
              "live for tables not played turn by turn: as in /webhook events turn,over."));
    } else {
        hook->row.events = events;
        hook_save(house, hook);
        hook_turns_report_again(house, hook->row.account);
        answer_ok(request, webhook_json(house, hook));
    }
}

static void set_webhook_address(const struct request *request, const char *url)
{
    struct house *house = request->house;
    if (url == NULL || !hook_url_is_valid(url, house->config.webhook_http)) {
        answer_no(request, "url_bad",
                  house->config.webhook_http ? _("That is no address to call: it must begin with "
                                                 "https:// or http:// and contain no user name.")
                                             : _("That is no address to call: it must begin with "
                                                 "https:// and contain no user name."));
        return;
    }
    const struct hook *hook = hook_set_address(house, request->conn->person->account, url);
    json_t *fields = webhook_json(house, hook);
    (void)json_object_set_new(fields, "secret", json_string(hook->row.secret));
    person_journal_log_event(house, request->conn, "webhook-set");
    answer_ok(request, fields);
}

void message_hook_set(const struct request *request)
{
    struct house *house = request->house;
    const json_t *url = json_object_get(request->body, "url");
    if (url == NULL) {
        set_chosen_events(request, json_object_get(request->body, "events"));
        return;
    }
    if (!json_is_null(url)) {
        set_webhook_address(request, json_string_value(url));
        return;
    }
    struct hook *hook = hook_find(house, request->conn->person->account);
    if (hook != NULL) {
        hook_remove(house, hook);
        person_journal_log_event(house, request->conn, "webhook-removed");
    }
    answer_ok(request, webhook_json(house, NULL));
}

void message_hook_test(const struct request *request)
{
    struct house *house = request->house;
    struct hook *hook = find_own_webhook(request);
    if (hook == NULL) {
        return;
    }
    int64_t wait_ms = hook->tested_ms + HOOK_TEST_MS - house->now_ms;
    if (hook->tested_ms != 0 && wait_ms > 0) {
        answer_retry_later(request, (wait_ms + 999) / 1000,
                           _("Your webhook was tested just now: wait a few seconds."));
        return;
    }
    hook->tested_ms = house->now_ms;
    hook_queue_event(house, hook, HOOK_TEST, NULL, 0,
                     json_pack("{s:s,s:s}", "player", request->conn->person->name, "text",
                               _("This is a test: your webhook works.")));
    answer_ok(request, NULL);
}
