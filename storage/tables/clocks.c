#include "storage/tables/tables.h"

#include "storage/sql/sql.h"

ROWS(clock, struct storage_clock, STORAGE_CLOCK_COLUMNS);
ROWS_COMPARING(clock, struct storage_clock, STORAGE_CLOCK_COLUMNS);
ROWS(time_away, struct storage_time_away, STORAGE_TIME_AWAY_COLUMNS);

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

enum storage_result storage_clocks_each(struct storage *storage, int64_t table,
                                        storage_clock_row *row, void *context)
{
    struct sql *q = SQL_READ(
        storage,
        ROW_SELECT("table_clocks", STORAGE_CLOCK_COLUMNS) " WHERE table_id = ? ORDER BY seat",
        SQL_INT(table));

    return each_clock(q, row, context);
}

enum storage_result storage_time_away_save(struct storage *storage,
                                           const struct storage_time_away *time)
{
    return run_time_away(
        sql_write(storage, ROW_UPSERT("player_times", "account", STORAGE_TIME_AWAY_COLUMNS)), time);
}

enum storage_result storage_time_away_read(struct storage *storage, int64_t account,
                                           struct storage_time_away *time)
{
    struct sql *q = SQL_READ(
        storage, ROW_SELECT("player_times", STORAGE_TIME_AWAY_COLUMNS) " WHERE account = ?",
        SQL_INT(account));

    return read_time_away(q, time);
}
