#pragma once

#include <stddef.h>
#include <stdint.h>

/* A simulated person who connects, plays, chats and leaves at random, through the client that
 * sessions use (lobby/protocol/protocol.h). The simulation's ledger records what the person is
 * told. */
struct player;
struct sim;

struct player *player_new(struct sim *sim, unsigned index);
void player_free(struct player *player);

/* Returns when the player acts next, in unix ms. */
int64_t player_next_action_ms(const struct player *player);
void player_act(struct player *player);

/* Handles a packet that has arrived on this connection. A packet for a former connection of the
 * player is ignored. */
void player_receive(struct player *player, int64_t conn, const char *bytes, size_t len);

/* Returns the type of the unanswered request with this number on this connection; NULL when there
 * is none. */
const char *player_find_request_type(const struct player *player, int64_t conn, int64_t request);

/* Handles the end of the player's connection. */
void player_end_connection(struct player *player);
