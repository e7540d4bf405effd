#include "lobby/play/play.h"

#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/tables/tables.h"
#include "storage/archive/archive.h"
#include "storage/ratings/ratings.h"
#include "storage/tables/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void announce_closed_table(struct house *house, int64_t table_number, const char *why)
{
    journal_write_house_event(house, "table-closed",
                              JOURNAL_PAIRS("table", JOURNAL_NUMBER(table_number), "why", why));
    if (!house->is_read_only) {
        chat_announce_in_lobby(house, say(_("Table #%lld is closed: the house has lost a part of "
                                            "it. A game in progress there does not count."),
                                          (long long)table_number));
    }
}

/* Closes a table whose data are inconsistent (lobby/house/parts.h). The table's current game ends
 * without a result. The log and the lobby say that the table was closed. */
static void faulty_table_close(struct house *house, struct table *table, const char *why)
{
    const int64_t id = table->row.id;
    if (house->is_read_only) {
        table_free(house, table); /* the stored table will be closed once the disk has room */
    } else {
        table_close(house, table);
    }
    /* If the storage refuses to save the whole row of the table, only the row's state is changed.
     */
    if (house->fault.is_met) {
        fault_log_and_continue(house, "closing it");
        stored_or_fail(house, storage_table_close(house->storage, id));
    }
    announce_closed_table(house, id, why);
}

/* Closes the table with this number because of a fault. The table need not be in memory. */
static void faulty_table_close_by_number(struct house *house, int64_t number, const char *why)
{
    struct table *table = table_find(house, number);
    if (table == NULL) {
        announce_closed_table(house, number, why); /* the table could not be loaded */
        return;
    }
    const struct doing was = fault_blame_item(house, "table", number);
    faulty_table_close(house, table, why);
    house->doing = was;
}

/* The replay of a stored game. */
struct replay {
    struct table *table;
    bool is_broken;
};

static bool replay_move(void *context, const struct storage_move *row)
{
    struct replay *replay = context;
    struct table *table = replay->table;
    uint8_t move = game_move_parse(table->game, row->text);
    replay->is_broken = row->step != table->move_count || move == MOVE_NONE ||
                        table_game_apply_move(table, row->seat, move, row->at_ms) != GAME_OK;
    return !replay->is_broken;
}

static bool replay_seat_change(void *context, const struct storage_seat_change *change)
{
    struct replay *replay = context;
    replay->is_broken = change->seat >= replay->table->row.players;
    if (replay->is_broken) {
        return false;
    }
    struct seat_play *play = &replay->table->plays[change->seat];
    play->has_left = true;
    play->left_step = change->step;
    return true;
}

/* If a player disconnected at most this long before the house stopped, the game waits for them,
 * because a stopping house may disconnect players first. */
#define RESTORE_WITH_HOUSE_MS 60000

/* Returns the seats of players who were connected when the house went down (bit s stands for seat
 * s); the game waits for them. The stored gone_ms says when a player disconnected. */
static uint8_t find_awaited_players(const struct house *house, struct table *table)
{
    uint8_t awaited = 0;
    for (int seat = 0; seat < table->row.players; seat++) {
        const struct storage_seat *holder = &table->row.seats[seat];
        bool was_in = table->gone_ms[seat] == 0 ||
                      table->gone_ms[seat] > house->alive_ms - RESTORE_WITH_HOUSE_MS;
        if (seat_has_person(holder) && !holder->is_absent && was_in) {
            bool was_gone = table->gone_ms[seat] != 0 && (table->row.awaited >> seat & 1) == 0;
            awaited = (uint8_t)(awaited | 1U << seat);
            table->gone_before = (uint8_t)(table->gone_before | (unsigned)was_gone << seat);
        }
    }
    return awaited;
}

/* Copies what a clock measures. Without a clock, it is not stored, since the times of the replayed
 * moves are more accurate. */
static void copy_measured_times(struct storage_clock *to, const struct storage_clock *from)
{
    to->is_running = from->is_running;
    to->since_ms = from->since_ms;
    to->due_ms = from->due_ms;
    to->bank_ms = from->bank_ms;
}

static bool load_stored_clock(void *context, const struct storage_clock *row)
{
    struct table *table = context;
    if (row->seat < SEATS_MAX) {
        table->stored_clocks[row->seat] = *row;
    }
    if (row->game == table->row.game_id && row->seat < table->row.players) {
        struct storage_clock *own = &table->clock.seats[row->seat];
        const struct storage_clock replayed = *own;
        *own = *row;
        if (table->clock.rule.kind == CLOCK_NONE) {
            copy_measured_times(own, &replayed);
        }
        table->gone_ms[row->seat] = row->gone_ms;
    }
    return true;
}

/* Loads the stored clocks of a table whose game has been replayed. Sets gone_ms of each seat to the
 * time when the player's last connection ended; 0: the player was connected. */
static void table_times_load_stored_clocks(struct house *house, struct table *table)
{
    table_check_storage_result(
        house, table, storage_clocks_each(house->storage, table->row.id, load_stored_clock, table));
    if (table->row.halt != STORAGE_HALT_NONE) {
        table_clock_stop_all(&table->clock, table->row.halt_ms);
    }
}

/* Resumes the clocks where they stopped, so that the downtime costs no player any time. */
static void restore_clocks(struct house *house, struct table *table)
{
    table_times_load_stored_clocks(house, table);
    absences_assume_moves_seen(table);
    if (house->is_read_only) { /* the clocks stay stopped: when the disk has room, the house is
                                  loaded again */
        table_clock_stop_all(&table->clock, house->alive_ms);
        return;
    }
    resume_deadlines_skip_downtime(house, table,
                                   house->alive_ms != 0 ? house->alive_ms : house->now_ms);
    bool is_live = clock_rule_is_for_one_sitting(&table->clock.rule);
    uint8_t awaited = is_live ? find_awaited_players(house, table) : 0;
    table->is_unsettled = table->row.halt == STORAGE_HALT_ROUND;
    if (table->row.halt == STORAGE_HALT_HOUSE || table->row.halt == STORAGE_HALT_PAUSE ||
        table->row.halt == STORAGE_HALT_ROUND) {
        table->row.awaited = (uint8_t)(table->row.awaited | awaited);
    } else if (table->row.halt == STORAGE_HALT_NONE && awaited != 0) {
        table_halt_wait_for_players(house, table, awaited);
    } else if (table->row.halt == STORAGE_HALT_NONE && house->alive_ms != 0) {
        table_times_skip_downtime(house, table, house->alive_ms);
    }
}

/* Marks all players as gone from now on. Each of them is marked so until they return. */
static void mark_everybody_as_gone(struct house *house, struct table *table)
{
    for (int seat = 0; seat < table->row.players; seat++) {
        table->gone_ms[seat] = seat_has_person(&table->row.seats[seat]) ? house->now_ms : 0;
    }
}

/* Deals the stored game and replays its moves. Returns false if a step fails. */
static bool restore_game(struct house *house, struct table *table)
{
    struct storage_game game;
    if (!stored(house, storage_game_read(house->storage, table->row.game_id, &game)) ||
        game.players != table->config.players || game.format != GAME_FORMAT) {
        return false;
    }
    memcpy(table->seed, game.seed, sizeof(table->seed));
    table->is_rated = game.is_rated;
    table_times_read_time_off(house, table);
    table_game_deal(table, game.started_ms);
    for (int seat = 0; seat < table->config.players; seat++) {
        table->plays[seat].starter = game.seats[seat];
    }
    struct replay replay = {.table = table};
    bool is_read =
        stored(house,
               storage_seat_changes_each(house->storage, game.id, replay_seat_change, &replay)) &&
        !replay.is_broken &&
        stored(house, storage_moves_each(house->storage, game.id, 0, replay_move, &replay));
    if (!is_read || replay.is_broken || !table->has_game) {
        return false;
    }
    table_watch_update_visible_state(NULL, table);
    bool is_over = game_seats_to_act(&table->state) == 0;
    if (is_over != (table->row.state == STORAGE_TABLE_FINISHED)) {
        return false;
    }
    if (is_over) {
        table_finish_make_result(house, table);
    }
    return true;
}

static void close_broken_table(struct house *house, struct table *table)
{
    const struct fault fault = house->fault;
    house->fault.is_met = false;
    faulty_table_close(house, table, fault.is_met ? fault.why : "its game cannot be replayed");
}

/* A seat whose account is missing is a fault: nobody could take the seat back, and no result could
 * be stored. */
static void check_accounts_of_seats(struct house *house, const struct storage_table *row)
{
    struct storage_account account;
    for (int seat = 0; seat < row->players; seat++) {
        if (row->seats[seat].account != 0) {
            stored_or_fail(
                house, storage_account_by_id(house->storage, row->seats[seat].account, &account));
        }
    }
}

static void restore_table(struct house *house, const struct storage_table *row)
{
    struct table *table = table_load(house, row);
    if (table == NULL) {
        journal_write_house_event(
            house, "table-left-out",
            JOURNAL_PAIRS("table", JOURNAL_NUMBER(row->id), "game", row->game));
        return;
    }
    check_accounts_of_seats(house, row);
    bool is_good = row->state == STORAGE_TABLE_OPEN || restore_game(house, table);
    if (is_good && table_is_playing(table)) {
        restore_clocks(house, table);
    }
    if (is_good && !house->fault.is_met) {
        mark_everybody_as_gone(house, table);
    } else {
        close_broken_table(house, table);
    }
}

/* The stored tables. All are read before any is restored, because restoring writes to the
 * storage. */
struct restore_list {
    struct storage_table *rows;
    size_t count, cap;
};

static bool collect_table_row(void *context, const struct storage_table *row)
{
    struct restore_list *list = context;
    list->rows = memory_grow(list->rows, list->count, &list->cap, sizeof(*list->rows));
    list->rows[list->count++] = *row;
    return true;
}

/* Makes the reads that restoring the table will make (storage_read_ahead_begin). */
static void read_table_ahead(struct house *house, const struct storage_table *row)
{
    struct storage *storage = house->storage;
    struct storage_game game;
    struct storage_account account;
    struct storage_rating rating;
    struct storage_time_away time;
    for (int seat = 0; seat < row->players; seat++) {
        int64_t holder = row->seats[seat].account;
        if (holder == 0) {
            continue;
        }
        stored_ahead(house, storage_account_by_id(storage, holder, &account));
        stored_ahead(house, storage_time_away_read(storage, holder, &time));
        stored_ahead(house, storage_rating_read(storage, holder, row->game, 0, &rating));
    }
    if (row->state != STORAGE_TABLE_OPEN) {
        stored_ahead(house, storage_game_read(storage, row->game_id, &game));
        stored_ahead(house,
                     storage_seat_changes_each(storage, row->game_id, replay_seat_change, NULL));
        stored_ahead(house, storage_moves_each(storage, row->game_id, 0, replay_move, NULL));
        stored_ahead(house, storage_clocks_each(storage, row->id, NULL, NULL));
    }
}

/* So many tables are read ahead together. */
#define READ_TOGETHER 100

static void read_tables_ahead(struct house *house, const struct restore_list *list, size_t first)
{
    if (!storage_read_ahead_begin(house->storage)) {
        return;
    }
    for (size_t i = first; i < list->count && i < first + READ_TOGETHER; i++) {
        read_table_ahead(house, &list->rows[i]);
    }
    stored_or_fail(house, storage_read_ahead_end(house->storage));
}

/* Restores all open tables. Replays the moves of their games; clocks resume where they stopped. A
 * table whose game cannot be replayed is closed (house/parts.h). */
static void table_restore_all(struct house *house)
{
    const struct doing was = house->doing;
    struct restore_list list = {0};
    tables_of(house)->loaded_ms = house->now_ms;
    stored_or_fail(house, storage_tables_each(house->storage, collect_table_row, &list));
    for (size_t i = 0; i < list.count && !house->is_failed; i++) {
        if (i % READ_TOGETHER == 0) {
            read_tables_ahead(house, &list, i);
        }
        (void)fault_blame_item(house, "table", list.rows[i].id);
        restore_table(house, &list.rows[i]);
        fault_log_and_continue(house, "tables");
    }
    house->doing = was;
    free(list.rows);
}

/* Hooks that the house calls for the tables: at start, at stop, and when connections come and
 * go. */

static void free_all_tables(struct house *house)
{
    TABLES_EACH(table, house) {
        table_free(house, table);
    }
    tables_of(house)->has_touched = false;
    tables_of(house)->rows_changed = false;
}

static void send_table_at_hello(struct house *house, struct conn *conn)
{
    if (conn_table(conn) != NULL) {
        chat_send_table_backlog(house, conn);
        table_conn_state(conn)->is_new = true;
        table_touch(house, conn_table(conn));
    }
}

static void fill_connection_row(const struct conn *conn, struct storage_connection *row)
{
    row->table = conn_table(conn) == NULL ? 0 : conn_table(conn)->row.id;
    (void)snprintf(row->observes, sizeof(row->observes), "%s", table_conn_state(conn)->observes);
}

static bool return_connection_to_table(struct house *house, struct conn *conn,
                                       const struct storage_connection *row)
{
    if (!conn->is_query_only) {
        table_people_return_to_seats(house, conn->person);
    }
    struct table *table = row->table == 0 ? NULL : table_find(house, row->table);
    if (table != NULL) {
        (void)snprintf(table_conn_state(conn)->observes, sizeof(table_conn_state(conn)->observes),
                       "%s", row->observes);
        table_enter(house, conn, table);
    }
    return true;
}

static void remove_connection_from_table(struct house *house, struct conn *conn)
{
    table_exit(house, conn, false);
}

/* Returns how often the core must store the present time for this table, in ms; INT64_MAX when no
 * clock runs there. */
static int64_t table_time_storing_interval_ms(UNUSED const struct house *house,
                                              const struct table *table)
{
    if (!table_is_playing(table) || table->row.halt != STORAGE_HALT_NONE ||
        table->clock.rule.kind == CLOCK_NONE) {
        return INT64_MAX;
    }
    return clock_rule_is_for_one_sitting(&table->clock.rule) ? DOWNTIME_LIVE_MS : DOWNTIME_DAYS_MS;
}

/* Returns how often the core must store the present time, in ms; INT64_MAX when no clock runs.
 * After a restart, the stored time tells how long the house was down, so that the downtime counts
 * on no player's clock. */
static int64_t get_time_storing_interval_ms(const struct house *house)
{
    return tables_next_ms(house, table_time_storing_interval_ms);
}

static void skip_downtime_at_tables(struct house *house, int64_t since_ms)
{
    TABLES_EACH(table, house) {
        if (table_is_playing(table) && table->row.halt == STORAGE_HALT_NONE) {
            table_times_skip_downtime(house, table, since_ms);
        }
    }
}

static void measure_tables(const struct house *house)
{
    TABLES_EACH(table, house) {
        metrics_count(house, HOUSE_METRIC_tables, table->game->id,
                      table_phase_words.texts[table_phase(table)], 1);
    }
}

static void store_clock(struct house *house, struct table *table, int seat)
{
    struct storage_clock row = table->clock.seats[seat];
    row.table = table->row.id;
    row.seat = (uint8_t)seat;
    row.game = table->row.game_id;
    row.gone_ms = table->gone_ms[seat];
    if (table->clock.rule.kind == CLOCK_NONE) {
        copy_measured_times(&row, &(const struct storage_clock){.due_ms = 0});
    }
    enum storage_result result =
        storage_clock_save(house->storage, &row, &table->stored_clocks[seat]);
    if (result == STORAGE_OK) {
        table->stored_clocks[seat] = row;
    }
    table_check_storage_result(house, table, result);
}

/* Stores what has changed of the rows of tables and of the clocks of running games. Called before a
 * commit. */
static void tables_save_changes(struct house *house)
{
    if (!tables_of(house)->has_touched) {
        return;
    }
    tables_of(house)->has_touched = false;
    TABLES_EACH(table, house) {
        if (!table->is_touched) {
            continue;
        }
        table->is_touched = false;
        table_save(house, table);
        for (int seat = 0; table_is_playing(table) && seat < table->row.players; seat++) {
            store_clock(house, table, seat);
        }
    }
}

const struct part tables_part = {
    .name = "tables",
    .house_size = sizeof(struct tables),
    .conn_size = sizeof(struct table_conn_state),
    .load = table_restore_all,
    .clear = free_all_tables,
    .flush = tables_save_changes,
    .measure = measure_tables,
    .hello = send_table_at_hello,
    .conn_row = fill_connection_row,
    .conn_return = return_connection_to_table,
    .conn_gone = remove_connection_from_table,
    .row_gone = observing_end_for_lost_connection,
    .settled = table_halts_stop_waiting_for_lost_players,
    .max_unrecorded_downtime_ms = get_time_storing_interval_ms,
    .skip = skip_downtime_at_tables,
    .give_up = faulty_table_close_by_number,
};
