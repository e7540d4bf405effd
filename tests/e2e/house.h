#pragma once

#include "tests/e2e/terminal.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * A real house for a test: `trickhouse serve` (the program named by $TRICKHOUSE) on a free loopback
 * port, with its data in its own folder, and people who connect through the real ssh and telnet.
 */
struct house_fixture {
    char folder[64]; /* holds data/, keys and logs; removed at the end */
    int port, telnet_port;
    pid_t pid;
    int session_deaths; /* how many sessions the test expects to die of a signal */
};

/* Starts the house and waits until it is open; fails the test when it does not open. The house
 * closes when the test's program ends, in whatever way, and the end of its log is printed. */
void house_open(struct house_fixture *house);

/* Like house_open, with `settings` as the text of house.conf. */
void house_open_with_settings(struct house_fixture *house, const char *settings);

/* Like house_open_with_settings, in a house whose first admin signs in with the SSH key `key`.
 * Makes that key. */
void house_open_with_admin(struct house_fixture *house, const char *key, const char *settings);

/* Starts the house in its folder, with these settings; NULL: the settings from before
 * house_stop. */
void house_start(struct house_fixture *house, const char *settings);

/* Starts the house as systemd does with trickhouse.socket: it gets these listening sockets for ssh
 * and for telnet, which stay open in the test too. It must not open the ports 22 and 23, which its
 * command line names. The folder is there already (house_open, house_stop). */
void house_start_on_sockets(struct house_fixture *house, int ssh_socket, int telnet_socket);

/* Returns a socket that listens on a free loopback port, which is stored in *port. */
int house_listen(int *port);

/* Set-up and tear-down of a cmocka test group that open and close a house: *state is the house. */
int house_set_up(void **state);
int house_tear_down(void **state);

/* Returns the number of lines in the house's log that contain the words. */
int house_count_log_lines(const struct house_fixture *house, const char *words);

/* Waits until the log has at least `count` lines with these words. Fails the test if they do not
 * come in time. */
void house_wait_for_log_lines(const struct house_fixture *house, const char *words, int count);

/* Waits like house_wait_for_log_lines, and checks that there are no more. A house's processes write
 * their lines after what a client or a command sees of them. */
void house_expect_log_lines(const struct house_fixture *house, const char *words, int count);

/* Runs `trickhouse COMMAND --data …`, and returns its exit status. */
int house_run_command(const struct house_fixture *house, const char *command);

/* Asks the house to close and waits until it has closed. The folder stays: house_start without
 * settings opens the house again. */
void house_stop(struct house_fixture *house);

/* Asks the house to close, waits until it has closed, checks that no session died of a signal
 * except those the test expects, and removes the folder. */
void house_close(struct house_fixture *house);

/* Makes a key pair with the file name `key` in the folder, unless the file exists. */
void house_make_key(const struct house_fixture *house, const char *key);

/* Says how a person connects to the house. */
struct connect_setup {
    const char *user;    /* the ssh user name */
    const char *key;     /* key file in the house's folder, made if it is missing; NULL: no key */
    const char *term;    /* the terminal's type; NULL: xterm-256color */
    int columns, rows;   /* 0: 80×24 */
    const char *command; /* a command for ssh; NULL: a shell on a pseudo-terminal */
    const char *const *options; /* further options of ssh, NULL-ended, or NULL */
};

struct terminal *house_connect_by_ssh(const struct house_fixture *house,
                                      const struct connect_setup *setup);

/* Connects through the real telnet. `user` and `key` are not used, because the house asks for the
 * name. */
struct terminal *house_connect_by_telnet(const struct house_fixture *house,
                                         const struct connect_setup *setup);

/* Returns the process of the house with that name ("core", "gate"). Fails the test when there is
 * none. */
pid_t house_find_process(const struct house_fixture *house, const char *name);

/* Kills the process of the house with that name, and returns when it is dead. */
void house_kill_process(const struct house_fixture *house, const char *name);

/* Returns the session of the person who connected last. Fails the test when there is none. */
pid_t house_find_newest_session(const struct house_fixture *house);

/* Returns a loopback port that nobody uses. */
int house_find_free_port(void);

/* Connects a socket to a loopback port, from 127.0.0.`loopback_host`. Returns -1 when nobody
 * listens. */
int house_connect_socket(int port, uint8_t loopback_host);
