#include "lobby/tables/table_requests.h"

#include "lobby/house/answers.h"
#include "lobby/house/words.h"
#include "lobby/protocol/json_read.h"
#include "lobby/tables/tables.h"

#include <stdio.h>
#include <string.h>

struct table *request_table(const struct request *request)
{
    if (conn_table(request->conn) == NULL) {
        answer_no(request, "no_table", _("You are not at a table: enter one, or open your own."));
    }
    return conn_table(request->conn);
}

struct table *request_idle_table(const struct request *request)
{
    struct table *table = request_table(request);
    if (table != NULL && table_is_playing(table)) {
        answer_no(request, "started",
                  _("A game is on here: wait for its end, or find another table."));
        return NULL;
    }
    return table;
}

struct table *request_own_table(const struct request *request)
{
    struct table *table = request_table(request);
    if (table != NULL && strcmp(table->row.host_name, request->conn->person->name) != 0) {
        answer_no(request, "not_host",
                  _("Only the host of this table can do that: ask them, or open your own."));
        return NULL;
    }
    return table == NULL ? NULL : request_idle_table(request);
}

bool request_is_calm(const struct request *request)
{
    const struct house_config *config = &request->house->config;
    const struct bucket_rule rule = {config->limits_changes_burst, config->limits_changes_per_s};
    if (bucket_take(&request->conn->person->stir, &rule, 1, request->house->now_ms)) {
        return true;
    }
    answer_wait(request, 1, _("That was a lot of changes at once: wait a second, then go on."));
    return false;
}

int request_seat(const struct request *request, bool is_first_free)
{
    const struct table *table = conn_table(request->conn);
    int64_t seat = -1;
    if (is_first_free && json_read_is_absent(request->body, "seat")) {
        seat = table_free_seat(table);
        if (seat < 0) {
            answer_no(request, "full",
                      _("Every seat is taken: watch, or open a table of your own."));
        }
        return (int)seat;
    }
    if (!json_read_number(request->body, "seat", 0, table->row.players - 1, &seat)) {
        answer_no(request, "bad_seat", _("This table has no such seat: choose one that is shown."));
        return -1;
    }
    return (int)seat;
}

bool request_is_empty(const struct request *request, int seat)
{
    if (conn_table(request->conn)->row.seats[seat].holder == STORAGE_SEAT_EMPTY) {
        return true;
    }
    answer_no(request, "full", _("That seat is taken: choose an empty one."));
    return false;
}

void table_ask_rematch(struct house *house, struct table *table, int seat)
{
    if ((table->row.rematch >> seat & 1) == 0) {
        table->row.rematch = (uint8_t)(table->row.rematch | 1U << seat);
        table_save(house, table);
    }
    table_changed(house, table);
}

bool table_rematch_is_agreed(const struct table *table)
{
    for (int seat = 0; seat < table->row.players; seat++) {
        enum storage_holder holder = table->row.seats[seat].holder;
        bool is_person = holder == STORAGE_SEAT_PLAYER || holder == STORAGE_SEAT_GUEST;
        bool is_in = table->gone_ms[seat] == 0 || table_is_by_turns(table);
        bool has_asked = (table->row.rematch >> seat & 1) != 0 && is_in;
        if (is_person && !has_asked) {
            return false;
        }
    }
    return true;
}

bool request_is_everybody_ready(const struct request *request)
{
    struct table *table = conn_table(request->conn);
    for (int seat = 0; seat < table->row.players; seat++) {
        if (table->gone_ms[seat] != 0 && !table_is_by_turns(table)) {
            answer_no_say(request, "absent",
                          _("%s has lost the connection: wait a little, or free the seat."),
                          table->row.seats[seat].name);
            return false;
        }
    }
    int own = table_seat_of(table, request->conn->person);
    if (own >= 0 && table->row.state == STORAGE_TABLE_FINISHED) {
        table_ask_rematch(request->house, table, own);
    }
    if (table->row.state == STORAGE_TABLE_FINISHED && !table_rematch_is_agreed(table)) {
        answer_no(request, "rematch",
                  _("The others have not asked for another game yet: it begins when they do."));
        return false;
    }
    return true;
}
