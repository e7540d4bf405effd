#include "storage/tables/tables.h"

#include "storage/archive/games.h"
#include "storage/archive/seat_rows.h"
#include "storage/sql/sql.h"

#define TABLE_COLUMNS                                                                              \
    "id, game, players, options, clock_kind, clock_s, clock_increment_s, password_hash, host,"     \
    " host_name, state, halt, halt_ms, halt_by, halt_why, resume_asked, resume_due_ms,"            \
    " awaited, rematch, asks_pause, asks_adjourn, asks_resume,"                                    \
    " watch_policy, watch_moves, watch_talk,"                                                      \
    " rating_min, rating_max, finished_min, created_ms, game_id, conn, request"

/* The columns that storage_table_save may change, in the order of TABLE_COLUMNS. */
static void bind_table(struct sql *q, const struct storage_table *table)
{
    sql_bind_text(q, table->game, sizeof table->game);
    sql_bind_int(q, table->players);
    sql_bind_text(q, table->options, sizeof table->options);
    sql_bind_int(q, table->clock_kind);
    sql_bind_int(q, table->clock_s);
    sql_bind_int(q, table->clock_increment_s);
    sql_bind_text(q, table->password_hash, sizeof table->password_hash);
    sql_bind_id(q, table->host);
    sql_bind_text(q, table->host_name, sizeof table->host_name);
    sql_bind_int(q, table->state);
    sql_bind_int(q, table->halt);
    sql_bind_int(q, table->halt_ms);
    sql_bind_text(q, table->halt_by, sizeof table->halt_by);
    sql_bind_text(q, table->halt_why, sizeof table->halt_why);
    sql_bind_int(q, table->resume_asked);
    sql_bind_int(q, table->resume_due_ms);
    sql_bind_int(q, table->awaited);
    sql_bind_int(q, table->rematch);
    sql_bind_int(q, table->asks[STORAGE_ASK_PAUSE]);
    sql_bind_int(q, table->asks[STORAGE_ASK_ADJOURN]);
    sql_bind_int(q, table->asks[STORAGE_ASK_RESUME]);
    sql_bind_int(q, table->watch_policy);
    sql_bind_int(q, table->watch_moves);
    sql_bind_int(q, table->watch_talk);
    sql_bind_int(q, table->rating_min);
    sql_bind_int(q, table->rating_max);
    sql_bind_int(q, table->finished_min);
    sql_bind_int(q, table->game_id);
}

static enum storage_result save_seats(struct storage *storage, int64_t id,
                                      const struct storage_table *table)
{
    struct sql clear = sql_write(storage, "DELETE FROM table_seats WHERE table_id = ?1"
                                          " AND seat >= ?2");
    sql_bind_int(&clear, id);
    sql_bind_int(&clear, table->players);
    enum storage_result result = sql_run(&clear);
    if (result != STORAGE_OK) {
        return result;
    }
    if (table->players > STORAGE_SEATS_MAX) {
        return STORAGE_REFUSED;
    }
    struct sql q = sql_write(storage, "INSERT OR REPLACE INTO table_seats"
                                      " (table_id, seat, holder, account, name, policy, is_absent)"
                                      " VALUES (?, ?, ?, ?, ?, ?, ?)");
    for (uint8_t seat = 0; seat < table->players; seat++) {
        sql_bind_int(&q, id);
        sql_bind_int(&q, seat);
        seat_rows_bind(&q, &table->seats[seat]);
        sql_bind_int(&q, table->seats[seat].is_absent);
        sql_run_again(&q);
    }
    return sql_end(&q);
}

static enum storage_result insert_table(struct storage *storage, const struct storage_table *table,
                                        int64_t *id)
{
    struct sql q = sql_write(
        storage,
        "INSERT INTO tables (game, players, options,"
        " clock_kind, clock_s, clock_increment_s, password_hash,"
        " host, host_name, state, halt, halt_ms, halt_by, halt_why,"
        " resume_asked, resume_due_ms, awaited,"
        " rematch, asks_pause, asks_adjourn, asks_resume,"
        " watch_policy, watch_moves, watch_talk, rating_min, rating_max,"
        " finished_min,"
        " game_id, created_ms, conn, request) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
        " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");

    bind_table(&q, table);
    sql_bind_int(&q, table->created_ms);
    sql_bind_int(&q, table->conn);
    sql_bind_int(&q, table->request);
    return sql_run_new(&q, id);
}

enum storage_result storage_table_add(struct storage *storage, const struct storage_table *table,
                                      int64_t *id)
{
    int64_t added = 0;
    enum storage_result result = sql_group_begin(storage);

    if (result != STORAGE_OK) {
        return result;
    }
    result = insert_table(storage, table, &added);
    if (result == STORAGE_OK) {
        result = save_seats(storage, added, table);
    }
    result = sql_group_end(storage, result);
    if (result == STORAGE_OK) {
        *id = added;
    }
    return result;
}

static enum storage_result update_table(struct storage *storage, const struct storage_table *table)
{
    struct sql q = sql_write(storage, "UPDATE tables SET game = ?, players = ?, options = ?,"
                                      " clock_kind = ?, clock_s = ?, clock_increment_s = ?,"
                                      " password_hash = ?, host = ?, host_name = ?, state = ?,"
                                      " halt = ?, halt_ms = ?, halt_by = ?, halt_why = ?,"
                                      " resume_asked = ?, resume_due_ms = ?, awaited = ?,"
                                      " rematch = ?,"
                                      " asks_pause = ?, asks_adjourn = ?, asks_resume = ?,"
                                      " watch_policy = ?,"
                                      " watch_moves = ?, watch_talk = ?, rating_min = ?,"
                                      " rating_max = ?, finished_min = ?, game_id = ?"
                                      " WHERE id = ?");

    bind_table(&q, table);
    sql_bind_int(&q, table->id);
    return sql_run_on_row(&q);
}

enum storage_result storage_table_save(struct storage *storage, const struct storage_table *table)
{
    enum storage_result result = sql_group_begin(storage);

    if (result != STORAGE_OK) {
        return result;
    }
    result = update_table(storage, table);
    if (result == STORAGE_OK) {
        result = save_seats(storage, table->id, table);
    }
    return sql_group_end(storage, result);
}

enum storage_result storage_table_close(struct storage *storage, int64_t id)
{
    struct sql game = sql_write(storage, "UPDATE games SET state = ?2 WHERE state = ?3 AND id ="
                                         " (SELECT game_id FROM tables WHERE id = ?1)");
    sql_bind_int(&game, id);
    sql_bind_int(&game, STORAGE_GAME_CUT);
    sql_bind_int(&game, STORAGE_GAME_PLAYING);
    enum storage_result result = sql_run(&game);
    if (result != STORAGE_OK) {
        return result;
    }
    struct sql q = sql_write(storage, "UPDATE tables SET state = ?2 WHERE id = ?1");
    sql_bind_int(&q, id);
    sql_bind_int(&q, STORAGE_TABLE_CLOSED);
    return sql_run_on_row(&q);
}

static enum storage_result read_seats(struct storage *storage, struct storage_table *table)
{
    struct sql q = sql_read(storage, "SELECT holder, account, name, policy, is_absent"
                                     " FROM table_seats WHERE table_id = ? ORDER BY seat");

    sql_bind_int(&q, table->id);
    for (size_t seat = 0; seat < STORAGE_SEATS_MAX && sql_row(&q); seat++) {
        seat_rows_take(&q, &table->seats[seat]);
        table->seats[seat].is_absent = sql_int(&q) != 0;
    }
    return sql_end(&q);
}

static void take_table(struct sql *q, struct storage_table *table)
{
    *table = (struct storage_table){.id = sql_int(q)};
    sql_text(q, table->game, sizeof table->game);
    table->players = (uint8_t)sql_choice(q, STORAGE_SEATS_MAX);
    sql_text(q, table->options, sizeof table->options);
    table->clock_kind = (uint8_t)sql_choice(q, STORAGE_CLOCK_KIND_LAST);
    table->clock_s = (uint32_t)sql_int(q);
    table->clock_increment_s = (uint32_t)sql_int(q);
    sql_text(q, table->password_hash, sizeof table->password_hash);
    table->host = sql_int(q);
    sql_text(q, table->host_name, sizeof table->host_name);
    table->state = (enum storage_table_state)sql_choice(q, STORAGE_TABLE_STATE_LAST);
    table->halt = (enum storage_halt)sql_choice(q, STORAGE_HALT_LAST);
    table->halt_ms = sql_int(q);
    sql_text(q, table->halt_by, sizeof table->halt_by);
    sql_text(q, table->halt_why, sizeof table->halt_why);
    table->resume_asked = (uint8_t)sql_int(q);
    table->resume_due_ms = sql_int(q);
    table->awaited = (uint8_t)sql_int(q);
    table->rematch = (uint8_t)sql_int(q);
    table->asks[STORAGE_ASK_PAUSE] = (uint8_t)sql_int(q);
    table->asks[STORAGE_ASK_ADJOURN] = (uint8_t)sql_int(q);
    table->asks[STORAGE_ASK_RESUME] = (uint8_t)sql_int(q);
    table->watch_policy = (uint8_t)sql_choice(q, STORAGE_WATCH_POLICY_LAST);
    table->watch_moves = (uint8_t)sql_int(q);
    table->watch_talk = (uint8_t)sql_choice(q, STORAGE_WATCH_TALK_LAST);
    table->rating_min = (int32_t)sql_int(q);
    table->rating_max = (int32_t)sql_int(q);
    table->finished_min = (uint8_t)sql_int(q);
    table->created_ms = sql_int(q);
    table->game_id = sql_int(q);
    table->conn = sql_int(q);
    table->request = sql_int(q);
}

enum storage_result storage_table_read(struct storage *storage, int64_t id,
                                       struct storage_table *table)
{
    struct sql q = sql_read(storage, "SELECT " TABLE_COLUMNS " FROM tables WHERE id = ?");

    sql_bind_int(&q, id);
    if (sql_first(&q)) {
        take_table(&q, table);
    }
    const enum storage_result result = sql_end(&q);
    return result == STORAGE_OK ? read_seats(storage, table) : result;
}

enum storage_result storage_tables_each(struct storage *storage, storage_table_row *row,
                                        void *context)
{
    struct storage_table table;
    bool goes_on = true;
    struct sql q =
        sql_read(storage, "SELECT " TABLE_COLUMNS " FROM tables WHERE state <> 3 ORDER BY id");

    while (goes_on && sql_row(&q)) {
        take_table(&q, &table);
        const enum storage_result seats = read_seats(storage, &table);
        if (seats != STORAGE_OK) {
            q.result = seats;
            break;
        }
        goes_on = row(context, &table);
    }
    return sql_end(&q);
}
