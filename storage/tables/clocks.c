#include "storage/tables/clocks.h"

#include "storage/sql/sql.h"

enum storage_result storage_clock_save(struct storage *storage, const struct storage_clock *clock)
{
    struct sql q =
        sql_write(storage, "INSERT OR REPLACE INTO table_clocks (table_id, seat, game_id,"
                           " is_running, since_ms, due_ms, bank_ms, misses, is_grace_spent,"
                           " seen_step, gone_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");

    sql_bind_int(&q, clock->table);
    sql_bind_int(&q, clock->seat);
    sql_bind_int(&q, clock->game);
    sql_bind_int(&q, clock->is_running);
    sql_bind_int(&q, clock->since_ms);
    sql_bind_int(&q, clock->due_ms);
    sql_bind_int(&q, clock->bank_ms);
    sql_bind_int(&q, clock->misses);
    sql_bind_int(&q, clock->is_grace_spent);
    sql_bind_int(&q, clock->seen_step);
    sql_bind_int(&q, clock->gone_ms);
    return sql_run(&q);
}

enum storage_result storage_clocks_each(struct storage *storage, int64_t table,
                                        storage_clock_row *row, void *context)
{
    bool goes_on = true;
    struct sql q =
        sql_read(storage, "SELECT table_id, seat, game_id, is_running, since_ms, due_ms, bank_ms,"
                          " misses, is_grace_spent, seen_step, gone_ms FROM table_clocks"
                          " WHERE table_id = ? ORDER BY seat");

    sql_bind_int(&q, table);
    while (goes_on && sql_row(&q)) {
        struct storage_clock clock = {.table = sql_int(&q)};
        clock.seat = (uint8_t)sql_int(&q);
        clock.game = sql_int(&q);
        clock.is_running = sql_int(&q) != 0;
        clock.since_ms = sql_int(&q);
        clock.due_ms = sql_int(&q);
        clock.bank_ms = sql_int(&q);
        clock.misses = (uint8_t)sql_int(&q);
        clock.is_grace_spent = sql_int(&q) != 0;
        clock.seen_step = (uint32_t)sql_int(&q);
        clock.gone_ms = sql_int(&q);
        goes_on = row(context, &clock);
    }
    return sql_end(&q);
}

enum storage_result storage_player_time_save(struct storage *storage,
                                             const struct storage_player_time *time)
{
    struct sql q = sql_write(storage, "INSERT OR REPLACE INTO player_times (account, vacation_ms,"
                                      " vacation_year, vacation_days, respite_ms)"
                                      " VALUES (?, ?, ?, ?, ?)");

    sql_bind_int(&q, time->account);
    sql_bind_int(&q, time->vacation_ms);
    sql_bind_int(&q, time->vacation_year);
    sql_bind_int(&q, time->vacation_days);
    sql_bind_int(&q, time->respite_ms);
    return sql_run(&q);
}

enum storage_result storage_player_time_read(struct storage *storage, int64_t account,
                                             struct storage_player_time *time)
{
    struct sql q = sql_read(storage, "SELECT vacation_ms, vacation_year, vacation_days, respite_ms"
                                     " FROM player_times WHERE account = ?");

    sql_bind_int(&q, account);
    if (sql_first(&q)) {
        *time = (struct storage_player_time){.account = account};
        time->vacation_ms = sql_int(&q);
        time->vacation_year = (uint16_t)sql_int(&q);
        time->vacation_days = (uint16_t)sql_int(&q);
        time->respite_ms = sql_int(&q);
    }
    return sql_end(&q);
}
