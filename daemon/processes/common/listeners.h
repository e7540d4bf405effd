#pragma once

#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define LISTENERS_MAX 16

/* Listening sockets: those of the gate, or those that systemd has opened for the house. */
struct listeners {
    struct listener {
        int socket;
        bool is_telnet;  /* true: telnet; false: SSH */
        bool is_proxied; /* only proxies may connect, which tell their clients' addresses */
    } list[LISTENERS_MAX];
    size_t count;
};

/* Adds a socket. Returns false if the list is full; then the caller keeps the socket. */
bool listeners_add(struct listeners *listeners, struct listener listener) MUST_CHECK;

/* True if there is a socket for telnet, or for SSH, to which clients connect without a proxy. */
bool listeners_include(const struct listeners *listeners, bool is_telnet);

/* Closes all sockets and empties the list. */
void listeners_close(struct listeners *listeners);

/* Sets whether the sockets stay open across the next exec. */
void listeners_set_kept_across_exec(const struct listeners *listeners, bool is_kept);

/* Returns the list for an image (image.h), a new reference. */
json_t *listeners_to_json(const struct listeners *listeners) MUST_CHECK;

/* Reads the list from an image; NULL is an empty list. Returns false if the JSON is no such
 * list. */
bool listeners_from_json(const json_t *array, struct listeners *listeners) MUST_CHECK;
