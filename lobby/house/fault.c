#include "lobby/house/fault.h"

#include "lobby/chat/chat.h"
#include "lobby/house/answers.h"
#include "lobby/house/conns.h"
#include "lobby/house/journal.h"
#include "lobby/house/rebuild.h"
#include "lobby/house/stored.h"
#include "lobby/house/words.h"
#include "lobby/house/works.h"
#include "lobby/tables/table_finish.h"
#include "lobby/tables/tables.h"

#include <inttypes.h>
#include <stdio.h>

#define NUMBER_SIZE 24

static const char *fault_words(const struct house *house, enum storage_result result)
{
    if (result == STORAGE_NOT_FOUND) {
        return "a row is missing that has to be there";
    }
    if (result == STORAGE_TAKEN) {
        return "a row is there already that must not be";
    }
    return storage_why(house->storage);
}

void fault_note(struct house *house, enum storage_result result)
{
    struct fault *fault = &house->fault;
    if (fault->is_met) {
        return; /* whatever follows may follow from the first */
    }
    fault->is_met = true;
    fault->at = house->doing;
    (void)snprintf(fault->why, sizeof(fault->why), "%s", fault_words(house, result));
}

static void fault_log(const struct house *house, const struct fault *fault, const char *part)
{
    char table[NUMBER_SIZE];
    char conn[NUMBER_SIZE];
    char request[NUMBER_SIZE];
    (void)snprintf(table, sizeof(table), "%" PRId64, fault->at.table);
    (void)snprintf(conn, sizeof(conn), "%" PRId64, fault->at.conn);
    (void)snprintf(request, sizeof(request), "%" PRId64, fault->at.request);
    journal_house(house, "fault",
                  JOURNAL_PAIRS("why", fault->why, "table", fault->at.table == 0 ? NULL : table,
                                "of", fault->at.conn == 0 ? NULL : conn, "request",
                                fault->at.request == 0 ? NULL : request, "part", part));
}

void fault_pass(struct house *house, const char *part)
{
    if (house->fault.is_met) {
        fault_log(house, &house->fault, part);
        house->fault.is_met = false;
    }
}

static void fault_say_closed(struct house *house, int64_t table, const char *why)
{
    char words[WORDS_MAX];
    char number[NUMBER_SIZE];
    (void)snprintf(number, sizeof(number), "%" PRId64, table);
    journal_house(house, "table-closed", JOURNAL_PAIRS("table", number, "why", why));
    if (!house->is_read_only) {
        (void)snprintf(words, sizeof(words),
                       _("Table #%lld is closed: the house has lost a part of it. A game that was "
                         "on there counts for nothing."),
                       (long long)table);
        chat_house_lobby(house, words);
    }
}

void fault_close_table(struct house *house, struct table *table, const char *why)
{
    const int64_t id = table->row.id;
    if (house->is_read_only) {
        table_free(house, table); /* closed once there is room */
    } else {
        table_game_cut(house, table);
        table_close(house, table);
    }
    if (house->fault.is_met) { /* its rows are refused as they are: only their state changes */
        fault_pass(house, "closing it");
        stored_or_fail(house, storage_table_close(house->storage, id));
    }
    fault_say_closed(house, id, why);
}

/* The one that asked is answered when it asks again, as the others do after `resync`. */
static void fault_refuse(struct conn *conn, int64_t request)
{
    answer_keep(conn, request, "failed",
                _("The house could not do that; nothing was changed. Its log says more."));
}

/* What met the fault, in the house as it was before. */
static void fault_pay(struct house *house, const struct fault *fault)
{
    const struct doing *at = &fault->at;
    struct table *table = at->table == 0 ? NULL : table_find(house, at->table);
    struct conn *conn = at->conn == 0 ? NULL : conn_find(house, at->conn);
    if (table != NULL) {
        house->doing = (struct doing){.table = at->table};
        fault_close_table(house, table, fault->why);
        house->doing = (struct doing){0};
    } else if (at->table != 0) {
        fault_say_closed(house, at->table, fault->why); /* nothing of it was left to be read */
    } else if (conn != NULL && at->request != 0) {
        fault_refuse(conn, at->request);
    } else if (at->work != 0) {
        house->work_paused_ms[at->work - 1] = house->now_ms + FAULT_REST_MS;
    }
}

bool fault_undo(struct house *house)
{
    const struct fault fault = house->fault;
    struct conn *conn = conn_find(house, fault.at.conn);
    bool is_conns =
        fault.at.table == 0 && fault.at.request == 0 && conn != NULL && conn->peer == PEER_SESSION;
    house->fault.is_met = false;
    fault_log(house, &fault, fault.at.work == 0 ? NULL : works_name(fault.at.work));
    storage_rollback(house->storage);
    if (is_conns) {
        conn->is_unfit = true;
    }
    if (!rebuild_without_conns(house)) {
        return false;
    }
    if (fault.at.table != 0) { /* before anybody goes to it, which may meet the fault again */
        fault_pay(house, &fault);
    }
    if (!rebuild_conns(house)) {
        return false;
    }
    if (fault.at.table == 0 && !house->fault.is_met) {
        fault_pay(house, &fault);
    }
    return !house->is_failed;
}
