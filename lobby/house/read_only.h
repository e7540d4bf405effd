#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"

/*
 * Read-only mode, while the disk is full. The turn that found no room is undone: the house rebuilds
 * itself from the storage and makes everybody resync. Until there is room again, people can look
 * but change nothing, no clock runs out, and no bot moves. People can still enter, as guests or
 * with an existing account. Sign-ins, and waits after wrong passwords, are kept in memory until
 * they can be stored. One-time codes of any kind cannot be used meanwhile.
 *
 *     writing ──a write finds no room──▶ read-only ──there is room, looked for──▶ writing
 *                                                     every READ_ONLY_RETRY_MS
 */
#define READ_ONLY_RETRY_MS 3000

/* Enters read-only mode after a write found no room. Returns false when the storage cannot be read
 * either. */
bool read_only_begin(struct house *house) MUST_CHECK;

/* Refuses a request that would change something until there is room. */
void read_only_refuse(const struct request *request);

/* Looks for room at intervals. */
void read_only_tick(struct house *house);
int64_t read_only_next_ms(const struct house *house);

/* Called after `welcome`: tells the session whether the disk is full. */
void read_only_notify(struct house *house, struct conn *conn);

/* The same for a newcomer, who need not hear that there is room again. */
void read_only_tell_newcomer(struct house *house, struct conn *conn);
