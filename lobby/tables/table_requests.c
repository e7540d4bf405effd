#include "lobby/tables/tables.h"

#include "lobby/house/parts.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons_state.h"
#include "lobby/protocol/protocol.h"

#include <string.h>

/* The others see a line of most changes. Whoever goes on with changes, such as pausing a game again
 * and again, gets so many bursts of them, and then so many times fewer a second. */
#define LASTING_BURSTS 3
#define LASTING_SLOWER 20

struct table *request_find_named_table(const struct request *request)
{
    int64_t id = 0;
    return json_read_number(request->body, "table", 1, INT64_MAX, &id)
               ? table_find(request->house, id)
               : NULL;
}

static bool request_find_entered_table(struct request *request)
{
    request->table = conn_table(request->conn);
    if (request->table == NULL) {
        answer_no(request, "no_table", _("You are not at a table: enter one, or open your own."));
    }
    return request->table != NULL;
}

const struct need need_table = {.find = request_find_entered_table};

static bool request_find_entered_idle_table(struct request *request)
{
    if (!request_find_entered_table(request)) {
        return false;
    }
    if (table_is_playing(request->table)) {
        answer_no(request, "started",
                  _("A game is on here: wait for its end, or find another table."));
        return false;
    }
    return true;
}

const struct need need_idle_table = {.find = request_find_entered_idle_table};

static bool request_find_hosted_table(struct request *request)
{
    if (!request_find_entered_table(request)) {
        return false;
    }
    if (strcmp(request->table->row.host_name, request->conn->person->name) != 0) {
        answer_no(request, "not_host",
                  _("Only the host of this table can do that: ask them, or open your own."));
        return false;
    }
    return true;
}

const struct need need_hosted_table = {.find = request_find_hosted_table};

static bool request_find_hosted_idle_table(struct request *request)
{
    return request_find_hosted_table(request) && request_find_entered_idle_table(request);
}

const struct need need_own_table = {.find = request_find_hosted_idle_table};

bool request_is_within_rate_limit(const struct request *request)
{
    const struct house_config *config = &request->house->config;
    struct table_person_state *person = table_person_state(request->conn->person);
    const struct bucket_rule rule = {config->limits_changes_burst, config->limits_changes_per_s};
    const struct bucket_rule lasting = {LASTING_BURSTS * rule.burst,
                                        rule.per_second / LASTING_SLOWER};
    int64_t wait_s = LASTING_SLOWER / config->limits_changes_per_s + 1;
    if (!bucket_take_tokens(&person->stir, &rule, 1, request->house->now_ms)) {
        wait_s = 1;
    } else if (bucket_take_tokens(&person->lasting_stir, &lasting, 1, request->house->now_ms)) {
        return true;
    }
    answer_retry_later(request, wait_s, _("That was a lot of changes: wait %d s, then go on."),
                       (int)wait_s);
    return false;
}

const struct need need_change_rate = {.holds = request_is_within_rate_limit};

static bool request_find_seat(struct request *request)
{
    int64_t seat = -1;
    if (!json_read_number(request->body, "seat", 0, request->table->row.players - 1, &seat)) {
        answer_no(request, "bad_seat", _("This table has no such seat: choose one that is shown."));
    }
    request->seat = (int)seat;
    return seat >= 0;
}

const struct need need_seat = {.find = request_find_seat};

static bool request_find_free_seat(struct request *request)
{
    const struct table *table = request->table;
    if (json_read_key_is_absent(request->body, "seat")) {
        request->seat = table_first_free_seat(table);
        if (request->seat < 0) {
            answer_no(request, "full",
                      _("Every seat is taken: watch, or open a table of your own."));
        }
        return request->seat >= 0;
    }
    if (!request_find_seat(request)) {
        return false;
    }
    bool is_empty = table->row.seats[request->seat].holder == STORAGE_SEAT_EMPTY;
    if (!is_empty) {
        answer_no(request, "full", _("That seat is taken: choose an empty one."));
    }
    return is_empty;
}

const struct need need_free_seat = {.find = request_find_free_seat};

void table_store_rematch_request(struct house *house, struct table *table, int seat)
{
    if ((table->row.rematch >> seat & 1) == 0) {
        table->row.rematch = (uint8_t)(table->row.rematch | 1U << seat);
        table_save(house, table);
    }
    table_mark_changed(house, table);
}

bool table_rematch_is_agreed(const struct table *table)
{
    for (int seat = 0; seat < table->row.players; seat++) {
        bool is_in = table->gone_ms[seat] == 0 || table_is_turn_by_turn(table);
        bool has_asked = (table->row.rematch >> seat & 1) != 0 && is_in;
        if (seat_has_person(&table->row.seats[seat]) && !has_asked) {
            return false;
        }
    }
    return true;
}

bool request_players_are_ready(const struct request *request)
{
    struct table *table = request->table;
    for (int seat = 0; seat < table->row.players; seat++) {
        if (table->gone_ms[seat] != 0 && !table_is_turn_by_turn(table)) {
            answer_no(request, "absent",
                      _("%s has lost the connection: wait a little, or free the seat."),
                      table->row.seats[seat].name);
            return false;
        }
    }
    int own = table_seat_of(table, request->conn->person);
    if (own >= 0 && table->row.state == STORAGE_TABLE_FINISHED) {
        table_store_rematch_request(request->house, table, own);
    }
    if (table->row.state == STORAGE_TABLE_FINISHED && !table_rematch_is_agreed(table)) {
        answer_no(request, "rematch",
                  _("The others have not asked for another game yet: it begins when they do."));
        return false;
    }
    return true;
}
