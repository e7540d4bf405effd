#include "storage/archive/archive.h"

#include "storage/sql/sql.h"

ROWS(move, struct storage_move, STORAGE_MOVE_COLUMNS);

enum storage_result storage_moves_append(struct storage *storage, const struct storage_move *moves,
                                         size_t count)
{
    struct sql q =
        sql_write(storage, move_log_is_used(storage) ? ROW_INSERT("moves_new", STORAGE_MOVE_COLUMNS)
                                                     : ROW_INSERT("moves", STORAGE_MOVE_COLUMNS));

    for (size_t i = 0; i < count && q.result == STORAGE_OK; i++) {
        q.result = move_log_check_next_step(storage, moves[i].game, moves[i].step);
        bind_move(&q, &moves[i]);
        sql_defer_and_reset(&q);
        if (q.result == STORAGE_OK) {
            move_log_note_step(storage, moves[i].game, moves[i].step);
        }
    }
    return sql_end(&q);
}

#define MOVES_FROM(table)                                                                          \
    ROW_SELECT(table, STORAGE_MOVE_COLUMNS) " WHERE game_id = ?1 AND step >= ?2"

enum storage_result storage_moves_each(struct storage *storage, int64_t game, uint32_t from_step,
                                       storage_move_row *row, void *context)
{
    struct sql *q = SQL_READ(
        storage, MOVES_FROM("moves") " UNION ALL " MOVES_FROM("moves_new") " ORDER BY step",
        SQL_INT(game), SQL_INT(from_step));

    return each_move(q, row, context);
}
