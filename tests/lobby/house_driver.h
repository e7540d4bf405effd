#pragma once

#include "lobby/house/house.h"
#include "storage/storage.h"
#include "tests/unit.h"

#include <stdbool.h>

#include <jansson.h>

/*
 * Runs a house with a real storage in a folder of its own, sends JSON to the house, and keeps
 * everything that the house sends to each connection. Time stands still unless a test moves it. A
 * password worker is connected from the start; it "hashes" a password by putting a word before it,
 * and accepts the codes of driver_make_authenticator_code. A bot process is connected when a test
 * asks for it.
 */

#define DRIVER_CONNS 64 /* connections whose messages are kept */
#define DRIVER_URL_SIZE 256
#define DRIVER_ADDRESS_SIZE 48
#define DRIVER_AUTH 1 /* the password worker's connection */
#define DRIVER_BOT 2
#define DRIVER_GATE 3
#define DRIVER_FIRST 10 /* connection number of the tests' first session */

struct driver {
    char folder[64];
    char path[96];
    char url[DRIVER_URL_SIZE]; /* of the PostgreSQL database in use instead of the file; "": none */
    struct storage *storage;
    struct house *house;
    struct house_config config;
    int64_t now_ms;
    int64_t next_id;
    uint8_t random;              /* a counter that replaces random bytes, so each run is the same */
    bool shows_windows;          /* sessions do not ask for the whole lobby in `hello` */
    bool has_workers;            /* the driver acts as the password worker */
    bool has_bots;               /* the driver acts as the bots, which make random legal moves */
    bool is_damaged;             /* stored texts were damaged, so sentences sent are not checked */
    json_t *inbox[DRIVER_CONNS]; /* messages to each connection, oldest first */
    enum house_result result;    /* what the last call into the house returned */
    int64_t dies_before_answer;  /* the core dies before it answers the request of this id; 0: it
                                    does not */
    bool has_died; /* the core has died because of dies_before_answer and sends nothing more */
    char addresses[DRIVER_CONNS]
                  [DRIVER_ADDRESS_SIZE]; /* the address each session last connected from */
};

/* Set-up and tear-down functions for cmocka. */
int driver_setup(void **state);
int driver_teardown(void **state);

#define DRIVER_TEST(test) cmocka_unit_test_setup_teardown(test, driver_setup, driver_teardown)

/* Starts another core on the same data, as after a crash: nobody is connected. */
void driver_restart_core(struct driver *driver);

/* Closes the house and its data; driver_restart_core starts the next core. */
void driver_stop_core(struct driver *driver);

/* Closes the house and its data. From then on its data are in a PostgreSQL database, which is
 * emptied, or, if the URL is "", in a file. Starts no core. */
void driver_use_database(struct driver *driver, const char *url);

/* Starts a core on a copy of another house's closed file. If driver_try_start_house_on_copy cannot
 * open the file, house and storage are NULL. */
void driver_try_start_house_on_copy(struct driver *driver, const char *path);
void driver_start_house_on_copy(struct driver *driver, const char *path);

/* Runs the SQL on the data, then starts another core on them. */
void driver_restart_after_sql(struct driver *driver, const char *sql);

/* Tells the new core, as the gate does, that exactly these connections outlived the last core, and
 * has them say hello. Their inboxes are emptied first. */
void driver_reconnect_conns(struct driver *driver, const int64_t *conns, size_t count);

void driver_connect(struct driver *driver, int64_t conn, enum peer peer);
void driver_connect_from(struct driver *driver, int64_t conn, const char *address,
                         const char *transport);
void driver_disconnect(struct driver *driver, int64_t conn);

/* Connects a session and has it say hello. */
void driver_connect_session(struct driver *driver, int64_t conn);
void driver_connect_session_from(struct driver *driver, int64_t conn, const char *address,
                                 const char *transport);

/* Has the session send a hello that asks for the whole lobby unless
 * driver->shows_windows. */
enum house_result driver_send_hello(struct driver *driver, int64_t conn);

/* Sends the house a message (JSON with ' for "), commits, and collects what the house sends. */
enum house_result driver_send(struct driver *driver, int64_t conn, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Sends a request, adding its id. Returns the answer, borrowed from the inbox, or NULL if there is
 * none yet. */
const json_t *driver_request(struct driver *driver, int64_t conn, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns the answer to the request with this id; NULL when there is none. */
const json_t *driver_find_answer(struct driver *driver, int64_t conn, int64_t id);

/* Sends a request and checks that the answer is `ok`, or `no` with this code. */
#define driver_ok(driver, conn, ...)                                                               \
    driver_expect((driver), driver_request((driver), (conn), __VA_ARGS__), NULL, __FILE__, __LINE__)
#define driver_no(driver, conn, code, ...)                                                         \
    driver_expect((driver), driver_request((driver), (conn), __VA_ARGS__), (code), __FILE__,       \
                  __LINE__)
const json_t *driver_expect(struct driver *driver, const json_t *answer, const char *refusal_code,
                            const char *file, int line);

/* Commits, and collects what the house sends. */
void driver_commit(struct driver *driver);

/* Moves the time forward by `ms`, and calls the house's tick whenever the house has asked for
 * it. */
void driver_pass_time(struct driver *driver, int64_t ms);

/* Returns the newest message of this type sent to the connection, borrowed; NULL when there is
 * none. */
const json_t *driver_newest_message(const struct driver *driver, int64_t conn, const char *type);
size_t driver_count_messages(const struct driver *driver, int64_t conn, const char *type);
void driver_clear_inbox(struct driver *driver, int64_t conn);

/* Counts the messages of this type (NULL: any) to the connection whose text has these words. */
size_t driver_count_messages_with_words(const struct driver *driver, int64_t conn, const char *type,
                                        const char *words);

/* Each of these connects a session, says hello, and then creates an account with a password, signs
 * in, or enters as a guest. */
void driver_sign_up(struct driver *driver, int64_t conn, const char *name);
void driver_sign_up_from(struct driver *driver, int64_t conn, const char *name,
                         const char *address);
void driver_sign_in(struct driver *driver, int64_t conn, const char *name);
void driver_enter_as_guest(struct driver *driver, int64_t conn);
void driver_enter_as_guest_from(struct driver *driver, int64_t conn, const char *address);

/* Writes the authenticator code for this secret that is valid `steps_from_now` time steps from
 * now. */
#define DRIVER_CODE_SIZE 16
const char *driver_make_authenticator_code(const struct driver *driver, const char *secret,
                                           int64_t steps_from_now, char code[DRIVER_CODE_SIZE]);

/* Opens a table for the registry's first game, with `players` seats and `clock_s` seconds for each
 * move (0: no clock); returns the table's number. */
int64_t driver_open_table(struct driver *driver, int64_t conn, int players, int clock_s);

/* True when the table that the connection has entered stops between two rounds, as the connection
 * was told. */
bool driver_is_stopped(const struct driver *driver, int64_t conn);

/* Asks to go on with the next round, if the table waits for this player to do so. Returns true when
 * it asked. */
bool driver_end_stop(struct driver *driver, int64_t conn);

/* Makes the connection's first legal move if it is its turn; returns true when it did. */
bool driver_make_first_legal_move(struct driver *driver, int64_t conn);

/* Makes the first legal move of each of these connections whenever it is their turn, and goes on
 * after each round, until the game is over or max_moves were made; time passes while bots play.
 * Returns the number of moves made by these connections. */
size_t driver_play_moves(struct driver *driver, const int64_t *conns, size_t count,
                         size_t max_moves);

/* Each returns the value of an object's member: the text ("" if there is none) or the number (-1 if
 * there is none). */
const char *driver_read_text(const json_t *object, const char *key);
int64_t driver_read_number(const json_t *object, const char *key);
