#include "storage/tables/tables.h"

/* The seats of a table have a column more than those of a game. */
#define TABLE_SEAT_COLUMNS(FIRST, NEXT) FIRST(FLAG, is_absent) STORAGE_SEAT_COLUMNS_IN(NEXT, NEXT, )

ROWS(table, struct storage_table, STORAGE_TABLE_ALL_COLUMNS);
ROWS_BINDING(changes, struct storage_table, STORAGE_TABLE_CHANGE_COLUMNS);
ROWS(seat, struct storage_seat, TABLE_SEAT_COLUMNS);
ROWS_COMPARING(changes, struct storage_table, STORAGE_TABLE_CHANGE_COLUMNS);
ROWS_COMPARING(seat, struct storage_seat, TABLE_SEAT_COLUMNS);
ROWS(clock, struct storage_clock, STORAGE_CLOCK_COLUMNS);
ROWS_COMPARING(clock, struct storage_clock, STORAGE_CLOCK_COLUMNS);
ROWS(time_away, struct storage_time_away, STORAGE_TIME_AWAY_COLUMNS);
ROWS(shared_replay, struct storage_shared_replay, STORAGE_SHARED_REPLAY_COLUMNS);

#define SEAT_NAMES ROW_NAMES(TABLE_SEAT_COLUMNS)
#define SEAT_PLACES ROW_PLACES(TABLE_SEAT_COLUMNS)
#define SET_SEAT ROW_SET_ALL(TABLE_SEAT_COLUMNS)
#define SAVE_SEAT                                                                                  \
    "INSERT INTO table_seats (table_id, seat, " SEAT_NAMES ") VALUES (?, ?, " SEAT_PLACES ")"      \
    " ON CONFLICT (table_id, seat) DO UPDATE SET " SET_SEAT
#define SELECT_TABLES ROW_SELECT("tables", STORAGE_TABLE_ALL_COLUMNS) " WHERE "

#define STATEMENT STATEMENT_DEFINED
#include "storage/tables/tables.def"

/* Deletes the seats that the table has no more. */
STATEMENT_INSIDE(delete_seats, DEFER, "DELETE FROM table_seats WHERE table_id = ?1 AND seat >= ?2",
                 INT(table_id), INT(players));

/* Whether the seat must be written. `stored`: the table as it is stored; NULL: it is not known. */
static bool is_seat_changed(const struct storage_table *table, const struct storage_table *stored,
                            uint8_t seat)
{
    return stored == NULL || seat >= stored->players ||
           !is_same_seat(&table->seats[seat], &stored->seats[seat]);
}

bool storage_table_is_same(const struct storage_table *left, const struct storage_table *right)
{
    bool is_same = is_same_changes(left, right);

    for (uint8_t seat = 0; seat < left->players && is_same; seat++) {
        is_same = !is_seat_changed(left, right, seat);
    }
    return is_same;
}

static enum storage_result save_seat(struct storage *storage, int64_t table_id, uint8_t seat,
                                     const struct storage_seat *holder,
                                     enum storage_result (*run)(struct sql *q))
{
    struct sql q = sql_write(storage, SAVE_SEAT);

    sql_bind_int(&q, table_id);
    sql_bind_int(&q, seat);
    bind_seat(&q, holder);
    return run(&q);
}

/* `run` is sql_run or sql_run_deferred. */
static enum storage_result save_seats(struct storage *storage, int64_t table_id,
                                      const struct storage_table *table,
                                      const struct storage_table *stored,
                                      enum storage_result (*run)(struct sql *q))
{
    if (table->players > STORAGE_SEATS_MAX) {
        return STORAGE_REFUSED;
    }
    enum storage_result result = stored == NULL || stored->players > table->players
                                     ? delete_seats(storage, table_id, table->players)
                                     : STORAGE_OK;
    for (uint8_t seat = 0; seat < table->players && result == STORAGE_OK; seat++) {
        if (is_seat_changed(table, stored, seat)) {
            result = save_seat(storage, table_id, seat, &table->seats[seat], run);
        }
    }
    return result;
}

static enum storage_result insert_table(struct storage *storage, const struct storage_table *table,
                                        int64_t *id)
{
    RETURN_FAILURE(run_new_table(
        sql_write(storage, ROW_INSERT_NEW("tables", STORAGE_TABLE_ALL_COLUMNS)), table, id));
    return save_seats(storage, *id, table, NULL, sql_run);
}

enum storage_result storage_table_add(struct storage *storage, const struct storage_table *table,
                                      int64_t *id)
{
    int64_t added = 0;

    RETURN_FAILURE(sql_savepoint_begin(storage));
    RETURN_FAILURE(sql_savepoint_end(storage, insert_table(storage, table, &added)));
    *id = added;
    return STORAGE_OK;
}

static struct sql bind_update(struct storage *storage, const struct storage_table *table)
{
    struct sql q = sql_write(
        storage, "UPDATE tables SET " ROW_SETS(STORAGE_TABLE_CHANGE_COLUMNS) " WHERE id = ?");

    bind_changes(&q, table);
    sql_bind_int(&q, table->id);
    return q;
}

static enum storage_result update_table(struct storage *storage, const struct storage_table *table,
                                        const struct storage_table *stored)
{
    struct sql q = bind_update(storage, table);

    RETURN_FAILURE(sql_run_change(&q));
    return save_seats(storage, table->id, table, stored, sql_run_deferred);
}

/* Whether the table or a seat of it names another account than before. Only then can the database
 * refuse the change, because it may not know that account. */
static bool names_another_account(const struct storage_table *table,
                                  const struct storage_table *stored)
{
    bool is_other = table->host != stored->host || table->players > stored->players;

    for (uint8_t seat = 0; seat < table->players && !is_other; seat++) {
        is_other = table->seats[seat].account != stored->seats[seat].account;
    }
    return is_other;
}

static enum storage_result defer_update(struct storage *storage, const struct storage_table *table)
{
    struct sql q = bind_update(storage, table);

    return sql_run_deferred(&q);
}

/* Writes a change that cannot be refused, without waiting for the database. */
static enum storage_result save_without_waiting(struct storage *storage,
                                                const struct storage_table *table,
                                                const struct storage_table *stored)
{
    RETURN_FAILURE(is_same_changes(table, stored) ? STORAGE_OK : defer_update(storage, table));
    return save_seats(storage, table->id, table, stored, sql_run_deferred);
}

enum storage_result storage_table_save(struct storage *storage, const struct storage_table *table,
                                       const struct storage_table *stored)
{
    if (stored != NULL && !names_another_account(table, stored)) {
        return save_without_waiting(storage, table, stored);
    }
    RETURN_FAILURE(sql_savepoint_begin(storage));
    return sql_savepoint_end(storage, update_table(storage, table, stored));
}

enum storage_result storage_table_forget_people(struct storage *storage, int64_t id)
{
    RETURN_FAILURE(
        sql_run(SQL_WRITE(storage, "DELETE FROM table_seats WHERE table_id = ?", SQL_INT(id))));
    return sql_run_change(SQL_WRITE(storage,
                                    "UPDATE tables SET host = NULL, host_name = '',"
                                    " password_hash = '', halt_by = '', halt_why = ''"
                                    " WHERE id = ?",
                                    SQL_INT(id)));
}

enum storage_result storage_table_close(struct storage *storage, int64_t id)
{
    RETURN_FAILURE(
        sql_run(SQL_WRITE(storage,
                          "UPDATE games SET state = ?2 WHERE state = ?3 AND id ="
                          " (SELECT game_id FROM tables WHERE id = ?1)",
                          SQL_INT(id), SQL_INT(STORAGE_GAME_CUT), SQL_INT(STORAGE_GAME_PLAYING))));
    RETURN_FAILURE(sql_run_change(SQL_WRITE(storage, "UPDATE tables SET state = ?2 WHERE id = ?1",
                                            SQL_INT(id), SQL_INT(STORAGE_TABLE_CLOSED))));
    return storage_table_forget_people(storage, id);
}

static enum storage_result read_seats(struct storage *storage, struct storage_table *table)
{
    struct sql *q = SQL_READ(
        storage, ROW_SELECT("table_seats", TABLE_SEAT_COLUMNS) " WHERE table_id = ? ORDER BY seat",
        SQL_INT(table->id));

    for (size_t seat = 0; seat < STORAGE_SEATS_MAX && sql_next_row(q); seat++) {
        take_seat(q, &table->seats[seat]);
    }
    return sql_end(q);
}

enum storage_result storage_table_read(struct storage *storage, int64_t id,
                                       struct storage_table *table)
{
    RETURN_FAILURE(read_table(SQL_READ(storage, SELECT_TABLES "id = ?", SQL_INT(id)), table));
    return read_seats(storage, table);
}

/* Reads the seats of all tables that are not closed in one go. */
static enum storage_result read_all_seats_ahead(struct storage *storage)
{
    struct storage_table table = {0};
    bool is_ahead = false;
    struct sql q = sql_read(storage, "SELECT id FROM tables WHERE state <> 3");

    while (sql_next_row(&q)) {
        table.id = sql_read_int(&q);
        is_ahead = is_ahead || storage_read_ahead_begin(storage);
        if (!is_ahead || read_seats(storage, &table) != STORAGE_OK) {
            break;
        }
    }
    const enum storage_result listed = sql_end(&q);
    const enum storage_result ended = is_ahead ? storage_read_ahead_end(storage) : STORAGE_OK;
    return listed != STORAGE_OK ? listed : ended;
}

enum storage_result storage_tables_each(struct storage *storage, storage_table_row *row,
                                        void *context)
{
    struct storage_table table;
    bool goes_on = true;
    RETURN_FAILURE(read_all_seats_ahead(storage));
    struct sql q = sql_read(storage, SELECT_TABLES "state <> 3 ORDER BY id");

    while (goes_on && sql_next_row(&q)) {
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

enum storage_result storage_clock_save(struct storage *storage, const struct storage_clock *clock,
                                       const struct storage_clock *stored)
{
    if (stored != NULL && is_same_clock(clock, stored)) {
        return STORAGE_OK;
    }
    return defer_clock(
        sql_write(storage, ROW_UPSERT("table_clocks", "table_id, seat", STORAGE_CLOCK_COLUMNS)),
        clock);
}
