#include "lobby/tables/tables.h"

#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "storage/tables/tables.h"

static struct player_time_off read_time_off(struct house *house, int64_t account)
{
    struct player_time_off time = {0};
    struct storage_account row;
    struct storage_time_away stored_time;
    if (account == 0 || !stored(house, storage_account_by_id(house->storage, account, &row))) {
        return time;
    }
    json_t *settings = json_loads(row.settings, 0, NULL);
    (void)quiet_hours_from_json(json_object_get(settings, "quiet"), &time.quiet);
    json_decref(settings);
    if (stored(house, storage_time_away_read(house->storage, account, &stored_time))) {
        time.vacation_ms = stored_time.vacation_ms;
        time.respite_ms = deadline_respite_end_ms(&stored_time);
    }
    return time;
}

void table_times_read_time_off(struct house *house, struct table *table)
{
    for (int seat = 0; seat < table->row.players; seat++) {
        const struct storage_seat *holder = &table->row.seats[seat];
        bool is_player = holder->holder == STORAGE_SEAT_PLAYER;
        table->plays[seat].time = read_time_off(house, is_player ? holder->account : 0);
    }
}

int table_times_find_seat(const struct table *table, int64_t account)
{
    for (int seat = 0; table_is_playing(table) && seat < table->row.players; seat++) {
        const struct storage_seat *holder = &table->row.seats[seat];
        if (holder->holder == STORAGE_SEAT_PLAYER && holder->account == account) {
            return seat;
        }
    }
    return -1;
}

void table_times_reread_time_off(struct house *house, int64_t account)
{
    struct player_time_off time = read_time_off(house, account);
    TABLES_EACH(table, house) {
        int seat = table_times_find_seat(table, account);
        if (seat >= 0) {
            table->plays[seat].time = time;
            table_mark_changed(house, table);
            table_mark_view_changed(house, table);
            table_mark_turns_changed(house, table);
        }
    }
}

static bool somebody_seated_is_connected(const struct house *house, const struct table *table)
{
    for (int seat = 0; seat < table->row.players; seat++) {
        if (table_connected_holder(house, table, seat) != NULL) {
            return true;
        }
    }
    return false;
}

/* Returns how long a game without a clock waits for an absent player: as configured, or a day when
 * all players are away. No game waits a day for guests, since they cannot return. */
static int64_t absence_grace_ms(const struct house *house, const struct table *table, int seat)
{
    if (table->row.seats[seat].holder == STORAGE_SEAT_GUEST ||
        somebody_seated_is_connected(house, table)) {
        return 1000 * (int64_t)house->config.play_absent_grace_s;
    }
    return PACE_ALL_AWAY_MS;
}

static int64_t choose_later_time_ms(int64_t first_ms, int64_t second_ms)
{
    return first_ms > second_ms ? first_ms : second_ms;
}

int64_t table_times_timeout_at_ms(const struct house *house, const struct table *table, int seat)
{
    const struct seat_play *play = &table->plays[seat];
    int64_t gone_ms = table->gone_ms[seat];
    if (table->row.halt != STORAGE_HALT_NONE) {
        return INT64_MAX;
    }
    if (table->clock.rule.kind == CLOCK_NONE) {
        int64_t from_ms = choose_later_time_ms(gone_ms, table->clock.seats[seat].since_ms);
        return gone_ms == 0 ? INT64_MAX : from_ms + absence_grace_ms(house, table, seat);
    }
    int64_t due_ms = table_clock_deadline_ms(&table->clock, seat, &play->time);
    bool has_grace =
        clock_rule_is_for_one_sitting(&table->clock.rule) && gone_ms != 0 && !play->is_grace_spent;
    int64_t grace_ms = gone_ms + 1000 * (int64_t)house->config.play_absent_grace_s;
    return has_grace ? choose_later_time_ms(due_ms, grace_ms) : due_ms;
}

void table_times_mark_clock_changed(struct house *house, struct table *table, int seat)
{
    table->clock_changed = (uint8_t)(table->clock_changed | 1U << seat);
    tables_of(house)->clocks_changed = true;
}

void table_times_note_move_by_player(struct house *house, struct table *table, int seat)
{
    table->plays[seat].misses = 0;
    if (!clock_rule_is_for_one_sitting(&table->clock.rule)) {
        deadline_respite_end(house, table->row.seats[seat].account);
    }
}

static void give_seat_to_bot(struct house *house, struct table *table, int seat)
{
    struct storage_seat *holder = &table->row.seats[seat];
    holder->is_absent = true;
    chat_announce_at_table(house, table,
                           say(_("%s is away: a bot plays until they are back."), holder->name));
    table_save(house, table);
    table_mark_changed(house, table);
    table_mark_turns_changed(house, table);
}

void table_times_let_bot_play(struct house *house, struct table *table, int seat)
{
    struct seat_play *play = &table->plays[seat];
    bool is_live = clock_rule_is_for_one_sitting(&table->clock.rule);
    bool is_gone = is_live && table->gone_ms[seat] != 0;
    int limit = is_live ? TIMES_MISSES_LIVE : TIMES_MISSES_DAYS;
    play->is_grace_spent = play->is_grace_spent || is_gone;
    play->misses = (uint8_t)(play->misses < UINT8_MAX ? play->misses + 1 : UINT8_MAX);
    if (is_gone || play->misses >= limit) {
        give_seat_to_bot(house, table, seat);
    } else {
        play->is_out_of_time = true;
    }
    if (!is_live) {
        deadline_respite_begin(house, &table->row.seats[seat]);
    }
    table_times_mark_clock_changed(house, table, seat);
}

void table_times_note_player_returned(struct house *house, struct table *table, int seat,
                                      bool was_absent)
{
    struct seat_play *play = &table->plays[seat];
    struct clock_seat *own = &table->clock.seats[seat];
    if (was_absent) {
        play->misses = 0;
    }
    if (!own->is_running || table->row.halt != STORAGE_HALT_NONE) {
        return;
    }
    bool is_short =
        !was_absent && !play->is_grace_spent && own->due_ms < house->now_ms + TIMES_RETURN_MS;
    if (was_absent && !clock_rule_has_time_bank(&table->clock.rule)) {
        table_clock_begin_turn(&table->clock, seat, &play->time, house->now_ms);
    } else if (was_absent || (is_short && clock_rule_is_for_one_sitting(&table->clock.rule))) {
        play->is_grace_spent = true;
        table_clock_extend_deadline(&table->clock, seat, house->now_ms + TIMES_RETURN_MS);
    } else {
        return;
    }
    play->is_out_of_time = false;
    table_times_mark_clock_changed(house, table, seat);
    table_mark_view_changed(house, table);
}

static void store_clock(struct house *house, struct table *table, int seat)
{
    const struct seat_play *play = &table->plays[seat];
    const struct clock_seat *own = &table->clock.seats[seat];
    struct storage_clock row = {
        .table = table->row.id,
        .seat = (uint8_t)seat,
        .game = table->row.game_id,
        .misses = play->misses,
        .is_grace_spent = play->is_grace_spent,
        .seen_step = play->seen_step,
        .gone_ms = table->gone_ms[seat],
    };
    if (table->clock.rule.kind != CLOCK_NONE) { /* otherwise load_stored_clock does not need them */
        row.is_running = own->is_running;
        row.since_ms = own->since_ms;
        row.due_ms = own->due_ms;
        row.bank_ms = own->bank_ms;
    }
    enum storage_result result =
        storage_clock_save(house->storage, &row, &table->stored_clocks[seat]);
    if (result == STORAGE_OK) {
        table->stored_clocks[seat] = row;
    }
    table_check_storage_result(house, table, result);
}

static void store_changed_clocks(struct house *house, struct table *table)
{
    for (int seat = 0; seat < table->row.players; seat++) {
        if ((table->clock_changed >> seat & 1) != 0) {
            store_clock(house, table, seat);
        }
    }
    table->clock_changed = 0;
}

void table_times_store_changes(struct house *house)
{
    if (!tables_of(house)->clocks_changed) {
        return;
    }
    TABLES_EACH(table, house) {
        store_changed_clocks(house, table);
    }
    tables_of(house)->clocks_changed = false;
}

static bool load_stored_clock(void *context, const struct storage_clock *row)
{
    struct table *table = context;
    if (row->seat < SEATS_MAX) {
        table->stored_clocks[row->seat] = *row;
    }
    if (row->game != table->row.game_id || row->seat >= table->row.players) {
        return true;
    }
    struct seat_play *play = &table->plays[row->seat];
    struct clock_seat *own = &table->clock.seats[row->seat];
    if (table->clock.rule.kind != CLOCK_NONE) { /* without a clock, the times of the replayed moves
                                                   are more accurate than the stored times */
        own->is_running = row->is_running;
        own->since_ms = row->since_ms;
        own->due_ms = row->due_ms;
        own->bank_ms = row->bank_ms;
    }
    table->gone_ms[row->seat] = row->gone_ms;
    play->misses = row->misses;
    play->is_grace_spent = row->is_grace_spent;
    play->seen_step = row->seen_step;
    return true;
}

void table_times_load_stored_clocks(struct house *house, struct table *table)
{
    table_check_storage_result(
        house, table, storage_clocks_each(house->storage, table->row.id, load_stored_clock, table));
    table->clock_changed = 0;
    if (table->row.halt != STORAGE_HALT_NONE) {
        table_clock_stop_all(&table->clock, table->row.halt_ms);
    }
}

void table_times_skip_downtime(struct house *house, struct table *table, int64_t from_ms)
{
    table_clock_skip_time(&table->clock, from_ms, house->now_ms);
    for (int seat = 0; seat < table->row.players; seat++) {
        int64_t gone_ms = table->gone_ms[seat];
        if (gone_ms != 0) {
            table->gone_ms[seat] = gone_ms + house->now_ms - choose_later_time_ms(gone_ms, from_ms);
        }
        table_times_mark_clock_changed(house, table, seat);
    }
    table_mark_view_changed(house, table);
    table_mark_turns_changed(house, table);
}
