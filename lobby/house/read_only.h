#ifndef LOBBY_HOUSE_READ_ONLY_H
#define LOBBY_HOUSE_READ_ONLY_H

#include "lobby/house/house_state.h"

/*
 * When the disk is full. The turn that found no room is gone: the house forgets it by building
 * itself anew from the storage, and has everybody resync. Until there is room again people can look
 * but change nothing, no clock runs, nobody's time is up, and no bot moves. They come in, too, as
 * guests or to an account that is there; that, and what waits after wrong passwords, is remembered
 * until it can be stored. What counts once (codes of any kind) cannot be used meanwhile.
 *
 *     writing ──a write finds no room──▶ read-only ──there is room, looked for──▶ writing
 *                                                     every READ_ONLY_RETRY_MS
 */
#define READ_ONLY_RETRY_MS 3000

/* The turn's writes found no room. False when the storage cannot be read either. */
bool read_only_begin(struct house *house) MUST_CHECK;

/* Answers a request that would change something: this cannot be done before there is room. */
void read_only_answer(struct house *house, struct conn *conn, int64_t request);

/* Looks for room when it is time. */
void read_only_tick(struct house *house);
int64_t read_only_next_ms(const struct house *house);

/* After `welcome`: how things stand. */
void read_only_tell(struct house *house, struct conn *conn);

/* The same for who has just come in, and need not hear that there is room. */
void read_only_tell_newcomer(struct house *house, struct conn *conn);

#endif
