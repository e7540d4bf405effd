#ifndef TESTS_FAULTS_PLAYER_H
#define TESTS_FAULTS_PLAYER_H

#include <stddef.h>
#include <stdint.h>

/* Somebody who comes to the house, plays, talks and goes, by chance, over the sessions' own client
 * (lobby/protocol/client.h); what they are told goes into the simulation's ledger. */
struct player;
struct sim;

struct player *player_new(struct sim *sim, unsigned index);
void player_free(struct player *player);

/* When they do something next, in unix ms. */
int64_t player_next_ms(const struct player *player);
void player_act(struct player *player);

/* A packet has come on this connection; one that is not theirs any more is passed over. */
void player_take(struct player *player, int64_t conn, const char *bytes, size_t len);

/* The type of a request that waits for its answer; NULL when there is none of that number on that
 * connection. */
const char *player_asked_for(const struct player *player, int64_t conn, int64_t request);

/* The connection is gone. */
void player_is_cut_off(struct player *player);

#endif
