#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons_state.h"
#include "lobby/play/play.h"
#include "lobby/protocol/protocol.h"
#include "lobby/sanctions/sanctions.h"
#include "lobby/seats/seats.h"
#include "lobby/tables/tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A wrong table password delays the next guess, both for the same account and from the same source
 * address. Each delay is stored under a text key. No such key equals a name whose sign-in is
 * delayed (backoff.h), because no name contains a blank. A person who has guessed with an account
 * and returns as a guest still has to wait. */
#define DELAY_KEY_SIZE 96

static void write_guess_delay_key_of_account(const struct conn *conn, const struct table *table,
                                             char delay_key[DELAY_KEY_SIZE])
{
    (void)snprintf(delay_key, DELAY_KEY_SIZE, "table %" PRId64 " account %" PRId64, table->row.id,
                   conn->person->account);
}

static void write_guess_delay_key_of_source(const struct conn *conn, const struct table *table,
                                            char delay_key[DELAY_KEY_SIZE])
{
    char source[STORAGE_ADDRESS_SIZE];
    source_write_from_address(conn->address, source);
    (void)snprintf(delay_key, DELAY_KEY_SIZE, "table %" PRId64 " source %s", table->row.id, source);
}

/* Writes the key under which the delay of the requester's next guess is stored: the key of the
 * account or, for a guest, of the source address. */
static void write_guess_delay_key(const struct conn *conn, const struct table *table,
                                  char delay_key[DELAY_KEY_SIZE])
{
    if (conn->person->account != 0) {
        write_guess_delay_key_of_account(conn, table, delay_key);
    } else {
        write_guess_delay_key_of_source(conn, table, delay_key);
    }
}

static void refuse_wrong_password(const struct request *request, const struct table *table)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    char delay_key[DELAY_KEY_SIZE];
    if (conn->person->account != 0) {
        write_guess_delay_key_of_account(conn, table, delay_key);
        backoff_count_failure(house, delay_key);
    }
    write_guess_delay_key_of_source(conn, table, delay_key);
    backoff_count_failure(house, delay_key);
    write_guess_delay_key(conn, table, delay_key);
    answer_no(request, "locked",
              _("That is not the table's password: ask its host. You may try again in %d s."),
              (int)backoff_get_wait_s(house, delay_key));
}

/* True when the password opens the table; otherwise the request is refused. During a delay the
 * right password is refused like a wrong one, so that the answer reveals nothing. */
static bool password_is_right(const struct request *request, const struct table *table,
                              const char *password)
{
    char delay_key[DELAY_KEY_SIZE];
    if (password == NULL) {
        answer_no(request, "locked", _("That table is locked: ask its host for the password."));
        return false;
    }
    write_guess_delay_key(request->conn, table, delay_key);
    int64_t wait_s = backoff_get_wait_s(request->house, delay_key);
    if (wait_s > 0) {
        answer_retry_later(
            request, wait_s,
            _("You have to wait after a wrong password for that table: try again in %d s."),
            (int)wait_s);
        return false;
    }
    if (!table_setup_password_opens(table, password)) {
        refuse_wrong_password(request, table);
        return false;
    }
    backoff_reset(request->house, delay_key);
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
    struct table *table = request_find_named_table(request);
    if (table == NULL) {
        answer_no(request, "unknown", _("That table is closed: choose one from the list."));
        return;
    }
    char password[LIMIT_TABLE_PASSWORD_MAX + 1];
    bool has_password = password_read(request->body, "password", password, sizeof(password));
    bool is_there = conn_table(conn) == table && conn_is_observing(conn);
    if (table_seat_of(table, conn->person) < 0 && !is_there &&
        !table_watch_allows(house, table, conn->person)) {
        answer_no(request, "watch",
                  table->row.watch_policy == WATCH_FRIENDS
                      ? _("That game is for its players and their friends to see: choose another.")
                      : _("That game is for its players alone to see: choose another."));
        return;
    }
    if (requester_may_enter(request, table, has_password ? password : NULL)) {
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
