#include "storage/archive/moves.h"

#include "storage/sql/move_log.h"
#include "storage/sql/sql.h"

enum storage_result storage_moves_append(struct storage *storage, const struct storage_move *moves,
                                         size_t count)
{
    struct sql q = sql_write(storage, "INSERT INTO moves_new (" MOVE_COLUMNS ")"
                                      " VALUES (?, ?, ?, ?, ?, ?, ?)");

    for (size_t i = 0; i < count && q.result == STORAGE_OK; i++) {
        q.result = move_log_check(storage, moves[i].game, moves[i].step);
        sql_bind_int(&q, moves[i].game);
        sql_bind_int(&q, moves[i].step);
        sql_bind_int(&q, moves[i].seat);
        sql_bind_text(&q, moves[i].text, STORAGE_MOVE_SIZE);
        sql_bind_int(&q, moves[i].at_ms);
        sql_bind_int(&q, moves[i].conn);
        sql_bind_int(&q, moves[i].request);
        sql_run_again(&q);
        if (q.result == STORAGE_OK) {
            move_log_added(storage, moves[i].game, moves[i].step);
        }
    }
    return sql_end(&q);
}

enum storage_result storage_moves_each(struct storage *storage, int64_t game, uint32_t from,
                                       storage_move_row *row, void *context)
{
    bool goes_on = true;
    struct sql q = sql_read(storage, "SELECT " MOVE_COLUMNS " FROM moves"
                                     " WHERE game_id = ?1 AND step >= ?2"
                                     " UNION ALL SELECT " MOVE_COLUMNS " FROM moves_new"
                                     " WHERE game_id = ?1 AND step >= ?2 ORDER BY step");

    sql_bind_int(&q, game);
    sql_bind_int(&q, from);
    while (goes_on && sql_row(&q)) {
        struct storage_move move = {.game = sql_int(&q)};
        move.step = (uint32_t)sql_int(&q);
        move.seat = (uint8_t)sql_int(&q);
        move.text = sql_borrow(&q);
        move.at_ms = sql_int(&q);
        move.conn = sql_int(&q);
        move.request = sql_int(&q);
        goes_on = row(context, &move);
    }
    return sql_end(&q);
}
