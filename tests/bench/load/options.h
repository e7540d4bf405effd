#pragma once

#include <stdbool.h>
#include <stdio.h>

/* What the load bench measures, from its command line. */

#define OPTIONS_STEPS_MAX 16
#define OPTIONS_CONNECTIONS_MAX 20000
#define OPTIONS_KEYS_MAX 64
#define OPTIONS_PORTS_MAX 16

struct options {
    const char *host, *user, *marker;
    int ports[OPTIONS_PORTS_MAX]; /* of each node; members enter at them in turn */
    int port_count;
    const char *key_file;         /* private key to sign in with; NULL: none */
    const char *password_env;     /* name of the variable that holds the password; NULL: none */
    int steps[OPTIONS_STEPS_MAX]; /* growing numbers of connections to measure at */
    int step_count;
    int at_a_time;      /* arrivals under way at once */
    int extra;          /* arrivals measured at each step while the others are in; they leave */
    int server_pid;     /* 0: unknown, so the server's CPU and memory are not measured */
    int idle_s;         /* how long the idle server's CPU is measured; 0: not at all */
    int settle_s;       /* longest wait for the server to be quiet */
    int timeout_s;      /* longest wait for a first screen, an echo, a chat line or a move */
    int echoes;         /* 0: the echo is not measured */
    int arrivals_per_s; /* arrivals while the echo is measured */
    int chat_lines;     /* 0: chat is not measured */
    int tables;         /* tables in play; 0: none */
    int move_every_s;   /* mean time between two moves of one person */
    int play_s;         /* how long the moves are measured */
    bool is_json;
    char then[OPTIONS_KEYS_MAX]; /* keys that everybody types once the marker is seen */
    char before_echo[OPTIONS_KEYS_MAX];
    char echo_key[OPTIONS_KEYS_MAX];
    char after_echo[OPTIONS_KEYS_MAX];
};

/* Reads the command line. Returns 0 if the bench shall run, otherwise prints help or what is wrong
 * and returns the program's exit status plus 1. */
int options_read(int argc, char **argv, struct options *out);
