#include "lobby/table_requests.h"

#include "lobby/answers.h"
#include "lobby/protocol/json_read.h"
#include "lobby/tables.h"
#include "lobby/words.h"

#include <string.h>

struct table *request_table(struct house *house, struct conn *conn, int64_t request)
{
    if (conn->table == NULL) {
        answer_no(house, conn, request, "no_table",
                  _("You are not at a table: enter one, or open your own."));
    }
    return conn->table;
}

struct table *request_idle_table(struct house *house, struct conn *conn, int64_t request)
{
    struct table *table = request_table(house, conn, request);
    if (table != NULL && table_is_playing(table)) {
        answer_no(house, conn, request, "started",
                  _("A game is on here: wait for its end, or find another table."));
        return NULL;
    }
    return table;
}

struct table *request_own_table(struct house *house, struct conn *conn, int64_t request)
{
    struct table *table = request_table(house, conn, request);
    if (table != NULL && strcmp(table->row.host_name, conn->person->name) != 0) {
        answer_no(house, conn, request, "not_host",
                  _("Only the host of this table can do that: ask them, or open your own."));
        return NULL;
    }
    return table == NULL ? NULL : request_idle_table(house, conn, request);
}

int request_seat(struct house *house, struct conn *conn, int64_t request, const json_t *body,
                 bool is_first_free)
{
    const struct table *table = conn->table;
    int64_t seat = -1;
    if (is_first_free && json_read_is_absent(body, "seat")) {
        seat = table_free_seat(table);
        if (seat < 0) {
            answer_no(house, conn, request, "full",
                      _("Every seat is taken: watch, or open a table of your own."));
        }
        return (int)seat;
    }
    if (!json_read_number(body, "seat", 0, table->row.players - 1, &seat)) {
        answer_no(house, conn, request, "bad_seat",
                  _("This table has no such seat: choose one that is shown."));
        return -1;
    }
    return (int)seat;
}

bool request_is_empty(struct house *house, struct conn *conn, int64_t request, int seat)
{
    if (conn->table->row.seats[seat].holder == STORAGE_SEAT_EMPTY) {
        return true;
    }
    answer_no(house, conn, request, "full", _("That seat is taken: choose an empty one."));
    return false;
}
