#include "lobby/webhooks/webhooks.h"

#include "lobby/house/parts.h"
#include "lobby/persons/persons_state.h"
#include "lobby/tables/tables.h"
#include "lobby/webhooks/hooks_state.h"

/* Which turns at a table were reported to webhooks. */
struct turn_reports {
    bool is_changed;         /* the turn reports of this table have to be updated */
    int64_t due_ms;          /* when the next player whose turn it is will count as away */
    size_t turns[SEATS_MAX]; /* the turn that was last reported for each seat: its since_step + 1;
                                0: none */
};

static struct turn_reports *turn_reports(const struct table *table)
{
    return TABLE_STATE(table, hook_turns);
}

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

static int64_t next_turn_report_check_ms(const struct house *house)
{
    return index_count(&hooks_of(house)->by_account) == 0 ? INT64_MAX : hooks_of(house)->turns_ms;
}

const struct part hook_turns_part = {
    .name = "hook-turns",
    .house_size = sizeof(struct hooks),
    .flush = update_due_turn_reports,
    .next_ms = next_turn_report_check_ms,
};

const struct table_listener hook_turns_table_listener = {
    .table_size = sizeof(struct turn_reports),
    .game_begun =
        withdraw_turn_reports_at_table, /* withdraws the turn reports of the previous game */
    .turn_changed = schedule_turn_report_update,
    .closed = withdraw_turn_reports_at_table,
};
