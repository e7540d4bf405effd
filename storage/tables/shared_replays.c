#include "storage/tables/tables.h"

#include "storage/sql/sql.h"

ROWS(shared_replay, struct storage_shared_replay, STORAGE_SHARED_REPLAY_COLUMNS);

enum storage_result storage_shared_replay_add(struct storage *storage,
                                              const struct storage_shared_replay *replay,
                                              int64_t *id)
{
    return run_new_shared_replay(
        sql_write(storage, ROW_INSERT_NEW("reviews", STORAGE_SHARED_REPLAY_COLUMNS)), replay, id);
}

enum storage_result storage_shared_replay_set_step(struct storage *storage,
                                                   const struct storage_shared_replay *replay)
{
    return sql_run_change(SQL_WRITE(storage, "UPDATE reviews SET step = ?, seat = ? WHERE id = ?",
                                    SQL_INT(replay->step), SQL_INT(replay->seat),
                                    SQL_INT(replay->id)));
}

enum storage_result storage_shared_replay_read(struct storage *storage, int64_t id,
                                               struct storage_shared_replay *replay)
{
    struct sql *q = SQL_READ(
        storage, ROW_SELECT("reviews", STORAGE_SHARED_REPLAY_COLUMNS) " WHERE id = ?", SQL_INT(id));

    return read_shared_replay(q, replay);
}

enum storage_result storage_shared_replays_delete_empty(struct storage *storage)
{
    return sql_run(SQL_WRITE(storage,
                             "DELETE FROM reviews WHERE NOT EXISTS"
                             " (SELECT 1 FROM connections c WHERE c.review = reviews.id)",
                             SQL_NONE));
}
