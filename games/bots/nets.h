#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of the nets (bots/net.h), which are part of the program, so that it needs no file to
 * play. They are the files games/bots/nets/ID.net. */

/* Finds the net of the game with that id. False if there is none. */
bool nets_find(const char *id, const uint8_t **bytes, size_t *len);

/* Declares the bytes of a net, which stand before a mark of their end. */
#define NETS_DECLARE(symbol)                                                                       \
    extern const uint8_t net_of_##symbol[] __attribute__((visibility("hidden")));                  \
    extern const uint8_t end_of_##symbol[] __attribute__((visibility("hidden")));
