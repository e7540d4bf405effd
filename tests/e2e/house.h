#ifndef TESTS_E2E_HOUSE_H
#define TESTS_E2E_HOUSE_H

#include "tests/e2e/terminal.h"

#include <stdbool.h>
#include <sys/types.h>

/*
 * A real house for a test: `trickhouse serve` (the program named by $TRICKHOUSE) on a free port of
 * loopback with its data in a folder of its own, and people who come in through the real ssh and
 * telnet.
 */
struct house_fixture {
    char folder[64]; /* data/, keys, logs; removed at the end */
    int port, telnet_port;
    pid_t pid;
    int session_deaths; /* how many sessions a test lets die of a signal */
};

/* Starts and waits until it is open; fails the test when it does not. The house closes when the
 * test's program ends, however it does. */
void house_open(struct house_fixture *house);

/* The same with the text of a house.conf. */
void house_open_with(struct house_fixture *house, const char *settings);

/* The same in steps: first the folder alone, in which keys can be made for the settings to name. */
void house_prepare(struct house_fixture *house);
void house_start(struct house_fixture *house, const char *settings);

/* The same as cmocka's set-up and tear-down of a group: *state is a house. */
int house_set_up(void **state);
int house_tear_down(void **state);

/* How many lines of the house's log hold the words. */
int house_logged(const struct house_fixture *house, const char *words);

/* Asks it to close and waits until it has. The folder stays: house_start without
 * settings opens the house again. */
void house_stop(struct house_fixture *house);

/* Asks it to close, waits until it has, checks that no session died of a signal but those the test
 * expects, and removes the folder. */
void house_close(struct house_fixture *house);

/* Makes a key pair of that name in the folder, to be named in house_enter. */
void house_make_key(const struct house_fixture *house, const char *key);

/* What `first_admin` is set to for that key: "SHA256:…". */
#define HOUSE_FINGERPRINT_SIZE 65
void house_key_fingerprint(const struct house_fixture *house, const char *key,
                           char fingerprint[HOUSE_FINGERPRINT_SIZE]);

/* How somebody comes in. */
struct visit {
    const char *user;    /* the name before the @ */
    const char *key;     /* made by house_make_key; NULL: no key at all */
    const char *term;    /* NULL: xterm-256color */
    int columns, rows;   /* 0: 80×24 */
    const char *command; /* NULL: a shell on a pseudo-terminal */
};

struct terminal *house_enter(const struct house_fixture *house, const struct visit *visit);

/* The same through the real telnet: `user` and `key` mean nothing here, names are asked for. */
struct terminal *house_enter_by_telnet(const struct house_fixture *house,
                                       const struct visit *visit);

/* The process of the house that calls itself that ("core", "gate"); fails the test when absent. */
pid_t house_process(const struct house_fixture *house, const char *name);

/* The session of who came last; fails the test when nobody is there. */
pid_t house_newest_session(const struct house_fixture *house);

#endif
