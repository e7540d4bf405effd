#include "lobby/webhooks/hook_turns.h"

#include "lobby/house/parts.h"
#include "lobby/house/stored.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons_state.h"
#include "lobby/tables/listeners.h"
#include "lobby/tables/table_times.h"
#include "lobby/tables/tables.h"
#include "lobby/webhooks/hooks.h"
#include "lobby/webhooks/hooks_state.h"

/* Of a table with people who may have webhooks. */
struct hook_table {
    bool is_changed;         /* look for turns to send webhooks for */
    int64_t due_ms;          /* when somebody who is to act here starts to count as away */
    size_t turns[SEATS_MAX]; /* of each seat, since_step + 1 of the turn last sent; 0: none */
};

static struct hook_table *hook_table(const struct table *table)
{
    return TABLE_STATE(table, hook_turns);
}

/* The webhook of the player on this seat; NULL without one. */
static struct hook *turn_hook(const struct house *house, const struct table *table, int seat)
{
    const struct storage_seat *holder = &table->row.seats[seat];
    return holder->holder == STORAGE_SEAT_PLAYER ? hook_find(house, holder->account) : NULL;
}

/* True while the turn that this stored event reports is still on. */
static bool turn_is_on(const struct table *table, const struct storage_hook_event *event)
{
    return table != NULL && table_is_playing(table) && event->seat < table->row.players &&
           table->row.game_id == event->game &&
           table->row.seats[event->seat].account == event->account &&
           table->plays[event->seat].since_step == event->step &&
           (table_turn(table) >> event->seat & 1) != 0;
}

static bool turn_take(void *context, const struct storage_hook_event *event)
{
    struct house *house = context;
    struct table *table = table_find(house, event->table);
    if (turn_is_on(table, event)) {
        hook_table(table)->turns[event->seat] = (size_t)event->step + 1;
    } else if (!house->is_read_only) {
        stored_or_fail(house, storage_hook_event_end(house->storage, event->id, false));
    }
    return true;
}

void hook_turns_load(struct house *house)
{
    hooks_of(house)->is_changed = true; /* a new table's due_ms is 0: all are checked */
    stored_or_fail(house,
                   storage_hook_events_each_of_kind(house->storage, HOOK_TURN, turn_take, house));
}

/* Call when the turn at this table, or the presence of a player, has changed. */
static void hook_turns_changed(struct house *house, struct table *table)
{
    hook_table(table)->is_changed = true;
    hooks_of(house)->is_changed = true;
}

/* Withdraws the report of this seat's turn, or lets it be reported again. */
static void turn_withdraw(struct house *house, struct table *table, int seat)
{
    if (hook_table(table)->turns[seat] != 0) {
        hook_table(table)->turns[seat] = 0;
        stored_of_table(
            house, table,
            storage_hook_events_delete_at_seat(house->storage, HOOK_TURN, table->row.id, seat));
    }
}

static void turn_withdraw_all(struct house *house, struct table *table, int64_t account)
{
    for (int seat = 0; seat < table->row.players; seat++) {
        if (table->row.seats[seat].account == account) {
            turn_withdraw(house, table, seat);
        }
    }
}

void hook_turns_forget(struct house *house, int64_t account)
{
    struct table *table = NULL;
    struct index_at next;
    INDEX_EACH(&tables_of(house)->by_id, table, next)
    {
        turn_withdraw_all(house, table, account);
        hook_turns_changed(house, table);
    }
}

static void hook_turns_end(struct house *house, struct table *table)
{
    bool was_told = false;
    for (int seat = 0; seat < SEATS_MAX; seat++) {
        was_told = was_told || hook_table(table)->turns[seat] != 0;
        hook_table(table)->turns[seat] = 0;
    }
    if (was_told) {
        stored_of_table(
            house, table,
            storage_hook_events_delete_at_seat(house->storage, HOOK_TURN, table->row.id, -1));
    }
}

/* When the player on this seat starts to count as away. */
static int64_t turn_away_ms(const struct house *house, const struct table *table, int seat)
{
    const struct person *person = table_holder(house, table, seat);
    return person == NULL ? table->gone_ms[seat] + HOOK_GONE_MS
                          : person->active_ms + 1000 * (int64_t)house->config.webhook_idle_s;
}

static void turn_queue(struct house *house, struct table *table, int seat, struct hook *hook)
{
    json_t *fields = hook_table_fields(table, HOOK_TURN);
    int64_t due_ms = table_times_over_ms(house, table, seat);
    (void)json_object_set_new(fields, "due_at",
                              due_ms == INT64_MAX ? json_null() : json_integer(due_ms));
    (void)json_object_set_new(fields, "player", json_string(table->row.seats[seat].name));
    hook_queue(house, hook, HOOK_TURN, table, seat, fields);
    hook_table(table)->turns[seat] = table->plays[seat].since_step + 1;
}

/* Reports or withdraws this seat's turn. Returns when to check again. */
static int64_t turn_look(struct house *house, struct table *table, int seat)
{
    struct seat_play *play = &table->plays[seat];
    bool is_on = table_is_playing(table) && table_waits_for(table, seat);
    if (!is_on || hook_table(table)->turns[seat] != play->since_step + 1) {
        turn_withdraw(house, table, seat);
    }
    struct hook *hook =
        is_on && hook_table(table)->turns[seat] == 0 ? turn_hook(house, table, seat) : NULL;
    if (hook == NULL || !hook_wants(hook, table, HOOK_TURN)) {
        return INT64_MAX;
    }
    int64_t away_ms = turn_away_ms(house, table, seat);
    if (away_ms > house->now_ms) {
        return away_ms;
    }
    turn_queue(house, table, seat, hook);
    return INT64_MAX;
}

static void turn_look_at(struct house *house, struct table *table)
{
    hook_table(table)->is_changed = false;
    hook_table(table)->due_ms = INT64_MAX;
    for (int seat = 0; seat < table->row.players; seat++) {
        int64_t next_ms = turn_look(house, table, seat);
        hook_table(table)->due_ms =
            next_ms < hook_table(table)->due_ms ? next_ms : hook_table(table)->due_ms;
    }
}

static void hook_turns_flush(struct house *house)
{
    struct hooks *hooks = hooks_of(house);
    struct table *table = NULL;
    struct index_at next;
    if (index_count(&hooks->by_account) == 0 ||
        (!hooks->is_changed && house->now_ms < hooks->turns_ms)) {
        return;
    }
    hooks->is_changed = false;
    hooks->turns_ms = INT64_MAX;
    INDEX_EACH(&tables_of(house)->by_id, table, next)
    {
        if (hook_table(table)->is_changed || hook_table(table)->due_ms <= house->now_ms) {
            turn_look_at(house, table);
        }
        hooks->turns_ms = hook_table(table)->due_ms < hooks->turns_ms ? hook_table(table)->due_ms
                                                                      : hooks->turns_ms;
    }
}

static int64_t hook_turns_next_ms(const struct house *house)
{
    return index_count(&hooks_of(house)->by_account) == 0 ? INT64_MAX : hooks_of(house)->turns_ms;
}

const struct part hook_turns_part = {
    .name = "hook-turns",
    .house_size = sizeof(struct hooks),
    .flush = hook_turns_flush,
    .next_ms = hook_turns_next_ms,
};

const struct table_listener hook_turns_table_listener = {
    .table_size = sizeof(struct hook_table),
    .begin = hook_turns_end, /* the previous game has no turns any more */
    .turn = hook_turns_changed,
    .end = hook_turns_end,
};
