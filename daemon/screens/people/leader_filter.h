#pragma once

#include "games/text.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Which leaderboard is shown. */

enum leader_span {
    LEADER_ALL,
    LEADER_MONTH,
    LEADER_WEEK,
    LEADER_SEASON,
    LEADER_SPANS,
};

struct leader_filter {
    uint8_t game;    /* index in the registry */
    uint8_t players; /* games with so many players; 0: any number */
    uint8_t span;    /* enum leader_span */
    bool is_friends; /* oneself and one's friends */
    bool is_bots;    /* the bots' own list */
};

/* Packs the filter into a screen's argument, and back; an unknown game becomes the first one. */
int64_t leader_filter_pack(const struct leader_filter *filter);
struct leader_filter leader_filter_unpack(int64_t argument);

/* Reads the words after /leaders: a game's name and filters in any order, such as "hearts 4p
 * season". False if a word is invalid: `unknown` is that word, cut to `cap`. */
bool leader_filter_read(const char *text, struct leader_filter *filter, char *unknown, size_t cap);

/* Adds the fields of the request, with the game. */
void leader_filter_write(const struct leader_filter *filter, json_t *fields);

/* Writes "4 at the table, this season"; nothing without a filter. */
void leader_filter_describe(const struct leader_filter *filter, struct text *out);

/* The next number of players that the game allows; after the largest, any number again. */
void leader_filter_next_players(struct leader_filter *filter);
