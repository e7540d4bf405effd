#pragma once

#include "lobby/house/house.h"
#include "storage/storage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>

/*
 * A house over a real storage in a folder of its own, driven with JSON, and everything it told by
 * connection. Time stands still unless a test moves it. A worker that "hashes" passwords by writing
 * a word before them, and knows codes (driver_make_code), is there from the start, a bot process
 * when asked for.
 */

#define DRIVER_CONNS 64 /* with an inbox; what others are told is not looked at */
#define DRIVER_ADDRESS_SIZE 48
#define DRIVER_AUTH 1 /* the worker's connection */
#define DRIVER_BOT 2
#define DRIVER_GATE 3
#define DRIVER_FIRST 10 /* where tests number their sessions from */

struct driver {
    char folder[64];
    char path[96];
    struct storage *storage;
    struct house *house;
    struct house_config config;
    int64_t now_ms;
    int64_t next_id;
    int protocol;                /* what sessions say in `hello` */
    uint8_t random;              /* counts up: random bytes of a test are the same every time */
    bool has_workers;            /* the worker answers by itself */
    bool has_bots;               /* so do the bots */
    bool is_damaged;             /* stored texts were damaged: no sentence is checked */
    json_t *inbox[DRIVER_CONNS]; /* what each connection was told, oldest first */
    enum house_result result;    /* of the last call */
    int64_t dies_before_answer;  /* the core ends before it tells the answer to this request; 0 */
    bool has_died;               /* that has come: nothing is told any more */
    char addresses[DRIVER_CONNS][DRIVER_ADDRESS_SIZE]; /* of sessions: where each came from last */
};

/* cmocka's set-up and tear-down. */
int driver_setup(void **state);
int driver_teardown(void **state);

#define DRIVER_TEST(test) cmocka_unit_test_setup_teardown(test, driver_setup, driver_teardown)

/* Another house over the same data, as after a crash: nobody is connected. */
void driver_restart(struct driver *driver);

/* The same over a copy of another house's closed file; driver_try_copy: house and storage are NULL
 * when it cannot be opened. */
void driver_try_copy(struct driver *driver, const char *path);
void driver_load_copy(struct driver *driver, const char *path);

/* Copies a closed house's file. */
void driver_copy_file(const char *from, const char *to);

/* The same, once this SQL has changed what is stored. */
void driver_restart_after_sql(struct driver *driver, const char *sql);

/* Hands it the connections that outlived the last core, as the gate does, and has them say hello;
 * these and no others. What they were told before is forgotten. */
void driver_return_conns(struct driver *driver, const int64_t *conns, size_t count);

void driver_connect(struct driver *driver, int64_t conn, enum peer peer);
void driver_connect_from(struct driver *driver, int64_t conn, const char *address,
                         const char *transport);
void driver_disconnect(struct driver *driver, int64_t conn);

/* A session connects and says hello. */
void driver_arrive(struct driver *driver, int64_t conn);
void driver_arrive_from(struct driver *driver, int64_t conn, const char *address,
                        const char *transport);

/* The session says hello with the driver's number. */
enum house_result driver_send_hello(struct driver *driver, int64_t conn);

/* Gives the house a message (JSON with ' for "), commits and gathers what it tells. */
enum house_result driver_send(struct driver *driver, int64_t conn, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A request without its id: gives its answer, borrowed from the inbox, or NULL if there is none
 * yet. */
const json_t *driver_ask(struct driver *driver, int64_t conn, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The answer to a request by its id, NULL when there is none. */
const json_t *driver_answer(struct driver *driver, int64_t conn, int64_t id);

/* Asks and insists on `ok`, or on `no` with this code. */
#define driver_ok(driver, conn, ...)                                                               \
    driver_expect((driver), driver_ask((driver), (conn), __VA_ARGS__), NULL, __FILE__, __LINE__)
#define driver_no(driver, conn, code, ...)                                                         \
    driver_expect((driver), driver_ask((driver), (conn), __VA_ARGS__), (code), __FILE__, __LINE__)
const json_t *driver_expect(struct driver *driver, const json_t *answer, const char *code,
                            const char *file, int line);

/* Commits and gathers. */
void driver_commit(struct driver *driver);

/* Lets time pass, with every tick the house asks for on the way. */
void driver_pass(struct driver *driver, int64_t ms);

/* The newest message of a type this connection was told, NULL when there is none; borrowed. */
const json_t *driver_newest(const struct driver *driver, int64_t conn, const char *type);
size_t driver_count(const struct driver *driver, int64_t conn, const char *type);
void driver_forget(struct driver *driver, int64_t conn);

/* How many messages of a type (NULL: any) this connection was told whose text has these words. */
size_t driver_count_with_words(const struct driver *driver, int64_t conn, const char *type,
                               const char *words);

/* Connects, says hello, and makes an account with a password, or signs in as guest. */
void driver_sign_up(struct driver *driver, int64_t conn, const char *name);
void driver_sign_up_from(struct driver *driver, int64_t conn, const char *name,
                         const char *address);
void driver_sign_in(struct driver *driver, int64_t conn, const char *name);
void driver_guest(struct driver *driver, int64_t conn);
void driver_guest_from(struct driver *driver, int64_t conn, const char *address);

/* What the worker takes for the secret's code so many steps from now. */
#define DRIVER_CODE_SIZE 16
const char *driver_make_code(const struct driver *driver, const char *secret, int64_t steps,
                             char code[DRIVER_CODE_SIZE]);

/* The number of a new table: this game of the registry's first, so many players, clock. */
int64_t driver_open_table(struct driver *driver, int64_t conn, int players, int clock_s);

/* Has these connections make their first legal move whenever it is their turn, until the table's
 * game is over or `moves` were made; time passes for bots. Gives the moves made by them. */
size_t driver_play(struct driver *driver, const int64_t *conns, size_t count, size_t moves);

/* Text and number of a member; "" and -1 when absent. */
const char *driver_text(const json_t *object, const char *key);
int64_t driver_number(const json_t *object, const char *key);
