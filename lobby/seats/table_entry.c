#include "lobby/chat/chat.h"
#include "lobby/house/answers.h"
#include "lobby/house/conns.h"
#include "lobby/house/messages.h"
#include "lobby/house/source.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons_state.h"
#include "lobby/play/table_people.h"
#include "lobby/protocol/json_read.h"
#include "lobby/sanctions/backoff.h"
#include "lobby/seats/table_setup.h"
#include "lobby/tables/invites.h"
#include "lobby/tables/table_requests.h"
#include "lobby/tables/table_watch.h"
#include "lobby/tables/tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A wrong password of a table delays the next guess of the same account and from the same source
 * address. Each delay is stored under a text key. No such key equals a name whose sign-in is
 * delayed (backoff.h), because no name contains a blank. A person who has guessed with an account
 * and returns as a guest still has to wait. */
#define GUESSER_SIZE 96

static void write_guesser_key_of_account(const struct conn *conn, const struct table *table,
                                         char guesser_key[GUESSER_SIZE])
{
    (void)snprintf(guesser_key, GUESSER_SIZE, "table %" PRId64 " account %" PRId64, table->row.id,
                   conn->person->account);
}

static void write_guesser_key_of_source(const struct conn *conn, const struct table *table,
                                        char guesser_key[GUESSER_SIZE])
{
    char source[STORAGE_ADDRESS_SIZE];
    source_of_address(conn->address, source);
    (void)snprintf(guesser_key, GUESSER_SIZE, "table %" PRId64 " source %s", table->row.id, source);
}

/* Writes the key that delays the requester's next guess: that of the account, or of the source for
 * a guest. */
static void write_guesser_key(const struct conn *conn, const struct table *table,
                              char guesser_key[GUESSER_SIZE])
{
    if (conn->person->account != 0) {
        write_guesser_key_of_account(conn, table, guesser_key);
    } else {
        write_guesser_key_of_source(conn, table, guesser_key);
    }
}

static void note_wrong_password(const struct request *request, const struct table *table)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    char guesser_key[GUESSER_SIZE];
    if (conn->person->account != 0) {
        write_guesser_key_of_account(conn, table, guesser_key);
        backoff_count_failure(house, guesser_key);
    }
    write_guesser_key_of_source(conn, table, guesser_key);
    backoff_count_failure(house, guesser_key);
    write_guesser_key(conn, table, guesser_key);
    answer_no(request, "locked",
              _("That is not the table's password: ask its host. You may try again in %d s."),
              (int)backoff_wait_s(house, guesser_key));
}

/* True when the password opens the table; otherwise the request is refused. During a delay the
 * right password is refused like a wrong one, so that the answer reveals nothing. */
static bool password_is_right(const struct request *request, const struct table *table,
                              const char *password)
{
    char guesser_key[GUESSER_SIZE];
    if (password == NULL) {
        answer_no(request, "locked", _("That table is locked: ask its host for the password."));
        return false;
    }
    write_guesser_key(request->conn, table, guesser_key);
    int64_t wait_s = backoff_wait_s(request->house, guesser_key);
    if (wait_s > 0) {
        answer_retry_later(
            request, wait_s,
            _("You have to wait after a wrong password for that table: try again in %d s."),
            (int)wait_s);
        return false;
    }
    if (!table_setup_password_opens(table, password)) {
        note_wrong_password(request, table);
        return false;
    }
    backoff_reset(request->house, guesser_key);
    return true;
}

/* True when this person may enter the table; otherwise the request is refused. */
static bool requester_may_enter(const struct request *request, const struct table *table,
                                const char *password)
{
    struct conn *conn = request->conn;
    return table->row.password_hash[0] == '\0' || table == conn_table(conn) ||
           table_seat_of(table, conn->person) >= 0 ||
           strcmp(table->row.host_name, conn->person->name) == 0 ||
           invites_person_is_invited(request->house, conn->person, table) ||
           password_is_right(request, table, password);
}

static void message_table_enter(const struct request *request)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    struct table *table = request_named_table(request);
    if (table == NULL) {
        answer_no(request, "unknown", _("That table is closed: choose one from the list."));
        return;
    }
    const char *password = json_read_text(request->body, "password", LIMIT_TABLE_PASSWORD_MAX);
    bool is_there = conn_table(conn) == table && conn_is_observing(conn);
    if (table_seat_of(table, conn->person) < 0 && !is_there &&
        !table_watch_allows(house, table, conn->person)) {
        answer_no(request, "watch",
                  table->row.watch_policy == WATCH_FRIENDS
                      ? _("That game is for its players and their friends to see: choose another.")
                      : _("That game is for its players alone to see: choose another."));
        return;
    }
    if (requester_may_enter(request, table, password)) {
        table_enter(house, conn, table);
        answer_ok(request, NULL);
        chat_send_table_backlog(house, conn);
    }
}

const struct message_handler handler_table_enter = {message_table_enter};

static void message_table_leave(const struct request *request)
{
    table_exit(request->house, request->conn, true);
    conn_save(request->house, request->conn);
    answer_ok(request, NULL);
}

const struct message_handler handler_table_leave = {message_table_leave};
