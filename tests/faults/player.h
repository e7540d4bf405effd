#pragma once

#include <stddef.h>
#include <stdint.h>

/* A simulated person who connects, plays, talks and leaves at random, through the sessions' own
 * client (lobby/protocol/client.h). What they are told goes into the simulation's ledger. */
struct player;
struct sim;

struct player *player_new(struct sim *sim, unsigned index);
void player_free(struct player *player);

/* When the player acts next, in unix ms. */
int64_t player_next_ms(const struct player *player);
void player_act(struct player *player);

/* A packet has arrived on this connection. A packet for a former connection of the player is
 * ignored. */
void player_take(struct player *player, int64_t conn, const char *bytes, size_t len);

/* The type of the request with that number that is still waiting for its answer on that connection;
 * NULL when there is none. */
const char *player_asked_for(const struct player *player, int64_t conn, int64_t request);

/* The player's connection has ended. */
void player_is_cut_off(struct player *player);
