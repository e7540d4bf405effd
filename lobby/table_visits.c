#include "lobby/answers.h"
#include "lobby/chat.h"
#include "lobby/conns.h"
#include "lobby/invites.h"
#include "lobby/messages.h"
#include "lobby/mod/observing.h"
#include "lobby/protocol/json_read.h"
#include "lobby/table_people.h"
#include "lobby/table_setup.h"
#include "lobby/table_watch.h"
#include "lobby/tables.h"
#include "lobby/words.h"

#include <string.h>

/* True when this person may come in; else the request is answered. */
static bool visit_is_allowed(struct house *house, struct conn *conn, int64_t request,
                             const struct table *table, const char *password)
{
    if (table->row.password_hash[0] == '\0' || table == conn->table ||
        table_seat_of(table, conn->person) >= 0 ||
        strcmp(table->row.host_name, conn->person->name) == 0 ||
        invites_has(house, conn->person, table) || table_setup_opens(table, password)) {
        return true;
    }
    answer_no(house, conn, request, "locked",
              password == NULL ? _("That table is locked: ask its host for the password.")
                               : _("That is not the table's password: ask its host."));
    return false;
}

void message_table_enter(struct house *house, struct conn *conn, int64_t request, json_t *body)
{
    int64_t id = 0;
    struct table *table =
        json_read_number(body, "table", 1, INT64_MAX, &id) ? table_find(house, id) : NULL;
    if (table == NULL) {
        answer_no(house, conn, request, "unknown",
                  _("That table is closed: choose one from the list."));
        return;
    }
    const char *password = json_read_text(body, "password", LIMIT_TABLE_PASSWORD_MAX);
    bool is_there = conn->table == table && observing_is(conn);
    if (table_seat_of(table, conn->person) < 0 && !is_there &&
        !table_watch_allows(house, table, conn->person)) {
        answer_no(house, conn, request, "watch",
                  table->row.watch_policy == WATCH_FRIENDS
                      ? _("That game is for its players and their friends to see: choose another.")
                      : _("That game is for its players alone to see: choose another."));
        return;
    }
    if (visit_is_allowed(house, conn, request, table, password)) {
        table_enter(house, conn, table);
        answer_ok(house, conn, request, NULL);
        chat_tell_table_backlog(house, conn);
    }
}

void message_table_leave(struct house *house, struct conn *conn, int64_t request, json_t *body)
{
    (void)body;
    table_exit(house, conn, true);
    conn_save(house, conn);
    answer_ok(house, conn, request, NULL);
}
