#include "lobby/play/play.h"

#include "lobby/house/parts.h"
#include "lobby/persons/persons.h"
#include "lobby/tables/tables.h"

void table_close(struct house *house, struct table *table)
{
    table_finish_without_result(house, table);
    table->row.state = STORAGE_TABLE_CLOSED;
    table->row.rematch = 0;
    table_save(house, table);
    stored_or_fail(house, storage_table_forget_people(house->storage, table->row.id));
    invites_end_all_to_table(house, table);
    while (!TAILQ_EMPTY(&table->conns)) {
        struct conn *conn = TAILQ_FIRST(&table->conns)->conn;
        observing_end(house, conn, table);
        TAILQ_REMOVE(&table->conns, &table_conn_state(conn)->link, in_list);
        table_conn_state(conn)->table = NULL;
        person_mark_changed(house, conn->person);
        conn_save(house, conn);
    }
    table_mark_turns_changed(house, table);
    tables_of(house)->rows_changed = true; /* the table's bots are listed at another one, or not */
    TABLE_LISTENERS_CALL(closed, house, table);
    table_free(house, table);
}
