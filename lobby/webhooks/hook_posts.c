#include "lobby/webhooks/webhooks.h"

#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/persons/persons_state.h"
#include "lobby/protocol/protocol.h"
#include "lobby/webhooks/hooks_state.h"

#include <stdlib.h>
#include <string.h>

/* Which turns at a table were reported to webhooks. */
struct turn_reports {
    bool is_changed;         /* the turn reports of this table have to be updated */
    int64_t due_ms;          /* when the next player whose turn it is will count as away */
    size_t turns[SEATS_MAX]; /* the turn that was last reported for each seat: its since_step + 1;
                                0: none */
};

TABLE_STATE(turn_reports, struct turn_reports, hooks);

/* Returns the webhook of the player on this seat; NULL: none. */
static struct hook *webhook_of_seat(const struct house *house, const struct table *table, int seat)
{
    const struct storage_seat *holder = &table->row.seats[seat];
    return holder->holder == STORAGE_SEAT_PLAYER ? hook_find(house, holder->account) : NULL;
}

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
        turn_reports(table)->turns[event->seat] = (size_t)event->step + 1;
    } else if (!house->is_read_only) {
        stored_or_fail(house, storage_hook_event_unqueue(house->storage, event->id, false));
    }
    return true;
}

void hook_turns_load(struct house *house)
{
    /* all tables are checked at first, since due_ms starts as 0 */
    hooks_of(house)->is_changed = true;
    stored_or_fail(house, storage_hook_events_each_of_kind(house->storage, HOOK_TURN,
                                                           load_stored_turn_report, house));
}

/* Marks the table, so that its turn reports are updated at the end of this round of the event
 * loop. */
static void schedule_turn_report_update(struct house *house, struct table *table)
{
    turn_reports(table)->is_changed = true;
    hooks_of(house)->is_changed = true;
}

/* Withdraws the report of this seat's turn, so that the turn may be reported again. */
static void withdraw_turn_report(struct house *house, struct table *table, int seat)
{
    if (turn_reports(table)->turns[seat] != 0) {
        turn_reports(table)->turns[seat] = 0;
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

void hook_turns_report_again(struct house *house, int64_t account)
{
    TABLES_EACH(table, house) {
        withdraw_turn_reports_of_account(house, table, account);
        schedule_turn_report_update(house, table);
    }
}

static void withdraw_turn_reports_at_table(struct house *house, struct table *table)
{
    bool was_told = false;
    for (int seat = 0; seat < SEATS_MAX; seat++) {
        was_told = was_told || turn_reports(table)->turns[seat] != 0;
        turn_reports(table)->turns[seat] = 0;
    }
    if (was_told) {
        table_check_storage_result(
            house, table,
            storage_hook_events_delete_at_seat(house->storage, HOOK_TURN, table->row.id, -1));
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
    turn_reports(table)->turns[seat] = table->plays[seat].since_step + 1;
}

/* Reports or withdraws this seat's turn; returns when to check it again. */
static int64_t update_turn_report(struct house *house, struct table *table, int seat)
{
    struct seat_play *play = &table->plays[seat];
    bool is_on = table_is_playing(table) && table_waits_for_seat(table, seat);
    if (!is_on || turn_reports(table)->turns[seat] != play->since_step + 1) {
        withdraw_turn_report(house, table, seat);
    }
    struct hook *hook =
        is_on && turn_reports(table)->turns[seat] == 0 ? webhook_of_seat(house, table, seat) : NULL;
    if (hook == NULL || !hook_wants_event(hook, table, HOOK_TURN)) {
        return INT64_MAX;
    }
    int64_t away_ms = player_counts_as_away_at_ms(house, table, seat);
    if (away_ms > house->now_ms) {
        return away_ms;
    }
    report_turn(house, table, seat, hook);
    return INT64_MAX;
}

static void update_turn_reports_at_table(struct house *house, struct table *table)
{
    turn_reports(table)->is_changed = false;
    turn_reports(table)->due_ms = INT64_MAX;
    for (int seat = 0; seat < table->row.players; seat++) {
        int64_t next_ms = update_turn_report(house, table, seat);
        turn_reports(table)->due_ms =
            next_ms < turn_reports(table)->due_ms ? next_ms : turn_reports(table)->due_ms;
    }
}

static void update_due_turn_reports(struct house *house)
{
    struct hooks *hooks = hooks_of(house);
    if (index_count(&hooks->by_account) == 0 ||
        (!hooks->is_changed && house->now_ms < hooks->turns_ms)) {
        return;
    }
    hooks->is_changed = false;
    hooks->turns_ms = INT64_MAX;
    TABLES_EACH(table, house) {
        if (turn_reports(table)->is_changed || turn_reports(table)->due_ms <= house->now_ms) {
            update_turn_reports_at_table(house, table);
        }
        hooks->turns_ms = turn_reports(table)->due_ms < hooks->turns_ms
                              ? turn_reports(table)->due_ms
                              : hooks->turns_ms;
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
    .table_size = sizeof(struct turn_reports),
    .game_begun = begin_game,
    .turn_changed = schedule_turn_report_update,
    .game_over = end_game,
    .closed = withdraw_turn_reports_at_table,
};

#define POST_WHY_MAX 16

/* the pause after each failed attempt except the last */
static const int64_t post_pauses_ms[HOOK_TRIES - 1] = {60000, 300000, 1800000, 7200000, 43200000};

static void accept_ready_worker(struct house *house, struct conn *worker)
{
    memset(hooks_of(house)->posts, 0, sizeof(hooks_of(house)->posts));
    hooks_of(house)->worker = worker->id;
    hooks_of(house)->is_queue_changed = true;
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
    struct post_item {
        int64_t id, account;
        uint8_t event;
        uint32_t attempts;
        char *body;
    } items[HOOK_POSTS_MAX];
};

static bool account_has_post_under_way(const struct post_batch *batch, int64_t account)
{
    const struct hooks *hooks = hooks_of(batch->house);
    for (size_t i = 0; i < HOOK_POSTS_MAX; i++) {
        if (hooks->posts[i].job != 0 && hooks->posts[i].account == account) {
            return true;
        }
    }
    for (size_t i = 0; i < batch->count; i++) {
        if (batch->items[i].account == account) {
            return true;
        }
    }
    return false;
}

static bool add_due_event(void *context, const struct storage_hook_event *event)
{
    struct post_batch *batch = context;
    if (!account_has_post_under_way(batch, event->account)) {
        batch->items[batch->count++] = (struct post_item){
            .id = event->id,
            .account = event->account,
            .event = event->event,
            .attempts = event->attempts,
            .body = memory_check_allocated(strdup(event->body)),
        };
    }
    return batch->count < batch->room;
}

/* Gives up attempts that got no answer in time; returns how many more posts may begin. */
static size_t count_free_post_slots(struct house *house)
{
    struct hooks *hooks = hooks_of(house);
    size_t busy = 0;
    for (size_t i = 0; i < HOOK_POSTS_MAX; i++) {
        if (house->now_ms >= hooks->posts[i].since_ms + HOOK_POST_MS) {
            hooks->posts[i].job = 0;
        }
        busy += hooks->posts[i].job != 0;
    }
    size_t most = house->config.webhook_parallel;
    most = most > HOOK_POSTS_MAX ? HOOK_POSTS_MAX : most;
    return busy < most ? most - busy : 0;
}

static void occupy_post_slot(struct house *house, const struct post_item *item)
{
    struct hooks *hooks = hooks_of(house);
    size_t i = 0;
    while (hooks->posts[i].job != 0) { /* count_free_post_slots has made sure that a slot is free */
        i++;
    }
    hooks->posts[i].job = item->id;
    hooks->posts[i].account = item->account;
    hooks->posts[i].since_ms = house->now_ms;
}

/* Makes the body to post. The event's number comes first, so that a receiver recognises repeated
 * posts. */
static char *make_post_body(const struct house *house, const struct post_item *item)
{
    json_t *rest = json_loads(item->body, 0, NULL);
    json_t *body =
        json_pack("{s:I,s:I}", "id", (json_int_t)item->id, "sent_at", (json_int_t)house->now_ms);
    if (rest != NULL) {
        (void)json_object_update(body, rest);
    }
    char *text = memory_check_allocated(json_dumps(body, JSON_COMPACT));
    json_decref(rest);
    json_decref(body);
    return text;
}

static void send_post(struct house *house, const struct post_item *item, const struct hook *hook)
{
    const struct conn *worker = conn_find(house, hooks_of(house)->worker);
    int64_t pause_ms =
        item->attempts < HOOK_TRIES - 1 ? post_pauses_ms[item->attempts] : HOOK_POST_MS;
    char *body = make_post_body(house, item);
    stored_or_fail(
        house, storage_hook_event_note_attempt(house->storage, item->id, house->now_ms + pause_ms));
    occupy_post_slot(house, item);
    conn_send(house, worker,
              json_pack("{s:s,s:I,s:s,s:s,s:I,s:s}", "t", "post", "job", (json_int_t)item->id,
                        "url", hook->row.url, "secret", hook->row.secret, "at_s",
                        (json_int_t)(house->now_ms / 1000), "body", body));
    free(body);
}

static void finish_queued_event(struct house *house, int64_t event_id, bool stays_stored)
{
    stored_or_fail(house, storage_hook_event_unqueue(house->storage, event_id, stays_stored));
}

static void switch_webhook_off(struct house *house, struct hook *hook)
{
    const struct conn nobody = {0};
    struct storage_account account;
    hook->row.is_off = true;
    stored_or_fail(house, storage_hook_events_delete_waiting(house->storage, hook->row.account));
    if (stored(house, storage_account_by_id(house->storage, hook->row.account, &account))) {
        journal_write(house, &nobody, "webhook-off", JOURNAL_PAIRS("account", account.name));
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

static void handle_due_event(struct house *house, const struct post_item *item)
{
    struct hook *hook = hook_find(house, item->account);
    const struct storage_hook_event event = {
        .id = item->id, .event = item->event, .attempts = item->attempts};
    bool is_test = item->event == HOOK_TEST;
    if (hook == NULL) {
        finish_queued_event(house, item->id, false);
    } else if (hook_owner_is_sanctioned(house, item->account)) {
        finish_queued_event(house, item->id, item->event == HOOK_TURN);
        if (is_test) {
            hook_notify_owner(
                house, hook, "warn",
                say(_("While you are banned or suspended, your webhook is not called.")));
        }
    } else if (item->attempts >= (is_test ? 1 : HOOK_TRIES)) {
        note_failed_post(house, hook, &event); /* the last attempt was not answered */
    } else {
        send_post(house, item, hook);
    }
}

/* Returns when the next event is due or the next attempt times out. */
static int64_t next_post_or_timeout_ms(struct house *house)
{
    const struct hooks *hooks = hooks_of(house);
    int64_t due_ms = INT64_MAX;
    stored_or_fail(house,
                   storage_hook_events_read_next_due(house->storage, house->now_ms, &due_ms));
    for (size_t i = 0; i < HOOK_POSTS_MAX; i++) {
        int64_t over_ms = hooks->posts[i].since_ms + HOOK_POST_MS;
        due_ms = hooks->posts[i].job != 0 && over_ms < due_ms ? over_ms : due_ms;
    }
    return due_ms;
}

static void send_due_posts(struct house *house)
{
    struct hooks *hooks = hooks_of(house);
    bool is_wanted = hooks->is_queue_changed || house->now_ms >= hooks->due_ms;
    if (hooks->worker == 0 || !is_wanted || !house->config.webhook_enabled) {
        return;
    }
    struct post_batch batch = {.house = house, .room = count_free_post_slots(house)};
    if (batch.room > 0) {
        stored_or_fail(house, storage_hook_events_each_due(house->storage, house->now_ms,
                                                           add_due_event, &batch));
    }
    for (size_t i = 0; i < batch.count; i++) {
        handle_due_event(house, &batch.items[i]);
        free(batch.items[i].body);
    }
    hooks->is_queue_changed = false;
    hooks->due_ms = next_post_or_timeout_ms(house);
}

static void report_turns_and_send_posts(struct house *house)
{
    update_due_turn_reports(house);
    send_due_posts(house);
}

static int64_t report_or_post_due_ms(const struct house *house)
{
    const struct hooks *hooks = hooks_of(house);
    int64_t report_ms = index_count(&hooks->by_account) == 0 ? INT64_MAX : hooks->turns_ms;
    int64_t post_ms =
        hooks->worker == 0 || !house->config.webhook_enabled ? INT64_MAX : hooks->due_ms;
    return report_ms < post_ms ? report_ms : post_ms;
}

static void free_post_slot_of_job(struct house *house, int64_t job)
{
    for (size_t i = 0; i < HOOK_POSTS_MAX; i++) {
        if (hooks_of(house)->posts[i].job == job) {
            hooks_of(house)->posts[i].job = 0;
        }
    }
    hooks_of(house)->is_queue_changed = true;
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

static void message_posted(const struct request *request)
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
    free_post_slot_of_job(house, job);
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

const struct message_handler handler_posted = {message_posted};

static void measure_posts(const struct house *house)
{
    const struct hooks *hooks = hooks_of(house);
    size_t busy = 0;
    for (size_t i = 0; i < HOOK_POSTS_MAX; i++) {
        busy += hooks->posts[i].job != 0;
    }
    metrics_count(house, HOUSE_METRIC_queue_length, "webhook", NULL, busy);
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
    .peer_gone = forget_gone_worker,
};
