#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/play/play.h"
#include "lobby/tables/tables.h"

#include <stdio.h>

/* Hooks that the house calls for the tables: at start, at stop, and when connections come and
 * go. */

static void free_all_tables(struct house *house)
{
    TABLES_EACH(table, house) {
        table_free(house, table);
    }
    tables_of(house)->is_changed = false;
    tables_of(house)->clocks_changed = false;
    tables_of(house)->rows_changed = false;
}

static void send_table_at_hello(struct house *house, struct conn *conn,
                                UNUSED int64_t last_chat_line)
{
    if (conn_table(conn) != NULL) {
        chat_send_table_backlog(house, conn);
        table_conn_state(conn)->is_new = true;
        tables_of(house)->is_changed = true;
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

static bool game_clock_runs(const struct table *table)
{
    return table_is_playing(table) && table->row.halt == STORAGE_HALT_NONE &&
           table->clock.rule.kind != CLOCK_NONE;
}

/* Returns how often the core must store the present time for this table, in ms; INT64_MAX when no
 * clock runs there. */
static int64_t table_time_storing_interval_ms(const struct table *table)
{
    if (!game_clock_runs(table)) {
        return INT64_MAX;
    }
    return clock_rule_is_for_one_sitting(&table->clock.rule) ? DOWNTIME_LIVE_MS : DOWNTIME_DAYS_MS;
}

/* Returns how often the core must store the present time, in ms; INT64_MAX when no clock runs.
 * After a restart, the stored time tells how long the house was down, so that the downtime counts
 * on no player's clock. */
static int64_t get_time_storing_interval_ms(const struct house *house)
{
    int64_t every_ms = INT64_MAX;
    TABLES_EACH(table, house) {
        int64_t table_ms = table_time_storing_interval_ms(table);
        every_ms = table_ms < every_ms ? table_ms : every_ms;
    }
    return every_ms;
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

const struct part tables_part = {
    .name = "tables",
    .house_size = sizeof(struct tables),
    .begin = table_listeners_reserve_memory,
    .conn_size = sizeof(struct table_conn_state),
    .load = table_restore_all,
    .clear = free_all_tables,
    .flush = table_times_store_changes,
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
